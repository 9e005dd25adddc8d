// The folder of the sockets that this server and its children make: their paths are short.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import Glibc
import HostSystem
import Synchronization

/// A folder for sockets of this process alone, made with the first one.
///
/// The path of a socket has at most 107 bytes, which a long `TMPDIR` would exceed.
final class SocketFolder: Sendable {
  private struct State {
    var folder: String?
    var next = 0
  }

  private let state = Mutex(State())
  private static let (template, longestName, longestPath) = ("/auricle-XXXXXX", 32, 107)

  /// A path in the folder that was not used yet.
  ///
  /// - Throws: `.inputOutput` where no folder can be made.
  func newPath(_ ending: String) throws -> String {
    try state.withLock { state in
      let folder = try state.folder ?? Self.make()
      state.folder = folder
      state.next += 1
      return "\(folder)/\(state.next)\(ending)"
    }
  }

  /// Removes the folder.
  func remove() {
    let folder = state.withLock { state in
      defer { state.folder = nil }
      return state.folder
    }
    if let folder { _ = unsafe AuricleRemoveFolder(folder) }
  }

  /// Makes a folder that this user alone may use, in the first place that is there and short enough.
  private static func make() throws -> String {
    let variable = RuntimeFolder.environmentVariable
    let places = [variable("XDG_RUNTIME_DIR"), "/tmp", variable("TMPDIR")].compactMap(\.self)
    let most = longestPath - longestName - template.utf8.count
    for place in places where place.hasPrefix("/") && place.utf8.count <= most {
      var name = Array((place + template).utf8CString)
      guard unsafe mkdtemp(&name) != nil else { continue }
      return String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    throw StudioFault(
      .inputOutput,
      "no folder for sockets can be made in \(places.joined(separator: ", ")): set XDG_RUNTIME_DIR")
  }
}
