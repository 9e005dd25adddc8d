// The figures of a processed file.
// SPDX-License-Identifier: Apache-2.0

public import AudioFiles

/// The figures of a processed file.
public struct FileResult: Sendable {
  /// The path of the input.
  public var input: String
  /// The path of the output.
  public var output: String
  /// The format of the input.
  public var inputFormat: AudioFileFormat
  /// The format of the output.
  public var outputFormat: AudioFileFormat
  /// Frames read.
  public var inputFrameCount: Int
  /// Frames written, at the output's sample rate.
  public var outputFrameCount: Int
  /// The latency of the chain, removed or kept, in frames at the input's sample rate.
  public var latencyFrameCount: Int
  /// Frames of the result after the input's end, at the input's sample rate.
  public var tailFrameCount: Int
  /// Levels of the input.
  public var before: Levels
  /// Levels of the output, before its samples were stored; as decoded if that was measured.
  public var after: Levels
  /// The gain that brought the input to a loudness before the chain, in dB; nil when none was asked for.
  public var inputGain: Double?
  /// Loudness of the input; nil when it was not measured.
  public var loudnessBefore: LoudnessFigures?
  /// Loudness of the output before its samples were rounded; nil when it was not measured.
  public var loudnessAfter: LoudnessFigures?
  /// The change of the output's level; nil when none was requested.
  public var levelChange: LevelChange?
  /// The random values of this variant; empty without any.
  public var drawnValues: [DrawnFigure] = []
  /// The name of the deliverable; nil when it is the only one.
  public var name: String?
  /// The other deliverables of the rendering.
  public var others: [DeliverableResult] = []
  /// Notes for the user: how channels were adapted, a tail that did not end.
  public var notes: [String]
  /// Damage of the input that was tolerated as requested.
  public var toleratedDamage: [String] = []
  /// Whether packets were copied as they are: nothing was decoded, and levels are not known.
  public var isCopied = false
  /// Wall time of the work, in seconds.
  public var elapsedSeconds: Double
  /// Bytes written to each file, the output first; empty if unknown.
  package var byteCounts: [Int] = []
  /// XXH64 of each of those files that was read back as a whole; nil for others. Not kept.
  package var checksums: [UInt64?] = []

  /// Length of the input in seconds.
  public var inputDuration: Double { Double(inputFrameCount) / inputFormat.sampleRate }
  /// Length of the output in seconds.
  public var outputDuration: Double { Double(outputFrameCount) / outputFormat.sampleRate }
}

extension FileResult {
  /// Makes the figures of a silent file.
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

/// The figures of a further deliverable.
public struct DeliverableResult: Sendable {
  /// Its name.
  public var name: String?
  /// The path of the output.
  public var path: String
  /// Its format.
  public var format: AudioFileFormat
  /// Frames written, at its own sample rate.
  public var frameCount: Int
  /// Its levels, before its samples were stored.
  public var levels: Levels
  /// Its loudness; nil when it was not measured.
  public var loudness: LoudnessFigures?
  /// The change of its level; nil when none was requested.
  public var levelChange: LevelChange?
  /// Its length in bytes, and its XXH64; nil until it is complete.
  public var stored: StoredFile?
}

/// A parameter's random value for a variant.
public struct DrawnFigure: Sendable, Equatable {
  /// The label of the stage.
  public var stage: String
  /// The name of the parameter.
  public var parameter: String
  /// The value, in the parameter's own unit.
  public var value: Double
  /// The value as text.
  public var text: String

  /// Makes a figure.
  public init(stage: String, parameter: String, value: Double, text: String) {
    self.stage = stage
    self.parameter = parameter
    self.value = value
    self.text = text
  }
}
