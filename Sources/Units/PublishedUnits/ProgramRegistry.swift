// The registry of programs that publish components: those that are installed, and those that run.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
package import CAudioToolbox
import Glibc
import HostSystem
import Synchronization

/// Files of the components that programs publish.
///
/// Installed entries are files `*.component-entry` in the folders of `AURICLE_PROGRAM_PATH`, else in `auricle/programs` of the
/// user's and the machine's data folders. A program that runs has files `*.node` in `auricle/nodes` of the user's runtime
/// folder, locked as long as it runs: one without a lock is of a dead process, and is removed by the reader that finds it.
package enum ProgramRegistry {
  /// The variable with the folders of installed entries.
  package static let searchVariable = "AURICLE_PROGRAM_PATH"
  package static let entryEnding = ".component-entry"
  static let nodeEnding = ".node"

  /// The folders of installed entries, first ones win.
  package static var folders: [String] {
    func variable(_ name: String) -> String? { RuntimeFolder.environmentVariable(name) }
    if let path = variable(searchVariable) { return path.split(separator: ":").map(String.init) }
    let own = variable("XDG_DATA_HOME") ?? variable("HOME").map { $0 + "/.local/share" }
    let shared = variable("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share"
    return ([own].compactMap(\.self) + shared.split(separator: ":").map(String.init)).map {
      $0 + "/auricle/programs"
    }
  }

  /// The folder of running programs where there may be some; nothing is made for it.
  package static var presentNodeFolder: String? {
    func variable(_ name: String) -> String? { RuntimeFolder.environmentVariable(name) }
    if variable("XDG_RUNTIME_DIR") != nil { return nodeFolder }
    guard let base = variable("XDG_STATE_HOME") ?? variable("HOME").map({ $0 + "/.local/state" }),
      FolderListing.names(in: base + "/auricle").contains(where: { $0.hasPrefix("runtime-") })
    else { return nil }
    return nodeFolder
  }

  /// The folder of running programs, in a runtime folder that is made; nil where it cannot be.
  package static var nodeFolder: String? { RuntimeFolder.path().map { $0 + "/auricle/nodes" } }

  /// Installed entries, each component once, and the faults of others.
  ///
  /// - Parameter path: Folders parted by ":"; nil for the usual ones.
  ///
  /// Context: control.
  package static func installed(
    in path: String? = nil
  ) -> (entries: [ProgramEntry], problems: [(path: String, message: String)]) {
    var entries: [ProgramEntry] = []
    var problems: [(path: String, message: String)] = []
    for folder in path?.split(separator: ":").map(String.init) ?? folders {
      for name in FolderListing.names(in: folder).sorted() where name.hasSuffix(entryEnding) {
        let file = Path.joining(folder, name)
        do throws(AuricleError) {
          let entry = try ProgramEntry(path: file)
          if !entries.contains(where: { $0.identity == entry.identity }) { entries.append(entry) }
        } catch {
          let prefix = file + ": "
          let text = error.message
          problems.append(
            (file, text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text))
        }
      }
    }
    return (entries, problems)
  }

  /// The components of programs that run. Removes the entries of those that do not any more.
  ///
  /// Context: control.
  package static func running() -> [ProgramEntry] {
    guard let folder = presentNodeFolder else { return [] }
    var entries: [ProgramEntry] = []
    for name in FolderListing.names(in: folder).sorted() where name.hasSuffix(nodeEnding) {
      let path = Path.joining(folder, name)
      let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard file >= 0 else { continue }
      defer { close(file) }
      if retrying({ flock(file, LOCK_SH | LOCK_NB) }) == 0 {
        unsafe unlink(path)
        if let dead = try? ProgramEntry(text: contents(file), path: path) { removeSocket(of: dead) }
        continue
      }
      guard let entry = try? ProgramEntry(text: contents(file), path: path) else { continue }
      entries.append(entry)
    }
    return entries
  }

  private static func contents(_ file: Int32) -> String {
    String(decoding: FileTransfer.readAll(file, limit: 1 << 16) ?? [], as: UTF8.self)
  }

  /// Removes the socket of a dead process, which lies in the folder of its entry and nowhere else.
  private static func removeSocket(of entry: ProgramEntry) {
    guard entry.socket.hasPrefix(Path.folder(of: entry.path) + "/"),
      entry.socket.hasSuffix(".socket")
    else { return }
    unsafe unlink(entry.socket)
  }

  /// The entry of a component, of a program that runs and of one that is installed.
  ///
  /// Context: control.
  package static func find(
    _ description: AudioComponentDescription
  ) -> (running: ProgramEntry?, installed: ProgramEntry?) {
    (
      running().last { $0.isSame(as: description) },
      installed().entries.first { $0.isSame(as: description) }
    )
  }

  /// All components: those that run, with what their installed entry adds, and those that could.
  ///
  /// Context: control.
  package static func all(
    in path: String? = nil
  ) -> (entries: [ProgramEntry], problems: [(path: String, message: String)]) {
    var (entries, problems) = installed(in: path)
    for node in running() {
      if let place = entries.firstIndex(where: { $0.identity == node.identity }) {
        (entries[place].process, entries[place].socket) = (node.process, node.socket)
      } else {
        entries.append(node)
      }
    }
    return (entries, problems)
  }

  // MARK: When a component was last in use

  private static func stampPath(_ entry: ProgramEntry) -> String? {
    func variable(_ name: String) -> String? { RuntimeFolder.environmentVariable(name) }
    let base = variable("XDG_STATE_HOME") ?? variable("HOME").map { $0 + "/.local/state" }
    return base.map { "\($0)/auricle/programs/\(entry.identity)" }
  }

  /// Notes that a component is in use now. Context: control.
  package static func noteUse(of description: AudioComponentDescription) {
    let entry = ProgramEntry(description, name: "", version: 0)
    guard let path = stampPath(entry) else { return }
    try? FolderMaker.make(Path.folder(of: path))
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    futimens(file, nil)
    close(file)
  }

  /// Seconds since 1970 at which a component was last in use; nil for never. Context: control.
  package static func lastUse(of description: AudioComponentDescription) -> Double? {
    let entry = ProgramEntry(description, name: "", version: 0)
    var status = stat()
    guard let path = stampPath(entry), unsafe stat(path, &status) == 0 else { return nil }
    return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
  }
}
