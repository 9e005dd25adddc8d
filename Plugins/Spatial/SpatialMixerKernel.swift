// The DSP of the mixers in space: the routes of the inputs.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox
import MultiChannelMixer
import RealtimeSupport

/// Puts every input in its place and adds them.
///
/// Gains, delays and filters glide in 20 ms, also from one algorithm to another; scheduled values hold
/// from their frame on. An input that is switched off and has faded out is not pulled.
@safe public struct SpatialMixerKernel: UnitKernel, ~Copyable {
  private let values: ParameterStore
  /// Keeps the memory that the render thread reads.
  private let owner: SpatialSettings
  let settings: ParameterStore
  let metering: ParameterStore
  private let isSpatialMixer: Bool
  let busCount: Int
  let firstVoice: UnsafeMutablePointer<Int>
  let pulled: PulledBuses
  let feeds: UnsafeMutablePointer<SourceFeed>
  var voices: VoiceBank
  /// Gains of the voices to the reverb.
  var sends: GlideBank
  /// For each voice the damping of all of it, then the damping of its direct part.
  var dulling: DullingBank
  var reverb: ReverbSend
  /// The gain of the output.
  var fader: GlideBank
  let meters: MixerMeters
  /// Whether the reverb is audible in a channel.
  let isWet: UnsafeMutablePointer<Bool>
  var clock = ControlClock()
  private var lastChange: UInt = 0
  private var lastSetting: UInt = 0
  private var lastLatency = 0
  private var isFresh = true
  /// Whether the reverb was ever on: then it rings on.
  var hasReverb = false

  /// Allocates a voice an input channel. Context: control.
  ///
  /// - Throws: A sentence where the measured head is wanted and not installed.
  init(
    _ format: RenderFormat, _ settings: SpatialSettings, _ metering: ParameterStore,
    isSpatialMixer: Bool
  ) throws(UnitRefusal) {
    let counts = format.inputChannelCounts
    guard let inner = settings.reverb else {
      throw UnitRefusal(
        status: kAudio_MemFullError, reason: "there is no memory for the mixer's reverb")
    }
    try settings.shelf.open(
      sourceCount: counts.reduce(0, +), sampleRate: format.sampleRate,
      isNeeded: settings.needsMeasuredHead(inputCount: counts.count))
    let reverb = try inner.open(
      sampleRate: format.sampleRate, channelCount: format.channelCount,
      maximumFrames: format.maximumFrames)
    self.init(format, settings, metering, reverb, isSpatialMixer)
  }

  private init(
    _ format: RenderFormat, _ settings: SpatialSettings, _ metering: ParameterStore,
    _ reverb: ReverbSend, _ isSpatialMixer: Bool
  ) {
    let counts = format.inputChannelCounts
    let rate = format.sampleRate
    values = format.values
    owner = settings
    self.settings = settings.values
    self.metering = metering
    self.isSpatialMixer = isSpatialMixer
    self.reverb = reverb
    busCount = counts.count
    pulled = PulledBuses(count: busCount)
    unsafe firstVoice = .allocate(capacity: busCount + 1)
    unsafe feeds = .allocate(capacity: max(busCount, 1))
    var voice = 0
    for (bus, channels) in counts.enumerated() {
      unsafe (firstVoice + bus).initialize(to: voice)
      unsafe (feeds + bus).initialize(to: SourceFeed(channelCount: channels, format))
      voice += channels
    }
    unsafe (firstVoice + busCount).initialize(to: voice)
    voices = VoiceBank(
      voiceCount: voice, PanTarget(format.outputLayoutTag, channelCount: format.channelCount),
      settings.shelf.slot, sampleRate: rate)
    sends = GlideBank(count: voice, sampleRate: rate)
    dulling = DullingBank(count: 2 * voice, sampleRate: rate)
    fader = GlideBank(count: 1, sampleRate: rate)
    meters = MixerMeters(
      elementCount: 1 + busCount, sampleRate: rate,
      firstInput: SourceValues.Name.count(isSpatialMixer: isSpatialMixer), firstOutput: 5)
    unsafe isWet = .allocate(capacity: max(format.channelCount, 1))
    let azimuths = SpeakerLayout(format.outputLayoutTag)?.azimuths ?? []
    for channel in 0..<format.channelCount {
      let isPlaced = !azimuths.indices.contains(channel) || azimuths[channel] != nil
      unsafe (isWet + channel).initialize(to: isPlaced)
    }
  }

  /// Allocates a mixer with settings that stay as they are, and without a reverb. Context: control.
  public init(_ format: RenderFormat) {
    self.init(
      format, SpatialSettings(), MixerSettings.unmetered, ReverbSend.none, true)
  }

  deinit {
    owner.shelf.clear()
    unsafe firstVoice.deallocate()
    unsafe feeds.deinitialize(count: busCount)
    unsafe feeds.deallocate()
    unsafe isWet.deallocate()
    pulled.deallocate()
    voices.deallocate()
    sends.deallocate()
    dulling.deallocate()
    reverb.deallocate()
    fader.deallocate()
    meters.deallocate()
  }

  /// The decay time of a head or the reverb.
  public var tailSeconds: Double {
    settings.value(at: SpatialField.usesReverb) == 0
      ? voices.tailSeconds : voices.tailSeconds + (owner.reverb?.tailSeconds ?? 0)
  }

  /// Frames by which the heads in use are late. Context: control.
  public var latencyFrames: Int { latency }

  private var latency: Int {
    @_noLocks get {
      var latency = 0
      for bus in 0..<busCount {
        let isStereo = unsafe firstVoice[bus + 1] - firstVoice[bus] > 1
        let route = SpatialRoute(settings, bus, isStereo: isStereo)
        if let head = route.head { latency = max(latency, voices.latency(head)) }
      }
      return latency
    }
  }

  /// Forgets the past. Context: control.
  public mutating func reset() {
    clock.reset()
    voices.reset()
    sends.reset()
    dulling.reset()
    fader.reset()
    meters.reset()
    pulled.reset()
    owner.reverb?.reset()
    for bus in 0..<busCount { unsafe feeds[bus].reset() }
    isFresh = true
    hasReverb = false
  }

  /// Mixes one slice. Context: render.
  @_noLocks public mutating func process(_ slice: borrowing RenderSlice) {
    pulled.begin(slice)
    let (change, setting) = (values.changeCount, settings.changeCount)
    if isFresh || change != lastChange || setting != lastSetting {
      isFresh = false
      lastChange = change
      lastSetting = setting
      aim(slice)
    }
    let status = pull(slice)
    guard status == 0 else { return slice.fail(status) }
    for channel in 0..<slice.channelCount {
      unsafe SampleRun.clear(slice.channel(channel), slice.frameCount)
    }
    mix(slice)
    clock.advance(slice.frameCount)
  }

  /// Sets where all inputs go.
  @_noLocks private mutating func aim(_ slice: borrowing RenderSlice) {
    var turn = HeadTurn()
    var allTimed = false
    if isSpatialMixer {
      turn.yaw = Double(slice.parameter(0)) * .pi / 180
      turn.pitch = Double(slice.parameter(1)) * .pi / 180
      turn.roll = Double(slice.parameter(2)) * .pi / 180
      if slice.hasScheduledValues {
        for index in 0..<3 where slice.parameterIsScheduled(index) { allTimed = true }
      }
      reverb.setFilter(
        frequency: slice.parameter(4), bandwidth: slice.parameter(5), gain: slice.parameter(6),
        type: slice.parameter(7), isOn: slice.parameter(8) >= 0.5)
    }
    let wet = reverbGain(slice)
    for bus in 0..<busCount {
      let isTimed = allTimed ? true : isTimed(slice, bus)
      let source = SpatialSource(slice, bus, settings, turn, isSpatialMixer: isSpatialMixer)
      unsafe feeds[bus].aim(
        rate: source.rate, distance: source.distance, hasDoppler: source.hasDoppler)
      place(source, bus, wet, isTimed)
    }
    aimFader(slice)
    let latency = latency
    guard latency != lastLatency else { return }
    lastLatency = latency
    slice.reportLatency(frames: latency)
  }

  /// The gain of the reverb: none while it is off, when it rings out.
  @_noLocks private mutating func reverbGain(_ slice: borrowing RenderSlice) -> Float {
    guard settings.value(at: SpatialField.usesReverb) != 0 else { return 0 }
    hasReverb = true
    let decibels =
      isSpatialMixer
      ? slice.parameter(3) : max(-40, min(40, slice.parameter(0) + slice.parameter(1)))
    return Float(RealtimeMath.gain(decibels: Double(decibels)))
  }

  /// Sets the gain of the output.
  @_noLocks private mutating func aimFader(_ slice: borrowing RenderSlice) {
    var gain = SourceValues.linear(slice.outputParameter(bus: 0, 0))
    if !isSpatialMixer {
      let least = SourceValues.linear(
        max(slice.outputParameter(bus: 0, 1), slice.outputParameter(bus: 0, 3)))
      let greatest = SourceValues.linear(
        min(slice.outputParameter(bus: 0, 2), slice.outputParameter(bus: 0, 4)))
      gain = max(least, min(gain, max(least, greatest)))
    }
    guard fader.aim(0, Float(gain)), slice.hasScheduledValues else { return }
    if slice.parameterIsScheduled(0, scope: kAudioUnitScope_Output, element: 0) {
      fader.jump(0)
    }
  }

  @_noLocks private func isTimed(_ slice: borrowing RenderSlice, _ bus: Int) -> Bool {
    guard slice.hasScheduledValues else { return false }
    for index in 0..<SourceValues.Name.count(isSpatialMixer: isSpatialMixer)
    where slice.parameterIsScheduled(index, scope: kAudioUnitScope_Input, element: bus) {
      return true
    }
    return false
  }

  /// Sets where the channels of one input go.
  @_noLocks private mutating func place(
    _ source: SpatialSource, _ bus: Int, _ wet: Float, _ isTimed: Bool
  ) {
    let first = unsafe firstVoice[bus]
    let count = unsafe firstVoice[bus + 1] - first
    for channel in 0..<count {
      let voice = first + channel
      var own = source.place
      if count > 1 {
        if source.route.isBed {
          own = own.turned(by: channel == 0 ? -30 : 30)
        } else {
          own.gain /= Double(count)
        }
      }
      route(source, voice, own, channel: channel, of: count, isTimed)
      if sends.aim(voice, source.send * wet), isTimed { sends.jump(voice) }
      dulling.aim(2 * voice, decibels: source.occlusion, isTimed: isTimed)
      dulling.aim(2 * voice + 1, decibels: source.obstruction, isTimed: isTimed)
    }
  }

  /// Sets the route of a channel.
  @_noLocks private mutating func route(
    _ source: SpatialSource, _ voice: Int, _ own: Place, channel: Int, of count: Int,
    _ isTimed: Bool
  ) {
    if source.route.goes(.pass) {
      if count > 1 {
        voices.pass(voice, to: channel, gain: source.place.gain, isTimed: isTimed)
      } else {
        let front = Place(azimuth: 0, elevation: 0, gain: own.gain)
        voices.pan(voice, front, .vector, isTimed: isTimed)
      }
    } else if source.route.goes(.sphere) {
      voices.spatialize(voice, own, hasDelay: source.hasDelay, isTimed: isTimed)
    } else if source.route.goes(.measured) {
      voices.renderMeasured(voice, own, isTimed: isTimed)
    } else {
      voices.pan(voice, own, source.route.law, isTimed: isTimed)
    }
  }
}
