// Programs before and after the start: listed, selected, kept in a saved state.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import LV2Units
import TestSupport
import Testing

@Suite struct LV2ProgramTests {
  private let ones = [Float](repeating: 1, count: 64)

  /// A host of the fixture, whose programs are read in this process.
  private func host(_ fixture: LV2Fixture) throws -> LV2TestHost {
    let source = LV2ComponentSource(
      searchPath: fixture.folder.path, cacheFolder: "", programs: .here)
    let component = try #require(source.discover().components.first)
    return try LV2TestHost(component, keeping: fixture)
  }

  private func factor(_ host: LV2TestHost) throws -> Float {
    try host.render([[ones]], frameCount: 64)[0][63]
  }

  @Test func programsAreSelectedBeforeTheStart() throws {
    let host = try host(LV2Fixture("has-programs"))
    #expect(host.unit.factoryPresets.map(\.name) == ["Plain", "Double", "Six"])
    try host.unit.selectPreset(number: 2)
    #expect(try host.value("gain") == 3)
    try host.unit.initialize()
    #expect(try factor(host) == 6)
  }

  /// With its settings inside of the plug-in, and with values that were changed after it.
  @Test(arguments: [false, true]) func aSavedStateHoldsTheProgram(isRunning: Bool) throws {
    let fixture = try LV2Fixture("has-programs")
    let host = try host(fixture)
    try host.unit.selectPreset(number: 2)
    try host.set("gain", 2)
    try host.unit.initialize()
    let saved = try host.savedState()
    let other = try self.host(fixture)
    if isRunning { try other.unit.initialize() }
    try other.restoreState(saved)
    if !isRunning { try other.unit.initialize() }
    #expect(try other.value("gain") == 2)
    #expect(try factor(other) == 4)
  }

  /// Nothing is opened for the list of plug-ins that do not say they have programs.
  @Test func othersAreNotOpened() throws {
    let fixture = try LV2Fixture("has-programs")
    try fixture.edit("  lv2:extensionData", "  <urn:auricle:test:other>")
    let host = try host(fixture)
    #expect(host.unit.factoryPresets.isEmpty)
    try host.unit.initialize()
    #expect(host.unit.factoryPresets.count == 3)
  }
}
