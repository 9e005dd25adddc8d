// The compiled graph as the render thread runs it: steps in order, ports, transitions.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

/// The work of a step.
enum GraphStepKind: UInt8 {
  /// Renders a unit.
  case unit
  /// Delays a signal by the frames of a delay line.
  case delay
  /// Fades from one signal to another.
  case fade
  /// Calls an input callback into memory of the plan.
  case callback
  /// Copies a signal that more than one reader has.
  case copy
}

/// One step of a plan: a cache line, as a graph may have thousands that are walked through in each
/// slice.
@safe struct GraphStep {
  var kind: GraphStepKind
  /// Whether a missing input is silence: for nodes that came in while rendering.
  var toleratesNoConnection = false
  /// Whether the output is searched for values that are not finite.
  var checksFiniteness = false
  /// The node that errors are charged to.
  var node: Int32
  /// The unit's number in the signs of life of this process; see `Heartbeat`.
  var workNumber: Int32 = -1
  /// The number of buses that the step makes, and these.
  var busCount: UInt32
  var buses: UnsafeMutablePointer<GraphBus>
  var render: AudioUnitRenderProc?
  var plugIn: UnsafeMutableRawPointer?
  /// The direct rendering of a unit that receives its input.
  var direct: UnsafeMutablePointer<GraphDirect>?
  /// For a step that is no unit.
  var edge: UnsafeMutablePointer<GraphEdge>?
}

/// The data of a step on an edge. Fields that its kind does not need are nil or 0.
@safe struct GraphEdge {
  /// The bus that is read; for a fade, its old source (nil: silence).
  var source: UnsafeMutablePointer<GraphBus>?
  /// Where a fade goes to; nil for silence.
  var target: UnsafeMutablePointer<GraphBus>?
  var line: UnsafeMutablePointer<DelayLineState>?
  var callback: UnsafeMutablePointer<InputCallbackState>?
  /// Frames of the transition before a fade begins.
  var wait = 0

  init() {
    unsafe source = nil
    unsafe target = nil
    unsafe line = nil
    unsafe callback = nil
  }
}

/// An input callback of the graph's owner.
@safe struct InputCallbackState {
  var procedure: AURenderCallback
  var refCon: UnsafeMutableRawPointer?
  /// The bus that the callback receives.
  var element: UInt32
  /// Set when the owner removed the callback: from then on its last samples replace it. It lies
  /// behind this structure, as do the samples.
  var isRetired: UnsafeMutablePointer<Atomic<Bool>>
  /// The last sample of each channel that was rendered.
  var held: UnsafeMutablePointer<Float>
  /// Channels whose last sample is kept; 0 where the format is not planar float.
  var channelCount: Int
  /// Whether it lends its memory to a caller without any.
  var lendsMemory: Bool
}

/// An input bus of a node within a plan: its source.
@safe struct GraphPort {
  var slot: UnsafeMutablePointer<InputSlotState>
  /// The signal; nil when a callback is called directly, or nothing is connected.
  var bus: UnsafeMutablePointer<GraphBus>?
  var callback: UnsafeMutablePointer<InputCallbackState>?
  var domain: UnsafeMutablePointer<GraphDomain>
  /// Steps of the domain that must have run before the port can be read.
  var needed: Int
  /// Whether the port is the input of a unit that pulls the domain at another rate.
  var pullsDomain = false
  /// Whether the unit relies on the graph to keep denormals off; see `EngineState.guardWord`.
  var isGuarded = false
  /// The callback, if it is the only source of the port, and no step has to run before it.
  var callbackAlone: UnsafeMutablePointer<InputCallbackState>?
}

extension UnsafeMutablePointer where Pointee == GraphPort {
  /// Begins to fetch the memory of a port behind this one: ports lie in the order of their pulls,
  /// and more ports than are pulled end them.
  @_noLocks @inline(__always)
  func fetchNext() {
    unsafe RenderClock.fetch(self[GraphDomain.fetchDistance].slot)
    unsafe RenderClock.fetch(self[GraphDomain.fetchDistance].bus)
    unsafe RenderClock.fetch(self[GraphDomain.fetchDistance].callback)
    if let next = unsafe self[1].bus { unsafe next.fetchSamples() }
  }
}

/// The target of an input bus's calls: lives as long as the unit, across plans.
@safe struct InputSlotState {
  var engine: UnsafeMutablePointer<EngineState>
  /// The input bus of the unit.
  var element: UInt32
  /// The port of the present plan; nil when the node has no part in it.
  var port: UnsafeMutablePointer<GraphPort>?
}

/// Steps that run for the same frames at the same time.
///
/// Domain 0 feeds the output unit. A unit that pulls another number of frames than it renders, such
/// as a rate converter, has a separate domain before it.
@safe struct GraphDomain {
  var steps: UnsafeMutablePointer<GraphStep>
  var stepCount: Int
  /// Whether the units of steps to come are fetched before they are rendered: so many do not stay in
  /// the nearest cache from one slice to the next.
  var fetchesAhead: Bool
  /// Most frames of one run.
  var maximumFrames: Int
  /// Steps done in the present cycle.
  var done = 0
  var isRunning = false
  var hasCycle = false
  /// Whether the present cycle was made in the memory of its caller.
  var isLent = false
  /// Frames rendered since the plan came into force, before the present cycle.
  var position = 0
  var sampleTime = 0.0
  var frameCount = 0
  /// The steps before a unit is rendered at which it is fetched; as many empty ones end the list.
  static var fetchDistance: Int { @_noLocks get { 3 } }
  /// The stamp that the steps of a domain other than 0 get, with a separate time.
  var stamp: UnsafeMutablePointer<AudioTimeStamp>
}

/// Everything that one state of the graph needs for rendering. Made and freed by control threads;
/// used by the render thread from its adoption to that of the next one.
@safe struct GraphPlan {
  /// Plans of a graph count up.
  var serial: UInt64
  var domains: UnsafeMutablePointer<GraphDomain>
  var domainCount: Int
  var ports: UnsafeMutablePointer<GraphPort>
  var portCount: Int
  /// The bus that the output unit pulls alone, if the steps that make it may work in the memory of the
  /// caller.
  var output: UnsafeMutablePointer<GraphBus>?
  /// Frames of a transition to this plan; 0 if it changes nothing that sounds.
  var transitionFrames = 0
  /// Frames of one fade.
  var fadeFrames = 1
  /// The plan that follows when the transition is over.
  var next: UnsafeMutablePointer<GraphPlan>?
}

/// The first failure since the last reading.
struct GraphFailure {
  var node: Int32
  var status: OSStatus
  /// Sample time of the first frame of the slice.
  var sampleTime: Double
  /// Frame in the slice and channel of a value that is not finite; −1 for another failure.
  var frame: Int
  var channel: Int

  @_noLocks init(
    node: Int32 = 0, status: OSStatus = 0, sampleTime: Double = 0, frame: Int = -1,
    channel: Int = 0
  ) {
    self.node = node
    self.status = status
    self.sampleTime = sampleTime
    self.frame = frame
    self.channel = channel
  }
}

/// The state of rendering that outlives plans.
///
/// Atomics are shared with control threads; the rest belongs to the render thread, or to a control
/// thread while nothing renders.
@safe struct EngineState: ~Copyable {
  /// A plan that waits to be adopted.
  let pending = unsafe Atomic<UnsafeMutablePointer<GraphPlan>?>(nil)
  /// Serial of the plan in use: older ones can be freed.
  let adopted = Atomic<UInt64>(0)
  /// Whether a transition is going on.
  let isInTransition = Atomic<Bool>(false)
  /// Whether a cycle is being rendered now. Control threads fence all others before they read it.
  let isInCycle = Atomic<Bool>(false)
  /// The thread that rendered last.
  let thread = Atomic<UInt>(0)
  /// Cycles rendered since the graph was initialised.
  let cycles = Atomic<UInt64>(0)
  /// Whether the output unit was pulled before any of its inputs was fed, when it does not ask here.
  let wasPulledUnfed = Atomic<Bool>(false)
  /// Busy ticks a frame.
  var meter = CycleMeter()
  /// Whether `failure` holds something.
  let hasFailed = Atomic<Bool>(false)
  var current: UnsafeMutablePointer<GraphPlan>?
  /// Cycles in a row that were asked for once, up to `GraphCycle.watchedCycles`.
  var quietCycles = 0
  var failure = GraphFailure()
  /// Not 0 during a cycle: units that know it leave the control word to the graph.
  let guardWord: UnsafeMutablePointer<UInt32>
  /// The control word of the present cycle.
  var denormals = DenormalGuard(saved: 0)
  /// The modes that it has during a cycle, as a unit leaves it that does nothing to it.
  var modes = noModes
  /// A value that no control word has.
  static var noModes: UInt64 { @_noLocks get { .max } }

  init() {
    unsafe guardWord = .allocate(capacity: 1)
    unsafe guardWord.initialize(to: 0)
  }

  deinit { unsafe guardWord.deallocate() }
}
