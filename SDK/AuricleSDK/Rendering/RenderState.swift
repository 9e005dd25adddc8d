// The state of the render thread of a unit, in one plain struct behind a pointer.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

/// The source of an input bus: a callback of the host, or another unit's output.
///
/// Made on a control thread, never changed afterwards; sources are replaced as a whole.
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
  // Fields of the fast path come first, in few cache lines: a thousand units do not fit into the first-level
  // cache.
  var process: KernelProcess
  var kernel: UnsafeMutableRawPointer?
  /// The open fast paths; see `FastPaths`.
  let openFastPaths = Atomic<UInt8>(0)
  var isRendering = false
  var hasRendered = false
  var lastOutputWasSilent = false
  /// Whether an input bus may be marked as silent.
  var inputsMayBeSilent = true
  /// Whether the unit receives or sends MIDI.
  let hasMIDI: Bool
  var maximumFrames = 0
  /// Frames of the cycle that was rendered last.
  var renderedFrames = 0
  let lastSampleTime = Atomic<Double>(-1)
  /// A number of the host, not 0 while it disables denormals itself.
  let hostGuard = unsafe Atomic<UnsafePointer<UInt32>?>(nil)
  let hostCallbacks = unsafe Atomic<UnsafeMutablePointer<HostCallbackInfo>?>(nil)
  /// The slice of the fast path, prepared except for its variable fields.
  let fastSlice: UnsafeMutablePointer<SliceState>
  /// The kernel's report of its slice.
  let report: UnsafeMutablePointer<SliceReport>
  let events: ScheduledEvents
  /// Whether the input of this cycle is silence or below all that is audible.
  var inputIsQuiet = false
  /// Frames of quiet input up to now.
  var silentFrames = 0
  /// The load of the kernel.
  var load = RenderLoad()
  var dryPath = DryPath()

  // Written by control while uninitialised.
  var processesInPlace: Bool
  /// Whether the kernel pulls its input itself.
  let kernelPullsInputs: Bool
  let keepsCyclesWhole: Bool
  var strideFrames = 0
  var inputCount: Int
  var outputCount: Int
  /// The capacity of input buses.
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
  /// Whether the unit supports a fast path.
  var suitsFastPath = false
  /// The source of input bus 0 that the host replaces by providing samples itself.
  var directSource: UnsafeMutablePointer<InputSource>?
  /// Whether it is run over the whole of its input, in passes.
  let runsOffline: Bool
  /// Whether a rendering pass fails without an analysing pass before it.
  let needsPreflight: Bool
  /// The pass that is under way.
  var pass = OfflinePass()
  let job = OfflineJob()

  // Shared with other threads.
  let table: ParameterTable
  let values: ParameterStore
  let isInitialized = Atomic<Bool>(false)
  let isBypassed = Atomic<Bool>(false)
  /// Whether the host allows a kernel in place to use the caller's buffers for its input.
  let mayWorkInPlace: Atomic<Bool>
  /// Whether output that is not finite is an error.
  let guardsNumbers = Atomic<Bool>(false)
  let lastError = Atomic<Int32>(0)
  let mappings = unsafe Atomic<UnsafeMutablePointer<MIDIMappingList>?>(nil)
  let sources: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<InputSource>?>>
  let notifies = unsafe Atomic<UnsafeMutablePointer<RenderNotifyList>?>(nil)
  let changeListeners = unsafe Atomic<UnsafeMutablePointer<ChangeListenerList>?>(nil)
  let samplesCallback = unsafe Atomic<UnsafeMutablePointer<AUInputSamplesInOutputCallbackStruct>?>(
    nil)

  // Render thread only.
  /// The latency last reported to listeners, in frames.
  var reportedLatency = 0
  /// Sample rate of input bus 0 divided by that of the unit.
  var inputRatio = 1.0
  var denormals = DenormalGuard(saved: 0)
  var supplied = SuppliedInput()
  var isSupplied = false
  /// MIDI input; nil for a unit without.
  let midiInput: MIDIInput?
  /// MIDI output; nil for a unit without.
  let midiOutput: MIDIOutput?
  /// The input buses of the current cycle, referenced by slices.
  let side: UnsafeMutablePointer<InputSide>
  /// The slice of the current cycle for the kernel.
  let cycleSlice: UnsafeMutablePointer<SliceState>

  /// Bytes of the report, on its own cache line, and of the slice of the fast path behind it.
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
    keepsCyclesWhole = traits.keepsCyclesWhole
    midiInput = memory.midiInput
    hasMIDI = memory.midiInput != nil || memory.midiOutput != nil
    midiOutput = memory.midiOutput
    skipsSilence = traits.skipsSilence
    runsOffline = traits.runsOffline
    needsPreflight = traits.needsPreflight
    let near = UnsafeMutableRawPointer.allocate(byteCount: Self.nearSize, alignment: 64)
    unsafe report = near.bindMemory(to: SliceReport.self, capacity: 1)
    unsafe report.initialize(to: SliceReport())
    unsafe fastSlice = (near + 64).bindMemory(to: SliceState.self, capacity: 1)
    unsafe cycleSlice = .allocate(capacity: 1)
    unsafe side = .allocate(capacity: 1)
    unsafe side.initialize(
      to: InputSide(
        count: 0, buses: inputs, sources: sources, maximumFrames: 0,
        denormals: DenormalGuard(saved: 0), isGuarded: false, supplied: SuppliedInput(),
        isSupplied: false, quietInput: .asItIs))
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

  /// Drops pending MIDI and parameter events. Context: control, not rendering.
  func forgetEvents() {
    events.removeAll()
    midiInput?.reset()
    midiOutput?.removeAll()
  }
}
