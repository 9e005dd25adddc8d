// A graph of audio units: nodes, connections, one output unit at the end.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AudioUnits
public import CAudioToolbox
import Glibc
import RealtimeSupport
import Synchronization

/// Units connected into one that is pulled through its output unit.
///
/// Build it (`addNode`, `connect`), `open` it (units exist), set their properties, `initialize` it
/// (formats are passed along connections, units allocate), and pull its output unit. `start` has an
/// output unit with a clock do so, `render` is one slice by hand. Once it is initialised, changes
/// of nodes and connections wait for `update`, which applies them between two slices. Inputs fade
/// from their old source to the new one, and branches are aligned by the latencies of their units.
///
/// Context: control, any thread: calls acquire the graph's lock. The corresponding Core Audio type
/// is `AUGraph`.
///
/// @unchecked Sendable because all mutable state is reached under `lock`, but for the engine's, which
/// the render thread owns and whose shared parts are atomics.
@safe public final class AudioUnitGraph: @unchecked Sendable {
  /// The number of a node, from 1 up; never used twice in a graph.
  public typealias Node = AUNode

  /// Makes a unit that converts between two formats, for connections that need one; nil refuses such
  /// connections with `kAudioUnitErr_FormatNotSupported`.
  ///
  /// The graph sets the formats and initialises the unit.
  public var makeConverter: (() throws(AuricleError) -> AudioUnit)?

  /// Whether the output of every node is searched for values that are not finite numbers, which end
  /// the slice with `kAudioUnitErr_InvalidParameterValue` (`consumeFailure` names the node).
  ///
  /// Applied at `initialize` and `update`.
  public var checksFiniteness = false

  /// Whether a thread of the graph's follows changes of latency while it is initialised, for graphs
  /// that others pull. With `render` it is not needed, and the result is the same every time.
  ///
  /// Applied at `initialize`.
  public var followsByItself = false

  /// The length of a fade of an input from one source to the next, in seconds.
  public var fadeSeconds = 0.01

  /// The longest delay (seconds) that aligns a branch; units of greater latency are not waited for
  /// beyond it.
  public static let longestAlignmentSeconds = 10.0

  let engine = GraphEngine()
  var nodes: [Node: GraphNode] = [:]
  var order: [Node] = []
  var lastNumber: Node = 0
  var lastOrder: UInt64 = 0
  var isOpenNow = false
  var isInitializedNow = false
  /// Whether it was initialized without a node: its nodes are, as soon as the graph is updated or started.
  var isInitializedEmpty = false
  var startCount = 0
  var isDirty = false
  var lastUpdateError: OSStatus = 0
  /// Feeds in force when no transition is going on, by port, and the nodes on them.
  var settled: PlannedTopology?
  /// The same before the newest plan, for when that is withdrawn.
  var settledBefore: PlannedTopology?
  /// Plans that the render thread may still use, oldest first; the last one is the newest.
  var plans: [CompiledPlan] = []
  var lastSerial: UInt64 = 0
  var notifications: [(callback: AURenderCallback, refCon: UnsafeMutableRawPointer?)] = unsafe []
  /// Inputs of a subgraph that its parent feeds, by the parent's input bus.
  var externalInputs: [UInt32: (node: GraphNode, bus: UInt32)] = [:]
  /// Slice size wanted by the parent graph or the owner; nil for the output unit's.
  var wantedMaximumFrames: Int?
  var maximumFrames = 0
  var clock = LoadClock()
  var sampleTime = 0.0
  var keeper: GraphKeeper?
  /// The output unit while it is watched because nothing feeds it yet.
  var watchedOutput: AudioUnit?
  /// Whether this graph is a node of another one.
  var isSubgraph = false
  let lock: UnsafeMutablePointer<pthread_mutex_t>

  /// Makes an empty graph.
  ///
  /// The corresponding Core Audio function is `NewAUGraph`.
  public init() {
    unsafe lock = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    unsafe pthread_mutexattr_init(&attributes)
    unsafe pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    unsafe pthread_mutex_init(lock, &attributes)
    unsafe pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    tearDown()
    // Connected nodes hold each other.
    for node in nodes.values {
      node.inputs = [:]
      node.outputs = [:]
    }
    unsafe pthread_mutex_destroy(lock)
    unsafe lock.deallocate()
  }

  /// Runs a body while no other thread changes the graph; calls within it do not wait.
  ///
  /// - Throws: The error of the body; `kAUGraphErr_CannotDoInCurrentContext` on the render thread while
  ///   another thread has the graph's lock: render code must not wait.
  public func exclusively<Value>(
    _ body: () throws(AuricleError) -> Value
  ) throws(AuricleError) -> Value {
    try locked(body)
  }

  /// Runs a body under the graph's lock.
  ///
  /// - Throws: `kAUGraphErr_CannotDoInCurrentContext` on the render thread while another thread holds
  ///   the lock: render code must not wait.
  func locked<Value>(
    _ body: () throws(AuricleError) -> Value
  ) throws(AuricleError) -> Value {
    if unsafe pthread_mutex_trylock(lock) != 0 {
      guard !isOnRenderThread else {
        throw AuricleError(
          .temporary, status: kAUGraphErr_CannotDoInCurrentContext,
          "the graph is being changed by another thread: try again in a later slice")
      }
      unsafe pthread_mutex_lock(lock)
    }
    defer { unsafe pthread_mutex_unlock(lock) }
    return try body()
  }

  /// Runs a body that cannot fail under the graph's lock.
  func reading<Value>(_ body: () -> Value) -> Value {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return body()
  }

  /// Whether this is the thread that rendered the graph last: it must not wait for the lock.
  var isOnRenderThread: Bool {
    unsafe engine.state.pointee.thread.load(ordering: .relaxed) == RenderClock.thread()
  }

  /// The node that ends the graph; nil where there is none yet.
  public var outputNode: Node? { reading { headNode?.number } }

  /// The unit of the output node; nil while the graph is closed or has no output node.
  public var outputUnit: AudioUnit? { reading { headNode?.unit } }

  var headNode: GraphNode? {
    for number in order {
      if let node = nodes[number], node.isOutput { return node }
    }
    return nil
  }

  /// A node by its number.
  func node(_ number: Node) throws(AuricleError) -> GraphNode {
    guard let node = nodes[number] else {
      throw AuricleError(
        .badData, status: kAUGraphErr_NodeNotFound, "the graph has no node \(number)")
    }
    return node
  }
}
