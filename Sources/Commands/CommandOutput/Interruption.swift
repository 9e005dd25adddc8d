// Ctrl-C: the first asks to stop and ends child processes soon, the second stops at once; neither leaves an unfinished file.
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

  /// Microseconds after the first signal in which all child processes end.
  private static let longestEnd = 1_700_000

  /// Installs the signal handlers.
  ///
  /// The program ends two seconds after the first signal where a child process goes on, such as one with a unit that
  /// hangs.
  package static func install() {
    // Accessed here so that the handler does not run the lazy initialisation.
    _ = count.load(ordering: .relaxed)
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { _ in Interruption.handle() }
    // Without SA_RESTART, system calls of plug-ins would fail with EINTR.
    action.sa_flags = SA_RESTART
    unsafe sigaction(SIGINT, &action, nil)
    unsafe sigaction(SIGTERM, &action, nil)
    var alarm = sigaction()
    unsafe alarm.__sigaction_handler.sa_handler = { _ in Interruption.endOfTime() }
    alarm.sa_flags = SA_RESTART
    unsafe sigaction(SIGALRM, &alarm, nil)
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
    if count.add(1, ordering: .relaxed).oldValue > 0 { leave() }
    var timer = itimerval()
    timer.it_value.tv_usec = longestEnd % 1_000_000
    timer.it_value.tv_sec = longestEnd / 1_000_000
    _ = unsafe setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
  }

  /// The handler of the timer. A program without children does its last work in peace.
  private static func endOfTime() {
    var info = unsafe siginfo_t()
    guard unsafe waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 else { return }
    leave()
  }

  private static func leave() {
    PartFiles.removeAllFromSignalHandler()
    _exit(130)
  }
}
