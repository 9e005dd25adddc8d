// What the parameters and settings of one input of a mixer in space amount to.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// The turn of a head, in radians.
struct HeadTurn: BitwiseCopyable {
  /// To the right.
  var yaw = 0.0
  /// Upwards.
  var pitch = 0.0
  /// The right ear down.
  var roll = 0.0

  /// A direction as the turned head sees it.
  @_noLocks func see(_ place: Place) -> Place {
    guard yaw != 0 || pitch != 0 || roll != 0 else { return place }
    let turned = place.azimuth - yaw
    let flat = RealtimeMath.cos(place.elevation)
    let (front, side) = (flat * RealtimeMath.cos(turned), flat * RealtimeMath.sin(turned))
    let up = RealtimeMath.sin(place.elevation)
    let (cp, sp) = (RealtimeMath.cos(pitch), RealtimeMath.sin(pitch))
    let (cr, sr) = (RealtimeMath.cos(roll), RealtimeMath.sin(roll))
    let (x, above) = (front * cp + up * sp, up * cp - front * sp)
    let (y, z) = (side * cr - above * sr, above * cr + side * sr)
    var seen = place
    seen.azimuth = RealtimeMath.atan2(y, x)
    seen.elevation = RealtimeMath.atan2(z, RealtimeMath.hypot(x, y))
    return seen
  }
}

/// One input: its place, and how it is heard. Context: render.
struct SpatialSource: BitwiseCopyable {
  /// How an input is heard.
  enum Method: Int, BitwiseCopyable {
    /// Channel by channel, not in space.
    case pass
    /// By gains of loudspeakers.
    case pan
    /// By a head.
    case head
  }

  let place: Place
  let method: Int
  let law: PanLaw
  let hasDelay: Bool
  /// Whether two channels stand to both sides of the place, rather than in it.
  let isBed: Bool

  /// Reads one input.
  @_noLocks init(
    _ slice: borrowing RenderSlice, _ bus: Int, _ settings: ParameterStore, _ turn: HeadTurn,
    isSpatialMixer: Bool
  ) {
    let first = bus * SpatialField.stride
    let flags = UInt32(settings.value(at: first + 1))
    var curve = DistanceCurve(
      kind: Int(settings.value(at: first + 2)),
      reference: Double(settings.value(at: first + 4)),
      maximum: Double(settings.value(at: first + 5)),
      attenuation: Double(settings.value(at: first + 6)))
    if flags & k3DMixerRenderingFlags_LinearDistanceAttenuation != 0 {
      curve.kind = Int(kSpatialMixerAttenuationCurve_Linear)
    }
    let decibels = slice.inputParameter(bus: bus, 3)
    var gain = decibels <= -120 ? 0 : RealtimeMath.gain(decibels: Double(decibels))
    if flags & kSpatialMixerRenderingFlags_DistanceAttenuation != 0 {
      gain *= curve.gain(at: Double(slice.inputParameter(bus: bus, 2)))
    }
    if isSpatialMixer {
      let least = Double(slice.inputParameter(bus: bus, 5))
      gain = max(least, min(gain, max(least, Double(slice.inputParameter(bus: bus, 6)))))
    }
    if slice.inputParameter(bus: bus, 4) < 0.5 { gain = 0 }
    place = turn.see(
      Place(
        azimuth: Double(slice.inputParameter(bus: bus, 0)) * .pi / 180,
        elevation: Double(slice.inputParameter(bus: bus, 1)) * .pi / 180, gain: gain))
    hasDelay = flags & kSpatialMixerRenderingFlags_InterAuralDelay != 0
    var algorithm = UInt32(settings.value(at: first))
    if algorithm == kSpatializationAlgorithm_UseOutputType {
      let output = UInt32(settings.value(at: SpatialField.outputType))
      algorithm =
        output == kSpatialMixerOutputType_Headphones
        ? kSpatializationAlgorithm_SphericalHead : kSpatializationAlgorithm_VectorBasedPanning
    }
    let mode = UInt32(settings.value(at: first + 3))
    isBed = mode == kSpatialMixerSourceMode_AmbienceBed
    let isStereo = slice.inputChannelCount(bus: bus) > 1
    var passes = algorithm == kSpatializationAlgorithm_StereoPassThrough
    if mode == kSpatialMixerSourceMode_Bypass { passes = true }
    if mode == kSpatialMixerSourceMode_SpatializeIfMono, isStereo { passes = true }
    switch algorithm {
    case kSpatializationAlgorithm_SphericalHead, kSpatializationAlgorithm_HRTF,
      kSpatializationAlgorithm_HRTFHQ:
      law = .vector
      method = (passes ? Method.pass : Method.head).rawValue
    case kSpatializationAlgorithm_SoundField:
      law = .soundField
      method = (passes ? Method.pass : Method.pan).rawValue
    case kSpatializationAlgorithm_EqualPowerPanning:
      law = .equalPower
      method = (passes ? Method.pass : Method.pan).rawValue
    default:
      law = .vector
      method = (passes ? Method.pass : Method.pan).rawValue
    }
  }
}
