// How many frames go to or from the file library at once, and how many may be missing at the end.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion

extension AudioFileFormat {
  /// How many frames fewer than promised are no damage: of MP3 in WAV headers tell what went into the
  /// encoder and its delay, in whole frames of MPEG.
  var framesThatMayMiss: Int { container != .mp3 && encoding == .mpegLayer3 ? 2304 : 0 }

  /// How many frames go to or from the library at once.
  var framesPerSlice: Int {
    // Of these it takes and gives 2048 numbers at a time, and confuses channels where frames do not
    // end there; and it gives nothing when asked from within the last block of ten frames on.
    container == .paf && encoding == .pcm24
      ? max(1, 2048 / channelCount / 10 * 10) : sliceFrames(channelCount: channelCount)
  }
}
