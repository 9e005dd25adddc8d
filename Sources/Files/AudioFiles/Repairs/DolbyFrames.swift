// Finds the end of bare AC-3 and E-AC-3 streams; the decoder drops their last frame if bytes follow.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileParsing
import AudioFileSyntax
import CAudioToolbox

/// The bytes behind the last frame of a bare AC-3 stream.
struct DolbyFrames {
  /// End of the last frame.
  let end: Int
  /// The damage of the bytes that follow, as the end of a sentence; nil for tags and zeros.
  let problem: String?

  /// Reads behind the frames of a stream; nil for other files, and for files that end with a frame or within one.
  /// Also nil where other bytes lie between frames.
  init?(_ stream: FileStream, _ file: PacketFile) {
    guard file.type == kAudioFileAC3Type, let stretches = try? file.packetStretches(),
      stretches.count == 1, let only = stretches.first, Int(only.start) == stream.origin
    else { return nil }
    end = Int(only.end) - stream.origin
    let rest = stream.length - end
    let next = stream.bytes(at: end, count: AC3Header.size)
    // The beginning of a frame, and hardly more of it.
    guard rest > 0, rest > 5 || next.first != 0x0B, AC3Header(next) == nil else { return nil }
    let isTrailer =
      FrameTrailer(stream).end(at: Int(only.end)).offset >= stream.origin + stream.length
    problem = isTrailer ? nil : "\(rest) bytes that are no frame follow its last frame"
  }
}
