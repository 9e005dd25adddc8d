// How much louder or softer a file has to be, and whether its peaks have to be held.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import AudioTypes
import Glibc
import ResultSettings

/// What is done to the level of a file.
public struct LevelChange: Sendable, Equatable {
  /// The gain, in dB.
  public var gain: Double
  /// The most that the limiter turned down, in dB; 0 when it had nothing to do.
  public var reduction: Double

  /// Tells a change.
  public init(gain: Double, reduction: Double) {
    self.gain = gain
    self.reduction = reduction
  }
}

/// A gain and a ceiling.
package struct Level {
  /// In dB.
  package var gain = 0.0
  /// The ceiling of the limiter in dBTP; nil for no limiter.
  package var ceiling: Double?
  /// The time constant with which the limiter turns up again, in seconds.
  package var release = LevelSearch.releases[0]
}

/// How loud a file is at some level.
struct MeasuredLevel {
  package var loudness: LoudnessFigures
  /// The highest sample, in dBFS; nil for silence.
  package var peak: Double?
  /// The length.
  package var seconds: Double
  /// What its loudness is the mean of.
  package var blocks: LoudnessBlocks
}

/// Finds the gain that brings a file to its level.
struct LevelSearch {
  package let settings: DeliverableSettings
  package let encoding: AudioEncoding
  /// How much of the loudness the encoder takes away, in LU: so much more has to go into it.
  var codingLoss = 0.0
  /// How near the loudness has to come, in LU.
  private static let precision = 0.03
  /// How often a file is gone through at most before it is written.
  private static let mostPasses = 10
  /// How the limiter may turn up again, in seconds: the first is the most even one, those after it
  /// take less loudness away.
  static let releases = [0.08, 0.03, 0.01]
  /// A file that nowhere is above this is silent, in dBFS: below the steps of 20 bits there is what units
  /// keep themselves awake with, and nothing to be brought to a level.
  private static let silence = -120.0
  /// How much more than the difference in loudness the gain may be, in dB.
  private static let mostExtraGain = 12.0

  /// Whether a level is asked for.
  package var isAsked: Bool {
    settings.loudness != nil || settings.truePeak != nil || settings.peak != nil
  }

  /// The loudness that is to go into the encoder, in LUFS.
  private var target: Double? { settings.loudness.map { $0 + codingLoss } }

  /// The highest true peak: that asked for, or full scale but for files of floating point numbers.
  ///
  /// Encodings that throw sound away can hold more, which is clipped wherever it is played.
  private var ceiling: Double? {
    settings.truePeak ?? (settings.loudness != nil && !encoding.isFloatingPoint ? 0 : nil)
  }

  /// Finds it.
  ///
  /// - Parameter measure: Measures the file at a level.
  /// - Returns: The level, and why the target is not reached when it is not.
  package func find(
    _ measure: (Level) throws(AuricleError) -> MeasuredLevel
  ) throws(AuricleError) -> (level: Level, note: String?) {
    var level = Level()
    guard isAsked else { return (level, nil) }
    let first = try measure(level)
    var note: String?
    if let target {
      if let loudness = first.loudness.integrated {
        level.gain = Self.gain(to: target, from: loudness, first.blocks)
      } else if first.seconds < 0.4 {
        note =
          "shorter than 0.4 s, which has no loudness by EBU R 128: its level is left as it is"
      } else {
        note = "too quiet to have a loudness by EBU R 128: its level is left as it is"
      }
    } else if let target = settings.peak {
      if let peak = first.peak, peak > Self.silence {
        level.gain = target - peak
      } else {
        note = "silent throughout: its level is left as it is"
      }
    }
    guard let ceiling, let peak = first.loudness.truePeak, peak + level.gain > ceiling else {
      return (level, note)
    }
    level.ceiling = ceiling
    guard note == nil, let target else {
      return (try hold(level, ceiling, measure).level, note)
    }
    // Up to where its peaks reach the ceiling nothing is taken away.
    let unlimited = LoudnessPoint(
      gain: ceiling - peak,
      loudness: first.blocks.integratedLoudness(gain: ceiling - peak)
        ?? target - (level.gain - (ceiling - peak)))
    return try reach(target, from: level, above: unlimited, ceiling, measure)
  }

  /// The gain that brings a file to a loudness.
  ///
  /// It is not the difference alone: what lay below the gate at -70 LUFS can come above it.
  private static func gain(
    to target: Double, from loudness: Double, _ blocks: LoudnessBlocks
  ) -> Double {
    var gain = target - loudness
    for _ in 0..<mostPasses {
      guard let reached = blocks.integratedLoudness(gain: gain), abs(target - reached) > 0.001
      else { break }
      gain += target - reached
    }
    return gain
  }

  /// Lowers the limiter's ceiling until the true peak is below the one asked for.
  ///
  /// - Returns: The level, and how loud the file is with it, or was when it was gone through last.
  private func hold(
    _ level: Level, _ ceiling: Double,
    _ measure: (Level) throws(AuricleError) -> MeasuredLevel
  ) throws(AuricleError) -> (level: Level, loudness: Double?) {
    var level = level
    var loudness: Double?
    for _ in 0..<Self.mostPasses {
      let found = try measure(level)
      loudness = found.loudness.integrated
      guard let excess = Self.excess(found, ceiling) else { break }
      level.ceiling = (level.ceiling ?? ceiling) - excess
    }
    return (level, loudness)
  }

  /// How much too high a true peak is, with something to spare; nil when it is not.
  private static func excess(_ found: MeasuredLevel, _ ceiling: Double) -> Double? {
    guard let peak = found.loudness.truePeak, peak > ceiling + 0.01 else { return nil }
    return peak - ceiling + 0.005
  }

  /// How loud a file is with a gain.
  private struct LoudnessPoint {
    package var gain: Double
    package var loudness: Double
  }

  /// What was reached.
  private struct Attempt {
    package var level: Level
    package var loudness = -Double.infinity
    /// Whether its true peak was measured below the ceiling.
    var isProven = false
  }

  /// A limiter takes loudness away: the gain is raised until the target is reached all the same, and
  /// where that is not enough the limiter turns up again faster.
  private func reach(
    _ target: Double, from start: Level, above unlimited: LoudnessPoint, _ ceiling: Double,
    _ measure: (Level) throws(AuricleError) -> MeasuredLevel
  ) throws(AuricleError) -> (level: Level, note: String?) {
    var best = Attempt(level: start)
    var passes = Self.mostPasses
    let most = start.gain + Self.mostExtraGain
    for release in Self.releases where passes > 0 {
      var level = start
      level.release = release
      // Where one release did not suffice with any gain, the next is asked whether it does.
      if release != Self.releases[0] { level.gain = most }
      let found = try raise(
        level, to: target, from: unlimited, most: most, ceiling, &passes, measure)
      if abs(target - found.loudness) < abs(target - best.loudness) - 0.05 { best = found }
      if abs(target - best.loudness) <= 0.1 { break }
    }
    if !best.isProven {
      let held = try hold(best.level, ceiling, measure)
      // A lower ceiling takes loudness away, too.
      best.level = held.level
      if best.loudness.isFinite { best.loudness = held.loudness ?? best.loudness }
    }
    // What is too quiet now and then has no loudness to tell.
    guard best.loudness.isFinite else { return (best.level, nil) }
    let text = Self.text
    let limit = "below the true peak ceiling of \(text(ceiling)) dBTP"
    if abs(target - best.loudness) > 0.1 {
      return (
        best.level,
        "loudness \(text(best.loudness - codingLoss)) instead of \(text(target - codingLoss)) LUFS with "
          + "\(text(best.level.gain)) dB "
          + "of gain \(limit): of more, the limiter takes most away again"
      )
    }
    guard best.level.release < Self.releases[0] else { return (best.level, nil) }
    let time = Int((best.level.release * 1000).rounded())
    return (
      best.level,
      "\(text(target - codingLoss)) LUFS \(limit) takes a limiter that turns up again over \(time) ms"
    )
  }

  /// A level with one place behind the point.
  package static func text(_ value: Double) -> String {
    let tenths = Int((abs(value) * 10).rounded())
    return (value < 0 && tenths > 0 ? "-" : "") + "\(tenths / 10).\(tenths % 10)"
  }

  /// Finds the gain with one release; the loudness that came nearest to the target.
  ///
  /// More gain never makes a file softer: the target lies between a point below it and one above.
  private func raise(
    _ start: Level, to target: Double, from unlimited: LoudnessPoint, most: Double,
    _ ceiling: Double, _ passes: inout Int,
    _ measure: (Level) throws(AuricleError) -> MeasuredLevel
  ) throws(AuricleError) -> Attempt {
    var level = start
    var best = Attempt(level: start)
    var low = unlimited
    var high: LoudnessPoint?
    var lastMissing = 0.0
    while passes > 0 {
      passes -= 1
      let found = try measure(level)
      guard let loudness = found.loudness.integrated else { break }
      let missing = target - loudness
      let excess = Self.excess(found, ceiling)
      let here = LoudnessPoint(gain: level.gain, loudness: loudness)
      if let excess {
        level.ceiling = (level.ceiling ?? ceiling) - excess
        if !best.isProven { best = Attempt(level: level, loudness: loudness) }
      } else {
        if !best.isProven || abs(missing) < abs(target - best.loudness) - 0.02 {
          best = Attempt(level: level, loudness: loudness, isProven: true)
        }
        if abs(missing) <= Self.precision { break }
      }
      if missing > 0, level.gain >= most { break }
      let next: Double
      if missing < 0 || high != nil {
        next = Self.between(&low, &high, here, target, missing * lastMissing > 0)
      } else {
        // Without a limiter all of a step in gain would arrive as loudness.
        let slope = lastMissing == 0 ? 1 : (loudness - low.loudness) / (level.gain - low.gain)
        next = slope < 0.2 ? most : min(level.gain + 1.2 * missing / slope, most)
        low = here
      }
      lastMissing = missing
      if excess == nil, abs(next - level.gain) < 0.005 { break }
      level.gain = next
    }
    return best
  }

  /// The next gain between a point below the target and one above, of which `here` becomes one: on the
  /// line between them, and nearer to the one that would not move otherwise.
  private static func between(
    _ low: inout LoudnessPoint, _ high: inout LoudnessPoint?, _ here: LoudnessPoint,
    _ target: Double, _ isSameSide: Bool
  ) -> Double {
    let wasBracketed = high != nil
    if here.loudness < target { low = here } else { high = here }
    guard let high else { return here.gain }
    var (below, above) = (target - low.loudness, high.loudness - target)
    if wasBracketed, isSameSide {
      if here.loudness < target { above /= 2 } else { below /= 2 }
    }
    return low.gain + (high.gain - low.gain) * below / max(below + above, 1e-9)
  }
}
