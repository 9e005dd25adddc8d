// ID3 tags around frames: where they end, and the texts in them.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// Tags of versions 1 and 2.
enum ID3Tag {
  /// Where the tags at the beginning end.
  static func end(_ bytes: BufferedStore) throws(AudioFileFailure) -> Int64 {
    var position: Int64 = 0
    for _ in 0..<8 {
      let head = try bytes.bytes(at: position, count: 10)
      guard head.count == 10, head.starts(with: "ID3".utf8) else { break }
      position += 10 + Int64(size(head[6..<10])) + (head[5] & 0x10 != 0 ? 10 : 0)
    }
    return position
  }

  /// Where the sound ends: in front of a tag of version 1, or of APE, at the end of the file.
  static func soundEnd(_ bytes: BufferedStore) throws(AudioFileFailure) -> Int64 {
    var end = try bytes.byteCount
    guard !bytes.isArriving else { return end }
    if end >= 128, try bytes.bytes(at: end - 128, count: 3).starts(with: "TAG".utf8) { end -= 128 }
    let foot = try bytes.bytes(at: end - 32, count: 32)
    if foot.starts(with: "APETAGEX".utf8) {
      var reader = ByteReader(foot.dropFirst(12), bigEndian: false)
      let size = Int64(reader.u32())
      reader.skip(4)
      let hasHead = reader.u32() & 0x8000_0000 != 0
      let start = end - size - (hasHead ? 32 : 0)
      if start > 0 { end = start }
    }
    return end
  }

  /// A size of four bytes with seven bits each.
  private static func size(_ bytes: some Collection<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 7 | Int($1 & 0x7F) }
  }

  private static let keys: [String: String] = [
    "TIT2": "title", "TT2": "title", "TPE1": "artist", "TP1": "artist", "TALB": "album",
    "TAL": "album", "TCOM": "composer", "TCM": "composer", "TCON": "genre", "TCO": "genre",
    "TRCK": "track number", "TRK": "track number", "TYER": "year", "TYE": "year", "TDRC": "year",
    "TCOP": "copyright", "TCR": "copyright", "TIT3": "subtitle", "TT3": "subtitle",
    "TEXT": "lyricist", "TXT": "lyricist", "TBPM": "tempo", "TBP": "tempo", "TKEY": "key signature",
    "TKE": "key signature", "TSRC": "ISRC", "TRC": "ISRC", "TSSE": "encoding application",
    "TSS": "encoding application", "TENC": "source encoder", "TEN": "source encoder",
    "COMM": "comments", "COM": "comments",
  ]

  /// The texts of the tag in front of the sound.
  static func info(_ file: PacketFile) throws(AudioFileFailure) -> SoundInfo {
    var info = SoundInfo()
    guard file.tagSize >= 10 else { return info }
    let tag = try file.bytes.bytes(at: 0, count: Int(min(file.tagSize, 1 << 24)))
    let version = tag[3]
    let (nameSize, headSize) = version == 2 ? (3, 6) : (4, 10)
    var position = 10
    if version > 2, tag[5] & 0x40 != 0, tag.count > 14 {
      position += version == 4 ? size(tag[10..<14]) : Int(tag.code(at: 10)) + 4
    }
    while position >= 0, position + headSize <= tag.count, tag[position] != 0 {
      let name = String(decoding: tag[position..<(position + nameSize)], as: UTF8.self)
      let length =
        switch version {
        case 2: Int(tag.code(at: position + 2) & 0xFF_FFFF)
        case 4: size(tag[(position + 4)..<(position + 8)])
        default: Int(tag.code(at: position + 4))
        }
      let start = position + headSize
      guard length > 0, start + length <= tag.count else { break }
      if let key = keys[name], info[key] == nil {
        let body = Array(tag[start..<(start + length)])
        let text = name.hasPrefix("COM") ? comment(body) : text(body.dropFirst(), body[0])
        if let text, !text.isEmpty { info[key] = text }
      }
      position = start + length
    }
    return info
  }

  /// A comment: a language and a short description stand before the text.
  private static func comment(_ body: [UInt8]) -> String? {
    guard body.count > 4 else { return nil }
    let (encoding, rest) = (body[0], body[4...])
    let isWide = encoding == 1 || encoding == 2
    var position = rest.startIndex
    while position + (isWide ? 1 : 0) < rest.endIndex {
      if rest[position] == 0, !isWide || rest[position + 1] == 0 {
        return text(rest[(position + (isWide ? 2 : 1))...], encoding)
      }
      position += isWide ? 2 : 1
    }
    return nil
  }

  private static func text(_ bytes: ArraySlice<UInt8>, _ encoding: UInt8) -> String? {
    switch encoding {
    case 1, 2:
      var units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      if units.first == 0xFFFE {
        units = units.map(\.byteSwapped)
      }
      if units.first == 0xFEFF { units.removeFirst() }
      return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    case 3: return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    default: return StoredText.text(bytes)
    }
  }
}
