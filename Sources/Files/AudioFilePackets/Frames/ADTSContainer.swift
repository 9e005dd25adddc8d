// AAC in ADTS: each packet behind a header of seven or nine bytes.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// A file of ADTS frames. A packet is the bytes behind the header of its frame.
enum ADTSContainer: FrameContainer {
  static let types: [AudioFileTypeID] = [kAudioFileAAC_ADTSType]
  static let headerSize = 7
  static let firstByte: UInt8 = 0xFF

  static func type(ofFrame header: [UInt8]) -> AudioFileTypeID { kAudioFileAAC_ADTSType }

  static func frameLength(_ header: [UInt8]) -> Int? {
    guard header.count >= headerSize, AACConfig(frame: header) != nil else { return nil }
    let length = Int(header[3] & 3) << 11 | Int(header[4]) << 3 | Int(header[5]) >> 5
    return length > headLength(header) ? length : nil
  }

  /// Bytes in front of the packet: two more where a checksum is.
  private static func headLength(_ header: [UInt8]) -> Int { header[1] & 1 == 1 ? 7 : 9 }

  static func read(_ file: PacketFile) throws(AudioFileFailure) {
    guard let (offset, header) = try firstFrame(file.bytes), let config = AACConfig(frame: header)
    else { throw .broken }
    file.format = config.format
    file.cookie = config.cookie
    file.layout = config.layoutTag.map(ChannelLayoutBytes.tag)
    try frame(file, from: offset)
    file.scanner = HeaderScanner(container: self, largestSize: 8191) { headLength($0) }
  }

  static func begin(_ file: PacketFile) throws(AudioFileFailure) {
    guard AACConfig(file.format) != nil else { throw .dataFormat }
    file.table = PacketTable()
  }

  static func frameHeader(
    _ file: PacketFile, packetSize: Int
  ) throws(AudioFileFailure) -> [UInt8] {
    let length = packetSize + headerSize
    guard let config = AACConfig(cookie: file.cookie) ?? AACConfig(file.format), length < 1 << 13
    else { throw .dataFormat }
    return [
      0xFF, 0xF1, (config.objectType - 1) << 6 | config.rateIndex << 2 | config.channelConfig >> 2,
      (config.channelConfig & 3) << 6 | UInt8(length >> 11), UInt8(length >> 3 & 0xFF),
      UInt8(length & 7) << 5 | 0x1F, 0xFC,
    ]
  }

  /// The cookie is not written: the headers of the frames contain it.
  static func stores(_ property: AudioFilePropertyID, _ file: PacketFile) -> Bool {
    property == kAudioFilePropertyMagicCookieData && file.soundByteCount == 0
      || property == kAudioFilePropertyID3Tag && file.soundByteCount == 0
  }

  static func storeCookie(_ file: PacketFile) throws(AudioFileFailure) {
    guard AACConfig(cookie: file.cookie) != nil else { throw .dataFormat }
  }
}
