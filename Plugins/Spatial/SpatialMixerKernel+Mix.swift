// The DSP of the mixers in space: inputs pulled or read, dulled, sent to the reverb, placed, and added.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import MultiChannelMixer
import RealtimeSupport

extension SpatialMixerKernel {
  /// Fills the audible buses.
  @_noLocks func pull(_ slice: borrowing RenderSlice) -> OSStatus {
    for bus in 0..<busCount where slice.inputHasSource(bus: bus) {
      if slice.inputParameter(bus: bus, SourceValues.Name.enable.rawValue) < 0.5, isOff(bus) {
        continue
      }
      let reads = pulled[bus] ? false : unsafe feeds[bus].wantsReading(slice)
      let status =
        reads ? unsafe feeds[bus].read(slice, bus, clock) : pulled.pull(slice, bus)
      guard status == 0 else { return status }
    }
    return 0
  }

  /// Whether an input is inaudible, and stays so.
  @_noLocks private func isOff(_ bus: Int) -> Bool {
    for voice in unsafe firstVoice[bus]..<firstVoice[bus + 1] {
      if !voices.isOff(voice) || !sends.isOff(voice) { return false }
    }
    return true
  }

  /// Whether anything moves.
  private var isMoving: Bool {
    @_noLocks get {
      if voices.isMoving || sends.isMoving { return true }
      return dulling.poles.isMoving
    }
  }

  /// Adds all inputs and the reverb, and applies the gain to the sum.
  @_noLocks mutating func mix(_ slice: borrowing RenderSlice) {
    var clock = self.clock
    var frame = 0
    if hasReverb { reverb.begin(slice.frameCount) }
    while frame < slice.frameCount {
      if clock.isAtGridPoint {
        voices.advanceGlides()
        sends.advance()
        dulling.advance()
      }
      let run = clock.run(of: slice.frameCount - frame, isMoving: isMoving)
      for bus in 0..<busCount {
        let first = unsafe firstVoice[bus]
        for voice in first..<(unsafe firstVoice[bus + 1]) {
          add(slice, bus, voice, channel: voice - first, frame, clock.phase, run)
        }
      }
      clock.advance(run)
      frame += run
    }
    voices.advance(slice.frameCount)
    if hasReverb { addReverb(slice) }
    finish(slice)
  }

  /// Adds a run of a channel of an input.
  @_noLocks private mutating func add(
    _ slice: borrowing RenderSlice, _ bus: Int, _ voice: Int, channel: Int, _ frame: Int,
    _ phase: Int, _ count: Int
  ) {
    guard unsafe pulled[bus] || feeds[bus].reads else {
      return unsafe voices.add(slice, voice, nil, frame: frame, phase: phase, count)
    }
    let row = unsafe feeds[bus].row(channel) + frame
    var source = unsafe UnsafePointer(
      feeds[bus].reads ? row : slice.input(bus: bus, channel: channel) + frame)
    if !dulling.isOff(2 * voice) {
      unsafe dulling.run(2 * voice, source, to: row, phase: phase, count)
      unsafe source = UnsafePointer(row)
    }
    if hasReverb, !sends.isOff(voice) {
      unsafe reverb.add(source, side: channel, frame: frame, sends[voice], phase: phase, count)
      let isMono = unsafe firstVoice[bus + 1] - firstVoice[bus] == 1
      if isMono {
        unsafe reverb.add(source, side: 1, frame: frame, sends[voice], phase: phase, count)
      }
    }
    if !dulling.isOff(2 * voice + 1) {
      unsafe dulling.run(2 * voice + 1, source, to: row, phase: phase, count)
      unsafe source = UnsafePointer(row)
    }
    unsafe voices.add(slice, voice, source, frame: frame, phase: phase, count)
  }

  /// Adds the output of the reverb.
  @_noLocks private func addReverb(_ slice: borrowing RenderSlice) {
    guard reverb.run(slice.frameCount, sampleTime: slice.sampleTime) else { return }
    for channel in 0..<slice.channelCount where unsafe isWet[channel] {
      unsafe SampleRun.add(
        reverb.channel(channel), gain: 1, to: slice.channel(channel), slice.frameCount)
    }
  }

  /// Applies the gain to the sum, measures, and stores values for later readers.
  @_noLocks private mutating func finish(_ slice: borrowing RenderSlice) {
    for bus in 0..<busCount {
      if metering.value(at: 1 + bus) != 0 { measure(slice, bus) }
      if pulled[bus], unsafe !feeds[bus].reads { unsafe feeds[bus].remember(slice, bus) }
    }
    let isMetered = metering.value(at: 0) != 0
    if isMetered { meters.measureOutput(slice, isPost: false) }
    var clock = self.clock
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint { fader.advance() }
      let run = clock.run(of: slice.frameCount - frame, isMoving: fader.isMoving)
      let gain = fader[0]
      for channel in 0..<slice.channelCount where !gain.isSettled || gain.value != 1 {
        let samples = unsafe slice.channel(channel) + frame
        for index in 0..<run {
          unsafe samples[index] *= gain.value(at: clock.phase + index)
        }
      }
      clock.advance(run)
      frame += run
    }
    if isMetered { meters.measureOutput(slice, isPost: true) }
  }

  /// Measures an input as it is played, before and after its gain.
  @_noLocks private func measure(_ slice: borrowing RenderSlice, _ bus: Int) {
    let reads = unsafe feeds[bus].reads
    guard pulled[bus] || reads else { return meters.measureSilence(slice, bus) }
    let values = SourceValues(slice, bus, isSpatialMixer: false)
    let gain = values[.enable] < 0.5 ? 0 : Float(values.limited(values.gain))
    for channel in 0..<slice.inputChannelCount(bus: bus) {
      let source = unsafe reads ? feeds[bus].row(channel) : slice.input(bus: bus, channel: channel)
      unsafe meters.measure(source, slice.frameCount, bus: bus, channel: channel, gain: gain)
    }
    meters.report(slice, bus)
  }
}
