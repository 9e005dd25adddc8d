// The description of one parameter of a unit.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// One parameter: names, unit, range and flags.
///
/// The corresponding Core Audio type is `AudioUnitParameterInfo`, with the content of further
/// properties.
public struct UnitParameter: Sendable {
  /// The parameter's number within its scope and element.
  public var id: AudioUnitParameterID
  /// The scope it belongs to.
  public var scope: AudioUnitScope
  /// The element of the scope it belongs to.
  public var element: AudioUnitElement
  /// The name shown to users.
  public var name: String
  /// The name that never changes, such as the symbol of a port; nil if there is none.
  public var symbol: String?
  /// The meaning of the value.
  public var unit: AudioUnitParameterUnit
  /// The unit as it is printed behind a value: "Hz", "dB", "s", "%"; empty if there is none.
  public var unitName: String
  /// The smallest value.
  public var minimum: Float
  /// The largest value.
  public var maximum: Float
  /// The ends of the range that limit nothing: bits of `kAuricleOpenEnd_…`.
  public var openEnds: UInt32 = 0
  /// All values that it has at one sample rate or another; nil where its range does not go with the rate, or
  /// was not asked for.
  public var rangeAtAnyRate: ClosedRange<Float>?
  /// The sample rate (Hz) that `maximum` holds for, where the range goes with the rate and was asked for.
  public var rangeSampleRate: Double?
  /// The value after opening.
  public var defaultValue: Float
  /// The flags of `AudioUnitParameterInfo`.
  public var flags: AudioUnitParameterOptions
  /// Names of the values `minimum`, `minimum + 1` and so on; nil if they have none.
  public var valueNames: [String]?
  /// Values that have names, in the unit's order; made of `valueNames` where it lists no others.
  public var valuePoints: [(value: Float, name: String)]
  /// The group of parameters it is shown in; nil if it is in none.
  public var clumpName: String?

  /// Makes a description in code; a unit's own come from `AudioUnit.parameters`.
  ///
  /// Context: any.
  public init(
    id: AudioUnitParameterID, scope: AudioUnitScope = kAudioUnitScope_Global,
    element: AudioUnitElement = 0, name: String, symbol: String? = nil,
    unit: AudioUnitParameterUnit, unitName: String? = nil, minimum: Float, maximum: Float,
    defaultValue: Float, flags: AudioUnitParameterOptions, valueNames: [String]? = nil,
    valuePoints: [(value: Float, name: String)]? = nil, clumpName: String? = nil
  ) {
    self.id = id
    self.scope = scope
    self.element = element
    self.name = name
    self.symbol = symbol
    self.unit = unit
    self.unitName = unitName ?? Self.unitName(of: unit)
    self.minimum = minimum
    self.maximum = maximum
    self.defaultValue = defaultValue
    self.flags = flags
    self.valueNames = valueNames
    self.valuePoints =
      valuePoints
      ?? (valueNames ?? []).enumerated().map { (minimum + Float($0.offset), $0.element) }
    self.clumpName = clumpName
  }

  /// The values that may be set, at any sample rate.
  public var acceptedRange: ClosedRange<Float> {
    let range = rangeAtAnyRate ?? minimum...max(maximum, minimum)
    let least =
      openEnds & kAuricleOpenEnd_Below == 0
      ? range.lowerBound : -Float.greatestFiniteMagnitude
    return
      least...(openEnds & kAuricleOpenEnd_Above == 0
      ? range.upperBound : Float.greatestFiniteMagnitude)
  }

  /// True if the host may set it.
  public var isWritable: Bool { flags & kAudioUnitParameterFlag_IsWritable != 0 }
  /// True if the host may read it.
  public var isReadable: Bool { flags & kAudioUnitParameterFlag_IsReadable != 0 }
  /// True for a meter: a value the unit reports.
  public var isMeter: Bool { flags & kAudioUnitParameterFlag_MeterReadOnly != 0 }
  /// True if it is shown on a logarithmic scale.
  public var isLogarithmic: Bool {
    flags & kAudioUnitParameterFlag_DisplayMask == kAudioUnitParameterFlag_DisplayLogarithmic
  }
  /// True if values between the named ones make no sense.
  public var isIndexed: Bool {
    unit == kAudioUnitParameterUnit_Indexed || unit == kAudioUnitParameterUnit_Boolean
  }

  /// The value named `name`, in any case; nil if no value has that name.
  public func value(named name: String) -> Float? {
    let wanted = name.lowercased()
    return valuePoints.first { $0.name.lowercased() == wanted }?.value
  }

  /// The name of a value; nil if it has none.
  public func valueName(of value: Float) -> String? {
    valuePoints.first { $0.value == value }?.name
  }

  /// The text behind a value of a unit of Core Audio; empty for units without one.
  public static func unitName(of unit: AudioUnitParameterUnit) -> String {
    switch unit {
    case kAudioUnitParameterUnit_Percent: "%"
    case kAudioUnitParameterUnit_Seconds: "s"
    case kAudioUnitParameterUnit_SampleFrames: "frames"
    case kAudioUnitParameterUnit_Phase, kAudioUnitParameterUnit_Degrees: "°"
    case kAudioUnitParameterUnit_Rate: "x"
    case kAudioUnitParameterUnit_Hertz: "Hz"
    case kAudioUnitParameterUnit_Cents, kAudioUnitParameterUnit_AbsoluteCents: "cents"
    case kAudioUnitParameterUnit_RelativeSemiTones: "semitones"
    case kAudioUnitParameterUnit_MIDINoteNumber: "note"
    case kAudioUnitParameterUnit_Decibels: "dB"
    case kAudioUnitParameterUnit_Meters: "m"
    case kAudioUnitParameterUnit_Octaves: "octaves"
    case kAudioUnitParameterUnit_BPM: "bpm"
    case kAudioUnitParameterUnit_Beats: "beats"
    case kAudioUnitParameterUnit_Milliseconds: "ms"
    case kAudioUnitParameterUnit_Ratio: ":1"
    default: ""
    }
  }
}
