// A sound in a WAV file of 32-bit floating point that a process of ours has written: its samples in memory.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import HostSystem

/// Interleaved samples of a file that is mapped as long as this lives.
@safe final class FloatSound: @unchecked Sendable {
  /// The file.
  let path: String
  let channelCount: Int
  /// Frames a second.
  let sampleRate: Double
  let frameCount: Int
  private let memory: UnsafeMutableRawPointer
  private let byteCount: Int
  /// The first sample; texts in front of it may leave it at any byte.
  private let samples: UnsafeRawPointer

  /// Maps a file.
  ///
  /// - Throws: `.badData` for anything but a WAV file of 32-bit floating point.
  init(_ path: String) throws {
    let file = try FileDescriptor(opening: path)
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0, status.st_size >= 44 else {
      throw StudioFault(.badData, "\(path) is no sound")
    }
    byteCount = Int(status.st_size)
    guard let memory = unsafe mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, file.number, 0),
      unsafe memory != MAP_FAILED
    else { throw systemError(errno, "map", path) }
    unsafe self.memory = memory
    self.path = path
    let bytes = unsafe UnsafeRawBufferPointer(start: memory, count: byteCount)
    guard let layout = unsafe Self.layout(bytes) else {
      unsafe munmap(memory, byteCount)
      throw StudioFault(.badData, "\(path) is no sound in 32-bit floating point")
    }
    (channelCount, sampleRate, frameCount) = (layout.channels, layout.rate, layout.frames)
    unsafe samples = UnsafeRawPointer(memory + layout.offset)
  }

  deinit { unsafe munmap(memory, byteCount) }

  /// Seconds of sound.
  var seconds: Double { sampleRate > 0 ? Double(frameCount) / sampleRate : 0 }

  /// A sample.
  subscript(frame: Int, channel: Int) -> Float {
    unsafe samples.loadUnaligned(
      fromByteOffset: 4 * (frame * channelCount + channel), as: Float.self)
  }

  /// Frames in the range that are there, interleaved.
  func frames(_ range: Range<Int>) -> [Float] {
    let range = range.clamped(to: 0..<frameCount)
    let count = range.count * channelCount
    let start = 4 * range.lowerBound * channelCount
    return unsafe [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard count > 0, let base = buffer.baseAddress else { return }
      unsafe memcpy(base, samples + start, 4 * count)
      initialized = count
    }
  }

  /// Where the samples of a WAV, RF64 or extensible file are; nil for another kind.
  private static func layout(
    _ bytes: UnsafeRawBufferPointer
  ) -> (channels: Int, rate: Double, frames: Int, offset: Int)? {
    func number(_ place: Int, _ size: Int) -> Int {
      (0..<size).reduce(0) { unsafe $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    func isWord(_ place: Int, _ word: String) -> Bool {
      zip(0..<4, word.utf8).allSatisfy { unsafe bytes[place + $0.0] == $0.1 }
    }
    guard isWord(0, "RIFF") || isWord(0, "RF64"), isWord(8, "WAVE") else { return nil }
    var place = 12
    var (channels, rate, isFloat) = (0, 0, false)
    while place + 8 <= bytes.count {
      let size = number(place + 4, 4)
      if isWord(place, "fmt "), place + 24 <= bytes.count {
        let tag = number(place + 8, 2)
        channels = number(place + 10, 2)
        rate = number(place + 12, 4)
        let subtype = tag == 0xFFFE && place + 34 <= bytes.count ? number(place + 32, 2) : tag
        isFloat = subtype == 3 && number(place + 22, 2) == 32
      } else if isWord(place, "data") {
        guard isFloat, channels > 0 else { return nil }
        let length =
          size == 0xFFFF_FFFF ? bytes.count - place - 8 : min(size, bytes.count - place - 8)
        return (channels, Double(rate), length / (4 * channels), place + 8)
      }
      place += 8 + size + size % 2
    }
    return nil
  }

  /// Samples as the bytes of a WAV file of 32-bit floating point.
  static func wave(_ samples: [Float], channelCount: Int, sampleRate: Double) -> [UInt8] {
    var bytes: [UInt8] = []
    func number(_ value: Int, _ size: Int) {
      for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
    let size = 4 * samples.count
    bytes += "RIFF".utf8
    number(36 + size, 4)
    bytes += "WAVEfmt ".utf8
    number(16, 4)
    number(3, 2)
    number(channelCount, 2)
    number(Int(sampleRate), 4)
    number(Int(sampleRate) * 4 * channelCount, 4)
    number(4 * channelCount, 2)
    number(32, 2)
    bytes += "data".utf8
    number(size, 4)
    return bytes + Self.bytes(of: samples)
  }

  /// Samples as bytes, the least significant first.
  static func bytes(of samples: [Float]) -> [UInt8] {
    unsafe samples.withUnsafeBytes { unsafe Array($0) }
  }
}
