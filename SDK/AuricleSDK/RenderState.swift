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

/// One bus as the render thread sees it.
@safe struct BusState {
  /// Channels of the bus.
  var channelCount: Int
  /// Index of its first channel in the flat list of channel pointers.
  var firstChannel: Int
  /// Memory of the unit for this bus, one stretch of `maximumFrames` a channel.
  var memory: UnsafeMutablePointer<Float>?
  /// A buffer list with room for `channelCount` buffers, given to sources.
  var list: UnsafeMutablePointer<AudioBufferList>?
  /// Whether rendering may go on without a source (inputs).
  var isOptional: Bool
  /// Whether what the source gave last is silence (inputs).
  var isSilent = false
}

/// The state of the render thread of one unit.
///
/// Fields marked "control" are written only while the unit is uninitialised; those behind atomics may
/// change at any time.
@safe struct RenderState: ~Copyable {
  // Written by control while uninitialised.
  var kernel: UnsafeMutableRawPointer?
  var process: KernelProcess
  var processesInPlace: Bool
  /// Whether the kernel asks for its input itself.
  let kernelPullsInputs: Bool
  var maximumFrames = 0
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
  /// Copy of the dry signal for bypass, one stretch of `strideFrames` a channel of output bus 0.
  var dry: UnsafeMutablePointer<Float>?
  var bypassStep: Float = 1

  // Shared with other threads.
  let table: ParameterTable
  let values: ParameterStore
  let isInitialized = Atomic<Bool>(false)
  let isBypassed = Atomic<Bool>(false)
  /// Whether the host lets a kernel in place have the caller's buffers for its input.
  let mayWorkInPlace: Atomic<Bool>
  /// How much of the time that sound lasts the kernel takes.
  var load = RenderLoad()
  let lastError = Atomic<Int32>(0)
  let lastSampleTime = Atomic<Double>(-1)
  let hostCallbacks = unsafe Atomic<UnsafeMutablePointer<HostCallbackInfo>?>(nil)
  let sources: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<InputSource>?>>
  let notifies = unsafe Atomic<UnsafeMutablePointer<RenderNotifyList>?>(nil)

  // Of the render thread alone.
  var hasRendered = false
  var lastOutputWasSilent = false
  /// How much of the dry signal is heard now: 0 processed, 1 bypassed.
  var bypassMix: Float = 0
  let events: ScheduledEvents
  /// MIDI that came in; nil for a unit that takes none.
  let midiInput: MIDIInput?
  /// MIDI that the kernel sends; nil for a unit that sends none.
  let midiOutput: MIDIOutput?
  /// Set by the kernel when the slice it made is silent.
  let sliceIsSilent: UnsafeMutablePointer<Bool>
  /// Set by the kernel when it could not make the slice.
  let sliceStatus: UnsafeMutablePointer<OSStatus>

  init(
    _ definition: UnitDefinition, table: ParameterTable, takesMIDI: Bool, process: KernelProcess
  ) {
    unsafe self.process = unsafe process
    processesInPlace = definition.processesInPlace
    kernelPullsInputs = definition.kernelPullsInputs
    mayWorkInPlace = Atomic(definition.processesInPlace)
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
    let empty = unsafe BusState(
      channelCount: 0, firstChannel: 0, memory: nil, list: nil, isOptional: false)
    unsafe inputs.initialize(repeating: empty, count: inputCapacity)
    unsafe outputs.initialize(repeating: empty, count: outputCapacity)
    unsafe firstInputChannel.initialize(repeating: 0, count: inputCapacity)
    unsafe firstOutputChannel.initialize(repeating: 0, count: outputCapacity)
    for index in 0..<inputCapacity {
      unsafe (sources + index).initialize(to: Atomic(nil))
    }
    events = ScheduledEvents(capacity: 1024)
    midiInput = takesMIDI ? MIDIInput() : nil
    midiOutput =
      definition.midiOutputs.isEmpty ? nil : MIDIOutput(outputCount: definition.midiOutputs.count)
    unsafe sliceIsSilent = .allocate(capacity: 1)
    unsafe sliceIsSilent.initialize(to: false)
    unsafe sliceStatus = .allocate(capacity: 1)
    unsafe sliceStatus.initialize(to: 0)
  }

  deinit {
    unsafe inputs.deallocate()
    unsafe outputs.deallocate()
    unsafe firstInputChannel.deallocate()
    unsafe firstOutputChannel.deallocate()
    unsafe sources.deallocate()
    unsafe sliceIsSilent.deallocate()
    unsafe sliceStatus.deallocate()
    unsafe hostCallbacks.load(ordering: .relaxed)?.deallocate()
    midiInput?.deallocate()
    midiOutput?.deallocate()
  }

  /// Allocates the memory of the buses. Context: control, uninitialised.
  mutating func allocateBuses(
    inputChannelCounts: [Int], outputChannelCounts: [Int], optionalInputs: [Bool],
    maximumFrames: Int, sampleRate: Double
  ) {
    freeBuses()
    self.maximumFrames = maximumFrames
    // A multiple of 16 floats keeps every channel on a cache line of its own.
    strideFrames = (maximumFrames + 15) / 16 * 16
    unsafe inputChannels = Self.allocate(
      inputs, firstInputChannel, inputChannelCounts, optionalInputs, strideFrames)
    unsafe outputChannels = Self.allocate(
      outputs, firstOutputChannel, outputChannelCounts,
      Array(repeating: false, count: outputChannelCounts.count), strideFrames)
    let dryCount = strideFrames * max(outputChannelCounts.first ?? 0, 1)
    unsafe dry = .allocate(capacity: dryCount)
    unsafe dry?.initialize(repeating: 0, count: dryCount)
    bypassStep = Float(1 / max(1, sampleRate * 0.01))
    bypassMix = isBypassed.load(ordering: .relaxed) ? 1 : 0
    hasRendered = false
    lastSampleTime.store(-1, ordering: .relaxed)
  }

  /// Forgets MIDI and parameter events that wait. Context: control, not rendering.
  func forgetEvents() {
    events.removeAll()
    midiInput?.reset()
    midiOutput?.removeAll()
  }

  /// Frees what `allocateBuses` made. Context: control, uninitialised.
  mutating func freeBuses() {
    unsafe Self.free(inputs, inputCount)
    unsafe Self.free(outputs, outputCount)
    unsafe inputChannels?.deallocate()
    unsafe outputChannels?.deallocate()
    unsafe dry?.deallocate()
    unsafe inputChannels = nil
    unsafe outputChannels = nil
    unsafe dry = nil
  }

  private static func allocate(
    _ buses: UnsafeMutablePointer<BusState>, _ firstChannel: UnsafeMutablePointer<Int>,
    _ counts: [Int], _ optional: [Bool], _ stride: Int
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
    let total = counts.reduce(0, +)
    let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: max(total, 1))
    var first = 0
    for (index, count) in counts.enumerated() {
      let raw = UnsafeMutableRawPointer.allocate(
        byteCount: max(count, 1) * stride * MemoryLayout<Float>.stride, alignment: 64)
      let memory = unsafe raw.bindMemory(to: Float.self, capacity: max(count, 1) * stride)
      unsafe memory.initialize(repeating: 0, count: max(count, 1) * stride)
      let listSize =
        unsafe MemoryLayout<AudioBufferList>.size + max(0, count - 1)
        * MemoryLayout<AudioBuffer>.stride
      let rawList = UnsafeMutableRawPointer.allocate(byteCount: listSize, alignment: 16)
      unsafe rawList.initializeMemory(as: UInt8.self, repeating: 0, count: listSize)
      let list = unsafe rawList.bindMemory(to: AudioBufferList.self, capacity: 1)
      for channel in 0..<count {
        unsafe (pointers + first + channel).initialize(to: memory + channel * stride)
      }
      unsafe buses[index] = BusState(
        channelCount: count, firstChannel: first, memory: memory, list: list,
        isOptional: optional[index])
      unsafe firstChannel[index] = first
      first += count
    }
    return unsafe pointers
  }

  private static func free(_ buses: UnsafeMutablePointer<BusState>, _ count: Int) {
    for index in 0..<count {
      unsafe buses[index].memory?.deallocate()
      unsafe buses[index].list?.deallocate()
      unsafe buses[index].memory = nil
      unsafe buses[index].list = nil
    }
  }
}
