// Component Manager resource sources (.r): the units that they declare, as entries of AudioComponents.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import HostSystem
package import PropertyLists

/// The units of a `.r` file: the macros (COMP_TYPE, COMP_SUBTYPE, COMP_MANUF, NAME, VERSION, DESCRIPTION,
/// ENTRY_POINT) at each place where it includes AUResources.r.
package struct ResourceSource: Sendable {
  /// An entry of AudioComponents for each unit; the factory function of `XEntry` is `XFactory`.
  package private(set) var components: [[String: PropertyListValue]] = []

  /// The type of a component that is a view in Carbon, and no unit.
  static let viewType = "auvw"

  /// Reads a file, and the files that it includes from its folder.
  ///
  /// - Throws: `.noInput` when it cannot be read; `.badData` with the missing macros of a unit.
  ///
  /// Context: control.
  package init(path: String) throws(AuricleError) {
    var macros = ResourceMacros()
    try read(path, &macros, depth: 0)
    guard !components.isEmpty else {
      throw AuricleError(
        .badData,
        "\(path) declares no unit: it must define COMP_TYPE, COMP_SUBTYPE, COMP_MANUF, NAME and "
          + "ENTRY_POINT, and include AUResources.r")
    }
  }

  private mutating func read(
    _ path: String, _ macros: inout ResourceMacros, depth: Int
  ) throws(AuricleError) {
    // Whether the lines count, for each condition that is open; and whether one of its branches did.
    var conditions: [(isOn: Bool, wasOn: Bool)] = []
    for line in ResourceMacros.lines(of: try TextFile.read(path)) where line.hasPrefix("#") {
      let words = line.dropFirst().split(maxSplits: 1) { $0 == " " || $0 == "\t" }.map(String.init)
      guard let word = words.first else { continue }
      let rest = words.count > 1 ? words[1].trimmingSpaces : ""
      let isOn = conditions.allSatisfy(\.isOn)
      switch word {
      case "if", "ifdef", "ifndef":
        let holds = macros.holds(rest, as: word)
        conditions.append((holds, holds))
      case "elif", "else":
        guard let last = conditions.last else { continue }
        let holds = !last.wasOn && (word == "else" || macros.holds(rest, as: "if"))
        conditions[conditions.count - 1] = (holds, last.wasOn || holds)
      case "endif": _ = conditions.popLast()
      case "define" where isOn: macros.define(rest)
      case "undef" where isOn: macros.undefine(rest)
      case "include" where isOn: try include(rest, from: path, &macros, depth: depth)
      default: continue
      }
    }
  }

  private mutating func include(
    _ text: String, from path: String, _ macros: inout ResourceMacros, depth: Int
  ) throws(AuricleError) {
    let name = text.filter { !"\"<>".contains($0) }.trimmingSpaces
    if Path.lastComponent(name) == "AUResources.r" {
      if macros.value(of: "COMP_TYPE") != Self.viewType {
        components.append(try Self.component(macros, in: path))
      }
      return macros.undefineUnit()
    }
    let file = Path.joining(Path.folder(of: path), name)
    guard depth < 16, !text.hasPrefix("<"), FileIdentity.of(file) != nil else { return }
    try read(file, &macros, depth: depth + 1)
  }

  private static func component(
    _ macros: ResourceMacros, in path: String
  ) throws(AuricleError) -> [String: PropertyListValue] {
    func value(_ name: String) throws(AuricleError) -> String {
      guard let text = macros.value(of: name) else {
        throw AuricleError(
          .badData,
          "\(path) does not define \(name) of a unit, or defines it by a name that no file "
            + "beside it defines")
      }
      return text
    }
    var entry: [String: PropertyListValue] = [:]
    for (key, name) in [
      ("type", "COMP_TYPE"), ("subtype", "COMP_SUBTYPE"), ("manufacturer", "COMP_MANUF"),
    ] {
      let text = try value(name)
      guard FourCharacterCode(text) != nil else {
        throw AuricleError(
          .badData, "\(path): \(name) is '\(text)', which is not four ASCII characters")
      }
      entry[key] = .string(text)
    }
    let point = try value("ENTRY_POINT")
    let stem = point.hasSuffix("Entry") ? String(point.dropLast("Entry".count)) : point
    entry["factoryFunction"] = .string(stem + "Factory")
    entry["name"] = .string(try value("NAME"))
    if let text = macros.value(of: "DESCRIPTION") { entry["description"] = .string(text) }
    let version = macros.value(of: "VERSION").flatMap(InfoPropertyList.version)
    entry["version"] = .integer(Int128(version ?? 0x10000))
    return entry
  }
}
