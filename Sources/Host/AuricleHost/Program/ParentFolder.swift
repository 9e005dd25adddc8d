// The parent folder of a path.
// SPDX-License-Identifier: Apache-2.0

/// Splits paths by bytes: `NSString`'s `deletingLastPathComponent` traps at a path of a single character.
enum ParentFolder {
  /// The parent folder of a path without trailing slashes: `.` for a name alone, `/` in the root and of the
  /// root.
  static func of(_ path: String) -> String {
    let slash = UInt8(ascii: "/")
    var bytes = path.utf8[...]
    while bytes.last == slash { bytes = bytes.dropLast() }
    guard let place = bytes.lastIndex(of: slash) else {
      return bytes.isEmpty && !path.isEmpty ? "/" : "."
    }
    bytes = bytes[..<place]
    while bytes.last == slash { bytes = bytes.dropLast() }
    return bytes.isEmpty ? "/" : String(decoding: bytes, as: UTF8.self)
  }
}
