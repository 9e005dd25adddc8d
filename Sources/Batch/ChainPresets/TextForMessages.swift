// Quotes foreign texts and numbers in messages: short and printable.
// SPDX-License-Identifier: Apache-2.0

import ResultSettings

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
