// The little of a C preprocessor that resource sources need: macros without arguments, conditions, comments.
// SPDX-License-Identifier: Apache-2.0

/// The macros that are defined at a place of a resource source.
struct ResourceMacros {
  private var texts: [String: String] = ["TARGET_OS_MAC": "1", "TARGET_OS_OSX": "1"]

  /// The macros that describe a unit.
  private static let unit = [
    "RES_ID", "COMP_TYPE", "COMP_SUBTYPE", "COMP_MANUF", "VERSION", "NAME", "DESCRIPTION",
    "ENTRY_POINT",
  ]

  private static let types = [
    "kAudioUnitType_Effect": "aufx", "kAudioUnitType_MusicEffect": "aumf",
    "kAudioUnitType_MusicDevice": "aumu", "kAudioUnitType_Generator": "augn",
    "kAudioUnitType_Mixer": "aumx", "kAudioUnitType_Panner": "aupn",
    "kAudioUnitType_FormatConverter": "aufc", "kAudioUnitType_OfflineEffect": "auol",
    "kAudioUnitType_Output": "auou", "kAudioUnitType_MIDIProcessor": "aumi",
    "kAudioUnitManufacturer_Apple": "appl",
    "kAudioUnitCarbonViewComponentType": ResourceSource.viewType,
  ]

  /// The lines of a source: comments removed, lines that end in a backslash joined.
  static func lines(of text: String) -> [String] {
    var result = ""
    var rest = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
      .replacing("\\\n", with: " ")[...]
    while let mark = rest.firstIndex(where: { $0 == "/" || $0 == "\"" || $0 == "'" }) {
      result += rest[..<mark]
      rest = rest[mark...]
      if rest.hasPrefix("/*") {
        let end = rest.dropFirst(2).firstRange(of: "*/")
        result += " "
        rest = end.map { rest[$0.upperBound...] } ?? ""
      } else if rest.hasPrefix("//") {
        rest = rest.firstIndex(of: "\n").map { rest[$0...] } ?? ""
      } else {
        let quote = rest.removeFirst()
        result.append(quote)
        guard quote != "/" else { continue }
        let end = rest.firstIndex { $0 == quote || $0 == "\n" } ?? rest.endIndex
        result += rest[..<end]
        rest = rest[end...]
        if rest.first == quote { result.append(rest.removeFirst()) }
      }
    }
    result += rest
    return result.split(separator: "\n").map { String($0).trimmingSpaces }
  }

  mutating func define(_ text: String) {
    let parts = text.split(maxSplits: 1) { $0 == " " || $0 == "\t" }.map(String.init)
    guard let name = parts.first, !name.contains("(") else { return }
    texts[name] = parts.count > 1 ? parts[1].trimmingSpaces : ""
  }

  mutating func undefine(_ name: String) { texts[name] = nil }

  /// Removes the macros of a unit, as AUResources.r does at its end.
  mutating func undefineUnit() { for name in Self.unit { texts[name] = nil } }

  /// The value of a macro: a text or code without its quotation marks, or a number as it is written.
  func value(of name: String) -> String? {
    var text = name
    for _ in 0..<16 {
      if let next = texts[text] { text = next } else { break }
    }
    if let code = Self.types[text] { return code }
    guard let first = text.first else { return nil }
    if first == "'" || first == "\"" {
      // Adjacent texts are one.
      return text.split(separator: first, omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }.joined()
    }
    return first.isNumber ? text : nil
  }

  /// Whether a condition holds; one that cannot be understood does not.
  func holds(_ text: String, as word: String) -> Bool {
    if word == "ifdef" { return texts[text] != nil }
    if word == "ifndef" { return texts[text] == nil }
    if text.hasPrefix("!") { return !holds(String(text.dropFirst()).trimmingSpaces, as: "if") }
    if text.hasPrefix("defined") {
      let name = text.dropFirst("defined".count).filter { !"() \t".contains($0) }
      return texts[name] != nil
    }
    guard let value = value(of: text) else { return false }
    return Int(value) != 0
  }
}

extension String {
  /// Without white space at either end.
  var trimmingSpaces: String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
    let start = drop(while: isSpace)
    return String(start.reversed().drop(while: isSpace).reversed())
  }
}
