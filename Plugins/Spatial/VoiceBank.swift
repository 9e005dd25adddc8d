// Sources in space, one an input channel: each panned to channels by gains, or rendered through a head.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// The place of a source, and its gain.
struct Place: BitwiseCopyable {
  /// Radians, positive to the right.
  var azimuth: Double
  /// Radians, positive up.
  var elevation: Double
  /// Linear.
  var gain: Double
}

/// The kind of head through which a voice is rendered.
enum HeadKind: Int, BitwiseCopyable {
  case sphere
  case measured
}

/// The voices of a panner or of a mixer. Context: render; made and freed on a control thread.
@safe struct VoiceBank: BitwiseCopyable {
  let voiceCount: Int
  private let target: PanTarget
  private let row: UnsafeMutablePointer<Float>
  private var gains: GlideBank
  private var heads: HeadBank
  private let measured: HeadSlot
  private let sampleRate: Double
  private let channelCount: Int

  /// Allocates silent voices. Context: control.
  init(voiceCount: Int, _ target: PanTarget, _ measured: HeadSlot, sampleRate: Double) {
    self.measured = measured
    self.sampleRate = sampleRate
    self.voiceCount = voiceCount
    self.target = target
    channelCount = target.channelCount
    unsafe row = .allocate(capacity: max(channelCount, 1))
    unsafe row.initialize(repeating: 0, count: max(channelCount, 1))
    gains = GlideBank(count: voiceCount * channelCount, sampleRate: sampleRate)
    heads = HeadBank(sourceCount: voiceCount, sampleRate: sampleRate)
  }

  /// Frees the memory. Context: control.
  func deallocate() {
    target.deallocate()
    unsafe row.deallocate()
    gains.deallocate()
    heads.deallocate()
  }

  /// Seconds that the head rings on.
  var tailSeconds: Double {
    let frames = unsafe measured.bank?.pointee.tailFrames ?? 0
    return max(heads.tailSeconds, Double(frames) / sampleRate)
  }

  /// Returns the frames by which a head delays sound from the front. Context: any.
  @_noLocks func latency(_ kind: HeadKind) -> Int {
    guard kind == .measured else { return heads.latency }
    guard let bank = unsafe measured.bank else { return 0 }
    return unsafe bank.pointee.latency
  }

  /// Forgets the past.
  @_noLocks mutating func reset() {
    gains.reset()
    heads.reset()
    if let bank = unsafe measured.bank { unsafe bank.pointee.reset() }
  }

  /// Pans a voice by gains.
  @_noLocks mutating func pan(_ voice: Int, _ place: Place, _ law: PanLaw, isTimed: Bool) {
    unsafe target.fill(
      row, law, azimuth: place.azimuth, elevation: place.elevation, gain: place.gain)
    consume(voice, isTimed)
    mute(voice, isTimed)
  }

  /// Passes a voice to one channel.
  @_noLocks mutating func pass(_ voice: Int, to channel: Int, gain: Double, isTimed: Bool) {
    for index in 0..<channelCount { unsafe row[index] = index == channel ? Float(gain) : 0 }
    consume(voice, isTimed)
    mute(voice, isTimed)
  }

  /// Renders a voice through a spherical head, into the first two channels.
  @_noLocks mutating func spatialize(_ voice: Int, _ place: Place, hasDelay: Bool, isTimed: Bool) {
    unsafe SampleRun.clear(row, channelCount)
    consume(voice, isTimed)
    muteMeasured(voice, isTimed)
    let isNew = heads.isOff(voice)
    let changed = heads.aim(
      voice, azimuth: place.azimuth, elevation: place.elevation, gain: place.gain,
      hasDelay: hasDelay)
    // A voice that was silent appears where it is.
    if isNew { heads.appear(voice) }
    if changed, isTimed { heads.jump(voice) }
  }

  /// Renders a voice through a measured head, into the first two channels.
  @_noLocks mutating func renderMeasured(_ voice: Int, _ place: Place, isTimed: Bool) {
    guard let bank = unsafe measured.bank else { return }
    unsafe SampleRun.clear(row, channelCount)
    consume(voice, isTimed)
    if heads.fade(voice), isTimed { heads.jump(voice) }
    let changed = unsafe bank.pointee.aim(
      voice, azimuth: place.azimuth, elevation: place.elevation, gain: place.gain)
    if changed, isTimed { unsafe bank.pointee.jump(voice) }
  }

  /// Sets the gains of the row.
  @_noLocks private mutating func consume(_ voice: Int, _ isTimed: Bool) {
    for index in 0..<channelCount {
      let place = voice * channelCount + index
      if gains.aim(place, unsafe row[index]), isTimed { gains.jump(place) }
    }
  }

  /// Fades a voice out of all heads.
  @_noLocks private mutating func mute(_ voice: Int, _ isTimed: Bool) {
    if heads.fade(voice), isTimed { heads.jump(voice) }
    muteMeasured(voice, isTimed)
  }

  @_noLocks private func muteMeasured(_ voice: Int, _ isTimed: Bool) {
    guard let bank = unsafe measured.bank else { return }
    if unsafe bank.pointee.fade(voice), isTimed { unsafe bank.pointee.jump(voice) }
  }

  /// Whether a voice is inaudible, and stays so.
  @_noLocks func isOff(_ voice: Int) -> Bool {
    for index in voice * channelCount..<(voice + 1) * channelCount where !gains.isOff(index) {
      return false
    }
    if let bank = unsafe measured.bank, unsafe !bank.pointee.isOff(voice) { return false }
    return heads.isOff(voice)
  }

  /// Whether anything moves.
  var isMoving: Bool {
    @_noLocks get {
      if gains.isMoving || heads.glides.isMoving { return true }
      guard let bank = unsafe measured.bank else { return false }
      return unsafe bank.pointee.isMoving
    }
  }

  /// Begins the next interval of the control grid.
  @_noLocks mutating func advanceGlides() {
    gains.advance()
    heads.glides.advance()
    if let bank = unsafe measured.bank { unsafe bank.pointee.advanceGlides() }
  }

  /// Adds a run of a voice to the output; nil for silence.
  @_noLocks func add(
    _ slice: borrowing RenderSlice, _ voice: Int, _ samples: UnsafePointer<Float>?, frame: Int,
    phase: Int, _ count: Int
  ) {
    if let samples = unsafe samples {
      for channel in 0..<channelCount {
        let gain = gains[voice * channelCount + channel]
        let output = unsafe slice.channel(channel) + frame
        if !gain.isSettled {
          unsafe SampleRun.add(samples, glide: gain, phase: phase, to: output, count)
        } else if gain.value != 0 {
          unsafe SampleRun.add(samples, gain: gain.value, to: output, count)
        }
      }
    }
    guard channelCount > 1 else { return }
    let left = unsafe slice.channel(0) + frame
    let right = unsafe slice.channel(1) + frame
    if heads.isOff(voice) {
      unsafe heads.remember(voice, samples, offset: frame, count)
    } else {
      unsafe heads.add(
        voice, samples, left: left, right: right, offset: frame, phase: phase, count)
    }
    guard let bank = unsafe measured.bank else { return }
    if unsafe bank.pointee.isOff(voice) {
      unsafe bank.pointee.remember(voice, samples, offset: frame, count)
    } else {
      unsafe bank.pointee.add(
        voice, samples, left: left, right: right, offset: frame, phase: phase, count)
    }
  }

  /// Counts the frames of a slice.
  @_noLocks mutating func advance(_ count: Int) {
    heads.advance(count)
    if let bank = unsafe measured.bank { unsafe bank.pointee.advance(count) }
  }
}
