// The rules that VST3 adds to those of all units: a sound plug-in keeps them, and each defect breaks its own.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import TestSupport
import Testing
import UnitValidation
import VST3Units

@Suite struct VST3RuleTests {
  private func faults(_ defect: String) throws -> [UnitFault] {
    let fixture = try VST3Fixture(defect)
    let catalog = try #require(fixture.catalog() as? any CheckedCatalog)
    return catalog.faults(of: try fixture.component())
  }

  @Test(arguments: ["SOUND", "JOINED", "DOUBLE", "TIMER"])
  func aSoundOneHasNoFaults(kind: String) throws {
    #expect(try faults(kind) == [])
  }

  @Test(arguments: [
    ("NO_KIND", "vst3.category"), ("MAKES_ANY", "vst3.factory"), ("ANSWERS_ANY", "vst3.query"),
    ("ANY_INDEX", "vst3.indices"), ("AUXILIARY_FIRST", "vst3.buses"), ("HIGH_ID", "vst3.ids"),
    ("NO_TITLE", "vst3.titles"), ("INVERTED_RANGE", "vst3.range"), ("EMPTY_RANGE", "vst3.range"),
    ("OTHER_START", "vst3.default"), ("LIST_WITHOUT_STEPS", "vst3.list"),
    ("SLOW_BYPASS", "vst3.bypass"), ("NO_UNIT", "vst3.groups"),
    ("WRONG_INVERSE", "vst3.conversion"), ("WRONG_TEXT", "vst3.texts"),
    ("FORGETS", "vst3.controller"), ("UNBOUNDED", "vst3.clamp"),
    ("AGREES_TO_ALL", "vst3.arrangements"),
  ]) func whatItSaysBreaksARule(defect: String, rule: String) throws {
    let found = try faults(defect)
    #expect(found.contains { $0.check == rule }, "\(found)")
  }

  @Test(arguments: [
    ("CALLS_FROM_AUDIO", "vst3.threads"), ("SENDS_FROM_AUDIO", "vst3.messages"),
    ("EDITS_WILDLY", "vst3.edits"), ("ODD_RESTART", "vst3.restarts"),
    ("SECRET_LATENCY", "vst3.latency"), ("LIVE_ONLY", "vst3.modes"), ("ONCE_ONLY", "vst3.cycles"),
    ("SENDS_WILDLY", "vst3.outputs"), ("FALSE_SILENCE", "vst3.silence"),
    ("WRITES_INPUT", "vst3.inputs"), ("IGNORES_FLUSH", "vst3.flush"),
    ("WRONG_IN_PLACE", "vst3.in-place"),
    ("ANY_STATE", "vst3.state-foreign"), ("OTHER_STATE", "vst3.state-same"),
    ("ONE_PIECE", "vst3.state-pieces"), ("LOSES_VALUES", "vst3.state-values"),
  ]) func whatItDoesBreaksARule(defect: String, rule: String) throws {
    let found = try faults(defect)
    #expect(found.contains { $0.check == rule }, "\(found)")
  }

  @Test func eachRuleHasItsOwnNameAndARemedy() {
    let checks = VST3Format().checks
    #expect(Set(checks.map(\.id)).count == checks.count)
    #expect(checks.allSatisfy { $0.id.hasPrefix("vst3.") && !$0.remedy.isEmpty }, "\(checks)")
  }
}
