// Cookies as files and callers have them, and the configurations for decoders.
// SPDX-License-Identifier: Apache-2.0

import AudioFormats
package import CAudioToolbox

/// Cookies of packets, both ways.
package enum Cookies {
  /// The configuration of a decoder. Nil for a cookie of another format, and where one is missing
  /// that cannot be made from the format.
  package static func configuration(
    _ cookie: [UInt8], of format: AudioStreamBasicDescription
  ) -> [UInt8]? {
    switch format.mFormatID {
    case kAudioFormatAppleLossless: losslessConfiguration(cookie)
    case kAudioFormatFLAC: cookie.isEmpty ? [] : streamInfo(cookie)
    case kAudioFormatOpus: OpusHeads.configuration(cookie, of: format)
    case kAuricleAudioFormatVorbis: cookie.isEmpty ? nil : cookie
    case let id where FormatCompletion.isAAC(id): AACCookies.configuration(cookie, of: format)
    case kAudioFormatQDesign, kAudioFormatQDesign2: cookie
    default: []
    }
  }

  /// The cookie of packets that were encoded with a configuration.
  package static func cookie(
    _ configuration: [UInt8], of format: AudioStreamBasicDescription, bitRate: UInt32,
    largestPacket: Int
  ) -> [UInt8] {
    switch format.mFormatID {
    case kAudioFormatMPEG4AAC: AACCookies.descriptor(configuration, bitRate: bitRate)
    case kAudioFormatAppleLossless:
      losslessCookie(configuration, bitRate: bitRate, largestPacket: largestPacket)
    case kAudioFormatFLAC:
      // The box that MP4 files have: its size, name and version, and the first block of metadata.
      [0, 0, 0, UInt8(16 + configuration.count)] + Array("dfLa".utf8)
        + [0, 0, 0, 0, 0x80, 0, 0, UInt8(configuration.count)] + configuration
    case kAudioFormatOpus, kAuricleAudioFormatVorbis: configuration
    default: []
    }
  }

  /// Returns the 24 bytes of Apple lossless, without any surrounding atoms.
  private static func losslessConfiguration(_ cookie: [UInt8]) -> [UInt8]? {
    var bytes = cookie[...]
    for name in ["frma", "alac"] where bytes.count >= 12 {
      if bytes.dropFirst(4).prefix(4).elementsEqual(name.utf8) { bytes = bytes.dropFirst(12) }
    }
    guard bytes.count >= 24 else { return nil }
    return Array(bytes.prefix(24))
  }

  private static func losslessCookie(
    _ configuration: [UInt8], bitRate: UInt32, largestPacket: Int
  ) -> [UInt8] {
    guard configuration.count >= 24 else { return configuration }
    var bytes = Array(configuration.prefix(24))
    bytes.replaceSubrange(12..<16, with: big(UInt32(largestPacket)))
    bytes.replaceSubrange(16..<20, with: big(bitRate))
    let channels = bytes[9]
    guard channels > 2 else { return bytes }
    // The layout of the channels: the usual one of so many in this encoding.
    let tag = FormatCompletion.usualTag(
      channelCount: UInt32(channels), of: kAudioFormatAppleLossless)
    return bytes + big(24) + Array("chan".utf8) + big(0) + big(tag) + big(0) + big(0)
  }

  /// The first block of metadata of FLAC, alone or behind the heads of a block, a box or a file.
  private static func streamInfo(_ cookie: [UInt8]) -> [UInt8]? {
    var bytes = cookie[...]
    if bytes.dropFirst(4).prefix(4).elementsEqual("dfLa".utf8) { bytes = bytes.dropFirst(8) }
    if bytes.starts(with: "fLaC".utf8) { bytes = bytes.dropFirst(4) }
    if bytes.count >= 42, bytes.prefix(4).allSatisfy({ $0 == 0 }) { bytes = bytes.dropFirst(4) }
    if bytes.count >= 38, bytes.first.map({ $0 & 0x7F }) == 0,
      bytes.dropFirst().prefix(3).elementsEqual([0, 0, 34])
    {
      bytes = bytes.dropFirst(4)
    }
    return bytes.count >= 34 ? Array(bytes.prefix(34)) : nil
  }

  static func big(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

/// The heads of streams of Opus.
enum OpusHeads {
  /// Returns "OpusHead" to its end, from the same, from the box of MP4 files, or for the channels of a format.
  static func configuration(
    _ cookie: [UInt8], of format: AudioStreamBasicDescription
  ) -> [UInt8]? {
    if cookie.starts(with: "OpusHead".utf8) { return cookie.count >= 19 ? cookie : nil }
    var box = cookie[...]
    if box.dropFirst(4).prefix(4).elementsEqual("dOps".utf8) { box = box.dropFirst(8) }
    if box.isEmpty { return head(channelCount: Int(format.mChannelsPerFrame)) }
    let bytes = Array(box)
    guard bytes.count >= 11, bytes[0] == 0 else { return nil }
    // The numbers of the box have their high byte first.
    return Array("OpusHead".utf8) + [1, bytes[1], bytes[3], bytes[2]]
      + [bytes[7], bytes[6], bytes[5], bytes[4], bytes[9], bytes[8]] + bytes[10...]
  }

  private static func head(channelCount: Int) -> [UInt8]? {
    guard (1...8).contains(channelCount) else { return nil }
    let start =
      Array("OpusHead".utf8) + [1, UInt8(channelCount), 0, 0, 0x80, 0xBB, 0, 0, 0, 0]
    return channelCount <= 2 ? start + [0] : start + [1] + streams[channelCount - 3]
  }

  /// Streams, how many of them are stereo, and where each channel comes from.
  private static let streams: [[UInt8]] = [
    [2, 1, 0, 2, 1], [2, 2, 0, 1, 2, 3], [3, 2, 0, 4, 1, 2, 3], [4, 2, 0, 4, 1, 2, 3, 5],
    [4, 3, 0, 4, 1, 2, 3, 5, 6], [5, 3, 0, 6, 1, 2, 3, 4, 5, 7],
  ]
}
