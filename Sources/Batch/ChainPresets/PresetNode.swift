// The tree of a preset's text: scalars, sequences and mappings with positions.
// SPDX-License-Identifier: Apache-2.0

import ResultSettings

/// A value in a preset's text and where it starts.
struct PresetNode {
  /// The content of a node.
  indirect enum Content {
    /// A text; plain when it was written without quotes.
    case scalar(text: String, isPlain: Bool)
    case sequence([PresetNode])
    case mapping([(key: Located<String>, value: PresetNode)])
  }

  var content: Content
  var position: SourcePosition

  /// The kind of the value, for messages: "a list", "text", "nothing".
  var kindName: String {
    switch content {
    case .sequence: "a list"
    case .mapping: "a mapping"
    case .scalar(let text, let isPlain):
      if !isPlain {
        "text"
      } else if isNullWord(text) {
        "nothing"
      } else if text == "true" || text == "false" {
        "a boolean"
      } else if parseNumber(text) != nil {
        "a number"
      } else {
        "text"
      }
    }
  }
}

/// Whether a plain word means null.
func isNullWord(_ text: String) -> Bool {
  text.isEmpty || text == "~" || ["null", "Null", "NULL"].contains(text)
}

/// The message for a key without a value, or with a word that YAML reads as null.
func noValue(key: String, _ word: String) -> String {
  let text = "\(quoted(key)) has no value"
  return word.isEmpty ? text : text + "; \(quoted(word)) is read as none: put it in quotes"
}

/// Whether other YAML readers parse a plain word as a boolean though it is not `true` or `false`.
func isForeignBoolean(_ text: String) -> Bool {
  guard text.utf8.count <= 5, text != "true", text != "false" else { return false }
  return ["yes", "no", "on", "off", "y", "n", "true", "false"].contains(text.lowercased())
}
