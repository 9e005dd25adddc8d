// Where the sound of a file begins and ends by its header, kind by kind.
// SPDX-License-Identifier: Apache-2.0

/// Where the sound of a file begins and where it ends by its header.
package struct SizeWalk {
  /// Both in bytes; nil where the header does not tell.
  package var sound: (start: Int, end: Int)?

  /// Sizes that mean "not known when this was written".
  static func isUnknown(_ size: Int) -> Bool {
    size <= 0 || size >= 0xFFFF_FF00 && size <= 0xFFFF_FFFF
      || size >= 0x7FFF_0000 && size <= 0x7FFF_FFFF
  }

  /// Sound of a size; nothing told for no size, or a senseless one.
  package init(start: Int, size: Int) {
    let (end, overflow) = start.addingReportingOverflow(size)
    sound = size <= 0 || overflow ? nil : (start, end)
  }

  /// Nothing told.
  package init() {
    sound = nil
  }

  /// RIFF, RIFX and RF64: chunks of a four-byte name and a 32-bit size.
  package static func riff(_ stream: FileStream) -> SizeWalk {
    let isBig = readBytes(stream.descriptor, at: 0, count: 4).elementsEqual("RIFX".utf8)
    var wideSize: Int?
    for chunk in chunks(of: stream, from: 12, bigEndian: isBig) {
      if chunk.name == "ds64" {
        wideSize = integer(stream, at: chunk.start + 8, bytes: 8, bigEndian: isBig)
      } else if chunk.name == "data" {
        if chunk.size == 0xFFFF_FFFF, let wideSize {
          return SizeWalk(start: chunk.start, size: wideSize)
        }
        if isUnknown(chunk.size) { return SizeWalk() }
        return SizeWalk(start: chunk.start, size: chunk.size)
      }
    }
    return SizeWalk()
  }

  /// The right size for a RIFF file that tells 0 while sound follows: a recording that was never
  /// closed. The library would take it for empty.
  package static func unclosedRiff(_ stream: FileStream) -> FileStream.Patch? {
    let magic = readBytes(stream.descriptor, at: 0, count: 4)
    guard magic.elementsEqual("RIFF".utf8),
      let sound = chunks(of: stream, from: 12, bigEndian: false).first(where: {
        $0.name == "data"
      }), stream.length > sound.start
    else { return nil }
    if isUnknown(sound.size), stream.length - sound.start > 0xFFFF_FFF0 {
      return wideHeader(stream, soundStart: sound.start)
    }
    guard sound.size == 0 else { return nil }
    let next = readBytes(stream.descriptor, at: sound.start, count: 4)
    let nextSize = integer(stream, at: sound.start + 4, bytes: 4, bigEndian: false) ?? .max
    let isChunk =
      next.allSatisfy { (0x20...0x7E).contains($0) }
      && nextSize <= stream.length - sound.start - 8
    guard !isChunk else { return nil }
    let size = min(stream.length - sound.start, 0xFFFF_FFF0)
    return FileStream.Patch(
      offset: sound.start - 4, removed: 4,
      bytes: (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) })
  }

  /// More than 4 GiB that do not tell their length become RF64 for the library.
  private static func wideHeader(_ stream: FileStream, soundStart: Int) -> FileStream.Patch? {
    guard soundStart <= 1 << 20 else { return nil }
    func number(_ value: Int) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let none: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    let format = readBytes(stream.descriptor, at: 12, count: soundStart - 16)
    let sizes = number(stream.length + 28) + number(stream.length - soundStart) + number(0)
    return FileStream.Patch(
      offset: 0, removed: soundStart,
      bytes: Array("RF64".utf8) + none + Array("WAVEds64".utf8) + [28, 0, 0, 0] + sizes
        + [0, 0, 0, 0] + format + none)
  }

  /// AIFF and AIFF-C: as RIFF, most significant byte first.
  package static func aiff(_ stream: FileStream) -> SizeWalk {
    for chunk in chunks(of: stream, from: 12, bigEndian: true) where chunk.name == "SSND" {
      return isUnknown(chunk.size) || isPlaceholder(chunk.size, in: stream)
        ? SizeWalk() : SizeWalk(start: chunk.start, size: chunk.size)
    }
    return SizeWalk()
  }

  /// Whether the sound of an AIFF file has the size that SoX gives it where it writes into a pipe:
  /// 0x7F000000 bytes, less what is no whole frame, in a file as large.
  private static func isPlaceholder(_ size: Int, in stream: FileStream) -> Bool {
    let whole = integer(stream, at: 4, bytes: 4, bigEndian: true) ?? 0
    return (0x7EFF_F000...0x7F00_0008).contains(size) && whole >= size
      && stream.length < 0x7EFF_F000
  }

  /// Sun sound: offset and size of the sound stand after the magic word.
  package static func sun(_ stream: FileStream) -> SizeWalk {
    let isBig = readBytes(stream.descriptor, at: 0, count: 4).elementsEqual(".snd".utf8)
    guard let start = integer(stream, at: 4, bytes: 4, bigEndian: isBig),
      let size = integer(stream, at: 8, bytes: 4, bigEndian: isBig), !isUnknown(size)
    else { return SizeWalk() }
    return SizeWalk(start: start, size: size)
  }

  /// Core Audio format: chunks of a four-byte name and a 64-bit size; -1 is "to the end".
  package static func coreAudio(_ stream: FileStream) -> SizeWalk {
    var position: Int = 8
    for _ in 0..<maximumChunks {
      let name = readBytes(stream.descriptor, at: position, count: 4)
      guard name.count == 4,
        let size = integer(stream, at: position + 4, bytes: 8, bigEndian: true)
      else { break }
      if name.elementsEqual("data".utf8) { return SizeWalk(start: position + 12, size: size) }
      guard size >= 0, size < stream.length else { break }
      position += 12 + size
    }
    return SizeWalk()
  }

  /// Wave64: chunks of a 16-byte name and a 64-bit size that counts the 24 bytes of both.
  package static func wave64(_ stream: FileStream) -> SizeWalk {
    var position: Int = 40
    for _ in 0..<maximumChunks {
      let name = readBytes(stream.descriptor, at: position, count: 4)
      guard name.count == 4,
        let size = integer(stream, at: position + 16, bytes: 8, bigEndian: false),
        size >= 24
      else { break }
      if name.elementsEqual("data".utf8) {
        return SizeWalk(start: position + 24, size: size - 24)
      }
      guard size < stream.length else { break }
      position += (size + 7) & ~7
    }
    return SizeWalk()
  }

  private static let maximumChunks = 10_000

  /// The chunks of a file, up to its end or to something that is no chunk.
  package static func chunks(
    of stream: FileStream, from start: Int, bigEndian: Bool
  ) -> [(name: String, start: Int, size: Int)] {
    var found: [(name: String, start: Int, size: Int)] = []
    var position = start
    while found.count < maximumChunks {
      let name = readBytes(stream.descriptor, at: position, count: 4)
      guard name.count == 4,
        let size = integer(stream, at: position + 4, bytes: 4, bigEndian: bigEndian)
      else { break }
      found.append((String(decoding: name, as: UTF8.self), position + 8, size))
      position += 8 + size + (size & 1)
    }
    return found
  }

  /// A number of some bytes at an offset; nil where the file ends before.
  package static func integer(
    _ stream: FileStream, at offset: Int, bytes: Int, bigEndian: Bool
  ) -> Int? {
    let read = readBytes(stream.descriptor, at: offset, count: bytes)
    guard read.count == bytes else { return nil }
    var value: UInt = 0
    for byte in bigEndian ? read : read.reversed() { value = value << 8 | UInt(byte) }
    return Int(truncatingIfNeeded: value)
  }
}
