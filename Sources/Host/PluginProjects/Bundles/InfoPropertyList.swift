// An Info.plist as a host can read it: variables expanded, the AudioComponents checked.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import PropertyLists

/// The property list of a bundle.
package struct InfoPropertyList: Sendable {
  /// All of it.
  package private(set) var value: PropertyListValue

  /// Expands the variables of a list, and writes its entries as hosts read them.
  ///
  /// - Parameters:
  ///   - source: The list of an author or of Xcode.
  ///   - name: The file it was read from, for messages.
  /// - Throws: `.badData` with every variable that has no value, or with the missing keys of an entry.
  ///
  /// Context: any.
  package init(
    _ source: PropertyListValue, variables: XcodeVariables, name: String
  ) throws(AuricleError) {
    var missing: [String: Set<String>] = [:]
    value = Self.expanded(source, at: "", variables, &missing)
    guard missing.isEmpty else {
      let list = missing.sorted { $0.key < $1.key }.map { variable, keys in
        "\(variable) (in \(keys.sorted().joined(separator: ", ")))"
      }
      let example = missing.keys.sorted()[0]
      throw AuricleError(
        .badData,
        "\(name) has variables without a value: \(list.joined(separator: ", ")); give each one with "
          + "--define, as in --define \(example)=…")
    }
    guard var entries = value.dictionaryValue else {
      throw AuricleError(.badData, "\(name) is \(value.kindName), not a dictionary")
    }
    guard let components = entries["AudioComponents"]?.arrayValue, !components.isEmpty else {
      throw AuricleError(
        .badData,
        "\(name) has no AudioComponents, which a host finds units by: add an array with an entry for "
          + "each unit, or read a resource source with --from-r")
    }
    var read: [PropertyListValue] = []
    for (index, component) in components.enumerated() {
      do throws(AuricleError) {
        read.append(.dictionary(try Self.entry(component)))
      } catch {
        throw error.saying("\(name): entry \(index + 1) of AudioComponents \(error.message)")
      }
    }
    entries["AudioComponents"] = .array(read)
    value = .dictionary(entries)
  }

  /// The name of the binary in the bundle.
  package var executable: String? { value["CFBundleExecutable"]?.stringValue }

  /// The factory functions of its entries.
  var factoryFunctions: [String] {
    (value["AudioComponents"]?.arrayValue ?? []).compactMap { $0["factoryFunction"]?.stringValue }
  }

  private static func expanded(
    _ value: PropertyListValue, at key: String, _ variables: XcodeVariables,
    _ missing: inout [String: Set<String>]
  ) -> PropertyListValue {
    switch value {
    case .dictionary(let entries):
      var result: [String: PropertyListValue] = [:]
      for (name, entry) in entries { result[name] = expanded(entry, at: name, variables, &missing) }
      return .dictionary(result)
    case .array(let elements):
      return .array(elements.map { expanded($0, at: key, variables, &missing) })
    case .string(let text):
      var unknown: Set<String> = []
      let result = variables.expanding(text, missing: &unknown)
      for name in unknown { missing[name, default: []].insert(key) }
      return .string(result)
    default: return value
    }
  }

  /// An entry with its version as a number and its flags as booleans, which Xcode also writes as text.
  private static func entry(
    _ value: PropertyListValue
  ) throws(AuricleError) -> [String: PropertyListValue] {
    guard var entry = value.dictionaryValue else {
      throw AuricleError(.badData, "is \(value.kindName), not a dictionary")
    }
    for key in ["type", "subtype", "manufacturer"] {
      let text = entry[key]?.stringValue
      guard entry[key]?.integerValue != nil || text.map({ FourCharacterCode($0) != nil }) == true
      else {
        throw AuricleError(
          .badData,
          text.map { "has the \(key) '\($0)', which must be four ASCII characters" }
            ?? "has no \(key): write four ASCII characters")
      }
    }
    for key in ["name", "factoryFunction"] where entry[key]?.stringValue?.isEmpty != false {
      throw AuricleError(.badData, "has no \(key)")
    }
    if let text = entry["version"]?.stringValue {
      guard let number = version(text) else {
        throw AuricleError(
          .badData, "has the version '\(text)', which must be a number or like 1.2.3")
      }
      entry["version"] = .integer(Int128(number))
    }
    if let text = entry["sandboxSafe"]?.stringValue {
      entry["sandboxSafe"] = .boolean(["yes", "true", "1"].contains(text.lowercased()))
    }
    return entry
  }

  /// A version as the number 0xMMMMmmbb: of `66051`, `0x10203` or `1.2.3`.
  package static func version(_ text: String) -> UInt32? {
    if let number = UInt32(text) { return number }
    if text.lowercased().hasPrefix("0x") { return UInt32(text.dropFirst(2), radix: 16) }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt32($0) }
    guard (2...3).contains(parts.count), let major = parts[0], major <= 0xFFFF,
      parts.dropFirst().allSatisfy({ $0.map { $0 <= 0xFF } == true })
    else { return nil }
    let minor = parts[1] ?? 0
    let bugfix = parts.count > 2 ? parts[2] ?? 0 : 0
    return major << 16 | minor << 8 | bugfix
  }
}
