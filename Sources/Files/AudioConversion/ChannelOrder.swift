// The loudspeakers of channels, by number: the usual ones, their order, and those of a mask.
// SPDX-License-Identifier: Apache-2.0

/// The numbers of loudspeakers in channel maps, which are those of libsndfile (`SF_CHANNEL_MAP_…`),
/// and the place of each among others.
package enum ChannelOrder {
  /// The loudspeakers of so many channels without a description, in the order of WAV; empty for
  /// numbers of channels that have none.
  package static func usualMap(_ count: Int) -> [Int32] {
    switch count {
    case 3: [left, right, center]
    case 4: [left, right, rearLeft, rearRight]
    case 5: [left, right, center, rearLeft, rearRight]
    case 6: [left, right, center, low, rearLeft, rearRight]
    case 7: [left, right, center, low, rear, sideLeft, sideRight]
    case 8: [left, right, center, low, rearLeft, rearRight, sideLeft, sideRight]
    default: []
    }
  }

  /// The places that the channels of a map have in the order of WAV. Nil where they have them
  /// already, or the map does not name a different loudspeaker for each.
  package static func places(of map: [Int32]) -> [Int]? {
    let mask = map.reduce(UInt64(0)) { $0 | Self.mask(of: [$1]) }
    return places(of: map, in: self.map(mask: mask, channelCount: map.count))
  }

  /// The places that the channels of a map have in another one of the same loudspeakers; nil where
  /// both are alike, or name other loudspeakers.
  package static func places(of map: [Int32], in other: [Int32]) -> [Int]? {
    let other = merged(other)
    let places = merged(map).compactMap(other.firstIndex)
    guard places.count == map.count, Set(places).count == other.count else { return nil }
    return places.elementsEqual(places.indices) ? nil : places
  }

  /// Returns the places of a map's channels in another one of other loudspeakers. Common ones keep
  /// theirs, the others fill the rest, in their order; nil if both are alike.
  package static func nearestPlaces(of map: [Int32], in other: [Int32]) -> [Int]? {
    guard map.count == other.count, !map.isEmpty, !areOfSameChannels(map, other) else {
      return nil
    }
    let (map, other) = (merged(map), merged(other))
    var places = map.map { other.firstIndex(of: $0) }
    var left = other.indices.filter { !places.contains($0) }
    // Channels for low frequencies alone come last: encoders leave all others out there.
    for isLow in [false, true] {
      for index in places.indices where places[index] == nil && (map[index] == low) == isLow {
        places[index] = left.isEmpty ? nil : left.removeFirst()
      }
    }
    let found = places.compactMap(\.self)
    return found.count == map.count ? found : nil
  }

  /// Whether the channels of two maps are for the same loudspeakers, one by one.
  package static func areAlike(_ map: [Int32], _ other: [Int32]) -> Bool {
    merged(map) == merged(other)
  }

  /// Whether two maps are of the same loudspeakers, in any order.
  package static func areOfSameChannels(_ map: [Int32], _ other: [Int32]) -> Bool {
    merged(map).sorted() == merged(other).sorted()
  }

  /// Returns a map with side loudspeakers as rear ones, where there is only one of the pairs: kinds
  /// of files differ in their name.
  private static func merged(_ map: [Int32]) -> [Int32] {
    guard !map.contains(rearLeft), !map.contains(rearRight) else { return map }
    return map.map { $0 == sideLeft ? rearLeft : $0 == sideRight ? rearRight : $0 }
  }

  /// A loudspeaker whose place is unknown.
  package static let unknown: Int32 = 0
  /// The only one.
  package static let mono: Int32 = 1
  /// Left, in front.
  package static let left: Int32 = 2
  /// Right, in front.
  package static let right: Int32 = 3
  /// Between left and right.
  package static let center: Int32 = 4
  /// Another number for left.
  package static let frontLeft: Int32 = 5
  /// Another number for right.
  package static let frontRight: Int32 = 6
  /// Another number for the centre.
  package static let frontCenter: Int32 = 7
  /// Behind, in the middle.
  package static let rear: Int32 = 8
  /// Behind, left.
  package static let rearLeft: Int32 = 9
  /// Behind, right.
  package static let rearRight: Int32 = 10
  /// Low frequencies alone (LFE).
  package static let low: Int32 = 11
  /// Between left and centre.
  package static let leftOfCenter: Int32 = 12
  /// Between centre and right.
  package static let rightOfCenter: Int32 = 13
  /// At the left side.
  package static let sideLeft: Int32 = 14
  /// At the right side.
  package static let sideRight: Int32 = 15
  /// Above.
  package static let top: Int32 = 16
  /// Above, in front, left.
  package static let topFrontLeft: Int32 = 17
  /// Above, in front, right.
  package static let topFrontRight: Int32 = 18
  /// Above, in front, in the middle.
  package static let topFrontCenter: Int32 = 19
  /// Above, behind, left.
  package static let topRearLeft: Int32 = 20
  /// Above, behind, right.
  package static let topRearRight: Int32 = 21
  /// Above, behind, in the middle.
  package static let topRearCenter: Int32 = 22
}

extension ChannelOrder {
  /// The loudspeakers of extensible WAV, by their bits.
  private static let loudspeakers: [Int32] = [
    left, right, center, low, rearLeft, rearRight, leftOfCenter, rightOfCenter, rear, sideLeft,
    sideRight, top, topFrontLeft, topFrontCenter, topFrontRight, topRearLeft, topRearCenter,
    topRearRight,
  ]

  /// The map of channels in a mask of loudspeakers; empty for an empty mask.
  package static func map(mask: UInt64, channelCount: Int) -> [Int32] {
    let bits = (0..<64).filter { mask >> UInt64($0) & 1 == 1 }
    guard channelCount > 2, bits.count == channelCount, let last = bits.last,
      last < loudspeakers.count
    else {
      return []
    }
    return bits.map { loudspeakers[$0] }
  }

  /// The mask of a map whose channels are in the mask's order; 0 for others.
  package static func mask(of map: [Int32]) -> UInt64 {
    var mask: UInt64 = 0
    for place in map {
      guard let bit = loudspeakers.firstIndex(of: place), mask >> UInt64(bit) == 0 else { return 0 }
      mask |= 1 << UInt64(bit)
    }
    return mask
  }
}
