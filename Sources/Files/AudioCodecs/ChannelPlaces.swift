// The order of channels: Core Audio's for an encoding against that of extensible WAV, which the codec library has.
// SPDX-License-Identifier: Apache-2.0

import AudioFormats
import CAudioToolbox

/// Moves channels between the two orders.
struct ChannelPlaces {
  /// The library's channel for each of Core Audio's.
  private let places: [Int]

  /// The order of an encoding; nil where both are the same.
  init?(_ id: AudioFormatID, channelCount: Int) {
    // The centre is first, LFE last, and between them come pairs from the front to the back.
    let isAAC = FormatCompletion.isAAC(id)
    guard isAAC || id == kAudioFormatAppleLossless else { return nil }
    switch channelCount {
    case 3: places = [2, 0, 1]
    case 4: places = [2, 0, 1, 3]
    case 5: places = [2, 0, 1, 3, 4]
    case 6: places = [2, 0, 1, 4, 5, 3]
    case 7: places = [2, 0, 1, 4, 5, 6, 3]
    // The library has the first two pairs of AAC in front and at the sides, those of ALAC in front.
    case 8: places = isAAC ? [2, 0, 1, 6, 7, 4, 5, 3] : [2, 6, 7, 0, 1, 4, 5, 3]
    default: return nil
    }
  }

  /// Puts interleaved samples into the order of Core Audio, or of the library.
  func move(
    _ samples: UnsafeRawPointer, frameCount: Int, width: Int,
    into target: UnsafeMutableRawPointer, toLibrary: Bool
  ) {
    let count = places.count
    for (ours, theirs) in places.enumerated() {
      let (from, into) = toLibrary ? (ours, theirs) : (theirs, ours)
      if width == 2 {
        let source = unsafe samples.assumingMemoryBound(to: UInt16.self) + from
        let place = unsafe target.assumingMemoryBound(to: UInt16.self) + into
        for frame in 0..<frameCount { unsafe place[frame * count] = source[frame * count] }
      } else {
        let source = unsafe samples.assumingMemoryBound(to: UInt32.self) + from
        let place = unsafe target.assumingMemoryBound(to: UInt32.self) + into
        for frame in 0..<frameCount { unsafe place[frame * count] = source[frame * count] }
      }
    }
  }
}
