// Makes foreign text safe for a terminal.
// SPDX-License-Identifier: Apache-2.0

import HostSystem

/// Makes foreign text safe for a terminal.
package enum TerminalText {
  /// The text with control characters shown as `?`, and bytes of names that are no text as U+FFFD.
  package static func plain(_ text: String) -> String {
    // Nearly all texts are plain, and long lists have many.
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    let text = FileNameText.shown(text)
    guard text.unicodeScalars.contains(where: { isControl($0) }) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "?" : $0 }))
  }

  /// The same for text of several lines.
  package static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { plain(String($0)) }
      .joined(separator: "\n")
  }

  /// The same for results and messages: ends of lines and tabulators stay.
  package static func shown(_ text: String) -> String {
    let isHidden = { (scalar: Unicode.Scalar) in
      scalar != "\n" && scalar != "\t" && isControl(scalar)
    }
    // A line may end with both characters.
    let text = text.replacing("\r\n", with: "\n")
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isHidden($0) ? "?" : $0 }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Also marks that change the text's direction, and ends of lines and paragraphs.
    case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
