// Names of files as texts: bytes that are no UTF-8 have characters of their own, and come back as they were.
// SPDX-License-Identifier: Apache-2.0

/// Names and paths of files as texts.
///
/// A byte from 0x80 on that is no part of a UTF-8 character becomes U+10FF00 plus the byte. These are the last
/// characters of a plane for private use. Where the name of a file has such a character itself, each of its bytes is written so:
/// every name has one text, and every text yields its bytes again.
package enum FileNameText {
  /// The text of a name. Context: any.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self), !holdsBytes(text) { return text }
    var text = String.UnicodeScalarView()
    var rest = Array(bytes)[...]
    while let first = rest.first {
      let count = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      if let whole = String(validating: rest.prefix(count), as: UTF8.self),
        whole.unicodeScalars.count == 1, !holdsBytes(whole)
      {
        text.append(contentsOf: whole.unicodeScalars)
        rest = rest.dropFirst(count)
      } else {
        text.append(Unicode.Scalar(0x10_FF00 + UInt32(first)) ?? "\u{FFFD}")
        rest = rest.dropFirst()
      }
    }
    return String(text)
  }

  /// The text of a name that ends with a zero byte. Context: any.
  package static func text(cString: UnsafePointer<CChar>) -> String {
    if let text = unsafe String(validatingCString: cString), !holdsBytes(text) { return text }
    var count = 0
    while unsafe cString[count] != 0 { count += 1 }
    return unsafe text(UnsafeRawBufferPointer(start: cString, count: count))
  }

  /// The bytes of a name. Context: any.
  package static func bytes(_ text: String) -> [UInt8] {
    guard holdsBytes(text) else { return Array(text.utf8) }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if let byte = byte(scalar) { bytes.append(byte) } else { bytes += Array(String(scalar).utf8) }
    }
    return bytes
  }

  /// The text as people see it: U+FFFD for each byte that is no text. Context: any.
  package static func shown(_ text: String) -> String {
    guard holdsBytes(text) else { return text }
    return String(
      String.UnicodeScalarView(text.unicodeScalars.map { byte($0) == nil ? $0 : "\u{FFFD}" }))
  }

  /// Whether a text has characters that are bytes. Context: any.
  package static func holdsBytes(_ text: String) -> Bool {
    // The first byte of all characters of the last planes.
    text.utf8.contains(0xF4) && text.unicodeScalars.contains { byte($0) != nil }
  }

  private static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
    scalar.value >= 0x10_FF80 ? UInt8(truncatingIfNeeded: scalar.value) : nil
  }
}

extension String {
  /// Calls `body` with the bytes of a name, ended by a zero byte. Context: any.
  package func withFileName<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    guard FileNameText.holdsBytes(self) else { return unsafe withCString(body) }
    let bytes = FileNameText.bytes(self).map { CChar(bitPattern: $0) } + [0]
    return unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe body($0) } ?? "".withCString(body)
    }
  }
}
