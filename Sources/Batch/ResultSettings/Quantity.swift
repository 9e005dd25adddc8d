// A number with a unit of measure, as people write it: "80 Hz", "-6dB", "1.5 kHz", "4:1".
// SPDX-License-Identifier: Apache-2.0

/// A number and the unit it was written with.
package struct Quantity: Equatable {
  /// The number as written.
  package var value: Double
  /// The unit, or `nil` when there is none.
  package var unit: MeasureUnit?

  /// A number with a unit.
  package init(value: Double, unit: MeasureUnit?) {
    self.value = value
    self.unit = unit
  }

  /// The quantity in the basic unit of its kind: Hz, s, dB, %, cents.
  package var basicValue: Double { value * (unit?.factor ?? 1) }

  /// The quantity as text: `80 Hz`.
  package var description: String {
    guard let unit else { return plainNumber(value) }
    return unit.kind == .ratio ? "\(plainNumber(value)):1" : "\(plainNumber(value)) \(unit.symbol)"
  }

  /// The result of parsing a text.
  package enum Reading: Equatable {
    case quantity(Quantity)
    /// A number, followed by an unknown unit.
    case unknownUnit(value: Double, unit: String)
    case notANumber
  }

  /// Reads a text.
  package static func read(_ text: String) -> Reading {
    let trimmed = trimmingSpaces(text)
    guard trimmed.utf8.count <= 400, let (value, rest) = scanNumber(trimmed[...]) else {
      return .notANumber
    }
    let name = trimmingSpaces(String(rest))
    if name.isEmpty { return .quantity(Quantity(value: value, unit: nil)) }
    if let unit = MeasureUnit.named(name) { return .quantity(Quantity(value: value, unit: unit)) }
    return .unknownUnit(value: value, unit: name)
  }
}

/// A text without the spaces and tabs around it.
package func trimmingSpaces(_ text: String) -> String {
  var part = text[...]
  while let first = part.first, first.isWhitespace { part.removeFirst() }
  while let last = part.last, last.isWhitespace { part.removeLast() }
  return String(part)
}

/// A unit of measure: its kind, its symbol, and how many basic units it is.
package struct MeasureUnit: Equatable {
  /// The kind of quantity; units of one kind convert to each other.
  package enum Kind: Equatable {
    case frequency, time, level, percent, pitch, tempo, angle, length, frames, beats, ratio
  }

  package let kind: Kind
  package let symbol: String
  package let factor: Double
  /// Further spellings, in lower case.
  let spellings: [String]

  /// Finds a unit by its symbol or name, in any case.
  package static func named(_ name: String) -> MeasureUnit? {
    guard name.utf8.count <= 16 else { return nil }
    let wanted = name.lowercased()
    return all.first { $0.symbol.lowercased() == wanted || $0.spellings.contains(wanted) }
  }

  private init(_ kind: Kind, _ symbol: String, _ factor: Double, _ spellings: [String]) {
    self.kind = kind
    self.symbol = symbol
    self.factor = factor
    self.spellings = spellings
  }

  /// Every unit a preset may use; the first of a kind is the basic one.
  package static let all: [MeasureUnit] = [
    MeasureUnit(.frequency, "Hz", 1, ["hertz"]),
    MeasureUnit(.frequency, "kHz", 1000, ["kilohertz"]),
    MeasureUnit(.time, "s", 1, ["sec", "second", "seconds"]),
    MeasureUnit(.time, "ms", 0.001, ["msec", "millisecond", "milliseconds"]),
    MeasureUnit(.time, "µs", 0.000_001, ["us", "\u{3BC}s", "microsecond", "microseconds"]),
    MeasureUnit(.time, "min", 60, ["minute", "minutes"]),
    MeasureUnit(.level, "dB", 1, ["decibel", "decibels", "dbfs"]),
    MeasureUnit(.percent, "%", 1, ["percent"]),
    MeasureUnit(.pitch, "cents", 1, ["cent", "ct"]),
    MeasureUnit(.pitch, "st", 100, ["semitone", "semitones"]),
    MeasureUnit(.pitch, "oct", 1200, ["octave", "octaves"]),
    MeasureUnit(.tempo, "bpm", 1, []),
    MeasureUnit(.angle, "°", 1, ["deg", "degree", "degrees"]),
    MeasureUnit(.length, "m", 1, ["meter", "meters", "metre", "metres"]),
    MeasureUnit(.frames, "frames", 1, ["frame", "samples", "sample"]),
    MeasureUnit(.beats, "beats", 1, ["beat"]),
    MeasureUnit(.ratio, ":1", 1, ["x", "×", ": 1"]),
  ]
}
