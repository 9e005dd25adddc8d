// The DSP of the mixers in space.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// Puts every input in its place and adds them.
///
/// Gains, delays and filters glide in 20 ms, also from one algorithm to another; scheduled values hold
/// from their frame on. An input that is switched off and has faded out is not pulled.
@safe public struct SpatialMixerKernel: UnitKernel, ~Copyable {
  private let values: ParameterStore
  private let settings: ParameterStore
  private let isSpatialMixer: Bool
  private let busCount: Int
  private let firstVoice: UnsafeMutablePointer<Int>
  private let isPulled: UnsafeMutablePointer<Bool>
  private var voices: VoiceBank
  private var fader: GlideBank
  private var clock = ControlClock()
  private var lastChange: UInt = 0
  private var lastSetting: UInt = 0
  private var isFresh = true

  /// Allocates a voice an input channel. Context: control.
  init(_ format: RenderFormat, _ settings: ParameterStore, isSpatialMixer: Bool) {
    values = format.values
    self.settings = settings
    self.isSpatialMixer = isSpatialMixer
    busCount = format.inputChannelCounts.count
    unsafe firstVoice = .allocate(capacity: busCount + 1)
    unsafe isPulled = .allocate(capacity: busCount + 1)
    unsafe isPulled.initialize(repeating: false, count: busCount + 1)
    var voice = 0
    for (bus, channels) in format.inputChannelCounts.enumerated() {
      unsafe (firstVoice + bus).initialize(to: voice)
      voice += channels
    }
    unsafe (firstVoice + busCount).initialize(to: voice)
    voices = VoiceBank(
      voiceCount: voice, PanTarget(format.outputLayoutTag, channelCount: format.channelCount),
      sampleRate: format.sampleRate)
    fader = GlideBank(count: 1, sampleRate: format.sampleRate)
  }

  /// Allocates a mixer with settings that stay as they are. Context: control.
  public init(_ format: RenderFormat) {
    self.init(format, format.values, isSpatialMixer: false)
  }

  deinit {
    unsafe firstVoice.deallocate()
    unsafe isPulled.deallocate()
    voices.deallocate()
    fader.deallocate()
  }

  /// How long a head rings on.
  public var tailSeconds: Double { voices.tailSeconds }

  /// Forgets the past. Context: control or render.
  @_noLocks public mutating func reset() {
    clock.reset()
    voices.reset()
    fader.reset()
    for bus in 0..<busCount { unsafe isPulled[bus] = false }
    isFresh = true
  }

  /// Mixes one slice. Context: render.
  @_noLocks public mutating func process(_ slice: borrowing RenderSlice) {
    if slice.isFirst { for bus in 0..<busCount { unsafe isPulled[bus] = false } }
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
    }
    for bus in 0..<busCount {
      let isTimed = allTimed ? true : isTimed(slice, bus)
      let source = SpatialSource(slice, bus, settings, turn, isSpatialMixer: isSpatialMixer)
      place(source, bus, isTimed)
    }
    let decibels = slice.outputParameter(bus: 0, 0)
    let gain = decibels <= -120 ? 0 : Float(RealtimeMath.gain(decibels: Double(decibels)))
    guard fader.aim(0, gain), slice.hasScheduledValues else { return }
    if slice.parameterIsScheduled(0, scope: kAudioUnitScope_Output, element: 0) { fader.jump(0) }
  }

  @_noLocks private func isTimed(_ slice: borrowing RenderSlice, _ bus: Int) -> Bool {
    guard slice.hasScheduledValues else { return false }
    for index in 0..<(isSpatialMixer ? 7 : 5)
    where slice.parameterIsScheduled(index, scope: kAudioUnitScope_Input, element: bus) {
      return true
    }
    return false
  }

  /// Sets where the channels of one input go.
  @_noLocks private mutating func place(_ source: SpatialSource, _ bus: Int, _ isTimed: Bool) {
    let first = unsafe firstVoice[bus]
    let count = unsafe firstVoice[bus + 1] - first
    for channel in 0..<count {
      var own = source.place
      if count > 1 {
        if source.isBed {
          own = own.turned(by: channel == 0 ? -30 : 30)
        } else {
          own.gain /= Double(count)
        }
      }
      if source.method == SpatialSource.Method.pass.rawValue {
        if count > 1 {
          voices.pass(first + channel, to: channel, gain: source.place.gain, isTimed: isTimed)
        } else {
          let front = Place(azimuth: 0, elevation: 0, gain: own.gain)
          voices.pan(first, front, .vector, isTimed: isTimed)
        }
      } else if source.method == SpatialSource.Method.head.rawValue {
        voices.hear(first + channel, own, hasDelay: source.hasDelay, isTimed: isTimed)
      } else {
        voices.pan(first + channel, own, source.law, isTimed: isTimed)
      }
    }
  }

  /// Fills the buses that are heard.
  @_noLocks private func pull(_ slice: borrowing RenderSlice) -> OSStatus {
    for bus in 0..<busCount where unsafe !isPulled[bus] {
      guard slice.inputHasSource(bus: bus) else { continue }
      if slice.inputParameter(bus: bus, 4) < 0.5 {
        var isOff = true
        for voice in unsafe firstVoice[bus]..<firstVoice[bus + 1] where !voices.isOff(voice) {
          isOff = false
        }
        if isOff { continue }
      }
      let status = slice.pullInput(bus: bus)
      guard status == 0 else { return status }
      unsafe isPulled[bus] = true
    }
    return 0
  }

  /// Adds all inputs, and gives the sum its gain.
  @_noLocks private mutating func mix(_ slice: borrowing RenderSlice) {
    var clock = self.clock
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint {
        voices.advanceGlides()
        fader.advance()
      }
      var isMoving = voices.isMoving
      if fader.isMoving { isMoving = true }
      let run = clock.run(of: slice.frameCount - frame, isMoving: isMoving)
      for bus in 0..<busCount {
        let first = unsafe firstVoice[bus]
        let isHeard = unsafe isPulled[bus]
        for voice in first..<(unsafe firstVoice[bus + 1]) {
          if isHeard {
            unsafe voices.add(
              slice, voice, slice.input(bus: bus, channel: voice - first) + frame, frame: frame,
              phase: clock.phase, run)
          } else {
            unsafe voices.add(slice, voice, nil, frame: frame, phase: clock.phase, run)
          }
        }
      }
      scale(slice, frame, clock.phase, run)
      clock.advance(run)
      frame += run
    }
    voices.advance(slice.frameCount)
  }

  @_noLocks private func scale(
    _ slice: borrowing RenderSlice, _ frame: Int, _ phase: Int, _ count: Int
  ) {
    let gain = fader[0]
    guard !gain.isSettled || gain.value != 1 else { return }
    for channel in 0..<slice.channelCount {
      let samples = unsafe slice.channel(channel) + frame
      for index in 0..<count { unsafe samples[index] *= gain.value(at: phase + index) }
    }
  }
}
