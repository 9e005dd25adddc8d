// Templates, filled in: names between at signs become their values.
// SPDX-License-Identifier: Apache-2.0

/// Fills in templates. Context: any.
enum TemplateText {
  /// The text with the values of the names that it has between at signs; other at signs stay.
  static func filled(_ text: String, _ values: [String: String]) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "@") {
      result += rest[..<start]
      let after = rest.index(after: start)
      let name = rest[after...].prefix { $0.isUppercase }
      if name.endIndex < rest.endIndex, rest[name.endIndex] == "@", let value = values[String(name)]
      {
        result += value
        rest = rest[rest.index(after: name.endIndex)...]
      } else {
        result += "@"
        rest = rest[after...]
      }
    }
    return result + rest
  }
}
