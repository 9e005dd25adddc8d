// A file of floating point numbers read once as it lies on the disk: are all numbers, and its checksum.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFileParsing
import CHostSystem
import Glibc

/// The content of a file of floating point numbers, byte by byte.
struct StoredFloats {
  /// Whether every sample is a number.
  private(set) var areNumbers = true
  /// XXH64 of the whole file.
  let checksum: UInt64

  private static let blockSize = 1 << 17

  /// Reads a file whose samples are stored as they are in memory; nil for others, and when it
  /// cannot be read.
  ///
  /// The file library knows the place of the samples: it reads the first and the last of them.
  init?(_ stream: FileStream, _ file: SoundFile, _ format: AudioFileFormat, frameCount: Int) {
    let isRiff = [.wav, .wavex, .rf64, .w64].contains(format.container)
    guard isRiff, format.encoding == .float32, format.byteOrder != .big, frameCount > 0,
      let start = Self.offset(ofFrame: 0, stream, file, format),
      Self.offset(ofFrame: frameCount - 1, stream, file, format)
        == start + (frameCount - 1) * format.channelCount * 4
    else { return nil }
    let end = start + frameCount * format.channelCount * 4
    let block = UnsafeMutableRawPointer.allocate(byteCount: Self.blockSize, alignment: 64)
    defer { unsafe block.deallocate() }
    var state = AuricleXXH64State()
    unsafe AuricleXXH64Begin(&state)
    var offset = 0
    while offset < stream.length {
      let isSound = offset >= start && offset < end
      let edge = offset < start ? start : isSound ? end : stream.length
      let wanted = min(Self.blockSize, edge - offset)
      guard unsafe Self.read(stream, block, wanted, at: offset) else { return nil }
      unsafe AuricleXXH64Add(&state, block, wanted)
      if isSound {
        let samples = unsafe block.assumingMemoryBound(to: Float.self)
        areNumbers = unsafe areNumbers && areFinite(samples, count: wanted / 4)
      }
      offset += wanted
    }
    checksum = unsafe AuricleXXH64End(&state)
  }

  /// The place of a frame in the file; nil when that is not evident.
  private static func offset(
    ofFrame frame: Int, _ stream: FileStream, _ file: SoundFile, _ format: AudioFileFormat
  ) -> Int? {
    var samples = [Float](repeating: 0, count: format.channelCount)
    guard file.seek(toFrame: frame) else { return nil }
    let got = unsafe samples.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe file.read($0, frameCount: 1) } ?? 0
    }
    return got == 1 ? stream.position - format.channelCount * 4 : nil
  }

  /// Reads all of so many bytes.
  private static func read(
    _ stream: FileStream, _ block: UnsafeMutableRawPointer, _ count: Int, at offset: Int
  ) -> Bool {
    var done = 0
    while done < count {
      let step = unsafe pread(stream.descriptor, block + done, count - done, offset + done)
      if step < 0 && errno == EINTR { continue }
      guard step > 0 else { return false }
      done += step
    }
    return true
  }
}
