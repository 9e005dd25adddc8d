// The length of AIFF files of one byte a frame, which the library rounds up to an even number.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing
import CSndFile
import Glibc

/// The number of frames in a file: the library counts the filling byte of AIFF for one, and whole blocks
/// in WAV.
func exactFrameCount(of file: SoundFile) -> Int {
  let frames = Int(file.info.frames)
  let container = AudioContainer(soundFileFormat: file.info.format)
  if container == .wav, AudioEncoding(soundFileFormat: file.info.format)?.hasBlockLength == true {
    return BlockLength(file.stream).soundFrameCount(of: frames)
  }
  // In Amiga files it counts the byte that makes their length even.
  if container == .iff, file.info.channels == 1,
    AudioEncoding(soundFileFormat: file.info.format) == .pcmS8,
    let sound = SizeWalk.amiga(file.stream).sound, sound.end - sound.start == frames - 1
  {
    return frames - 1
  }
  guard container == .aiff, AIFFLength(file.stream).hasSoundOf(byteCount: frames - 1) else {
    return frames
  }
  return frames - 1
}

/// Reads and corrects the length in the header of an AIFF file.
struct AIFFLength {
  private let stream: FileStream
  private let chunks: [(name: String, start: Int, size: Int)]

  init(_ stream: FileStream) {
    self.stream = stream
    chunks = SizeWalk.chunks(of: stream, from: 12, bigEndian: true)
  }

  /// Whether the sound has so many bytes, which is an odd number.
  func hasSoundOf(byteCount: Int) -> Bool {
    byteCount & 1 == 1 && chunks.contains { $0.name == "SSND" && $0.size == 8 + byteCount }
  }

  /// Writes the right length of a file with an odd number of one-byte frames.
  func correct(frameCount: Int) {
    guard let common = chunks.first(where: { $0.name == "COMM" }),
      let sound = chunks.first(where: { $0.name == "SSND" }),
      sound.size == 8 + frameCount + 1
    else { return }
    put(UInt32(frameCount), at: common.start + 2)
    put(UInt32(8 + frameCount), at: sound.start - 4)
  }

  private func put(_ number: UInt32, at offset: Int) {
    var bigEndian = number.bigEndian
    _ = stream.seek(offset, SEEK_SET)
    _ = unsafe stream.write(from: &bigEndian, 4)
  }
}
