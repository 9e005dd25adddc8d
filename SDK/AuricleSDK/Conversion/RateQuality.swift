// The quality of a sample-rate conversion: passband and rejection.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// The filter of a sample-rate conversion.
public struct RateQuality: Sendable, Hashable {
  /// Attenuation of aliases and images in decibels; 0 for linear interpolation.
  public var rejection: Double
  /// The passband as a fraction of half the lower sample rate.
  public var passband: Double

  /// Chooses a filter.
  public init(rejection: Double, passband: Double) {
    self.rejection = rejection
    self.passband = passband
  }

  /// Linear interpolation: two samples of delay and almost no filter.
  public static let linear = RateQuality(rejection: 0, passband: 0)
  /// The filter of the mastering complexity: 145 dB, 97 % of the band.
  public static let mastering = RateQuality(rejection: 145, passband: 0.97)

  /// The filter for a complexity and a render quality of Core Audio.
  ///
  /// - Parameters:
  ///   - complexity: A `kAudioUnitSampleRateConverterComplexity_…` code.
  ///   - renderQuality: 0 to 127; selects the filter of the normal complexity.
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
