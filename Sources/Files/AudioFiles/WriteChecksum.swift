// A checksum of written frames and those read back: whether packing without loss lost something.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import CHostSystem

/// A checksum of whole numbers, slice by slice on their way into a file and out of it again.
///
/// Two are equal when the same slices held the same numbers.
struct WriteChecksum: Equatable {
  private var hash: UInt64 = 0

  /// Adds the next slice.
  mutating func add<Sample: BitwiseCopyable>(_ samples: UnsafePointer<Sample>, count: Int) {
    let pair = [hash, unsafe AuricleXXH64(samples, count * MemoryLayout<Sample>.stride)]
    hash = unsafe pair.withUnsafeBytes { unsafe AuricleXXH64($0.baseAddress, $0.count) }
  }
}

extension WriteChecksum {
  /// Computes the checksum of a file's content, read in the slices that `SliceWriter` writes.
  init(reading file: SoundFile, _ format: AudioFileFormat) {
    if format.encoding.linearBits ?? 0 <= 16 {
      unsafe add(file, Int16.self, format.channelCount) { unsafe file.read($0, frameCount: $1) }
    } else {
      unsafe add(file, Int32.self, format.channelCount) { unsafe file.read($0, frameCount: $1) }
    }
  }

  private mutating func add<Sample: BitwiseCopyable>(
    _ file: SoundFile, _ type: Sample.Type, _ channelCount: Int,
    _ read: (UnsafeMutablePointer<Sample>, Int) -> Int
  ) {
    let frames = sliceFrames(channelCount: channelCount)
    let samples = UnsafeMutablePointer<Sample>.allocate(capacity: frames * channelCount)
    defer { unsafe samples.deallocate() }
    while true {
      let got = unsafe read(samples, frames)
      guard got > 0 else { return }
      unsafe add(samples, count: got * channelCount)
    }
  }
}

extension AudioFileFormat {
  /// Whether written frames are compared with those read back: the file library's encoder of Apple
  /// lossless silently loses loud noise of more than 16 bits.
  var needsWriteChecksum: Bool {
    switch encoding {
    case .alac16, .alac20, .alac24, .alac32: !container.needsCodec
    default: false
    }
  }
}
