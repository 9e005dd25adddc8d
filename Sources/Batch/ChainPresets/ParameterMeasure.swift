// The unit of a parameter, and conversion of quantities in other units.
// SPDX-License-Identifier: Apache-2.0

public import AudioUnits
import CAudioToolbox
import Glibc
import ResultSettings

/// Why a name or a value does not fit a parameter: a sentence for a diagnostic.
struct SettingProblem: Error {
  var message: String
  init(_ message: String) { self.message = message }
}

extension UnitParameter {
  /// The kind of quantity, and the size of the parameter's unit in the kind's basic unit.
  ///
  /// `nil` if the value is a bare number.
  var measure: (kind: MeasureUnit.Kind, factor: Double)? {
    switch unit {
    case kAudioUnitParameterUnit_Hertz: (.frequency, 1)
    case kAudioUnitParameterUnit_Seconds: (.time, 1)
    case kAudioUnitParameterUnit_Milliseconds: (.time, 0.001)
    case kAudioUnitParameterUnit_SampleFrames: (.frames, 1)
    case kAudioUnitParameterUnit_Decibels: (.level, 1)
    case kAudioUnitParameterUnit_Percent: (.percent, percentScale ?? 1)
    case kAudioUnitParameterUnit_EqualPowerCrossfade: (.percent, percentScale ?? 1)
    case kAudioUnitParameterUnit_Cents, kAudioUnitParameterUnit_AbsoluteCents: (.pitch, 1)
    case kAudioUnitParameterUnit_RelativeSemiTones: (.pitch, 100)
    case kAudioUnitParameterUnit_Octaves: (.pitch, 1200)
    case kAudioUnitParameterUnit_Degrees, kAudioUnitParameterUnit_Phase: (.angle, 1)
    case kAudioUnitParameterUnit_Meters: (.length, 1)
    case kAudioUnitParameterUnit_BPM: (.tempo, 1)
    case kAudioUnitParameterUnit_Beats: (.beats, 1)
    case kAudioUnitParameterUnit_Rate, kAudioUnitParameterUnit_Ratio: (.ratio, 1)
    case kAudioUnitParameterUnit_CustomUnit:
      MeasureUnit.named(unitName).map { ($0.kind, $0.factor) }
    default: nil
    }
  }

  /// Whether a value is a factor of samples: LSP's plug-ins call that unit "G", and many others have a bare
  /// number that is called a gain or a threshold.
  private var isGainFactor: Bool {
    if unit == kAudioUnitParameterUnit_LinearGain { return true }
    if unit == kAudioUnitParameterUnit_CustomUnit { return unitName == "G" }
    guard unit == kAudioUnitParameterUnit_Generic, valuePoints.isEmpty, (0..<1).contains(minimum),
      maximum >= 1
    else { return false }
    let words = name.lowercased().split { !$0.isLetter }
    return words.contains { Self.gainWords.contains(String($0)) }
  }

  private static let gainWords: Set<String> = [
    "gain", "level", "volume", "threshold", "makeup", "ceiling", "limit", "amplitude", "drive",
  ]

  /// Percent in one of the parameter's units, by its range: 100 for 0…1, 1 for 0…100.
  private var percentScale: Double? {
    let extent = max(abs(minimum), abs(maximum))
    if extent > 0, extent <= 1 { return 100 }
    return extent > 1 && extent <= 1000 ? 1 : nil
  }

  /// Converts a quantity to the parameter's unit.
  ///
  /// - Throws: A problem that names the right kind of unit.
  func value(of quantity: Quantity) throws(SettingProblem) -> Double {
    guard let written = quantity.unit else { return quantity.value }
    if let measure, measure.kind == written.kind {
      // Dividing by equal factors may lose the last digit; the same unit needs no conversion.
      if measure.factor == written.factor { return quantity.value }
      return quantity.basicValue / measure.factor
    }
    let isBareNumber = measure == nil && !isIndexed
    if written.kind == .percent, isBareNumber || measure?.kind == .ratio, let percentScale {
      if percentScale == 100 || maximum == 100 { return quantity.value / percentScale }
    }
    if written.kind == .level, isGainFactor {
      return pow(10, quantity.value / 20)
    }
    if written.kind == .ratio, isBareNumber { return quantity.value }
    throw wrongUnit(quantity.description)
  }

  /// The problem of a value with a wrong unit.
  func wrongUnit(_ text: String) -> SettingProblem {
    if isIndexed { return SettingProblem("\(quoted(name)) is a choice and has no unit of measure") }
    let unit = displayUnit
    return unit.isEmpty
      ? SettingProblem("\(quoted(name)) is a plain number without a unit, not \(quoted(text))")
      : SettingProblem("\(quoted(name)) is measured in \(unit), not as \(quoted(text))")
  }

  /// The unit after a value in messages; empty if there is none.
  var displayUnit: String {
    switch unit {
    case kAudioUnitParameterUnit_EqualPowerCrossfade: maximum == 100 ? "%" : unitName
    case kAudioUnitParameterUnit_Boolean, kAudioUnitParameterUnit_Indexed: ""
    default: unitName
    }
  }

  /// A value as displayed: `80 Hz`, `true`, the name of a value, `4:1`.
  public func text(for value: Float) -> String {
    if let name = valueName(of: value) { return name }
    if unit == kAudioUnitParameterUnit_Boolean { return value != 0 ? "true" : "false" }
    return numberText(for: value)
  }

  /// A value as a number with the parameter's unit.
  func numberText(for value: Float) -> String {
    let unit = displayUnit
    if unit.isEmpty { return plainNumber(value) }
    return unit == ":1" ? "\(plainNumber(value)):1" : "\(plainNumber(value)) \(unit)"
  }

  /// The range as displayed: `10 Hz to 22050 Hz`.
  public var rangeText: String { "\(text(for: minimum)) to \(text(for: maximum))" }
}
