// The folders that the command line names: files below them, and nothing else, are read and written.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import HostSystem

/// Files of pages by references: the number of a folder and a path below it.
struct AllowedFolders: Sendable {
  /// The folders with all their links followed.
  let paths: [String]

  /// - Throws: `.noInput` for a folder that is not there.
  init(_ folders: [String]) throws(AuricleError) {
    paths = try folders.map { folder throws(AuricleError) in
      guard FileIdentity.of(folder)?.kind == .folder, let real = FileIdentity.realPath(folder)
      else {
        throw FileIdentity.exists(folder)
          ? AuricleError(.noInput, "\(folder) is a file: name a folder")
          : FileIdentity.absence(of: folder, .folder)
      }
      return real
    }
  }

  /// The path of a reference.
  ///
  /// - Parameter mayBeNew: Whether the file may be missing: then its folder must be there.
  /// - Throws: `.forbidden` for a path out of the folders, `.notFound` for a missing file.
  func path(_ reference: String, mayBeNew: Bool = false) throws(StudioFault) -> String {
    let parts = reference.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let number = Int(parts.first ?? ""), paths.indices.contains(number) else {
      throw StudioFault(.forbidden, "'\(reference)' names no folder of the studio")
    }
    let names = parts.dropFirst().filter { !$0.isEmpty || parts.count > 2 }
    for name in names where name.isEmpty || name == "." || name == ".." || name.utf8.contains(0) {
      throw Self.outside(reference)
    }
    let path = names.reduce(paths[number]) { Path.joining($0, $1) }
    if let real = FileIdentity.realPath(path) {
      guard contains(real) else { throw Self.outside(reference) }
      return real
    }
    let folder = Path.folder(of: path)
    guard mayBeNew, !FileIdentity.isLink(path), let real = FileIdentity.realPath(folder) else {
      throw StudioFault(.notFound, "there is no file \(names.joined(separator: "/"))")
    }
    guard contains(real) else { throw Self.outside(reference) }
    return Path.joining(real, Path.lastComponent(path))
  }

  private static func outside(_ reference: String) -> StudioFault {
    StudioFault(.forbidden, "'\(reference)' leads out of the folders of the studio")
  }

  /// Whether a path without links lies in one of the folders.
  func contains(_ real: String) -> Bool {
    paths.contains { Path.isSame($0, real) || Path.below($0, real) != nil }
  }

  /// The reference of a path; nil for one outside of the folders.
  func reference(_ path: String) -> String? {
    for (number, folder) in paths.enumerated() {
      if Path.isSame(folder, path) { return "\(number)" }
      if let below = Path.below(folder, path) { return "\(number)/\(below)" }
    }
    return nil
  }
}
