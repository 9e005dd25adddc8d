// The progress of the work on one file.
// SPDX-License-Identifier: Apache-2.0

/// The progress of the work on a file, in frames of its input.
///
/// Setting a level or trimming silence needs a second pass over the rendering, which counts as much as the
/// rendering.
package struct JobProgress {
  /// Frames done, over all passes.
  package let frameCount: Int
  /// Frames to do, over all passes; nil if unknown.
  package let totalFrameCount: Int?
  /// Frames to do for a second of sound, over all passes.
  package let frameRate: Double
  /// The length of the rendered range in seconds; nil if unknown.
  package let inputSeconds: Double?
  /// Frames of the input that are read.
  package let inputFrameCount: Int
  /// Whether the chain has learned its latency too late: the input is read once more.
  package let isReadAgain: Bool

  /// Makes the progress from a rendering and the fraction of its output that is done, 0 to 1.
  init(_ rendering: JobRendering, _ output: JobOutput, finished: Double? = nil) {
    let rounds = output.isGoneThroughAgain ? 2 : 1
    let read = rendering.inputFrameCount
    let promised = rendering.promisedFrameCount
    frameCount = read + (finished.map { Int($0 * Double(read)) } ?? 0)
    totalFrameCount = finished == nil ? promised.map { $0 * rounds } : read * rounds
    frameRate = rendering.sampleRate * Double(rounds)
    inputSeconds = promised.map { Double($0) / rendering.sampleRate }
    inputFrameCount = read
    isReadAgain = finished == nil && rendering.hasLearnedLatency
  }

  /// The fraction done, 0 to 1; 0 if unknown.
  package var fraction: Double {
    guard let totalFrameCount, totalFrameCount > 0 else { return 0 }
    return min(Double(frameCount) / Double(totalFrameCount), 1)
  }

  /// The seconds of sound done.
  package var seconds: Double { Double(frameCount) / frameRate }
}
