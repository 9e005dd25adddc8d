// Which file a path leads to, so that one file under two names is seen as one.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The file or folder a path leads to, links followed.
struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var inode: UInt64

  /// What a path leads to, with its kind and the number of its names; nil when there is nothing.
  static func of(
    _ path: String
  ) -> (identity: FileIdentity, kind: Kind, size: Int64, nameCount: Int)? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    let kind: Kind =
      switch status.st_mode & S_IFMT {
      case S_IFDIR: .folder
      case S_IFREG: .file
      default: .other
      }
    return (
      FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)), kind,
      Int64(status.st_size), Int(status.st_nlink)
    )
  }

  /// The path from the root without links; nil when it leads to nothing.
  static func realPath(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  /// Whether something has that name, a link that leads nowhere included.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  enum Kind: Sendable {
    case file
    case folder
    case other
  }
}

/// Paths as text.
enum Path {
  /// `folder/name`, without a doubled slash; `name` alone for an empty folder.
  static func joining(_ folder: String, _ name: String) -> String {
    if folder.isEmpty { return name }
    return folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// The part after the last slash.
  static func lastComponent(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.index(after: slash)...])
  }

  /// The part before the last slash: "." when there is none, "/" for what stands in the root.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The letters after the last dot of a name, in lower case; empty for none and for `.hidden`.
  static func fileExtension(of path: String) -> String {
    extensionAsWritten(of: path).lowercased()
  }

  /// The letters after the last dot of a name; empty for none and for `.hidden`.
  static func extensionAsWritten(of path: String) -> String {
    let name = lastComponent(path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return String(name[name.index(after: dot)...])
  }

  /// The path with another extension, or with this one added where there was none.
  static func replacingExtension(of path: String, with new: String) -> String {
    let old = fileExtension(of: path)
    if old == new.lowercased() { return path }
    let stem = old.isEmpty ? path : String(path.dropLast(old.count + 1))
    return stem + "." + new
  }

  /// Without slashes at the end (the root stays).
  static func trimmed(_ path: String) -> String {
    var text = path[...]
    while text.utf8.count > 1, text.hasSuffix("/") { text = text.dropLast() }
    return String(text)
  }

  /// The text of an errno value.
  static func reason(_ code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
