// The order in which channels stand: that of WAV for what is read, the file's own for what is written.
// SPDX-License-Identifier: Apache-2.0

import CSndFile

/// The loudspeakers of channels, and where each stands among others; by the file library's numbers.
enum ChannelOrder {
  /// The loudspeakers of so many channels where nothing tells them, in the order of WAV; empty for
  /// numbers of channels that have none.
  static func usualMap(_ count: Int) -> [Int32] {
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

  /// The places that the channels of a map have in the order of WAV; nil where they stand so already,
  /// or the map does not tell of a different loudspeaker for each.
  static func places(of map: [Int32]) -> [Int]? {
    let mask = map.reduce(UInt64(0)) { $0 | channelMask(map: [$1]) }
    return places(of: map, in: AudioFiles.channelMap(mask: mask, channelCount: map.count))
  }

  /// The places that the channels of a map have in another one of the same loudspeakers; nil where
  /// both are alike, or tell of other loudspeakers.
  static func places(of map: [Int32], in other: [Int32]) -> [Int]? {
    let other = merged(other)
    let places = merged(map).compactMap(other.firstIndex)
    guard places.count == map.count, Set(places).count == other.count else { return nil }
    return places.elementsEqual(places.indices) ? nil : places
  }

  /// The places that the channels of a map have in another one of other loudspeakers: those that both
  /// have keep theirs, the others fill what is left, in their order; nil where both are alike.
  static func nearestPlaces(of map: [Int32], in other: [Int32]) -> [Int]? {
    guard map.count == other.count, !map.isEmpty, !areOfSameChannels(map, other) else {
      return nil
    }
    let (map, other) = (merged(map), merged(other))
    var places = map.map { other.firstIndex(of: $0) }
    var left = other.indices.filter { !places.contains($0) }
    // What is meant for low frequencies alone comes last: encoders leave all others out there.
    for isLow in [false, true] {
      for index in places.indices where places[index] == nil && (map[index] == low) == isLow {
        places[index] = left.isEmpty ? nil : left.removeFirst()
      }
    }
    let found = places.compactMap(\.self)
    return found.count == map.count ? found : nil
  }

  /// Whether the channels of two maps are for the same loudspeakers, one by one.
  static func areAlike(_ map: [Int32], _ other: [Int32]) -> Bool { merged(map) == merged(other) }

  /// Whether two maps are of the same loudspeakers, in any order.
  static func areOfSameChannels(_ map: [Int32], _ other: [Int32]) -> Bool {
    merged(map).sorted() == merged(other).sorted()
  }

  /// With the loudspeakers at the sides as those behind, where there is only one of the pairs: kinds
  /// of files differ in what they call it.
  private static func merged(_ map: [Int32]) -> [Int32] {
    guard !map.contains(rearLeft), !map.contains(rearRight) else { return map }
    return map.map { $0 == sideLeft ? rearLeft : $0 == sideRight ? rearRight : $0 }
  }

  static let left = Int32(SF_CHANNEL_MAP_LEFT)
  static let right = Int32(SF_CHANNEL_MAP_RIGHT)
  static let center = Int32(SF_CHANNEL_MAP_CENTER)
  static let low = Int32(SF_CHANNEL_MAP_LFE)
  static let rear = Int32(SF_CHANNEL_MAP_REAR_CENTER)
  static let rearLeft = Int32(SF_CHANNEL_MAP_REAR_LEFT)
  static let rearRight = Int32(SF_CHANNEL_MAP_REAR_RIGHT)
  static let sideLeft = Int32(SF_CHANNEL_MAP_SIDE_LEFT)
  static let sideRight = Int32(SF_CHANNEL_MAP_SIDE_RIGHT)
}

extension AudioFileFormat {
  /// The loudspeakers of the channels, in the order of the file, where its kind fixes them; empty
  /// where it does not.
  var fixedChannelMap: [Int32] {
    typealias Order = ChannelOrder
    switch (encoding, channelCount) {
    case (.vorbis, 3), (.opus, 3): return [Order.left, Order.center, Order.right]
    case (.vorbis, 5), (.opus, 5): return Self.vorbisFront + [Order.rearLeft, Order.rearRight]
    case (.vorbis, 6), (.opus, 6):
      return Self.vorbisFront + [Order.rearLeft, Order.rearRight, Order.low]
    case (.vorbis, 7), (.opus, 7):
      return Self.vorbisFront + [Order.sideLeft, Order.sideRight, Order.rear, Order.low]
    case (.vorbis, 8), (.opus, 8):
      return Self.vorbisFront
        + [Order.sideLeft, Order.sideRight, Order.rearLeft, Order.rearRight, Order.low]
    case (.vorbis, _), (.opus, _): return Order.usualMap(channelCount)
    case (.alac16, 3...6), (.alac20, 3...6), (.alac24, 3...6), (.alac32, 3...6):
      // Only the file library leaves the order to those who use it.
      return container == .caf ? Self.losslessMap(channelCount) : []
    default: return container == .flac ? Order.usualMap(channelCount) : []
    }
  }

  private static let vorbisFront = [ChannelOrder.left, ChannelOrder.center, ChannelOrder.right]

  /// Apple lossless begins with the centre.
  private static func losslessMap(_ count: Int) -> [Int32] {
    typealias Order = ChannelOrder
    let front = [Order.center, Order.left, Order.right]
    switch count {
    case 3: return front
    case 4: return front + [Order.rear]
    case 5: return front + [Order.rearLeft, Order.rearRight]
    default: return front + [Order.rearLeft, Order.rearRight, Order.low]
    }
  }
}

extension AudioFileMetadata {
  /// What FLAC files hold where the loudspeakers are not the usual ones.
  private static let maskKey = "WAVEFORMATEXTENSIBLE_CHANNEL_MASK"

  /// Brings the loudspeakers of a file that is read into the order of WAV.
  ///
  /// - Returns: The place there of each channel of the file; nil when they stand so already.
  mutating func sortChannels(_ format: AudioFileFormat) -> [Int]? {
    if let text = tags.removeValue(forKey: Self.maskKey)?.first, format.container == .flac,
      let mask = UInt64(text.hasPrefix("0x") ? text.dropFirst(2) : text[...], radix: 16)
    {
      channelMap = AudioFiles.channelMap(mask: mask, channelCount: format.channelCount)
    }
    if channelMap.isEmpty { channelMap = format.fixedChannelMap }
    guard let places = ChannelOrder.places(of: channelMap) else { return nil }
    let told = channelMap
    for (channel, place) in places.enumerated() { channelMap[place] = told[channel] }
    return places
  }

  /// Brings the loudspeakers into the order that a file to be written has.
  ///
  /// - Returns: The row that each channel of the file comes from; nil when the rows stand so already.
  mutating func orderChannels(_ format: AudioFileFormat) -> [Int]? {
    let fixed = format.fixedChannelMap
    let isTold = channelMap.count == format.channelCount
    // Of five and six channels programs differ in whether the last two stand behind or at the sides.
    if format.container == .flac, isTold, channelMap != fixed || (5...6).contains(fixed.count) {
      let mask = channelMask(map: channelMap)
      if mask != 0 { tags[Self.maskKey] = ["0x" + String(mask, radix: 16, uppercase: true)] }
    }
    let map = isTold ? channelMap : ChannelOrder.usualMap(format.channelCount)
    let isFixedByKind = [.vorbis, .opus].contains(format.encoding)
    guard
      let places = ChannelOrder.places(of: fixed, in: map)
        ?? (isFixedByKind ? ChannelOrder.nearestPlaces(of: fixed, in: map) : nil)
    else { return nil }
    if isTold { channelMap = places.map { map[$0] } }
    return places
  }

  /// Whether a file that tells of loudspeakers by a mask has others than its channels are for.
  func losesChannels(inMask mask: UInt64, _ format: AudioFileFormat) -> Bool {
    guard format.channelCount > 2, channelMap.count == format.channelCount else { return false }
    let told = AudioFiles.channelMap(mask: mask, channelCount: format.channelCount)
    return !ChannelOrder.areAlike(channelMap, told)
  }

  /// Whether a file need not tell what its channels are for: it goes without saying, or stands in
  /// its tags.
  func tellsChannels(_ format: AudioFileFormat) -> Bool {
    [[1], [2, 3]].contains(channelMap)
      || ChannelOrder.areOfSameChannels(channelMap, format.fixedChannelMap)
      || format.container == .flac && channelMask(map: channelMap) != 0
  }
}

/// Rows in another order than somebody gave them.
@safe final class ReorderedRows {
  private let places: [Int]
  private let rows: ChannelPointers

  /// Nothing to reorder gives nil.
  init?(_ places: [Int]?) {
    guard let places else { return nil }
    self.places = places
    unsafe rows = .allocate(capacity: places.count)
  }

  deinit {
    unsafe rows.deallocate()
  }

  /// The rows, each channel of the file at the place it has among those given; good until the next call.
  func callAsFunction(_ given: ChannelPointers) -> ChannelPointers {
    for (channel, place) in places.enumerated() {
      unsafe (rows + channel).initialize(to: given[place])
    }
    return unsafe rows
  }
}
