// Which file a path leads to, so that one file under two names is seen as one.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Glibc

/// The file or folder a path leads to, links followed.
struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var inode: UInt64

  /// What a path leads to, with its kind; nil when there is nothing.
  static func of(
    _ path: String
  ) -> (identity: FileIdentity, kind: Kind, stamp: FileStamp, linkCount: Int)? {
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
      FileStamp(
        byteCount: Int(status.st_size),
        modified: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)),
      Int(status.st_nlink)
    )
  }

  /// A path without links and detours; nil when it leads nowhere.
  static func realPath(_ path: String) -> String? {
    guard let full = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(full) }
    return unsafe String(cString: full)
  }

  /// Why a path cannot be looked at: mostly that there is no `what` of its name.
  static func absence(of path: String, _ what: String) -> AuricleError {
    var status = stat()
    guard unsafe stat(path, &status) != 0, errno != ENOENT, errno != ENOTDIR else {
      return AuricleError(.noInput, "there is no \(what) \(path)")
    }
    return systemError(errno, "read", path)
  }

  /// Whether something has that name, a link that leads nowhere included.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Whether a name is a link.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
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
    return folder.utf8.last == slash ? folder + name : folder + "/" + name
  }

  // Names may begin with what joins a slash to one character, and two names that look alike may be
  // two names: paths are taken apart and compared by their bytes.

  /// Whether a path begins at the root.
  static func isFromRoot(_ path: String) -> Bool { path.utf8.first == slash }

  /// The parts of a path between its slashes; those that are empty only where asked for.
  static func components(_ path: String, keepingEmpty: Bool = false) -> [String] {
    path.utf8.split(separator: slash, omittingEmptySubsequences: !keepingEmpty)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// What of a path lies below a folder, as both are written; nil when it does not.
  static func below(_ folder: String, _ path: String) -> String? {
    let prefix = joining(folder, "").utf8
    guard path.utf8.starts(with: prefix) else { return nil }
    return String(decoding: path.utf8.dropFirst(prefix.count), as: UTF8.self)
  }

  /// Whether two paths are the same, byte for byte.
  static func isSame(_ first: String, _ second: String) -> Bool {
    first.utf8.elementsEqual(second.utf8)
  }

  private static let slash = UInt8(ascii: "/")

  /// The part after the last slash.
  static func lastComponent(_ path: String) -> String {
    guard let place = path.utf8.lastIndex(of: slash) else { return path }
    return String(decoding: path.utf8[path.utf8.index(after: place)...], as: UTF8.self)
  }

  /// The part before the last slash: "." when there is none, "/" for what stands in the root.
  static func folder(of path: String) -> String {
    guard let place = path.utf8.lastIndex(of: slash) else { return "." }
    if place == path.utf8.startIndex { return "/" }
    return String(decoding: path.utf8[..<place], as: UTF8.self)
  }

  /// The letters after the last dot of a name, in lower case; empty for none and for `.hidden`.
  static func fileExtension(of path: String) -> String {
    extensionAsWritten(of: path).lowercased()
  }

  /// The letters after the last dot of a name; empty for none and for `.hidden`.
  static func extensionAsWritten(of path: String) -> String {
    let name = lastComponent(path)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.utf8.startIndex else {
      return ""
    }
    return String(decoding: name.utf8[name.utf8.index(after: dot)...], as: UTF8.self)
  }

  /// The path without its extension, and the dot before it.
  static func withoutExtension(_ path: String) -> String {
    let own = extensionAsWritten(of: path).utf8.count
    guard own > 0 else { return path }
    return String(decoding: path.utf8.dropLast(own + 1), as: UTF8.self)
  }

  /// Without slashes at the end (the root stays).
  static func trimmed(_ path: String) -> String {
    var text = path.utf8[...]
    while text.count > 1, text.last == slash { text = text.dropLast() }
    return String(decoding: text, as: UTF8.self)
  }

  /// The text of an errno value.
  static func reason(_ code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
