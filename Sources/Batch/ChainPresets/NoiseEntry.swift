// Noise that is added to the signal of a chain, so much softer than it.
// SPDX-License-Identifier: Apache-2.0

public import ResultSettings

/// Noise from a file, or from one of a folder that is drawn for each variant, repeated as long as needed.
public struct NoiseEntry: Sendable, Equatable {
  /// The ratio of signal and noise lies within this range (dB).
  public static let ratioRange = -60.0...120.0

  /// Where noise comes from; a relative path counts from the preset's folder.
  public enum Source: Sendable, Equatable {
    /// An audio file.
    case file(String)
    /// The audio files in a folder and in those below it.
    case folder(String)

    /// The path, as it is written.
    public var path: String {
      switch self {
      case .file(let path), .folder(let path): path
      }
    }
  }

  /// The name of the stage, or `nil`.
  public var label: Located<String>?
  /// Where the noise comes from.
  public var source: Located<Source>
  /// By how much the signal is louder, in dB: the ratio of the mean powers of both, over the whole file.
  public var ratioDecibels: Double
  /// The distribution of the ratio for each variant.
  public var randomRatio: RandomNumber?
  /// Whether no noise is added.
  public var isBypassed = false
  /// The probability of a bypass, 0 to 1, where it is drawn for each variant.
  public var bypassProbability: Double?

  /// Makes an entry in code.
  ///
  /// Context: any.
  public init(
    _ source: Located<Source>, ratioDecibels: Double, label: Located<String>? = nil
  ) {
    self.source = source
    self.ratioDecibels = ratioDecibels
    self.label = label
  }
}
