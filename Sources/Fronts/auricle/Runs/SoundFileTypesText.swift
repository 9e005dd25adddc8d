// Which encodings each kind of file can be written with, as text.
// SPDX-License-Identifier: Apache-2.0

import RunReports
import SoundFileReports

/// Lines about kinds of files.
enum SoundFileTypesText {
  static func text(_ types: [SoundFileTypes]) -> String {
    var lines: [String] = []
    for type in types {
      let endings = type.extensions.map { "." + $0 }.joined(separator: " ")
      lines.append("'\(type.code)' \(TerminalText.plain(type.name))  \(endings)")
      for format in type.formats {
        let kinds = format.descriptions.map(\.name).filter { $0 != format.name }
        lines.append("    '\(format.code)' \(format.name)")
        lines += kinds.map { "        \($0)" }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
