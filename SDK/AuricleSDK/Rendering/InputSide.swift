// The input buses of the render thread; a plain value that a slice can reference.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport
import Synchronization

/// Buffer lists of a caller that replace sources.
@safe struct SuppliedInput: BitwiseCopyable {
  /// A list for each input bus; nil for silence.
  var lists: UnsafeMutablePointer<UnsafePointer<AudioBufferList>?>?
  /// The number of lists; further buses are silent.
  var count: Int
  /// The frames in each list.
  var frameCount: Int
  /// Whether the caller declares them silent.
  var isSilent: Bool

  /// No lists: sources are pulled.
  @_noLocks init() {
    unsafe lists = nil
    count = 0
    frameCount = 0
    isSilent = false
  }

  @_noLocks init(
    _ lists: UnsafeMutablePointer<UnsafePointer<AudioBufferList>?>?, count: Int, frameCount: Int,
    isSilent: Bool
  ) {
    unsafe self.lists = unsafe lists
    self.count = count
    self.frameCount = frameCount
    self.isSilent = isSilent
  }
}

/// Pointers to the input buses and their sources. Context: render.
@safe struct InputSide: BitwiseCopyable {
  let count: Int
  let buses: UnsafeMutablePointer<BusState>
  let sources: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<InputSource>?>>
  let maximumFrames: Int
  let denormals: DenormalGuard
  /// Whether the host sets the floating-point control word.
  let isGuarded: Bool
  let supplied: SuppliedInput
  let isSupplied: Bool
  /// The form in which the unit receives input that is all but silent.
  let quietInput: QuietInput

  @_noLocks init(
    count: Int, buses: UnsafeMutablePointer<BusState>,
    sources: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<InputSource>?>>, maximumFrames: Int,
    denormals: DenormalGuard, isGuarded: Bool, supplied: SuppliedInput, isSupplied: Bool,
    quietInput: QuietInput
  ) {
    self.count = count
    unsafe self.buses = unsafe buses
    unsafe self.sources = unsafe sources
    self.maximumFrames = maximumFrames
    self.denormals = denormals
    self.isGuarded = isGuarded
    self.supplied = supplied
    self.isSupplied = isSupplied
    self.quietInput = quietInput
  }

  /// Fills the channels of one bus, and records whether it is silent.
  ///
  /// - Parameters:
  ///   - channels: The destination, a pointer for each channel of the bus.
  ///   - frameCount: At most `maximumFrames`.
  /// - Returns: 0, or the source's error unchanged. An optional bus without a source is silent.
  @_noLocks func pull(
    _ bus: Int, _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  ) -> OSStatus {
    if isSupplied {
      let status = unsafe readSupplied(bus, frameCount, channels)
      if status == 0 { unsafe examine(bus, frameCount, channels) }
      return status
    }
    guard let source = unsafe sources[bus].load(ordering: .acquiring) else {
      guard unsafe buses[bus].isOptional else { return kAudioUnitErr_NoConnection }
      unsafe silence(bus, frameCount, channels)
      return 0
    }
    var flags: AudioUnitRenderActionFlags = 0
    let list = unsafe prepareList(bus, frameCount, channels)
    let status = unsafe Self.ask(bus, source, &flags, timeStamp, frameCount, list)
    if !isGuarded { denormals.renew() }
    guard status == 0 else { return status }
    if flags & kAudioUnitRenderAction_OutputIsSilence != 0 {
      unsafe silence(bus, frameCount, channels)
      return 0
    }
    unsafe buses[bus].isSilent = false
    let received = unsafe receive(bus, frameCount, channels, list)
    if received == 0 { unsafe examine(bus, frameCount, channels) }
    return received
  }

  /// Removes values that no kernel receives, and records whether a bus is quiet.
  @_noLocks private func examine(
    _ bus: Int, _ frameCount: Int, _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  ) {
    let count = unsafe buses[bus].channelCount
    let magnitude = unsafe InputLevels.magnitude(channels, count: count, frameCount: frameCount)
    if magnitude > InputLevels.greatest {
      unsafe InputLevels.clean(channels, count: count, frameCount: frameCount)
    }
    let isQuiet = magnitude < InputLevels.audible
    unsafe buses[bus].isQuiet = isQuiet
    guard isQuiet else { return }
    switch quietInput {
    case .asItIs: break
    case .marked: unsafe buses[bus].isSilent = true
    case .silence: unsafe silence(bus, frameCount, channels)
    }
  }

  /// Fills a bus with silence.
  @_noLocks private func silence(
    _ bus: Int, _ frameCount: Int, _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  ) {
    for channel in 0..<(unsafe buses[bus].channelCount) {
      unsafe SampleCopy.clear(channels[channel], count: frameCount)
    }
    unsafe buses[bus].isSilent = true
    unsafe buses[bus].isQuiet = true
  }

  /// Reads the last frames of the caller's list for a bus.
  @_noLocks private func readSupplied(
    _ bus: Int, _ frameCount: Int, _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  ) -> OSStatus {
    guard bus < supplied.count, let list = unsafe supplied.lists?[bus] else {
      unsafe silence(bus, frameCount, channels)
      return 0
    }
    let offset = supplied.frameCount - frameCount
    guard offset >= 0 else { return kAudioUnitErr_CannotDoInCurrentContext }
    unsafe SampleConversion.read(
      UnsafeMutablePointer(mutating: list), buses[bus].format, from: offset, into: channels,
      frameCount: frameCount)
    unsafe buses[bus].isSilent = supplied.isSilent
    return 0
  }

  /// Prepares the list for a source: the passed channels, or memory in the format of the bus.
  @_noLocks @inline(__always) private func prepareList(
    _ bus: Int, _ frameCount: Int, _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  ) -> UnsafeMutablePointer<AudioBufferList> {
    guard unsafe buses[bus].isCanonical else { return unsafe prepareForeign(bus, frameCount) }
    let list = unsafe buses[bus].list.unsafelyUnwrapped
    let count = unsafe buses[bus].channelCount
    let bytes = UInt32(truncatingIfNeeded: frameCount &* MemoryLayout<Float>.stride)
    let lendsMemory = unsafe buses[bus].lendsMemory
    unsafe list.pointee.mNumberBuffers = UInt32(truncatingIfNeeded: count)
    let buffers = unsafe list.buffers
    var index = 0
    while index < count {
      let memory = unsafe UnsafeMutableRawPointer(channels[index])
      unsafe buffers[index] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: bytes, mData: lendsMemory ? memory : nil)
      index &+= 1
    }
    return unsafe list
  }

  /// The list of a bus in another format than the kernel's.
  @_noLocks @inline(never) private func prepareForeign(
    _ bus: Int, _ frameCount: Int
  ) -> UnsafeMutablePointer<AudioBufferList> {
    let list = unsafe buses[bus].list.unsafelyUnwrapped
    let format = unsafe buses[bus].format
    let bytes = UInt32(truncatingIfNeeded: format.byteCount(frameCount: frameCount))
    unsafe list.pointee.mNumberBuffers = UInt32(truncatingIfNeeded: format.bufferCount)
    let buffers = unsafe list.buffers
    for index in 0..<format.bufferCount {
      let memory = unsafe buses[bus].foreign.unsafelyUnwrapped + index * buses[bus].foreignStride
      unsafe buffers[index] = AudioBuffer(
        mNumberChannels: UInt32(truncatingIfNeeded: format.channelsPerBuffer),
        mDataByteSize: bytes, mData: buses[bus].lendsMemory ? memory : nil)
    }
    return unsafe list
  }

  /// Calls the source to fill the list.
  @_noLocks @inline(__always) static func ask(
    _ bus: Int, _ source: UnsafeMutablePointer<InputSource>,
    _ flags: inout AudioUnitRenderActionFlags, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    _ frameCount: Int, _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let frames = UInt32(truncatingIfNeeded: frameCount)
    if let callback = unsafe source.pointee.callback {
      // Door out of checked code: the host's callback.
      let refCon = unsafe source.pointee.refCon
      return unsafe _unsafePerformance {
        unsafe callback(
          refCon, &flags, timeStamp, UInt32(truncatingIfNeeded: bus), frames, list)
      }
    }
    let connection = unsafe source.pointee.connection
    guard let unit = unsafe connection.sourceAudioUnit else { return kAudioUnitErr_NoConnection }
    guard let render = unsafe unit.pointee.render, let plugIn = unsafe unit.pointee.plugIn else {
      return kAudio_UnimplementedError
    }
    // Door out of checked code: the render method of the connected unit.
    return unsafe _unsafePerformance {
      unsafe render(plugIn, &flags, timeStamp, connection.sourceOutputNumber, frames, list)
    }
  }

  /// Copies a source's samples to the channels if it provided its own buffers.
  @_noLocks @inline(__always) private func receive(
    _ bus: Int, _ frameCount: Int, _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard unsafe buses[bus].isCanonical else {
      return unsafe receiveForeign(bus, frameCount, channels, list)
    }
    let buffers = unsafe list.buffers
    let channelCount = unsafe buses[bus].channelCount
    var channel = 0
    while channel < channelCount {
      let expected = unsafe channels[channel]
      guard let supplied = unsafe buffers[channel].mData else { return kAudio_ParamError }
      if unsafe supplied != UnsafeMutableRawPointer(expected) {
        // Beyond the source's memory there is silence.
        let held = unsafe Int(buffers[channel].mDataByteSize) / MemoryLayout<Float>.stride
        let count = min(held, frameCount)
        unsafe SampleCopy.copy(
          from: supplied.assumingMemoryBound(to: Float.self), to: expected, count: count)
        unsafe SampleCopy.clear(expected + count, count: frameCount - count)
      }
      channel &+= 1
    }
    return 0
  }

  /// The same for a bus in another format than the kernel's.
  @_noLocks @inline(never) private func receiveForeign(
    _ bus: Int, _ frameCount: Int, _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let format = unsafe buses[bus].format
    let buffers = unsafe list.buffers
    var held = frameCount
    let frameBytes = format.byteCount(frameCount: 1)
    for index in 0..<format.bufferCount {
      guard unsafe buffers[index].mData != nil else { return kAudio_ParamError }
      held = unsafe min(held, Int(buffers[index].mDataByteSize) / frameBytes)
    }
    unsafe SampleConversion.read(list, format, into: channels, frameCount: held)
    for channel in 0..<format.channelCount {
      unsafe SampleCopy.clear(channels[channel] + held, count: frameCount - held)
    }
    return 0
  }
}
