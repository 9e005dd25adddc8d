// A small SoundFont: presets that each loop one wave, so that tests need no installed bank.
// SPDX-License-Identifier: Apache-2.0

/// Makes banks of one looped sine a preset.
public enum SoundFontFixture {
  /// A preset: bank 128 holds drums.
  public struct Preset: Sendable {
    /// Its name, up to 19 letters.
    public var name: String
    /// Its bank.
    public var bank: Int
    /// Its program.
    public var program: Int
    /// Semitones by which it sounds higher.
    public var semitones: Int

    /// A preset by its numbers.
    public init(_ name: String, _ bank: Int, _ program: Int, semitones: Int = 0) {
      self.name = name
      self.bank = bank
      self.program = program
      self.semitones = semitones
    }
  }

  /// Frames of a turn of the wave, which at 44.1 kHz is 441 Hz, its root key 69.
  public static let period = 100

  /// The bytes of a bank.
  public static func bytes(_ presets: [Preset]) -> [UInt8] {
    let wave = (0..<1100).map { Int16(Double(Int16.max) * 0.5 * sine(Double($0 % 100) / 100)) }
    let samples = (wave + [Int16](repeating: 0, count: 46)).flatMap {
      little(UInt16(bitPattern: $0), 2)
    }
    let info =
      chunk("ifil", little(2, 2) + little(1, 2)) + chunk("isng", padded("EMU8000", 8))
      + chunk("INAM", padded("Test", 6))
    var headers: [UInt8] = [], bags: [UInt8] = [], generators: [UInt8] = []
    for (index, preset) in presets.enumerated() {
      headers +=
        padded(preset.name, 20) + little(preset.program, 2) + little(preset.bank, 2)
        + little(index, 2) + little(0, 12)
      bags += little(generators.count / 4, 2) + little(0, 2)
      // The generators of a preset: how much higher, and which instrument.
      if preset.semitones != 0 { generators += little(51, 2) + little(preset.semitones, 2) }
      generators += little(41, 2) + little(0, 2)
    }
    headers +=
      padded("EOP", 20) + little(0, 2) + little(0, 2) + little(presets.count, 2) + little(0, 12)
    bags += little(generators.count / 4, 2) + little(0, 2)
    let end = little(0, 4)
    let instrument = padded("Wave", 20) + little(0, 2) + padded("EOI", 20) + little(1, 2)
    let instrumentBags = little(0, 2) + little(0, 2) + little(2, 2) + little(0, 2)
    // Looped, and the sample last.
    let instrumentGenerators = little(54, 2) + little(1, 2) + little(53, 2) + little(0, 2) + end
    let sample =
      padded("Wave", 20) + little(0, 4) + little(1100, 4) + little(100, 4) + little(1000, 4)
      + little(44_100, 4) + [69, 0] + little(0, 2) + little(1, 2)
    let lists =
      chunk("phdr", headers) + chunk("pbag", bags) + chunk("pmod", little(0, 10))
      + chunk("pgen", generators + end) + chunk("inst", instrument)
      + chunk("ibag", instrumentBags) + chunk("imod", little(0, 10))
      + chunk("igen", instrumentGenerators)
      + chunk("shdr", sample + padded("EOS", 20) + little(0, 26))
    return chunk(
      "RIFF",
      Array("sfbk".utf8) + chunk("LIST", Array("INFO".utf8) + info)
        + chunk("LIST", Array("sdta".utf8) + chunk("smpl", samples))
        + chunk("LIST", Array("pdta".utf8) + lists))
  }

  private static func sine(_ turns: Double) -> Double {
    // A parabola for each half: a wave is all that is wanted.
    let x = turns < 0.5 ? turns * 2 : turns * 2 - 1
    return (turns < 0.5 ? 1 : -1) * 4 * x * (1 - x)
  }

  private static func little(_ number: some BinaryInteger, _ count: Int) -> [UInt8] {
    let bits = UInt64(truncatingIfNeeded: number)
    return (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) : 0 }
  }

  private static func padded(_ text: String, _ count: Int) -> [UInt8] {
    let bytes = Array(text.utf8.prefix(count - 1))
    return bytes + [UInt8](repeating: 0, count: count - bytes.count)
  }

  private static func chunk(_ id: String, _ body: [UInt8]) -> [UInt8] {
    Array(id.utf8) + little(body.count, 4) + body + (body.count % 2 == 1 ? [0] : [])
  }
}
