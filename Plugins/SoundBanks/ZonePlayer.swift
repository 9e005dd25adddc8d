// A playing instrument of sounds: notes choose regions, voices play them, one frame is one frame.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// Plays an instrument in stereo; without one it is silent. All channels are one.
///
/// Nothing depends on slices: messages act at their frames. Random values are those of one fixed series, from the start
/// or a reset on. Made and freed on a control thread; all else render.
@safe struct ZonePlayer: ~Copyable {
  private let instrument: ZoneInstrument?
  private let kernel: ZoneKernel
  /// The values of controllers at the start.
  private let firstControllers: UnsafeMutablePointer<UInt8>
  let regions: UnsafeMutablePointer<ZoneRegion>?
  let regionCount: Int
  let conditions: UnsafeMutablePointer<ControllerCondition>?
  /// The keys that any region names as switches.
  let namedSwitches: KeyRange?
  let sampleRate: Double
  let voices: UnsafeMutablePointer<ZoneVoice>
  /// For each region: the notes that matched it, and whether its switch is on.
  let turns: UnsafeMutablePointer<Int>
  let isSwitched: UnsafeMutablePointer<Bool>
  let controllers: UnsafeMutablePointer<UInt8>
  /// For each key: whether it is down, how hard and at which frame it was struck, and whether its end waits for a pedal.
  let keys: UnsafeMutablePointer<ZoneKey>
  private let mix: UnsafeMutablePointer<Float>
  private let scratch: UnsafeMutablePointer<Float>
  private let capacity: Int

  /// The most voices that play at once, from 1 to `BankPlayer.mostVoices`.
  var voiceLimit = BankPlayer.mostVoices
  /// Cents, and the place from −1 to 1, of everything.
  var tuning: Float = 0
  var pan: Float = 0
  var parameters = ChannelParameters()
  var master = MasterControls()
  var pressure: Float = 0
  var keyPressure: Float = 0
  var program: Float = 0
  var noteCount: UInt64 = 0
  /// The key that was struck last; −1 for none.
  var lastKey = -1
  var random: UInt64 = ZonePlayer.seed
  /// Frames since the start.
  var time = 0
  /// The gains of both sides, which glide; below 0: not known yet.
  private var gains: (left: Float, right: Float) = (-1, -1)

  static var seed: UInt64 { @_noLocks get { 0x9E37_79B9_7F4A_7C15 } }
  static var voiceCount: Int { @_noLocks get { BankPlayer.voiceCount } }

  /// Makes voices for an instrument.
  init(_ instrument: ZoneInstrument?, _ format: (sampleRate: Double, maximumFrames: Int)) {
    self.instrument = instrument
    kernel = ZoneKernel.shared
    unsafe firstControllers = .allocate(capacity: 128)
    for index in 0..<128 {
      let usual: UInt8 = index == 10 ? 64 : index == 7 || index == 11 ? 127 : 0
      unsafe (firstControllers + index).initialize(to: instrument?.controllers[index] ?? usual)
    }
    unsafe regions = instrument?.regions
    regionCount = instrument?.count ?? 0
    unsafe conditions = instrument?.conditions
    namedSwitches = instrument?.switches
    sampleRate = format.sampleRate
    capacity = max(format.maximumFrames, 1)
    unsafe voices = .allocate(capacity: Self.voiceCount)
    unsafe voices.initialize(repeating: ZoneVoice(), count: Self.voiceCount)
    unsafe turns = .allocate(capacity: max(regionCount, 1))
    unsafe turns.initialize(repeating: 0, count: max(regionCount, 1))
    unsafe isSwitched = .allocate(capacity: max(regionCount, 1))
    unsafe isSwitched.initialize(repeating: false, count: max(regionCount, 1))
    unsafe controllers = .allocate(capacity: 128)
    unsafe controllers.initialize(repeating: 0, count: 128)
    unsafe keys = .allocate(capacity: 128)
    unsafe keys.initialize(repeating: ZoneKey(), count: 128)
    unsafe mix = .allocate(capacity: 2 * capacity)
    unsafe mix.initialize(repeating: 0, count: 2 * capacity)
    unsafe scratch = .allocate(capacity: 4 * ZoneKernel.mostReach)
    unsafe scratch.initialize(repeating: 0, count: 4 * ZoneKernel.mostReach)
    restart()
  }

  deinit {
    unsafe voices.deallocate()
    unsafe turns.deallocate()
    unsafe isSwitched.deallocate()
    unsafe controllers.deallocate()
    unsafe firstControllers.deallocate()
    unsafe keys.deallocate()
    unsafe mix.deallocate()
    unsafe scratch.deallocate()
  }

  /// Begins anew. Context: control.
  mutating func restart() {
    for index in 0..<Self.voiceCount { unsafe voices[index] = ZoneVoice() }
    for index in 0..<128 { unsafe keys[index] = ZoneKey() }
    for index in 0..<regionCount {
      unsafe turns[index] = 0
      guard let region = unsafe regions?[index] else { continue }
      unsafe isSwitched[index] =
        region.settings.lastSwitch?.contains(region.settings.firstSwitch) ?? true
    }
    (noteCount, lastKey, random, time) = (0, -1, Self.seed, 0)
    gains = (-1, -1)
    forgetMessages()
  }

  /// Clears the settings of messages. Context: any.
  @_noLocks mutating func forgetMessages() {
    for index in 0..<128 { unsafe controllers[index] = firstControllers[index] }
    parameters = ChannelParameters()
    master = MasterControls()
    (pressure, keyPressure, program) = (0, 0, 0)
  }

  /// Renders a slice with a volume in decibels. Context: render.
  @_noLocks mutating func process(_ slice: RenderSlice, volume: Ramp) {
    let count = min(slice.frameCount, capacity)
    var frame = 0
    for index in 0..<slice.midiEventCount {
      let event = slice.midiEvent(index)
      let next = min(max(event.frame, frame), count)
      render(from: frame, to: next)
      receive(event)
      frame = next
    }
    render(from: frame, to: count)
    let isMono = slice.channelCount == 1
    let (left, right) = unsafe (mix, mix + capacity)
    let first = unsafe slice.channel(0)
    let second = unsafe isMono ? first : slice.channel(1)
    let steady = RealtimeMath.gain(decibels: volume.target)
    for index in 0..<count {
      let gain = volume.isConstant ? steady : RealtimeMath.gain(decibels: volume[index])
      if isMono {
        unsafe first[index] = (left[index] + right[index]) / 2 * gain
      } else {
        unsafe first[index] = left[index] * gain
        unsafe second[index] = right[index] * gain
      }
    }
  }

  /// Renders frames between two messages.
  @_noLocks private mutating func render(from start: Int, to end: Int) {
    guard end > start else { return }
    let (left, right) = unsafe (mix + start, mix + capacity + start)
    unsafe SampleCopy.clear(left, count: end - start)
    unsafe SampleCopy.clear(right, count: end - start)
    let bend = Double(parameters.bend - 8192) / 8192
    let range = Double(parameters.bendRange) * 100
    for index in 0..<Self.voiceCount where unsafe voices[index].isActive {
      guard let region = unsafe regions?[voices[index].region] else { continue }
      let settings = region.settings
      let bent =
        bend < 0 ? bend * -(settings.bendDown ?? -range) : bend * (settings.bendUp ?? range)
      let cents = unsafe voices[index].cents + bent + masterCents
      let speed = RealtimeMath.exp2(cents / 1200) * region.sampleRate / sampleRate
      unsafe voices[index].render(
        region, kernel.table(speed), speed: speed, sampleRate: sampleRate, left, right,
        end - start, scratch)
    }
    unsafe scale(left, right, end - start)
    time += end - start
  }

  /// Cents of everything.
  private var masterCents: Double {
    @_noLocks get {
      Double(tuning + master.fine + parameters.fineCents)
        + 100 * Double(master.coarse + Float(parameters.coarse))
    }
  }

  /// Applies volume, expression, balance and place, which glide.
  @_noLocks private mutating func scale(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let volume = unsafe Float(controllers[7]) / 127 * Float(controllers[11]) / 127
    let side = unsafe controllers[10] == 0 ? -1 : (Double(controllers[10]) - 64) / 63
    let (sideLeft, sideRight) = ZoneRegion.balance(side + Double(pan))
    let (masterLeft, masterRight) = master.gains
    let wanted = (
      left: volume * volume * sideLeft * masterLeft,
      right: volume * volume * sideRight * masterRight
    )
    if gains.left < 0 { gains = wanted }
    if gains == wanted {
      guard wanted.left != 1 || wanted.right != 1 else { return }
      for index in 0..<count {
        unsafe left[index] *= wanted.left
        unsafe right[index] *= wanted.right
      }
      return
    }
    // Within 5 ms.
    let step = Float(1 / (0.005 * sampleRate))
    for index in 0..<count {
      gains.left += min(max(wanted.left - gains.left, -step), step)
      gains.right += min(max(wanted.right - gains.right, -step), step)
      unsafe left[index] *= gains.left
      unsafe right[index] *= gains.right
    }
  }
}

/// A key of an instrument. Context: render.
struct ZoneKey: BitwiseCopyable {
  var isDown = false
  var velocity = 0
  var time = 0
  var waitsForPedal = false

  @_noLocks init() {}
}
