// Checks of one unit: what every unit of its type must have, and do.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import AudioUnits
import CAudioToolbox

/// A rule that a unit breaks.
public struct UnitFault: Sendable, Hashable, CustomStringConvertible {
  /// How much it matters.
  public enum Severity: Sendable {
    /// Hosts may do without the unit.
    case error
    /// Hosts live with it; it should be mended all the same.
    case warning
  }

  /// How much it matters.
  public var severity = Severity.error
  /// The rule, in short: `parameters`, `state`, `rendering` and so on.
  public var topic: String
  /// One sentence: what is wrong, and where.
  public var message: String

  /// Topic and message in a line.
  public var description: String { "\(topic): \(message)" }
}

/// Checks a unit the way a host's author would: everything that it tells, and everything that it does.
///
/// What a unit tells is looked at before it is initialised, then it is initialised, changed and rendered
/// at several rates and slice sizes. It is left uninitialised, with other settings than before. The
/// corresponding Core Audio function is `AudioComponentValidate`.
///
/// Context: control.
public struct UnitValidation {
  let unit: AudioUnit
  let type: OSType
  var faults: [UnitFault] = []

  /// Everything that is wrong with a unit; it has to be fresh from its component.
  public static func faults(of unit: AudioUnit) -> [UnitFault] {
    var validation = UnitValidation(unit: unit, type: unit.description.componentType)
    validation.checkCodes()
    validation.checkProperties()
    validation.checkHostProperties()
    validation.checkDefaultFormats()
    validation.checkState()
    validation.checkPresets()
    validation.checkParameters()
    validation.checkNotes()
    validation.checkChannels()
    validation.checkRendering()
    try? unit.uninitialize()
    return validation.faults
  }

  /// The codes of the component are those that a unit may have.
  private mutating func checkCodes() {
    let code = FourCharacterCode(rawValue: type)
    expect(Self.types.contains(type), "codes", "its type, \(code), is none that a unit has")
    let maker = unit.description.componentManufacturer
    let hasCapital = (0..<4).contains { (0x41...0x5A).contains(maker >> (8 * $0) & 0xFF) }
    expect(
      hasCapital || maker == kAudioUnitManufacturer_Apple, "codes",
      "its manufacturer has no capital letter: such codes belong to Apple")
  }

  private static let types: Set<OSType> = [
    kAudioUnitType_Output, kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect,
    kAudioUnitType_FormatConverter, kAudioUnitType_Effect, kAudioUnitType_Mixer,
    kAudioUnitType_Panner, kAudioUnitType_Generator, kAudioUnitType_OfflineEffect,
    kAudioUnitType_MIDIProcessor, kAudioUnitType_SpeechSynthesizer,
  ]

  /// Notes a fault.
  mutating func fault(_ topic: String, _ message: String) {
    faults.append(UnitFault(topic: topic, message: message))
  }

  /// Notes a fault where something does not hold.
  mutating func expect(_ holds: Bool, _ topic: String, _ message: @autoclosure () -> String) {
    if !holds { fault(topic, message()) }
  }

  /// Notes what hosts live with where something does not hold.
  mutating func advise(_ holds: Bool, _ topic: String, _ message: @autoclosure () -> String) {
    if !holds { faults.append(UnitFault(severity: .warning, topic: topic, message: message())) }
  }

  /// Whether the unit takes sound in.
  var isFed: Bool { unit.busCount(scope: kAudioUnitScope_Input) > 0 }

  /// Whether its type is that of effects.
  var isEffect: Bool {
    type == kAudioUnitType_Effect || type == kAudioUnitType_MusicEffect
  }

  /// Whether its type takes notes.
  var takesNotes: Bool {
    [kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect, kAudioUnitType_MIDIProcessor]
      .contains(type)
  }
}
