// Gains of loudspeakers: a mono source at a place, balance and fade.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox
import Glibc

/// Gains by the places of loudspeakers.
package enum ChannelPlacing {
  /// The azimuth of each channel, degrees from the front, positive to the right; nil for channels without
  /// a place, and all of it for unknown channels.
  package static func azimuths(of layout: ChannelLayout) -> [Double?]? {
    guard let labels = layout.labels else { return nil }
    return labels.enumerated().map { index, label in
      guard label == kAudioChannelLabel_UseCoordinates, index < layout.descriptions.count else {
        return ChannelRole.named(label)?.azimuth
      }
      let description = layout.descriptions[index]
      return azimuth(description.mChannelFlags, description.mCoordinates)
    }
  }

  /// The azimuth of coordinates; nil where their flags name no kind.
  package static func azimuth(
    _ flags: AudioChannelFlags, _ place: (Float32, Float32, Float32)
  ) -> Double? {
    if flags & kAudioChannelFlags_RectangularCoordinates != 0 {
      return atan2(Double(place.0), Double(place.1)) * 180 / .pi
    }
    return flags & kAudioChannelFlags_SphericalCoordinates != 0 ? Double(place.0) : nil
  }

  /// The gains of a mono source between the two loudspeakers beside it, whose squares have the sum 1;
  /// nil without loudspeakers.
  ///
  /// Where two neighbours are less than half a circle apart the sum of their directions points at the
  /// source; elsewhere (behind a pair in front) the gains go from one to the other evenly.
  package static func vectorGains(at azimuth: Double, _ places: [Double?]) -> [Float]? {
    let around = places.enumerated().compactMap { index, place in
      place.map { (index: index, angle: turn($0)) }
    }.sorted { $0.angle < $1.angle }
    guard let last = around.last, azimuth.isFinite else { return nil }
    var gains = [Float](repeating: 0, count: places.count)
    guard around.count > 1 else {
      gains[last.index] = 1
      return gains
    }
    let source = turn(azimuth)
    let next = around.firstIndex { $0.angle >= source } ?? 0
    let (right, left) = (around[next], around[(next + around.count - 1) % around.count])
    let width = turn(right.angle - left.angle)
    let way = turn(source - left.angle)
    guard width > 0 else {
      gains[right.index] = 1
      return gains
    }
    let (near, far): (Double, Double)
    if width < 179.999 {
      (near, far) = (sin((width - way) * .pi / 180), sin(way * .pi / 180))
    } else {
      (near, far) = (cos(way / width * .pi / 2), sin(way / width * .pi / 2))
    }
    let power = (near * near + far * far).squareRoot()
    gains[left.index] = Float(near / power)
    gains[right.index] = Float(far / power)
    return gains
  }

  /// The gains of a mono source in a sound field of the first order that loudspeakers make together,
  /// whose squares have the sum 1; nil without loudspeakers.
  package static func fieldGains(at azimuth: Double, _ places: [Double?]) -> [Float]? {
    guard places.contains(where: { $0 != nil }), azimuth.isFinite else { return nil }
    let raw = places.map { place in
      place.map { max(0, 1 + 2 * cos(($0 - azimuth) * .pi / 180)) } ?? 0
    }
    let power = raw.reduce(0) { $0 + $1 * $1 }.squareRoot()
    // Every loudspeaker is far from the source: the nearest one plays it.
    guard power > 1e-6 else { return vectorGains(at: azimuth, places) }
    return raw.map { Float($0 / power) }
  }

  /// The gains of channels for a balance (−1 left, 1 right) and a fade (−1 rear, 1 front).
  package static func balanceGains(
    balance: Double, fade: Double, isEqualPower: Bool, _ places: [Double?]
  ) -> [Float] {
    let weight = { (value: Double) -> Double in
      let bounded = max(-1, min(1, value.isNaN ? 0 : value))
      // 1 in the middle, 0 at the far end, +3 dB at the near one.
      return isEqualPower
        ? 2.0.squareRoot() * sin((bounded + 1) * .pi / 4) : min(1, 1 + bounded)
    }
    return places.map { place in
      guard let place else { return 1 }
      let angle = turn(place)
      let side = angle > 0.5 && angle < 179.5 ? 1.0 : angle > 180.5 && angle < 359.5 ? -1 : 0
      let front = angle < 89.5 || angle > 270.5 ? 1.0 : angle > 90.5 && angle < 269.5 ? -1 : 0
      let across = side == 0 ? 1 : weight(side * balance)
      let along = front == 0 ? 1 : weight(front * fade)
      return Float(across * along)
    }
  }

  /// An angle from 0 up to 360 degrees.
  private static func turn(_ angle: Double) -> Double {
    let rest = fmod(angle, 360)
    return rest < 0 ? rest + 360 : rest
  }
}
