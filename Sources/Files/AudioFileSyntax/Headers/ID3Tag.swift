// ID3 tags of versions 1 and 2: how long they are, and their texts.
// SPDX-License-Identifier: Apache-2.0

/// Reads ID3 tags.
package enum ID3Tag {
  /// One frame of a tag: its name, and its content without bytes that only protect it.
  typealias Frame = (name: String, body: [UInt8])
  /// One frame of a tag: its name, and the bytes of the tag's body that it has with its head.
  private typealias StoredFrame = (name: String, range: Range<Int>)

  /// Bytes of a header or a footer of version 2.
  package static let headSize = 10
  /// Bytes of a whole tag of version 1.
  package static let oldSize = 128

  /// Bytes of the whole tag of version 2 that begins with these ten or more; nil where none begins.
  package static func byteCount(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= headSize, bytes.starts(with: "ID3".utf8), bytes[3] < 0xFF, bytes[4] < 0xFF,
      bytes[6..<10].allSatisfy({ $0 < 0x80 })
    else { return nil }
    let hasFooter = bytes[3] >= 4 && bytes[5] & 0x10 != 0
    return headSize + safeNumber(bytes[6..<10]) + (hasFooter ? headSize : 0)
  }

  /// The texts of a whole tag by the keys of the information dictionary (`artist`, `title`, `track
  /// number` …); nil for bytes that are no tag, or only a part of one.
  package static func texts(_ bytes: [UInt8]) -> [String: String]? {
    guard let count = byteCount(bytes), bytes.count >= count else { return nil }
    var texts: [String: String] = [:]
    // The comment without a description is the right one of several; programs store numbers in others.
    var described: String?
    for (name, body) in content(bytes).frames {
      guard let key = keys[name], texts[key] == nil else { continue }
      let isComment = name.hasPrefix("COM")
      guard let (description, text) = text(body, hasLanguage: isComment), !text.isEmpty else {
        continue
      }
      if isComment, !description.isEmpty {
        if !description.hasPrefix("iTun") { described = described ?? text }
        continue
      }
      texts[key] = key == "genre" ? Genres.name(text) : text
    }
    texts["comments"] = texts["comments"] ?? described
    return texts
  }

  /// The tag without some of its texts; everything else in it stays, such as pictures.
  ///
  /// - Parameters:
  ///   - bytes: A whole tag.
  ///   - isLeftOut: Whether a text is left out, by its key in the information dictionary.
  /// - Returns: The tag as it was where no text is left out, or no frame can be read; no bytes where nothing is left.
  package static func leavingOut(
    _ bytes: [UInt8], where isLeftOut: (_ key: String, _ text: String) -> Bool
  ) -> [UInt8] {
    guard let count = byteCount(bytes), bytes.count >= count else { return bytes }
    let version = bytes[3]
    let (body, frames, _) = stored(bytes)
    let kept = frames.filter { frame in
      guard let key = keys[frame.name], let plain = plain(frame, body, version) else { return true }
      let isComment = frame.name.hasPrefix("COM")
      guard let (description, text) = text(plain, hasLanguage: isComment) else { return true }
      // Programs keep numbers in such comments.
      if isComment, description.hasPrefix("iTun") { return true }
      return !isLeftOut(key, key == "genre" ? Genres.name(text) : text)
    }
    guard kept.count < frames.count else { return bytes }
    guard !kept.isEmpty else { return [] }
    let content = kept.flatMap { body[$0.range] }
    // The frames have neither an extended header in front nor, before version 2.4, zeros that protect them.
    let flags = bytes[5] & (version < 4 ? 0x20 : 0xA0)
    let size = stride(from: 21, through: 0, by: -7).map { UInt8(content.count >> $0 & 0x7F) }
    return Array(bytes[0..<5]) + [flags] + size + content
  }

  /// Returns the end of a tag's frames, in bytes from its beginning: in front of its padding.
  static func contentEnd(_ bytes: [UInt8]) -> Int { content(bytes).end }

  /// The texts of a tag of version 1, of 128 bytes; nil for other bytes.
  package static func oldTexts(_ bytes: [UInt8]) -> [String: String]? {
    guard bytes.count == oldSize, bytes.starts(with: "TAG".utf8) else { return nil }
    func text(_ range: Range<Int>) -> String {
      let field = bytes[range].prefix { $0 != 0 }
      let end = field.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? field.startIndex
      return latin(Array(field[..<end]))
    }
    var texts = [
      "title": text(3..<33), "artist": text(33..<63), "album": text(63..<93),
      "year": text(93..<97), "comments": text(97..<127),
    ]
    if bytes[125] == 0, bytes[126] != 0 { texts["track number"] = String(bytes[126]) }
    texts["genre"] =
      Genres.names.indices.contains(Int(bytes[127])) ? Genres.names[Int(bytes[127])] : ""
    return texts.filter { !$0.value.isEmpty }
  }

  // MARK: Frames

  /// The frames of a tag, and where they end.
  private static func content(_ bytes: [UInt8]) -> (frames: [Frame], end: Int) {
    let stored = stored(bytes)
    let frames = stored.frames.compactMap { frame -> Frame? in
      plain(frame, stored.body, bytes[3]).map { (frame.name, $0) }
    }
    return (frames, stored.end)
  }

  /// The frames of a tag as its body holds them, and where they end in bytes from the tag's beginning.
  private static func stored(
    _ bytes: [UInt8]
  ) -> (body: [UInt8], frames: [StoredFrame], end: Int) {
    let version = bytes[3]
    let last = min(bytes.count, headSize + safeNumber(bytes[6..<10]))
    var body = Array(bytes[headSize..<last])
    let isProtected = bytes[5] & 0x80 != 0 && version < 4
    if isProtected { body = synchronized(body) }
    // In version 2.2 this bit means a compression that nobody defined.
    guard version > 2 || bytes[5] & 0x40 == 0 else { return (body, [], last) }
    var place = 0
    if bytes[5] & 0x40 != 0, body.count >= 4 {
      place = version == 3 ? 4 + number(body[0..<4]) : safeNumber(body[0..<4])
    }
    var frames: [StoredFrame] = []
    let (nameSize, frameHead) = version == 2 ? (3, 6) : (4, 10)
    while place + frameHead <= body.count, isName(body[place..<place + nameSize]) {
      guard let size = size(body, at: place, version), size <= body.count - place - frameHead else {
        break
      }
      let name = String(decoding: body[place..<place + nameSize], as: UTF8.self)
      frames.append((name, place..<place + frameHead + size))
      place += frameHead + size
    }
    return (body, frames, isProtected ? last : headSize + place)
  }

  private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) }
  }

  /// The size of the frame at a place; nil where no size is possible.
  private static func size(_ body: [UInt8], at place: Int, _ version: UInt8) -> Int? {
    guard version > 2 else { return number(body[place + 3..<place + 6]) }
    let field = body[place + 4..<place + 8]
    guard version == 4 else { return number(field) }
    // Some programs write sizes of version 2.4 as those of 2.3: then only the other one ends at a frame.
    let sizes = [safeNumber(field), number(field)]
    func leads(_ size: Int) -> Bool {
      let next = place + 10 + size
      guard next < body.count else { return next == body.count }
      return body[next] == 0 || next + 4 <= body.count && isName(body[next..<next + 4])
    }
    return sizes.first(where: leads) ?? sizes[0]
  }

  /// The content of a frame; nil where it is empty, compressed or encrypted.
  private static func plain(
    _ frame: StoredFrame, _ body: [UInt8], _ version: UInt8
  ) -> [UInt8]? {
    let place = frame.range.lowerBound
    let content = body[frame.range].dropFirst(version > 2 ? 10 : 6)
    guard !content.isEmpty else { return nil }
    guard version > 2 else { return Array(content) }
    let flags = body[place + 9]
    if version == 3 {
      return flags & 0xC0 != 0 ? nil : Array(content.dropFirst(flags & 0x20 != 0 ? 1 : 0))
    }
    guard flags & 0x0C == 0 else { return nil }
    let rest = content.dropFirst((flags & 0x40 != 0 ? 1 : 0) + (flags & 0x01 != 0 ? 4 : 0))
    return flags & 0x02 != 0 ? synchronized(Array(rest)) : Array(rest)
  }

  // MARK: Texts

  private static let keys = [
    "TIT2": "title", "TT2": "title", "TPE1": "artist", "TP1": "artist", "TALB": "album",
    "TAL": "album", "TYER": "year", "TYE": "year", "TDRC": "year", "TRCK": "track number",
    "TRK": "track number", "TCON": "genre", "TCO": "genre", "TCOM": "composer",
    "TCM": "composer", "TEXT": "lyricist", "TXT": "lyricist", "TBPM": "tempo", "TBP": "tempo",
    "TKEY": "key signature", "TKE": "key signature", "TCOP": "copyright", "TCR": "copyright",
    "TSSE": "encoding application", "TSS": "encoding application", "COMM": "comments",
    "COM": "comments", "TIT3": "subtitle", "TT3": "subtitle", "TSRC": "ISRC", "TRC": "ISRC",
    "TENC": "source encoder", "TEN": "source encoder",
  ]

  /// The text of a frame: its encoding, for comments a language and a description, the text.
  private static func text(
    _ frame: [UInt8], hasLanguage: Bool
  ) -> (description: String, text: String)? {
    guard let encoding = frame.first, encoding < 4 else { return nil }
    var rest = frame.dropFirst(hasLanguage ? 4 : 1)
    let isWide = encoding == 1 || encoding == 2
    var description = ""
    if hasLanguage {
      let count = length(rest, isWide: isWide)
      description = decoded(Array(rest.prefix(count)), encoding)
      rest = rest.dropFirst(count + (isWide ? 2 : 1))
    }
    return (description, decoded(Array(rest.prefix(length(rest, isWide: isWide))), encoding))
  }

  private static func decoded(_ bytes: [UInt8], _ encoding: UInt8) -> String {
    switch encoding {
    case 1, 2:
      let hasMark = bytes.count >= 2 && Set(bytes[0..<2]) == [0xFF, 0xFE]
      let isBig = hasMark ? bytes[0] == 0xFE : encoding == 2
      let units = stride(from: hasMark ? 2 : 0, to: bytes.count - 1, by: 2).map { place in
        UInt16(bytes[isBig ? place : place + 1]) << 8 | UInt16(bytes[isBig ? place + 1 : place])
      }
      return String(decoding: units, as: UTF16.self)
    case 3: return String(decoding: bytes, as: UTF8.self)
    default: return latin(bytes)
    }
  }

  private static func latin(_ bytes: [UInt8]) -> String {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// Bytes up to the end of a text: a zero, of two bytes in wide texts.
  private static func length(_ bytes: ArraySlice<UInt8>, isWide: Bool) -> Int {
    guard isWide else { return (bytes.firstIndex(of: 0) ?? bytes.endIndex) - bytes.startIndex }
    let places = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2)
    let end = places.first { bytes[$0] == 0 && bytes[$0 + 1] == 0 } ?? bytes.endIndex
    return end - bytes.startIndex
  }

  /// The bytes without the zero after each 0xFF.
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
