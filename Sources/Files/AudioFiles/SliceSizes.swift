// The numbers of frames to or from the file library at once, and of frames that may be missing at the end.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion

extension AudioFileFormat {
  /// The frames fewer than promised that are no damage. Headers of MP3 in WAV declare the encoder's
  /// input and its delay, in whole frames of MPEG.
  var framesThatMayMiss: Int { container != .mp3 && encoding == .mpegLayer3 ? 2304 : 0 }

  /// The frames that go to or from the library at once.
  var framesPerSlice: Int {
    // In these it processes 2048 numbers at a time, and confuses channels where frames do not end
    // there. It also returns nothing when asked from within the last block of ten frames on.
    container == .paf && encoding == .pcm24
      ? max(1, 2048 / channelCount / 10 * 10) : sliceFrames(channelCount: channelCount)
  }
}
