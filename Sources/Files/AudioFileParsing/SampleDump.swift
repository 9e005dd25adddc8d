// MIDI sample dumps: the library reads their last block wrong, and reports damage only to its log.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A MIDI sample dump: a header, and blocks of 120 bytes of seven bits with a checksum each.
package struct SampleDump {
  private static let headerSize = 21
  private static let blockSize = 127

  private let stream: FileStream
  private let header: [UInt8]
  /// Bits of a sample.
  private let bits: Int

  /// Nil when a file does not begin like one.
  package init?(_ stream: FileStream) {
    self.stream = stream
    header = Array(stream.bytes(at: 0, count: Self.headerSize))
    guard header.starts(with: [0xF0, 0x7E]) else { return nil }
    bits = header.count == Self.headerSize ? Int(header[6]) : 0
  }

  /// The number of samples by the header.
  package var frameCount: Int { Int(header[10]) | Int(header[11]) << 7 | Int(header[12]) << 14 }

  /// The number of samples of a block.
  package static func samplesPerBlock(bits: Int) -> Int { 120 / ((bits + 6) / 7) }

  private var samplesPerBlock: Int { Self.samplesPerBlock(bits: bits) }

  private var blockCount: Int { (frameCount + samplesPerBlock - 1) / samplesPerBlock }

  /// A header with whole blocks: the library misplaces the samples of one that is not full.
  package var patch: FileStream.Patch? {
    guard bits > 0, frameCount > 0 else { return nil }
    // And it reads nothing of a file with one block alone.
    let present = (stream.length - Self.headerSize) / Self.blockSize
    let count = max(blockCount, min(present, 2)) * samplesPerBlock
    guard count < 1 << 21 else { return nil }
    return FileStream.Patch(offset: Self.lengthOffset, removed: 3, bytes: Self.sevens(count))
  }

  /// Writes the length into a header: the library misplaces samples of a block that is not full, and
  /// therefore gets whole blocks.
  package static func correct(_ stream: FileStream, frameCount: Int) {
    var bytes = sevens(frameCount)
    _ = stream.seek(lengthOffset, SEEK_SET)
    _ = unsafe stream.write(from: &bytes, bytes.count)
  }

  /// The place of the length in the header.
  private static let lengthOffset = 10

  /// A number of 21 bits in three bytes, the lowest bits first.
  private static func sevens(_ number: Int) -> [UInt8] {
    [0, 7, 14].map { UInt8(number >> $0 & 0x7F) }
  }

  /// Damage of a dump, as the end of a sentence; nil for none.
  package var problem: String? {
    guard header.count == Self.headerSize, header[3] == 1, header[20] == 0xF7 else {
      return "its header makes no sense"
    }
    // If seven bits divide the samples evenly, the library reads them as one byte longer.
    guard (8...27).contains(bits), bits % 7 != 0 else {
      return "samples of \(bits) bits cannot be read"
    }
    for number in 0..<blockCount {
      let offset = Self.headerSize + number * Self.blockSize
      let block = Array(stream.bytes(at: offset, count: Self.blockSize))
      guard block.count == Self.blockSize else {
        return "it is cut short: it ends in block \(number + 1) of \(blockCount)"
      }
      let sum = block[1..<125].reduce(0, ^) & 0x7F
      guard block[0] == 0xF0, block[1] == 0x7E, block[3] == 2, block[126] == 0xF7,
        sum == block[125]
      else { return "block \(number + 1) does not match its checksum" }
    }
    return nil
  }
}
