// Fades at the ends of a file.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc

/// How a fade goes from silence to full level.
public enum FadeCurve: String, Sendable, CaseIterable {
  /// The gain grows evenly.
  case linear
  /// A quarter of a sine: equal power, fast at first.
  case sine
  /// Half a cosine: soft at both ends.
  case cosine
  /// Evenly in decibels, over 60 dB, and from there to silence.
  case exponential

  /// The gain at a part of the way, 0 to 1: 0 at 0 and 1 at 1.
  ///
  /// Context: any.
  public func gain(at part: Double) -> Double {
    let part = min(max(part, 0), 1)
    switch self {
    case .linear: return part
    case .sine: return part == 1 ? 1 : sin(.pi / 2 * part)
    case .cosine: return (1 - cos(.pi * part)) / 2
    case .exponential: return part == 1 ? 1 : (pow(1000, part) - 1) / 999
    }
  }
}

/// Fades in at the start and out at the end: the first and the last frame are silent.
final class FadeStage: SignalStage {
  private let channelCount: Int
  private let fadeIn: Int
  private let fadeOut: Int
  private let total: Int
  private let curve: FadeCurve
  private var position = 0

  /// Fades of so many frames; `total` is the file's length, which only a fade at its end needs. Fades
  /// longer than the file are as long as the file.
  init(channelCount: Int, fadeIn: Int, fadeOut: Int, total: Int?, curve: FadeCurve) {
    self.channelCount = channelCount
    self.total = total ?? .max
    self.fadeIn = min(fadeIn, self.total)
    self.fadeOut = min(fadeOut, self.total)
    self.curve = curve
  }

  func push(_ rows: ChannelRows, _ count: Int, _ next: FrameTaker) throws(AuricleError) {
    let risesUntil = min(count, max(0, fadeIn - position))
    for index in 0..<risesUntil {
      unsafe scale(rows, index, curve.gain(at: Double(position + index) / Double(fadeIn)))
    }
    if fadeOut > 0 {
      let fallsFrom = max(0, min(count, total - fadeOut - position))
      for index in fallsFrom..<max(fallsFrom, count) {
        let left = total - 1 - position - index
        unsafe scale(rows, index, curve.gain(at: Double(left) / Double(fadeOut)))
      }
    }
    position += count
    try unsafe next(rows, count)
  }

  func finish(_ next: FrameTaker) throws(AuricleError) {}

  private func scale(_ rows: ChannelRows, _ index: Int, _ gain: Double) {
    for channel in 0..<channelCount { unsafe rows[channel][index] *= Float(gain) }
  }
}
