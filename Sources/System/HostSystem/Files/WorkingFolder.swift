// The folder that relative paths begin at.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The folder that relative paths of this process begin at.
package enum WorkingFolder {
  /// Its path; nil where it was removed, or cannot be read. Context: control.
  package static var path: String? {
    guard let bytes = unsafe getcwd(nil, 0) else { return nil }
    defer { unsafe free(bytes) }
    return unsafe FileNameText.text(cString: bytes)
  }

  /// Makes another folder the one of this process; false where that fails. Context: control, one thread.
  package static func enter(_ path: String) -> Bool {
    unsafe path.withFileName { unsafe chdir($0) } == 0
  }

  /// A path from the root, without slashes at its end. Context: control.
  package static func absolute(_ path: String) -> String {
    Path.isFromRoot(path) ? Path.trimmed(path) : Path.trimmed(Path.joining(Self.path ?? "", path))
  }
}
