// The level meters of a queue.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc
import RealtimeSupport
import Synchronization

/// Mean and peak of each channel, of the slice that was rendered last.
///
/// @unchecked Sendable because the words are written by the device's thread alone, each in one piece.
@safe final class QueueLevels: @unchecked Sendable {
  private let channelCount: Int
  private let words: UnsafeMutablePointer<Float>
  /// Whether levels are read.
  let isOn = Atomic<Bool>(false)

  init(channelCount: Int) {
    self.channelCount = channelCount
    unsafe words = .allocate(capacity: 2 * channelCount)
    unsafe words.initialize(repeating: 0, count: 2 * channelCount)
  }

  deinit { unsafe words.deallocate() }

  /// Measures interleaved samples. Context: the device's thread.
  @_noLocks func measure(_ samples: UnsafePointer<Float>, frames: Int) {
    guard isOn.load(ordering: .relaxed) else { return }
    for channel in 0..<channelCount {
      var (sum, peak): (Float, Float) = (0, 0)
      for frame in 0..<frames {
        let value = unsafe abs(samples[frame * channelCount + channel])
        sum += value * value
        peak = max(peak, value)
      }
      unsafe words[2 * channel] = frames > 0 ? RealtimeMath.sqrt(sum / Float(frames)) : 0
      unsafe words[2 * channel + 1] = peak
    }
  }

  /// The levels, linear or in decibels.
  func states(inDecibels: Bool) -> [AudioQueueLevelMeterState] {
    (0..<channelCount).map { channel in
      func shown(_ value: Float) -> Float {
        inDecibels ? max(-120, 20 * log10(max(value, 1e-6))) : value
      }
      return unsafe AudioQueueLevelMeterState(
        mAveragePower: shown(words[2 * channel]), mPeakPower: shown(words[2 * channel + 1]))
    }
  }
}
