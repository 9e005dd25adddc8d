// VST3 plug-ins as units: parameters, order of calls, layouts, latency, notes, states, presets.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing
import UnitPresets
import VST3Units

@Suite struct VST3UnitTests {
  private let noise = TestSignal.noise(seed: 7, frameCount: 5000)
  private let gain: UInt32 = 7
  private let mode: UInt32 = 1000
  private let misuse: UInt32 = 9
  private let cut: UInt32 = 12
  private let bypass: UInt32 = 13

  @Test func parametersHaveRangesUnitsGroupsAndTexts() throws {
    let unit = try VST3Fixture().component().instantiate()
    let parameters = try unit.parameters()
    #expect(
      parameters.map(\.id) == [7, 1000, 9, 12, 13, 14], "a hidden one of a controller is none")
    #expect(parameters[0].unit == kAudioUnitParameterUnit_Decibels)
    #expect(parameters[0].maximum == 4 && parameters[0].defaultValue == 1)
    #expect(parameters[0].clumpName == "Level" && parameters[1].clumpName == "Level/Shape")
    #expect(parameters[1].valuePoints.map(\.name) == ["straight", "other", "inverted"])
    #expect(!parameters[2].isWritable)
    #expect(parameters[3].unit == kAudioUnitParameterUnit_Hertz)
    #expect(parameters[3].minimum == 20 && abs(parameters[3].maximum - 20_000) < 0.01)
    #expect(unit.factoryPresets.map(\.name) == ["Half", "Whole"])
  }

  @Test(arguments: [1, 17, 64, 1024]) func aChangeArrives(slice: Int) throws {
    let host = try VST3TestHost(VST3Fixture())
    try host.unit.initialize()
    #expect(try host.render(noise, frameCount: 1000, slice: slice) == Array(noise[..<1000]))
    try host.unit.setParameter(gain, 2.5)
    try host.unit.setParameter(mode, 2)
    let expected = noise[..<500].map { -$0 * 2.5 }
    #expect(try host.render(noise, frameCount: 500, slice: slice) == expected)
  }

  @Test(arguments: ["SOUND", "JOINED", "DOUBLE", "TIMER"])
  func theOrderOfCallsIsTheStandards(kind: String) throws {
    let host = try VST3TestHost(VST3Fixture(kind))
    try host.unit.initialize()
    _ = try host.render(noise, frameCount: 1000, slice: 100)
    try host.unit.reset()
    #expect(try host.render(noise, frameCount: 100) == Array(noise[..<100]))
    #expect(try host.unit.parameter(misuse) == 0, "calls out of order, or a message that was lost")
    try host.unit.uninitialize()
    try host.unit.initialize()
    _ = try host.render(noise, frameCount: 100)
    #expect(try host.unit.parameter(misuse) == 0)
    try host.unit.uninitialize()
  }

  @Test func valuesOutliveAnInstance() throws {
    let fixture = try VST3Fixture()
    let host = try VST3TestHost(fixture)
    try host.unit.initialize()
    try host.unit.setParameter(gain, 3)
    let preset = try UnitPreset(of: host.unit)
    let other = try VST3TestHost(fixture)
    try preset.apply(to: other.unit)
    for value in [3, 2] as [Float] {
      try other.unit.setParameter(gain, value)
      try other.unit.initialize()
      #expect(try other.render(noise, frameCount: 10) == noise[..<10].map { $0 * value })
      try other.unit.uninitialize()
    }
  }

  @Test func textsGoBothWays() throws {
    let host = try VST3TestHost(VST3Fixture())
    try host.unit.initialize()
    #expect(host.unit.text(ofParameter: gain, value: 2) == "2.0 of 4")
    #expect(host.unit.value(ofParameter: gain, text: "twice") == 2)
    #expect(host.unit.text(ofParameter: mode, value: 1) == "other")
  }

  @Test func aCurveIsFollowed() throws {
    let host = try VST3TestHost(VST3Fixture())
    try host.unit.initialize()
    try host.unit.setParameter(cut, 440)
    _ = try host.render(noise, frameCount: 10)
    let text = try #require(host.unit.text(ofParameter: cut, value: 440))
    #expect(abs((Double(text) ?? 0) - 440) < 0.01, "\(text)")
  }

  @Test func latencyAndTailAreThePlugIns() throws {
    let host = try VST3TestHost(VST3Fixture())
    #expect(host.unit.latency == 0)
    try host.unit.initialize()
    #expect(host.unit.latency == 32.0 / 48_000)
    #expect(host.unit.tailTime == .infinity)
  }

  // By a message of the processor, or by a hidden value that it sends.
  @Test(arguments: ["LATER_LATENCY", "REPORTED_LATENCY"])
  func aLatencyThatAValueChangesIsKnownBeforeTheFirstSlice(way: String) throws {
    let host = try VST3TestHost(VST3Fixture(way))
    try host.unit.setParameter(gain, 4)
    try host.unit.initialize()
    #expect(host.unit.latency == 100.0 / 48_000)
  }

  @Test func layoutsAreThoseThatThePlugInHas() throws {
    for channels in [1, 2, 8] {
      let host = try VST3TestHost(VST3Fixture(), channels: channels)
      try host.unit.initialize()
      // A side channel goes to the plug-in's side channel, and comes back as it.
      for channel in 0..<channels {
        let output = try host.render(noise, frameCount: 10, channel: channel)
        #expect(output == noise[..<10].map { $0 * Float(channel + 1) }, "channel \(channel)")
      }
    }
    #expect(throws: AuricleError.self) { _ = try VST3TestHost(VST3Fixture(), channels: 6) }
    #expect(throws: AuricleError.self) {
      _ = try VST3TestHost(VST3Fixture("AGREES_TO_ALL"), channels: 1)
    }
  }

  @Test(arguments: [
    ("REFUSES_SETUP", "it refused 48000.0 Hz with slices of up to 1024 frames"),
    ("REFUSES_TO_ACTIVATE", "it refused to be activated"),
  ]) func oneThatRefusesSaysSo(defect: String, sentence: String) throws {
    let host = try VST3TestHost(VST3Fixture(defect))
    #expect(throws: AuricleError.self) { try host.unit.initialize() }
    #expect(host.unit.failureReason?.contains(sentence) == true)
  }

  @Test func oneThatFailsFailsTheRender() throws {
    let host = try VST3TestHost(VST3Fixture("FAILS"))
    try host.unit.initialize()
    #expect(throws: AuricleError.self) { try host.render(noise, frameCount: 100) }
  }

  @Test func whatTheControllerPerformsArrives() throws {
    let host = try VST3TestHost(VST3Fixture("PERFORMS"))
    try host.unit.initialize()
    #expect(try host.render(noise, frameCount: 100) == noise[..<100].map { $0 * 3 })
    #expect(try host.unit.parameter(gain) == 3)
  }

  @Test func aControllerOfMIDIMovesAParameterAtItsFrame() throws {
    let host = try VST3TestHost(VST3Fixture())
    try host.unit.initialize()
    try host.unit.sendMIDI(status: 0xB0, 1, 127, atFrame: 10)
    let output = try host.render([], frameCount: 100)
    #expect(output[..<10].allSatisfy { $0 == 0 } && output[10...].allSatisfy { $0 == 1 })
    #expect(try host.unit.parameter(misuse) == 0)
  }

  @Test func bypassIsThePlugIns() throws {
    let host = try VST3TestHost(VST3Fixture())
    try host.unit.initialize()
    try host.unit.setParameter(gain, 4)
    try host.unit.setBypassed(true)
    #expect(try host.unit.parameter(bypass) == 1)
    #expect(try host.render(noise, frameCount: 100) == Array(noise[..<100]))
  }

  @Test func aStateIsBytesOfThePlugIn() throws {
    let fixture = try VST3Fixture()
    let host = try VST3TestHost(fixture)
    try host.unit.initialize()
    try host.unit.setParameter(gain, 3)
    let preset = try UnitPreset(of: host.unit)
    let other = try VST3TestHost(fixture)
    try preset.apply(to: other.unit)
    try other.unit.initialize()
    #expect(try other.unit.parameter(gain) == 3)
    #expect(try other.render(noise, frameCount: 100) == noise[..<100].map { $0 * 3 })
    let refusing = try VST3TestHost(VST3Fixture("REFUSES_STATES"))
    try preset.apply(to: refusing.unit)
    #expect(throws: AuricleError.self) { try refusing.unit.initialize() }
    #expect(refusing.unit.failureReason?.contains("it refused the state") == true)
  }

  @Test func oneThatRefusesTheStateThatItHasKeepsIt() throws {
    let fixture = try VST3Fixture("REFUSES_STATES")
    let host = try VST3TestHost(fixture)
    try host.unit.initialize()
    let preset = try UnitPreset(of: host.unit)
    let other = try VST3TestHost(fixture)
    try preset.apply(to: other.unit)
    try other.unit.initialize()
    #expect(try other.render(noise, frameCount: 10) == Array(noise[..<10]))
  }

  @Test func aPresetFileGoesOutAndIn() throws {
    let fixture = try VST3Fixture()
    let host = try VST3TestHost(fixture)
    try host.unit.initialize()
    try host.unit.setParameter(gain, 2)
    try host.unit.savePreset(to: fixture.folder.path, file: "Two & a half.vstpreset", label: "Two")
    let path = fixture.folder("Two & a half.vstpreset")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes.starts(with: Data("VST3\u{1}\0\0\041757269636C65005465737400000001".utf8)))
    let other = try VST3TestHost(fixture)
    try other.unit.selectPreset(uri: "file://" + path.replacing(" ", with: "%20"))
    try other.unit.initialize()
    #expect(try other.unit.parameter(gain) == 2)
    #expect(try other.render(noise, frameCount: 100) == noise[..<100].map { $0 * 2 })
    // A value that is set after the preset was chosen is kept.
    let third = try VST3TestHost(fixture)
    try third.unit.selectPreset(uri: path)
    try third.unit.setParameter(gain, 3)
    try third.unit.initialize()
    #expect(try third.render(noise, frameCount: 10) == noise[..<10].map { $0 * 3 })
  }

  @Test func aPresetOfAnotherPlugInIsRefused() throws {
    let fixture = try VST3Fixture("OTHER_CLASS")
    let host = try VST3TestHost(fixture)
    try host.unit.initialize()
    try host.unit.savePreset(to: fixture.folder.path, file: "Other.vstpreset", label: "Other")
    let path = fixture.folder("Other.vstpreset")
    let own = try VST3Fixture()
    let error = #expect(throws: AuricleError.self) {
      try own.component().instantiate().selectPreset(uri: path)
    }
    #expect(error?.message.contains("of the plug-in vst3:41757269636C65005465737400000011") == true)
    // Unless its bundle says that it was called so.
    try own.write(
      """
      { "Classes": [{ "CID": "41757269636C65005465737400000001" }], "Compatibility": [
        { "New": "41757269636C65005465737400000001", "Old": ["41757269636C65005465737400000011"] } ] }
      """, to: "Contents/Resources/moduleinfo.json")
    try own.component().instantiate().selectPreset(uri: path)
    try Data("VST3".utf8).write(to: URL(fileURLWithPath: path))
    let damaged = #expect(throws: AuricleError.self) {
      try own.component().instantiate().selectPreset(uri: path)
    }
    #expect(damaged?.message.contains("it is no preset of VST3") == true)
  }

  @Test func presetsOfABundleAreFactoryPresets() throws {
    let fixture = try VST3Fixture()
    let host = try VST3TestHost(fixture)
    try host.unit.initialize()
    try host.unit.setParameter(gain, 4)
    let resources = fixture.bundle + "/Contents/Resources"
    try FileManager.default.createDirectory(atPath: resources, withIntermediateDirectories: true)
    try host.unit.savePreset(to: resources, file: "Loud.vstpreset", label: "Loud")
    let component = try fixture.component()
    #expect(fixture.catalog().metadata(of: component)?.presets.map(\.name) == ["Loud"])
    let other = try VST3TestHost(fixture)
    #expect(other.unit.factoryPresets.map(\.name) == ["Loud", "Half", "Whole"])
    try other.unit.selectPreset(number: 0)
    try other.unit.initialize()
    #expect(try other.render(noise, frameCount: 10) == noise[..<10].map { $0 * 4 })
  }

  @Test func aProgramSetsItsValues() throws {
    let host = try VST3TestHost(VST3Fixture())
    try host.unit.selectPreset(number: 1)
    try host.unit.initialize()
    #expect(try host.render(noise, frameCount: 10) == noise[..<10].map { $0 * 4 })
    #expect(try host.unit.parameter(gain) == 4)
    try host.unit.selectPreset(number: 0)
    #expect(try host.render(noise, frameCount: 10) == noise[..<10].map { $0 * 2 })
    #expect(try host.unit.parameter(gain) == 2)
  }

  @Test func notesHaveIdentifiersAndExpression() throws {
    let host = try VST3TestHost(VST3Fixture(source: "instrument"))
    try host.unit.initialize()
    try host.unit.sendMIDI(status: 0x90, 60, 100, atFrame: 10)
    try host.unit.sendMIDI(status: 0x90, 64, 100, atFrame: 20)
    try host.unit.sendMIDI(status: 0x80, 60, 0, atFrame: 30)
    try host.unit.sendMIDI(status: 0xA0, 64, 127, atFrame: 40)
    try host.unit.sendMIDI(status: 0x90, 64, 0, atFrame: 50)
    let output = try host.render([], frameCount: 100)
    #expect(output[5] == 0 && output[15] == 60 && output[25] == 124 && output[35] == 64)
    #expect(output[45] == 65 && output[55] == 0)
  }

  @Test func channelsOfSingleNotesBendThem() throws {
    let host = try VST3TestHost(VST3Fixture(source: "instrument"))
    try host.unit.initialize()
    // Two channels of single notes above channel 0.
    for (controller, value) in [(101, 0), (100, 6), (6, 2)] as [(UInt8, UInt8)] {
      try host.unit.sendMIDI(status: 0xB0, controller, value, atFrame: 0)
    }
    try host.unit.sendMIDI(status: 0x91, 60, 100, atFrame: 0)
    try host.unit.sendMIDI(status: 0x92, 70, 100, atFrame: 0)
    // A half of the range of 48 semitones.
    try host.unit.sendMIDI(status: 0xE1, 0, 96, atFrame: 10)
    try host.unit.sendMIDI(status: 0xD2, 127, 0, atFrame: 20)
    let output = try host.render([], frameCount: 100)
    #expect(output[5] == 130 && output[15] == 154 && output[25] == 84 + 170)
  }
}
