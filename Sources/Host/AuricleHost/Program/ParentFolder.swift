// The folder that a path names something in.
// SPDX-License-Identifier: Apache-2.0

/// The part of a path before its last name, taken apart by bytes: `NSString`'s
/// `deletingLastPathComponent` stops the program at a path of a single character.
enum ParentFolder {
  /// The folder of a path, slashes at its end left aside: `.` where it is a name alone, `/` in the
  /// root and of the root.
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
