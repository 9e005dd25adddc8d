// What tools put behind the last frame of an MPEG audio file: where each of these things ends.
// SPDX-License-Identifier: Apache-2.0

/// Tags and zeros behind the frames; also between them, where files were joined.
package enum MP3Trailer {
  /// Where the tags and zeros that stand at an offset end, and whether there are zeros among them.
  package static func end(_ stream: FileStream, at start: Int) -> (offset: Int, hasZeros: Bool) {
    var offset = start
    var hasZeros = false
    while offset < stream.length {
      if let next = tagEnd(stream, at: offset) ?? itemsEnd(stream, at: offset) {
        offset = next
      } else if let next = zerosEnd(stream, at: offset) {
        hasZeros = true
        offset = next
      } else {
        break
      }
    }
    return (offset, hasZeros)
  }

  /// Where the ID3 tag, of either version, that stands at an offset ends; nil when there is none.
  static func tagEnd(_ stream: FileStream, at offset: Int) -> Int? {
    let header = readBytes(stream.descriptor, at: offset, count: 10)
    guard header.count == 10 else { return nil }
    if header.starts(with: "TAG".utf8) { return offset + 128 }
    guard header.starts(with: "ID3".utf8) else { return nil }
    let size = header[6...9].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    return offset + 10 + size + (header[5] & 0x10 != 0 ? 10 : 0)
  }

  /// Where an APE tag that begins with its header ends.
  private static func itemsEnd(_ stream: FileStream, at offset: Int) -> Int? {
    let header = readBytes(stream.descriptor, at: offset, count: 32)
    guard header.count == 32, header.starts(with: "APETAGEX".utf8),
      let size = SizeWalk.integer(stream, at: offset + 12, bytes: 4, bigEndian: false)
    else { return nil }
    // A footer without its header has its items in front of it.
    return header[23] & 0x20 == 0 ? offset + 32 : offset + 32 + size
  }

  /// Where zeros end; nil for so few that they may be anything.
  private static func zerosEnd(_ stream: FileStream, at start: Int) -> Int? {
    let window = 1 << 16
    var offset = start
    while offset < stream.length {
      let bytes = readBytes(stream.descriptor, at: offset, count: window)
      if let other = bytes.firstIndex(where: { $0 != 0 }) {
        offset += other
        break
      }
      offset += bytes.count
      if bytes.count < window { break }
    }
    let isEnd = offset > start && readBytes(stream.descriptor, at: offset, count: 1).isEmpty
    return isEnd || offset - start >= 11 ? offset : nil
  }
}
