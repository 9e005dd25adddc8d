// One instance of a unit, for control threads.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import Glibc
public import RealtimeSupport
import Synchronization

/// An instance of a unit, made by `makeAudioUnit`; it owns the render state and the kernel.
///
/// Every method is for control threads and acquires the instance's lock; the render thread calls none. The
/// closures of a definition receive it:
///
/// ```swift
/// read: { unit, _, data in
///   guard unit.isInitialized else { return kAudioUnitErr_Uninitialized }
///   unsafe data.storeBytes(of: unit.sampleRate, as: Double.self)
///   return 0
/// }
/// ```
///
/// The corresponding Core Audio type is `AudioUnit`.
///
/// @unchecked Sendable because all mutable state is accessed under `lock`, except the render state, whose
/// shared parts are atomics.
@safe public final class UnitInstance: @unchecked Sendable {
  /// The definition of the unit.
  public let definition: UnitDefinition
  /// Values of the parameters: those of the global scope by their index in the definition, then those of the
  /// elements of other scopes; see `value(_:_:_:)`. Context: any.
  public let values: ParameterStore
  let table: ParameterTable
  let procedures: KernelProcedures
  let description: AudioComponentDescription
  let render: UnsafeMutablePointer<RenderState>
  var inputFormats: [AudioStreamBasicDescription]
  var outputFormats: [AudioStreamBasicDescription]
  var maximumFrames: UInt32 = 1156
  var isOffline: UInt32 = 0
  var presentPreset: (number: Int32, name: String) = (-1, "Untitled")
  /// Names of the states of parts, as set by a host.
  var partPresets: [Int: (number: Int32, name: String)] = [:]
  var failureReason = ""
  var elementNames: [ElementAddress: String] = [:]
  var settings = UnitSettings()
  var names = CFNames()
  var presetStorage: [UnsafeMutablePointer<AUPreset>] = unsafe []
  var propertyListeners: [PropertyListener] = []
  var notifies: [RenderNotify] = []
  /// Whether a unit of the output type was started and not stopped; `kAudioOutputUnitProperty_IsRunning`.
  public internal(set) var isRunning = false
  var retired: [UnsafeMutableRawPointer] = unsafe []
  var retiredSources: [UnsafeMutablePointer<InputSource>] = unsafe []
  var retiredNotifies: [UnsafeMutablePointer<RenderNotifyList>] = unsafe []
  /// The host's block for event lists, and previous ones.
  var midiBlock: HostBlock?
  var retiredBlocks: [HostBlock] = []
  var retiredListeners: [UnsafeMutablePointer<ChangeListenerList>] = unsafe []
  /// The host's handle of this instance; nil before Open.
  public internal(set) var handle: AudioUnitHandle?
  private let lock: UnsafeMutablePointer<pthread_mutex_t>

  init(
    _ definition: UnitDefinition, _ procedures: KernelProcedures,
    _ description: AudioComponentDescription, _ memory: UnitMemory
  ) {
    self.definition = definition
    self.procedures = procedures
    self.description = description
    table = ParameterTable(
      matrix: definition.channelMatrix, elements: definition.elements(of:))
    values = table.values
    let inputs = table.elementCount(kAudioUnitScope_Input)
    let outputs = table.elementCount(kAudioUnitScope_Output)
    unsafe render = .allocate(capacity: 1)
    unsafe render.initialize(
      to: RenderState(
        definition.renderTraits, table: table, memory: memory, process: procedures.process))
    inputFormats = (0..<inputs).map {
      Self.canonical(44100, definition.bus(kAudioUnitScope_Input, $0).channelCount)
    }
    outputFormats = (0..<outputs).map {
      Self.canonical(44100, definition.bus(kAudioUnitScope_Output, $0).channelCount)
    }
    unsafe lock = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    unsafe pthread_mutexattr_init(&attributes)
    unsafe pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    unsafe pthread_mutex_init(lock, &attributes)
    unsafe pthread_mutexattr_destroy(&attributes)
    for scope in 0..<AudioUnitScope(ParameterTable.scopeCount) {
      for row in 0..<table.initialRowCount(scope) { setDefaults(scope, row) }
    }
    countChannels()
  }

  deinit {
    uninitialize()
    for index in 0..<(unsafe render.pointee.inputCapacity) {
      unsafe render.pointee.sources[index].load(ordering: .relaxed)?.deallocate()
    }
    if let list = unsafe render.pointee.notifies.load(ordering: .relaxed) {
      unsafe retiredNotifies.append(list)
    }
    if let list = unsafe render.pointee.changeListeners.load(ordering: .relaxed) {
      unsafe retiredListeners.append(list)
    }
    freeRetired()
    unsafe presetStorage.forEach { unsafe $0.deallocate() }
    names.releaseAll()
    unsafe render.deinitialize(count: 1)
    unsafe render.deallocate()
    table.deallocate()
    unsafe pthread_mutex_destroy(lock)
    unsafe lock.deallocate()
  }

  /// Runs a body under the instance's lock. Context: control.
  func locked<Value>(_ body: () -> Value) -> Value {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return body()
  }

  /// Planar 32-bit float at a rate (Hz).
  static func canonical(_ sampleRate: Double, _ channelCount: Int) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4,
      mChannelsPerFrame: UInt32(channelCount), mBitsPerChannel: 32, mReserved: 0)
  }

  /// Returns the memory layout of a bus's format.
  static func sampleFormat(_ format: AudioStreamBasicDescription) -> SampleFormat {
    SampleFormat(format)
      ?? SampleFormat(canonicalWithChannelCount: Int(format.mChannelsPerFrame))
  }

  /// Returns a number of frames that memory can be allocated for: at most some minutes.
  private static func frames(_ count: Double) -> Int {
    count.isFinite && count > 0 ? Int(min(count.rounded(), Double(1 << 25))) : 0
  }

  /// Sample rate of the unit (Hz): that of output bus 0, or of input bus 0 without an output.
  public var sampleRate: Double {
    (outputFormats.first ?? inputFormats.first)?.mSampleRate ?? 44100
  }

  /// Whether the unit is initialised, between `AudioUnitInitialize` and `AudioUnitUninitialize`.
  public var isInitialized: Bool { unsafe render.pointee.isInitialized.load(ordering: .acquiring) }

  /// The kernel state while the unit is initialised; nil otherwise.
  public var kernel: UnsafeMutableRawPointer? { unsafe render.pointee.kernel }

  /// Checks the formats and makes the kernel.
  func initialize() -> OSStatus {
    locked {
      guard !isInitialized else { return 0 }
      failureReason = ""
      let inputs = inputFormats.map { Int($0.mChannelsPerFrame) }
      let outputs = outputFormats.map { Int($0.mChannelsPerFrame) }
      guard supports(inputs: inputs, outputs: outputs) else {
        failureReason =
          "the unit cannot do \(inputs.first ?? 0) channels in and \(outputs.first ?? 0) out"
        return kAudioUnitErr_FormatNotSupported
      }
      // An optional input without a source does not affect the rate: a host may not know of it.
      let inputBuses = inputFormats.indices.map { definition.bus(kAudioUnitScope_Input, $0) }
      for bus in inputFormats.indices where inputBuses[bus].isOptional {
        let source = unsafe render.pointee.sources[bus].load(ordering: .acquiring)
        if unsafe source == nil { inputFormats[bus].mSampleRate = sampleRate }
      }
      // A larger allocation would end the process instead of failing.
      guard (inputs + outputs).allSatisfy({ $0 * Int(maximumFrames) <= 1 << 28 }) else {
        failureReason = "slices of \(maximumFrames) frames of so many channels need too much memory"
        return kAudio_MemFullError
      }
      let rates = Set((inputFormats + outputFormats).map(\.mSampleRate))
      guard rates.count <= 1 || definition.allowsDifferentRates else {
        failureReason = "the sample rates of the buses differ: \(rates.sorted())"
        return kAudioUnitErr_FormatNotSupported
      }
      let format = RenderFormat(
        sampleRate: sampleRate, inputChannelCounts: inputs, outputChannelCounts: outputs,
        inputSampleRates: inputFormats.map(\.mSampleRate), maximumFrames: Int(maximumFrames),
        renderQuality: Int(settings.renderQuality), isOffline: isOffline != 0, values: values,
        table: table,
        outputLayoutTag: outputs.isEmpty
          ? 0 : channelLayoutTag(scope: kAudioUnitScope_Output, bus: 0))
      let latencyBefore = unsafe procedures.latencyFrames(render.pointee.kernel)
      do throws(KernelProcedures.Failure) {
        let kernel = try unsafe procedures.create(format)
        unsafe render.pointee.kernel = kernel
      } catch {
        failureReason = error.reason
        return error.status
      }
      let latency = unsafe procedures.latencyFrames(render.pointee.kernel)
      unsafe render.pointee.allocateBuses(
        inputFormats: inputFormats.map(Self.sampleFormat),
        outputFormats: outputFormats.map(Self.sampleFormat),
        optionalInputs: inputBuses.map(\.isOptional), maximumFrames: Int(maximumFrames),
        sampleRate: sampleRate, latency: Self.frames(latency),
        maximumLatency: Self.frames(definition.maximumLatencySeconds * sampleRate))
      arrangeMemory()
      unsafe render.pointee.inputRatio =
        (inputFormats.first?.mSampleRate ?? sampleRate) / sampleRate
      unsafe render.pointee.isInitialized.store(true, ordering: .releasing)
      unsafe render.pointee.updateFastPaths()
      if latency != latencyBefore { propertyChanged(kAudioUnitProperty_Latency) }
      return 0
    }
  }

  /// Applies the host's settings of bus memory. Context: control, uninitialised.
  private func arrangeMemory() {
    for address in settings.busesWithoutMemory {
      if address.scope == kAudioUnitScope_Input {
        unsafe render.pointee.inputs[address.element].lendsMemory = false
      } else {
        unsafe render.pointee.outputs[address.element].lendsMemory = false
      }
    }
    if let memory = unsafe settings.externalBuffer, !outputFormats.isEmpty,
      let address = unsafe memory.buffer
    {
      unsafe render.pointee.outputs[0].use(
        address, byteCount: Int(memory.size), stride: render.pointee.strideFrames)
    }
  }

  /// Frees the kernel.
  @discardableResult func uninitialize() -> OSStatus {
    _ = stop()
    return releaseKernel()
  }

  /// Frees the kernel; a unit that was started stays so.
  private func releaseKernel() -> OSStatus {
    locked {
      guard isInitialized else { return 0 }
      unsafe render.pointee.closeFastPaths()
      unsafe render.pointee.isInitialized.store(false, ordering: .releasing)
      if let kernel = unsafe render.pointee.kernel { unsafe procedures.destroy(kernel) }
      unsafe render.pointee.kernel = nil
      unsafe render.pointee.forgetEvents()
      unsafe render.pointee.freeBuses()
      freeRetired()
      return 0
    }
  }

  /// Makes a change that needs another kernel; if that cannot be initialised, the formats stay.
  ///
  /// Context: control, initialised.
  func reinitialize(_ change: () -> OSStatus) -> OSStatus {
    let (inputs, outputs, frames) = (inputFormats, outputFormats, maximumFrames)
    _ = releaseKernel()
    let status = change()
    let prepared = initialize()
    guard prepared != 0 else { return status }
    (inputFormats, outputFormats, maximumFrames) = (inputs, outputs, frames)
    countChannels()
    _ = initialize()
    return prepared
  }

  /// Keeps the reason for which a property's value is refused, for the host to ask, and returns the code.
  ///
  /// ```swift
  /// guard size == 4 else {
  ///   return unit.refuse(kAudioUnitErr_InvalidPropertyValue, "The mode is a UInt32, 0 or 1.")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - status: The code for the host, not 0.
  ///   - reason: One sentence for a person: failure, place, remedy.
  /// - Returns: The code.
  ///
  /// Context: control.
  public func refuse(_ status: OSStatus, _ reason: String) -> OSStatus {
    locked { failureReason = reason }
    return status
  }

  /// Resets the history of the whole unit on global scope; a single bus has none.
  func reset(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> OSStatus {
    locked {
      guard elementCount(scope) != nil else { return kAudioUnitErr_InvalidScope }
      guard isValid(scope, element) else { return kAudioUnitErr_InvalidElement }
      guard isInitialized else { return 0 }
      if let kernel = unsafe render.pointee.kernel { unsafe procedures.reset(kernel) }
      unsafe render.pointee.forgetPast()
      unsafe render.pointee.forgetEvents()
      return 0
    }
  }
}
