// JSON as text: sorted keys, one spelling of every number, compact or indented.
// SPDX-License-Identifier: Apache-2.0

/// A JSON value to be written.
enum JSONValue: Equatable {
  case string(String)
  case number(Double)
  case boolean(Bool)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The canonical text: keys sorted by their scalars, no white space, shortest numbers.
  var compactText: String { text(indentation: nil) }

  /// The same with one value a line, indented by two spaces.
  var indentedText: String { text(indentation: 0) }

  private func text(indentation: Int?) -> String {
    switch self {
    case .string(let string): return Self.quote(string)
    case .number(let number): return plainNumber(number)
    case .boolean(let boolean): return boolean ? "true" : "false"
    case .array(let items):
      let isFlat = items.allSatisfy { !$0.isCollection }
      let inner = isFlat ? nil : indentation.map { $0 + 1 }
      return Self.join(
        items.map { $0.text(indentation: inner) }, "[", "]", inner,
        separator: indentation == nil ? "," : ", ")
    case .object(let members):
      let inner = indentation.map { $0 + 1 }
      let colon = indentation == nil ? ":" : ": "
      let lines = members.keys.sorted(by: Self.isBefore).map { key in
        Self.quote(key) + colon + (members[key]?.text(indentation: inner) ?? "null")
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

  /// Which brackets of a text would count as levels of the document where it is read again: see `nestingRefusal`.
  ///
  /// Texts whose brackets are in pairs, like `[live] {take 2}`, stay as they are.
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
