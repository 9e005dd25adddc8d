// Fades at the ends of a file.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import ResultSettings

/// Fades in at the start and out at the end: the first and the last frame are silent.
final class FadeStage: SignalStage {
  private let channelCount: Int
  private let fadeIn: Int
  private let fadeOut: Int
  private let total: Int
  private let curve: FadeCurve
  private var position = 0

  /// Makes fades of these lengths in frames; `total` is the file's length, which only a fade-out needs.
  /// Longer fades are limited to the file's length.
  package init(channelCount: Int, fadeIn: Int, fadeOut: Int, total: Int?, curve: FadeCurve) {
    self.channelCount = channelCount
    self.total = total ?? .max
    self.fadeIn = min(fadeIn, self.total)
    self.fadeOut = min(fadeOut, self.total)
    self.curve = curve
  }

  package func push(_ rows: ChannelRows, _ count: Int, _ next: FrameSink) throws(AuricleError) {
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

  package func finish(_ next: FrameSink) throws(AuricleError) {}

  private func scale(_ rows: ChannelRows, _ index: Int, _ gain: Double) {
    for channel in 0..<channelCount { unsafe rows[channel][index] *= Float(gain) }
  }
}
