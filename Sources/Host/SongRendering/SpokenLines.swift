// The lines of a file that are said: a name and a text, or a text that gets a number.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Foundation
import HostSystem

/// Texts with the names of their files.
package struct SpokenLines {
  /// A name without an ending, and a text.
  package struct Line {
    /// The name of its file.
    package var name: String
    /// The text to speak.
    package var text: String
  }

  /// In their order; one at least.
  package private(set) var lines: [Line] = []

  /// Reads a file of lines: `NAME<TAB>TEXT`, or `TEXT`, whose name is the number of the line's text; empty ones are
  /// left out.
  ///
  /// - Throws: `.noInput`; `.badData` for bytes that are not UTF-8, and for names that are not valid for files, come twice or
  ///   have no text.
  ///
  /// Context: control.
  package init(path: String) throws(AuricleError) {
    guard let file = FileIdentity.of(path) else { throw FileIdentity.absence(of: path, .file) }
    if file.kind == .folder {
      throw AuricleError(.noInput, "\(path) is a folder: name a file of lines")
    }
    guard FileManager.default.isReadableFile(atPath: path),
      let data = FileManager.default.contents(atPath: path)
    else { throw AuricleError(.noInput, "\(path) cannot be read: name a file of lines") }
    if let kind = FileBeginning(data) {
      throw AuricleError(.badData, "\(path) has no lines of text, but is \(kind.advice)")
    }
    guard let whole = String(data: data, encoding: .utf8) else {
      throw AuricleError(.badData, "\(path) is no text in UTF-8: store it as such")
    }
    var seen: Set<String> = []
    let blanks = CharacterSet.whitespaces.union(["\u{FEFF}"])
    let texts = whole.split(whereSeparator: \.isNewline)
      .filter { !$0.trimmingCharacters(in: blanks).isEmpty }
      .map { $0.drop { $0.unicodeScalars.allSatisfy(blanks.contains) } }
    let digits = max(3, String(texts.count).count)
    for (index, text) in texts.enumerated() {
      let parts = text.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      let number = String(index + 1)
      let line =
        parts.count == 2
        ? Line(name: parts[0], text: parts[1])
        : Line(name: String(repeating: "0", count: digits - number.count) + number, text: parts[0])
      guard !line.text.isEmpty else {
        throw AuricleError(.badData, "\(path), text \(number): '\(line.name)' has no text")
      }
      guard Self.canName(line.name) else {
        throw AuricleError(
          .badData, "\(path), text \(number): '\(line.name)' cannot be the name of a file")
      }
      guard seen.insert(line.name).inserted else {
        throw AuricleError(
          .badData, "\(path), text \(number): the name '\(line.name)' was used before: change one")
      }
      lines.append(line)
    }
    guard !lines.isEmpty else { throw AuricleError(.badData, "\(path) has no lines to say") }
  }

  /// Whether a file may be called so.
  private static func canName(_ name: String) -> Bool {
    !name.isEmpty && !name.contains("/") && !name.hasPrefix(".") && name.utf8.count <= 200
      && !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
  }
}
