// How much louder or softer a file has to be, and whether its peaks have to be held.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Glibc

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
struct Level {
  /// In dB.
  var gain = 0.0
  /// The ceiling of the limiter in dBTP; nil for no limiter.
  var ceiling: Double?
  /// The time constant with which the limiter turns up again, in seconds.
  var release = LevelSearch.releases[0]
}

/// How loud a file is at some level.
struct MeasuredLevel {
  var loudness: LoudnessFigures
  /// The highest sample, in dBFS; nil for silence.
  var peak: Double?
  /// The length.
  var seconds: Double
}

/// Finds the gain that brings a file to its level.
struct LevelSearch {
  let settings: DeliverableSettings
  let encoding: AudioEncoding
  /// How near the loudness has to come, in LU.
  private static let precision = 0.03
  /// How often a file is gone through at most with one release before it is written.
  private static let mostPasses = 8
  /// How the limiter may turn up again, in seconds: the first is the most even one, those after it
  /// take less loudness away.
  static let releases = [0.08, 0.03, 0.01]
  /// How much more than the difference in loudness the gain may be, in dB.
  private static let mostExtraGain = 12.0

  /// Whether a level is asked for.
  var isAsked: Bool {
    settings.loudness != nil || settings.truePeak != nil || settings.peak != nil
  }

  /// The highest true peak: that asked for, or full scale for a file that cannot hold more.
  private var ceiling: Double? {
    settings.truePeak ?? (settings.loudness != nil && encoding.clips ? 0 : nil)
  }

  /// Finds it.
  ///
  /// - Parameter measure: Measures the file at a level.
  /// - Returns: The level, and why the target is not reached when it is not.
  func find(
    _ measure: (Level) throws(AuricleError) -> MeasuredLevel
  ) throws(AuricleError) -> (level: Level, note: String?) {
    var level = Level()
    guard isAsked else { return (level, nil) }
    let first = try measure(level)
    var note: String?
    if let target = settings.loudness {
      if let loudness = first.loudness.integrated {
        level.gain = target - loudness
      } else if first.seconds < 0.4 {
        note =
          "shorter than 0.4 s, which has no loudness by EBU R 128: its level is left as it is"
      } else {
        note = "too quiet to have a loudness by EBU R 128: its level is left as it is"
      }
    } else if let target = settings.peak {
      if let peak = first.peak {
        level.gain = target - peak
      } else {
        note = "silent throughout: its level is left as it is"
      }
    }
    guard let ceiling, let peak = first.loudness.truePeak, peak + level.gain > ceiling else {
      return (level, note)
    }
    level.ceiling = ceiling
    guard note == nil, let target = settings.loudness else {
      return (try hold(level, ceiling, measure), note)
    }
    return try reach(target, from: level, ceiling, measure)
  }

  /// Lowers the limiter's ceiling until the true peak is below the one asked for.
  private func hold(
    _ level: Level, _ ceiling: Double,
    _ measure: (Level) throws(AuricleError) -> MeasuredLevel
  ) throws(AuricleError) -> Level {
    var level = level
    for _ in 0..<Self.mostPasses {
      let found = try measure(level)
      guard let excess = Self.excess(found, ceiling) else { break }
      level.ceiling = (level.ceiling ?? ceiling) - excess
    }
    return level
  }

  /// How much too high a true peak is, with something to spare; nil when it is not.
  private static func excess(_ found: MeasuredLevel, _ ceiling: Double) -> Double? {
    guard let peak = found.loudness.truePeak, peak > ceiling + 0.01 else { return nil }
    return peak - ceiling + 0.005
  }

  /// What was reached.
  private struct Attempt {
    var level: Level
    var loudness = -Double.infinity
  }

  /// A limiter takes loudness away: the gain is raised until the target is reached all the same, and
  /// where that is not enough the limiter turns up again faster.
  private func reach(
    _ target: Double, from start: Level, _ ceiling: Double,
    _ measure: (Level) throws(AuricleError) -> MeasuredLevel
  ) throws(AuricleError) -> (level: Level, note: String?) {
    var best = Attempt(level: start)
    for release in Self.releases {
      var level = start
      level.release = release
      if best.loudness > -.infinity { level.gain = best.level.gain }
      let found = try raise(level, to: target, most: start.gain, ceiling, measure)
      if abs(target - found.loudness) < abs(target - best.loudness) - 0.05 { best = found }
      if best.loudness == -.infinity { best.level = found.level }
      if abs(target - best.loudness) <= 0.1 { break }
    }
    func text(_ value: Double) -> String {
      let tenths = Int((abs(value) * 10).rounded())
      return (value < 0 && tenths > 0 ? "-" : "") + "\(tenths / 10).\(tenths % 10)"
    }
    let limit = "below the true peak ceiling of \(text(ceiling)) dBTP"
    if abs(target - best.loudness) > 0.1 {
      return (
        best.level,
        "loudness \(text(best.loudness)) instead of \(text(target)) LUFS: more is not possible \(limit)"
      )
    }
    guard best.level.release < Self.releases[0] else { return (best.level, nil) }
    let time = Int((best.level.release * 1000).rounded())
    return (
      best.level,
      "\(text(target)) LUFS \(limit) takes a limiter that turns up again over \(time) ms"
    )
  }

  /// Raises the gain with one release; the loudness that came nearest to the target.
  private func raise(
    _ start: Level, to target: Double, most: Double, _ ceiling: Double,
    _ measure: (Level) throws(AuricleError) -> MeasuredLevel
  ) throws(AuricleError) -> Attempt {
    var level = start
    var before: (gain: Double, loudness: Double)?
    var best = Attempt(level: start)
    for _ in 0..<Self.mostPasses {
      let found = try measure(level)
      if let excess = Self.excess(found, ceiling) {
        level.ceiling = (level.ceiling ?? ceiling) - excess
        if best.loudness == -.infinity { best.level = level }
        continue
      }
      guard let loudness = found.loudness.integrated else { break }
      if abs(target - loudness) < abs(target - best.loudness) - 0.02 {
        best = Attempt(level: level, loudness: loudness)
      }
      let missing = target - loudness
      if abs(missing) <= Self.precision { break }
      // How much of a step in gain arrived as loudness the last time.
      var slope = 1.0
      if let before, abs(level.gain - before.gain) > 1e-6 {
        slope = (loudness - before.loudness) / (level.gain - before.gain)
      }
      if slope < 0.1 { break }
      before = (level.gain, loudness)
      let next = min(level.gain + missing / min(slope, 2), most + Self.mostExtraGain)
      if abs(next - level.gain) < 0.005 { break }
      level.gain = next
    }
    return best
  }
}
