// States: in saved states, in bundles, with their files, and never out of their folder.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import LV2Units
import TestSupport
import Testing

@Suite struct LV2StateTests {
  private let ones = [Float](repeating: 1, count: 1 << 16)

  private func host(_ name: String) throws -> LV2TestHost { try LV2TestHost(LV2Fixture(name)) }

  /// The factor that a unit applies now.
  private func factor(_ host: LV2TestHost) throws -> Float {
    _ = try host.render([[ones]], frameCount: 32)
    return try host.render([[ones]], frameCount: 32)[0][31]
  }

  @Test func aPresetBringsAFileOfItsFolder() throws {
    let host = try host("patch-properties")
    try host.unit.selectPreset(uri: "urn:auricle:test:patch-preset")
    #expect(try host.value("gain") == 2)
    try host.unit.initialize()
    #expect(try factor(host) == 6)
    try host.set("gain", 1)
    #expect(try factor(host) == 3)
    try host.unit.selectPreset(uri: "urn:auricle:test:patch-preset")
    #expect(try factor(host) == 6)
    #expect(try host.value("gain") == 2)
  }

  @Test(arguments: ["urn:auricle:test:patch-escape", "urn:auricle:test:patch-absolute"])
  func noPathLeavesTheFolderOfAPreset(uri: String) throws {
    let fixture = try LV2Fixture("patch-properties")
    try fixture.folder.write("9", to: "secret.txt")
    let host = try LV2TestHost(fixture)
    try host.unit.selectPreset(uri: uri)
    try host.unit.initialize()
    #expect(try factor(host) == 1)
    try host.unit.selectPreset(uri: uri)
    #expect(try factor(host) == 1)
    #expect(try host.texts(kAuricleProperty_TextProperties)["file"]?.isEmpty != false)
  }

  @Test func noLinkLeavesTheFolderOfAPreset() throws {
    let fixture = try LV2Fixture("patch-properties")
    let secret = try fixture.folder.write("9", to: "secret.txt")
    let inner = fixture.bundle + "/files/three.txt"
    try FileManager.default.removeItem(atPath: inner)
    try FileManager.default.createSymbolicLink(atPath: inner, withDestinationPath: secret)
    let host = try LV2TestHost(fixture)
    try host.unit.selectPreset(uri: "urn:auricle:test:patch-preset")
    try host.unit.initialize()
    #expect(try factor(host) == 2, "the gain of the preset, without the file")
  }

  @Test(arguments: [true, false]) func savedStatesHoldEverything(isInitialized: Bool) throws {
    let folder = try TemporaryFolder("auricle-lv2-state")
    let first = try host("patch-properties")
    try first.unit.initialize()
    try first.set("gain", 2)
    try first.setTexts(
      kAuricleProperty_TextProperties, ["file": try folder.write("4", to: "four.txt")])
    #expect(try factor(first) == 8)
    let saved = try first.savedState()
    let second = try host("patch-properties")
    if isInitialized { try second.unit.initialize() }
    try second.restoreState(saved)
    if !isInitialized { try second.unit.initialize() }
    #expect(try factor(second) == 8)
    #expect(try second.value("gain") == 2)
    // A state of a unit that never ran is whole too.
    let third = try host("patch-properties")
    try third.restoreState(saved)
    let fourth = try host("patch-properties")
    try fourth.restoreState(try third.savedState())
    try fourth.unit.initialize()
    #expect(try factor(fourth) == 8)
  }

  @Test func filesThePlugInMakesGoWithTheState() throws {
    let first = try host("makes-files")
    try first.unit.initialize()
    try first.set("gain", 5)
    #expect(try factor(first) == 5)
    let saved = try first.savedState()
    try first.unit.uninitialize()
    let second = try host("makes-files")
    try second.restoreState(saved)
    try second.set("gain", 1)
    try second.unit.initialize()
    #expect(try factor(second) == 5)
  }

  @Test func statesOfOthersAndDamagedOnesAreRefused() throws {
    let host = try host("patch-properties")
    try host.unit.initialize()
    let saved = try host.savedState()
    let list = unsafe try PropertyListSerialization.propertyList(from: saved, format: nil)
    var state = try #require(list as? [String: Any])
    state["lv2-state"] = "this is no Turtle <"
    let damaged = try PropertyListSerialization.data(
      fromPropertyList: state, format: .xml, options: 0)
    #expect(throws: AuricleError.self) { try host.restoreState(damaged) }
    state["lv2-state"] = 17
    state["lv2-properties"] = ["urn:auricle:test:patch-properties#file": 3]
    try host.restoreState(
      PropertyListSerialization.data(fromPropertyList: state, format: .xml, options: 0))
    #expect(try factor(host) == 1)
  }

  @Test func aStateThatThePlugInRefusesIsNotRestored() throws {
    let host = try host("refuses-states")
    try host.unit.selectPreset(uri: "urn:auricle:test:refused")
    let failure = #expect(throws: AuricleError.self) { try host.unit.initialize() }
    let text = failure?.message ?? ""
    #expect(
      text.contains("it refused the state of its preset") && text.contains("ERR_BAD_TYPE"),
      "\(text)")
    // Port values are no state of the plug-in's own.
    try host.unit.selectPreset(uri: "urn:auricle:test:taken")
    try host.unit.initialize()
    #expect(try factor(host) == 2)
    #expect(throws: AuricleError.self) {
      try host.unit.selectPreset(uri: "urn:auricle:test:refused")
    }
    // It runs on, and is made anew as it was.
    #expect(try factor(host) == 2)
    try host.unit.uninitialize()
    try host.unit.initialize()
    #expect(try factor(host) == 2)
  }

  @Test func presetsAreSavedAsBundlesWithTheirFiles() throws {
    let fixture = try LV2Fixture("patch-properties")
    let elsewhere = try TemporaryFolder("auricle-lv2-elsewhere")
    let file = try elsewhere.write("4", to: "four.txt")
    let host = try LV2TestHost(fixture)
    try host.unit.initialize()
    try host.set("gain", 2)
    try host.setTexts(kAuricleProperty_TextProperties, ["file": file])
    #expect(try factor(host) == 8)
    let bundle = try fixture.folder.makeFolder("Mine.preset.lv2")
    for (name, uri) in [("Loud", "urn:auricle:test:loud"), ("Again", "urn:auricle:test:again")] {
      try host.setTexts(
        kAuricleProperty_SavePreset,
        ["folder": bundle, "file": name + ".ttl", "label": name, "uri": uri])
    }
    try FileManager.default.removeItem(atPath: file)
    // Another host instance finds it by its own scan; the file is in the bundle.
    let other = try LV2TestHost(fixture.component(), keeping: fixture)
    #expect(other.unit.factoryPresets.map(\.name).contains("Loud"))
    #expect(other.unit.factoryPresets.map(\.name).contains("Again"))
    try other.unit.selectPreset(uri: "urn:auricle:test:again")
    try other.unit.initialize()
    #expect(try factor(other) == 8)
    #expect(FileManager.default.fileExists(atPath: bundle + "/four.txt"))
    let text = try String(contentsOfFile: bundle + "/Loud.ttl", encoding: .utf8)
    #expect(text.contains("<four.txt>") && !text.contains(elsewhere.path))
  }

  /// Messages reach a plug-in with the next slice, and a preset must not wait for that.
  @Test(arguments: [0, 64]) func presetsHoldWhatWasSetLast(framesBefore: Int) throws {
    let fixture = try LV2Fixture("patch-properties")
    let host = try LV2TestHost(fixture)
    try host.unit.initialize()
    if framesBefore > 0 { #expect(try factor(host) == 1) }
    try host.set("gain", 3)
    try host.setTexts(
      kAuricleProperty_TextProperties, ["file": fixture.folder.write("4", to: "four.txt")])
    let bundle = try fixture.folder.makeFolder("Mine.preset.lv2")
    try host.setTexts(
      kAuricleProperty_SavePreset,
      ["folder": bundle, "file": "Loud.ttl", "label": "Loud", "uri": "urn:auricle:test:loud"])
    #expect(try factor(host) == 12)
    let other = try LV2TestHost(fixture.component(), keeping: fixture)
    try other.unit.selectPreset(uri: "urn:auricle:test:loud")
    try other.unit.initialize()
    #expect(try factor(other) == 12)
  }

  @Test func whatIsRestoredWhileItRunsWaitsForTheRun() throws {
    let host = try host("checks-threads")
    host.unit.setRendersOffline(false)
    try host.unit.initialize()
    let renderer = Renderer(host, input: ones)
    renderer.start()
    for _ in 0..<40 { try host.unit.selectPreset(uri: "urn:auricle:test:checks-threads-preset") }
    #expect(try renderer.finish() == 0, "restored in the midst of a run")
  }
}

/// A renderer on a separate thread, which runs until it is stopped.
///
/// @unchecked Sendable because the host is used by that thread alone until it has ended, but for
/// presets, which are under test; the flag is under a lock.
private final class Renderer: @unchecked Sendable {
  private let host: LV2TestHost
  private let input: [Float]
  private let lock = NSLock()
  private var stops = false
  private var worst: Float = 0
  private var failure: (any Error)?
  private let done = DispatchSemaphore(value: 0)

  init(_ host: LV2TestHost, input: [Float]) {
    self.host = host
    self.input = input
  }

  func start() {
    Thread.detachNewThread { [self] in
      while !lock.withLock({ stops }) {
        do {
          worst = max(worst, try host.render([[input]], frameCount: 64)[0].max() ?? 0)
        } catch { failure = error }
      }
      done.signal()
    }
  }

  func finish() throws -> Float {
    lock.withLock { stops = true }
    done.wait()
    if let failure { throw failure }
    return worst
  }
}
