// Paths as text: split, joined and compared by their bytes.
// SPDX-License-Identifier: Apache-2.0

/// Paths as text.
package enum Path {
  /// `folder/name`, without a doubled slash; `name` alone for an empty folder.
  package static func joining(_ folder: String, _ name: String) -> String {
    if folder.isEmpty { return name }
    return folder.utf8.last == slash ? folder + name : folder + "/" + name
  }

  // Names may begin with a mark that joins a slash to one character, and two names that appear
  // alike may be two names: paths are split and compared by their bytes.

  /// Whether a path begins at the root.
  package static func isFromRoot(_ path: String) -> Bool { path.utf8.first == slash }

  /// The parts of a path between its slashes; empty ones only on request.
  package static func components(_ path: String, keepingEmpty: Bool = false) -> [String] {
    path.utf8.split(separator: slash, omittingEmptySubsequences: !keepingEmpty)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The part of a path below a folder, as both are written; nil when it does not lie there.
  package static func below(_ folder: String, _ path: String) -> String? {
    let prefix = joining(folder, "").utf8
    guard path.utf8.starts(with: prefix) else { return nil }
    return String(decoding: path.utf8.dropFirst(prefix.count), as: UTF8.self)
  }

  /// Whether two paths are the same, byte for byte.
  package static func isSame(_ first: String, _ second: String) -> Bool {
    first.utf8.elementsEqual(second.utf8)
  }

  private static let slash = UInt8(ascii: "/")

  /// The part after the last slash.
  package static func lastComponent(_ path: String) -> String {
    guard let place = path.utf8.lastIndex(of: slash) else { return path }
    return String(decoding: path.utf8[path.utf8.index(after: place)...], as: UTF8.self)
  }

  /// The part before the last slash: "." when there is none, "/" for an entry of the root.
  package static func folder(of path: String) -> String {
    guard let place = path.utf8.lastIndex(of: slash) else { return "." }
    if place == path.utf8.startIndex { return "/" }
    return String(decoding: path.utf8[..<place], as: UTF8.self)
  }

  /// The letters after the last dot of a name, in lower case; empty for none and for `.hidden`.
  package static func fileExtension(of path: String) -> String {
    extensionAsWritten(of: path).lowercased()
  }

  /// The letters after the last dot of a name; empty for none and for `.hidden`.
  package static func extensionAsWritten(of path: String) -> String {
    let name = lastComponent(path)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.utf8.startIndex else {
      return ""
    }
    return String(decoding: name.utf8[name.utf8.index(after: dot)...], as: UTF8.self)
  }

  /// The path without its extension, and the dot before it.
  package static func withoutExtension(_ path: String) -> String {
    let own = extensionAsWritten(of: path).utf8.count
    guard own > 0 else { return path }
    return String(decoding: path.utf8.dropLast(own + 1), as: UTF8.self)
  }

  /// Without slashes at the end (the root stays).
  package static func trimmed(_ path: String) -> String {
    var text = path.utf8[...]
    while text.count > 1, text.last == slash { text = text.dropLast() }
    return String(decoding: text, as: UTF8.self)
  }
}
