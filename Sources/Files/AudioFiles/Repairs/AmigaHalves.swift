// Stereo files of the Amiga: the whole left channel, and behind it the whole right one.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing
import CSndFile
import Glibc

/// Reads both halves of such a file as frames; the file library would read neighbours as a frame.
///
/// For it the file is patched to be of the left channel alone, with the right one at its end.
@safe final class AmigaHalves: SoundSource {
  private let file: SoundFile
  private let half: Int
  private var position = 0
  private var scratch: [Float] = []

  /// The number of frames.
  var frameCount: Int { half }
  var stream: FileStream { file.stream }
  var complaint: String? { file.complaint }

  /// - Parameter sampleCount: The samples of both channels.
  init(_ file: SoundFile, sampleCount: Int) {
    self.file = file
    half = sampleCount / 2
  }

  /// The patch that makes a stereo file one of the left channel; nil for other files.
  static func patch(_ stream: FileStream) -> FileStream.Patch? {
    let start = stream.bytes(at: 0, count: 12)
    let kind = start.dropFirst(8)
    guard start.starts(with: "FORM".utf8),
      kind.elementsEqual("8SVX".utf8) || kind.elementsEqual("16SV".utf8)
    else { return nil }
    let chunks = SizeWalk.chunks(of: stream, from: 12, bigEndian: true)
    // The library does not read compressed files.
    guard let header = chunks.first(where: { $0.name == "VHDR" }),
      stream.bytes(at: header.start + 15, count: 1) == [0],
      let channels = chunks.first(where: { $0.name == "CHAN" }), channels.size == 4,
      SizeWalk.integer(stream, at: channels.start, bytes: 4, bigEndian: true) == 6
    else { return nil }
    return FileStream.Patch(offset: channels.start, removed: 4, bytes: [0, 0, 0, 2])
  }

  func read(_ samples: UnsafeMutablePointer<Float>, frameCount: Int) -> Int {
    var count = min(frameCount, half - position)
    guard count > 0 else { return 0 }
    if scratch.count < count { scratch = [Float](repeating: 0, count: count) }
    for channel in 0..<2 {
      guard file.seek(toFrame: channel * half + position) else { return 0 }
      count = unsafe scratch.withUnsafeMutableBufferPointer { buffer in
        unsafe buffer.baseAddress.map { unsafe max(0, file.read($0, frameCount: count)) } ?? 0
      }
      for frame in 0..<count { unsafe samples[2 * frame + channel] = scratch[frame] }
    }
    position += count
    return count
  }
}
