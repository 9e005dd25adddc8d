// The units that ship break no rule, at any level; the rules themselves are in order.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import NativeUnits
import TestSupport
import Testing
import UnitValidation

@Suite struct UnitValidationTests {
  /// What is found in a component.
  static func faults(of component: AudioComponent, level: Int, seed: UInt64 = 1) -> [UnitFault] {
    var request = ValidationRequest()
    request.level = level
    request.seed = seed
    var faults: [UnitFault] = []
    UnitValidation.run(
      request, make: { () throws(AuricleError) in try component.instantiate() },
      report: { if case .fault(let fault) = $0 { faults.append(fault) } })
    return faults
  }

  @Test("what ships has no fault at level 7, whatever the seed is")
  func ships() throws {
    let shipped = AudioComponentRegistry(sources: [
      NativeComponentSource(folders: [(path: try ShippedComponents.folder(), origin: .builtIn)])
    ])
    for component in shipped.components {
      let seed = UInt64.random(in: 0..<1000)
      #expect(
        Self.faults(of: component, level: 7, seed: seed) == [], "\(component.triple), seed \(seed)")
    }
  }

  @Test("each rule has an id of its own, a level, a sentence and a remedy")
  func rules() {
    let all = ValidationCheck.all
    #expect(Set(all.map(\.id)).count == all.count)
    for check in all {
      #expect((1...10).contains(check.level), "\(check.id)")
      #expect(check.rule.hasSuffix(".") && !check.remedy.isEmpty, "\(check.id)")
      #expect(check.id.split(separator: ".").count == 2, "\(check.id)")
    }
  }

  @Test("noise is the same however it is sliced, and another for another seed")
  func noise() {
    let (first, other) = (ValidationRandom(seed: 1), ValidationRandom(seed: 2))
    var (one, same, another) = (first, first, other)
    #expect((0..<8).map { _ in one.next() } == (0..<8).map { _ in same.next() })
    #expect(one.next() != another.next())
  }
}
