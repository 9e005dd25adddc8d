// Producing the output of one cycle: input, parameter changes, MIDI, the kernel, bypass, guards.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

extension RenderState {
  /// Fills the output channels of all buses.
  ///
  /// - Returns: 0, or the first error met; with `kAuricleErr_NotFinite` the channels are silent.
  ///
  /// Context: render.
  @_noLocks mutating func produce(
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int
  ) -> OSStatus {
    var isSilent = false
    inputIsQuiet = false
    if !kernelPullsInputs {
      let status = unsafe pullInputs(timeStamp, frameCount, isSilent: &isSilent)
      guard status == 0 else { return status }
    }
    return unsafe makeOutput(timeStamp, frameCount, isSilent: isSilent)
  }

  /// Makes the output from the input channels.
  ///
  /// - Parameter isSilent: Whether every input is known to be zero.
  /// - Returns: As `produce`.
  @_noLocks mutating func makeOutput(
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int, isSilent: Bool
  ) -> OSStatus {
    guard let outputChannels = unsafe outputChannels, let inputChannels = unsafe inputChannels,
      unsafe kernel != nil
    else { return kAudioUnitErr_Uninitialized }
    inputsMayBeSilent = true
    let isBypassed = isBypassed.load(ordering: .relaxed)
    let hasDryPath = inputCount > 0 && outputCount > 0 && !kernelPullsInputs
    let mixesDry = hasDryPath && (isBypassed || dryPath.mix > 0)
    if hasDryPath { unsafe dryPath.write(inputChannels, frameCount, isMixed: mixesDry) }
    midiInput?.gather()
    applyMappings(frameCount)
    let hasMIDI = (midiInput?.events.firstIndex(from: frameCount) ?? 0) > 0
    // A bypassed unit passes its input on unchanged, however quiet.
    let isQuiet = isSilent || inputIsQuiet && !mixesDry
    let isIdle = isQuiet && !hasMIDI && tailIsOver
    if isIdle {
      clearOutputs(frameCount)
      skipKernel(frameCount)
      dryPath.settle(isBypassed: isBypassed)
      lastOutputWasSilent = true
    } else {
      let measured = load.begin()
      let status = unsafe runKernel(timeStamp, frameCount, isSilent: isSilent)
      load.end(measured, frameCount: frameCount, sampleRate: table.sampleRate)
      guard status == 0 else { return status }
      if mixesDry {
        unsafe dryPath.mix(
          into: outputChannels, outputs[0].channelCount, frameCount, isBypassed: isBypassed)
        let dryIsSilent = isSilent && silentFrames >= dryPath.latency
        // During a crossfade both signals have to be silent.
        lastOutputWasSilent = (lastOutputWasSilent || dryPath.mix == 1) && dryIsSilent
      }
    }
    silentFrames = isQuiet && !hasMIDI ? min(silentFrames + frameCount, 1 << 60) : 0
    midiInput?.finish(frameCount)
    if let status = unsafe midiOutput?.flush(timeStamp), status != 0 {
      // A lost message does not affect the sound: it is reported, and nothing fails.
      _ = fail(status)
    }
    unsafe reportInputSamples(timeStamp, frameCount)
    if guardsNumbers.load(ordering: .relaxed), !outputIsFinite(frameCount) {
      clearOutputs(frameCount)
      lastOutputWasSilent = true
      return OSStatus(kAuricleErr_NotFinite)
    }
    return 0
  }

  /// Whether the input was quiet for so long that the tail is over.
  private var tailIsOver: Bool {
    @_noLocks get {
      guard skipsSilence, unsafe report.pointee.tailSeconds >= 0 else { return false }
      let frames = unsafe report.pointee.tailSeconds * table.sampleRate
      return Double(silentFrames) >= frames + Double(dryPath.latency)
    }
  }

  /// Runs the kernel over the cycle, in slices split at parameter changes.
  @_noLocks private mutating func runKernel(
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int, isSilent: Bool
  ) -> OSStatus {
    guard let kernel = unsafe kernel else { return kAudioUnitErr_Uninitialized }
    if kernelPullsInputs { unsafe side.pointee = inputSide }
    let slice = unsafe cycleSlice
    unsafe slice.initialize(
      to: SliceState(self, timeStamp, frameCount: frameCount, isSilent: isSilent))
    var supplied = unsafe RenderSlice(slice)
    unsafe report.pointee = SliceReport()
    let process = unsafe self.process
    let start = unsafe timeStamp.pointee.mSampleTime
    let hasEvents = !events.isEmpty
    var allSilent = true
    var frame = 0
    while frame < frameCount {
      var length = frameCount - frame
      if hasEvents {
        events.begin(frame, values)
        if !keepsCyclesWhole {
          length = events.framesUntilChange(from: frame, limit: length, rampStep: 1)
        }
      }
      unsafe slice.pointee.frameOffset = frame
      unsafe slice.pointee.frameCount = length
      unsafe slice.pointee.sampleTime = start + Double(frame)
      if let midi = midiInput?.events {
        let first = midi.firstIndex(from: frame)
        unsafe slice.pointee.firstMIDIEvent = first
        unsafe slice.pointee.midiEventCount = midi.firstIndex(from: frame + length) - first
      }
      unsafe report.pointee.isSilent = false
      // Door out of checked code: the kernel.
      unsafe _unsafePerformance { unsafe process(kernel, &supplied) }
      denormals.renew()
      let status = unsafe report.pointee.status
      guard status == 0 else { return status }
      if unsafe !report.pointee.isSilent { allSilent = false }
      frame += length
      if hasEvents { events.finish(frame, values) }
    }
    if hasEvents {
      // Changes within a cycle that is not split apply from the next one on.
      if keepsCyclesWhole { events.begin(frameCount - 1, values) }
      events.end(frameCount, values)
    }
    unsafe reportLatency(report.pointee.latencyFrames)
    if unsafe report.pointee.stateHasChanged { reportStateChange() }
    lastOutputWasSilent = allSilent
    return 0
  }

  /// Applies the events to parameters without running the kernel.
  @_noLocks private func skipKernel(_ frameCount: Int) {
    var frame = 0
    while frame < frameCount, !events.isEmpty {
      events.begin(frame, values)
      frame += events.framesUntilChange(
        from: frame, limit: frameCount - frame, rampStep: frameCount)
      events.finish(frame, values)
    }
    events.end(frameCount, values)
  }

  @_noLocks private func clearOutputs(_ frameCount: Int) {
    for bus in 0..<outputCount {
      for channel in 0..<(unsafe outputs[bus].channelCount) {
        if let samples = unsafe outputChannels?[outputs[bus].firstChannel + channel] {
          unsafe SampleCopy.clear(samples, count: frameCount)
        }
      }
    }
  }

  /// Returns whether every sample of every output bus is a finite number.
  @_noLocks private func outputIsFinite(_ frameCount: Int) -> Bool {
    for bus in 0..<outputCount {
      for channel in 0..<(unsafe outputs[bus].channelCount) {
        guard let samples = unsafe outputChannels?[outputs[bus].firstChannel + channel],
          unsafe SampleScan.isFinite(samples, count: frameCount)
        else { return false }
      }
    }
    return true
  }
}
