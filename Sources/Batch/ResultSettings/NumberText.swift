// Numbers in presets: digits, a decimal point, an exponent; nothing else.
// SPDX-License-Identifier: Apache-2.0

/// Reads the number at the start of a text.
///
/// - Returns: The number and the rest of the text, or `nil` when it does not start with a number.
func scanNumber(_ text: Substring) -> (value: Double, rest: Substring)? {
  let bytes = text.utf8
  var index = bytes.startIndex
  var number = ""
  if index < bytes.endIndex, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+")
  {
    if bytes[index] == UInt8(ascii: "-") { number = "-" }
    bytes.formIndex(after: &index)
  } else if text.hasPrefix("\u{2212}") {
    // The typographic minus sign, as copied from a manual.
    number = "-"
    index = text.index(after: text.startIndex)
  }
  func digits() -> Substring {
    let start = index
    while index < bytes.endIndex, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) {
      bytes.formIndex(after: &index)
    }
    return text[start..<index]
  }
  let whole = digits()
  var fraction: Substring = ""
  if index < bytes.endIndex, bytes[index] == UInt8(ascii: ".") {
    let point = index
    bytes.formIndex(after: &index)
    fraction = digits()
    if fraction.isEmpty { index = point }
  }
  guard !whole.isEmpty || !fraction.isEmpty else { return nil }
  number += (whole.isEmpty ? "0" : whole) + "." + (fraction.isEmpty ? "0" : fraction)
  if index < bytes.endIndex, bytes[index] | 0x20 == UInt8(ascii: "e") {
    let mark = index
    bytes.formIndex(after: &index)
    var sign = ""
    if index < bytes.endIndex,
      bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+")
    {
      sign = String(text[index...].prefix(1))
      bytes.formIndex(after: &index)
    }
    let exponent = digits()
    if exponent.isEmpty { index = mark } else { number += "e" + sign + exponent }
  }
  guard let value = Double(number), value.isFinite else { return nil }
  return (value, text[index...])
}

/// Reads a text that is a number and nothing else.
package func parseNumber(_ text: String) -> Double? {
  guard text.utf8.count <= 400, let number = scanNumber(text[...]), number.rest.isEmpty else {
    return nil
  }
  return number.value
}

/// A number as text: `80`, `0.1`, `-6.5`; no trailing `.0`.
package func plainNumber(_ value: Double) -> String {
  if abs(value) < 1e15, let whole = Int64(exactly: value) { return String(whole) }
  return String(value)
}

/// A parameter's value as text, with the fewest digits that identify the float.
package func plainNumber(_ value: Float) -> String {
  if abs(value) < 1e7, let whole = Int64(exactly: value) { return String(whole) }
  return String(value)
}
