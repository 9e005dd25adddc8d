// Every effect that ships sounds as it did when its levels were recorded.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import TestSupport
import Testing

@Suite("Sound compatibility of units") struct SoundCompatibilityTests {
  @Test("effects with their defaults, and with settings that make them work hard")
  func effects() throws {
    var levels = RecordedLevels(path: "Tests/Fixtures/RecordedSound/units.txt")
    let signal = RecordedLevels.signal(sampleRate: 48_000)
    for unit in ShippedUnit.all {
      let kinds: [(String, [AudioUnitParameterID: Float])] = [
        ("defaults", [:]), ("settings", unit.parameters),
      ]
      for (kind, values) in kinds {
        let rig = try UnitRig(unit.subtype, values)
        levels.add("\(unit.subtype) \(kind)", try rig.render([signal]))
      }
    }
    for value in [Float(-500), 700] {
      let rig = try UnitRig("tmpt", [1: value])
      levels.add("tmpt \(value)", try rig.render([signal]))
    }
    let differences = try levels.differences()
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
  }
}
