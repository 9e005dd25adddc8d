// Texts as files store them, with zeros behind, in UTF-8 or in Latin letters of a byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads texts of unknown origin.
package enum StoredText {
  /// The text in front of the first zero.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes.prefix { $0 != 0 })
    return String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
