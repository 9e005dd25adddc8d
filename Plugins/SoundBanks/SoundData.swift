// The samples of a sound in memory, with silence at both ends.
// SPDX-License-Identifier: Apache-2.0

/// A sound of one or two channels, which regions share. Context: any.
///
/// @unchecked Sendable because nothing changes after init.
@safe final class SoundData: @unchecked Sendable {
  /// Frames of silence in front of the first frame and behind the last.
  static var padding: Int { @_noLocks get { ZoneKernel.mostReach + 8 } }

  /// Frames per second (Hz).
  let sampleRate: Double
  /// One or two.
  let channelCount: Int
  /// Frames of each channel.
  let frameCount: Int
  private let memory: UnsafeMutablePointer<Float>
  private let stride: Int

  /// Allocates, and has the channels filled. Context: control.
  init(
    sampleRate: Double, channelCount: Int, frameCount: Int,
    fill: (_ channel: Int, _ samples: UnsafeMutablePointer<Float>) -> Void
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.frameCount = frameCount
    stride = frameCount + 2 * Self.padding
    unsafe memory = .allocate(capacity: stride * channelCount)
    unsafe memory.initialize(repeating: 0, count: stride * channelCount)
    for channel in 0..<channelCount {
      unsafe fill(channel, memory + channel * stride + Self.padding)
    }
  }

  deinit { unsafe memory.deallocate() }

  /// The first frame of a channel.
  func channel(_ index: Int) -> UnsafePointer<Float> {
    unsafe UnsafePointer(memory + index * stride + Self.padding)
  }
}
