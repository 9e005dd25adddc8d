// Measures and truncates text by terminal columns.
// SPDX-License-Identifier: Apache-2.0

/// Widths of text in columns.
package enum TextWidth {
  /// The width of a text on a terminal: two for wide characters, none for combining ones.
  package static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// The same of one character.
  package static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    // An emoji presentation is two columns wide.
    if character.unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
    return wide.contains { $0.contains(first.value) } ? 2 : 1
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
    0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
    0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]

  /// The text, truncated at the end to at most this many columns.
  package static func cut(_ text: String, to width: Int) -> String {
    guard of(text) > width else { return text }
    guard width > 1 else { return width == 1 ? "…" : "" }
    var result = ""
    var used = 1
    for character in text {
      used += of(character)
      if used > width { break }
      result.append(character)
    }
    return result + "…"
  }

  /// The text, truncated at the beginning: the end of a path is the most informative.
  package static func cutFront(_ text: String, to width: Int) -> String {
    guard of(text) > width else { return text }
    guard width > 1 else { return width == 1 ? "…" : "" }
    var result: [Character] = []
    var used = 1
    for character in text.reversed() {
      used += of(character)
      if used > width { break }
      result.append(character)
    }
    return "…" + String(result.reversed())
  }

  /// The lines of a text that is wrapped at spaces; a longer word has a line alone.
  package static func lines(_ text: String, width: Int) -> [String] {
    guard of(text) > width else { return [text] }
    var lines = [""]
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let line = lines[lines.count - 1]
      if line.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if of(line) + 1 + of(String(word)) > width {
        lines.append(String(word))
      } else {
        lines[lines.count - 1] += " " + word
      }
    }
    return lines
  }

  /// The text with its long lines wrapped, each with the indent of its beginning.
  package static func wrapped(_ text: String, at width: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let indent = String(line.prefix { $0 == " " })
      return lines(String(line.dropFirst(indent.count)), width: width - indent.count)
        .map { indent + $0 }.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// The text padded with spaces up to a width.
  package static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - of(text)))
  }
}
