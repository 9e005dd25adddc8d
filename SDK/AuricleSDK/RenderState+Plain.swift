// The short way through a slice: one bus in and out in the unit's own format, nothing to watch.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

extension RenderState {
  /// Makes the slice of the short way where the unit is of the kind for it.
  ///
  /// Context: control, uninitialised.
  mutating func preparePlainSlice() {
    guard processesInPlace, !kernelPullsInputs, inputCount == 1, outputCount == 1,
      midiInput == nil, midiOutput == nil, !dryPath.hasLine, canProcessInPlace,
      unsafe inputs[0].isCanonical && outputs[0].isCanonical,
      let outputChannels = unsafe outputChannels
    else { return }
    let made = UnsafeMutablePointer<SliceState>.allocate(capacity: 1)
    var stamp = AudioTimeStamp()
    unsafe made.initialize(to: SliceState(self, &stamp, frameCount: 1, isSilent: false))
    // One list of channels serves both sides.
    unsafe made.pointee.inputs = unsafe outputChannels
    unsafe plainSlice = unsafe made
  }

  /// Whether a slice may go the short way: a new cycle, straight into the caller's memory, without
  /// observers, scheduled changes, bypass or a search for what is no number.
  ///
  /// Context: render.
  @_noLocks @inline(__always) func isPlain(
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ output: UnsafeMutablePointer<AudioBufferList>
  ) -> Bool {
    guard frameCount > 0, events.isEmpty, dryPath.mix == 0, !isRendering,
      unsafe inputs[0].lendsMemory && outputs[0].lendsMemory,
      unsafe samplesCallback.load(ordering: .relaxed) == nil,
      unsafe notifies.load(ordering: .relaxed) == nil, !isBypassed.load(ordering: .relaxed),
      !guardsNumbers.load(ordering: .relaxed), mayWorkInPlace.load(ordering: .relaxed),
      unsafe sources[0].load(ordering: .relaxed) != nil
    else { return false }
    let time = unsafe timeStamp.pointee.mSampleTime
    if hasRendered, time == lastSampleTime.load(ordering: .relaxed) { return false }
    let count = unsafe outputs[0].channelCount
    guard unsafe Int(output.pointee.mNumberBuffers) == count else { return false }
    let bytes = frameCount &* MemoryLayout<Float>.stride
    let buffers = unsafe bufferArray(output)
    var channel = 0
    while channel < count {
      if unsafe buffers[channel].mData != nil && Int(buffers[channel].mDataByteSize) < bytes {
        return false
      }
      channel &+= 1
    }
    return true
  }

  /// Renders a slice for which `isPlain` said yes.
  ///
  /// The source fills the caller's memory, and the kernel works there.
  ///
  /// Context: render.
  @_noLocks mutating func renderPlain(
    _ slice: UnsafeMutablePointer<SliceState>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ output: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let kernel = unsafe kernel, let channels = unsafe outputChannels,
      let source = unsafe sources[0].load(ordering: .acquiring)
    else { return fail(kAudioUnitErr_Uninitialized) }
    // Each look at the control word waits for all arithmetic before it: a host that looks saves it.
    let isGuarded = unsafe (hostGuard.load(ordering: .acquiring)?.pointee ?? 0) != 0
    if !isGuarded { denormals = DenormalGuard() }
    isRendering = true
    defer {
      isRendering = false
      if !isGuarded { denormals.restore() }
    }
    unsafe takeMemory(output, channels, frameCount)
    var inputFlags: AudioUnitRenderActionFlags = 0
    let status = unsafe InputSide.ask(0, source, &inputFlags, timeStamp, frameCount, output)
    if !isGuarded { denormals.renew() }
    hasRendered = false
    guard status == 0, unsafe receive(output, channels, frameCount) else {
      return failPlain(status == 0 ? kAudio_ParamError : status, isGuarded)
    }
    let isSilent = inputFlags & kAudioUnitRenderAction_OutputIsSilence != 0
    // The source may have scheduled changes.
    if isSilent || !events.isEmpty {
      if isGuarded { denormals = DenormalGuard() }
      return unsafe goOn(flags, timeStamp, frameCount, isSilent: isSilent)
    }
    unsafe inputs[0].isSilent = false
    silentFrames = 0
    unsafe slice.pointee.frameCount = frameCount
    unsafe slice.pointee.renderFrameCount = frameCount
    unsafe slice.pointee.sampleTime = timeStamp.pointee.mSampleTime
    unsafe slice.pointee.renderTimeStamp = unsafe timeStamp
    unsafe slice.pointee.host = hostCallbacks.load(ordering: .acquiring)
    unsafe report.pointee = SliceReport()
    let measured = load.begin()
    let process = unsafe self.process
    var given = unsafe RenderSlice(slice)
    // Door out of checked code: the kernel.
    unsafe _unsafePerformance { unsafe process(kernel, &given) }
    load.end(measured, frameCount: frameCount, sampleRate: table.sampleRate)
    let made = unsafe report.pointee.status
    guard made == 0 else { return failPlain(made, isGuarded) }
    if unsafe report.pointee.latencyFrames >= 0 {
      if isGuarded { denormals = DenormalGuard() }
      unsafe takeLatency(report.pointee.latencyFrames)
    }
    lastOutputWasSilent = unsafe report.pointee.isSilent
    unsafe noteCycle(timeStamp, frameCount)
    unsafe tellSilence(flags)
    return 0
  }

  /// Remembers an error; listeners that hear of it may do anything to the control word.
  @_noLocks @inline(never) private mutating func failPlain(
    _ status: OSStatus, _ isGuarded: Bool
  ) -> OSStatus {
    if isGuarded { denormals = DenormalGuard() }
    return fail(status)
  }

  /// Notes that a cycle was rendered.
  @_noLocks @inline(__always) private mutating func noteCycle(
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int
  ) {
    hasRendered = true
    renderedFrames = frameCount
    unsafe lastSampleTime.store(timeStamp.pointee.mSampleTime, ordering: .relaxed)
  }

  /// Has the channels lie where the caller wants them, or in the unit's memory where it has none.
  @_noLocks @inline(__always) private func takeMemory(
    _ output: UnsafeMutablePointer<AudioBufferList>,
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int
  ) {
    let buffers = unsafe bufferArray(output)
    let count = unsafe outputs[0].channelCount
    let bytes = UInt32(truncatingIfNeeded: frameCount &* MemoryLayout<Float>.stride)
    var channel = 0
    while channel < count {
      if let memory = unsafe buffers[channel].mData {
        unsafe channels[channel] = memory.assumingMemoryBound(to: Float.self)
      } else {
        let own = unsafe outputs[0].own(channel, stride: strideFrames)
        unsafe channels[channel] = unsafe own
        unsafe buffers[channel].mData = UnsafeMutableRawPointer(own)
      }
      unsafe buffers[channel].mNumberChannels = 1
      unsafe buffers[channel].mDataByteSize = bytes
      channel &+= 1
    }
  }

  /// Brings what a source handed out in memory of its own to the channels.
  ///
  /// - Returns: False where it left a channel without memory.
  @_noLocks @inline(__always) private func receive(
    _ output: UnsafeMutablePointer<AudioBufferList>,
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int
  ) -> Bool {
    let buffers = unsafe bufferArray(output)
    let count = unsafe outputs[0].channelCount
    let bytes = UInt32(truncatingIfNeeded: frameCount &* MemoryLayout<Float>.stride)
    var channel = 0
    while channel < count {
      guard let given = unsafe buffers[channel].mData else { return false }
      if unsafe given != UnsafeMutableRawPointer(channels[channel]) {
        unsafe copyForeign(
          given, Int(buffers[channel].mDataByteSize), to: channels[channel], frameCount)
        unsafe buffers[channel].mData = UnsafeMutableRawPointer(channels[channel])
      }
      unsafe buffers[channel].mNumberChannels = 1
      unsafe buffers[channel].mDataByteSize = bytes
      channel &+= 1
    }
    unsafe output.pointee.mNumberBuffers = UInt32(truncatingIfNeeded: count)
    return true
  }

  /// One channel of `receive`: what the source's memory does not hold is silence.
  @_noLocks @inline(never) private func copyForeign(
    _ given: UnsafeMutableRawPointer, _ byteCount: Int, to channel: UnsafeMutablePointer<Float>,
    _ frameCount: Int
  ) {
    let held = min(byteCount / MemoryLayout<Float>.stride, frameCount)
    unsafe SampleCopy.copy(
      from: given.assumingMemoryBound(to: Float.self), to: channel, count: held)
    unsafe SampleCopy.clear(channel + held, count: frameCount - held)
  }

  /// Ends a slice the long way: for silence, and for changes at frames of it.
  @_noLocks @inline(never) private mutating func goOn(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int, isSilent: Bool
  ) -> OSStatus {
    guard let channels = unsafe outputChannels, let inputChannels = unsafe inputChannels else {
      return fail(kAudioUnitErr_Uninitialized)
    }
    for channel in 0..<(unsafe outputs[0].channelCount) {
      if isSilent { unsafe SampleCopy.clear(channels[channel], count: frameCount) }
      unsafe inputChannels[channel] = unsafe channels[channel]
    }
    unsafe inputs[0].isSilent = isSilent
    unsafe side.pointee = inputSide
    let status = unsafe makeOutput(timeStamp, frameCount, isSilent: isSilent)
    events.removeAll()
    guard status == 0 else { return fail(status) }
    unsafe noteCycle(timeStamp, frameCount)
    unsafe tellSilence(flags)
    return 0
  }
}
