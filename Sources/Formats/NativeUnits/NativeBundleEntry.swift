// One entry of AudioComponents in an Info.plist, checked.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import PropertyLists

/// One unit that a bundle declares.
struct NativeBundleEntry {
  let description: AudioComponentDescription
  let name: String
  let version: UInt32
  let factoryFunction: String
  let tags: [String]
  let summary: String

  /// Checks one entry; the error is a clause that names the key.
  init(_ value: PropertyListValue) throws(NativeBundle.Problem) {
    guard value.dictionaryValue != nil else {
      throw NativeBundle.Problem("it is \(value.kindName), not a dictionary")
    }
    var description = AudioComponentDescription(
      type: try Self.code("type", of: value), subtype: try Self.code("subtype", of: value),
      manufacturer: try Self.code("manufacturer", of: value))
    if value["sandboxSafe"]?.booleanValue == true {
      description.componentFlags = UInt32(kAudioComponentFlag_SandboxSafe)
    }
    self.description = description
    name = try Self.line("name", of: value)
    factoryFunction = try Self.line("factoryFunction", of: value)
    guard factoryFunction.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw NativeBundle.Problem("its factoryFunction \"\(factoryFunction)\" cannot be a symbol")
    }
    version = try Self.version(of: value)
    tags = (value["tags"]?.arrayValue ?? []).compactMap { $0.stringValue.map(Self.plain) }
    summary = value["description"]?.stringValue.map(Self.plain) ?? ""
  }

  /// Returns a code of four characters or a number.
  private static func code(
    _ key: String, of value: PropertyListValue
  ) throws(NativeBundle.Problem) -> FourCharacterCode {
    guard let field = value[key] else { throw NativeBundle.Problem("it has no \(key)") }
    try refuseVariables(in: field, of: key)
    let code: FourCharacterCode? =
      switch field {
      case .string(let text): FourCharacterCode(text)
      case .integer(let number): UInt32(exactly: number).map(FourCharacterCode.init(rawValue:))
      default: nil
      }
    guard let code, code.rawValue != 0 else {
      let shown =
        switch field {
        case .string(let text): "\"\(plain(text))\""
        case .integer(let number): "\(number)"
        default: field.kindName
        }
      throw NativeBundle.Problem(
        "its \(key) is \(shown), but must be four ASCII characters or a number of 32 bits other "
          + "than 0")
    }
    return code
  }

  /// A string that must be there and fit on a line.
  private static func line(
    _ key: String, of value: PropertyListValue
  ) throws(NativeBundle.Problem) -> String {
    guard let field = value[key] else { throw NativeBundle.Problem("it has no \(key)") }
    guard let text = field.stringValue else {
      throw NativeBundle.Problem("its \(key) is \(field.kindName), not a string")
    }
    try refuseVariables(in: field, of: key)
    guard !text.isEmpty, text.utf8.count <= 512, text == plain(text) else {
      throw NativeBundle.Problem(
        "its \(key) must be one line of 1 to 512 bytes, without control characters")
    }
    return text
  }

  /// Refuses variables for which Xcode would have set values.
  static func refuseVariables(
    in field: PropertyListValue, of key: String
  ) throws(NativeBundle.Problem) {
    guard let text = field.stringValue, let variable = variable(in: text) else { return }
    throw NativeBundle.Problem(
      "its \(key) still holds the build variable \(plain(String(variable))): make the bundle "
        + "with auricle plugin bundle, which expands it")
  }

  /// The first `$(NAME…)` or `${NAME…}` of a text.
  private static func variable(in text: String) -> Substring? {
    guard text.utf8.contains(UInt8(ascii: "$")) else { return nil }
    var rest = text[...]
    var missing: Set<Character> = []
    while let place = rest.firstIndex(of: "$") {
      let found = rest[place...]
      rest = found.dropFirst()
      let inside = rest.dropFirst()
      guard let opening = rest.first, opening == "(" || opening == "{",
        let letter = inside.first, letter == "_" || letter.isASCII && letter.isLetter
      else { continue }
      let ending: Character = opening == "(" ? ")" : "}"
      guard !missing.contains(ending) else { continue }
      if let end = inside.firstIndex(of: ending) { return found[...end] }
      // Nor is there one further behind.
      missing.insert(ending)
    }
    return nil
  }

  private static func version(of value: PropertyListValue) throws(NativeBundle.Problem) -> UInt32 {
    guard let field = value["version"] else { return 0 }
    let number: UInt32? =
      switch field {
      case .integer(let number): UInt32(exactly: number)
      case .real(let number): UInt32(exactly: number)
      default: nil
      }
    guard let version = number else {
      throw NativeBundle.Problem("its version must be a whole number of 32 bits: 65536 is 1.0.0")
    }
    return version
  }

  /// The text on one line, without characters that steer a terminal, and not endless.
  private static func plain(_ text: String) -> String {
    if text.utf8.count <= 4096, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(4096) {
      let isControl = scalar.properties.generalCategory == .control
      result.append(isControl ? " " : scalar)
    }
    return String(result)
  }
}
