// Apple's alphabet of phonemes, and how each synthesiser spells it.
// SPDX-License-Identifier: Apache-2.0

/// A spelling of phonemes.
struct PhonemeSpelling: Sendable {
  /// Opcodes by the names that a synthesiser has.
  private let opcodes: [String: Int]
  /// The names by opcodes.
  private let names: [Int: String]

  /// Makes a spelling from pairs of a name and one of Apple's symbols; the first name of a symbol is the one
  /// that is spelled.
  private init(_ pairs: [(String, String)]) {
    var (opcodes, names): ([String: Int], [Int: String]) = ([:], [:])
    for (name, symbol) in pairs {
      guard let opcode = Self.symbols.firstIndex(of: symbol) else { continue }
      if opcodes[name] == nil { opcodes[name] = opcode }
      if names[opcode] == nil { names[opcode] = name }
    }
    (self.opcodes, self.names) = (opcodes, names)
  }

  /// Apple's symbols; the place of each is its opcode.
  static let symbols = [
    "%", "@", "AE", "EY", "AO", "AX", "IY", "EH", "IH", "AY", "IX", "AA", "UW", "UH", "UX", "OW",
    "AW", "OY", "b", "C", "d", "D", "f", "g", "h", "J", "k", "l", "m", "n", "N", "p", "r", "s", "S",
    "t", "T", "v", "w", "y", "z", "Z",
  ]

  private static let consonants = [
    "b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "z",
  ].map { ($0, $0) }

  /// espeak-ng's mnemonics.
  static let espeak = PhonemeSpelling(
    consonants + [
      ("_:", "%"), ("_", "%"), ("_|", "%"), ("a", "AE"), ("aa", "AE"), ("&", "AE"), ("eI", "EY"),
      ("O:", "AO"), ("O", "AO"), ("O@", "AO"), ("o@", "AO"), ("@", "AX"), ("@2", "AX"),
      ("@5", "AX"), ("a#", "AX"), ("3", "AX"), ("3:", "AX"), ("@L", "AX"), ("i:", "IY"),
      ("i", "IY"), ("i@", "IY"), ("E", "EH"), ("e@", "EH"), ("I", "IH"), ("aI", "AY"),
      ("aI@", "AY"), ("aI3", "AY"), ("I2", "IX"), ("I#", "IX"), ("A:", "AA"), ("A", "AA"),
      ("A@", "AA"), ("0", "AA"), ("0#", "AA"), ("A#", "AA"), ("u:", "UW"), ("u", "UW"),
      ("U", "UH"), ("U@", "UH"), ("V", "UX"), ("oU", "OW"), ("o", "OW"), ("aU", "AW"),
      ("aU@", "AW"), ("OI", "OY"), ("tS", "C"), ("D", "D"), ("dZ", "J"), ("N", "N"), ("R", "r"),
      ("r-", "r"), ("S", "S"), ("T", "T"), ("j", "y"), ("Z", "Z"), ("t2", "t"), ("t#", "t"),
      ("n-", "n"), ("m-", "m"), ("l/", "l"), ("d#", "d"), ("z/", "z"), ("z#", "z"), ("x", "k"),
    ])

  /// flite's names.
  static let flite = PhonemeSpelling(
    consonants.filter { $0.0 != "h" } + [
      ("pau", "%"), ("aa", "AA"), ("ae", "AE"), ("ah", "UX"), ("ao", "AO"), ("aw", "AW"),
      ("ax", "AX"), ("er", "AX"), ("ay", "AY"), ("ch", "C"), ("dh", "D"), ("eh", "EH"),
      ("ey", "EY"), ("hh", "h"), ("ih", "IH"), ("iy", "IY"), ("jh", "J"), ("ng", "N"),
      ("ow", "OW"), ("oy", "OY"), ("sh", "S"), ("th", "T"), ("uh", "UH"), ("uw", "UW"),
      ("y", "y"), ("zh", "Z"), ("ih", "IX"), ("uw", "UX"),
    ])

  /// The opcode of a name; nil for one that has none.
  func opcode(_ name: String) -> Int? { opcodes[name] }

  /// The symbol of a name, empty for one that has none.
  func symbol(_ name: String) -> String { opcodes[name].map { Self.symbols[$0] } ?? "" }

  /// Returns the phonemes of a text in Apple's symbols, word by word; stress is before a vowel as "1" or "2". Other
  /// signs are left out.
  func words(of text: String) -> [[(name: String, stress: Int)]] {
    text.split(separator: " ").map { word in
      var found: [(name: String, stress: Int)] = []
      var (rest, stress) = (word, 0)
      while let first = rest.first {
        let pair = String(rest.prefix(2))
        let symbol = Self.symbols.contains(pair) ? pair : String(first)
        rest = rest.dropFirst(symbol.count)
        if symbol == "1" || symbol == "2" { stress = symbol == "1" ? 1 : 2 }
        guard let opcode = Self.symbols.firstIndex(of: symbol), let name = names[opcode] else {
          continue
        }
        let isVowel = (2...17).contains(opcode)
        found.append((name, isVowel ? stress : 0))
        if isVowel { stress = 0 }
      }
      return found
    }.filter { !$0.isEmpty }
  }
}
