// Output folders: opened once, created when missing, never left through links.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import CHostSystem
import Glibc
import HostSystem

/// The output folders of a run.
final class OutputPlaces {
  /// The root of all results; nil when each has a separate path.
  private let root: OpenFolder?
  private var open: [(name: String, folder: OpenFolder)] = []
  /// The most folders kept open.
  private static let mostOpen = 16

  /// Opens the root, which is created when missing; with nil, results may be anywhere.
  init(root path: String?) throws(AuricleError) {
    guard let path else {
      root = nil
      return
    }
    try FolderMaker.make(path)
    root = try Self.openFolder(path)
  }

  /// Whether the root is still in place.
  var isInPlace: Bool { root?.isInPlace ?? true }

  /// The folder and the name of a result.
  ///
  /// - Parameter path: Below the root, or anywhere when there is none.
  func place(of path: String) throws(AuricleError) -> (folder: OpenFolder, name: String) {
    let name = Path.lastComponent(path)
    let folder = path.utf8.contains(UInt8(ascii: "/")) ? Path.folder(of: path) : ""
    guard !name.isEmpty, name != ".", name != ".." else {
      throw AuricleError(.usage, "\(path) does not name a file to write")
    }
    if let index = open.firstIndex(where: { Path.isSame($0.name, folder) }) {
      let entry = open.remove(at: index)
      open.append(entry)
      return (entry.folder, name)
    }
    let opened: OpenFolder
    if let root {
      opened = folder.isEmpty ? root : try Self.make(folder, below: root)
    } else {
      let whole = folder.isEmpty ? "." : folder
      try FolderMaker.make(whole)
      opened = try Self.openFolder(whole)
    }
    if open.count >= Self.mostOpen { open.removeFirst() }
    open.append((folder, opened))
    return (opened, name)
  }

  private static func openFolder(_ path: String) throws(AuricleError) -> OpenFolder {
    let descriptor = unsafe HostSystem.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw systemError(errno, "write into", path) }
    guard let full = unsafe realpath(path, nil) else {
      let number = errno
      close(descriptor)
      throw systemError(number, "write into", path)
    }
    defer { unsafe free(full) }
    return unsafe OpenFolder(descriptor: descriptor, path: FileNameText.text(cString: full))
  }

  /// Opens a folder below the root, creating missing ones, without following links out of it.
  private static func make(
    _ path: String, below root: OpenFolder
  ) throws(AuricleError) -> OpenFolder {
    let shown = Path.joining(root.path, path)
    var made = ""
    for part in Path.components(path) {
      made = Path.joining(made, part)
      // Another process may create it in between.
      if unsafe mkdirat(root.descriptor, made, 0o777) != 0, errno != EEXIST {
        throw systemError(errno, "make the folder", shown)
      }
    }
    let descriptor = unsafe path.withFileName {
      unsafe AuricleOpenBeneath(root.descriptor, $0, O_RDONLY | O_DIRECTORY, 0)
    }
    guard descriptor >= 0 else {
      if errno == EXDEV || errno == ELOOP {
        throw AuricleError(
          .inputOutput, "\(shown) is a link that leads out of the output folder: remove it")
      }
      if errno == ENOTDIR {
        throw AuricleError(
          .inputOutput, "\(shown) is a file, so nothing can be written into it")
      }
      throw systemError(errno, "write into", shown)
    }
    return OpenFolder(descriptor: descriptor, path: shown)
  }
}
