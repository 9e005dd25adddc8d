// The settings of a region of an instrument: when it plays, and how.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// The event that starts a region.
enum RegionTrigger: UInt8 {
  case attack
  /// A released key, once no pedal holds it.
  case release
  /// A released key, pedal or not.
  case releaseKey
  /// A key that is struck while no other is down.
  case first
  /// A key that is struck while another is down.
  case legato
}

/// A range in which a sound comes up or falls, between two values of a key, a velocity or a controller.
struct Crossfade: BitwiseCopyable {
  /// It is silent up to `low`, and whole from `high` on.
  var inLow: Float = -1
  var inHigh: Float = -1
  /// It is whole up to `low`, and silent from `high` on.
  var outLow: Float = 1000
  var outHigh: Float = 1000
  /// Whether two that meet have the same power together, and not the same sum of amplitudes.
  var isPower = true
  /// The controllers that move it; −1 for none.
  var inController = -1
  var outController = -1

  @_noLocks init() {}

  /// The gain at a value that comes up, and at one that falls.
  @_noLocks func gain(rising: Float, falling: Float) -> Float {
    let up = inHigh < 0 ? 1 : Self.part(rising, inLow, inHigh)
    let down = outLow > 999 ? 1 : 1 - Self.part(falling, outLow, outHigh)
    return isPower ? RealtimeMath.sqrt(up * down) : up * down
  }

  @_noLocks private static func part(_ value: Float, _ low: Float, _ high: Float) -> Float {
    guard high > low else { return value >= high ? 1 : 0 }
    return min(max((value - low) / (high - low), 0), 1)
  }
}

/// The course of a level: times in seconds, and the level that a key holds, linear.
struct RegionEnvelope: BitwiseCopyable {
  var delay = 0.0
  var attack = 0.0
  var hold = 0.0
  var decay = 0.0
  var sustain = 1.0
  var release = 0.0

  @_noLocks init() {}
}

/// A controller that must lie in a range when a region begins.
struct ControllerCondition: BitwiseCopyable {
  var number: Int
  var low: Float
  var high: Float
}

/// A range of numbers; all of them where nothing else is said.
struct NumberRange: BitwiseCopyable {
  var low: Float
  var high: Float

  @_noLocks func contains(_ value: Float) -> Bool { value >= low && value <= high }
}

/// Keys from one to another.
struct KeyRange: BitwiseCopyable {
  var low: Int
  var high: Int

  @_noLocks func contains(_ key: Int) -> Bool { key >= low && key <= high }
}

/// The conditions and settings of a region's playing.
struct RegionSettings: BitwiseCopyable {
  var trigger = RegionTrigger.attack
  /// Whether the loop ends when the key is released, and the rest is played.
  var loopsWhileHeld = false
  /// Whether it sounds on when the key is released.
  var soundsToItsEnd = false
  /// Whether the sustain pedal holds it.
  var obeysSustain = true
  /// Frames that are passed over at the start, more of them at random, and the frame of the end; nil: the sound's.
  var offset = 0
  var offsetRandom = 0
  var end: Int?
  var envelope = RegionEnvelope()

  // Level.
  var decibels = 0.0
  /// The part of the velocity in the level; below 0 soft notes are loud.
  var velocityTrack: Float = 1
  /// Decibels a key from `levelCenter` on, and up to so many at random.
  var keyDecibels: Float = 0
  var levelCenter = 60
  var randomDecibels: Float = 0
  /// Decibels by which a region of a key's end is softer per second since the key's start.
  var releaseDecay: Float = 0
  var keyFade = Crossfade()
  var velocityFade = Crossfade()
  var controllerFade = Crossfade()
  /// −1 left, 1 right; of a sound of two channels its balance, behind its width (1: as it is, 0: mono, −1: exchanged).
  var pan = 0.0
  var width = 1.0

  // Pitch, in cents.
  var tuning = 0.0
  var keyCents = 100.0
  var velocityCents = 0.0
  var randomCents = 0.0
  /// The wheel at its ends; nil: as far as the channel says.
  var bendUp: Double?
  var bendDown: Double?

  // Choice.
  var channels = NumberRange(low: 1, high: 16)
  var bends = NumberRange(low: -8192, high: 8192)
  var pressures = NumberRange(low: 0, high: 127)
  var keyPressures = NumberRange(low: 0, high: 127)
  var programs = NumberRange(low: 0, high: 127)
  /// A random number of each note lies from `low` on to below `high`.
  var random = NumberRange(low: 0, high: 1)
  /// The length of a round robin in notes, and the note of it that this region plays, from 1.
  var turns = 1
  var turn = 1
  /// The switch that was struck last lies here; nil without switches.
  var lastSwitch: KeyRange?
  /// The keys that are switches; nil: the ones that any region names.
  var switches: KeyRange?
  var firstSwitch = -1
  /// A key that has to be down, one that must not be, and the one that was struck before; −1 for any.
  var keyDown = -1
  var keyUp = -1
  var keyBefore = -1

  // Exclusion.
  var group = 0
  /// The group whose notes end it; nil for none.
  var endedBy: Int?
  /// Whether it is released then, and does not end at once.
  var endsByRelease = false
  /// The most of its group that play at once; 0 for any number.
  var mostVoices = 0
}
