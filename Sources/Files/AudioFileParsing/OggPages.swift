// The pages of an Ogg file: whether all are there, and serial numbers that do not differ by chance.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import Glibc

/// Walks through the pages of an Ogg file.
///
/// The file library skips missing and broken pages silently, and writes a random serial number into
/// each stream. Here the first is found, and the second made a function of the content.
package struct OggPages {
  private let stream: FileStream

  /// The pages of a file.
  package init(_ stream: FileStream) {
    self.stream = stream
  }

  /// One page: its place, its bytes, and the fields of its header.
  package struct Page {
    /// Start of the page in the file.
    package var offset: Int
    /// All of it, header and body.
    package var bytes: [UInt8]
    let header: OggPage
    var isFirst: Bool { header.flags & OggPage.first != 0 }
    var isLast: Bool { header.flags & OggPage.last != 0 }
    var checksum: UInt32 { word(22) }
    /// Whether its last packet continues in the next page.
    var goesOn: Bool { header.segmentCount > 0 && bytes[26 + header.segmentCount] == 255 }

    /// The four bytes at an index as a number.
    func word(_ index: Int) -> UInt32 {
      UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]) << 16
        | UInt32(bytes[index + 3]) << 24
    }

    /// Writes a number into the four bytes at an index.
    package mutating func setWord(_ index: Int, _ value: UInt32) {
      for byte in 0..<4 { bytes[index + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
    }

    /// Sets flags of its header.
    package mutating func mark(as flags: UInt8) { bytes[5] |= flags }

    /// The checksum that the page should carry.
    package func computedChecksum() -> UInt32 {
      var zeroed = self
      zeroed.setWord(22, 0)
      return OggPage.checksum(zeroed.bytes)
    }
  }

  /// The content of a place.
  package enum Step {
    /// A page.
    case page(Page)
    /// The end of the file.
    case end
    /// Damage there, as the end of a sentence.
    case problem(String)
  }

  /// Damage of the file, as the end of a sentence; nil when all pages are whole.
  package var problem: String? {
    var offset: Int = 0
    var open: [UInt32: (sequence: UInt32, goesOn: Bool)] = [:]
    while true {
      switch page(at: offset) {
      case .problem(let text): return text
      case .end:
        // Recorders that are switched off leave the mark of the last page out: all that matters is there.
        return open.contains { $0.value.goesOn } ? "it is cut short within a packet" : nil
      case .page(let page):
        if page.computedChecksum() != page.checksum {
          return "the checksum of the page at byte \(offset) is wrong"
        }
        let (serial, sequence) = (page.header.serial, page.header.sequence)
        if !page.isFirst, let previous = open[serial], sequence != previous.sequence &+ 1 {
          return "a page is missing before byte \(offset)"
        }
        open[serial] = page.isLast ? nil : (sequence, page.goesOn)
        offset += page.bytes.count
      }
    }
  }

  /// The last page with the mark of a last page, where the file's lacks it; nil for other files.
  package var markedEnd: Page? {
    let most = OggPage.headSize + 255 + 255 * 255
    let start = max(0, stream.length - most)
    let tail = stream.bytes(at: start, count: most)
    for place in tail.indices.reversed() where tail[place...].starts(with: "OggS".utf8) {
      guard case .page(var page) = page(at: start + place),
        page.offset + page.bytes.count == stream.length,
        page.computedChecksum() == page.checksum
      else { continue }
      guard !page.isFirst, !page.isLast, !page.goesOn else { return nil }
      page.mark(as: OggPage.last)
      page.setWord(22, page.computedChecksum())
      return page
    }
    return nil
  }

  /// The page at a place.
  package func page(at offset: Int) -> Step {
    let head = stream.bytes(at: offset, count: OggPage.headSize)
    if head.isEmpty { return .end }
    guard let header = OggPage(head) else {
      // A tag of another kind may follow the last page.
      let marks = ["TAG", "APETAGEX", "ID3", "LYRICSBEGIN"]
      if marks.contains(where: { head.starts(with: $0.utf8) }) { return .end }
      if isFiller(from: offset) { return .end }
      return .problem(
        head.count < OggPage.headSize
          ? "it is cut short within a page" : "there is no page at byte \(offset)")
    }
    let start = offset + OggPage.headSize
    let segments = stream.bytes(at: start, count: header.segmentCount)
    let size = OggPage.headSize + header.segmentCount + segments.reduce(0) { $0 + Int($1) }
    let bytes = stream.bytes(at: offset, count: size)
    guard segments.count == header.segmentCount, bytes.count == size else {
      return .problem("it is cut short within a page")
    }
    return .page(Page(offset: offset, bytes: bytes, header: header))
  }

  /// Whether zeros alone, or the end of a line, follow from a place on: no page was there.
  private func isFiller(from offset: Int) -> Bool {
    let head = stream.bytes(at: offset, count: 3)
    if head.count < 3, head.allSatisfy({ [0x0A, 0x0D].contains($0) }) { return true }
    let step = 1 << 14
    var place = offset
    while place < stream.length {
      let block = stream.bytes(at: place, count: min(step, stream.length - place))
      guard !block.isEmpty, block.allSatisfy({ $0 == 0 }) else { return false }
      place += block.count
    }
    return true
  }

  /// Writes a serial number that depends on the content alone into a file of one stream.
  ///
  /// Returns an error number, or 0. Files joined one after the other still have different serial
  /// numbers, as they must, when their content differs.
  package func makeSerialReproducible() -> Int32 {
    var digest: UInt32 = 0
    var offset: Int = 0
    while case .page(var page) = page(at: offset) {
      page.setWord(14, 0)
      page.setWord(22, 0)
      digest = OggPage.checksum(page.bytes, from: digest)
      offset += page.bytes.count
    }
    offset = 0
    while case .page(var page) = page(at: offset) {
      page.setWord(14, digest)
      page.setWord(22, 0)
      page.setWord(22, OggPage.checksum(page.bytes))
      _ = stream.seek(offset, SEEK_SET)
      let header = Array(page.bytes[0..<27])
      let written = unsafe header.withUnsafeBytes { bytes in
        unsafe bytes.baseAddress.map { unsafe stream.write(from: $0, bytes.count) }
      }
      guard written == 27 else { return stream.failure == 0 ? EIO : stream.failure }
      offset += page.bytes.count
    }
    return 0
  }
}
