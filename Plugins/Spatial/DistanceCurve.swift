// The fall of a source's level with its distance.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport

/// The curve of an input: gain 1 up to the reference distance, the least gain from the greatest
/// distance on, and in between by the kind of curve.
struct DistanceCurve: BitwiseCopyable {
  /// A `kSpatialMixerAttenuationCurve_…` number.
  var kind: Int
  /// Distances in metres.
  var reference: Double
  var maximum: Double
  /// Decibels at the greatest distance.
  var attenuation: Double

  /// The gain at a distance (m).
  @_noLocks func gain(at distance: Double) -> Double {
    guard distance > reference, maximum > reference else { return 1 }
    let least = RealtimeMath.gain(decibels: -attenuation)
    guard distance < maximum else { return least }
    let part = (distance - reference) / (maximum - reference)
    switch UInt32(kind) {
    case kSpatialMixerAttenuationCurve_Linear: return 1 + (least - 1) * part
    case kSpatialMixerAttenuationCurve_Exponential:
      return RealtimeMath.gain(decibels: -attenuation * part)
    case kSpatialMixerAttenuationCurve_Inverse: return 1 / (1 + (1 / least - 1) * part)
    default:
      let ratio = RealtimeMath.log(distance / reference) / RealtimeMath.log(maximum / reference)
      return RealtimeMath.gain(decibels: -attenuation * ratio)
    }
  }
}
