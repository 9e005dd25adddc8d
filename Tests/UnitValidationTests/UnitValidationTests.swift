// The units that ship break no rule, at any level; the rules themselves are in order.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import NativeUnits
import TestSupport
import TestUnits
import Testing
import UnitValidation

@Suite struct UnitValidationTests {
  /// Lists the faults found in a component.
  static func faults(of component: AudioComponent, level: Int, seed: UInt64 = 1) -> [UnitFault] {
    faults(level: level, seed: seed) { () throws(AuricleError) in try component.instantiate() }
  }

  /// Lists the faults found in the unit of which `make` opens instances.
  static func faults(
    level: Int, seed: UInt64, make: @escaping () throws(AuricleError) -> AudioUnit
  ) -> [UnitFault] {
    var request = ValidationRequest()
    request.level = level
    request.seed = seed
    var faults: [UnitFault] = []
    UnitValidation.run(
      request, make: make, report: { if case .fault(let fault) = $0 { faults.append(fault) } })
    return faults
  }

  // In processes of their own: a rule is about the state of the process, which other tests change meanwhile.

  @Test("shipped units have no fault at level 7, with any seed")
  func ships() async {
    let seed = TestSeed.current % 1000
    await #expect(processExitsWith: .success) { [seed = seed as UInt64] in
      let shipped = AudioComponentRegistry(sources: [
        NativeComponentSource(folders: [(path: try ShippedComponents.folder(), origin: .builtIn)])
      ])
      #expect(shipped.components.count > 30)
      for component in shipped.components {
        let faults = UnitValidationTests.faults(of: component, level: 7, seed: seed)
        #expect(faults == [], "\(component.triple), seed \(seed)")
      }
    }
  }

  /// A unit of a page on each base of the SDK.
  enum Page: String, CaseIterable, Codable {
    case effect, musicEffect, instrument, generator, mixer, panner, converter, processor, offline

    func open() throws(AuricleError) -> AudioUnit {
      switch self {
      case .effect: try TestUnits.tremolo()
      case .musicEffect: try TestUnits.gate()
      case .instrument: try TestUnits.organ()
      case .generator: try TestUnits.noise()
      case .mixer: try TestUnits.desk()
      case .panner: try TestUnits.place()
      case .converter: try TestUnits.line()
      case .processor: try TestUnits.transposer()
      case .offline: try TestUnits.normalizer()
      }
    }
  }

  @Test("a unit of a page on any base of the SDK has no fault at level 7", arguments: Page.allCases)
  func pages(page: Page) async {
    let seed = TestSeed.current % 1000
    await #expect(processExitsWith: .success) { [seed = seed as UInt64, page = page as Page] in
      let faults = UnitValidationTests.faults(level: 7, seed: seed) { () throws(AuricleError) in
        try page.open()
      }
      #expect(faults == [], "seed \(seed)")
    }
  }

  @Test("each rule has a unique id, a level, a sentence and a remedy")
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
