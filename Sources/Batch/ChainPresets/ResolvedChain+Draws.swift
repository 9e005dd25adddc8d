// Draws of a chain besides numbers of units: bypasses, mixes, gains, files, noise.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import HostSystem
import ResultSettings

extension ResolvedChain {
  /// Draws it for a variant, each value for itself: one more of them changes none of the others.
  mutating func draw(_ draws: VariantDraws) {
    let units = preset.units
    for (place, entry) in zip(stages.indices, units) {
      let label = stages[place].label
      let name = "unit \(place)"
      for index in stages[place].texts.indices where !stages[place].texts[index].choices.isEmpty {
        let text = stages[place].texts[index]
        let choice = draws.choice(of: text.choices, "\(name) \(text.property.uri)")
        stages[place].texts[index].text = choice.value
        note(
          place, label, text.property.name, Float(choice.index),
          text.property.isPath
            ? Path.lastComponent(choice.value) : text.property.shown(choice.value))
      }
      if let random = entry.randomMix {
        stages[place].mix = draws.value(of: random, "\(name) mix")
        note(
          place, label, "mix", Float(stages[place].mix),
          "\(plainNumber(rounded(stages[place].mix * 100))) %")
      }
      if let probability = entry.bypassProbability {
        stages[place].isBypassed = draws.part("\(name) bypass") < probability
        note(bypass: stages[place].isBypassed, place, label)
      }
    }
    drawNoises(draws)
    var count = 0
    preset.entries = drawn(preset.entries, draws, &count)
  }

  private mutating func drawNoises(_ draws: VariantDraws) {
    for (place, entry) in zip(noises.indices, preset.noises) {
      let name = "noise \(place)"
      let label = noises[place].label
      if let probability = entry.bypassProbability {
        noises[place].isBypassed = draws.part("\(name) bypass") < probability
        note(bypass: noises[place].isBypassed, place, label)
      }
      if noises[place].isBypassed { continue }
      let file = draws.choice(of: noises[place].files, "\(name) file")
      noises[place].file = file.value
      if noises[place].files.count > 1 {
        note(place, label, "file", Float(file.index), Path.lastComponent(file.value))
      }
      noises[place].start = draws.part("\(name) start")
      note(
        place, label, "start", Float(noises[place].start),
        "\(plainNumber(rounded(noises[place].start * 100))) % of the file")
      if let random = entry.randomRatio {
        noises[place].ratioDecibels = draws.value(of: random, "\(name) snr")
        let ratio = noises[place].ratioDecibels
        note(place, label, "snr", Float(ratio), "\(plainNumber(rounded(ratio))) dB")
      }
    }
  }

  /// Entries with the draws of branches; `count` numbers the `parallel` in the order they are written.
  private mutating func drawn(
    _ entries: [ChainEntry], _ draws: VariantDraws, _ count: inout Int
  ) -> [ChainEntry] {
    var result: [ChainEntry] = []
    for entry in entries {
      guard case .parallel(var parallel) = entry else {
        result.append(entry)
        continue
      }
      let number = count
      count += 1
      let label = parallel.label?.value ?? "parallel \(number + 1)"
      if let probability = parallel.bypassProbability {
        parallel.isBypassed = draws.part("parallel \(number) bypass") < probability
        note(bypass: parallel.isBypassed, number, label)
      }
      for index in parallel.branches.indices {
        let branch = parallel.branches[index]
        if let random = branch.randomGain {
          let gain = draws.value(of: random, "parallel \(number) branch \(index) gain")
          parallel.branches[index].gainDecibels = gain
          note(
            number, branch.label?.value ?? "\(label) branch \(index + 1)", "gain", Float(gain),
            "\(plainNumber(rounded(gain))) dB")
        }
        parallel.branches[index].entries = drawn(branch.entries, draws, &count)
      }
      result.append(.parallel(parallel))
    }
    return result
  }

  private mutating func note(
    _ place: Int, _ label: String, _ parameter: String, _ value: Float, _ text: String
  ) {
    drawnValues.append(
      DrawnValue(stage: place, stageLabel: label, parameter: parameter, value: value, text: text))
  }

  private mutating func note(bypass isBypassed: Bool, _ place: Int, _ label: String) {
    note(place, label, "bypass", isBypassed ? 1 : 0, isBypassed ? "true" : "false")
  }

  /// For people: two places behind the point.
  private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
