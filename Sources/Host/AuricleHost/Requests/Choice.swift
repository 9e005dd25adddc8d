// What a request says about a setting that presets have, too.
// SPDX-License-Identifier: Apache-2.0

/// A setting of results: the preset's, or another.
public enum Choice<Value: Sendable & Equatable>: Sendable, Equatable {
  /// As the preset says.
  case asPreset
  /// As the chain leaves it, whatever the preset says.
  case unchanged
  /// This value, whatever the preset says.
  case set(Value)

  /// The value that holds, where the preset says `preset`.
  func value(or preset: @autoclosure () -> Value?) -> Value? {
    switch self {
    case .asPreset: preset()
    case .unchanged: nil
    case .set(let value): value
    }
  }

  /// The value that is asked for; nil without one.
  var chosen: Value? {
    if case .set(let value) = self { value } else { nil }
  }
}
