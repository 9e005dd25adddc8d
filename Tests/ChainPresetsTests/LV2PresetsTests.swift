// Presets with LV2 plug-ins: by URI, parameters by name and symbol, scale points, LV2 presets.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import ChainPresets
import Foundation
import LV2Units
import TestSupport
import Testing

@Suite struct LV2PresetsTests {
  private static let compressor = "http://calf.sourceforge.net/plugins/Compressor"
  private static let registry = AudioComponentRegistry(
    sources: [LV2ComponentSource(cacheFolder: "")])

  private func entry(_ settings: String...) throws -> UnitEntry {
    var entry = UnitEntry(unit: Self.compressor)
    entry.parameters = try settings.map { try ParameterSetting(assignment: $0) }
    return entry
  }

  @Test func theExampleOfTheGuideResolves() throws {
    let preset = try ChainPreset(
      text: """
        auricle: 1
        name: x
        units:
          - unit: \(Self.compressor)
            parameters: {threshold: 0.1, ratio: 4}
            mix: 80 %
        """)
    let chain = try ResolvedChain(preset, in: Self.registry)
    let stage = try #require(chain.stages.first)
    #expect(stage.component.origin == .lv2)
    #expect(stage.parameters.map(\.value) == [0.1, 4])
    let unit = try stage.makeUnit()
    try stage.configure(unit)
    for setting in stage.parameters {
      #expect(try unit.parameter(setting.id, scope: setting.scope) == setting.value)
    }
  }

  @Test func symbolsUnitsAndScalePointsAreUnderstood() throws {
    let entry = try entry("knee=3", "attack=20 ms", "detection=peak", "bypass=true", "makeup=2")
    let chain = try ResolvedChain(ChainPreset(name: "x", units: [entry]), in: Self.registry)
    let stage = try #require(chain.stages.first)
    // In the order of the ports, however they were named.
    #expect(
      stage.parameters.map(\.parameter.symbol) == [
        "bypass", "attack", "makeup", "knee", "detection",
      ])
    #expect(stage.parameters.map(\.value) == [1, 20, 2, 3, 1])
  }

  @Test func valuesOutOfRangeAreReportedInThePlugInsUnits() throws {
    let entry = try entry("ratio=400", "attack=20 Hz", "tresh=1", "detection=Peek")
    let error = try #require(throws: PresetErrors.self) {
      try ResolvedChain(ChainPreset(name: "x", units: [entry]), in: Self.registry)
    }
    let messages = error.diagnostics.map(\.message)
    try #require(messages.count == 4)
    #expect(messages[0].contains("above the maximum"))
    #expect(messages[1].contains("is measured in ms"))
    #expect(messages[2].hasSuffix(": there is no parameter 'tresh'; did you mean 'Threshold'?"))
    #expect(messages[3].contains("did you mean 'Peak'?"))
  }

  /// A plug-in of the fixtures that has a gain and a file; its binary is not needed.
  @Test func filesAreSetLikeParameters() throws {
    let folder = try TemporaryFolder("auricle-preset-file")
    try FileManager.default.copyItem(
      atPath: Places.inPackage("Tests/LV2UnitsTests/Fixtures/patch-properties.lv2"),
      toPath: folder("patch-properties.lv2"))
    let registry = AudioComponentRegistry(
      sources: [LV2ComponentSource(searchPath: folder.path, cacheFolder: "")])
    let file = try folder.write("7", to: "rooms/seven.txt")
    func resolve(_ parameters: String) throws -> ResolvedStage {
      let text = """
        auricle: 1
        name: x
        units:
          - unit: urn:auricle:test:patch-properties
            parameters: {\(parameters)}
        """
      let source = try PresetSource(name: folder("x.yaml"), bytes: Array(text.utf8))
      return try #require(
        try ResolvedChain(ChainPreset(source: source), in: registry).stages.first)
    }
    let stage = try resolve("gain: 2, file: rooms/seven.txt")
    #expect(stage.parameters.map(\.value) == [2])
    #expect(stage.texts.map(\.text) == [URL(fileURLWithPath: file).resolvingSymlinksInPath().path])
    let unit = try stage.makeUnit()
    try stage.configure(unit)
    #expect(unit.textProperties.map(\.symbol) == ["file"])
    let error = try #require(throws: PresetErrors.self) { try resolve("file: rooms/eight.txt") }
    #expect(error.description.contains("cannot read the file 'rooms/eight.txt'"))
    #expect(try resolve("file: {choose: [rooms/seven.txt]}").texts.map(\.choices.count) == [1])
    for (random, reported) in [
      ("{random: [1, 2]}", "'File' is a file: draw it with {choose: [A, B]} or {folder: PATH}"),
      ("{folder: rooms}", "the folder 'rooms' holds no audio files"),
    ] {
      let error = try #require(throws: PresetErrors.self) { try resolve("file: \(random)") }
      #expect(error.description.contains(reported), "\(error)")
    }
    #expect(throws: PresetErrors.self) { try resolve("file: rooms") }
    #expect(throws: PresetErrors.self) {
      try resolve("file: rooms/seven.txt, File: rooms/seven.txt")
    }
  }

  /// A file's rate is known when it is opened: values that no rate allows are refused before.
  @Test(arguments: [false, true]) func rangesThatGoWithTheSampleRateAreThoseOfTheFile(
    isAutomated: Bool
  ) throws {
    let folder = try TemporaryFolder("auricle-preset-rate")
    try FileManager.default.copyItem(
      atPath: Places.inPackage("Tests/LV2UnitsTests/Fixtures/all-ports.lv2"),
      toPath: folder("all-ports.lv2"))
    let registry = AudioComponentRegistry(
      sources: [LV2ComponentSource(searchPath: folder.path, cacheFolder: "")])
    func resolve(_ value: String) throws -> ResolvedStage {
      var entry = UnitEntry(unit: "urn:auricle:test:all-ports")
      if isAutomated {
        entry.automation = [
          AutomationEntry(
            name: Located("scaled"),
            points: [
              AutomationPoint(time: Located(.seconds(0)), value: Located("1000")),
              AutomationPoint(time: Located(.seconds(1)), value: Located(value)),
            ])
        ]
      } else {
        entry.parameters = [try ParameterSetting(assignment: "scaled=\(value)")]
      }
      return try #require(
        try ResolvedChain(ChainPreset(name: "x", units: [entry]), in: registry).stages.first)
    }
    let stage = try resolve("40000")
    func configure(at rate: Double) throws {
      let unit = try stage.makeUnit()
      for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
        let count = try unit.streamFormat(scope: scope, element: 0).channelCount
        try unit.setStreamFormat(
          AudioStreamFormat(sampleRate: rate, channelCount: count), scope: scope, element: 0)
      }
      try stage.configure(unit)
    }
    try configure(at: 96_000)
    let error = try #require(throws: AuricleError.self) { try configure(at: 48_000) }
    #expect(error.message.contains("at 48000 Hz, which goes from 0"), "\(error.message)")
    #expect(throws: PresetErrors.self) { try resolve("200000") }
  }

  @Test func aPlugInThatIsNotThereReportsWhatIsNear() throws {
    let preset = ChainPreset(name: "x", units: [UnitEntry(unit: Self.compressor + "s")])
    let error = try #require(throws: PresetErrors.self) {
      try ResolvedChain(preset, in: Self.registry)
    }
    #expect(error.category == .unavailable)
    #expect(error.description.contains(Self.compressor))
  }
}
