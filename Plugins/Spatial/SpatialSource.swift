// The combined parameters and settings of one input of a mixer in space.
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

/// One input: its place, and its rendering. Context: render.
struct SpatialSource: BitwiseCopyable {
  let place: Place
  let route: SpatialRoute
  let hasDelay: Bool
  /// Metres, and whether their change is audible as a change of speed.
  let distance: Float
  let hasDoppler: Bool
  let rate: Float
  /// Gain to the reverb.
  let send: Float
  /// The attenuation by objects at 5 kHz (dB): of all of the sound, and of the direct part.
  let occlusion: Float
  let obstruction: Float

  /// Reads one input.
  @_noLocks init(
    _ slice: borrowing RenderSlice, _ bus: Int, _ settings: ParameterStore, _ turn: HeadTurn,
    isSpatialMixer: Bool
  ) {
    let flags = UInt32(settings.value(at: SpatialField.flags.place(bus)))
    let values = SourceValues(slice, bus, isSpatialMixer: isSpatialMixer)
    distance = values[.distance]
    rate = values[.rate]
    occlusion = values[.occlusion]
    obstruction = values[.obstruction]
    hasDelay = flags & kSpatialMixerRenderingFlags_InterAuralDelay != 0
    hasDoppler = flags & k3DMixerRenderingFlags_DopplerShift != 0
    let loss =
      flags & kSpatialMixerRenderingFlags_DistanceAttenuation != 0
      ? Self.curve(settings, bus, flags).gain(at: Double(distance)) : 1
    let isOn = values[.enable] >= 0.5
    let gain = isOn ? values.limited(values.gain * loss) : 0
    let blend =
      settings.value(at: SpatialField.usesReverb) == 0 ? 0 : Double(values[.blend] / 100)
    // A blend that is constant does not fall with the distance.
    let isConstant = flags & k3DMixerRenderingFlags_ConstantReverbBlend != 0
    let sent = isConstant && isOn ? values.limited(values.gain) : gain
    send = Float(sent * blend)
    place = turn.see(
      Place(
        azimuth: Double(values[.azimuth]) * .pi / 180,
        elevation: Double(values[.elevation]) * .pi / 180, gain: gain * (1 - blend)))
    route = SpatialRoute(settings, bus, isStereo: slice.inputChannelCount(bus: bus) > 1)
  }

  @_noLocks private static func curve(
    _ settings: ParameterStore, _ bus: Int, _ flags: UInt32
  ) -> DistanceCurve {
    var curve = DistanceCurve(
      kind: Int(settings.value(at: SpatialField.curve.place(bus))),
      reference: Double(settings.value(at: SpatialField.reference.place(bus))),
      maximum: Double(settings.value(at: SpatialField.maximum.place(bus))),
      attenuation: Double(settings.value(at: SpatialField.attenuation.place(bus))))
    if flags & k3DMixerRenderingFlags_LinearDistanceAttenuation != 0 {
      curve.kind = Int(kSpatialMixerAttenuationCurve_Linear)
    }
    return curve
  }
}

/// The values of an input's parameters. Context: render.
struct SourceValues: BitwiseCopyable {
  /// Places of the parameters, the same in both mixers.
  enum Name: Int {
    case azimuth, elevation, distance, gain, enable, least, greatest, rate, blend, occlusion
    case obstruction
    // The duplicates in the 3D mixer.
    case leastAgain, greatestAgain, blendAgain, occlusionAgain, obstructionAgain

    /// Returns a mixer's number of them.
    @_noLocks static func count(isSpatialMixer: Bool) -> Int { isSpatialMixer ? 11 : 16 }
  }

  private var values = SIMD16<Float>(repeating: 0)
  private let hasLinearLimits: Bool

  /// Reads the parameters of an input.
  @_noLocks init(_ slice: borrowing RenderSlice, _ bus: Int, isSpatialMixer: Bool) {
    hasLinearLimits = isSpatialMixer
    for index in 0..<Name.count(isSpatialMixer: isSpatialMixer) {
      values[index] = slice.inputParameter(bus: bus, index)
    }
    guard !isSpatialMixer else { return }
    // A duplicated parameter is combined from both.
    set(.least, max(self[.least], self[.leastAgain]))
    set(.greatest, min(self[.greatest], self[.greatestAgain]))
    set(.blend, max(self[.blend], self[.blendAgain]))
    set(.occlusion, max(-100, self[.occlusion] + self[.occlusionAgain]))
    set(.obstruction, max(-100, self[.obstruction] + self[.obstructionAgain]))
  }

  /// The value of a parameter.
  @_noLocks subscript(_ name: Name) -> Float { values[name.rawValue] }

  @_noLocks private mutating func set(_ name: Name, _ value: Float) {
    values[name.rawValue] = value
  }

  /// The gain, linear.
  var gain: Double { @_noLocks get { Self.linear(self[.gain]) } }

  /// A gain between the least and the greatest.
  @_noLocks func limited(_ gain: Double) -> Double {
    let least = hasLinearLimits ? Double(self[.least]) : Self.linear(self[.least])
    let greatest = hasLinearLimits ? Double(self[.greatest]) : Self.linear(self[.greatest])
    return max(least, min(gain, max(least, greatest)))
  }

  /// A gain in decibels, of which the least means silence.
  @_noLocks static func linear(_ decibels: Float) -> Double {
    decibels <= -120 ? 0 : RealtimeMath.gain(decibels: Double(decibels))
  }
}
