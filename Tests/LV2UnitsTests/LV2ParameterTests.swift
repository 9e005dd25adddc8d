// Control ports as parameters: names, ranges, units, value names, meters.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioUnits
import CAudioToolbox
import Glibc
import LV2Units
import TestSupport
import Testing

@Suite struct LV2ParameterTests {
  private let host: LV2TestHost
  private let parameters: [String: UnitParameter]

  init() throws {
    host = try LV2TestHost(LV2Fixture("all-ports"), sampleRate: 96000)
    var found: [String: UnitParameter] = [:]
    for parameter in try host.unit.parameters() { found[parameter.symbol ?? "?"] = parameter }
    parameters = found
  }

  @Test func hostsPortsAreHidden() {
    #expect(
      Set(parameters.keys) == [
        "cutoff", "mode", "scaled", "toggle", "points", "custom", "meter", "plain",
      ])
  }

  @Test func aFrequencyIsDescribed() throws {
    let cutoff = try #require(parameters["cutoff"])
    #expect(cutoff.id == 2)
    #expect(cutoff.name == "Cutoff")
    #expect(cutoff.unit == kAudioUnitParameterUnit_Hertz)
    #expect(cutoff.minimum == 20 && cutoff.maximum == 20000 && cutoff.defaultValue == 1000)
    #expect(cutoff.isLogarithmic)
    #expect(cutoff.clumpName == "Filter")
    #expect(try host.unit.parameter(2) == 1000)
  }

  @Test func anEnumerationHasNames() throws {
    let mode = try #require(parameters["mode"])
    #expect(mode.unit == kAudioUnitParameterUnit_Indexed)
    #expect(mode.valueNames == ["Zero", "One", "Two"])
    #expect(mode.defaultValue == 1)
  }

  @Test func scalePointsAnywhereAreNamed() throws {
    let points = try #require(parameters["points"])
    #expect(points.valueNames == nil)
    #expect(points.valuePoints.map(\.value) == [-7.5, 2.5])
    #expect(points.valuePoints.map(\.name) == ["Low", "High"])
  }

  @Test func aDefaultInHertzIsNoMultipleOfTheSampleRate() throws {
    let plain = try #require(parameters["plain"])
    #expect(plain.minimum == 0 && plain.maximum == 48000 && plain.defaultValue == 440)
    #expect(try host.unit.parameter(plain.id) == 440)
  }

  @Test func rangesFollowTheSampleRate() throws {
    let scaled = try #require(parameters["scaled"])
    #expect(scaled.minimum == 0 && scaled.maximum == 48000 && scaled.defaultValue == 24000)
    #expect(try host.unit.parameter(scaled.id) == 24000)
    try host.unit.setParameter(scaled.id, 47000)
    #expect(try host.unit.parameter(scaled.id) == 47000)
  }

  @Test func unitsOfAPlugInsOwnAreText() throws {
    let custom = try #require(parameters["custom"])
    #expect(custom.unit == kAudioUnitParameterUnit_CustomUnit)
    #expect(custom.unitName == "furlong")
    #expect(custom.defaultValue == 5, "a missing default is 0, brought into the range")
    #expect(parameters["toggle"]?.unit == kAudioUnitParameterUnit_Boolean)
  }

  @Test func metersAreReadOnly() throws {
    let meter = try #require(parameters["meter"])
    #expect(meter.isMeter && !meter.isWritable)
    #expect(meter.unit == kAudioUnitParameterUnit_Decibels)
    #expect(throws: (any Error).self) { try host.unit.setParameter(meter.id, 0) }
  }

  @Test func valuesStayInTheirRange() throws {
    try host.unit.setParameter(2, 1_000_000)
    #expect(try host.unit.parameter(2) == 20000)
    try host.unit.setParameter(2, -5)
    #expect(try host.unit.parameter(2) == 20)
    #expect(throws: (any Error).self) { try host.unit.setParameter(2, .nan) }
  }

  /// A range that the data leaves open limits nothing; a choice and a switch have their values.
  @Test func rangesThatTheDataLeavesOpen() throws {
    let host = try LV2TestHost(LV2Fixture("open-ranges"))
    var found: [String: UnitParameter] = [:]
    for parameter in try host.unit.parameters() { found[parameter.symbol ?? "?"] = parameter }
    let kept: [(symbol: String, value: Float, kept: Float)] = [
      ("any", 5, 5), ("any", -1e6, -1e6), ("least", 1e9, 1e9), ("least", -1, 2), ("most", -7, -7),
      ("most", 3, 2), ("whole", 40, 40), ("switch", 7, 1), ("named", 0.4, 0.4), ("named", 0.7, 0.7),
      ("named", 2, 1), ("choice", 9, 2),
    ]
    for (symbol, value, wanted) in kept {
      let parameter = try #require(found[symbol])
      try host.unit.setParameter(parameter.id, value)
      #expect(try host.unit.parameter(parameter.id) == wanted, "\(symbol) \(value)")
      let accepts = parameter.acceptedRange.contains(value)
      #expect(accepts == (value == wanted), "\(symbol) \(value)")
    }
    #expect(found["any"]?.maximum == 1 && found["any"]?.minimum == 0)
    #expect(found["named"]?.unit == kAudioUnitParameterUnit_Generic)
    #expect(found["choice"]?.unit == kAudioUnitParameterUnit_Indexed)
    #expect(found["whole"]?.unit == kAudioUnitParameterUnit_Indexed)
  }

  /// In a child, since the language is the process's.
  @Test func namesDoNotFollowTheLanguage() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("LANG", "de_DE.UTF-8", 1)
      guard let fixture = try? LV2Fixture("speaks-german"),
        let component = try? fixture.component(),
        let unit = try? component.instantiate(), let parameter = try? unit.parameters().first
      else { exit(2) }
      exit(
        component.name.hasSuffix("Volume") && parameter.name == "Gain"
          && parameter.valuePoints.map(\.name) == ["soft", "loud"] ? 0 : 1)
    }
  }
}
