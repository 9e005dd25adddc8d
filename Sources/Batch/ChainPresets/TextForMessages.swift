// Quotes foreign texts and numbers in messages: short and printable.
// SPDX-License-Identifier: Apache-2.0

/// A text in single quotes, cut to 60 characters, control characters replaced.
func quoted(_ text: String) -> String {
  var shown = String.UnicodeScalarView()
  for scalar in text.unicodeScalars.prefix(60) {
    let isPlain = isAllowedInPresets(scalar) && !isLineBreak(scalar) && scalar != "\t"
    shown.append(isPlain ? scalar : " ")
  }
  if text.unicodeScalars.count > 60 { shown.append("…") }
  return "'\(String(shown))'"
}

/// `a`, `a or b`, `a, b or c`.
func alternatives(_ items: [String], joinedBy word: String = "or") -> String {
  guard let last = items.last, items.count > 1 else { return items.first ?? "" }
  return items.dropLast().joined(separator: ", ") + " \(word) \(last)"
}

/// A number in hexadecimal, upper case, with leading zeros up to a width.
func hexadecimal(_ value: some BinaryInteger, width: Int = 2) -> String {
  let digits = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
