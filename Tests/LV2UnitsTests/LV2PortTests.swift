// Ports of every kind: steps, switches, voltages, layouts; options, programs, resets, latency.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Glibc
import LV2Units
import TestSupport
import Testing

@Suite struct LV2PortTests {
  private let noise = TestSignal.noise(seed: 11, frameCount: 4096)

  private func host(_ name: String) throws -> LV2TestHost { try LV2TestHost(LV2Fixture(name)) }

  @Test func valuesComeInSteps() throws {
    let host = try host("takes-steps")
    try host.unit.initialize()
    func reported(_ name: String) throws -> Float {
      _ = try host.render([[noise]], frameCount: 16)
      return try host.value("out_" + name)
    }
    for (value, expected) in [(Float(2.4), Float(2)), (2.6, 3), (-2.6, -3), (99, 5)] {
      try host.set("whole", value)
      #expect(try reported("whole") == expected)
    }
    for (value, expected) in [(Float(0.01), Float(1)), (0, 0)] {
      try host.set("switch", value)
      #expect(try reported("switch") == expected)
    }
    for (value, expected) in [(Float(2), Float(1)), (3, 4), (8, 10)] {
      try host.set("choice", value)
      #expect(try reported("choice") == expected)
    }
  }

  @Test func aPushIsSeenOnce() throws {
    let host = try host("takes-steps")
    try host.unit.initialize()
    _ = try host.render([[noise]], frameCount: 32, slice: 16)
    #expect(try host.value("out_pushes") == 0)
    try host.set("push", 1)
    _ = try host.render([[noise]], frameCount: 64, slice: 16)
    #expect(try host.value("out_pushes") == 1)
    #expect(try host.value("push") == 0)
  }

  @Test func strictBoundsHoldForTheDefaultToo() throws {
    let host = try host("takes-steps")
    try host.unit.initialize()
    _ = try host.render([[noise]], frameCount: 16)
    #expect(try host.value("out_strict") == 1)
    let parameter = try #require(try host.unit.parameters().first { $0.symbol == "strict" })
    #expect(parameter.maximum == 1 && parameter.defaultValue == 1)
    #expect(parameter.flags & kAudioUnitParameterFlag_NonRealTime != 0, "not automatic")
  }

  @Test func bypassIsThePlugInsOwn() throws {
    let host = try host("switches-off")
    #expect(try host.unit.parameters().map(\.symbol) == ["told"])
    try host.unit.initialize()
    #expect(try host.render([[noise]], frameCount: 64)[0] == noise[..<64].map { $0 * 2 })
    try host.unit.setProperty(kAudioUnitProperty_BypassEffect, UInt32(1))
    #expect(try host.render([[noise]], frameCount: 64)[0] == Array(noise[64..<128]))
    #expect(try host.unit.property(kAudioUnitProperty_BypassEffect, as: UInt32.self) == 1)
    try host.unit.setProperty(kAudioUnitProperty_BypassEffect, UInt32(0))
    #expect(try host.render([[noise]], frameCount: 64)[0] == noise[128..<192].map { $0 * 2 })
  }

  @Test(arguments: [true, false]) func freeWheelingIsReportedOffline(isOffline: Bool) throws {
    let host = try host("switches-off")
    host.unit.setRendersOffline(isOffline)
    try host.unit.initialize()
    _ = try host.render([[noise]], frameCount: 64)
    #expect(try host.value("told") == (isOffline ? 1 : 0))
  }

  @Test func surroundHasItsLayoutAndOrder() throws {
    let host = try host("surround")
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      #expect(try host.channelCount(scope) == 6)
      #expect(
        try host.unit.property(
          kAudioUnitProperty_SupportedChannelLayoutTags, scope: scope, as: UInt32.self)
          == kAudioChannelLayoutTag_MPEG_5_1_A)
    }
    try host.unit.initialize()
    let inputs = (0..<6).map { TestSignal.noise(seed: UInt64($0), frameCount: 64) }
    let output = try host.render([inputs], frameCount: 64)
    // Ports are left, center, right, surround left and right, LFE; channels are L R C LFE Ls Rs.
    for (channel, port) in [0, 2, 1, 5, 3, 4].enumerated() {
      #expect(output[channel] == inputs[channel].map { $0 * Float(port + 1) })
    }
  }

  @Test func voltagesAreParametersAndBuses() throws {
    let host = try host("voltages")
    #expect(host.unit.busCount(scope: kAudioUnitScope_Input) == 2)
    #expect(host.unit.busCount(scope: kAudioUnitScope_Output) == 2)
    try host.unit.initialize()
    #expect(try host.render([[noise], nil], frameCount: 64)[0] == noise[..<64].map { $0 * 0.5 })
    try host.set("cv", 1)
    #expect(try host.render([[noise], nil], frameCount: 64)[0] == Array(noise[64..<128]))
    let quarter = [Float](repeating: 0.25, count: 4096)
    #expect(
      try host.render([[noise], [quarter]], frameCount: 64)[0]
        == noise[128..<192].map { $0 * 1.25 })
  }

  @Test func aResetUnitSoundsLikeAFreshOne() throws {
    let host = try host("keeps-history")
    try host.unit.initialize()
    let first = try host.render([[noise]], frameCount: 500)[0]
    try host.unit.reset()
    let again = try LV2TestHost(LV2Fixture("keeps-history"))
    try again.unit.initialize()
    _ = try host.render([[noise]], frameCount: 12)
    try host.unit.reset()
    let rest = Array(noise[512...])
    let expected = try again.render([[rest]], frameCount: 500)[0]
    #expect(try host.render([[noise]], frameCount: 500)[0] == expected)
    #expect(first != expected)
  }

  @Test func roundingIsPutBackAfterEachRun() throws {
    let host = try host("changes-rounding")
    try host.unit.initialize()
    let output = try host.render([[noise]], frameCount: 256, slice: 16)[0]
    #expect(output.allSatisfy { $0 == 1 })
    #expect(fegetround() == FE_TONEAREST)
  }

  @Test func latencyMayChange() throws {
    let host = try host("sets-latency")
    try host.unit.initialize()
    _ = try host.render([[noise]], frameCount: 16)
    #expect(host.unit.latency == 10.0 / 48000)
    try host.set("frames", 500)
    _ = try host.render([[noise]], frameCount: 16)
    #expect(host.unit.latency == 500.0 / 48000)
  }

  @Test func programsAreFactoryPresets() throws {
    let host = try host("has-programs")
    #expect(host.unit.factoryPresets.isEmpty, "they are known once the plug-in is loaded")
    try host.unit.initialize()
    #expect(host.unit.factoryPresets.map(\.name) == ["Plain", "Double", "Six"])
    try host.unit.selectPreset(number: 2)
    #expect(try host.value("gain") == 3)
    #expect(try host.render([[noise]], frameCount: 16)[0] == noise[..<16].map { $0 * 3 * 2 })
    #expect(host.unit.presentPreset?.name == "Six")
    #expect(throws: AuricleError.self) { try host.unit.selectPreset(number: 3) }
    try host.unit.reset()
    #expect(try host.render([[noise]], frameCount: 16)[0] == noise[16..<32].map { $0 * 3 * 2 })
  }

  @Test func optionsAreReportedAtOnceAndLater() throws {
    let host = try host("wants-options")
    try host.unit.initialize()
    #expect(try host.render([[noise]], frameCount: 16)[0] == Array(noise[..<16]))
    #expect(try host.value("longest") == 1024)
    let gain = "urn:auricle:test:option-gain"
    #expect(try host.texts(kAuricleProperty_Options) == [gain: "1.0"])
    try host.setTexts(kAuricleProperty_Options, [gain: "4"])
    #expect(try host.render([[noise]], frameCount: 16)[0] == noise[16..<32].map { $0 * 4 })
    // The type is the one that the plug-in expects.
    try host.setTexts(kAuricleProperty_Options, ["urn:auricle:test:option-tenths": "20"])
    #expect(try host.render([[noise]], frameCount: 16)[0] == noise[32..<48].map { $0 * 2 })
    #expect(throws: AuricleError.self) {
      try host.setTexts(kAuricleProperty_Options, ["urn:no-such-option": "4"])
    }
    #expect(throws: AuricleError.self) {
      try host.setTexts(kAuricleProperty_Options, [gain: "loud"])
    }
  }
}
