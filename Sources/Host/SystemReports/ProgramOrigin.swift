// The commit that the program was built from.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostSystem

/// The origin of a program.
enum ProgramOrigin {
  /// The commit that an installation names, or that of the source tree around the program; nil for neither.
  static func commit(of executable: String) -> String? {
    var folder = Path.folder(of: executable)
    if let text = line(folder + "/../share/auricle/commit") { return text }
    while folder.count > 1 {
      if FileManager.default.fileExists(atPath: folder + "/Package.swift") {
        return head(of: folder + "/.git")
      }
      folder = Path.folder(of: folder)
    }
    return nil
  }

  private static func head(of repository: String) -> String? {
    var (own, shared) = (repository, repository)
    // A work tree beside the first has a file that names its part of the repository.
    if let link = line(repository), link.hasPrefix("gitdir: ") {
      own = absolute(String(link.dropFirst(8)), in: Path.folder(of: repository))
      shared = line(own + "/commondir").map { absolute($0, in: own) } ?? own
    }
    guard let head = line(own + "/HEAD") else { return nil }
    guard head.hasPrefix("ref: ") else { return head }
    let name = String(head.dropFirst(5))
    if let commit = line(own + "/" + name) ?? line(shared + "/" + name) { return commit }
    let packed = (try? String(contentsOfFile: shared + "/packed-refs", encoding: .utf8)) ?? ""
    return packed.split(separator: "\n").first { $0.hasSuffix(" " + name) }
      .map { String($0.prefix { $0 != " " }) }
  }

  private static func absolute(_ path: String, in folder: String) -> String {
    Path.isFromRoot(path) ? path : Path.joining(folder, path)
  }

  private static func line(_ path: String) -> String? {
    let text = try? String(contentsOfFile: path, encoding: .utf8)
    return text?.split(separator: "\n").first.map(String.init)
  }
}
