// The sound's length by the headers of older kinds of files.
// SPDX-License-Identifier: Apache-2.0

extension SizeWalk {
  /// Amiga IFF (8SVX, 16SV): chunks of a four-byte name and a 32-bit size.
  package static func amiga(_ stream: FileStream) -> SizeWalk {
    for chunk in chunks(of: stream, from: 12, bigEndian: true) where chunk.name == "BODY" {
      return isUnknown(chunk.size) ? SizeWalk() : SizeWalk(start: chunk.start, size: chunk.size)
    }
    return SizeWalk()
  }

  /// Creative voice: blocks of a kind and a 24-bit size; the last of those with sound.
  package static func voice(_ stream: FileStream) -> SizeWalk {
    // A sound larger than a size field extends to its end.
    guard stream.length < 1 << 24,
      var position = integer(stream, at: 20, bytes: 2, bigEndian: false)
    else { return SizeWalk() }
    for _ in 0..<10_000 {
      guard let kind = integer(stream, at: position, bytes: 1, bigEndian: false), kind != 0,
        let size = integer(stream, at: position + 1, bytes: 3, bigEndian: false)
      else { break }
      let next = position + 4 + size
      let isSound = [1, 2, 9].contains(kind)
      if isSound, next > stream.length { return SizeWalk(start: position + 4, size: size) }
      position = next
    }
    return SizeWalk()
  }

  /// The number of blocks of a Creative voice file that hold sound, two at most.
  package static func voiceSoundCount(_ stream: FileStream) -> Int {
    guard var position = integer(stream, at: 20, bytes: 2, bigEndian: false) else { return 0 }
    var count = 0
    for _ in 0..<10_000 where count < 2 {
      guard let kind = integer(stream, at: position, bytes: 1, bigEndian: false), kind != 0,
        let size = integer(stream, at: position + 1, bytes: 3, bigEndian: false)
      else { break }
      position += 4 + size
      if [1, 2, 9].contains(kind) { count += 1 }
    }
    return count
  }

  /// Audio Visual Research: the number of frames is in a header of 128 bytes.
  package static func visualResearch(_ stream: FileStream) -> SizeWalk {
    func number(_ offset: Int, _ bytes: Int) -> Int {
      integer(stream, at: offset, bytes: bytes, bigEndian: true) ?? 0
    }
    let (frames, channels) = (number(26, 4), number(12, 2) == 0 ? 1 : 2)
    guard !isUnknown(frames) else { return SizeWalk() }
    return SizeWalk(start: 128, size: frames * channels * number(14, 2) / 8)
  }

  /// NIST Sphere: the number of frames is in a header of text.
  package static func sphere(_ stream: FileStream) -> SizeWalk {
    let header = String(
      decoding: stream.bytes(at: 0, count: 1024), as: UTF8.self
    ).split(separator: "\n").map { $0.split(separator: " ") }
    func number(_ name: String) -> Int? {
      header.first { $0.count == 3 && $0[0] == name && $0[1] == "-i" }.flatMap { Int($0[2]) }
    }
    guard header.count > 2, let start = header[1].first.flatMap({ Int($0) }),
      let frames = number("sample_count"), let bytes = number("sample_n_bytes"),
      let channels = number("channel_count"), (1...8).contains(bytes),
      (1...1024).contains(channels), (0..<1 << 40).contains(frames)
    else { return SizeWalk() }
    return SizeWalk(start: start, size: frames * channels * bytes)
  }

  /// Matlab 5: elements of a kind and a 32-bit size, behind a header of 128 bytes.
  package static func matrix(_ stream: FileStream) -> SizeWalk {
    let mark = stream.bytes(at: 126, count: 2)
    let isBig = mark.elementsEqual("MI".utf8)
    guard isBig || mark.elementsEqual("IM".utf8) else { return SizeWalk() }
    var position = 128
    for _ in 0..<1000 {
      guard let kind = integer(stream, at: position, bytes: 4, bigEndian: isBig), kind == 14,
        let size = integer(stream, at: position + 4, bytes: 4, bigEndian: isBig)
      else { break }
      // The file library counts the filling behind the last element, and does not write it.
      let end = position + 8 + size
      if end > stream.length + 8 { return SizeWalk(start: position + 8, size: size) }
      position += 8 + size
    }
    return SizeWalk()
  }

  /// Matlab 5: the numbers of the second matrix, which are the sound; the first is the sample rate.
  static func matrixNumbers(_ stream: FileStream) -> SizeWalk {
    let isBig = stream.bytes(at: 126, count: 2).elementsEqual("MI".utf8)
    func number(_ offset: Int) -> Int {
      integer(stream, at: offset, bytes: 4, bigEndian: isBig) ?? 0
    }
    let matrix = 14
    guard number(128) == matrix else { return SizeWalk() }
    var position = 136 + number(132)
    guard number(position) == matrix else { return SizeWalk() }
    position += 8
    // Before the numbers: flags, dimensions, name. Up to four bytes may be beside their size.
    for _ in 0..<3 {
      let isSmall = number(position) >> 16 != 0
      position += isSmall ? 8 : 8 + (number(position + 4) + 7) & ~7
    }
    guard (1...9).contains(number(position)) else { return SizeWalk() }
    return SizeWalk(start: position + 8, size: number(position + 4))
  }

  /// Psion series 3: the number of samples, of one byte, is in a header of 32 bytes.
  static func psion(_ stream: FileStream) -> SizeWalk {
    SizeWalk(start: 32, size: integer(stream, at: 18, bytes: 4, bigEndian: true) ?? 0)
  }
}
