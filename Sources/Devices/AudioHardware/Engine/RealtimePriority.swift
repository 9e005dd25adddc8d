// Asking for realtime priority: the system directly, else the daemon for it, else a warning.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// The scheduling that a device's thread received.
package enum RealtimePriority: Int, Sendable {
  /// Nothing: it competes with every other program.
  case normal = 1
  /// SCHED_FIFO, by a right of the user.
  case direct = 2
  /// SCHED_RR, from the rtkit daemon.
  case daemon = 3

  /// The priority asked for, below that of the sound servers' own threads.
  private static let level: Int32 = 15

  /// Raises the calling thread. Context: the device's thread, once.
  static func raise() -> RealtimePriority {
    if raiseDirectly() == .direct { return .direct }
    return RealtimeDaemon.raise(level: 10) ? .daemon : .normal
  }

  /// Raises the calling thread by a right of the user alone. Context: a render thread, once.
  ///
  /// - Parameter level: That of the system; nil for the usual one.
  package static func raiseDirectly(to level: Int32? = nil) -> RealtimePriority {
    RealtimeSignal.install()
    var parameters = sched_param()
    parameters.sched_priority = level ?? Self.level
    // The thread's children do not inherit it.
    return unsafe sched_setscheduler(0, SCHED_FIFO | resetOnFork, &parameters) == 0
      ? .direct : .normal
  }

  /// Lets the daemon raise threads of this process later, when it is asked by the parent. Context: control.
  package static func allowDaemon() { RealtimeDaemon.limitThreads() }

  /// Asks the daemon to raise a thread of a child, which called `allowDaemon`. Context: control.
  package static func raise(process: Int32, thread: Int32) {
    _ = RealtimeDaemon.raise(level: 10, thread: thread, of: process)
  }

  private static let resetOnFork: Int32 = 0x4000_0000

  /// The warning for a user whose thread is like any other.
  package static let warning =
    "the device's thread has no realtime priority, so that sound may break off when the machine is busy: "
    + "allow it in /etc/security/limits.d (@audio - rtprio 20) and join the group audio, or install rtkit, "
    + "or run as root"
}

/// SIGXCPU: a realtime thread that used up its share continues as a normal one instead of ending the process.
private enum RealtimeSignal {
  static func install() {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { _ in
      var parameters = sched_param()
      _ = unsafe sched_setscheduler(0, SCHED_OTHER, &parameters)
    }
    action.sa_flags = SA_RESTART
    var present = sigaction()
    unsafe sigaction(SIGXCPU, nil, &present)
    let isDefault = unsafe unsafeBitCast(present.__sigaction_handler.sa_handler, to: Int.self) == 0
    if isDefault { unsafe sigaction(SIGXCPU, &action, nil) }
  }
}
