// The frames of an MPEG audio file: do they follow one another up to the end.
// SPDX-License-Identifier: Apache-2.0

/// Walks through the frames of an MPEG audio file.
///
/// The decoder looks for the next frame when one is broken and says nothing of what it passed
/// over; here a gap is found, and a last frame that is cut short.
struct MP3Frames {
  private let stream: FileStream

  init(_ stream: FileStream) {
    self.stream = stream
  }

  /// What is wrong with the file, as the end of a sentence; nil when the frames are whole.
  var problem: String? {
    var offset = leadingTagsEnd
    // Something may stand before the first frame: the decoder found one, so it comes.
    var frames = 0
    var reader = ByteWindow(stream)
    while offset < stream.length {
      guard let size = reader.frameSize(at: offset) else {
        if frames == 0 {
          offset += 1
          continue
        }
        return isTrailer(at: offset, &reader)
          ? nil : "there is no frame at byte \(offset), where one should begin"
      }
      // A first frame is one when another, or the end, follows it.
      if frames == 0, offset + size < stream.length, reader.frameSize(at: offset + size) == nil,
        !isTrailer(at: offset + size, &reader)
      {
        offset += 1
        continue
      }
      if offset + size > stream.length {
        return "it is cut short within its last frame"
      }
      frames += 1
      offset += size
    }
    return nil
  }

  /// Where the tags at the beginning (ID3 of version 2) end.
  private var leadingTagsEnd: Int {
    var offset = 0
    while true {
      let header = readBytes(stream.descriptor, at: offset, count: 10)
      guard header.count == 10, header[0..<3].elementsEqual("ID3".utf8) else { return offset }
      let size = header[6...9].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
      offset += 10 + size + (header[5] & 0x10 != 0 ? 10 : 0)
    }
  }

  /// Whether what stands at an offset is what tools put behind the last frame: tags, zeros.
  private func isTrailer(at offset: Int, _ reader: inout ByteWindow) -> Bool {
    let start = readBytes(stream.descriptor, at: offset, count: 11)
    let marks = ["TAG", "APETAGEX", "LYRICSBEGIN", "ID3", "3DI", "LYRICS200"]
    if marks.contains(where: { start.starts(with: $0.utf8) }) { return true }
    if start.count < 4 { return true }
    return start.allSatisfy { $0 == 0 }
  }
}

/// A file's bytes, read a piece at a time.
private struct ByteWindow {
  private let stream: FileStream
  private var start = 0
  private var bytes: [UInt8] = []

  init(_ stream: FileStream) {
    self.stream = stream
  }

  /// The length of the frame whose header stands at an offset; nil when none does.
  mutating func frameSize(at offset: Int) -> Int? {
    if offset < start || offset + 4 > start + bytes.count {
      start = offset
      bytes = readBytes(stream.descriptor, at: offset, count: 65_536)
      guard bytes.count >= 4 else { return nil }
    }
    let index = offset - start
    guard bytes[index] == 0xFF, bytes[index + 1] & 0xE0 == 0xE0 else { return nil }
    let version = Int(bytes[index + 1] >> 3 & 3)  // 0: 2.5, 2: 2, 3: 1
    let layer = 4 - Int(bytes[index + 1] >> 1 & 3)
    let rateIndex = Int(bytes[index + 2] >> 2 & 3)
    let bitRateIndex = Int(bytes[index + 2] >> 4)
    guard version != 1, layer != 4, rateIndex != 3, bitRateIndex != 15, bitRateIndex != 0 else {
      return nil
    }
    let rate = [44_100, 48_000, 32_000][rateIndex] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
    let padding = Int(bytes[index + 2] >> 1 & 1)
    let bits = Self.bitRates[version == 3 ? layer - 1 : (layer == 1 ? 3 : 4)][bitRateIndex] * 1000
    switch layer {
    case 1: return (12 * bits / rate + padding) * 4
    case 3 where version != 3: return 72 * bits / rate + padding
    default: return 144 * bits / rate + padding
    }
  }

  /// Kilobits a second: version 1 by layer, then version 2 layer I, then its layers II and III.
  private static let bitRates: [[Int]] = [
    [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]
}
