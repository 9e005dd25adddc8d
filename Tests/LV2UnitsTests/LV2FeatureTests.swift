// Rare features and quirks: access to the instance, logs, ports that morph, late news of the latency.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import LV2Units
import Synchronization
import TestSupport
import Testing

@Suite struct LV2FeatureTests {
  private let noise = TestSignal.noise(seed: 3, frameCount: 4096)

  private func host(_ name: String) throws -> LV2TestHost { try LV2TestHost(LV2Fixture(name)) }

  /// Instance and data access, the size of ports, the older URI map, strict bounds.
  @Test func rareFeaturesDoWhatTheyShould() throws {
    let host = try host("uses-features")
    try host.unit.initialize()
    #expect(try host.render([[noise], nil], frameCount: 64)[0] == Array(noise[..<64]))
    #expect(try host.value("right") == 6)
  }

  /// A port that may become another kind keeps its default kind.
  @Test func aPortThatMorphsKeepsItsFirstKind() throws {
    let host = try host("uses-features")
    #expect(host.unit.busCount(scope: kAudioUnitScope_Input) == 2, "the spare one is a side chain")
    try host.unit.initialize()
    try host.set("gain", 2)
    #expect(try host.render([[noise], nil], frameCount: 64)[0] == noise[..<64].map { $0 * 2 })
  }

  @Test func inputAndOutputAreNeverTheSameMemory() throws {
    let host = try host("writes-first")
    try host.unit.initialize()
    #expect(try host.render([[noise]], frameCount: 1000, slice: 100)[0] == Array(noise[..<1000]))
  }

  @Test(arguments: ["4", "0"]) func aFileThatIsAcceptedAsStateAloneIsAccepted(digit: String) throws
  {
    let folder = try TemporaryFolder("auricle-lv2-file")
    let path = try folder.write(digit, to: "a \"file\" with \\ ünusual name.txt")
    let host = try host("file-as-state")
    try host.setTexts(kAuricleProperty_TextProperties, ["file": path])
    try host.unit.initialize()
    let factor = try #require(Float(digit))
    #expect(try host.render([[noise]], frameCount: 64)[0] == noise[..<64].map { $0 * factor })
    try host.unit.reset()
    #expect(try host.render([[noise]], frameCount: 64)[0] == noise[64..<128].map { $0 * factor })
  }

  @Test func aMIDIProcessorIsOne() throws {
    let host = try host("midi-only")
    #expect(host.unit.description.componentType == kAudioUnitType_MIDIProcessor)
    let delivered = ReceivedPackets()
    var callback = unsafe AUMIDIOutputCallbackStruct()
    unsafe callback.userData = Unmanaged.passUnretained(delivered).toOpaque()
    unsafe callback.midiOutputCallback = { userData, stamp, _, packets in
      guard let userData = unsafe userData, let packets = unsafe packets, let stamp = unsafe stamp
      else { return -1 }
      unsafe Unmanaged<ReceivedPackets>.fromOpaque(userData).takeUnretainedValue()
        .consume(Int(stamp.pointee.mSampleTime), packets)
      return 0
    }
    unsafe try host.unit.setProperty(kAudioUnitProperty_MIDIOutputCallback, callback)
    try host.unit.initialize()
    #expect(try host.midi(0x90, 60, 100, at: 5) == 0)
    #expect(try host.midi(0x80, 60, 0, at: 700) == 0)
    _ = try host.render([], frameCount: 1024)
    #expect(try host.midi(0x90, 61, 1, at: 3) == 0)
    _ = try host.render([], frameCount: 64)
    #expect(delivered.messages == [[5, 0x90, 72, 100], [700, 0x80, 72, 0], [1027, 0x90, 73, 1]])
  }

  @Test func aChangeOfTheLatencyIsReportedToListeners() throws {
    let host = try host("sets-latency")
    host.unit.setRendersOffline(false)
    let reports = Collected<Bool>()
    unsafe try host.unit.addPropertyListener(
      kAudioUnitProperty_Latency,
      { context, _, _, _, _ in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<Collected<Bool>>.fromOpaque(context).takeUnretainedValue().add(true)
      }, refCon: Unmanaged.passUnretained(reports).toOpaque())
    try host.unit.initialize()
    _ = try host.render([[noise]], frameCount: 16)
    reports.wait(for: 1)
    #expect(reports.all.count == 1, "10 frames, which was not known before")
    _ = try host.render([[noise]], frameCount: 160, slice: 16)
    try host.set("frames", 500)
    _ = try host.render([[noise]], frameCount: 160, slice: 16)
    reports.wait(for: 2)
    #expect(reports.all.count == 2)
    #expect(host.unit.latency == 500.0 / 48000)
    try host.unit.uninitialize()
  }

  @Test func aStateThatItChangesIsReportedToListeners() throws {
    let host = try host("tells-changes")
    let reports = Collected<Bool>()
    unsafe try host.unit.addPropertyListener(
      kAudioUnitProperty_ClassInfo,
      { context, _, _, _, _ in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<Collected<Bool>>.fromOpaque(context).takeUnretainedValue().add(true)
      }, refCon: Unmanaged.passUnretained(reports).toOpaque())
    try host.unit.initialize()
    let quiet = [Float](repeating: 0.25, count: 64)
    let sound = quiet + [Float](repeating: 0.95, count: 64) + quiet
    _ = try host.render([[sound]], frameCount: 64)
    #expect(reports.all.count == 0)
    _ = try host.render([[sound]], frameCount: 64)
    #expect(reports.all.count == 1)
    #expect(try host.render([[sound]], frameCount: 64)[0] == quiet.map { $0 / 2 })
    #expect(reports.all.count == 1)
    try host.unit.uninitialize()
  }

  private static let logged = [
    "logs-much: error 1", "logs-much: error 2", "logs-much: error 3", "logs-much: error 4",
    "logs-much: error 5 (what it says in the next seconds is not shown)",
  ]

  /// In a child, since its standard error is examined.
  @Test func aLogIsLimitedOffline() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) { try LV2FeatureTests.fillLog(isOffline: true) }
    #expect(Self.lines(result?.standardErrorContent ?? []) == Self.logged)
  }

  /// Against a clock, the lines go through a ring to another thread.
  @Test func aLogIsLimitedAgainstAClock() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) { try LV2FeatureTests.fillLog(isOffline: false) }
    #expect(Self.lines(result?.standardErrorContent ?? []) == Self.logged)
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix("logs-much: ") }.map(String.init)
  }

  private static func fillLog(isOffline: Bool) throws {
    let host = try LV2TestHost(LV2Fixture("logs-much"))
    host.unit.setRendersOffline(isOffline)
    try host.unit.initialize()
    let silence = [Float](repeating: 0, count: 4096)
    // Few: the limit's count begins anew after ten seconds.
    for _ in 0..<20 { _ = try host.render([[silence]], frameCount: 64) }
    try host.unit.uninitialize()
  }

  /// lilv itself would wait for ever, or read for ever.
  @Test(arguments: ["pipe", "/dev/zero"]) func presetsInDevicesAndPipesAreLeftOut(target: String)
    throws
  {
    let fixture = try LV2Fixture("passes")
    let preset = fixture.bundle + "/preset.ttl"
    let path = fixture.bundle + "/manifest.ttl"
    let text = """
      <urn:auricle:test:odd-preset> a pset:Preset ; lv2:appliesTo <urn:auricle:test:passes> ;
        rdfs:label "Odd" ; rdfs:seeAlso <preset.ttl> .

      """
    try (String(contentsOfFile: path, encoding: .utf8) + text)
      .write(toFile: path, atomically: true, encoding: .utf8)
    if target == "pipe" {
      #expect(unsafe mkfifo(preset, 0o600) == 0)
    } else {
      try FileManager.default.createSymbolicLink(atPath: preset, withDestinationPath: target)
    }
    #expect(fixture.discover().problems.count == 1)
    let host = try LV2TestHost(fixture)
    #expect(throws: AuricleError.self) {
      try host.unit.selectPreset(uri: "urn:auricle:test:odd-preset")
    }
    try host.unit.initialize()
    #expect(try host.render([[noise]], frameCount: 64)[0] == Array(noise[..<64]))
  }

  /// A data file that is read for another plug-in describes the left-out one again.
  @Test func aPlugInThatIsLeftOutStaysOut() throws {
    let fixture = try LV2Fixture("passes")
    let path = fixture.bundle + "/manifest.ttl"
    let text = """
      <urn:auricle:test:passes> rdfs:seeAlso <missing.ttl> .
      <urn:auricle:test:other> a lv2:Plugin ; lv2:binary <plugin.so> ; rdfs:seeAlso <manifest.ttl> .

      """
    try (String(contentsOfFile: path, encoding: .utf8) + text)
      .write(toFile: path, atomically: true, encoding: .utf8)
    let discovery = fixture.discover()
    #expect(discovery.components.compactMap(\.location.identifier) == ["urn:auricle:test:other"])
    #expect(discovery.problems.count == 1)
  }

  @Test func turtleIsNotFollowedIntoItsDepths() throws {
    let fixture = try LV2Fixture("passes")
    let path = fixture.bundle + "/manifest.ttl"
    let whole = try String(contentsOfFile: path, encoding: .utf8)
    // Brackets in texts, names and comments are none.
    let text = String(repeating: "[(", count: 400)
    try
      (whole + "# \(text)\n<urn:x#\(text.replacing("[", with: "("))> lv2:name \"\(text)\\\"\" .\n")
      .write(toFile: path, atomically: true, encoding: .utf8)
    #expect(fixture.discover().components.count == 1, "\(fixture.discover().problems)")
    for opening in ["[ a ", "( "] {
      let deep = whole + "<urn:x> a " + String(repeating: opening, count: 20_000)
      try deep.write(toFile: path, atomically: true, encoding: .utf8)
      let discovery = fixture.discover()
      #expect(discovery.components.isEmpty)
      let message = discovery.problems.first?.message ?? ""
      #expect(message.contains("manifest.ttl:15:") && message.contains("128 deep"), "\(message)")
    }
    // A file that is not called Turtle is not left to lilv either.
    try (whole + "<urn:auricle:test:passes> rdfs:seeAlso <deep.txt> .\n")
      .write(toFile: path, atomically: true, encoding: .utf8)
    try String(repeating: "[ a ", count: 20_000)
      .write(toFile: fixture.bundle + "/deep.txt", atomically: true, encoding: .utf8)
    #expect(fixture.discover().components.isEmpty)
  }
}
