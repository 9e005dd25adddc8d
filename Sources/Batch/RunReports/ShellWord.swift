// Quotes words for a shell.
// SPDX-License-Identifier: Apache-2.0

import HostSystem

/// Words of a command line.
package enum ShellWord {
  /// A word quoted for a shell, on one line; a name that begins with `-` is not read as an option.
  package static func quoted(_ word: String) -> String {
    if word.hasPrefix("-") { return quoted("./" + word) }
    if FileNameText.holdsBytes(word)
      || word.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    {
      return escaped(word)
    }
    let plain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xFF:
        true
      default: "_-./+:,@%=".utf8.contains(byte)
      }
    }
    if plain, !word.isEmpty { return word }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// `$'a\nb'`, with control characters, and bytes that are no text, written out.
  private static func escaped(_ word: String) -> String {
    var text = ""
    for scalar in word.unicodeScalars {
      switch scalar {
      case "'", "\\": text += "\\" + String(scalar)
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case _
      where scalar.properties.generalCategory == .control
        || FileNameText.holdsBytes(String(scalar)):
        for byte in FileNameText.bytes(String(scalar)) {
          text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
      default: text.unicodeScalars.append(scalar)
      }
    }
    return "$'\(text)'"
  }
}
