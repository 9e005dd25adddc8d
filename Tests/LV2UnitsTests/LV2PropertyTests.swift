// Properties of every type: set by messages, reported by messages, kept in presets.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import LV2Units
import TestSupport
import Testing

@Suite struct LV2PropertyTests {
  private let silence = [Float](repeating: 0, count: 64)
  /// The values set in the fixture; it outputs their sum.
  private static let numbers: [(name: String, value: Float)] = [
    ("int", -7), ("long", 30), ("float", 0.5), ("double", 0.25), ("bool", 1),
  ]
  private static let texts = ["string": "a \"b\"", "uri": "urn:c:d"]
  private static let sum: Float = -7 + 30 + 0.5 + 0.25 + 1 + 5 + 7

  private func set(_ host: LV2TestHost) throws {
    for (name, value) in Self.numbers { try host.set(name, value) }
    try host.setTexts(kAuricleProperty_TextProperties, Self.texts)
  }

  private func sum(_ host: LV2TestHost) throws -> Float {
    try host.render([[silence]], frameCount: 64)[0][63]
  }

  @Test(arguments: [false, true]) func everyTypeArrives(isLate: Bool) throws {
    let host = try LV2TestHost(LV2Fixture("every-property"))
    if isLate {
      try host.unit.initialize()
      #expect(try sum(host) == 0)
    }
    try set(host)
    if !isLate { try host.unit.initialize() }
    #expect(try sum(host) == Self.sum)
    try host.setTexts(kAuricleProperty_TextProperties, ["path": "/a/b.wav"])
    #expect(try sum(host) == Self.sum + 8)
  }

  /// It is asked for all when it starts, and answers with one message.
  @Test func itsReportsAreAdopted() throws {
    let host = try LV2TestHost(LV2Fixture("every-property"))
    try set(host)
    try host.unit.initialize()
    _ = try sum(host)
    _ = try sum(host)
    #expect(try host.value("asked") == 1)
    #expect(try host.value("int") == -7)
    #expect(try host.texts(kAuricleProperty_TextProperties)["uri"] == "urn:c:d")
  }

  /// As Turtle, the text of a URI resembles a URI's number: it comes back as the text that it was.
  @Test func presetsHoldEveryType() throws {
    let fixture = try LV2Fixture("every-property")
    let host = try LV2TestHost(fixture)
    try host.unit.initialize()
    try set(host)
    let bundle = try fixture.folder.makeFolder("Mine.preset.lv2")
    try host.setTexts(
      kAuricleProperty_SavePreset,
      ["folder": bundle, "file": "Mine.ttl", "label": "Mine", "uri": "urn:auricle:test:mine"])
    let other = try LV2TestHost(fixture.component(), keeping: fixture)
    try other.unit.selectPreset(uri: "urn:auricle:test:mine")
    for (name, value) in Self.numbers { #expect(try other.value(name) == value, "\(name)") }
    try other.unit.initialize()
    #expect(try sum(other) == Self.sum)
    #expect(
      try other.texts(kAuricleProperty_TextProperties)["uri"] == "urn:c:d")
  }
}
