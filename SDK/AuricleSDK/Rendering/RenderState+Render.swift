// Renders one slice of an output bus: checks, observers, the cycle, and delivery to the caller.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport
import Synchronization

extension RenderState {
  /// Renders one slice of an output bus into a buffer list.
  ///
  /// - Returns: 0, or the first error met; an error of a source comes back unchanged.
  ///
  /// Context: render. The corresponding Core Audio function is `AudioUnitRender`.
  @_noLocks @inline(__always) mutating func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ bus: Int, _ frameCount: Int,
    _ output: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    if openFastPaths.load(ordering: .acquiring) & FastPaths.pulled != 0, bus == 0,
      frameCount <= maximumFrames, unsafe canRenderFast(timeStamp, frameCount, output)
    {
      return unsafe renderFast(flags, timeStamp, frameCount, output)
    }
    return unsafe renderObserved(flags, timeStamp, bus, frameCount, output)
  }

  /// Renders a slice for which the fast path is not open.
  @_noLocks @inline(never) private mutating func renderObserved(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ bus: Int, _ frameCount: Int,
    _ output: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard isInitialized.load(ordering: .acquiring) else {
      return fail(kAudioUnitErr_Uninitialized)
    }
    guard frameCount <= maximumFrames else {
      return fail(kAudioUnitErr_TooManyFramesToProcess)
    }
    guard bus < outputCount else { return fail(kAudioUnitErr_InvalidElement) }
    let status = unsafe outputs[bus].check(
      output, frameCount, mayLackMemory: outputs[bus].lendsMemory)
    guard status == 0 else { return fail(status) }
    // A unit whose sources pull it in turn would recurse for ever.
    guard !isRendering else { return fail(kAudioUnitErr_CannotDoInCurrentContext) }
    isRendering = true
    denormals = DenormalGuard()
    defer {
      denormals.restore()
      isRendering = false
    }
    unsafe notify(kAudioUnitRenderAction_PreRender, flags, timeStamp, bus, frameCount, output)
    if runsOffline { unsafe pass.begin(flags?.pointee ?? 0, job) }
    var result = runsOffline && lacksPreflight ? kAudioUnitErr_InvalidOfflineRender : 0
    if result == 0, frameCount > 0 {
      result = unsafe renderCycle(flags, timeStamp, bus, frameCount, output)
    }
    if runsOffline, result == 0 { unsafe finishPass(flags, frameCount) }
    events.removePlayed()
    let after =
      result == 0
      ? kAudioUnitRenderAction_PostRender
      : kAudioUnitRenderAction_PostRender | kAudioUnitRenderAction_PostRenderError
    unsafe notify(after, flags, timeStamp, bus, frameCount, output)
    return result == 0 ? 0 : fail(result)
  }

  /// Renders packets of linear PCM, which are frames.
  ///
  /// Context: render. The corresponding selector is `kAudioUnitComplexRenderSelect`.
  @_noLocks mutating func renderPackets(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ bus: Int, _ packetCount: Int,
    _ produced: UnsafeMutablePointer<UInt32>, _ output: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    unsafe produced.pointee = 0
    let status = unsafe render(flags, timeStamp, bus, packetCount, output)
    if status == 0 { unsafe produced.pointee = UInt32(truncatingIfNeeded: packetCount) }
    return status
  }

  /// Renders unless this cycle was rendered already, and delivers the bus to the caller.
  @_noLocks private mutating func renderCycle(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ bus: Int, _ frameCount: Int,
    _ output: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let isTimed = unsafe timeStamp.pointee.mFlags & kAudioTimeStampSampleTimeValid != 0
    let isNewCycle =
      unsafe !hasRendered || !isTimed || frameCount > renderedFrames
      || timeStamp.pointee.mSampleTime != lastSampleTime.load(ordering: .relaxed)
    var status: OSStatus = 0
    if isNewCycle {
      useOwnOutputs()
      // A single bus is rendered directly in the caller's memory if possible.
      if outputCount == 1 { unsafe useOutput(0, output) }
      status = unsafe produce(timeStamp, frameCount)
      guard status == 0 || status == OSStatus(kAuricleErr_NotFinite) else {
        hasRendered = false
        return status
      }
      hasRendered = status == 0
      renderedFrames = frameCount
      unsafe lastSampleTime.store(timeStamp.pointee.mSampleTime, ordering: .relaxed)
    }
    // With one bus, a repeated cycle leaves the caller's memory unchanged.
    unsafe deliver(bus, output, frameCount, writes: isNewCycle || outputCount > 1)
    unsafe reportSilence(flags)
    return status
  }

  /// Sets a caller's flags for silent output.
  @_noLocks func reportSilence(_ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?) {
    guard let flags = unsafe flags else { return }
    if lastOutputWasSilent {
      unsafe flags.pointee |= kAudioUnitRenderAction_OutputIsSilence
    } else {
      unsafe flags.pointee &= ~kAudioUnitRenderAction_OutputIsSilence
    }
  }

  /// Sets the kernel's output to the unit's own memory.
  @_noLocks func useOwnOutputs() {
    for bus in 0..<outputCount {
      for channel in 0..<(unsafe outputs[bus].channelCount) {
        unsafe outputChannels?[outputs[bus].firstChannel + channel] =
          outputs[bus].own(channel, stride: strideFrames)
      }
    }
  }

  /// Sets the kernel's output of a bus to a caller's memory, if present and of its format.
  @_noLocks func useOutput(_ bus: Int, _ list: UnsafeMutablePointer<AudioBufferList>) {
    guard unsafe outputs[bus].isCanonical else { return }
    let buffers = unsafe list.buffers
    for channel in 0..<(unsafe outputs[bus].channelCount) {
      if let memory = unsafe buffers[channel].mData {
        unsafe outputChannels?[outputs[bus].firstChannel + channel] = memory.assumingMemoryBound(
          to: Float.self)
      }
    }
  }

  /// Delivers the output of a bus to a caller, whose checked buffers may lack memory.
  @_noLocks func deliver(
    _ bus: Int, _ list: UnsafeMutablePointer<AudioBufferList>, _ frameCount: Int, writes: Bool
  ) {
    guard let channels = unsafe outputChannels else { return }
    let format = unsafe outputs[bus].format
    let first = unsafe outputs[bus].firstChannel
    let isCanonical = unsafe outputs[bus].isCanonical
    let buffers = unsafe list.buffers
    let bytes = UInt32(truncatingIfNeeded: format.byteCount(frameCount: frameCount))
    for index in 0..<format.bufferCount {
      if unsafe buffers[index].mData == nil {
        // A repeated cycle may be in another caller's memory, which cannot be shared.
        unsafe buffers[index].mData =
          isCanonical
          ? UnsafeMutableRawPointer(outputs[bus].own(index, stride: strideFrames))
          : outputs[bus].foreign.unsafelyUnwrapped + index * outputs[bus].foreignStride
      } else if isCanonical, writes, let supplied = unsafe buffers[index].mData,
        unsafe supplied != UnsafeMutableRawPointer(channels[first + index])
      {
        unsafe SampleCopy.copy(
          from: channels[first + index], to: supplied.assumingMemoryBound(to: Float.self),
          count: frameCount)
      }
      unsafe buffers[index].mNumberChannels = UInt32(
        truncatingIfNeeded: format.channelsPerBuffer)
      unsafe buffers[index].mDataByteSize = bytes
    }
    if !isCanonical, writes {
      unsafe SampleConversion.write(channels + first, to: list, format, frameCount: frameCount)
    }
  }

  /// Notifies the observers.
  @_noLocks private func notify(
    _ phase: AudioUnitRenderActionFlags, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ bus: Int, _ frameCount: Int,
    _ output: UnsafeMutablePointer<AudioBufferList>
  ) {
    guard let list = unsafe notifies.load(ordering: .acquiring) else { return }
    for index in 0..<(unsafe list.pointee.count) {
      let entry = unsafe list.pointee.entries[index]
      var seen = unsafe (flags?.pointee ?? 0) | phase
      // Door out of checked code: the host's observer.
      unsafe _ = _unsafePerformance {
        unsafe entry.callback(
          entry.refCon, &seen, timeStamp, UInt32(truncatingIfNeeded: bus),
          UInt32(truncatingIfNeeded: frameCount), output)
      }
    }
    denormals.renew()
  }
}
