// What a preset says of the end of a chain and of its files.
// SPDX-License-Identifier: Apache-2.0

/// What happens at the end of a chain: tail, latency, and the format of the file.
public struct OutputSettings: Sendable, Equatable {
  /// How long the output goes on after the input has ended.
  public enum Tail: Sendable, Equatable {
    /// As long as the units tell, or until it is silent where they do not.
    case automatic
    /// Not at all: what would ring on is cut.
    case none
    /// The output is exactly as long as the input, even where a delay is kept.
    case keepLength
    /// So many seconds.
    case seconds(Double)
  }

  /// What happens to the units' delay.
  public enum Latency: String, Sendable, CaseIterable {
    /// It is cut off, so that the output is aligned with the input.
    case compensate
    /// It stays in the output.
    case keep
  }

  /// A place in a file.
  public struct Place: Sendable, Equatable {
    /// Seconds.
    public var seconds: Double
    /// Whether they are counted from the end backwards.
    public var isFromEnd: Bool

    /// A place.
    public init(seconds: Double, isFromEnd: Bool = false) {
      self.seconds = seconds
      self.isFromEnd = isFromEnd
    }

    var text: String { "\(isFromEnd ? "-" : "")\(plainNumber(seconds)) s" }
  }

  /// What hides the rounding when samples lose bits.
  public enum Dither: String, Sendable, CaseIterable {
    /// Nothing: samples are rounded.
    case none
    /// Noise of triangular distribution, two quantisation steps wide.
    case triangular
    /// Triangular noise that is moved to where the ear hears it least.
    case shaped
  }

  /// How much work is put into a change of sample rate.
  public enum ResampleQuality: String, Sendable, CaseIterable {
    /// Cubic interpolation.
    case quick
    /// 16 bits with a large roll-off.
    case low
    /// 16 bits with a medium roll-off.
    case medium
    /// 20 bits.
    case high
    /// 28 bits.
    case veryHigh = "very-high"
  }

  /// How fades go.
  public enum FadeCurve: String, Sendable, CaseIterable {
    /// The gain grows evenly.
    case linear
    /// A quarter of a sine: equal power.
    case sine
    /// Half a cosine: soft at both ends.
    case cosine
    /// Evenly in decibels.
    case exponential
  }

  /// The tail; automatic when the preset does not tell.
  public var tail = Tail.automatic
  /// The latency; compensated when the preset does not tell.
  public var latency = Latency.compensate
  /// Where in the input to begin; `nil` for its start.
  public var start: Place?
  /// Where in the input to end; `nil` for its end.
  public var end: Place?
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
  public var resampleQuality: ResampleQuality?
  /// The number of channels, or `nil` for the input's.
  public var channelCount: Int?
  /// The integrated loudness the file is brought to (LUFS), or `nil` to leave it.
  public var loudness: Double?
  /// The highest true peak (dBTP), or `nil` for no limit.
  public var truePeak: Double?
  /// The sample peak the file is brought to (dB of full scale), or `nil` to leave it.
  public var peak: Double?
  /// What hides the rounding when samples lose bits, or `nil` to leave that to the program.
  public var dither: Dither?
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
