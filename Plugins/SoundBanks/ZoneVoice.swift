// A voice of an instrument of sounds: a region at a place, its pitch and its envelope.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// A part of an envelope.
private enum Stage {
  static var delay: UInt8 { @_noLocks get { 0 } }
  static var attack: UInt8 { @_noLocks get { 1 } }
  static var hold: UInt8 { @_noLocks get { 2 } }
  static var decay: UInt8 { @_noLocks get { 3 } }
  static var sustain: UInt8 { @_noLocks get { 4 } }
  static var release: UInt8 { @_noLocks get { 5 } }
}

/// A region that sounds. Context: render.
struct ZoneVoice: BitwiseCopyable {
  /// Frames in which a voice of a replaced note falls silent.
  static var fadeFrames: Int { @_noLocks get { 256 } }
  /// The decibels from a full level to silence.
  private static var depth: Double { @_noLocks get { 96 } }

  var isActive = false
  var region = 0
  var key = 0
  var channel = 0
  /// Grows from note to note; the regions of one note have the same.
  var note: UInt64 = 0
  /// Whether its key, or a pedal, holds it.
  var isHeld = true
  var isKeyDown = true
  /// Whether the sostenuto pedal caught it.
  var isSostenuto = false
  /// Frames until a replaced voice is silent; 0 for one that plays.
  var fadeLeft = 0
  /// Frames until it begins.
  var waitLeft = 0
  /// The frame of the sound, with its fraction.
  var place = 0.0
  private var isLooping = false
  private var hasLooped = false
  /// Its pitch in cents without wheel and tuning, and the gain of its velocity and its key.
  var cents = 0.0
  var gain: Float = 1
  /// The gain of its controllers, which glides to where they are.
  var fade: Float = 1
  var wantedFade: Float = 1
  private var stage: UInt8 = 0
  private var stageLeft = 0
  private var level: Double = 0
  private var step: Double = 0

  @_noLocks init() {}

  /// Whether it plays and was not replaced.
  var isPlaying: Bool { @_noLocks get { isActive && fadeLeft == 0 } }

  /// Begins at the start of its region.
  @_noLocks mutating func begin(_ region: ZoneRegion, offset: Int, sampleRate: Double) {
    place = Double(offset)
    isLooping = region.loopEnd > region.loopStart
    hasLooped = false
    stage = Stage.delay
    level = 0
    stageLeft = Int(region.settings.envelope.delay * sampleRate)
    if stageLeft == 0 { enter(Stage.attack, region, sampleRate) }
  }

  /// Enters a part of the envelope; one without length leads to the next.
  @_noLocks private mutating func enter(_ next: UInt8, _ region: ZoneRegion, _ rate: Double) {
    let shape = region.settings.envelope
    stage = next
    if stage == Stage.attack {
      stageLeft = Int(shape.attack * rate)
      step = stageLeft > 0 ? (1 - level) / Double(stageLeft) : 0
      if stageLeft == 0 {
        level = 1
        stage = Stage.hold
      }
    }
    if stage == Stage.hold {
      stageLeft = Int(shape.hold * rate)
      if stageLeft == 0 { stage = Stage.decay }
    }
    if stage == Stage.decay {
      stageLeft = shape.sustain < 1 ? Int(shape.decay * rate) : 0
      let fall =
        shape.sustain > 0.000_02 ? -20 * RealtimeMath.log10(shape.sustain) : Self.depth
      step = RealtimeMath.gain(decibels: -fall / Double(max(stageLeft, 1)))
      if stageLeft == 0 {
        level = shape.sustain
        stage = Stage.sustain
      }
    }
  }

  /// Ends the note: the rest is its release. A sound that plays to its end continues.
  @_noLocks mutating func release(_ region: ZoneRegion, sampleRate: Double) {
    isHeld = false
    guard !region.settings.soundsToItsEnd else { return }
    if region.settings.loopsWhileHeld { isLooping = false }
    letFall(region, sampleRate)
  }

  /// Falls to silence in the time of its release.
  @_noLocks mutating func letFall(_ region: ZoneRegion, _ sampleRate: Double) {
    guard stage != Stage.release else { return }
    stage = Stage.release
    // No click is as short.
    let frames = max(region.settings.envelope.release, 0.005) * sampleRate
    step = RealtimeMath.gain(decibels: -Self.depth / frames)
  }

  /// Fades the voice out within a few milliseconds.
  @_noLocks mutating func fadeOut() {
    if fadeLeft == 0 { fadeLeft = Self.fadeFrames }
    isHeld = false
    isKeyDown = false
  }

  /// The level of the next frame; below 0: it is over.
  @inline(__always) @_noLocks private mutating func nextLevel(
    _ region: ZoneRegion, _ rate: Double
  ) -> Double {
    switch stage {
    case Stage.sustain: return level
    case Stage.release:
      level *= step
      return level < 0.000_016 ? -1 : level
    case Stage.attack:
      level += step
      stageLeft &-= 1
      if stageLeft <= 0 {
        level = 1
        enter(Stage.hold, region, rate)
      }
    case Stage.decay:
      level *= step
      stageLeft &-= 1
      if stageLeft <= 0 {
        stage = Stage.sustain
        level = region.settings.envelope.sustain
      }
    default:
      stageLeft &-= 1
      if stageLeft <= 0 { enter(stage == Stage.delay ? Stage.attack : Stage.decay, region, rate) }
    }
    return level
  }

  /// Adds frames to both channels.
  ///
  /// - Parameters:
  ///   - speed: Frames of the sound to a frame of the output.
  ///   - scratch: Room for the frames around a place, of two channels.
  @_noLocks mutating func render(
    _ region: ZoneRegion, _ table: ZoneKernel.Table, speed: Double, sampleRate: Double,
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int,
    _ scratch: UnsafeMutablePointer<Float>
  ) {
    let glide = Float(1 / (0.005 * sampleRate))
    for frame in 0..<count {
      if waitLeft > 0 {
        waitLeft &-= 1
        continue
      }
      let level = nextLevel(region, sampleRate)
      guard level >= 0, place < Double(region.end) || isLooping else { return isActive = false }
      fade += min(max(wantedFade - fade, -glide), glide)
      var scale = Float(level) * gain * fade
      if fadeLeft > 0 {
        scale *= Float(fadeLeft) / Float(Self.fadeFrames)
        fadeLeft &-= 1
        if fadeLeft == 0 { isActive = false }
      }
      let (a, b) = unsafe sample(region, table, scratch, isExact: speed == 1)
      unsafe left[frame] += (a * region.leftToLeft + b * region.rightToLeft) * scale
      unsafe right[frame] += (a * region.leftToRight + b * region.rightToRight) * scale
      guard isActive else { return }
      advance(speed, region)
    }
  }

  @inline(__always) @_noLocks private mutating func advance(_ speed: Double, _ region: ZoneRegion) {
    place += speed
    guard isLooping, place >= Double(region.loopEnd) else { return }
    let length = Double(region.loopEnd - region.loopStart)
    // A speed may be longer than a loop.
    place -= length * RealtimeMath.floor((place - Double(region.loopStart)) / length)
    hasLooped = true
  }

  /// The sound at the place, both channels.
  @inline(__always) @_noLocks private func sample(
    _ region: ZoneRegion, _ table: ZoneKernel.Table, _ scratch: UnsafeMutablePointer<Float>,
    isExact: Bool
  ) -> (Float, Float) {
    let index = Int(place)
    let fraction = place - Double(index)
    if isExact, fraction == 0 { return unsafe (region.left[index], region.right[index]) }
    let (reach, row) = unsafe (table.reach, table.rows(fraction))
    let first = index - reach + 1
    guard
      (isLooping && index + reach >= region.loopEnd) || (hasLooped && first < region.loopStart)
    else {
      let a = unsafe table.sample(region.left + first, row)
      return unsafe (a, region.isStereo ? table.sample(region.right + first, row) : a)
    }
    for tap in 0..<(2 * reach) {
      let source = wrapped(first + tap, region)
      unsafe scratch[tap] = region.left[source]
      if region.isStereo { unsafe scratch[2 * ZoneKernel.mostReach + tap] = region.right[source] }
    }
    let a = unsafe table.sample(scratch, row)
    return unsafe (
      a, region.isStereo ? table.sample(scratch + 2 * ZoneKernel.mostReach, row) : a
    )
  }

  /// Returns the frame of the sound at a frame near the loop.
  @inline(__always) @_noLocks private func wrapped(_ frame: Int, _ region: ZoneRegion) -> Int {
    let length = region.loopEnd - region.loopStart
    if isLooping, frame >= region.loopEnd {
      return region.loopStart + (frame - region.loopStart) % length
    }
    if hasLooped, frame < region.loopStart {
      return region.loopEnd - 1 - (region.loopStart - 1 - frame) % length
    }
    return frame
  }
}
