// The curve of a fade.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The curve of a fade from silence to full level.
public enum FadeCurve: String, Sendable, CaseIterable {
  /// Linear gain.
  case linear
  /// A quarter of a sine: equal power, fast at first.
  case sine
  /// Half a cosine: soft at both ends.
  case cosine
  /// Linear in decibels over 60 dB, and from there to silence.
  case exponential

  /// The gain at a fraction of the fade, 0 to 1: 0 at 0 and 1 at 1.
  ///
  /// Context: any.
  public func gain(at part: Double) -> Double {
    let part = min(max(part, 0), 1)
    switch self {
    case .linear: return part
    case .sine: return part == 1 ? 1 : sin(.pi / 2 * part)
    case .cosine: return (1 - cos(.pi * part)) / 2
    case .exponential: return part == 1 ? 1 : (pow(1000, part) - 1) / 999
    }
  }
}
