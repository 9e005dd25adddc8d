// The build variables that Xcode expands in an Info.plist: $(NAME), ${NAME}, ${NAME:rfc1034identifier}.
// SPDX-License-Identifier: Apache-2.0

/// Values of build variables.
package struct XcodeVariables: Sendable {
  private var values: [String: String]

  /// Makes the variables that follow from the bundle's name, and defined ones.
  ///
  /// - Parameters:
  ///   - product: The name of the bundle, without `.component`.
  ///   - executable: The name of the binary in it.
  ///   - definitions: Values of the caller's, which win; they may refer to others.
  package init(product: String, executable: String, definitions: [String: String] = [:]) {
    values = [
      "PRODUCT_NAME": product, "TARGET_NAME": product, "TARGETNAME": product,
      "PROJECT_NAME": product, "PROJECT": product, "PROJECTNAME": product,
      "PROJECTNAMEASIDENTIFIER": "$(PRODUCT_NAME:identifier)",
      "FULL_PRODUCT_NAME": "$(WRAPPER_NAME)",
      "WRAPPER_NAME": "$(PRODUCT_NAME).$(WRAPPER_EXTENSION)", "WRAPPER_EXTENSION": "component",
      "CONTENTS_FOLDER_PATH": "$(WRAPPER_NAME)/Contents",
      "EXECUTABLE_NAME": executable, "EXECUTABLE_PREFIX": "", "EXECUTABLE_SUFFIX": "",
      "PRODUCT_MODULE_NAME": "$(PRODUCT_NAME:c99extidentifier)",
      "PRODUCT_BUNDLE_PACKAGE_TYPE": "BNDL", "DEVELOPMENT_LANGUAGE": "en",
      "CURRENT_PROJECT_VERSION": "1", "MARKETING_VERSION": "1.0", "CONFIGURATION": "Release",
      "MACOSX_DEPLOYMENT_TARGET": "12.0",
    ]
    values.merge(definitions) { $1 }
  }

  /// Whether a text has a variable in it.
  package static func areIn(_ text: String) -> Bool { first(in: text[...]) != nil }

  /// A text with the values of its variables. A variable without a value stays, and is named.
  ///
  /// - Parameter missing: The variables without a value are added.
  package func expanding(_ text: String, missing: inout Set<String>) -> String {
    expanding(text[...], missing: &missing, depth: 0)
  }

  private func expanding(
    _ text: Substring, missing: inout Set<String>, depth: Int
  ) -> String {
    var result = ""
    var rest = text
    while let found = Self.first(in: rest) {
      result += rest[..<found.start]
      rest = rest[found.end...]
      let inner = expanding(found.inner, missing: &missing, depth: depth + 1)
      let parts = inner.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      let modifiers = parts.dropFirst()
      let fallback = modifiers.first { $0.hasPrefix("default=") }.map { String($0.dropFirst(8)) }
      guard depth < 16, let value = values[parts[0]] ?? fallback else {
        missing.insert(parts[0])
        result += text[found.start..<found.end]
        continue
      }
      let expanded = expanding(value[...], missing: &missing, depth: depth + 1)
      result += modifiers.reduce(expanded, Self.modified)
    }
    return result + rest
  }

  /// The first variable of a text, with the text between its brackets.
  private static func first(
    in text: Substring
  ) -> (start: String.Index, end: String.Index, inner: Substring)? {
    var place = text.startIndex
    while let dollar = text[place...].firstIndex(of: "$") {
      let open = text.index(after: dollar)
      place = open
      guard open < text.endIndex, text[open] == "(" || text[open] == "{" else { continue }
      let (opening, closing): (Character, Character) = text[open] == "(" ? ("(", ")") : ("{", "}")
      var depth = 0
      for index in text[open...].indices {
        if text[index] == opening { depth += 1 }
        if text[index] == closing { depth -= 1 }
        guard depth == 0 else { continue }
        let inner = text[text.index(after: open)..<index]
        guard inner.first.map({ $0.isLetter || $0 == "_" || $0 == "$" }) == true else { break }
        return (dollar, text.index(after: index), inner)
      }
    }
    return nil
  }

  /// A value as a modifier wants it; one that is not known changes nothing.
  private static func modified(_ value: String, by modifier: String) -> String {
    let isPlain: (Unicode.Scalar) -> Bool = {
      $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
    }
    func replacing(_ other: Character, keeping kept: String) -> String {
      String(
        String.UnicodeScalarView(
          value.unicodeScalars.map {
            isPlain($0) || kept.unicodeScalars.contains($0)
              ? $0 : (other.unicodeScalars.first ?? "_")
          }))
    }
    switch modifier {
    case "rfc1034identifier": return replacing("-", keeping: ".-")
    case "c99extidentifier", "identifier":
      let name = replacing("_", keeping: "_")
      return name.first?.isNumber == true ? "_" + name : name
    case "lower": return value.lowercased()
    case "upper": return value.uppercased()
    case "file": return value.split(separator: "/").last.map(String.init) ?? value
    case "base":
      let name = value.split(separator: "/").last.map(String.init) ?? value
      return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    default: return value
    }
  }
}
