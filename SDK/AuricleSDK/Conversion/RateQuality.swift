// The quality of a sample-rate conversion: passband and rejection.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// The filter of a sample-rate conversion.
///
/// A better filter is longer: its latency and its work grow with the rejection, and with a passband near 1.
///
/// ```swift
/// let quality = RateQuality(
///   complexity: kAudioUnitSampleRateConverterComplexity_Normal,
///   renderQuality: setup.format.renderQuality)
/// let own = RateQuality(rejection: 100, passband: 0.9)
/// ```
///
/// Context: any.
public struct RateQuality: Sendable, Hashable {
  /// Attenuation of aliases and images in decibels, such as 70 to 145; 0 for linear interpolation.
  public var rejection: Double
  /// The passband as a fraction of half the lower sample rate, from 0 to below 1.
  public var passband: Double

  /// Makes a filter by its attenuation and its passband.
  ///
  /// - Parameters:
  ///   - rejection: Decibels; 0 for linear interpolation.
  ///   - passband: Fraction of half the lower sample rate, below 1.
  public init(rejection: Double, passband: Double) {
    self.rejection = rejection
    self.passband = passband
  }

  /// Linear interpolation: two samples of delay and almost no filter.
  public static let linear = RateQuality(rejection: 0, passband: 0)
  /// The filter of the mastering complexity: 145 dB, 97 % of the band.
  public static let mastering = RateQuality(rejection: 145, passband: 0.97)

  /// Makes the filter for a complexity and a render quality of Core Audio.
  ///
  /// - Parameters:
  ///   - complexity: A `kAudioUnitSampleRateConverterComplexity_…` code.
  ///   - renderQuality: 0 to 127; selects the filter of the normal complexity, from 70 to 135 dB.
  public init(complexity: UInt32, renderQuality: Int) {
    switch complexity {
    case kAudioUnitSampleRateConverterComplexity_Linear: self = .linear
    case kAudioUnitSampleRateConverterComplexity_Mastering: self = .mastering
    default:
      switch renderQuality {
      case ...31: self = RateQuality(rejection: 70, passband: 0.75)
      case ...63: self = RateQuality(rejection: 90, passband: 0.83)
      case ...95: self = RateQuality(rejection: 105, passband: 0.89)
      case ...126: self = RateQuality(rejection: 120, passband: 0.92)
      default: self = RateQuality(rejection: 135, passband: 0.95)
      }
    }
  }
}
