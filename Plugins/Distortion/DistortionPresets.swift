// The factory presets of the distortion, under the names that Core Audio's unit has.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// Twenty-two sounds, in the order of Core Audio's numbers.
enum DistortionPresets {
  static let all: [Preset<Distortion.Parameters>] = [
    preset("Drums Bit Brush", delay: (0.1, 1, 0), crush: (20, 72, 100), clip: 3),
    preset("Drums Buffer Beats", delay: (125, 0.6, 60), crush: (10, 30, 60), clip: 0),
    preset("Drums Lo-Fi", crush: (70, 55, 90), polynomial: (1, 0.5, 1, 50), clip: 0),
    preset("Multi-Broken Speaker", crush: (5, 40, 40), polynomial: (0.6, 8, 6, 80), clip: 12),
    preset("Multi-Cellphone Concert", crush: (85, 40, 100), polynomial: (1, 2, 4, 60), clip: 14),
    preset("Multi-Decimated 1", crush: (50, 30, 100), clip: 0),
    preset("Multi-Decimated 2", crush: (75, 30, 100), clip: 0),
    preset("Multi-Decimated 3", crush: (88, 50, 100), clip: 3),
    preset("Multi-Decimated 4", crush: (95, 60, 100), clip: 6),
    preset("Multi-Distorted Funk", polynomial: (0.8, 3, 6, 70), clip: 8, final: 70),
    preset("Multi-Distorted Cubed", polynomial: (0.3, 0, 20, 100), clip: 6, final: 80),
    preset("Multi-Distorted Squared", polynomial: (0.3, 20, 0, 100), clip: 6, final: 80),
    preset("Multi-Echo 1", delay: (300, 1, 50), clip: 0),
    preset("Multi-Echo 2", delay: (450, 0.5, 55), clip: 3),
    preset("Multi-Echo Tight 1", delay: (60, 0.8, 50), clip: 0),
    preset("Multi-Echo Tight 2", delay: (25, 0.4, 60), clip: 3),
    preset(
      "Multi-Everything Is Broken", delay: (40, 0.7, 40), crush: (80, 65, 80),
      polynomial: (0.4, 10, 12, 90), ring: (180, 1200, 50, 40), clip: 12, final: 100),
    preset(
      "Speech Alien Chatter", delay: (12, 0.5, 40), ring: (70, 420, 60, 90), clip: 3, final: 100),
    preset(
      "Speech Cosmic Interference", crush: (60, 45, 60), ring: (900, 1370, 50, 70), clip: 3,
      final: 90),
    preset("Speech Golden Pi", ring: (314.159, 31.4159, 50, 80), clip: 0, final: 80),
    preset(
      "Speech Radio Tower", crush: (78, 35, 90), polynomial: (1, 1, 6, 60), clip: 10, final: 100),
    preset("Speech Waves", delay: (18, 0.3, 60), ring: (0.7, 3, 50, 70), clip: 0, final: 90),
  ]

  private static func preset(
    _ name: String, delay: (time: Float, decay: Float, mix: Float) = (0.1, 1, 0),
    crush: (decimation: Float, rounding: Float, mix: Float) = (0, 0, 0),
    polynomial: (linear: Float, squared: Float, cubic: Float, mix: Float) = (1, 0, 0, 0),
    ring: (first: Float, second: Float, balance: Float, mix: Float) = (100, 100, 50, 0),
    clip: Float, final: Float = 75
  ) -> Preset<Distortion.Parameters> {
    Preset(name) {
      $0.delay = delay.time
      $0.decay = delay.decay
      $0.delayMix = delay.mix
      $0.decimation = crush.decimation
      $0.rounding = crush.rounding
      $0.decimationMix = crush.mix
      $0.linearTerm = polynomial.linear
      $0.squaredTerm = polynomial.squared
      $0.cubicTerm = polynomial.cubic
      $0.polynomialMix = polynomial.mix
      $0.ringFrequency1 = ring.first
      $0.ringFrequency2 = ring.second
      $0.ringBalance = ring.balance
      $0.ringMix = ring.mix
      $0.clipGain = clip
      $0.finalMix = final
    }
  }
}
