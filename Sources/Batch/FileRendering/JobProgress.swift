// How far the work on one file is.
// SPDX-License-Identifier: Apache-2.0

/// How far the work on a file is, in frames of its input.
///
/// What is to have a level, or to lose its silence, is gone through again when all of it is rendered:
/// that counts as much as the rendering.
package struct JobProgress {
  /// Frames worked through: those of every time that the sound is gone through, together.
  package let frameCount: Int
  /// Frames that there are to work through; nil when the input does not tell.
  package let totalFrameCount: Int?
  /// Frames that are worked through for a second of sound.
  package let frameRate: Double
  /// The length of what is rendered, in seconds; nil when the input does not tell.
  package let inputSeconds: Double?

  /// So much is rendered, and so much of what comes then is done: a share, 0 to 1.
  init(_ rendering: JobRendering, _ output: JobOutput, finished: Double? = nil) {
    let rounds = output.isGoneThroughAgain ? 2 : 1
    let read = rendering.inputFrameCount
    let promised = rendering.promisedFrameCount
    frameCount = read + (finished.map { Int($0 * Double(read)) } ?? 0)
    totalFrameCount = finished == nil ? promised.map { $0 * rounds } : read * rounds
    frameRate = rendering.sampleRate * Double(rounds)
    inputSeconds = promised.map { Double($0) / rendering.sampleRate }
  }

  /// How much is done, 0 to 1; 0 where that cannot be told.
  package var fraction: Double {
    guard let totalFrameCount, totalFrameCount > 0 else { return 0 }
    return min(Double(frameCount) / Double(totalFrameCount), 1)
  }

  /// The seconds of sound that what is done comes to.
  package var seconds: Double { Double(frameCount) / frameRate }
}
