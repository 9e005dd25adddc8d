// Each rule finds the unit that breaks it, and nothing else; the units that ship break none.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import NativeUnits
import TestSupport
import Testing
import UnitValidation

/// The sample delay with one thing wrong, in as many components as there are things.
enum WrongUnits {
  private static let folder = Result<TemporaryFolder, any Error> {
    try TemporaryFolder("auricle-wrong")
  }

  /// The components, by subtype.
  static let registry = Result<AudioComponentRegistry, any Error> {
    let place = try WrongUnits.folder.get()
    try WrongUnitFixture.make(
      in: place, subtypes: UnitValidationTests.rules.map(\.subtype) + ["good"],
      types: Dictionary(
        UnitValidationTests.rules.map { ($0.subtype, $0.type) }, uniquingKeysWith: { $1 }),
      manufacturers: Dictionary(
        UnitValidationTests.rules.map { ($0.subtype, $0.maker) }, uniquingKeysWith: { $1 }))
    return AudioComponentRegistry(sources: [
      NativeComponentSource(folders: [(path: place.path, origin: .native)])
    ])
  }
}

/// What is wrong with a unit, and the words that a fault must hold.
struct WrongRule: Sendable, CustomTestStringConvertible {
  var subtype: String
  var words: String
  /// How many kinds of rules are missed: without a source all that renders fails too.
  var topics = 2
  var type = "aufx"
  var maker = "AuTe"
  var severity = ValidationCheck.Severity.error
  var testDescription: String { "\(subtype): \(words)" }
}

@Suite struct UnitValidationTests {
  static let rules: [WrongRule] = [
    .init(subtype: "noci", words: "ClassInfo"),
    .init(subtype: "ciot", words: "another manufacturer"),
    .init(subtype: "cird", words: "cannot be set again"),
    .init(subtype: "nolr", words: "LastRenderError is missing"),
    .init(subtype: "nopp", words: "PresentPreset is missing"),
    .init(subtype: "norc", words: "SetRenderCallback", topics: 6),
    .init(subtype: "nomc", words: "MakeConnection"),
    .init(subtype: "fs48", words: "48000.0 Hz"),
    .init(subtype: "pinf", words: "77 of scope 0 is listed and not described"),
    .init(subtype: "pdef", words: "outside its range"),
    .init(subtype: "prng", words: "goes from 0.0 to 0.0"),
    .init(subtype: "pnam", words: "has no name"),
    .init(subtype: "pini", words: "over Initialize"),
    .init(subtype: "prst", words: "over Reset"),
    .init(subtype: "chan", words: "3 to 3 channels, and cannot"),
    .init(subtype: "r96k", words: "at 96000 Hz"),
    .init(subtype: "swal", words: "told 0"),
    .init(subtype: "many", words: "1024 frames where 512"),
    .init(subtype: "pull", words: "513 frames"),
    .init(subtype: "nans", words: "no finite numbers"),
    .init(subtype: "midi", words: "must not answer MIDIEvent"),
    .init(subtype: "unin", words: "not initialised"),
    .init(subtype: "pres", words: "has no name"),
    .init(subtype: "pset", words: "another is told"),
    .init(subtype: "schd", words: "cannot be scheduled"),
    .init(subtype: "meta", words: "changes 1, and no flag says so"),
    .init(subtype: "pair", words: "give the error -7531"),
    .init(subtype: "nnan", words: "a note has samples that are no finite numbers", type: "aumf"),
    .init(subtype: "nerr", words: "message 144 gave the error -7531", type: "aumf"),
    .init(subtype: "nono", words: "must answer MIDIEvent", type: "aumf"),
    .init(subtype: "type", words: "is none that a unit has", type: "Aufx"),
    .init(subtype: "mnfc", words: "belong to Apple", maker: "aute"),
    .init(subtype: "conn", words: "does not pull the unit its input is connected to"),
    .init(subtype: "disc", words: "a unit that is not connected any more"),
    .init(subtype: "plac", words: "its output lies elsewhere than its input"),
    .init(subtype: "push", words: "pulls its input for 1024 frames"),
    .init(subtype: "hcbk", words: "HostCallbacks cannot be set"),
    .init(subtype: "hout", words: "although it does not render"),
    .init(subtype: "hkep", words: "after they were taken away"),
    .init(subtype: "view", words: "CocoaUI names no place"),
    .init(subtype: "vcls", words: "CocoaUI has 8 bytes"),
    .init(subtype: "icon", words: "IconLocation is no place"),
    .init(subtype: "vstr", words: "writes \"0\" for 0.0, and reads 7.0 in it"),
    .init(subtype: "vnon", words: "writes nothing for 0.0"),
    .init(subtype: "clmp", words: "in a group with no name"),
    .init(subtype: "offl", words: "OfflineRender was set to 1, and is 0"),
    .init(subtype: "nick", words: "NickName was set, and is another"),
    .init(subtype: "mido", words: "MIDI output 0 has no name"),
    .init(subtype: "maps", words: "31 bytes, which are no whole entries"),
    .init(subtype: "layt", words: "layout of scope 1 has 1 channels, and its format 2"),
    .init(subtype: "tail", words: "TailTime is missing", severity: .warning),
    .init(subtype: "keep", words: "was set to 44100.0, and is 22050.0", severity: .warning),
    .init(subtype: "mono", words: "initialised for 1 to 1 channels", severity: .warning),
  ]

  /// What is found in a component, at a level.
  static func faults(of component: AudioComponent, level: Int = 5) -> [UnitFault] {
    var request = ValidationRequest()
    request.level = level
    var faults: [UnitFault] = []
    UnitValidation.run(
      request, make: { () throws(AuricleError) in try component.instantiate() },
      report: { if case .fault(let fault) = $0 { faults.append(fault) } })
    return faults
  }

  @Test("a rule finds the unit that breaks it", arguments: rules)
  func finds(_ rule: WrongRule) throws {
    let component = try WrongUnits.registry.get().resolve(
      "\(rule.type):\(rule.subtype):\(rule.maker)")
    let faults = Self.faults(of: component)
    let found = faults.first { $0.message.contains(rule.words) }
    #expect(found?.severity == rule.severity, "\(faults)")
    // What is missing may be missed twice; other rules hold.
    #expect(Set(faults.map { $0.check }).count <= rule.topics, "\(faults)")
  }

  @Test("the unit with nothing wrong has no fault, nor has any that ships")
  func finds() throws {
    let good = try WrongUnits.registry.get().resolve("aufx:good:AuTe")
    #expect(Self.faults(of: good, level: 7) == [])
    let shipped = AudioComponentRegistry(sources: [
      NativeComponentSource(folders: [(path: try ShippedComponents.folder(), origin: .builtIn)])
    ])
    for component in shipped.components {
      #expect(Self.faults(of: component, level: 7) == [], "\(component.triple)")
    }
  }
}
