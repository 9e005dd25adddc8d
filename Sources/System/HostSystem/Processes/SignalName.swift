// Signals by name.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The usual names of signals.
package enum SignalName {
  /// `SIGSEGV`, or `signal 64`.
  ///
  /// Context: any.
  package static func text(_ signal: Int32) -> String { names[signal] ?? "signal \(signal)" }

  /// Whether a signal has a name.
  ///
  /// Context: any.
  package static func isKnown(_ signal: Int32) -> Bool { names[signal] != nil }

  private static let names: [Int32: String] = [
    SIGSEGV: "SIGSEGV", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGILL: "SIGILL", SIGFPE: "SIGFPE",
    SIGKILL: "SIGKILL", SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP", SIGALRM: "SIGALRM",
    SIGSYS: "SIGSYS", SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT",
    SIGPIPE: "SIGPIPE", SIGUSR1: "SIGUSR1", SIGUSR2: "SIGUSR2", SIGXCPU: "SIGXCPU",
    SIGXFSZ: "SIGXFSZ", SIGVTALRM: "SIGVTALRM", SIGPROF: "SIGPROF", SIGIO: "SIGIO",
  ]
}
