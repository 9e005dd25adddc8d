// The source of a reader's frames and the target of a writer's: the file library, or a codec.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing

/// A source of frames.
protocol SoundSource: AnyObject {
  /// The bytes of the file.
  var stream: FileStream { get }
  /// The complaint of the last call of `read`; nil when all went well.
  var complaint: String? { get }
  /// Whether reading may go on behind damage.
  var goesOnBehindDamage: Bool { get }
  /// Bits a second as the container has them; nil where it has none.
  var bitRate: Int? { get }

  /// Reads interleaved frames; how many came.
  func read(_ samples: UnsafeMutablePointer<Float>, frameCount: Int) -> Int
}

/// A receiver of frames.
protocol SoundSink: AnyObject {
  /// The bytes of the file.
  var stream: FileStream { get }

  /// Writes interleaved frames; how many went.
  func write(_ samples: UnsafePointer<Float>, frameCount: Int) -> Int
  /// Writes interleaved frames of 16 bits; how many went.
  func write(_ samples: UnsafePointer<Int16>, frameCount: Int) -> Int
  /// Writes interleaved frames of 32 bits; how many went.
  func write(_ samples: UnsafePointer<Int32>, frameCount: Int) -> Int
}

/// Something that encodes frames, all of them as floats.
protocol EncodingSink: SoundSink {
  var channelCount: Int { get }
  /// The reason why frames were not accepted, as the end of a sentence.
  var reason: String? { get }

  /// Completes the file; false when that fails.
  func finish() -> Bool
  /// Closes the file, as it is.
  func close()
}

extension EncodingSink {
  func write(_ samples: UnsafePointer<Int16>, frameCount: Int) -> Int {
    let count = frameCount * channelCount
    return write((0..<count).map { unsafe Float(samples[$0]) / 32_768 }, frameCount)
  }

  func write(_ samples: UnsafePointer<Int32>, frameCount: Int) -> Int {
    let count = frameCount * channelCount
    return write((0..<count).map { unsafe Float(samples[$0]) / 2_147_483_648 }, frameCount)
  }

  private func write(_ samples: [Float], _ frameCount: Int) -> Int {
    unsafe samples.withUnsafeBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe write($0, frameCount: frameCount) } ?? 0
    }
  }
}

extension SoundSource {
  var goesOnBehindDamage: Bool { false }
  var bitRate: Int? { nil }
}

extension SoundFile: SoundSource, SoundSink {
  var complaint: String? { failure?.reason }
}
