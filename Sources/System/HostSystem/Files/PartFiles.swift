// Every unfinished file of this process, so that an interruption leaves none behind.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem

/// The unfinished files (`.NAME.part`) that this process is writing.
public enum PartFiles {
  /// Removes all of them; for the handler of a signal that ends the program.
  ///
  /// Allocates nothing, locks nothing, calls only functions that POSIX allows in a signal handler.
  /// Files that were finished already stay.
  @discardableResult
  public static func removeAllFromSignalHandler() -> Int32 {
    AuriclePartFilesRemoveAll()
  }
}
