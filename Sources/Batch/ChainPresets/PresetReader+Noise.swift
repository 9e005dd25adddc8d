// Reading of a chain's drawn settings besides parameters: noise, and bypasses.
// SPDX-License-Identifier: Apache-2.0

import ResultSettings

extension PresetReader {
  /// Reads `{noise: {folder: PATH}, snr: 20 dB}`.
  mutating func noise(
    _ pairs: [(key: Located<String>, value: PresetNode)], source node: PresetNode,
    at position: SourcePosition
  ) -> ChainEntry? {
    let source = noiseSource(node)
    var entry = NoiseEntry(source ?? Located(.file("")), ratioDecibels: 0)
    requireKeys(["snr"], in: pairs, of: "the noise", at: position)
    for (key, value) in pairs {
      switch key.value {
      case "noise": break
      case "name": entry.label = located(value, key: "name")
      case "snr":
        let ratio = number(value) { $0.decibels($1, key: "snr", within: NoiseEntry.ratioRange) }
        entry.ratioDecibels = ratio?.value ?? 0
        entry.randomRatio = ratio?.random
      case "bypass": (entry.isBypassed, entry.bypassProbability) = bypass(value)
      default: unknown(key, among: PresetKeys.noise, in: "an entry with 'noise'")
      }
    }
    return source == nil ? nil : .noise(entry)
  }

  /// Reads `PATH`, `{file: PATH}` or `{folder: PATH}`.
  private mutating func noiseSource(_ node: PresetNode) -> Located<NoiseEntry.Source>? {
    guard case .mapping(let pairs) = node.content else {
      return line(node, key: "noise").map { Located(.file($0), at: node.position) }
    }
    for (key, _) in pairs where !PresetKeys.noiseSource.contains(key.value) {
      unknown(key, among: PresetKeys.noiseSource, in: "'noise'")
    }
    let known = pairs.filter { PresetKeys.noiseSource.contains($0.key.value) }
    guard let (key, value) = known.first, known.count == 1 else {
      add("'noise' is either {file: PATH} or {folder: PATH}", at: node.position)
      return nil
    }
    return line(value, key: key.value).map {
      Located(key.value == "file" ? .file($0) : .folder($0), at: value.position)
    }
  }

  /// Reads `true`, `false` or `{probability: 0.3}`.
  mutating func bypass(_ node: PresetNode) -> (isBypassed: Bool, probability: Double?) {
    guard case .mapping(let pairs) = node.content else {
      return (boolean(node, key: "bypass") ?? false, nil)
    }
    for (key, _) in pairs where !PresetKeys.chance.contains(key.value) {
      unknown(key, among: PresetKeys.chance, in: "'bypass'")
    }
    guard let (_, value) = pairs.first(where: { $0.key.value == "probability" }) else {
      add("'bypass' is true, false or {probability: 0.3}", at: node.position)
      return (false, nil)
    }
    return (false, part(value, key: "probability"))
  }
}
