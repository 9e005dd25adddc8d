// The units that a user prefers, kept with the user's configuration.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import HostSystem
import Synchronization

/// The favourites in `$XDG_CONFIG_HOME/auricle/studio.json`.
final class Favourites: Sendable {
  private let path: String?
  private let units: Mutex<[String]>

  init(path: String?) {
    self.path = path
    units = Mutex(Self.read(path))
  }

  private static func read(_ path: String?) -> [String] {
    guard let path, let file = try? FileDescriptor(opening: path),
      let bytes = FileTransfer.readAll(file.number, limit: 1 << 20), let json = JSONValue(bytes)
    else { return [] }
    return (json["favourites"]?.elements ?? []).compactMap(\.text)
  }

  /// All of them, in the order they were chosen.
  var all: [String] { units.withLock { $0 } }

  /// Adds or removes one.
  ///
  /// - Throws: `.inputOutput` where the file cannot be written.
  func set(_ unit: String, _ isFavourite: Bool) throws -> [String] {
    let list = units.withLock { units in
      units.removeAll { $0 == unit }
      if isFavourite { units.append(unit) }
      return units
    }
    guard let path else { return list }
    try FolderMaker.make(Path.folder(of: path))
    let text = JSONValue.members([("favourites", .array(list.map(JSONValue.string)))]).indentedText
    let file = try AtomicFile(path: path, overwrite: true)
    guard FileTransfer.writeAll(Array((text + "\n").utf8), to: file.descriptor) == 0 else {
      throw StudioFault(.inputOutput, "\(path) cannot be written")
    }
    try file.commit()
    return list
  }
}
