// Finds the end of bare AC-3 and E-AC-3 streams; the decoder drops their last frame if bytes follow.
// SPDX-License-Identifier: Apache-2.0

/// What stands behind the last frame of a bare stream.
package struct DolbyFrames {
  /// Where the last frame ends.
  package let end: Int
  /// What is wrong with what follows, as the end of a sentence; nil for tags and zeros.
  package let problem: String?

  /// Walks through a stream; nil for other files, for those that end with a frame or within one, and where
  /// further frames follow what is none.
  package init?(_ stream: FileStream) {
    var position = 0
    while let size = Self.frameSize(stream, at: position) { position += size }
    guard position > 0, position < stream.length else { return nil }
    let rest = stream.length - position
    let next = readBytes(stream.descriptor, at: position, count: 1)
    // The beginning of a frame, and hardly more of it.
    guard rest > 5 || next != [0x0B] else { return nil }
    end = position
    guard MP3Trailer.end(stream, at: position).offset < stream.length else {
      problem = nil
      return
    }
    guard !Self.holdsFrame(stream, from: position) else { return nil }
    problem = "\(rest) bytes that are no frame follow its last frame"
  }

  /// Bytes of the frame that begins at an offset; nil where none does.
  private static func frameSize(_ stream: FileStream, at offset: Int) -> Int? {
    frameSize(readBytes(stream.descriptor, at: offset, count: 6))
  }

  /// Bytes of a frame by its first six.
  private static func frameSize(_ head: some Collection<UInt8>) -> Int? {
    let head = Array(head)
    guard head.count == 6, head[0] == 0x0B, head[1] == 0x77 else { return nil }
    switch head[5] >> 3 {
    case 0...10:
      let (rate, code) = (Int(head[4] >> 6), Int(head[4] & 0x3F))
      guard rate < 3, code / 2 < bitRates.count else { return nil }
      let bitRate = bitRates[code / 2]
      switch rate {
      case 0: return 4 * bitRate
      case 1: return 2 * (bitRate * 96_000 / 44_100 + code % 2)
      default: return 6 * bitRate
      }
    case 11...16:
      guard head[2] >> 6 < 3 else { return nil }
      let size = 2 * ((Int(head[2] & 7) << 8 | Int(head[3])) + 1)
      return size >= 7 ? size : nil
    default: return nil
    }
  }

  /// In thousands of bits a second, of frames of 1536 samples.
  private static let bitRates = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]

  /// Whether a frame, whole or cut, with another one or the end of the file behind it stands somewhere from
  /// an offset on. The more there is to look through the surer it is: then it is taken for granted.
  private static func holdsFrame(_ stream: FileStream, from start: Int) -> Bool {
    let most = 1 << 22
    guard stream.length - start <= most else { return true }
    let bytes = readBytes(stream.descriptor, at: start, count: most)
    for index in bytes.indices.dropLast(5) where bytes[index] == 0x0B {
      guard let size = frameSize(bytes[index..<index + 6]) else { continue }
      let next = index + size
      if next >= bytes.count || frameSize(bytes[next...].prefix(6)) != nil { return true }
    }
    return false
  }
}
