// The frames of an MPEG audio file: their number, and whether they follow one another without gaps.
// SPDX-License-Identifier: Apache-2.0

/// What a walk through the frames of an MPEG audio file found.
///
/// The decoder looks for the next frame when one is broken and says nothing of what it passed over;
/// and where no tag tells the number of frames, the library guesses one from the first, and drops
/// what lies behind its guess. So the frames are counted here.
package struct MP3Frames {
  /// Frames with sound.
  package private(set) var count = 0
  /// Samples a channel in each.
  private(set) var samplesPerFrame = 0
  /// The number of frames that a tag in the first one tells; nil when there is none.
  private(set) var promisedCount: Int?
  /// What is wrong, as the end of a sentence; nil when the frames are whole.
  package private(set) var problem: String?

  /// Bytes of the frames with sound.
  private(set) var byteCount = 0
  /// Where the last frame ends.
  private(set) var soundEnd = 0
  /// What the library needs to know the number of frames: a tag before the first one.
  package private(set) var missingTag: FileStream.Patch?

  /// Walks through a file that begins like MPEG audio; nil for others.
  package init?(_ stream: FileStream) {
    let start = readBytes(stream.descriptor, at: 0, count: 4)
    guard start.count == 4, start.starts(with: "ID3".utf8) || MP3Header(start[...]) != nil else {
      return nil
    }
    var reader = ByteWindow(stream)
    var offset = Self.leadingTagsEnd(stream)
    var checksum: MP3Checksum?
    var firstFrame: (offset: Int, header: MP3Header)?
    while offset < stream.length {
      guard let header = reader.header(at: offset) else {
        // Something may stand before the first frame.
        if count == 0, promisedCount == nil {
          offset += 1
          continue
        }
        if let next = Self.nextFrame(stream, &reader, behindTagsAt: offset) {
          offset = next
          continue
        }
        if !Self.mayEnd(stream, at: offset) {
          problem = "there is no frame at byte \(offset), where one should begin"
        }
        break
      }
      let end = offset + header.size
      // A first frame is one when another, or the end, follows it.
      if count == 0, end < stream.length, reader.header(at: end) == nil,
        !Self.isTrailer(stream, at: end)
      {
        offset += 1
        continue
      }
      guard end <= stream.length else {
        problem = "it is cut short within its last frame"
        break
      }
      if count == 0, promisedCount == nil {
        samplesPerFrame = header.samples
        firstFrame = (offset, header)
        let first = readBytes(stream.descriptor, at: offset, count: header.size)
        if let tag = header.tag(in: first) {
          promisedCount = tag
          checksum = MP3Checksum(stream, frameAt: offset, size: header.size)
          offset = end
          continue
        }
      }
      count += 1
      byteCount += header.size
      offset = end
    }
    soundEnd = offset
    if let promised = promisedCount, promised > 0 {
      comparePromise(promised) { checksum?.problem(stream, soundEnd: offset) }
    } else if let firstFrame, let tag = firstFrame.header.makeTag(frameCount: count) {
      missingTag = FileStream.Patch(offset: firstFrame.offset, removed: 0, bytes: tag)
    }
  }

  /// Where the next frame stands behind tags, which files that were joined have in the middle; nil without one.
  private static func nextFrame(
    _ stream: FileStream, _ reader: inout ByteWindow, behindTagsAt offset: Int
  ) -> Int? {
    // Zeros stand behind the last frame, and not between two of them.
    let (next, hasZeros) = MP3Trailer.end(stream, at: offset)
    guard !hasZeros, next > offset, !isEnd(stream, next) else { return nil }
    return reader.header(at: next) == nil ? nil : next
  }

  /// Whether the frames may end at an offset, with what stands there.
  private static func mayEnd(_ stream: FileStream, at offset: Int) -> Bool {
    let (next, hasZeros) = MP3Trailer.end(stream, at: offset)
    return isEnd(stream, next) || !hasZeros && isTrailer(stream, at: offset)
  }

  /// Whether the file ends before an offset. Its length counts what the library finds in front, too.
  private static func isEnd(_ stream: FileStream, _ offset: Int) -> Bool {
    readBytes(stream.descriptor, at: offset, count: 1).isEmpty
  }

  /// Compares what was found with what the tag in the first frame tells, unless something is wrong already.
  private mutating func comparePromise(_ promised: Int, checksumProblem: () -> String?) {
    guard problem == nil else { return }
    problem =
      abs(promised - count) > 1
      ? "it holds \(count) frames, but its header promises \(promised)" : checksumProblem()
  }

  /// Bits a second of the frames with sound, at a sample rate in Hz; nil without such frames.
  package func bitRate(sampleRate: Double) -> Int? {
    guard count > 0, samplesPerFrame > 0 else { return nil }
    let seconds = Double(count * samplesPerFrame) / sampleRate
    return Int((Double(byteCount) * 8 / seconds).rounded())
  }

  /// The frames of sound in files of layers I and II, which have no tags that tell them.
  package var exactSampleCount: Int? {
    missingTag == nil && promisedCount == nil && count > 0 ? count * samplesPerFrame : nil
  }

  /// Where the tags at the beginning (ID3 of version 2) end.
  private static func leadingTagsEnd(_ stream: FileStream) -> Int {
    var offset = 0
    while let end = MP3Trailer.tagEnd(stream, at: offset) { offset = end }
    return offset
  }

  /// Whether what stands at an offset is what tools put behind the last frame: tags, zeros.
  private static func isTrailer(_ stream: FileStream, at offset: Int) -> Bool {
    let start = readBytes(stream.descriptor, at: offset, count: 11)
    let marks = ["TAG", "APETAGEX", "LYRICSBEGIN", "ID3", "3DI", "LYRICS200"]
    if marks.contains(where: { start.starts(with: $0.utf8) }) { return true }
    return start.count < 4 || start.allSatisfy { $0 == 0 }
  }
}

/// The first four bytes of a frame.
private struct MP3Header {
  /// Bytes of the whole frame.
  let size: Int
  /// Samples a channel.
  let samples: Int
  private let bytes: [UInt8]
  private let layer: Int
  private let isVersion1: Bool
  private let isMono: Bool
  private let hasChecksum: Bool

  init?(_ slice: ArraySlice<UInt8>) {
    let bytes = Array(slice.prefix(4))
    guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return nil }
    let version = Int(bytes[1] >> 3 & 3)  // 0: 2.5, 2: 2, 3: 1
    layer = 4 - Int(bytes[1] >> 1 & 3)
    self.bytes = bytes
    let rateIndex = Int(bytes[2] >> 2 & 3)
    let bitRateIndex = Int(bytes[2] >> 4)
    guard version != 1, layer != 4, rateIndex != 3, bitRateIndex != 15, bitRateIndex != 0 else {
      return nil
    }
    isVersion1 = version == 3
    isMono = bytes[3] >> 6 == 3
    hasChecksum = bytes[1] & 1 == 0
    let rate = [44_100, 48_000, 32_000][rateIndex] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
    let padding = Int(bytes[2] >> 1 & 1)
    let table = isVersion1 ? layer - 1 : (layer == 1 ? 3 : 4)
    let bits = Self.bitRates[table][bitRateIndex] * 1_000
    switch layer {
    case 1:
      samples = 384
      size = (12 * bits / rate + padding) * 4
    case 3 where !isVersion1:
      samples = 576
      size = 72 * bits / rate + padding
    default:
      samples = 1_152
      size = 144 * bits / rate + padding
    }
  }

  /// The number of frames told by a tag (Xing, Info, VBRI) in a frame; 0 when the tag tells none,
  /// nil when there is no tag.
  func tag(in frame: [UInt8]) -> Int? {
    let sideInformation = isVersion1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
    for checksum in hasChecksum ? [2, 0] : [0] {
      let start = 4 + checksum + sideInformation
      guard frame.count >= start + 12 else { continue }
      let name = frame[start..<start + 4]
      guard name.elementsEqual("Xing".utf8) || name.elementsEqual("Info".utf8) else { continue }
      return frame[start + 7] & 1 != 0 ? Self.number(frame[start + 8..<start + 12]) : 0
    }
    if frame.count >= 54, frame[36..<40].elementsEqual("VBRI".utf8) {
      return Self.number(frame[50..<54])
    }
    return nil
  }

  /// A silent frame with a tag that tells the number of frames after it; nil for layers that have
  /// no such tags, where all frames are of one size and the library's guess is right.
  func makeTag(frameCount: Int) -> [UInt8]? {
    guard layer == 3 else { return nil }
    var start = bytes
    start[1] |= 1  // without a checksum
    start[2] = start[2] & 0x0D | 9 << 4  // large enough at every rate
    guard let header = MP3Header(start[...]) else { return nil }
    var frame = start + [UInt8](repeating: 0, count: header.size - 4)
    let offset = 4 + (isVersion1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
    guard frame.count >= offset + 12 else { return nil }
    frame.replaceSubrange(offset..<offset + 4, with: Array("Info".utf8))
    frame[offset + 7] = 1
    for byte in 0..<4 {
      frame[offset + 8 + byte] = UInt8(truncatingIfNeeded: frameCount >> (24 - 8 * byte))
    }
    return frame
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
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

/// A file's bytes, read a piece at a time.
private struct ByteWindow {
  private let stream: FileStream
  private var start = 0
  private var bytes: [UInt8] = []

  init(_ stream: FileStream) {
    self.stream = stream
  }

  /// The header that stands at an offset; nil when none does.
  mutating func header(at offset: Int) -> MP3Header? {
    if offset < start || offset + 4 > start + bytes.count {
      start = offset
      bytes = readBytes(stream.descriptor, at: offset, count: 65_536)
      guard bytes.count >= 4 else { return nil }
    }
    let index = offset - start
    guard bytes[index] == 0xFF else { return nil }
    return MP3Header(bytes[index..<index + 4])
  }
}
