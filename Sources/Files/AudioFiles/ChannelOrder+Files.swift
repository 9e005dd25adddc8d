// The order of channels in files: that of WAV for reading, the file's own for writing.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion

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
    case (.alac16, 3...6), (.alac20, 3...6), (.alac24, 3...6), (.alac32, 3...6), (.aac, 3...6):
      // Only in CAF the order is left to its users.
      return container == .caf ? Self.losslessMap(channelCount) : []
    default: return container == .flac ? Order.usualMap(channelCount) : []
    }
  }

  private static let vorbisFront = [ChannelOrder.left, ChannelOrder.center, ChannelOrder.right]

  /// Apple lossless and AAC begin with the centre.
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
  /// The key of FLAC files where the loudspeakers are not the usual ones.
  private static let maskKey = "WAVEFORMATEXTENSIBLE_CHANNEL_MASK"

  /// Brings the loudspeakers of a file that is read into the order of WAV.
  ///
  /// - Returns: The place there of each channel of the file; nil when they have that order already.
  mutating func sortChannels(_ format: AudioFileFormat) -> [Int]? {
    if let text = tags.removeValue(forKey: Self.maskKey)?.first, format.container == .flac,
      let mask = UInt64(text.hasPrefix("0x") ? text.dropFirst(2) : text[...], radix: 16)
    {
      channelMap = ChannelOrder.map(mask: mask, channelCount: format.channelCount)
    }
    if channelMap.isEmpty { channelMap = format.fixedChannelMap }
    guard let places = ChannelOrder.places(of: channelMap) else { return nil }
    let supplied = channelMap
    for (channel, place) in places.enumerated() { channelMap[place] = supplied[channel] }
    return places
  }

  /// Brings the loudspeakers into the order that a file to be written has.
  ///
  /// - Returns: The row that each channel of the file comes from; nil when the rows have that order
  ///   already.
  mutating func orderChannels(_ format: AudioFileFormat) -> [Int]? {
    let fixed = format.fixedChannelMap
    let isListed = channelMap.count == format.channelCount
    // For five and six channels programs differ in whether the last two are behind or at the sides.
    if format.container == .flac, isListed, channelMap != fixed || (5...6).contains(fixed.count) {
      let mask = ChannelOrder.mask(of: channelMap)
      if mask != 0 { tags[Self.maskKey] = ["0x" + String(mask, radix: 16, uppercase: true)] }
    }
    let map = isListed ? channelMap : ChannelOrder.usualMap(format.channelCount)
    let isFixedByKind = [.vorbis, .opus].contains(format.encoding)
    guard
      let places = ChannelOrder.places(of: fixed, in: map)
        ?? (isFixedByKind ? ChannelOrder.nearestPlaces(of: fixed, in: map) : nil)
    else { return nil }
    if isListed { channelMap = places.map { map[$0] } }
    return places
  }

  /// Whether a file that describes loudspeakers by a mask has others than its channels are for.
  func losesChannels(inMask mask: UInt64, _ format: AudioFileFormat) -> Bool {
    guard format.channelCount > 2, channelMap.count == format.channelCount else { return false }
    let masked = ChannelOrder.map(mask: mask, channelCount: format.channelCount)
    return !ChannelOrder.areAlike(channelMap, masked)
  }

  /// Whether a file needs no description of its channels: it is implied, or in its tags.
  func storesChannels(_ format: AudioFileFormat) -> Bool {
    [[1], [2, 3]].contains(channelMap)
      || ChannelOrder.areOfSameChannels(channelMap, format.fixedChannelMap)
      || format.container == .flac && ChannelOrder.mask(of: channelMap) != 0
  }
}
