// Names as plug-ins write them, tidied for one line.
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Text from a plug-in, tidied.
package enum PlugInText {
  /// One line without control characters or doubled blanks, at most `limit` characters.
  package static func line(_ text: String, limit: Int = 120) -> String {
    var result = ""
    var count = 0
    var isBlank = false
    for scalar in text.unicodeScalars {
      if scalar.value <= 0x20 || (0x7f...0xa0).contains(scalar.value) {
        isBlank = true
        continue
      }
      if isBlank, !result.isEmpty {
        result.unicodeScalars.append(" ")
        count += 1
      }
      isBlank = false
      if count >= limit { return result + "…" }
      result.unicodeScalars.append(scalar)
      count += 1
    }
    return result
  }

  /// A maker's name without a mail address and without ": ", which separates maker and unit.
  package static func maker(_ text: String) -> String {
    var name = line(text, limit: 80)
    if let bracket = name.firstIndex(of: "<"), bracket > name.startIndex {
      name = String(name[..<bracket])
    }
    name = String(name.split(separator: ":", omittingEmptySubsequences: true).joined(separator: ""))
    return line(name)
  }

  /// The text of bytes: UTF-8, or ISO-8859-1 where they are none.
  package static func decoded(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// The text at an address, at most 4,095 bytes of it; empty for none.
  package static func of(_ text: UnsafePointer<CChar>?) -> String {
    guard let text = unsafe text else { return "" }
    let count = unsafe strnlen(text, 4095)
    return unsafe text.withMemoryRebound(to: UInt8.self, capacity: count) {
      unsafe decoded(UnsafeBufferPointer(start: $0, count: count))
    }
  }
}
