// Noise, and numbers of a chain that are drawn, as canonical JSON.
// SPDX-License-Identifier: Apache-2.0

import HostSystem
import ResultSettings

/// A number with its unit, or its distribution.
func numberJSON(_ value: Double, _ random: RandomNumber?, _ unit: String) -> JSONValue {
  if let random { return random.presetJSON(unit) }
  return unit.isEmpty ? .number(value) : .string("\(plainNumber(value)) \(unit)")
}

/// `bypass`, or how likely it is.
func bypassJSON(_ isBypassed: Bool, _ probability: Double?) -> JSONValue {
  probability.map { .object(members: ["probability": .number($0)]) } ?? .boolean(isBypassed)
}

extension RandomNumber {
  /// The value's form in a preset.
  func presetJSON(_ unit: String) -> JSONValue {
    func number(_ value: Double) -> JSONValue { numberJSON(value, nil, unit) }
    switch self {
    case .choices(let values):
      return .object(members: ["choose": .array(values.map(number))])
    case .range(let low, let high, let isLogarithmic):
      let ends = [number(low), number(high)]
      return .object(members: ["random": .array(isLogarithmic ? ends + [.string("log")] : ends)])
    }
  }
}

extension NoiseEntry {
  /// The value's form in a preset.
  var json: JSONValue {
    let place: JSONValue =
      switch source.value {
      case .file(let path): .object(members: ["file": .string(path)])
      case .folder(let path): .object(members: ["folder": .string(path)])
      }
    var members: [String: JSONValue] = [
      "noise": place, "snr": numberJSON(ratioDecibels, randomRatio, "dB"),
      "bypass": bypassJSON(isBypassed, bypassProbability),
    ]
    if let label { members["name"] = .string(label.value) }
    return .object(members: members)
  }
}
