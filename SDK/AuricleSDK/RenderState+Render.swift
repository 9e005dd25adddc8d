// Rendering one slice of a unit: checks, observers, input, kernel, bypass.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

extension RenderState {
  /// Renders one slice of an output bus into a buffer list.
  ///
  /// - Returns: 0, or the first error met; an error of a source comes back unchanged.
  ///
  /// Context: render. The corresponding Core Audio function is `AudioUnitRender`.
  @_noLocks mutating func render(
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
    let status = unsafe checkBuffers(output, bus, frameCount)
    guard status == 0 else { return fail(status) }
    let denormals = DenormalGuard()
    defer { denormals.restore() }
    unsafe notify(kAudioUnitRenderAction_PreRender, flags, timeStamp, bus, frameCount, output)
    let result = frameCount == 0 ? 0 : unsafe renderCycle(flags, timeStamp, bus, frameCount, output)
    events.removeAll()
    let after =
      result == 0
      ? kAudioUnitRenderAction_PostRender
      : kAudioUnitRenderAction_PostRender | kAudioUnitRenderAction_PostRenderError
    unsafe notify(after, flags, timeStamp, bus, frameCount, output)
    return result == 0 ? 0 : fail(result)
  }

  /// Remembers an error for `kAudioUnitProperty_LastRenderError` and returns it.
  @_noLocks func fail(_ status: OSStatus) -> OSStatus {
    lastError.store(status, ordering: .relaxed)
    return status
  }

  /// Checks the number and size of a caller's buffers.
  @_noLocks private func checkBuffers(
    _ list: UnsafeMutablePointer<AudioBufferList>, _ bus: Int, _ frameCount: Int
  ) -> OSStatus {
    guard unsafe Int(list.pointee.mNumberBuffers) == outputs[bus].channelCount else {
      return kAudio_ParamError
    }
    let buffers = unsafe bufferArray(list)
    let bytes = frameCount * MemoryLayout<Float>.stride
    for channel in 0..<(unsafe outputs[bus].channelCount) {
      if unsafe buffers[channel].mData != nil, unsafe Int(buffers[channel].mDataByteSize) < bytes {
        return kAudio_ParamError
      }
    }
    return 0
  }

  /// Renders unless this cycle was rendered already, and hands the bus to the caller.
  @_noLocks private mutating func renderCycle(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ bus: Int, _ frameCount: Int,
    _ output: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let buffers = unsafe bufferArray(output)
    let bytes = UInt32(frameCount * MemoryLayout<Float>.stride)
    let isTimed = unsafe timeStamp.pointee.mFlags & kAudioTimeStampSampleTimeValid != 0
    let isNewCycle =
      unsafe !hasRendered || !isTimed
      || timeStamp.pointee.mSampleTime != lastSampleTime.load(ordering: .relaxed)
    if isNewCycle {
      // Bus 0 goes straight to the caller's memory where it can; the others stay in the unit's.
      for index in 0..<outputCount {
        for channel in 0..<(unsafe outputs[index].channelCount) {
          let own = unsafe outputs[index].memory.unsafelyUnwrapped + channel * strideFrames
          let given =
            outputCount == 1
            ? unsafe buffers[channel].mData?.assumingMemoryBound(to: Float.self) : nil
          unsafe outputChannels?[outputs[index].firstChannel + channel] = given ?? own
        }
      }
      lastOutputWasSilent = false
      let status = unsafe produce(timeStamp, frameCount)
      guard status == 0 else {
        hasRendered = false
        return status
      }
      hasRendered = true
      unsafe lastSampleTime.store(timeStamp.pointee.mSampleTime, ordering: .relaxed)
    }
    for channel in 0..<(unsafe outputs[bus].channelCount) {
      guard
        let produced = unsafe outputChannels?[outputs[bus].firstChannel + channel]
      else { return kAudioUnitErr_Uninitialized }
      if let given = unsafe buffers[channel].mData {
        if isNewCycle || outputCount > 1, unsafe given != UnsafeMutableRawPointer(produced) {
          unsafe SampleCopy.copy(
            from: produced, to: given.assumingMemoryBound(to: Float.self), count: frameCount)
        }
      } else {
        // A cycle asked for again may have gone to another caller's memory: that is not ours to give.
        let own = unsafe outputs[bus].memory.unsafelyUnwrapped + channel * strideFrames
        unsafe buffers[channel].mData = UnsafeMutableRawPointer(own)
      }
      unsafe buffers[channel].mNumberChannels = 1
      unsafe buffers[channel].mDataByteSize = bytes
    }
    if let flags = unsafe flags {
      if lastOutputWasSilent {
        unsafe flags.pointee |= kAudioUnitRenderAction_OutputIsSilence
      } else {
        unsafe flags.pointee &= ~kAudioUnitRenderAction_OutputIsSilence
      }
    }
    return 0
  }

  /// Pulls the input and runs the kernel over the slice, cut at scheduled events.
  @_noLocks private mutating func produce(
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int
  ) -> OSStatus {
    guard let kernel = unsafe kernel, let outputChannels = unsafe outputChannels,
      unsafe inputChannels != nil
    else { return kAudioUnitErr_Uninitialized }
    var isSilent = false
    if !kernelPullsInputs {
      let isInPlace = processesInPlace && inputCount > 0
      let borrows = isInPlace && mayWorkInPlace.load(ordering: .relaxed)
      let status = unsafe pullInputs(
        timeStamp, frameCount, destination: borrows ? outputChannels : nil, isSilent: &isSilent)
      guard status == 0 else { return status }
      if isInPlace && !borrows { takeInput(frameCount) }
    }
    let measured = load.begin()
    let wantsDry =
      (isBypassed.load(ordering: .relaxed) || bypassMix > 0) && !kernelPullsInputs
    if wantsDry { keepDry(frameCount) }
    var slice = unsafe RenderSlice(
      self, timeStamp, frameCount: frameCount, isSilent: isSilent)
    unsafe sliceStatus.pointee = 0
    midiInput?.gather()
    var allSilent = true
    var frame = 0
    let start = unsafe timeStamp.pointee.mSampleTime
    while frame < frameCount {
      let length = events.framesUntilChange(from: frame, limit: frameCount - frame)
      applyEvents(frame)
      slice.frameOffset = frame
      slice.frameCount = length
      slice.sampleTime = start + Double(frame)
      if let midi = midiInput?.events {
        slice.firstMIDIEvent = midi.firstIndex(from: frame)
        slice.midiEventCount = midi.firstIndex(from: frame + length) - slice.firstMIDIEvent
      }
      unsafe sliceIsSilent.pointee = false
      let process = unsafe self.process
      // Door out of checked code: the kernel.
      unsafe _unsafePerformance { unsafe process(kernel, &slice) }
      let status = unsafe sliceStatus.pointee
      guard status == 0 else { return status }
      if unsafe !sliceIsSilent.pointee { allSilent = false }
      frame += length
    }
    finishRamps(frameCount)
    midiInput?.finish(frameCount)
    unsafe midiOutput?.flush(timeStamp)
    if wantsDry { mixDry(frameCount) }
    lastOutputWasSilent = allSilent && !wantsDry
    load.end(measured, frameCount: frameCount, sampleRate: table.sampleRate)
    return 0
  }

  /// Moves the input of bus 0 to where a kernel in place works on it.
  @_noLocks private func takeInput(_ frameCount: Int) {
    guard let input = unsafe inputChannels, let output = unsafe outputChannels else { return }
    for channel in 0..<(unsafe min(inputs[0].channelCount, outputs[0].channelCount)) {
      unsafe SampleCopy.copy(from: input[channel], to: output[channel], count: frameCount)
      unsafe input[channel] = output[channel]
    }
  }

  /// Sets the parameters whose events begin at or run over a frame.
  @_noLocks private func applyEvents(_ frame: Int) {
    for index in 0..<events.count {
      let event = unsafe events.entries[index]
      if event.start > frame { break }
      if event.duration == 0 || frame <= event.start + event.duration {
        if event.duration > 0 || event.start == frame {
          values.setValue(ScheduledEvents.value(of: event, at: frame), at: event.index)
        }
      }
    }
  }

  /// Leaves each parameter at the last value of its events.
  @_noLocks private func finishRamps(_ frameCount: Int) {
    for index in 0..<events.count {
      let event = unsafe events.entries[index]
      values.setValue(ScheduledEvents.value(of: event, at: frameCount), at: event.index)
    }
  }

  /// Keeps a copy of the input for a bypass.
  @_noLocks private func keepDry(_ frameCount: Int) {
    guard let dry = unsafe dry, let input = unsafe inputChannels, inputCount > 0 else { return }
    for channel in 0..<(unsafe min(inputs[0].channelCount, outputs[0].channelCount)) {
      unsafe SampleCopy.copy(
        from: input[channel], to: dry + channel * strideFrames, count: frameCount)
    }
  }

  /// Fades between the processed and the dry signal over 10 ms.
  @_noLocks private mutating func mixDry(_ frameCount: Int) {
    guard let dry = unsafe dry, let output = unsafe outputChannels else { return }
    let target: Float = isBypassed.load(ordering: .relaxed) ? 1 : 0
    let step = target > bypassMix ? bypassStep : -bypassStep
    let start = bypassMix
    let inputChannelCount = unsafe inputCount > 0 ? inputs[0].channelCount : 0
    var last = start
    for channel in 0..<(unsafe outputs[0].channelCount) {
      var mix = start
      let wet = unsafe output[channel]
      let source = unsafe dry + min(channel, max(inputChannelCount - 1, 0)) * strideFrames
      for frame in 0..<frameCount {
        if mix != target { mix = step > 0 ? min(target, mix + step) : max(target, mix + step) }
        let original: Float = inputChannelCount > 0 ? unsafe source[frame] : 0
        unsafe wet[frame] += (original - wet[frame]) * mix
        if mix == 1 { unsafe wet[frame] = original }
      }
      last = mix
    }
    bypassMix = last
  }

  /// Tells the observers.
  @_noLocks private func notify(
    _ phase: AudioUnitRenderActionFlags, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ bus: Int, _ frameCount: Int,
    _ output: UnsafeMutablePointer<AudioBufferList>
  ) {
    guard let list = unsafe notifies.load(ordering: .acquiring) else { return }
    var seen = unsafe (flags?.pointee ?? 0) | phase
    for index in 0..<(unsafe list.pointee.count) {
      let entry = unsafe list.pointee.entries[index]
      // Door out of checked code: the host's observer.
      unsafe _ = _unsafePerformance {
        unsafe entry.callback(
          entry.refCon, &seen, timeStamp, UInt32(bus), UInt32(frameCount), output)
      }
    }
  }
}
