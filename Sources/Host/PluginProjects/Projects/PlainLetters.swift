// Letters and digits of any script as those from A to Z and 0 to 9, where they have such.
// SPDX-License-Identifier: Apache-2.0

extension Unicode.Scalar {
  /// The letters from A to Z or the digit that it is without its marks: `U` of `Ü`, `ss` of `ß`, `oe` of `œ`;
  /// nil for a character without any, such as `日`.
  ///
  /// Read from the name that Unicode has for it: LATIN SMALL LETTER O WITH STROKE.
  var plainLetters: String? {
    if isASCII {
      let isDigit = ("0"..."9").contains(self)
      return isDigit || properties.isAlphabetic ? String(self) : nil
    }
    if properties.numericType == .decimal || properties.numericType == .digit {
      return properties.numericValue.map { String(Int($0)) }
    }
    guard var words = properties.name?.split(separator: " ") else { return nil }
    if words.first == "FULLWIDTH" { words.removeFirst() }
    guard words.count > 3, words[0] == "LATIN", words[2] == "LETTER" || words[2] == "LIGATURE",
      words[1] == "SMALL" || words[1] == "CAPITAL"
    else { return nil }
    let isSmall = words[1] == "SMALL"
    let base = words[3...].prefix { $0 != "WITH" }
    let letters: String
    switch base.joined(separator: " ") {
    case "SHARP S": letters = "SS"
    case "ETH": letters = "D"
    case "THORN": letters = "TH"
    default:
      // The letter is the last word of "DOTLESS I" and "LONG S"; a word like SCHWA is no letter.
      guard let last = base.last, last.count <= (words[2] == "LIGATURE" ? 3 : 2) else { return nil }
      letters = String(last)
    }
    return isSmall ? letters.lowercased() : letters.prefix(1) + letters.dropFirst().lowercased()
  }

  /// Whether it is a mark on the letter before it, as where a letter is written as two scalars.
  var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark: true
    default: false
    }
  }
}
