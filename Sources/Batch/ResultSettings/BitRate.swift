// The bit rate of compressing encodings, as presets and requests ask for it.
// SPDX-License-Identifier: Apache-2.0

/// A bit rate that is asked for.
public enum BitRate: Sendable, Equatable {
  /// The encoder's own choice.
  case encoders
  /// So many bits a second.
  case bits(Int)

  /// Bits a second; nil for the encoder's own choice.
  public var bitsPerSecond: Int? {
    if case .bits(let count) = self { count } else { nil }
  }
}
