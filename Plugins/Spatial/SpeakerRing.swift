// Gains of loudspeakers for a direction: by pairs (vector, equal power), or of a decoded sound field.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Glibc
import RealtimeSupport

/// The distribution of a source among loudspeakers.
enum PanLaw: Int, BitwiseCopyable {
  /// Between two neighbours, by the part of the angle between them: cosine and sine.
  case equalPower
  /// Between two neighbours, so that their vectors add up to the direction (tangent law).
  case vector
  /// A sound field around the listener, decoded for the loudspeakers.
  case soundField
}

/// Loudspeakers around the listener by azimuth. Context: render; made and freed on a control thread.
@safe struct SpeakerRing: BitwiseCopyable {
  private struct Speaker: BitwiseCopyable {
    let angle: Double
    let channel: Int
    /// Angle of the ring that is nearest to it.
    let arc: Double
  }

  private let count: Int
  private let speakers: UnsafeMutablePointer<Speaker>
  private let order: Int

  /// Allocates the ring. Context: control.
  init(_ layout: SpeakerLayout) {
    let placed = layout.azimuths.enumerated().compactMap { channel, degrees in
      degrees.map { (angle: $0 * .pi / 180, channel: channel) }
    }.sorted { $0.angle < $1.angle }
    count = placed.count
    order = count == 2 ? 1 : min(3, (count - 1) / 2)
    unsafe speakers = .allocate(capacity: max(count, 1))
    let turn = 2 * Double.pi
    for (index, place) in placed.enumerated() {
      let before = index == 0 ? placed[placed.count - 1].angle - turn : placed[index - 1].angle
      let after = index + 1 == placed.count ? placed[0].angle + turn : placed[index + 1].angle
      unsafe (speakers + index).initialize(
        to: Speaker(angle: place.angle, channel: place.channel, arc: (after - before) / 2))
    }
  }

  /// Frees the memory. Context: control.
  func deallocate() { unsafe speakers.deallocate() }

  /// Weight of a rank of a sound field of an order, for the greatest energy in the direction.
  @_noLocks private static func weight(_ rank: Int, _ order: Int) -> Double {
    RealtimeMath.cos(Double(rank) * .pi / Double(2 * order + 2))
  }

  /// Sets the gains of all channels for a direction (radians); channels without a place keep theirs.
  @_noLocks func fill(
    _ gains: UnsafeMutablePointer<Float>, _ law: PanLaw, azimuth: Double, elevation: Double,
    gain: Double
  ) {
    switch law.rawValue {
    case PanLaw.soundField.rawValue:
      unsafe decode(gains, azimuth: azimuth, elevation: elevation, gain: gain)
    case PanLaw.equalPower.rawValue where count == 2:
      let side = RealtimeMath.sin(azimuth) * RealtimeMath.cos(elevation)
      let angle = (side + 1) * Double.pi / 4
      unsafe gains[speakers[0].channel] = Float(gain * RealtimeMath.cos(angle))
      unsafe gains[speakers[1].channel] = Float(gain * RealtimeMath.cos(.pi / 2 - angle))
    default:
      let isVector = law.rawValue == PanLaw.vector.rawValue
      unsafe pair(gains, isVector, azimuth: azimuth, elevation: elevation, gain: gain)
    }
  }

  /// Shares out between the two neighbours; upwards and downwards more and more among all.
  @_noLocks private func pair(
    _ gains: UnsafeMutablePointer<Float>, _ isVector: Bool, azimuth: Double, elevation: Double,
    gain: Double
  ) {
    let azimuth = count == 2 ? folded(azimuth) : azimuth
    var left = count - 1
    for index in 0..<count where unsafe speakers[index].angle <= azimuth { left = index }
    if count == 2 { left = 0 }
    let right = left + 1 == count ? 0 : left + 1
    var from = unsafe speakers[left].angle
    var to = unsafe speakers[right].angle
    if to <= from { to += 2 * .pi }
    if azimuth < from {
      from -= 2 * .pi
      to -= 2 * .pi
    }
    var first: Double
    var second: Double
    if isVector {
      first = RealtimeMath.sin(to - azimuth)
      second = RealtimeMath.sin(azimuth - from)
    } else {
      let angle = (azimuth - from) / (to - from) * .pi / 2
      first = RealtimeMath.cos(angle)
      second = RealtimeMath.sin(angle)
    }
    let length = RealtimeMath.hypot(first, second)
    first /= length
    second /= length
    let flat = RealtimeMath.cos(elevation)
    let rest = elevation == 0 ? 0 : RealtimeMath.sin(elevation)
    let all = rest * rest / Double(count)
    for index in 0..<count {
      var part = index == left ? first : (index == right ? second : 0)
      if elevation != 0 { part = RealtimeMath.sqrt(flat * flat * part * part + all) }
      unsafe gains[speakers[index].channel] = Float(gain * part)
    }
  }

  /// Returns the place of a direction between two loudspeakers in front: directions behind are mirrored.
  @_noLocks private func folded(_ azimuth: Double) -> Double {
    var angle = azimuth
    if angle > .pi / 2 { angle = .pi - angle }
    if angle < -.pi / 2 { angle = -.pi - angle }
    return unsafe min(max(angle, speakers[0].angle), speakers[1].angle)
  }

  /// Decodes a sound field: for two loudspeakers by cardioids to the sides, else in the highest order that the ring can play.
  /// The arc around a loudspeaker weighs its gain. In the plane of the loudspeakers the power is the source's.
  @_noLocks private func decode(
    _ gains: UnsafeMutablePointer<Float>, azimuth: Double, elevation: Double, gain: Double
  ) {
    let flat = RealtimeMath.cos(elevation)
    var power = 0.0
    for index in 0..<count {
      let part = part(index, azimuth, 1)
      power += part * part
    }
    let scale = gain / RealtimeMath.sqrt(max(power, 1e-12))
    for index in 0..<count {
      unsafe gains[speakers[index].channel] = Float(scale * part(index, azimuth, flat))
    }
  }

  /// Returns the part of a loudspeaker in a direction, with the cosine of the elevation as `flat`.
  @_noLocks private func part(_ index: Int, _ azimuth: Double, _ flat: Double) -> Double {
    let speaker = unsafe speakers[index]
    if count == 2 {
      let side = RealtimeMath.sin(azimuth) * flat
      return (index == 0 ? 1 - side : 1 + side) / 2
    }
    var sum = 1.0
    var power = 1.0
    for rank in 1...order {
      power *= flat
      sum +=
        2 * Self.weight(rank, order) * power
        * RealtimeMath.cos(Double(rank) * (azimuth - speaker.angle))
    }
    return speaker.arc * sum
  }
}
