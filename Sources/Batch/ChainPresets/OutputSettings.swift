// The output settings of a preset: the end of the rendering and its files.
// SPDX-License-Identifier: Apache-2.0

public import AudioConversion
import AudioFiles
public import ResultSettings

/// The output of a chain: tail, latency, levels, and the format of the file.
public struct OutputSettings: Sendable, Equatable {
  /// The tail; automatic by default.
  public var tail = TailPolicy.automatic
  /// The latency; compensated by default.
  public var latency = LatencyPolicy.compensate
  /// The start in the input; `nil` for its beginning.
  public var start: TimePosition?
  /// The end in the input; `nil` for its end.
  public var end: TimePosition?
  /// The length of the piece of each file that is used (s), from a place that is drawn for each
  /// variant; `nil` for all of it.
  public var crop: RandomNumber?
  /// The level below which both ends are trimmed, in dB of full scale; `nil` trims nothing.
  public var silenceThreshold: Double?
  /// The file container by name, or `nil` for the input's.
  public var container: Located<String>?
  /// The encoding by name, or `nil` for the input's.
  public var encoding: Located<String>?
  /// The bit rate of compressing encodings, or `nil` for the input's where it has the same encoding.
  public var bitRate: BitRate?
  /// Whether metadata (texts, marks, pictures) is copied from inputs to results.
  public var keepsMetadata = true
  /// The sample rate in Hz, or `nil` for the input's.
  public var sampleRate: Double?
  /// The resampling quality, or `nil` for the program's default.
  public var resampleQuality: SampleRateConverter.Quality?
  /// The number of channels, or `nil` for the input's.
  public var channelCount: Int?
  /// The integrated loudness the file is brought to (LUFS), or `nil` to leave it.
  public var loudness: Double?
  /// Whether the loudness of one channel is that from two loudspeakers.
  public var isDualMono = false
  /// The distribution of the loudness for each variant (LUFS).
  public var randomLoudness: RandomNumber?
  /// The highest true peak (dBTP), or `nil` for no limit.
  public var truePeak: Double?
  /// The sample peak the file is brought to (dB of full scale), or `nil` to leave it.
  public var peak: Double?
  /// The distribution of the peak for each variant (dB of full scale).
  public var randomPeak: RandomNumber?
  /// The dither when samples lose bits, or `nil` for the program's default.
  public var dither: DitherKind?
  /// The length of the fade at the start in seconds.
  public var fadeIn = 0.0
  /// The length of the fade at the end in seconds.
  public var fadeOut = 0.0
  /// The curve of fades, or `nil` for linear.
  public var fadeCurve: FadeCurve?

  /// The default silence threshold in dB of full scale.
  public static let usualSilence = -60.0
  /// The range of sample rates of files, in Hz.
  public static let sampleRates = 1000.0...768_000

  /// Makes default settings.
  ///
  /// Context: any.
  public init() {}
}
