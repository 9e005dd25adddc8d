// The end of a worker: by itself, or because its supervisor ended it.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem

/// The end of a worker.
package enum WorkerEnd: Sendable, Equatable {
  /// It exited with this code.
  case exited(Int32)
  /// A signal ended it.
  case signalled(Int32)
  /// It had closed its socket but kept running, until it was ended.
  case closedFiles
  /// It made no progress for too long.
  case hang
  /// Its file exceeded the time limit.
  case timeLimit
  /// It used more memory than allowed.
  case memoryLimit
  /// It sent something that no worker sends.
  case senseless
  /// The system does not say.
  case unknown

  /// Reads the status of `waitpid`.
  init(status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
  }

  /// The signal that ended it; nil for another end.
  var signal: Int32? {
    if case .signalled(let signal) = self { return signal }
    return nil
  }

  /// The form in ledgers and reports: `SIGSEGV`, `exit 0`, `hang`.
  package var name: String {
    switch self {
    case .exited(let code): "exit \(code)"
    case .signalled(let signal): SignalName.text(signal)
    case .closedFiles: "closed files"
    case .hang: "hang"
    case .timeLimit: "time limit"
    case .memoryLimit: "memory limit"
    case .senseless: "an answer that makes no sense"
    case .unknown: "unknown"
    }
  }

  /// The predicate of the unit or process that caused it: `crashed with SIGSEGV`.
  var sentence: String {
    switch self {
    case .hang: "did not answer for too long (--stall-limit)"
    case .timeLimit: "took longer than the time limit (--time-limit)"
    case .closedFiles: "closed the files of its process"
    case .memoryLimit: "took more memory than it may (--memory-limit)"
    case .exited: "ended its process (\(name))"
    case .signalled: "crashed with \(name)"
    case .senseless, .unknown: "gave \(name)"
    }
  }

  /// Whether another process caused it: plug-ins cannot send signals.
  var isFromOutside: Bool { isSignal([SIGKILL, SIGTERM, SIGINT, SIGHUP]) }

  /// Whether processes with damaged memory end like this.
  var isCrash: Bool { isSignal([SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP]) }

  /// Whether a process ends like this only when a unit misbehaved: closed or wrote to the worker's
  /// files, set timers, blocked system calls. Includes every signal without a name.
  var isOfUnits: Bool {
    switch self {
    case .exited(0), .senseless, .closedFiles: true
    case .signalled(let signal):
      !SignalName.isKnown(signal)
        || isSignal([
          SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGSYS, SIGXCPU, SIGXFSZ, SIGIO,
        ])
    default: false
    }
  }

  private func isSignal(_ signals: [Int32]) -> Bool {
    signal.map { signals.contains($0) } ?? false
  }
}
