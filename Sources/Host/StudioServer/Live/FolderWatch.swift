// A folder that is watched for files that appear in it.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem

/// Notices of the system about new files in one folder.
struct FolderWatch: ~Copyable {
  /// The descriptor of the notices; -1 where the system gives none.
  private let notices: Int32

  /// Watches a folder.
  init(_ folder: String) {
    notices = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    if notices >= 0 {
      unsafe inotify_add_watch(notices, folder, UInt32(IN_CREATE) | UInt32(IN_MOVED_TO))
    }
  }

  deinit { if notices >= 0 { close(notices) } }

  /// Waits until a file appears or the bell rings, at most so long.
  ///
  /// Context: a thread that may block.
  func wait(or bell: WakeUp, milliseconds: Int32) {
    var entries = [notices, bell.number].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard unsafe poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return }
    if entries[0].revents != 0 {
      var block = [UInt8](repeating: 0, count: 4096)
      while unsafe read(notices, &block, block.count) > 0 {}
    }
    bell.wait(milliseconds: 0)
  }
}
