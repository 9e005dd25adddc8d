// Sizes for files that were written into a pipe, whose headers tell none.
// SPDX-License-Identifier: Apache-2.0

/// The right sizes for files that tell none, for the file library, which takes them for damaged or empty.
package enum UnclosedFile {
  /// What the library is to find in place of such sizes; nil for other files.
  package static func patch(_ stream: FileStream) -> FileStream.Patch? {
    let magic = readBytes(stream.descriptor, at: 0, count: 4)
    if magic.elementsEqual("caff".utf8) { return coreAudio(stream) }
    return magic.elementsEqual("RF64".utf8) ? wide(stream) : nil
  }

  /// Core Audio format: a size of -1, "to the end of the file", or 0 with sound behind it.
  private static func coreAudio(_ stream: FileStream) -> FileStream.Patch? {
    var position = 8
    for _ in 0..<10_000 {
      let name = readBytes(stream.descriptor, at: position, count: 4)
      let size = SizeWalk.integer(stream, at: position + 4, bytes: 8, bigEndian: true)
      guard name.count == 4, let size else { return nil }
      let left = stream.length - position - 12
      if name.elementsEqual("data".utf8) {
        guard size == -1 || size == 0, left > 4 else { return nil }
        return FileStream.Patch(offset: position + 4, removed: 8, bytes: number(left).reversed())
      }
      guard size >= 0, size < left else { return nil }
      position += 12 + size
    }
    return nil
  }

  /// RF64: sizes of 0 in the chunk that holds the large ones.
  private static func wide(_ stream: FileStream) -> FileStream.Patch? {
    guard readBytes(stream.descriptor, at: 12, count: 4).elementsEqual("ds64".utf8),
      SizeWalk.integer(stream, at: 28, bytes: 8, bigEndian: false) == 0,
      let sound = SizeWalk.chunks(of: stream, from: 12, bigEndian: false).first(where: {
        $0.name == "data"
      }), sound.size == 0xFFFF_FFFF, stream.length > sound.start
    else { return nil }
    return FileStream.Patch(
      offset: 20, removed: 16,
      bytes: number(stream.length - 8) + number(stream.length - sound.start))
  }

  /// Eight bytes, the least significant first.
  private static func number(_ value: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
