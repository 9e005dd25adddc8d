// A folder of inputs, recognized after a restart of the machine.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
package import HostSystem

/// A folder that inputs come from, as it was when the run was planned.
///
/// An empty folder may be a mount point without its disk, or one whose files were removed on purpose; then it
/// is the same folder as before. Device numbers change when the machine restarts, so they are not compared.
public struct InputFolder: Sendable, Equatable {
  /// The folder as it was named.
  public let path: String
  /// Its inode number.
  package let number: UInt64
  /// Its creation time in nanoseconds since 1970; 0 if the file system does not keep it.
  let born: Int64
  /// The id of its file system; 0 if there is none.
  let fileSystem: UInt64

  /// Reads a folder's identity; nil when it is missing or no folder.
  ///
  /// Context: control.
  public init?(path: String) {
    var (number, born, fileSystem): (UInt64, Int64, UInt64) = (0, 0, 0)
    let status = unsafe path.withFileName {
      unsafe AuricleFolderIdentity($0, &number, &born, &fileSystem)
    }
    guard status == 0 else { return nil }
    self.path = path
    self.number = number
    self.born = born
    self.fileSystem = fileSystem
  }

  /// Whether the folder exists and is still the same.
  ///
  /// Context: control.
  package var isThereStill: Bool {
    guard let now = InputFolder(path: path), now.number == number else { return false }
    if born != 0, now.born != 0 { return now.born == born }
    return fileSystem != 0 && now.fileSystem == fileSystem
  }

  package var json: JSONValue {
    .members([
      ("path", .string(path)), ("number", .string(Hexadecimal.text(number))),
      ("born", .integer(born)), ("fileSystem", .string(Hexadecimal.text(fileSystem))),
    ])
  }

  package init?(json: JSONValue) {
    guard let path = json["path"]?.text, let born = json["born"]?.integer,
      let number = json["number"]?.text.flatMap(Hexadecimal.number),
      let fileSystem = json["fileSystem"]?.text.flatMap(Hexadecimal.number)
    else { return nil }
    self.path = path
    self.number = number
    self.born = Int64(born)
    self.fileSystem = fileSystem
  }
}
