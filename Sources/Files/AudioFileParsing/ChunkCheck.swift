// Compares the chunks of RIFF and AIFF files with the length of the sound.
// SPDX-License-Identifier: Apache-2.0

/// Evidence that the sound of a file is longer or shorter than its chunk declares, as the end of a
/// sentence; nil for none.
///
/// - Parameter sound: The start and end of the sound by its chunk, all of it within the file.
package func chunkProblem(of stream: FileStream, sound: (start: Int, end: Int)) -> String? {
  let magic = String(decoding: stream.bytes(at: 0, count: 4), as: UTF8.self)
  let isBig = magic != "RIFF" && magic != "RF64"
  return missingFrames(of: stream, sound: sound)
    ?? strayBytes(in: stream, behind: sound, bigEndian: isBig)
}

/// The end of a WAV file behind which another one follows, as when two were joined byte by byte;
/// nil for any other file. The file library would read the second as a chunk of the first.
package func endBeforeAnotherFile(_ stream: FileStream) -> Int? {
  func isWave(at position: Int) -> Bool {
    let start = stream.bytes(at: position, count: 12)
    return start.starts(with: "RIFF".utf8) && start.dropFirst(8).elementsEqual("WAVE".utf8)
  }
  guard isWave(at: 0),
    let size = SizeWalk.integer(stream, at: 4, bytes: 4, bigEndian: false),
    size > 36, !SizeWalk.isUnknown(size)
  else { return nil }
  // The byte that fills up an odd length is left out by some.
  let ends = [8 + size + (size & 1), 8 + size]
  return ends.first { $0 < stream.length && isWave(at: $0) }
}

/// Sound behind the sound: the file as a whole continues, but not with a chunk.
private func strayBytes(
  in stream: FileStream, behind sound: (start: Int, end: Int), bigEndian: Bool
) -> String? {
  guard let size = SizeWalk.integer(stream, at: 4, bytes: 4, bigEndian: bigEndian),
    !SizeWalk.isUnknown(size)
  else { return nil }
  // Data behind the whole, such as tags of other kinds, is no part of it.
  let end = min(8 + size, stream.length)
  let next = stream.bytes(at: sound.end, count: 5)
  guard end - sound.end > 8, next.count == 5 else { return nil }
  // The byte that fills up an odd length is left out by some. Zeros are room for later.
  let names = [next.prefix(4), next.suffix(4)]
  let mayBeChunk = names.contains { name in
    name.allSatisfy { (0x20...0x7E).contains($0) } || name.allSatisfy { $0 == 0 }
  }
  guard !mayBeChunk else { return nil }
  return
    "\(end - sound.end) bytes that are no chunk follow its \(sound.end - sound.start) bytes of "
    + "sound"
}

/// Frames that the common chunk of an AIFF file counts and the sound does not have.
private func missingFrames(of stream: FileStream, sound: (start: Int, end: Int)) -> String? {
  guard stream.bytes(at: 8, count: 4).elementsEqual("AIFF".utf8),
    let common = SizeWalk.chunks(of: stream, from: 12, bigEndian: true)
      .first(where: { $0.name == "COMM" }),
    let channels = SizeWalk.integer(stream, at: common.start, bytes: 2, bigEndian: true),
    let frames = SizeWalk.integer(stream, at: common.start + 2, bytes: 4, bigEndian: true),
    let bits = SizeWalk.integer(stream, at: common.start + 6, bytes: 2, bigEndian: true),
    !SizeWalk.isUnknown(frames), (1...64).contains(bits)
  else { return nil }
  // An offset and a block size precede the sound.
  let present = sound.end - sound.start - 8
  let promised = frames * channels * ((bits + 7) / 8)
  guard present >= 0, promised > present else { return nil }
  return "it is cut short: \(promised - present) of \(promised) bytes of sound are missing"
}
