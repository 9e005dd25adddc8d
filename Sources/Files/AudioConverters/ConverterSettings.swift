// The settings of a converter.
// SPDX-License-Identifier: Apache-2.0

package import AudioConversion
package import AudioFormats

/// The settings of a converter from linear PCM to linear PCM.
package struct ConverterSettings: Sendable {
  /// The treatment of the ends by filters.
  package enum PrimeMethod: UInt32, Sendable {
    /// The first frames of the input are read for the filter alone.
    case pre = 0
    /// Silence precedes the sound, and the output is in place.
    case normal = 1
    /// Silence precedes the sound, and the output is late.
    case none = 2
  }

  /// The kind of filter that changes the rate.
  package enum Complexity: UInt32, Sendable {
    case linear = 0x6C69_6E65
    case normal = 0x6E6F_726D
    case mastering = 0x6261_7473
    case minimumPhase = 0x6D69_6E70
  }

  /// Noise against the distortion of rounding.
  package enum Dithering: UInt32, Sendable {
    case none = 0
    case triangular = 1
    case shaped = 2
  }

  /// The kind of filter that changes the rate.
  package var complexity = Complexity.normal
  /// The quality, 0 to 127.
  package var quality: UInt32 = 64
  /// The treatment of the ends.
  package var primeMethod = PrimeMethod.normal
  /// The channel of the input for each of the output, below 0 for silence; nil for the usual way.
  package var channelMap: [Int32]?
  /// The loudspeakers of the input's channels; nil where unknown.
  package var inputLayout: ChannelLayout?
  /// The loudspeakers of the output's channels; nil where unknown.
  package var outputLayout: ChannelLayout?
  /// Whether channels are mixed by gains.
  package var isMixing = false
  /// The gain of each channel of the input (rows) in each of the output; nil for those of the layouts.
  package var mixMap: [[Float]]?
  /// Noise against the distortion of rounding.
  package var dithering = Dithering.none
  /// To how many bits it rounds; 0 for those of the output.
  package var ditherBits: UInt32 = 0
  /// The significant bits of the input; below 0 for floats, 0 where unknown.
  package var bitDepthHint: Int32 = 0

  /// Settings as a new converter has them.
  package init() {}

  /// The method of a change of rate.
  package var rateMethod: RateMethod {
    switch complexity {
    case .linear: .linear
    case .normal: .filter(quality: quality)
    case .mastering: .mastering
    case .minimumPhase: .minimumPhase(quality: quality)
    }
  }
}
