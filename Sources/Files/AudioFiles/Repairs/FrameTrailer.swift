// The additions of tools behind the last frame of a stream: the end of each.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing
import AudioFileSyntax

/// Tags and zeros behind frames; tags also between them, where files were joined.
struct FrameTrailer {
  private let bytes: BufferedStore
  /// The tags at the end of the file: some are found by their ends alone.
  private let tagsAtEnd: Range<Int64>

  /// Reads the tags at the end of a file.
  init(_ stream: FileStream) {
    let stored = StoredBytes(stream)
    bytes = BufferedStore(stored)
    let start = (try? TagPlaces.trailingStart(bytes)) ?? stored.byteCount
    tagsAtEnd = start..<max(start, stored.byteCount)
  }

  /// The end of the tags and zeros at a place of the file, and whether there are zeros among them.
  func end(at start: Int) -> (offset: Int, hasZeros: Bool) {
    var place = Int64(start)
    var hasZeros = false
    while true {
      if let next = try? TagPlaces.end(bytes, at: place) {
        place = next
      } else if tagsAtEnd.contains(place) {
        place = tagsAtEnd.upperBound
      } else if let next = zerosEnd(at: place) {
        (place, hasZeros) = (next, true)
      } else {
        return (Int(place), hasZeros)
      }
    }
  }

  /// Whether the bytes at a place are such as tools put behind the last frame: tags, zeros.
  func begins(at place: Int) -> Bool {
    let start = (try? bytes.bytes(at: Int64(place), count: 11)) ?? []
    let marks = ["TAG", "APETAGEX", "LYRICSBEGIN", "ID3", "3DI", "LYRICS200"]
    if marks.contains(where: { start.starts(with: $0.utf8) }) { return true }
    return start.count < 4 || start.allSatisfy { $0 == 0 }
  }

  /// Returns the end of zeros; nil for so few that they may be anything.
  private func zerosEnd(at start: Int64) -> Int64? {
    let window = 1 << 14
    var place = start
    while true {
      let block = (try? bytes.bytes(at: place, count: window)) ?? []
      if let other = block.firstIndex(where: { $0 != 0 }) {
        place += Int64(other)
        return place - start >= 11 ? place : nil
      }
      place += Int64(block.count)
      if block.count < window { return place > start ? place : nil }
    }
  }
}
