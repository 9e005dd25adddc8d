// The life of a unit: it can be initialized in the formats it comes with, again and again, and beside another.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitValidation {
  /// Codes, name, and the steps from Open to Close.
  func checkLife() throws(AuricleError) {
    checkCodes()
    let clock = ContinuousClock()
    let opened = try clock.measuring { () throws(AuricleError) in _ = try fresh() }
    let initialized = try clock.measuring { () throws(AuricleError) in try unit.initialize() }
    figure("opening", opened, "ms")
    figure("initializing", initialized, "ms")
    do throws(AuricleError) {
      try unit.uninitialize()
      try unit.initialize()
      let other = try fresh()
      try other.initialize()
      try unit.uninitialize()
    } catch {
      fault(.again, error.message, [.count("status", Int(error.status))])
    }
  }

  /// Checks that the codes of the component are allowed ones.
  private func checkCodes() {
    let code = FourCharacterCode(rawValue: type)
    expect(Self.types.contains(type), .type, "its type, \(code), is none that a unit has")
    let maker = unit.description.componentManufacturer
    let hasCapital = (0..<4).contains { (0x41...0x5A).contains(maker >> (8 * $0) & 0xFF) }
    expect(
      hasCapital || maker == kAudioUnitManufacturer_Apple, .manufacturer,
      "its manufacturer, \(FourCharacterCode(rawValue: maker)), has no capital letter: such codes "
        + "belong to Apple")
    expect(
      unit.name.contains(": "), .name, "its name, \"\(unit.name)\", has no maker before a colon")
  }

  private static let types: Set<OSType> = [
    kAudioUnitType_Output, kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect,
    kAudioUnitType_FormatConverter, kAudioUnitType_Effect, kAudioUnitType_Mixer,
    kAudioUnitType_Panner, kAudioUnitType_Generator, kAudioUnitType_OfflineEffect,
    kAudioUnitType_MIDIProcessor, kAudioUnitType_SpeechSynthesizer,
  ]
}

extension ContinuousClock {
  /// The duration of a body (ms).
  fileprivate func measuring(_ body: () throws(AuricleError) -> Void) throws(AuricleError) -> Double
  {
    let start = now
    try body()
    return (now - start) / .milliseconds(1)
  }
}
