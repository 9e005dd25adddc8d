// The pages of an Ogg file: whether all are there, and serial numbers that do not differ by chance.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Walks through the pages of an Ogg file.
///
/// The file library passes over missing and broken pages without a word, and gives each stream a
/// random serial number; here the first is found, and the second made a function of the content.
package struct OggPages {
  private let stream: FileStream

  /// The pages of a file.
  package init(_ stream: FileStream) {
    self.stream = stream
  }

  /// One page: where it stands, its bytes, and what its header tells.
  package struct Page {
    /// Where it begins in the file.
    package var offset: Int
    /// All of it, header and body.
    package var bytes: [UInt8]
    var isFirst: Bool { bytes[5] & 2 != 0 }
    var isLast: Bool { bytes[5] & 4 != 0 }
    var serial: UInt32 { word(14) }
    var sequence: UInt32 { word(18) }
    var checksum: UInt32 { word(22) }

    /// The four bytes at an index as a number.
    func word(_ index: Int) -> UInt32 {
      UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]) << 16
        | UInt32(bytes[index + 3]) << 24
    }

    /// Writes a number into the four bytes at an index.
    package mutating func setWord(_ index: Int, _ value: UInt32) {
      for byte in 0..<4 { bytes[index + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
    }

    /// The checksum that the page should carry.
    package func computedChecksum() -> UInt32 {
      var zeroed = self
      zeroed.setWord(22, 0)
      return OggChecksum.of(zeroed.bytes)
    }
  }

  /// What stands at a place.
  package enum Step {
    /// A page.
    case page(Page)
    /// The end of the file.
    case end
    /// What is wrong there, as the end of a sentence.
    case problem(String)
  }

  /// What is wrong with the file, as the end of a sentence; nil when all pages are whole.
  package var problem: String? {
    var offset: Int = 0
    var open: [UInt32: UInt32] = [:]
    while true {
      switch page(at: offset) {
      case .problem(let text): return text
      case .end:
        return open.isEmpty ? nil : "it is cut short: its last page is missing"
      case .page(let page):
        if page.computedChecksum() != page.checksum {
          return "the checksum of the page at byte \(offset) is wrong"
        }
        if page.isFirst {
          open[page.serial] = page.sequence
        } else if let previous = open[page.serial], page.sequence != previous &+ 1 {
          return "a page is missing before byte \(offset)"
        }
        open[page.serial] = page.isLast ? nil : page.sequence
        offset += page.bytes.count
      }
    }
  }

  /// Whether several streams stand one after the other: the library reads the first alone.
  package var isChained: Bool {
    var offset = 0
    var hasSound = false
    while case .page(let page) = page(at: offset) {
      if page.isFirst && hasSound { return true }
      hasSound = hasSound || !page.isFirst
      offset += page.bytes.count
    }
    return false
  }

  /// The page at a place.
  package func page(at offset: Int) -> Step {
    let header = readBytes(stream.descriptor, at: offset, count: 27)
    if header.isEmpty { return .end }
    guard header.count == 27 else { return .problem("it is cut short within a page") }
    guard header[0..<4].elementsEqual("OggS".utf8) else {
      // A tag of another kind may stand behind the last page.
      return header[0..<3].elementsEqual("TAG".utf8)
        ? .end : .problem("there is no page at byte \(offset)")
    }
    let segments = readBytes(stream.descriptor, at: offset + 27, count: Int(header[26]))
    let size = 27 + Int(header[26]) + segments.reduce(0) { $0 + Int($1) }
    let bytes = readBytes(stream.descriptor, at: offset, count: size)
    guard segments.count == Int(header[26]), bytes.count == size else {
      return .problem("it is cut short within a page")
    }
    return .page(Page(offset: offset, bytes: bytes))
  }

  /// Gives a file of one stream a serial number that depends on its content alone.
  ///
  /// Returns an error number, or 0. Files joined one after the other still have different serial
  /// numbers, as they must, when their content differs.
  package func makeSerialReproducible() -> Int32 {
    var digest: UInt32 = 0
    var offset: Int = 0
    while case .page(var page) = page(at: offset) {
      page.setWord(14, 0)
      page.setWord(22, 0)
      digest = OggChecksum.of(page.bytes, from: digest)
      offset += page.bytes.count
    }
    offset = 0
    while case .page(var page) = page(at: offset) {
      page.setWord(14, digest)
      page.setWord(22, 0)
      page.setWord(22, OggChecksum.of(page.bytes))
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

/// The checksum of Ogg: CRC-32 with polynomial 0x04C11DB7, not reflected, from zero.
private enum OggChecksum {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { value, _ in
      value & 0x8000_0000 != 0 ? value << 1 ^ 0x04C1_1DB7 : value << 1
    }
  }

  static func of(_ bytes: [UInt8], from start: UInt32 = 0) -> UInt32 {
    let table = table
    var value = start
    for byte in bytes {
      value = value << 8 ^ table[Int(value >> 24) ^ Int(byte)]
    }
    return value
  }
}
