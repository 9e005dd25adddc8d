// The range and the default of a control port, by its hint.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import Glibc

extension LADSPAPort {
  func has(_ bits: some BinaryInteger) -> Bool { kind & Int32(bits) == Int32(bits) }

  func hints(_ bit: some BinaryInteger) -> Bool { hint & Int32(bit) != 0 }

  var isInput: Bool { has(kLADSPAPort_Input) }
  var isAudio: Bool { has(kLADSPAPort_Audio) }
  var isControl: Bool { has(kLADSPAPort_Control) }

  /// Whether the range is multiplied by the sample rate.
  var isScaled: Bool { hints(kLADSPAHint_SampleRate) }

  /// The least value as written; nil without one.
  var minimum: Float? { hints(kLADSPAHint_BoundedBelow) && lower.isFinite ? lower : nil }

  /// The greatest value as written; nil without one.
  var maximum: Float? { hints(kLADSPAHint_BoundedAbove) && upper.isFinite ? upper : nil }

  /// The kind of the default, one of kLADSPAHint_Default….
  private var defaultKind: Int32 { hint & Int32(kLADSPAHint_DefaultMask) }

  /// The default that is a plain number, at any sample rate; nil for the ones made of the bounds.
  var plainDefault: Float? {
    switch defaultKind {
    case Int32(kLADSPAHint_Default0): 0
    case Int32(kLADSPAHint_Default1): 1
    case Int32(kLADSPAHint_Default100): 100
    case Int32(kLADSPAHint_Default440): 440
    default: nil
    }
  }

  /// The value that the port begins with, for bounds that are multiplied by `scale` where the hint says so.
  ///
  /// Returns the default in single precision, as other hosts calculate it; a logarithm is used with any
  /// bounds. Without a default it is 0, or the lower bound where that is greater.
  func defaultValue(scale: Float) -> Float {
    let low = isScaled ? lower * scale : lower
    let high = isScaled ? upper * scale : upper
    let weight: Float
    switch defaultKind {
    case Int32(kLADSPAHint_DefaultMinimum): return low
    case Int32(kLADSPAHint_DefaultLow): weight = 0.25
    case Int32(kLADSPAHint_DefaultMiddle): weight = 0.5
    case Int32(kLADSPAHint_DefaultHigh): weight = 0.75
    case Int32(kLADSPAHint_DefaultMaximum): return high
    default:
      if let plainDefault { return plainDefault }
      return minimum != nil && low > 0 ? low : 0
    }
    guard hints(kLADSPAHint_Logarithmic) else { return low * (1 - weight) + high * weight }
    return expf(logf(low) * (1 - weight) + logf(high) * weight)
  }

  /// The range for hosts, as multiples of the sample rate where it is scaled; completed where the hint leaves an
  /// end open, in order, and wide enough for the default.
  var range: ClosedRange<Float> {
    if hints(kLADSPAHint_Toggled) { return 0...1 }
    // A plain default of a scaled port is compared at 48 kHz.
    let start =
      isScaled ? plainDefault.map { $0 / 48_000 } ?? defaultValue(scale: 1) : defaultValue(scale: 1)
    let base = start.isFinite ? start : 0
    var low = minimum ?? min(0, base)
    var high = maximum ?? max(1, base, low + 1)
    if let first = points.first, minimum == nil { low = min(low, first.value) }
    if let last = points.last, maximum == nil { high = max(high, last.value) }
    if low > high { (low, high) = (high, low) }
    return isScaled && plainDefault != nil ? low...high : min(low, base)...max(high, base)
  }

  /// The defect of the range, as the end of a sentence; nil without one.
  var rangeDefect: String? {
    guard isControl, isInput else { return nil }
    if hints(kLADSPAHint_BoundedBelow) && !lower.isFinite
      || hints(kLADSPAHint_BoundedAbove) && !upper.isFinite
    {
      return "has a bound that is no number"
    }
    guard !hints(kLADSPAHint_Toggled), let minimum, let maximum, minimum >= maximum else {
      return nil
    }
    let kind = minimum == maximum ? "empty" : "inverted"
    return "has an \(kind) range, \(minimum) to \(maximum)"
  }
}
