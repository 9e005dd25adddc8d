// LADSPA plug-ins as units: defaults, parameters, latency, buses, repeatability.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import Glibc
import LADSPAUnits
import TestSupport
import Testing

@Suite struct LADSPAUnitTests {
  private let noise = TestSignal.noise(seed: 7, frameCount: 5000)

  @Test(arguments: [1, 17, 64, 1024]) func passesBitExactly(slice: Int) throws {
    let host = try LADSPATestHost(LADSPAFixture("passes"))
    try host.unit.initialize()
    #expect(try host.render([noise], frameCount: 2000, slice: slice) == Array(noise[..<2000]))
    #expect(host.unit.tailTime == nil)
    #expect(host.unit.latency == 0)
    #expect(
      try host.unit.stringProperty(kAuricleProperty_ComponentIdentifier) == "ladspa:passes:one")
  }

  /// The defaults of every hint, in the order of the fixture's ports from 2 on.
  private func defaults(sampleRate: Float) -> [Float] {
    func geometric(_ low: Float, _ high: Float, _ weight: Float) -> Float {
      expf(logf(low) * (1 - weight) + logf(high) * weight)
    }
    let scaled = geometric(0.0001 * sampleRate, 0.4 * sampleRate, 0.25)
    return [
      2, 2, 4, 6, 8, 10, geometric(20, 20_000, 0.25), geometric(20, 20_000, 0.5),
      geometric(20, 20_000, 0.75), 0, 0, 1, 100, 440, scaled, 440, 1.5, 1, 3, 0, 0, 3,
    ]
  }

  @Test(arguments: [44_100, 48_000, 96_000.0]) func defaultsFollowTheHints(rate: Double) throws {
    let host = try LADSPATestHost(LADSPAFixture("defaults"), sampleRate: rate)
    try host.unit.initialize()
    let expected = defaults(sampleRate: Float(rate))
    #expect(try host.render([noise], frameCount: expected.count) == expected)
  }

  @Test func aValueThatIsSetArrives() throws {
    let host = try LADSPATestHost(LADSPAFixture("defaults"))
    try host.unit.initialize()
    try host.unit.setParameter(4, 7.25)
    try host.unit.setParameter(16, 5000)
    let output = try host.render([noise], frameCount: 21)
    #expect(output[2] == 7.25 && output[14] == 5000)
  }

  @Test func rangesAreThoseOfTheHints() throws {
    let unit = try LADSPATestHost(LADSPAFixture("defaults")).unit
    let parameters = try unit.parameters()
    func range(_ id: UInt32) -> [Float]? {
      parameters.first { $0.id == id }.map { [$0.minimum, $0.maximum] }
    }
    #expect(range(2) == [2, 10])
    #expect(range(8) == [20, 20_000])
    #expect(range(14) == [0, 100], "an open range holds its default")
    #expect(range(19) == [0, 1], "a switch has no bounds")
    #expect(range(20) == [1, 5], "an inverted range is put in order")
    #expect(range(22) == [0, 10], "a default beyond a bound is kept")
    #expect(parameters.first { $0.id == 8 }?.isLogarithmic == true)
    #expect(parameters.first { $0.id == 11 }?.isLogarithmic == false, "it begins at 0")
  }

  @Test func defectsOfRangesAreReported() throws {
    let units = try LADSPAFixture("defaults").catalog().unusableUnits()
    #expect(
      units.map(\.reason) == [
        "its port 20 \"P20\" has an inverted range, 5.0 to 1.0",
        "its port 21 \"P21\" has a bound that is no number",
        "its port 23 \"P23\" has an empty range, 3.0 to 3.0",
      ])
    let areUsed = units.allSatisfy(\.isUsedAllTheSame)
    #expect(areUsed)
  }

  @Test func latencyIsKnownAfterARun() throws {
    let host = try LADSPATestHost(LADSPAFixture("late-latency"))
    try host.unit.initialize()
    func isKnown() throws -> UInt32 {
      try host.unit.property(kAuricleProperty_LatencyIsKnown, as: UInt32.self)
    }
    #expect(try isKnown() == 0)
    let output = try host.render([noise], frameCount: 2000, slice: 500)
    #expect(host.unit.latency == 48.0 / 48_000)
    #expect(try isKnown() == 1)
    #expect(output[48...].elementsEqual(noise[..<1952]))
    let parameters = try host.unit.parameters()
    #expect(parameters.map(\.name) == ["runs"], "the latency is no parameter")
    #expect(parameters.first?.isWritable == false)
    #expect(try host.unit.parameter(2) == 4)
  }

  @Test func aResetForgetsThePast() throws {
    let host = try LADSPATestHost(LADSPAFixture("late-latency"))
    try host.unit.initialize()
    _ = try host.render([noise], frameCount: 500)
    try host.unit.reset()
    #expect(host.unit.latency == 48.0 / 48_000, "the latency is known of the instance before")
    let output = try host.render([noise], frameCount: 48)
    #expect(output.allSatisfy { $0 == 0 })
  }

  @Test func aSideChainIsABusOfItsOwn() throws {
    let host = try LADSPATestHost(LADSPAFixture("side-chain"))
    #expect(host.unit.busCount(scope: kAudioUnitScope_Input) == 2)
    try host.unit.initialize()
    #expect(try host.render([noise], frameCount: 100) == Array(noise[..<100]))
    let ones = [Float](repeating: 1, count: 5000)
    #expect(try host.render([noise, ones], frameCount: 100) == noise[100..<200].map { $0 + 1 })
    #expect(try host.unit.parameters().first?.unit == kAudioUnitParameterUnit_Decibels)
  }

  @Test func anAnalyserPassesItsInput() throws {
    let host = try LADSPATestHost(LADSPAFixture("analyses"))
    try host.unit.initialize()
    let ones = [Float](repeating: 1, count: 5000)
    #expect(try host.render([ones], frameCount: 100, slice: 100) == Array(ones[..<100]))
    #expect(try host.unit.parameter(1) == 100)
  }

  @Test func theSameEveryTime() throws {
    let fixture = try LADSPAFixture("makes-noise")
    #expect(try fixture.component().triple.hasPrefix("augn:"))
    let outputs = try (0..<3).map { _ in
      let host = try LADSPATestHost(fixture)
      try host.unit.initialize()
      return try host.render([], frameCount: 500)
    }
    #expect(outputs[0] == outputs[1] && outputs[1] == outputs[2])
  }

  @Test func oneThatRefusesSaysSo() throws {
    let host = try LADSPATestHost(LADSPAFixture("refuses"))
    #expect(throws: AuricleError.self) { try host.unit.initialize() }
    #expect(
      host.unit.failureReason?.contains("it refused to be instantiated at 48000.0 Hz") == true)
  }

  @Test func aFileThatGoesAwayIsAnError() throws {
    let fixture = try LADSPAFixture("passes")
    let host = try LADSPATestHost(fixture)
    try FileManager.default.removeItem(atPath: fixture.path("passes"))
    #expect(throws: AuricleError.self) { try host.unit.initialize() }
    #expect(host.unit.failureReason?.contains("the file is missing") == true)
  }

  /// In a child, since the folder of data files is in the environment of the process.
  @Test func dataFilesNameValuesUnitsAndSettings() async {
    await #expect(processExitsWith: .success) {
      do { try LADSPAUnitTests.checkDataFiles() } catch {
        print(error)
        exit(2)
      }
    }
  }

  private static func checkDataFiles() throws {
    unsafe setenv("LADSPA_RDF_PATH", Places.inPackage("Tests/LADSPAUnitsTests/Fixtures"), 1)
    let fixture = try LADSPAFixture("side-chain")
    let component = try fixture.component()
    let unit = try component.instantiate()
    guard component.tags == ["Mixer"], let gain = try unit.parameters().first,
      gain.unit == kAudioUnitParameterUnit_Hertz,
      gain.valuePoints.map(\.name) == ["aus, für immer", "loud & clear"],
      unit.factoryPresets.map(\.name) == ["Default"]
    else { throw AuricleError(.software, "not read: \(component.tags)") }
    try unit.selectPreset(number: 0)
    guard try unit.parameter(3) == 2.5 else { throw AuricleError(.software, "not set") }
  }
}
