// The DSP of the multichannel mixer.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// Adds inputs, each with its gains, and applies the gains of the output to the sum.
///
/// An input of as many channels as the output goes channel by channel (two channels with a balance);
/// a mono input is panned between the first two channels; a wider one goes into a mono output as the
/// mean of its channels; otherwise the channels that both have are passed. Gains glide in 20 ms,
/// but scheduled ones hold from their frame on. A bus that is switched off and has faded out is not
/// pulled.
@safe public struct MultiChannelMixerKernel: UnitKernel, ~Copyable {
  private let sampleRate: Double
  private let inputCount: Int
  let channelCount: Int
  let metering: ParameterStore
  let plan: StripPlan
  var clock = ControlClock()
  private let strips: UnsafeMutablePointer<StripGains>
  private let pulled: PulledBuses
  var output: StripGains
  let meters: MixerMeters

  /// Allocates a strip an input. Context: control.
  init(_ format: RenderFormat, _ metering: ParameterStore, hasFaders: Bool = false) {
    plan = StripPlan(hasFaders: hasFaders)
    sampleRate = format.sampleRate
    self.metering = metering
    inputCount = format.inputChannelCounts.count
    channelCount = format.channelCount
    unsafe strips = .allocate(capacity: max(inputCount, 1))
    pulled = PulledBuses(count: inputCount)
    for (bus, channels) in format.inputChannelCounts.enumerated() {
      let panning: Panning =
        channels == 1 && channelCount > 1
        ? .mono : (channels == 2 && channelCount == 2 ? .stereo : .none)
      let scale = channelCount == 1 ? 1 / Float(channels) : 1
      unsafe (strips + bus).initialize(
        to: StripGains(sampleRate: sampleRate, panning: panning, scale: scale))
    }
    output = StripGains(
      sampleRate: sampleRate, panning: format.channelCount == 2 ? .stereo : .none)
    meters = MixerMeters(
      elementCount: 1 + inputCount, sampleRate: sampleRate,
      firstInput: plan.firstMeter(kAudioUnitScope_Input),
      firstOutput: plan.firstMeter(kAudioUnitScope_Output))
    reset()
  }

  /// Allocates a strip an input, without meters. Context: control.
  public init(_ format: RenderFormat) { self.init(format, MixerSettings.unmetered) }

  deinit {
    unsafe strips.deallocate()
    pulled.deallocate()
    meters.deallocate()
  }

  /// Forgets the past. Context: control or render.
  @_noLocks public mutating func reset() {
    clock.reset()
    for bus in 0..<inputCount { unsafe (strips + bus).pointee.reset() }
    pulled.reset()
    output.reset()
    meters.reset()
  }

  /// Mixes one slice. Context: render.
  @_noLocks public mutating func process(_ slice: borrowing RenderSlice) {
    let count = slice.frameCount
    pulled.begin(slice)
    for channel in 0..<channelCount { unsafe SampleRun.clear(slice.channel(channel), count) }
    var isAudible = false
    for bus in 0..<inputCount where slice.inputHasSource(bus: bus) {
      let enable = plan.enable(slice, kAudioUnitScope_Input, bus)
      if unsafe strips[bus].isOff(enable) {
        if metering.value(at: 1 + bus) != 0 { meters.measureSilence(slice, bus) }
        continue
      }
      let status = pulled.pull(slice, bus)
      guard status == 0 else { return slice.fail(status) }
      if mix(slice, bus) { isAudible = true }
    }
    finish(slice, isAudible)
    clock.advance(count)
  }

  /// Adds one input; false if it was silent.
  @_noLocks private mutating func mix(
    _ slice: borrowing RenderSlice, _ bus: Int
  ) -> Bool {
    let (volume, enable, pan) = plan.values(slice, kAudioUnitScope_Input, bus)
    let isSilent = slice.inputIsSilent(bus: bus)
    let channels = slice.inputChannelCount(bus: bus)
    if !slice.hasScheduledValues, unsafe strips[bus].isSettled(volume, enable, pan) {
      if !isSilent { unsafe add(slice, bus, channels, strips + bus, 0, 0, slice.frameCount) }
    } else {
      glide(slice, bus, channels, (volume, enable, pan), isAudible: !isSilent)
    }
    if metering.value(at: 1 + bus) != 0 {
      meters.measure(slice, bus, gain: enable < 0.5 ? 0 : volume)
    }
    return !isSilent
  }

  /// Adds one input whose gains move, or are scheduled to.
  @_noLocks @inline(never) private mutating func glide(
    _ slice: borrowing RenderSlice, _ bus: Int, _ channels: Int,
    _ values: StripValues, isAudible: Bool
  ) {
    let (volume, enable, pan) = values
    // Gains are worked on in a copy: the samples could lie on them for all the compiler knows.
    var strip = unsafe strips[bus]
    var clock = self.clock
    var frame = 0
    if !slice.hasScheduledValues {
      // Nothing to search.
    } else if let ramp = plan.volumeRamp(slice, kAudioUnitScope_Input, bus) {
      frame = slice.frameCount
      let factors = strip.follow(ramp.start + ramp.step * Float(frame), enable, pan)
      if isAudible { follow(slice, bus, channels, ramp.start, ramp.step, factors) }
    } else if plan.isScheduled(slice, kAudioUnitScope_Input, bus) {
      strip.jump(volume, enable, pan)
    }
    while frame < slice.frameCount {
      if clock.isAtGridPoint { strip.advance(volume, enable, pan) }
      let left = slice.frameCount - frame
      let run = clock.run(of: left, isMoving: !strip.isSettled(volume, enable, pan))
      if isAudible { unsafe add(slice, bus, channels, &strip, clock.phase, frame, run) }
      clock.advance(run)
      frame += run
    }
    unsafe strips[bus] = strip
  }

  /// Adds a run of frames of one input, channel by channel.
  @_noLocks private func add(
    _ slice: borrowing RenderSlice, _ bus: Int, _ channels: Int,
    _ strip: UnsafePointer<StripGains>, _ phase: Int, _ frame: Int, _ count: Int
  ) {
    if channels == 1 && channelCount > 1 {
      let source = unsafe slice.input(bus: bus, channel: 0) + frame
      unsafe add(source, strip.pointee.left, phase, slice.channel(0) + frame, count)
      unsafe add(source, strip.pointee.right, phase, slice.channel(1) + frame, count)
    } else if channelCount == 1 {
      for channel in 0..<channels {
        let source = unsafe slice.input(bus: bus, channel: channel) + frame
        unsafe add(source, strip.pointee.left, phase, slice.channel(0) + frame, count)
      }
    } else {
      for channel in 0..<min(channels, channelCount) {
        let source = unsafe slice.input(bus: bus, channel: channel) + frame
        let gain = unsafe channel & 1 == 0 ? strip.pointee.left : strip.pointee.right
        unsafe add(source, gain, phase, slice.channel(channel) + frame, count)
      }
    }
  }

  /// Adds one input while its volume goes along a scheduled ramp.
  @_noLocks private func follow(
    _ slice: borrowing RenderSlice, _ bus: Int, _ channels: Int, _ start: Float, _ step: Float,
    _ factors: (left: Float, right: Float)
  ) {
    let isPanned = channels == 1 && channelCount > 1
    let last = isPanned ? 2 : (channelCount == 1 ? channels : min(channels, channelCount))
    for channel in 0..<last {
      let factor = channelCount > 1 && channel & 1 == 1 ? factors.right : factors.left
      unsafe SampleRun.add(
        slice.input(bus: bus, channel: isPanned ? 0 : channel), start: start * factor,
        step: step * factor, to: slice.channel(channelCount == 1 ? 0 : channel), slice.frameCount)
    }
  }

  @_noLocks private func add(
    _ source: UnsafeMutablePointer<Float>, _ gain: ParameterGlide, _ phase: Int,
    _ target: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    if gain.isSettled {
      if gain.value != 0 { unsafe SampleRun.add(source, gain: gain.value, to: target, count) }
    } else {
      unsafe SampleRun.add(source, glide: gain, phase: phase, to: target, count)
    }
  }
}
