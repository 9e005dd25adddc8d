// The door out: a value as an XML or a binary property list.
// SPDX-License-Identifier: Apache-2.0

/// Writes property lists that every other program reads.
public enum PropertyListWriter {
  /// The value as XML, tab-indented, keys in order of their UTF-8.
  ///
  /// - Throws: `PropertyListError` when XML cannot hold the value: a control character in a string,
  ///   an integer of more than 64 bits, a date outside of the years 0 to 9999.
  ///
  /// Context: control.
  /// The corresponding Core Foundation function is `CFPropertyListCreateData`.
  public static func xml(_ value: PropertyListValue) throws(PropertyListError) -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """
    try append(value, indent: "", to: &text)
    return text + "</plist>\n"
  }

  /// The value in the binary form, equal strings and numbers stored once.
  ///
  /// - Throws: `PropertyListError` for an integer of more than 64 bits or a date that is not finite.
  ///
  /// Context: control.
  /// The corresponding Core Foundation function is `CFPropertyListCreateData`.
  public static func binary(_ value: PropertyListValue) throws(PropertyListError) -> [UInt8] {
    var encoder = BinaryPropertyListEncoder()
    return try encoder.encode(value)
  }

  /// Refuses integers that a reader would refuse.
  static func check(_ number: Int128) throws(PropertyListError) {
    guard number >= Int128(Int64.min), number <= Int128(UInt64.max) else {
      throw PropertyListError(.unsupported, "the integer \(number) needs more than 64 bits")
    }
  }

  private static func append(
    _ value: PropertyListValue, indent: String, to text: inout String
  ) throws(PropertyListError) {
    text += indent
    switch value {
    case .dictionary(let entries) where entries.isEmpty: text += "<dict/>"
    case .array(let elements) where elements.isEmpty: text += "<array/>"
    case .dictionary(let entries):
      text += "<dict>\n"
      for (key, value) in entries.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
      {
        text += "\(indent)\t<key>\(try escaped(key))</key>\n"
        try append(value, indent: indent + "\t", to: &text)
      }
      text += indent + "</dict>"
    case .array(let elements):
      text += "<array>\n"
      for element in elements { try append(element, indent: indent + "\t", to: &text) }
      text += indent + "</array>"
    case .string(let string): text += "<string>\(try escaped(string))</string>"
    case .integer(let number):
      try check(number)
      text += "<integer>\(number)</integer>"
    case .real(let number): text += "<real>\(number)</real>"
    case .boolean(let flag): text += flag ? "<true/>" : "<false/>"
    case .data(let bytes):
      text += "<data>\n"
      let digits = Array(encodeBase64(bytes).utf8)
      for start in stride(from: 0, to: digits.count, by: 68) {
        text += indent + String(decoding: digits[start...].prefix(68), as: UTF8.self) + "\n"
      }
      text += indent + "</data>"
    case .date(let seconds):
      guard let date = PropertyListScalars.text(date: seconds) else {
        throw PropertyListError(.unsupported, "the date \(seconds) is out of range")
      }
      text += "<date>\(date)</date>"
    }
    text += "\n"
  }

  private static func escaped(_ string: String) throws(PropertyListError) -> String {
    var result = ""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      // A bare carriage return would be read back as a line feed.
      case "\r": result += "&#13;"
      case "\u{0}"..<"\t", "\u{B}"..<" ", "\u{FFFE}"..."\u{FFFF}":
        throw PropertyListError(
          .unsupported, "XML cannot hold the character \(scalar.escaped(asASCII: true))")
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
