// JSON as canonical text: sorted keys, one spelling of every number, compact or indented.
// SPDX-License-Identifier: Apache-2.0

package import HostSystem

extension JSONValue {
  /// An object of these members.
  package static func object(members: [String: JSONValue]) -> JSONValue {
    .object(members.map { Member($0.key, $0.value) })
  }

  /// The members of an object by their names; nil for anything else.
  package var membersByName: [String: JSONValue]? {
    members.map { Dictionary($0.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }) }
  }

  /// The canonical text: keys sorted by their scalars, no white space, shortest numbers.
  package var canonicalText: String { canonicalText(indentation: nil) }

  /// The same with one value a line, indented by two spaces.
  package var indentedCanonicalText: String { canonicalText(indentation: 0) }

  private func canonicalText(indentation: Int?) -> String {
    switch self {
    case .null: return "null"
    case .string(let string): return Self.quote(string)
    case .integer(let number): return String(number)
    case .number(let number): return plainNumber(number)
    case .boolean(let boolean): return boolean ? "true" : "false"
    case .array(let items):
      let isFlat = items.allSatisfy { !$0.isCollection }
      let inner = isFlat ? nil : indentation.map { $0 + 1 }
      return Self.join(
        items.map { $0.canonicalText(indentation: inner) }, "[", "]", inner,
        separator: indentation == nil ? "," : ", ")
    case .object(let members):
      let inner = indentation.map { $0 + 1 }
      let colon = indentation == nil ? ":" : ": "
      let lines = members.sorted { Self.isBefore($0.key, $1.key) }.map { member in
        Self.quote(member.key) + colon + member.value.canonicalText(indentation: inner)
      }
      return Self.join(lines, "{", "}", inner, separator: ",")
    }
  }

  private var isCollection: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }

  private static func join(
    _ items: [String], _ open: String, _ close: String, _ inner: Int?, separator: String
  ) -> String {
    guard let inner, !items.isEmpty else {
      return open + items.joined(separator: separator) + close
    }
    let pad = String(repeating: "  ", count: inner)
    let outerPad = String(repeating: "  ", count: inner - 1)
    return "\(open)\n" + items.map { pad + $0 }.joined(separator: ",\n") + "\n\(outerPad)\(close)"
  }

  private static func isBefore(_ left: String, _ right: String) -> Bool {
    left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
  }

  private static func quote(_ text: String) -> String {
    var result = "\""
    let escaped = bracketsToEscape(text)
    for (index, scalar) in text.unicodeScalars.enumerated() {
      switch scalar {
      case _ where escaped.contains(index): result += "\\u" + hexadecimal(scalar.value, width: 4)
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      default:
        if scalar.value < 0x20 || scalar.value == 0x7F || isLineBreak(scalar) {
          result += "\\u" + hexadecimal(scalar.value, width: 4)
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }

  /// The brackets of a text that would count as nesting when it is read again: see `nestingRefusal`.
  ///
  /// Texts with balanced brackets, like `[live] {take 2}`, stay as they are.
  private static func bracketsToEscape(_ text: String) -> Set<Int> {
    var openings: [Int] = []
    var depth = 0
    var deepest = 0
    var lastClosing: Int?
    var escaped: Set<Int> = []
    for (index, scalar) in text.unicodeScalars.enumerated() {
      switch scalar {
      case "[", "{":
        openings.append(index)
        depth += 1
        deepest = max(deepest, depth)
        lastClosing = nil
      case "]", "}":
        depth = max(0, depth - 1)
        lastClosing = index
      case ":":
        if let lastClosing { escaped.insert(lastClosing) }
        lastClosing = nil
      case " ", "\t", "\n": break
      default: lastClosing = nil
      }
    }
    if depth > 0 || deepest > 2 { escaped.formUnion(openings) }
    return escaped
  }
}

/// Whether YAML treats a character as a line break.
package func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: true
  default: false
  }
}

/// A number in hexadecimal, upper case, with leading zeros up to a width.
package func hexadecimal(_ value: some BinaryInteger, width: Int = 2) -> String {
  let digits = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
