// All that the render thread of a unit touches, in one plain struct behind a pointer.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

/// Where an input bus gets its samples: a callback of the host, or another unit's output.
///
/// Made on a control thread, never changed afterwards; the render thread swaps whole sources.
@safe struct InputSource {
  var callback: AURenderCallback?
  var refCon: UnsafeMutableRawPointer?
  var connection: AudioUnitConnection
}

/// A host's observer of renders.
@safe struct RenderNotify {
  var callback: AURenderCallback
  var refCon: UnsafeMutableRawPointer?
}

/// An immutable list of observers, replaced as a whole.
@safe struct RenderNotifyList {
  var count: Int
  var entries: UnsafeMutablePointer<RenderNotify>
}

/// The state of the render thread of one unit.
///
/// Fields marked "control" are written only while the unit is uninitialised; those behind atomics may
/// change at any time.
@safe struct RenderState: ~Copyable {
  // What the fast path looks at comes first, in as few cache lines as may be: a thousand units do not
  // fit into the nearest cache.
  var process: KernelProcess
  var kernel: UnsafeMutableRawPointer?
  /// Which fast paths are open; see `FastPaths`.
  let openFastPaths = Atomic<UInt8>(0)
  var isRendering = false
  var hasRendered = false
  var lastOutputWasSilent = false
  /// Whether an input bus may be marked as silent.
  var inputsMayBeSilent = true
  /// Whether the unit takes or sends MIDI.
  let hasMIDI: Bool
  var maximumFrames = 0
  /// Frames of the cycle that was rendered last.
  var renderedFrames = 0
  let lastSampleTime = Atomic<Double>(-1)
  /// A number of the host's, not 0 while it keeps denormals off itself.
  let hostGuard = unsafe Atomic<UnsafePointer<UInt32>?>(nil)
  let hostCallbacks = unsafe Atomic<UnsafeMutablePointer<HostCallbackInfo>?>(nil)
  /// The slice of the fast path, ready but for what changes.
  let fastSlice: UnsafeMutablePointer<SliceState>
  /// What the kernel says of the slice it made.
  let report: UnsafeMutablePointer<SliceReport>
  let events: ScheduledEvents
  /// Frames of silence that came in up to now.
  var silentFrames = 0
  /// How much of the time that sound lasts the kernel takes.
  var load = RenderLoad()
  var dryPath = DryPath()

  // Written by control while uninitialised.
  var processesInPlace: Bool
  /// Whether the kernel asks for its input itself.
  let kernelPullsInputs: Bool
  let rampGranularity: Int
  let keepsCyclesWhole: Bool
  var strideFrames = 0
  var inputCount: Int
  var outputCount: Int
  /// Buses there is room for.
  let inputCapacity: Int
  let outputCapacity: Int
  var inputs: UnsafeMutablePointer<BusState>
  var outputs: UnsafeMutablePointer<BusState>
  var inputChannels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?
  var outputChannels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?
  var firstInputChannel: UnsafeMutablePointer<Int>
  var firstOutputChannel: UnsafeMutablePointer<Int>
  /// Whether `process` can work on one list: buses 0 have the same format.
  var canProcessInPlace = false
  /// Whether the kernel need not be called for silence once its tail is over.
  let skipsSilence: Bool
  /// Whether the unit is of the kind for a fast path.
  var suitsFastPath = false
  /// The source of input bus 0 that a host stands for which gives the samples itself.
  var directSource: UnsafeMutablePointer<InputSource>?

  // Shared with other threads.
  let table: ParameterTable
  let values: ParameterStore
  let isInitialized = Atomic<Bool>(false)
  let isBypassed = Atomic<Bool>(false)
  /// Whether the host lets a kernel in place have the caller's buffers for its input.
  let mayWorkInPlace: Atomic<Bool>
  /// Whether output that is no number is an error.
  let guardsNumbers = Atomic<Bool>(false)
  let lastError = Atomic<Int32>(0)
  let mappings = unsafe Atomic<UnsafeMutablePointer<MIDIMappingList>?>(nil)
  let sources: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<InputSource>?>>
  let notifies = unsafe Atomic<UnsafeMutablePointer<RenderNotifyList>?>(nil)
  let changeListeners = unsafe Atomic<UnsafeMutablePointer<ChangeListenerList>?>(nil)
  let samplesCallback = unsafe Atomic<UnsafeMutablePointer<AUInputSamplesInOutputCallbackStruct>?>(
    nil)

  // Of the render thread alone.
  /// The latency that listeners know of, in frames.
  var reportedLatency = 0
  /// Rate of input bus 0 over that of the unit.
  var inputRatio = 1.0
  var denormals = DenormalGuard(saved: 0)
  var given = GivenInput()
  var isGiven = false
  /// MIDI that came in; nil for a unit that takes none.
  let midiInput: MIDIInput?
  /// MIDI that the kernel sends; nil for a unit that sends none.
  let midiOutput: MIDIOutput?
  /// The input buses of the present cycle, for slices to point at.
  let side: UnsafeMutablePointer<InputSide>
  /// The slice of the present cycle, as the kernel gets it.
  let cycleSlice: UnsafeMutablePointer<SliceState>

  /// Bytes of the report, on a cache line of its own, and of the slice of the fast path behind it.
  private static var nearSize: Int { 64 + MemoryLayout<SliceState>.size }

  init(
    _ traits: RenderTraits, table: ParameterTable, memory: UnitMemory, process: KernelProcess
  ) {
    unsafe self.process = unsafe process
    processesInPlace = traits.processesInPlace
    kernelPullsInputs = traits.kernelPullsInputs
    mayWorkInPlace = Atomic(traits.processesInPlace)
    self.table = table
    values = table.values
    inputCount = table.elementCount(kAudioUnitScope_Input)
    outputCount = table.elementCount(kAudioUnitScope_Output)
    inputCapacity = max(table.capacity(kAudioUnitScope_Input), 1)
    outputCapacity = max(table.capacity(kAudioUnitScope_Output), 1)
    unsafe inputs = .allocate(capacity: inputCapacity)
    unsafe outputs = .allocate(capacity: outputCapacity)
    unsafe firstInputChannel = .allocate(capacity: inputCapacity)
    unsafe firstOutputChannel = .allocate(capacity: outputCapacity)
    unsafe sources = .allocate(capacity: inputCapacity)
    unsafe inputs.initialize(repeating: BusState(), count: inputCapacity)
    unsafe outputs.initialize(repeating: BusState(), count: outputCapacity)
    unsafe firstInputChannel.initialize(repeating: 0, count: inputCapacity)
    unsafe firstOutputChannel.initialize(repeating: 0, count: outputCapacity)
    for index in 0..<inputCapacity {
      unsafe (sources + index).initialize(to: Atomic(nil))
    }
    events = memory.events
    rampGranularity = max(traits.rampGranularity, 1)
    keepsCyclesWhole = traits.keepsCyclesWhole
    midiInput = memory.midiInput
    hasMIDI = memory.midiInput != nil || memory.midiOutput != nil
    midiOutput = memory.midiOutput
    skipsSilence = traits.skipsSilence
    let near = UnsafeMutableRawPointer.allocate(byteCount: Self.nearSize, alignment: 64)
    unsafe report = near.bindMemory(to: SliceReport.self, capacity: 1)
    unsafe report.initialize(to: SliceReport())
    unsafe fastSlice = (near + 64).bindMemory(to: SliceState.self, capacity: 1)
    unsafe cycleSlice = .allocate(capacity: 1)
    unsafe side = .allocate(capacity: 1)
    unsafe side.initialize(
      to: InputSide(
        count: 0, buses: inputs, sources: sources, maximumFrames: 0,
        denormals: DenormalGuard(saved: 0), isGuarded: false, given: GivenInput(),
        isGiven: false))
  }

  deinit {
    unsafe inputs.deallocate()
    unsafe outputs.deallocate()
    unsafe firstInputChannel.deallocate()
    unsafe firstOutputChannel.deallocate()
    unsafe sources.deallocate()
    unsafe UnsafeMutableRawPointer(report).deallocate()
    unsafe side.deallocate()
    unsafe cycleSlice.deallocate()
    unsafe hostCallbacks.load(ordering: .relaxed)?.deallocate()
    unsafe mappings.load(ordering: .relaxed)?.deallocate()
    unsafe samplesCallback.load(ordering: .relaxed)?.deallocate()
    events.deallocate()
    midiInput?.deallocate()
    midiOutput?.deallocate()
  }

  /// Forgets MIDI and parameter events that wait. Context: control, not rendering.
  func forgetEvents() {
    events.removeAll()
    midiInput?.reset()
    midiOutput?.removeAll()
  }
}
