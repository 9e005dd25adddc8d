// The JSON Schema says the same as the reader: keys, required keys, words.
// SPDX-License-Identifier: Apache-2.0

import ChainPresets
import Foundation
import TestSupport
import Testing

@Suite struct PresetSchemaTests {
  private let root: [String: Any]

  init() throws {
    let path = Places.inPackage("presets/schema/chain-preset.schema.json")
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func dictionary(_ keys: String...) throws -> [String: Any] {
    var value = root
    for key in keys { value = try #require(value[key] as? [String: Any], "\(keys)") }
    return value
  }

  private func words(_ value: Any?) -> [String]? { (value as? [String])?.sorted() }

  @Test func keysAreThoseOfTheReader() throws {
    #expect(try dictionary("properties").keys.sorted() == PresetKeys.document.sorted())
    #expect(words(root["required"]) == PresetKeys.requiredInDocument.sorted())
    #expect(
      try dictionary("$defs", "unit", "properties").keys.sorted() == PresetKeys.unit.sorted())
    #expect(words(try dictionary("$defs", "unit")["required"]) == PresetKeys.requiredInUnit)
    #expect(
      try dictionary("$defs", "output", "properties").keys.sorted() == PresetKeys.output.sorted())
    #expect(
      try dictionary("properties", "input", "properties").keys.sorted() == PresetKeys.input)
    let others = [
      ("parallel", PresetKeys.parallel), ("branch", PresetKeys.branch),
      ("sideSource", PresetKeys.sideChain), ("random", PresetKeys.random),
      ("deliverable", PresetKeys.render), ("noise", PresetKeys.noise),
      ("noiseSource", PresetKeys.noiseSource), ("chance", PresetKeys.chance),
      ("randomNumber", PresetKeys.randomNumber), ("instrument", PresetKeys.instrument),
    ]
    for (name, keys) in others {
      let found = try dictionary("$defs", name, "properties").keys
      #expect(found.sorted() == keys.sorted(), "\(name)")
    }
    #expect(
      words(try dictionary("$defs", "deliverable")["required"]) == PresetKeys.requiredInRender)
    for name in ["unit", "output"] + others.map(\.0) {
      #expect(try dictionary("$defs", name)["additionalProperties"] as? Bool == false, "\(name)")
    }
    #expect(root["additionalProperties"] as? Bool == false)
    let points = try #require(try dictionary("$defs", "breakpoint")["oneOf"] as? [[String: Any]])
    let point = try #require(points.last?["properties"] as? [String: Any])
    #expect(point.keys.sorted() == PresetKeys.automationPoint.sorted())
    #expect(words((point["curve"] as? [String: Any])?["enum"]) == PresetKeys.curveWords.sorted())
    #expect(words(try dictionary("$defs", "dither")["enum"]) == PresetKeys.ditherWords.sorted())
  }

  @Test func wordsAndLimitsAreThoseOfTheReader() throws {
    let version = try dictionary("properties", "auricle")["const"] as? Int
    #expect(version == ChainPreset.formatVersion)
    let latency = try dictionary("$defs", "output", "properties", "latency")
    #expect(words(latency["enum"]) == PresetKeys.latencyWords.sorted())
    let tail = try dictionary("$defs", "output", "properties", "tail")
    let choices = try #require(tail["oneOf"] as? [[String: Any]])
    #expect(words(choices.first?["enum"]) == PresetKeys.tailWords.sorted())
    let limit = try #require(choices[1]["maximum"] as? Int)
    #expect((try? preset(output: "tail: \(limit)")) != nil)
    #expect((try? preset(output: "tail: \(limit + 1)")) == nil)
    let rate = try dictionary("$defs", "output", "properties", "sample rate")
    let rates = try #require(rate["oneOf"] as? [[String: Any]])
    let (low, high) = (
      try #require(rates[1]["minimum"] as? Int), try #require(rates[1]["maximum"] as? Int)
    )
    #expect((try? preset(output: "sample rate: \(low)")) != nil)
    #expect((try? preset(output: "sample rate: \(high)")) != nil)
    #expect((try? preset(output: "sample rate: \(low - 1)")) == nil)
    #expect((try? preset(output: "sample rate: \(high + 1)")) == nil)
  }

  private func preset(output: String) throws -> ChainPreset {
    try ChainPreset(text: "auricle: 1\nname: x\nunits: [{unit: u}]\noutput: {\(output)}\n")
  }

  @Test func everyReferenceHasItsDefinition() throws {
    var references: Set<String> = []
    func visit(_ value: Any) {
      if let object = value as? [String: Any] {
        if let reference = object["$ref"] as? String { references.insert(reference) }
        object.values.forEach(visit)
      }
      if let array = value as? [Any] { array.forEach(visit) }
    }
    visit(root)
    let definitions = try dictionary("$defs").keys.map { "#/$defs/\($0)" }
    #expect(references == Set(definitions))
  }
}
