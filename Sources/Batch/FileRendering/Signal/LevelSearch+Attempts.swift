// Corrections for the next attempt by results, and notes on the last one.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import ResultSettings

extension LevelSearch {
  /// The greatest deviation of the loudness, in LU.
  private static let tolerance = 0.1
  /// An encoder that lowers the loudness by more than this, in LU, removes sound that no gain restores.
  private static let mostCodingLoss = 3.0

  /// The distance from its ceiling of a file that is turned up again, in dB.
  private static let margin = 0.1

  /// The greatest number of times that a file is written. Encoders are slower than all the rest; most files
  /// need one or two.
  var mostAttempts: Int { encoding.mayChangeLevel ? 6 : 5 }

  /// The attempt from which on all of a file is turned down where it still exceeds its ceiling.
  var firstTrim: Int { encoding.mayChangeLevel ? 3 : 5 }

  /// The next correction; nil when the result is as it should be, or cannot be better.
  ///
  /// - Parameters:
  ///   - correction: The correction so far.
  ///   - figures: The figures of the result, as decoded.
  ///   - isTrimmed: Whether the next attempt turns all of it down.
  ///   - canFallBack: Whether there is one more after the next.
  func correction(
    _ correction: LevelCorrection, after figures: LoudnessFigures, of plan: LevelPlan,
    isTrimmed: Bool, canFallBack: Bool
  ) -> LevelCorrection? {
    if correction.fallback != nil { return fallingBack(correction, after: figures) }
    if correction.isSettled { return nil }
    if canFallBack, let next = turningUp(correction, after: figures, of: plan) { return next }
    var next = correction
    var isNeeded = false
    if let ceiling, let peak = figures.truePeak {
      let excess = peak - ceiling
      let isCoded = encoding.mayChangeLevel
      if excess > (isCoded ? 0.05 : 0.01) {
        isNeeded = true
        if isTrimmed {
          // All of it softer makes the peaks softer by as much, or nearly, where an encoder decides otherwise.
          next.trim += isCoded ? 1.5 * excess + 0.3 : excess + 0.005
        } else {
          next.lowering += isCoded ? 1.5 * excess + 0.25 : excess + 0.005
        }
      }
    }
    if let target = settings.loudness, let planned = plan.loudness,
      let loudness = figures.integrated
    {
      let loss = planned - loudness
      if !encoding.mayChangeLevel || abs(loss) <= Self.mostCodingLoss { next.loss = loss }
      let isOff = abs(loudness - target) > 0.06
      if isOff, plan.reachesTarget, correction.trim == 0, abs(loss - correction.loss) > 0.02,
        next.loss == loss
      {
        isNeeded = true
      }
    }
    return isNeeded ? next : nil
  }

  /// Turns up a result again that was turned down more than its ceiling needs, as far as it is too soft; once.
  ///
  /// An encoder adds nearly the same to the peaks of a sound when all of it is louder.
  private func turningUp(
    _ correction: LevelCorrection, after figures: LoudnessFigures, of plan: LevelPlan
  ) -> LevelCorrection? {
    guard correction.trim + correction.lowering > 0, let ceiling, let peak = figures.truePeak,
      peak <= ceiling + 0.05, let target = settings.loudness, let loudness = figures.integrated
    else { return nil }
    let short = target - loudness
    let room = max(0, min(ceiling - Self.margin - peak, short))
    // The limiter has to compensate for the remaining difference.
    let rest = plan.reachesTarget && short - room > Self.tolerance ? short - room : 0
    guard room > Self.tolerance || correction.trim > 0 && rest > 0 else { return nil }
    var next = correction
    next.fallback = (correction.trim, correction.loss)
    next.trim -= room
    next.loss += rest
    return next
  }

  /// Turns down a little a result that was turned up too far; if that does not help either, repeats the
  /// attempt before.
  private func fallingBack(
    _ correction: LevelCorrection, after figures: LoudnessFigures
  ) -> LevelCorrection? {
    guard let ceiling, let peak = figures.truePeak, peak > ceiling + 0.05,
      let before = correction.fallback
    else { return nil }
    var next = correction
    if correction.isSettled {
      (next.trim, next.loss) = before
      next.fallback = nil
    } else {
      next.trim += peak - ceiling + Self.margin
      next.isSettled = true
    }
    return next
  }

  /// The notes on a result.
  func notes(
    _ plan: LevelPlan, _ correction: LevelCorrection, _ figures: LoudnessFigures
  ) -> [String] {
    var notes = [plan.note].compactMap(\.self)
    let lowered = correction.lowering + correction.trim
    if encoding.mayChangeLevel, lowered > 0, let ceiling {
      notes.append(
        "encoded again with peaks \(Self.text(lowered)) dB lower: decoded from \(encoding.name), they "
          + "went above \(Self.text(ceiling)) dBTP")
    }
    if let ceiling, let peak = figures.truePeak, peak > ceiling + Self.tolerance {
      notes.append(
        "true peak \(Self.text(peak)) instead of \(Self.text(ceiling)) dBTP: encoding as "
          + "\(encoding.name) changes it")
    }
    guard let target = settings.loudness, plan.note == nil else { return notes }
    let limit = ceiling.map { "below the true peak ceiling of \(Self.text($0)) dBTP" } ?? ""
    if figures.integrated.map({ abs($0 - target) > Self.tolerance }) ?? true {
      let missed =
        "loudness \(figures.integrated.map(Self.text) ?? "too low to measure") instead of "
        + "\(Self.text(target)) LUFS"
      notes.append(
        plan.level.ceiling != nil && !(plan.reachesTarget && correction.trim == 0)
          ? missed
            + " with \(Self.text(plan.level.gain)) dB of gain \(limit): of more, the limiter "
            + "takes most away again"
          : missed + ": encoding as \(encoding.name) changes it")
    } else if plan.level.ceiling != nil, plan.level.release < Self.releases[0] {
      let time = Int((plan.level.release * 1000).rounded())
      notes.append(
        "\(Self.text(target)) LUFS \(limit) takes a limiter that turns up again over \(time) ms")
    }
    return notes
  }
}

extension AudioEncoding {
  /// Whether sound is thrown away so that loudness and peaks can differ from the input's.
  var mayChangeLevel: Bool { [.mpegLayer3, .vorbis, .opus, .aac, .ac3, .eac3].contains(self) }
}
