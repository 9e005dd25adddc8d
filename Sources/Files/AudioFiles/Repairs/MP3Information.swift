// The first frame of MP3 files with the length and the encoder's delay, where LAME makes none.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileParsing
import AudioFileSyntax
import CAudioToolbox
import Glibc

/// The information frame of MP3 files of a low constant bit rate.
///
/// Where LAME's has no room in a frame of the stream, LAME leaves it out: decoders then play the
/// encoder's delay and guess the length. So a larger frame with the same content is made here.
enum MP3Information {
  /// Samples that LAME lays before the sound.
  private static let delay = 576

  /// Puts such a frame before the first one with sound of a file that has none.
  static func complete(_ stream: FileStream, bitRate: Int, frameCount: Int) {
    guard let file = try? PacketFile.open(StoredBytes(stream), hint: kAudioFileMP3Type),
      let frames = MPEGFrames(stream, file), frames.problem == nil, file.informationSize == 0,
      let header = MPEGAudioHeader(stream.bytes(at: frames.sound.lowerBound, count: 4))
    else { return }
    let padding = frames.count * frames.samplesPerFrame - delay - frameCount
    guard
      var frame = MPEGInfoFrame.bytes(
        before: header, frameCount: frames.count, byteCount: frames.byteCount,
        priming: Int32(delay) + MPEGInfoFrame.decoderDelay,
        remainder: Int32(min(max(padding, 0), 4095)) - MPEGInfoFrame.decoderDelay),
      let name = frame.firstRange(of: Array("Info".utf8))?.lowerBound
    else { return }
    func put(_ number: Int, at offset: Int, _ count: Int) {
      for byte in 0..<count {
        frame[name + offset + byte] = UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - byte)))
      }
    }
    put(1, at: 129, 1)  // a constant bit rate
    put(min(bitRate / 1000, 255), at: 140, 1)
    put(frame.count + frames.byteCount, at: 148, 4)
    put(
      Int(checksum(stream, from: frames.sound.lowerBound, to: frames.sound.upperBound)), at: 152, 2)
    put(Int(MP3Checksum.checksum(of: frame[..<(name + 154)], from: 0)), at: 154, 2)
    insert(frame, into: stream, at: frames.sound.lowerBound)
  }

  /// The checksum of the frames with sound.
  private static func checksum(_ stream: FileStream, from start: Int, to end: Int) -> UInt16 {
    var value: UInt16 = 0
    var position = start
    while position < end {
      let bytes = stream.bytes(at: position, count: min(1 << 16, end - position))
      guard !bytes.isEmpty else { break }
      value = MP3Checksum.checksum(of: bytes[...], from: value)
      position += bytes.count
    }
    return value
  }

  /// Moves the bytes from an offset on, the end first, and puts bytes there.
  private static func insert(_ frame: [UInt8], into stream: FileStream, at offset: Int) {
    func write(_ bytes: [UInt8], at position: Int) {
      _ = stream.seek(position, SEEK_SET)
      _ = unsafe bytes.withUnsafeBytes { buffer in
        unsafe buffer.baseAddress.map { unsafe stream.write(from: $0, buffer.count) }
      }
    }
    var end = stream.length
    while end > offset, stream.failure == 0 {
      let start = max(offset, end - (1 << 16))
      write(stream.bytes(at: start, count: end - start), at: start + frame.count)
      end = start
    }
    write(frame, at: offset)
  }
}
