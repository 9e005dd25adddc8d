// The texts of an ID3 tag of version 2, and how long it is.
// SPDX-License-Identifier: Apache-2.0

/// Reads ID3 tags.
package enum ID3Tag {
  /// Bytes of the whole tag that begins with these ten or more; nil where none begins.
  package static func byteCount(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 10, bytes.starts(with: "ID3".utf8), bytes[3] < 0xFF, bytes[4] < 0xFF,
      bytes[6..<10].allSatisfy({ $0 < 0x80 })
    else { return nil }
    let hasFooter = bytes[3] >= 4 && bytes[5] & 0x10 != 0
    return 10 + safeNumber(bytes[6..<10]) + (hasFooter ? 10 : 0)
  }

  /// The texts of a whole tag by the keys of the information dictionary (`artist`, `title`, `track
  /// number` …); nil for bytes that are no tag, or only a part of one.
  package static func texts(_ bytes: [UInt8]) -> [String: String]? {
    guard let count = byteCount(bytes), bytes.count >= count else { return nil }
    let version = bytes[3]
    var body = Array(bytes[10..<10 + safeNumber(bytes[6..<10])])
    if bytes[5] & 0x80 != 0, version < 4 { body = synchronized(body) }
    var place = 0
    if bytes[5] & 0x40 != 0, version >= 3, body.count >= 4 {
      place = version == 3 ? 4 + number(body[0..<4]) : safeNumber(body[0..<4])
    }
    var texts: [String: String] = [:]
    let (nameSize, headerSize) = version == 2 ? (3, 6) : (4, 10)
    while place + headerSize <= body.count, body[place] != 0 {
      let name = String(decoding: body[place..<place + nameSize], as: UTF8.self)
      let sizeField = body[(place + nameSize)..<(place + 2 * nameSize)]
      let size = version == 4 ? safeNumber(sizeField) : number(sizeField)
      place += headerSize
      guard size > 0, size <= body.count - place else { break }
      if let key = keys[name], texts[key] == nil {
        texts[key] = text(Array(body[place..<place + size]), hasLanguage: name.hasPrefix("COM"))
      }
      place += size
    }
    return texts
  }

  private static let keys = [
    "TIT2": "title", "TT2": "title", "TPE1": "artist", "TP1": "artist", "TALB": "album",
    "TAL": "album", "TYER": "year", "TYE": "year", "TDRC": "year", "TRCK": "track number",
    "TRK": "track number", "TCON": "genre", "TCO": "genre", "TCOM": "composer",
    "TCM": "composer", "TEXT": "lyricist", "TXT": "lyricist", "TBPM": "tempo", "TBP": "tempo",
    "TKEY": "key signature", "TKE": "key signature", "TCOP": "copyright", "TCR": "copyright",
    "TSSE": "encoding application", "TSS": "encoding application", "COMM": "comments",
    "COM": "comments", "TIT3": "subtitle", "TT3": "subtitle", "TSRC": "ISRC", "TRC": "ISRC",
  ]

  /// The text of a frame: its encoding, for comments a language and a description, the text.
  private static func text(_ frame: [UInt8], hasLanguage: Bool) -> String? {
    guard let encoding = frame.first else { return nil }
    var rest = frame.dropFirst(hasLanguage ? 4 : 1)
    let isWide = encoding == 1 || encoding == 2
    if hasLanguage { rest = rest.dropFirst(length(rest, isWide: isWide) + (isWide ? 2 : 1)) }
    let bytes = Array(rest.prefix(length(rest, isWide: isWide)))
    switch encoding {
    case 0: return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    case 3: return String(decoding: bytes, as: UTF8.self)
    case 1, 2:
      let hasMark = bytes.count >= 2 && Set(bytes[0..<2]) == [0xFF, 0xFE]
      let isBig = hasMark ? bytes[0] == 0xFE : encoding == 2
      let units = stride(from: hasMark ? 2 : 0, to: bytes.count - 1, by: 2).map { place in
        UInt16(bytes[isBig ? place : place + 1]) << 8 | UInt16(bytes[isBig ? place + 1 : place])
      }
      return String(decoding: units, as: UTF16.self)
    default: return nil
    }
  }

  /// Bytes up to the end of a text: a zero, of two bytes in wide texts.
  private static func length(_ bytes: ArraySlice<UInt8>, isWide: Bool) -> Int {
    guard isWide else { return (bytes.firstIndex(of: 0) ?? bytes.endIndex) - bytes.startIndex }
    let places = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2)
    let end = places.first { bytes[$0] == 0 && bytes[$0 + 1] == 0 } ?? bytes.endIndex
    return end - bytes.startIndex
  }

  /// Without the zeros that stand behind each 0xFF.
  private static func synchronized(_ bytes: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    for (place, byte) in bytes.enumerated()
    where !(byte == 0 && place > 0 && bytes[place - 1] == 0xFF) {
      plain.append(byte)
    }
    return plain
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  private static func safeNumber(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 7 | Int($1 & 0x7F) }
  }
}
