// Loudness and true peak of passing samples.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles

/// Measures the loudness of a signal, and its true peak where that is asked for.
final class LoudnessGauge {
  private let meter: LoudnessMeter?
  private let peaks: TruePeakMeter?

  /// A gauge; `channelMap` is that of the file's metadata.
  init(
    sampleRate: Double, channelCount: Int, channelMap: [Int32], isDualMono: Bool,
    measuresTruePeak: Bool
  ) {
    meter = LoudnessMeter(
      sampleRate: sampleRate, channelCount: channelCount, channelMap: channelMap,
      isDualMono: isDualMono)
    peaks =
      measuresTruePeak
      ? TruePeakMeter(sampleRate: sampleRate, channelCount: channelCount) : nil
  }

  /// Adds frames.
  func add(_ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
    unsafe meter?.add(channels, frameCount: frameCount)
    unsafe peaks?.add(UnsafePointer(channels), frameCount: frameCount)
  }

  /// The figures of all added frames; nothing is to be added after.
  func finish() -> LoudnessFigures {
    LoudnessFigures(
      integrated: meter?.integratedLoudness, range: meter?.blocks.range, truePeak: peaks?.peak)
  }
}
