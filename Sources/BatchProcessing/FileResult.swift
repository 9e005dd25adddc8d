// What became of one file.
// SPDX-License-Identifier: Apache-2.0

public import AudioFiles

/// A file that was processed, in figures.
public struct FileResult: Sendable {
  /// The path that was read.
  public var input: String
  /// The path that was written.
  public var output: String
  /// What the input was.
  public var inputFormat: AudioFileFormat
  /// What the output is.
  public var outputFormat: AudioFileFormat
  /// Frames read.
  public var inputFrameCount: Int
  /// Frames written, at the output's sample rate.
  public var outputFrameCount: Int
  /// The delay of the chain that was cut off (or kept), in frames at the input's sample rate.
  public var latencyFrameCount: Int
  /// Frames that the result goes on after the input's end, at the input's sample rate.
  public var tailFrameCount: Int
  /// Levels of the input.
  public var before: Levels
  /// Levels of the output, before its samples were stored.
  public var after: Levels
  /// Loudness of the input; nil when it was not measured.
  public var loudnessBefore: LoudnessFigures?
  /// Loudness of the output, as it is in the file but for the rounding; nil when it was not measured.
  public var loudnessAfter: LoudnessFigures?
  /// What is worth knowing: how channels were adapted, a tail that did not end.
  public var notes: [String]
  /// Damage of the input that was passed over, because it was asked for.
  public var toleratedDamage: [String] = []
  /// Wall time of the work, in seconds.
  public var elapsedSeconds: Double

  /// Length of the input in seconds.
  public var inputDuration: Double { Double(inputFrameCount) / inputFormat.sampleRate }
  /// Length of the output in seconds.
  public var outputDuration: Double { Double(outputFrameCount) / outputFormat.sampleRate }
}
