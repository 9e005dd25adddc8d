// Where a reader's frames come from and a writer's go: the file library, or a codec.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing

/// Something that gives frames.
protocol SoundSource: AnyObject {
  /// The bytes of the file.
  var stream: FileStream { get }
  /// What the last call of `read` complained about; nil when all went well.
  var complaint: String? { get }

  /// Reads interleaved frames; how many came.
  func read(_ samples: UnsafeMutablePointer<Float>, frameCount: Int) -> Int
}

/// Something that takes frames.
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

extension SoundFile: SoundSource, SoundSink {
  var complaint: String? { failure?.reason }
}
