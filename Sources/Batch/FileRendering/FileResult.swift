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
  /// What was done to the level of the output; nil when nothing was asked for.
  public var levelChange: LevelChange?
  /// The values that were drawn for this variant; empty without random values.
  public var drawnValues: [DrawnFigure] = []
  /// The name of the output among the files of the rendering; nil when it is the only one.
  public var name: String?
  /// The other files that the same rendering is stored as.
  public var others: [DeliverableResult] = []
  /// What is worth knowing: how channels were adapted, a tail that did not end.
  public var notes: [String]
  /// Damage of the input that was passed over, because it was asked for.
  public var toleratedDamage: [String] = []
  /// Wall time of the work, in seconds.
  public var elapsedSeconds: Double
  /// Bytes that were written of each file, the output first; empty where that is not known.
  package var byteCounts: [Int] = []

  /// Length of the input in seconds.
  public var inputDuration: Double { Double(inputFrameCount) / inputFormat.sampleRate }
  /// Length of the output in seconds.
  public var outputDuration: Double { Double(outputFrameCount) / outputFormat.sampleRate }
}

extension FileResult {
  /// A file of silence that took no time.
  package init(
    input: String, output: String, inputFormat: AudioFileFormat, outputFormat: AudioFileFormat,
    inputFrameCount: Int, outputFrameCount: Int
  ) {
    self.init(
      input: input, output: output, inputFormat: inputFormat, outputFormat: outputFormat,
      inputFrameCount: inputFrameCount, outputFrameCount: outputFrameCount, latencyFrameCount: 0,
      tailFrameCount: 0, before: Levels(peak: 0, rms: 0), after: Levels(peak: 0, rms: 0), notes: [],
      elapsedSeconds: 0)
  }
}

/// A further file of a rendering, in figures.
public struct DeliverableResult: Sendable {
  /// What tells it from the others.
  public var name: String?
  /// The path that was written.
  public var path: String
  /// What it is.
  public var format: AudioFileFormat
  /// Frames written, at its own sample rate.
  public var frameCount: Int
  /// Its levels, before its samples were stored.
  public var levels: Levels
  /// Its loudness; nil when it was not measured.
  public var loudness: LoudnessFigures?
  /// What was done to its level; nil when nothing was asked for.
  public var levelChange: LevelChange?
  /// Its length in bytes, and its XXH64; nil until it is complete.
  public var stored: StoredFile?
}

/// A value of a parameter that was drawn for a variant.
public struct DrawnFigure: Sendable, Equatable {
  /// What the stage of the chain is called.
  public var stage: String
  /// What the parameter is called.
  public var parameter: String
  /// The value, in the parameter's own unit.
  public var value: Double
  /// The value as people write it.
  public var text: String

  /// Tells a value.
  public init(stage: String, parameter: String, value: Double, text: String) {
    self.stage = stage
    self.parameter = parameter
    self.value = value
    self.text = text
  }
}
