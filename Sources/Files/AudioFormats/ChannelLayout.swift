// A layout of channels: by tag, by bitmap or by descriptions.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// The places of channels. The corresponding Core Audio type is `AudioChannelLayout`.
package struct ChannelLayout: Sendable {
  /// The tag, or one of the two that refer to the other fields.
  package let tag: AudioChannelLayoutTag
  /// The channels of a layout by bitmap.
  package let bitmap: AudioChannelBitmap
  /// The channels of a layout by descriptions.
  package let descriptions: [AudioChannelDescription]

  /// Bytes before the descriptions.
  package static let headerSize = 12

  /// A layout by tag.
  package init(tag: AudioChannelLayoutTag) {
    self.tag = tag
    bitmap = 0
    descriptions = []
  }

  /// A layout by descriptions.
  package init(labels: [AudioChannelLabel]) {
    tag = kAudioChannelLayoutTag_UseChannelDescriptions
    bitmap = 0
    descriptions = labels.map {
      AudioChannelDescription(mChannelLabel: $0, mChannelFlags: 0, mCoordinates: (0, 0, 0))
    }
  }

  /// Reads a layout; nil where bytes are missing.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.headerSize else { return nil }
    let count = unsafe Int(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    let size = MemoryLayout<AudioChannelDescription>.size
    guard count <= (bytes.count - Self.headerSize) / size else { return nil }
    tag = unsafe bytes.loadUnaligned(as: UInt32.self)
    bitmap = unsafe bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
    descriptions = (0..<count).map { index in
      unsafe bytes.loadUnaligned(
        fromByteOffset: Self.headerSize + index * size, as: AudioChannelDescription.self)
    }
  }

  /// Reads the layout behind a pointer, whose length is in it; nil for null, and for more
  /// descriptions than there are channels anywhere.
  package init?(_ layout: UnsafePointer<AudioChannelLayout>?) {
    guard let start = unsafe UnsafeRawPointer(layout) else { return nil }
    let count = unsafe Int(start.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    guard count <= 0xFFFF else { return nil }
    let size = Self.headerSize + count * MemoryLayout<AudioChannelDescription>.size
    unsafe self.init(UnsafeRawBufferPointer(start: start, count: size))
  }

  /// The number of channels.
  package var channelCount: Int {
    switch tag {
    case kAudioChannelLayoutTag_UseChannelDescriptions: descriptions.count
    case kAudioChannelLayoutTag_UseChannelBitmap: bitmap.nonzeroBitCount
    default: Int(tag & 0xFFFF)
    }
  }

  /// The labels of all channels; nil for a tag that is unknown and for bits that mean nothing.
  package var labels: [AudioChannelLabel]? {
    switch tag {
    case kAudioChannelLayoutTag_UseChannelDescriptions: descriptions.map(\.mChannelLabel)
    case kAudioChannelLayoutTag_UseChannelBitmap: ChannelBits.labels(of: bitmap)
    default: LayoutTags.labels(of: tag)
    }
  }

  /// The tag of a layout: its own, or that of its channels; nil when these have no tag.
  package var equivalentTag: AudioChannelLayoutTag? {
    switch tag {
    case kAudioChannelLayoutTag_UseChannelDescriptions,
      kAudioChannelLayoutTag_UseChannelBitmap:
      labels.flatMap(LayoutTags.tag(of:))
    default: LayoutTags.labels(of: tag) == nil ? nil : tag
    }
  }

  /// The layout with a description of each channel; nil where the channels are unknown.
  package var expanded: ChannelLayout? {
    tag == kAudioChannelLayoutTag_UseChannelDescriptions
      ? self : labels.map(ChannelLayout.init(labels:))
  }

  /// The layout as C code reads it, without padding behind it.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for word in [tag, bitmap, UInt32(descriptions.count)] {
      unsafe withUnsafeBytes(of: word) { unsafe bytes.append(contentsOf: $0) }
    }
    for description in descriptions {
      unsafe withUnsafeBytes(of: description) { unsafe bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  /// The common part of two layouts of the same channels in the same order.
  package var identity: [UInt32]? {
    guard let labels else { return nil }
    let places = tag == kAudioChannelLayoutTag_UseChannelDescriptions ? descriptions : []
    return labels.enumerated().flatMap { index, label -> [UInt32] in
      guard label == kAudioChannelLabel_UseCoordinates, index < places.count else {
        return [label]
      }
      let place = places[index].mCoordinates
      return [
        label, places[index].mChannelFlags, place.0.bitPattern, place.1.bitPattern,
        place.2.bitPattern,
      ]
    }
  }

  /// A number that equivalent layouts share (FNV-1a of their channels); nil for unknown channels.
  package var hash: UInt32? {
    guard let identity else { return nil }
    var hash: UInt32 = 0x811C_9DC5
    for word in identity {
      for shift: UInt32 in [0, 8, 16, 24] {
        hash = (hash ^ (word >> shift & 0xFF)) &* 0x0100_0193
      }
    }
    return hash
  }

  /// Whether this can be the layout of something: known channels, at least one, none reserved.
  package var isValid: Bool {
    guard let labels, !labels.isEmpty else { return false }
    return labels.allSatisfy {
      $0 == kAudioChannelLabel_Unknown || $0 < kAudioChannelLabel_BeginReserved
    }
  }
}

/// The channels of bitmaps.
package enum ChannelBits {
  /// The labels of the bits, from the lowest; nil where a bit has none.
  package static func labels(of bitmap: AudioChannelBitmap) -> [AudioChannelLabel]? {
    let bits = (0..<32).filter { bitmap >> UInt32($0) & 1 == 1 }
    let labels = bits.compactMap { label(bit: $0) }
    return labels.count == bits.count ? labels : nil
  }

  /// The bits of some labels; nil where one has no bit, or two have the same.
  package static func bitmap(of labels: [AudioChannelLabel]) -> AudioChannelBitmap? {
    var bitmap: AudioChannelBitmap = 0
    for label in labels {
      let wanted = label == kAudioChannelLabel_Mono ? kAudioChannelLabel_Center : label
      guard let bit = (0..<32).first(where: { Self.label(bit: $0) == wanted }),
        bitmap >> UInt32(bit) & 1 == 0
      else { return nil }
      bitmap |= 1 << UInt32(bit)
    }
    return bitmap
  }

  private static func label(bit: Int) -> AudioChannelLabel? {
    switch bit {
    case 0..<18: UInt32(bit) + kAudioChannelLabel_Left
    case 21: kAudioChannelLabel_LeftTopMiddle
    case 23: kAudioChannelLabel_RightTopMiddle
    case 24: kAudioChannelLabel_LeftTopRear
    case 25: kAudioChannelLabel_CenterTopRear
    case 26: kAudioChannelLabel_RightTopRear
    default: nil
    }
  }
}
