// A request's choice for a setting that presets have, too.
// SPDX-License-Identifier: Apache-2.0

/// A setting of results: that of the preset, or another.
public enum Choice<Value: Sendable & Equatable>: Sendable, Equatable {
  /// As the preset says.
  case asPreset
  /// Not applied, even if the preset sets it.
  case unchanged
  /// This value, even if the preset sets another.
  case set(Value)

  /// The effective value if the preset has `preset`.
  func value(or preset: @autoclosure () -> Value?) -> Value? {
    switch self {
    case .asPreset: preset()
    case .unchanged: nil
    case .set(let value): value
    }
  }

  /// The requested value; nil without one.
  var chosen: Value? {
    if case .set(let value) = self { value } else { nil }
  }
}
