// Ctrl-C: the first asks to stop, the second stops at once; neither leaves an unfinished file.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import Glibc
import HostSystem
import Synchronization

/// Handles SIGINT, SIGTERM and SIGHUP.
package enum Interruption {
  private static let count = Atomic<Int>(0)

  /// Whether the run is to stop.
  package static var isRequested: Bool { count.load(ordering: .relaxed) > 0 }

  /// Installs the signal handlers.
  package static func install() {
    // Accessed here so that the handler does not run the lazy initialisation.
    _ = count.load(ordering: .relaxed)
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { _ in Interruption.handle() }
    // Without SA_RESTART, system calls of plug-ins would fail with EINTR.
    action.sa_flags = SA_RESTART
    unsafe sigaction(SIGINT, &action, nil)
    unsafe sigaction(SIGTERM, &action, nil)
    // SIGHUP of a closed terminal, which a program started with nohup ignores.
    var present = sigaction()
    unsafe sigaction(SIGHUP, nil, &present)
    let isIgnored =
      unsafe unsafeBitCast(present.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
    if !isIgnored { unsafe sigaction(SIGHUP, &action, nil) }
  }

  /// The signal handler, which calls only async-signal-safe functions.
  private static func handle() {
    guard count.add(1, ordering: .relaxed).oldValue > 0 else { return }
    PartFiles.removeAllFromSignalHandler()
    _exit(130)
  }
}
