// The parameters of the built-in units equal Core Audio's documented ones.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import TestSupport
import Testing

/// One row of a unit's table.
struct Row: Sendable, Equatable {
  var id: UInt32
  var unit: UInt32
  var minimum: Float
  var maximum: Float
  var value: Float
  var isWritable = true

  init(
    _ id: UInt32, _ unit: UInt32, _ minimum: Float, _ maximum: Float, _ value: Float,
    isWritable: Bool = true
  ) {
    self.id = id
    self.unit = unit
    self.minimum = minimum
    self.maximum = maximum
    self.value = value
    self.isWritable = isWritable
  }
}

private let hertz = kAudioUnitParameterUnit_Hertz
private let decibel = kAudioUnitParameterUnit_Decibels
private let second = kAudioUnitParameterUnit_Seconds
private let number = kAudioUnitParameterUnit_Generic
private let crossfade = kAudioUnitParameterUnit_EqualPowerCrossfade
/// Half of the 44,100 Hz that a fresh unit has.
private let nyquist: Float = 22_050

@Suite("Parameter tables")
struct ParameterTableTests {
  static let tables: [(String, [Row])] = [
    ("lpas", [Row(0, hertz, 10, nyquist, 6900), Row(1, decibel, -20, 40, 0)]),
    ("hpas", [Row(0, hertz, 10, nyquist, 6900), Row(1, decibel, -20, 40, 0)]),
    (
      "pmeq",
      [
        Row(0, hertz, 20, nyquist, 2000), Row(1, number, 0.1, 20, 1), Row(2, decibel, -20, 20, 0),
      ]
    ),
    (
      "dcmp",
      [
        Row(0, decibel, -40, 20, -20), Row(1, decibel, 0.1, 40, 5),
        Row(2, kAudioUnitParameterUnit_Rate, 1, 50, 2), Row(3, decibel, -120, 0, -120),
        Row(4, second, 0.0001, 0.2, 0.001), Row(5, second, 0.01, 3, 0.05),
        Row(6, decibel, -40, 40, 0), Row(1000, decibel, 0, 120, 0, isWritable: false),
        Row(2000, decibel, -120, 40, -120, isWritable: false),
        Row(3000, decibel, -120, 40, -120, isWritable: false),
      ]
    ),
    (
      "lmtr",
      [
        Row(0, second, 0.001, 0.03, 0.012), Row(1, second, 0.001, 0.06, 0.024),
        Row(2, decibel, -40, 40, 0),
      ]
    ),
    (
      "dely",
      [
        Row(0, crossfade, 0, 100, 50), Row(1, second, 0, 2, 1),
        Row(2, kAudioUnitParameterUnit_Percent, -100, 100, 50), Row(3, hertz, 10, nyquist, 15_000),
      ]
    ),
    (
      "mrev",
      [
        Row(0, crossfade, 0, 100, 100), Row(1, crossfade, 0, 100, 50),
        Row(2, second, 0.005, 0.02, 0.02), Row(3, second, 0.4, 10, 3.07),
        Row(4, second, 0.001, 0.03, 0.025), Row(5, second, 0.001, 0.1, 0.035),
        Row(6, number, 0, 1, 0.28), Row(7, number, 0, 1, 0.82), Row(8, number, 0, 1, 0.3),
        Row(9, number, 0.1, 1, 0.96), Row(10, number, 0.1, 1, 0.49), Row(11, number, 0, 1, 0.5),
        Row(12, hertz, 0.001, 2, 1), Row(13, number, 0, 1, 0.2),
      ]
    ),
    ("sdly", [Row(0, kAudioUnitParameterUnit_SampleFrames, 0, 44_100, 0)]),
  ]

  @Test("ids, units, ranges, defaults", arguments: tables)
  func table(_ subtype: String, _ rows: [Row]) throws {
    let unit = try Shipped.open(subtype)
    let seen = try unit.parameters().map {
      Row($0.id, $0.unit, $0.minimum, $0.maximum, $0.defaultValue, isWritable: $0.isWritable)
    }
    #expect(seen == rows)
    for row in rows { #expect(try unit.parameter(row.id) == row.value) }
    for parameter in try unit.parameters() { #expect(!parameter.name.isEmpty) }
  }

  @Test("the documented parameters of the others exist", arguments: DocumentedParameter.tables.keys)
  func documented(_ name: String) throws {
    let unit = try Shipped.open(name: name)
    let rows = DocumentedParameter.all(of: name)
    let text = try #require(DocumentedParameter.tables[name])
    #expect(rows.count == text.split(separator: "\n").count)
    for row in rows {
      for scope in row.scopes {
        let found = try unit.parameters(scope: scope).first { $0.id == row.id }
        let parameter = try #require(found, "\(row.id) in scope \(scope)")
        #expect(parameter.unit == row.unit, "\(parameter.name)")
        #expect(parameter.isWritable != row.isReadOnly, "\(parameter.name)")
        for (wanted, seen) in [
          (row.minimum, parameter.minimum), (row.maximum, parameter.maximum),
          (row.value, parameter.defaultValue),
        ] {
          if let wanted { #expect(wanted == seen, "\(parameter.name)") }
        }
      }
    }
  }

  @Test("frequencies end at half the sample rate", arguments: ["lpas", "hpas", "pmeq", "dely"])
  func nyquistFollows(_ subtype: String) throws {
    let rig = try UnitRig(subtype, sampleRate: 96_000)
    let last = subtype == "dely" ? 3 : 0
    let parameter = try #require(try rig.unit.parameters().first { $0.id == UInt32(last) })
    #expect(parameter.maximum == 48_000)
  }

  @Test("each unit has its name and its one triple", arguments: ShippedUnit.all)
  func identity(_ shipped: ShippedUnit) throws {
    let registry = try Shipped.registry.get()
    #expect(registry.problems.isEmpty)
    let found = try registry.resolve(Shipped.triple(shipped.subtype))
    #expect(found.name.hasPrefix("Auricle: "))
    #expect(found.version == 0x10000)
    #expect(!found.tags.isEmpty && !found.summary.isEmpty)
    // The pitch effect, which needs a library, and the sender of a network have separate tests.
    let others = ["aufx:tmpt:appl", "aufx:nutp:appl", "aufx:nsnd:appl"]
    let effects = registry.components.filter {
      $0.triple.hasPrefix("aufx") && !others.contains($0.triple)
    }
    #expect(effects.count == ShippedUnit.all.count)
  }
}
