// Sizes in headers as a decoder has to find them, where the file has none, or the lower bits of one.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileParsing

/// The right sizes for files whose writers could not go back, or could not say them.
enum HeaderSizes {
  /// Makes the patches that show the file library the right sizes in a header; none where they are right.
  static func patches(_ stream: FileStream, _ extent: SoundExtent) -> [FileStream.Patch] {
    let magic = String(decoding: stream.bytes(at: 0, count: 4), as: UTF8.self)
    // The library knows the younger of the two names of one kind by the older.
    let renamed =
      magic == "BW64"
      ? [FileStream.Patch(offset: 0, removed: 4, bytes: Array("RF64".utf8))] : []
    let (body, end) = (Int(extent.body), Int(extent.start + extent.byteCount))
    // The length may be in the chunk alone, where the library does not read it.
    let isElsewhere =
      ["RF64", "BW64"].contains(magic) && extent.length == .stored
      && SizeWalk.integer(stream, at: 28, bytes: 8, bigEndian: false) != end - body
    var isCut = false
    if case .cut = extent.length { isCut = magic == "caff" }
    guard isElsewhere || isCut || extent.length == .open || extent.length == .wrapped else {
      return renamed
    }
    func put(_ value: Int, _ count: Int, at offset: Int, big: Bool = false) -> FileStream.Patch {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return FileStream.Patch(offset: offset, removed: count, bytes: big ? bytes.reversed() : bytes)
    }
    switch magic {
    case "RIFF" where end - body > 0xFFFF_FFF0: return [wide(stream, body: body, end: end)]
    case "RIFF": return [put(end - body, 4, at: body - 4)]
    case "RIFX": return [put(min(end - body, 0xFFFF_FFF0), 4, at: body - 4, big: true)]
    case "RF64", "BW64":
      guard stream.bytes(at: 12, count: 4).elementsEqual("ds64".utf8) else {
        let name = FileStream.Patch(offset: 0, removed: 4, bytes: Array("RIFF".utf8))
        return [name, put(min(end - body, 0xFFFF_FFF0), 4, at: body - 4)]
      }
      return renamed + [
        put(end - 8, 8, at: 20), put(end - body, 8, at: 28), put(0xFFFF_FFFF, 4, at: body - 4),
      ]
    case "FORM": return [put(min(end - body, 0xFFFF_FFF0), 4, at: body - 4, big: true)]
    case "caff": return [put(end - body, 8, at: body - 8, big: true)]
    case "riff": return [put(end - body + 24, 8, at: body - 8)]
    case ".snd", "dns.":
      return [put(min(end - body, 0xFFFF_FFFF), 4, at: 8, big: magic == ".snd")]
    default: return renamed
    }
  }

  /// The header of RF64 for sound of more than 4 GiB in a file of 32 bits.
  private static func wide(_ stream: FileStream, body: Int, end: Int) -> FileStream.Patch {
    func number(_ value: Int) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let none: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    let format = stream.bytes(at: 12, count: body - 16)
    return FileStream.Patch(
      offset: 0, removed: body,
      bytes: Array("RF64".utf8) + none + Array("WAVEds64".utf8) + [28, 0, 0, 0]
        + number(end + 28) + number(end - body) + number(0) + [0, 0, 0, 0] + format + none)
  }
}
