// The filter of loudness measurement, and how much each loudspeaker counts (ITU-R BS.1770).
// SPDX-License-Identifier: Apache-2.0

import CRealtime
import Glibc

/// The weights of ITU-R BS.1770.
enum KWeighting {
  /// A shelf for the head and a high-pass, at any sample rate.
  ///
  /// The standard has coefficients for 48 kHz alone; these are those of the analogue filters behind
  /// them.
  static func filter(sampleRate: Double) -> AuricleWeighting {
    var filter = AuricleWeighting()
    let shelf = tan(.pi * 1681.974450955533 / sampleRate)
    let (quality, high) = (0.7071752369554196, pow(10, 3.999843853973347 / 20))
    let middle = pow(high, 0.4996667741545416)
    let whole = 1 + shelf / quality + shelf * shelf
    filter.b.0 = (
      (high + middle * shelf / quality + shelf * shelf) / whole,
      2 * (shelf * shelf - high) / whole,
      (high - middle * shelf / quality + shelf * shelf) / whole
    )
    filter.a.0 = (
      2 * (shelf * shelf - 1) / whole, (1 - shelf / quality + shelf * shelf) / whole
    )
    let pass = tan(.pi * 38.13547087602444 / sampleRate)
    let passQuality = 0.5003270373238773
    let sum = 1 + pass / passQuality + pass * pass
    filter.b.1 = (1, -2, 1)
    filter.a.1 = (2 * (pass * pass - 1) / sum, (1 - pass / passQuality + pass * pass) / sum)
    return filter
  }

  /// The weight of the power of each channel.
  ///
  /// Only low frequencies do not count, and an unknown loudspeaker counts like those in front. The
  /// loudspeakers behind are at the listener's sides (110 degrees) without another pair, and
  /// further behind (135 degrees) with one.
  ///
  /// - Parameters:
  ///   - channelMap: The numbers of `ChannelOrder`; where there are not as many as channels, the
  ///     order of WAV counts.
  ///   - isDualMono: Whether one channel counts as much as it does from two loudspeakers.
  static func weights(
    channelCount: Int, channelMap: [Int32], isDualMono: Bool
  ) -> [Double] {
    if channelCount == 1, isDualMono { return [2] }
    let places =
      channelMap.count == channelCount ? channelMap : ChannelOrder.usualMap(channelCount)
    let hasSides = places.contains(ChannelOrder.sideLeft) || places.contains(ChannelOrder.sideRight)
    return (0..<channelCount).map { channel in
      switch places.indices.contains(channel) ? places[channel] : 0 {
      case ChannelOrder.low: 0
      case ChannelOrder.sideLeft, ChannelOrder.sideRight: 1.41
      case ChannelOrder.rearLeft, ChannelOrder.rearRight: hasSides ? 1 : 1.41
      default: 1
      }
    }
  }

  /// The loudness of a weighted mean square, in LUFS.
  static func loudness(_ power: Double) -> Double { 10 * log10(power) - 0.691 }

  /// The weighted mean square of a loudness.
  static func power(_ loudness: Double) -> Double { pow(10, (loudness + 0.691) / 10) }
}
