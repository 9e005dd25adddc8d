// What results are to be: kind of file, level, length. What is left out is as the preset says.
// SPDX-License-Identifier: Apache-2.0

public import AudioConversion
public import AudioFiles
public import ResultSettings
public import RunLedgers
import Workers

/// The results of a run.
public struct ResultRequest: Sendable, Equatable {
  /// Names of results in a folder, such as `{stem}-wet.{ext}`; nil for those of their inputs.
  public var name: String?
  /// What is done about results that exist; nil to begin nothing when one does.
  public var existing: ExistingPolicy?
  /// Whether damaged inputs are taken as far as they can be read.
  public var isTolerant = false
  /// Which of several sound tracks of an input is taken, from 1; nil for the one that the file means.
  public var track: Int?
  /// How long results go on after their inputs.
  public var tail: TailPolicy?
  /// What is done about the delay of the chain.
  public var latency: LatencyPolicy?
  /// The kind of file.
  public var container = Choice<AudioContainer>.asPreset
  /// How samples are stored.
  public var encoding = Choice<AudioEncoding>.asPreset
  /// Bits a second of compressing encodings.
  public var bitRate: Int?
  /// Whether texts, marks and pictures go from inputs to results.
  public var keepsMetadata: Bool?
  /// Frames that units render at a time, 1 to 65,536; nil for the usual number.
  public var framesPerSlice: Int?
  /// The sample rate in Hz.
  public var sampleRate = Choice<Double>.asPreset
  /// How well sample rates are changed.
  public var resampleQuality: SampleRateConverter.Quality?
  /// The number of channels.
  public var channelCount = Choice<Int>.asPreset
  /// The integrated loudness in LUFS.
  public var loudness = Choice<Double>.asPreset
  /// The highest true peak in dBTP.
  public var truePeak = Choice<Double>.asPreset
  /// The highest sample in dBFS.
  public var peak = Choice<Double>.asPreset
  /// What hides the rounding where samples lose bits.
  public var dither: DitherKind?
  /// Where in the input to begin.
  public var start = Choice<TimePosition>.asPreset
  /// Where in the input to end.
  public var end = Choice<TimePosition>.asPreset
  /// What is not louder than this, in dBFS, is cut off at both ends of results.
  public var silenceThreshold = Choice<Double>.asPreset
  /// The length of the fade at the start, in seconds.
  public var fadeIn: Double?
  /// The length of the fade at the end, in seconds.
  public var fadeOut: Double?
  /// How fades go.
  public var fadeCurve: FadeCurve?
  /// Whether loudness and true peak are measured, for the ledger and reports.
  public var measuresLoudness = false

  /// Everything as the preset says.
  public init() {}

  /// What is done about results that exist.
  var existingPolicy: ExistingPolicy { existing ?? .error }
}
