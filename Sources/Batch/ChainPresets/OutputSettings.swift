// What a preset says of the end of a chain and of its files.
// SPDX-License-Identifier: Apache-2.0

public import AudioConversion
import AudioFiles
public import ResultSettings

/// What happens at the end of a chain: tail, latency, and the format of the file.
public struct OutputSettings: Sendable, Equatable {
  /// The tail; automatic when the preset does not tell.
  public var tail = TailPolicy.automatic
  /// The latency; compensated when the preset does not tell.
  public var latency = LatencyPolicy.compensate
  /// Where in the input to begin; `nil` for its start.
  public var start: TimePosition?
  /// Where in the input to end; `nil` for its end.
  public var end: TimePosition?
  /// What counts as silence at both ends and is cut off, in dB of full scale; `nil` cuts nothing.
  public var silenceThreshold: Double?
  /// The file container by name, or `nil` for the input's.
  public var container: Located<String>?
  /// The encoding by name, or `nil` for the input's.
  public var encoding: Located<String>?
  /// Bits a second of compressing encodings, or `nil` for the encoder's own choice.
  public var bitRate: Int?
  /// Whether texts, marks, pictures and the like go from inputs to results.
  public var keepsMetadata = true
  /// The sample rate in Hz, or `nil` for the input's.
  public var sampleRate: Double?
  /// How much work is put into a change of sample rate, or `nil` to leave that to the program.
  public var resampleQuality: SampleRateConverter.Quality?
  /// The number of channels, or `nil` for the input's.
  public var channelCount: Int?
  /// The integrated loudness the file is brought to (LUFS), or `nil` to leave it.
  public var loudness: Double?
  /// The highest true peak (dBTP), or `nil` for no limit.
  public var truePeak: Double?
  /// The sample peak the file is brought to (dB of full scale), or `nil` to leave it.
  public var peak: Double?
  /// What hides the rounding when samples lose bits, or `nil` to leave that to the program.
  public var dither: DitherKind?
  /// The length of the fade at the start in seconds.
  public var fadeIn = 0.0
  /// The length of the fade at the end in seconds.
  public var fadeOut = 0.0
  /// How fades go, or `nil` for evenly.
  public var fadeCurve: FadeCurve?

  /// What counts as silence when nothing else is told, in dB of full scale.
  public static let usualSilence = -60.0
  /// The sample rates that files may be given, in Hz.
  public static let sampleRates = 1000.0...768_000

  /// Makes the settings a preset has that tells none.
  ///
  /// Context: any.
  public init() {}
}
