// Dither, which hides the rounding when samples lose bits.
// SPDX-License-Identifier: Apache-2.0

/// Dither: noise added when samples lose bits.
public enum DitherKind: String, Sendable, CaseIterable {
  /// Nothing: samples are rounded.
  case none
  /// Noise of triangular distribution, two steps wide.
  case triangular
  /// Triangular noise, with the error moved to where it is least audible.
  case shaped

  /// Finds a kind by its name or a common alias.
  ///
  /// Context: any.
  public init?(named name: String) {
    switch name.lowercased() {
    case "tpdf": self = .triangular
    case let name: self.init(rawValue: name)
    }
  }
}
