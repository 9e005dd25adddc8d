// The length of WAV files whose encoding has blocks, the last of which is padded.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing
import Glibc

/// Reads and corrects the number of frames of sound in the last block, which the `fact` chunk
/// contains.
struct BlockLength {
  private let stream: FileStream
  /// The place of the frames, and the number of a block; nil for other files.
  private let place: (fact: Int, framesPerBlock: Int)?

  init(_ stream: FileStream) {
    self.stream = stream
    let chunks = SizeWalk.chunks(of: stream, from: 12, bigEndian: false)
    guard stream.bytes(at: 0, count: 4).elementsEqual("RIFF".utf8),
      let format = chunks.first(where: { $0.name == "fmt " }), format.size >= 20,
      let fact = chunks.first(where: { $0.name == "fact" }), fact.size >= 4,
      let frames = SizeWalk.integer(stream, at: format.start + 18, bytes: 2, bigEndian: false)
    else {
      place = nil
      return
    }
    place = (fact.start, frames)
  }

  /// The number of frames of sound in whole blocks: all, where the file's number makes no sense.
  func soundFrameCount(of frames: Int) -> Int {
    guard let place,
      let declared = SizeWalk.integer(stream, at: place.fact, bytes: 4, bigEndian: false),
      declared > 0, declared < frames, frames - declared < 2 * place.framesPerBlock
    else { return frames }
    return declared
  }

  /// Writes the right length.
  func correct(frameCount: Int) {
    guard let place else { return }
    var number = UInt32(clamping: frameCount).littleEndian
    _ = stream.seek(place.fact, SEEK_SET)
    _ = unsafe stream.write(from: &number, 4)
  }
}

extension AudioEncoding {
  /// Whether files hold whole blocks, and beside them the frames of sound.
  var hasBlockLength: Bool { [.imaADPCM, .msADPCM, .gsm610].contains(self) }
}
