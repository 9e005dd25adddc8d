// A folder that inputs come from, known again after the machine was started anew.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
package import HostSystem

/// A folder that inputs come from, as it was when the run was planned.
///
/// An empty folder may be a place where a disk is to be mounted, or one whose files were taken away on
/// purpose: in the second case it is the same folder as before. Numbers of devices change from one start
/// of the machine to the next, so they do not count.
public struct InputFolder: Sendable, Equatable {
  /// The folder as it was named.
  public let path: String
  /// Its number in its file system.
  package let number: UInt64
  /// When it was made, in nanoseconds since 1970; 0 where the file system does not keep that.
  let born: Int64
  /// The number of its file system; 0 where that has none.
  let fileSystem: UInt64

  /// Looks at a folder; nil when it is none, or not there.
  ///
  /// Context: control.
  public init?(path: String) {
    var (number, born, fileSystem): (UInt64, Int64, UInt64) = (0, 0, 0)
    guard unsafe AuricleFolderIdentity(path, &number, &born, &fileSystem) == 0 else { return nil }
    self.path = path
    self.number = number
    self.born = born
    self.fileSystem = fileSystem
  }

  /// Whether the folder is there and still the same.
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
