// Settings of results that are drawn for each variant: the piece of the input, and levels.
// SPDX-License-Identifier: Apache-2.0

import ResultSettings

extension JobSettings {
  /// The settings of one variant, with the drawn values; without a variant they stay as they are.
  func drawn(_ variant: VariantRequest?) -> (settings: JobSettings, figures: [DrawnFigure]) {
    guard let draws = variant?.draws else { return (self, []) }
    var settings = self
    var figures: [DrawnFigure] = []
    func draw(_ random: RandomNumber, _ name: String, of file: String?, unit: String) -> Double {
      let value = draws.value(of: random, "output \(name) \(file ?? "")")
      figures.append(.output(name, of: file, value, unit: unit))
      return value
    }
    for index in settings.deliverables.indices {
      let name = settings.deliverables[index].name
      if let random = settings.deliverables[index].randomLoudness {
        settings.deliverables[index].loudness = draw(random, "loudness", of: name, unit: "LUFS")
      }
      if let random = settings.deliverables[index].randomPeak {
        settings.deliverables[index].peak = draw(random, "peak", of: name, unit: "dBFS")
      }
    }
    return (settings, figures)
  }
}

extension InputRange {
  /// A piece of the range whose length and place are drawn; the whole range where it is shorter, or its
  /// length is unknown.
  func cropped(
    _ settings: JobSettings, _ variant: VariantRequest?
  ) -> (range: InputRange, figures: [DrawnFigure], note: String?) {
    guard let crop = settings.crop else { return (self, [], nil) }
    guard let count else { return (self, [], "its length is not known: no piece was taken of it") }
    let draws = variant?.draws ?? VariantDraws(seed: 0, variant: 1, key: "")
    let seconds = draws.value(of: crop, "crop length")
    let length = max(1, Int((seconds * sampleRate).rounded()))
    guard length < count else {
      return (self, [], "it is no longer than the piece that was asked for: all of it was taken")
    }
    let first = start + Int(draws.part("crop start") * Double(count - length + 1))
    return (
      InputRange(start: first, end: first + length, count: length, sampleRate: sampleRate),
      [
        .output("crop start", of: nil, Double(first) / sampleRate, unit: "s"),
        .output("crop length", of: nil, Double(length) / sampleRate, unit: "s"),
      ], nil
    )
  }
}

extension VariantRequest {
  fileprivate var draws: VariantDraws { VariantDraws(seed: seed, variant: index, key: key) }
}

extension DrawnFigure {
  fileprivate static func output(
    _ name: String, of file: String?, _ value: Double, unit: String
  ) -> DrawnFigure {
    let shown = (value * 1000).rounded() / 1000
    return DrawnFigure(
      stage: file.map { "output \($0)" } ?? "output", parameter: name, value: value,
      text: "\(plainNumber(shown)) \(unit)")
  }
}
