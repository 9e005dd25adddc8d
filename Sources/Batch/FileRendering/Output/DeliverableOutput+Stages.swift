// The signal path of a rendering into a file.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import AudioTypes
import Glibc
import ResultSettings

extension DeliverableOutput {
  /// The frames of the file for a number of frames of the rendering.
  package func length(of frames: Int) -> Int {
    SampleRateConverter.frameCount(of: frames, from: inputRate, to: format.sampleRate)
  }

  private var ditherBits: Int? {
    guard settings.dither != .none, let bits = format.encoding.linearBits, bits <= 24 else {
      return nil
    }
    return bits
  }

  var ditherStage: [any SignalStage] {
    guard let bits = ditherBits else { return [] }
    return [
      DitherStage(
        channelCount: format.channelCount, bits: bits, kind: settings.dither,
        sampleRate: format.sampleRate, seed: seed)
    ]
  }

  func limiterStage(_ level: Level) -> LimiterStage? {
    level.ceiling.map {
      LimiterStage(
        channelCount: format.channelCount, sampleRate: format.sampleRate,
        ceiling: Float(pow(10, $0 / 20)), release: level.release)
    }
  }

  /// Channels, sample rate, fades and gain; `total` is the file's length if known.
  package func stages(
    total: Int?, level: Level
  ) throws(AuricleError) -> [any SignalStage] {
    var stages: [any SignalStage] = []
    let rate = format.sampleRate
    let channelCount = format.channelCount
    if !mix.isIdentity { stages.append(MixStage(mix)) }
    if rate != inputRate {
      stages.append(
        try RateStage(
          from: inputRate, to: rate, channelCount: channelCount, quality: settings.resampleQuality))
    }
    let fadeIn = Int((settings.fadeIn * rate).rounded())
    let fadeOut = Int((settings.fadeOut * rate).rounded())
    let gain = Float(pow(10, level.gain / 20))
    let changes = fadeIn > 0 || fadeOut > 0 || gain != 1 || ditherBits != nil
    // Other files use the same input.
    if changes, stages.isEmpty { stages.append(MixStage(mix)) }
    if fadeIn > 0 || fadeOut > 0 {
      stages.append(
        FadeStage(
          channelCount: channelCount, fadeIn: fadeIn, fadeOut: fadeOut, total: total,
          curve: settings.fadeCurve))
    }
    if gain != 1 { stages.append(GainStage(gain: gain, channelCount: channelCount)) }
    return stages
  }
}
