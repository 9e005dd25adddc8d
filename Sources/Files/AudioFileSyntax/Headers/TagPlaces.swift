// Tags in front of a sound file or behind it, of any kind: ID3, APE, Lyrics3.
// SPDX-License-Identifier: Apache-2.0

/// Finds and reads tags around a sound.
package enum TagPlaces {
  /// The most tags in front of a sound.
  private static let mostTags = 8
  private static let apeSize = 32
  /// The longest Lyrics3 tag of the first version.
  private static let lyricsReach: Int64 = 5100 + 20
  /// The largest tag whose texts are read: 16 MiB.
  private static let mostBytes = 1 << 24

  // MARK: Places

  /// Returns the end of the tags in front of a sound, by their sizes; 0 without any.
  package static func leadingEnd(_ bytes: BufferedStore) throws(AudioFileFailure) -> Int64 {
    var position: Int64 = 0
    for _ in 0..<mostTags {
      guard let end = try end(bytes, at: position) else { break }
      position = end
    }
    return position
  }

  /// The first byte behind all content of tags in front: padding and wrong sizes are behind it.
  package static func contentEnd(_ bytes: BufferedStore) throws(AudioFileFailure) -> Int64 {
    var (position, last): (Int64, Int64) = (0, 0)
    for _ in 0..<mostTags {
      guard let end = try end(bytes, at: position) else { break }
      (last, position) = (position, end)
    }
    let tag = try bytes.bytes(at: last, count: Int(min(Int64(mostBytes), position - last)))
    return ID3Tag.byteCount(tag) == nil ? position : last + Int64(ID3Tag.contentEnd(tag))
  }

  /// Returns the end of the tag that begins at a place; nil where none begins.
  package static func end(
    _ bytes: BufferedStore, at place: Int64
  ) throws(AudioFileFailure) -> Int64? {
    let head = try bytes.bytes(at: place, count: ID3Tag.headSize)
    if let count = ID3Tag.byteCount(head) { return place + Int64(count) }
    if head.starts(with: "APETAGEX".utf8) {
      let all = try bytes.bytes(at: place, count: apeSize)
      guard all.count == apeSize else { return nil }
      // A footer without its header has its items in front of it.
      let (size, flags) = apeNumbers(all)
      return place + Int64(apeSize) + (flags & 0x2000_0000 != 0 ? size : 0)
    }
    guard head.starts(with: "TAG".utf8), !bytes.isArriving else { return nil }
    let end = place + Int64(ID3Tag.oldSize)
    return end <= (try bytes.byteCount) ? end : nil
  }

  /// Returns the start of the tags behind a sound; the end of the file without any.
  package static func trailingStart(_ bytes: BufferedStore) throws(AudioFileFailure) -> Int64 {
    var end = try bytes.byteCount
    guard !bytes.isArriving else { return end }
    for _ in 0..<mostTags {
      guard let start = try start(bytes, end: end), start >= 0, start < end else { break }
      end = start
    }
    return end
  }

  /// Returns the start of the tag that ends at a place; nil where none ends.
  private static func start(
    _ bytes: BufferedStore, end: Int64
  ) throws(AudioFileFailure) -> Int64? {
    func has(_ text: String, _ distance: Int64) throws(AudioFileFailure) -> Bool {
      guard end >= distance else { return false }
      return try bytes.bytes(at: end - distance, count: text.utf8.count).elementsEqual(text.utf8)
    }
    if try has("TAG", 128) { return end - (try has("TAG+", 128 + 227) ? 128 + 227 : 128) }
    if try has("APETAGEX", 32) {
      let (size, flags) = apeNumbers(try bytes.bytes(at: end - 32, count: apeSize))
      return end - size - (flags & 0x8000_0000 != 0 ? 32 : 0)
    }
    if try has("3DI", 10) {
      let foot = try bytes.bytes(at: end - 10, count: 10)
      let count = ID3Tag.byteCount(Array("ID3".utf8) + foot.dropFirst(3))
      return count.map { end - Int64($0) }
    }
    if try has("LYRICS200", 9) {
      let digits = String(decoding: try bytes.bytes(at: end - 15, count: 6), as: UTF8.self)
      return Int64(digits).map { end - $0 - 15 }
    }
    if try has("LYRICSEND", 9) {
      // The older kind has no size; its text has a limit.
      let block = try bytes.bytes(at: max(0, end - lyricsReach), count: Int(min(end, lyricsReach)))
      return block.firstRange(of: Array("LYRICSBEGIN".utf8)).map {
        end - Int64(block.count - $0.lowerBound)
      }
    }
    return nil
  }

  /// The size of an APE tag without its header, and its flags.
  private static func apeNumbers(_ head: [UInt8]) -> (size: Int64, flags: UInt32) {
    var reader = ByteReader(head.dropFirst(12), bigEndian: false)
    let size = Int64(reader.u32())
    reader.skip(4)
    return (size, reader.u32())
  }

  // MARK: Texts

  /// The texts of the tags around a sound; of several with one text the first in front counts, then the last behind,
  /// and ID3 of version 1 after all others.
  package static func texts(_ bytes: BufferedStore) throws(AudioFileFailure) -> [String: String] {
    var found: [String: String] = [:]
    func add(_ texts: [String: String]?) { found.merge(texts ?? [:]) { first, _ in first } }
    var place: Int64 = 0
    for _ in 0..<mostTags {
      guard let next = try self.end(bytes, at: place) else { break }
      add(ID3Tag.texts(try bytes.bytes(at: place, count: Int(min(next - place, Int64(mostBytes))))))
      place = next
    }
    guard !bytes.isArriving else { return found }
    var end = try bytes.byteCount
    var old: [String: String]?
    for _ in 0..<mostTags {
      guard let start = try start(bytes, end: end), start >= 0, start < end else { break }
      let tag = try bytes.bytes(at: start, count: Int(min(end - start, Int64(mostBytes))))
      add(apeTexts(tag) ?? ID3Tag.texts(tag))
      old = old ?? ID3Tag.oldTexts(tag.suffix(ID3Tag.oldSize) + [])
      end = start
    }
    add(old)
    return found
  }

  private static let apeKeys = [
    "TITLE": "title", "ARTIST": "artist", "ALBUM": "album", "YEAR": "year", "COMMENT": "comments",
    "GENRE": "genre", "TRACK": "track number", "COMPOSER": "composer", "COPYRIGHT": "copyright",
    "ISRC": "ISRC", "SUBTITLE": "subtitle", "BPM": "tempo", "LYRICIST": "lyricist",
  ]

  /// The texts of an APE tag that ends with its footer; nil for other bytes.
  private static func apeTexts(_ tag: [UInt8]) -> [String: String]? {
    guard tag.count >= apeSize, tag[(tag.count - apeSize)...].starts(with: "APETAGEX".utf8) else {
      return nil
    }
    let items = tag.starts(with: "APETAGEX".utf8) && tag.count > apeSize ? apeSize : 0
    var reader = ByteReader(tag[items..<tag.count - apeSize], bigEndian: false)
    var texts: [String: String] = [:]
    while reader.remaining > 8 {
      let (size, flags) = (Int(reader.u32()), reader.u32())
      var key: [UInt8] = []
      while reader.remaining > 0 {
        let byte = reader.u8()
        if byte == 0 { break }
        key.append(byte)
      }
      guard size <= reader.remaining else { break }
      let value = reader.bytes(size)
      // Bits of the kind: 0 for texts.
      guard flags & 6 == 0, let name = apeKeys[String(decoding: key, as: UTF8.self).uppercased()],
        texts[name] == nil
      else { continue }
      texts[name] = String(decoding: value.prefix { $0 != 0 }, as: UTF8.self)
    }
    return texts.filter { !$0.value.isEmpty }
  }
}
