// The gain of a file, and whether its peaks have to be held.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import Glibc
import ResultSettings

/// The change of a file's level.
public struct LevelChange: Sendable, Equatable {
  /// The gain, in dB.
  public var gain: Double
  /// The most that the limiter turned down, in dB; 0 when it had nothing to do.
  public var reduction: Double

  /// Makes a change.
  public init(gain: Double, reduction: Double) {
    self.gain = gain
    self.reduction = reduction
  }
}

/// The facts of a rendering that are known before its level is set.
struct UnsetLevel {
  /// The length in seconds.
  var seconds = 0.0
  /// The highest sample, in dBFS; nil for silence, or where nobody needs it.
  var samplePeak: Double?
  /// The highest true peak, in dBTP; nil where it stays below the ceiling.
  var truePeak: Double?
  /// Its loudness at any level; nil where no loudness is asked for, or it cannot be measured.
  var outline: LevelOutline?
}

/// A level that a search settled on.
struct LevelPlan {
  var level = Level()
  /// The loudness that it is expected to have, in LUFS; nil where it is not known.
  var loudness: Double?
  /// Whether that is the one asked for.
  var reachesTarget = true
  /// Why the level is left as it is, where it is.
  var note: String?
}

/// The correction of the next attempt by a result, in dB.
struct LevelCorrection {
  /// The difference by which the result was softer than planned.
  var loss = 0.0
  /// The lowering of the ceiling for changes that the limiter cannot know.
  var lowering = 0.0
  /// The reduction of all of it, when nothing else has helped.
  var trim = 0.0
  /// Trim and loss of the attempt before, where this one goes as far up as its ceiling may allow.
  var fallback: (trim: Double, loss: Double)?
  /// Whether it has come down again, and nothing else is tried.
  var isSettled = false
}

/// Finds the gain that brings a file to its level.
struct LevelSearch {
  let settings: DeliverableSettings
  let encoding: AudioEncoding
  /// The distance from the ceiling at which the limiter works: between frames its gain can pass a little more.
  private static let allowance = 0.02
  /// The releases of the limiter, in seconds: the first is the most even one, later ones reduce the
  /// loudness less.
  static let releases = [0.08, 0.03, 0.01]
  /// A file that nowhere is above this is silent, in dBFS. Below the steps of 20 bits is the noise by
  /// which units keep themselves awake, and nothing to be brought to a level.
  private static let silence = -120.0
  /// The greatest excess of the gain over the difference in loudness, in dB.
  private static let mostExtraGain = 12.0
  /// Loudness that a limiter costs much gain for, in LU, is left.
  private static let slack = 0.05

  /// Whether a level is asked for.
  var isAsked: Bool {
    settings.loudness != nil || settings.truePeak != nil || settings.peak != nil
  }

  /// The highest true peak: that asked for, or full scale but for files of floating point numbers.
  ///
  /// Encodings that throw sound away can hold more, which is clipped wherever it is played.
  var ceiling: Double? {
    settings.truePeak ?? (settings.loudness != nil && !encoding.isFloatingPoint ? 0 : nil)
  }

  /// The gain in dB without a limiter, and why there is none.
  func gain(for sound: UnsetLevel, loss: Double = 0) -> (gain: Double, note: String?) {
    if let target = settings.loudness {
      if let outline = sound.outline, let gain = Self.gain(to: target + loss, outline) {
        return (gain, nil)
      }
      return (
        0,
        sound.seconds < 0.4
          ? "shorter than 0.4 s, which has no loudness by EBU R 128: its level is left as it is"
          : "too quiet to have a loudness by EBU R 128: its level is left as it is"
      )
    }
    guard let target = settings.peak else { return (0, nil) }
    if let peak = sound.samplePeak, peak > Self.silence { return (target - peak, nil) }
    return (0, "silent throughout: its level is left as it is")
  }

  /// Plans a level with the correction of an earlier attempt.
  func plan(for sound: UnsetLevel, _ correction: LevelCorrection) -> LevelPlan {
    let (gain, note) = gain(for: sound, loss: correction.loss)
    var plan = LevelPlan(level: Level(gain: gain), note: note)
    let target = note == nil ? settings.loudness.map { $0 + correction.loss } : nil
    if let ceiling, let truePeak = sound.truePeak, truePeak + gain > ceiling - correction.lowering {
      plan.level.ceiling = ceiling - correction.lowering - Self.allowance
      if let target, let outline = sound.outline { reach(target, &plan, outline) }
    }
    if target != nil { plan.loudness = sound.outline?.loudness(at: plan.level) }
    plan.level.gain -= correction.trim
    plan.level.ceiling = plan.level.ceiling.map { $0 - correction.trim }
    plan.loudness = plan.loudness.map { $0 - correction.trim }
    return plan
  }

  /// The gain that brings a file to a loudness; nil where it has none.
  ///
  /// It is not the difference alone: parts below the gate at -70 LUFS can come above it.
  private static func gain(to target: Double, _ outline: LevelOutline) -> Double? {
    guard let loudness = outline.loudness(gain: 0) else { return nil }
    var gain = target - loudness
    for _ in 0..<10 {
      guard let reached = outline.loudness(gain: gain), abs(target - reached) > 0.001
      else { break }
      gain += target - reached
    }
    return gain
  }

  /// A limiter reduces the loudness: the gain is raised until the target is reached all the same,
  /// and where that is not enough the limiter turns up again faster.
  private func reach(_ target: Double, _ plan: inout LevelPlan, _ outline: LevelOutline) {
    let start = plan.level
    let most = start.gain + Self.mostExtraGain
    var best: (level: Level, loudness: Double)?
    for release in Self.releases {
      var level = start
      level.release = release
      level.gain = most
      guard let loudness = outline.loudness(at: level) else { continue }
      if loudness >= target {
        plan.level = Self.raise(level, from: start.gain, to: target, outline)
        return
      }
      if best.map({ loudness > $0.loudness + Self.slack }) ?? true { best = (level, loudness) }
    }
    plan.reachesTarget = false
    guard let best else { return }
    // The limiter removes most of a higher gain again.
    plan.level = Self.raise(
      best.level, from: start.gain, to: best.loudness - Self.slack, outline)
  }

  /// The gain between one that is too low and that of a level which is not.
  ///
  /// More gain never makes a file softer.
  private static func raise(
    _ level: Level, from least: Double, to target: Double, _ outline: LevelOutline
  ) -> Level {
    var level = level
    var (low, high) = (least, level.gain)
    while high - low > 0.004 {
      level.gain = (low + high) / 2
      if (outline.loudness(at: level) ?? -.infinity) < target {
        low = level.gain
      } else {
        high = level.gain
      }
    }
    level.gain = high
    return level
  }

  /// A level with one place behind the point.
  static func text(_ value: Double) -> String {
    let tenths = Int((abs(value) * 10).rounded())
    return (value < 0 && tenths > 0 ? "-" : "") + "\(tenths / 10).\(tenths % 10)"
  }
}
