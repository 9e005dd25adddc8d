// Loudness and true peak of what passes by.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import Glibc

/// Measures loudness and true peak of a signal.
final class LoudnessGauge {
  private let meter: LoudnessMeter?
  private let peaks: TruePeakMeter
  private var hasEnded = false

  /// A gauge; `channelMap` is that of the file's metadata, and `keepsBlocks` is for asking for `blocks`.
  package init(
    sampleRate: Double, channelCount: Int, channelMap: [Int32], keepsBlocks: Bool = false
  ) {
    meter = LoudnessMeter(
      sampleRate: sampleRate, channelCount: channelCount, channelMap: channelMap,
      keepsBlocks: keepsBlocks)
    peaks = TruePeakMeter(sampleRate: sampleRate, channelCount: channelCount)
  }

  /// Takes frames in.
  package func add(_ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
    unsafe meter?.add(channels, frameCount: frameCount)
    unsafe peaks.add(UnsafePointer(channels), frameCount: frameCount)
  }

  /// The blocks of what was taken in, where they are kept.
  package var blocks: LoudnessBlocks { meter?.blocks ?? LoudnessBlocks() }

  /// The figures of all that was taken in; nothing is to be added after.
  package func finish() -> LoudnessFigures {
    if !hasEnded { peaks.finish() }
    hasEnded = true
    return LoudnessFigures(
      integrated: meter?.integratedLoudness, range: meter?.loudnessRange,
      truePeak: peaks.peak > 0 ? 20 * log10(Double(peaks.peak)) : nil)
  }
}
