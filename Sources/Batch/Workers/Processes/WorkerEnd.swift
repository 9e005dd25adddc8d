// How a worker ended: by itself, or because its supervisor ended it.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem

/// Why a worker is no more.
package enum WorkerEnd: Sendable, Equatable {
  /// It left with this code.
  case exited(Int32)
  /// A signal ended it.
  case signalled(Int32)
  /// It had closed its socket and went on, until it was ended.
  case closedFiles
  /// It gave no sign of life for too long.
  case hang
  /// Its file took too long.
  case timeLimit
  /// It had more memory in use than it may.
  case memoryLimit
  /// It said what no worker says.
  case senseless
  /// The system does not tell.
  case unknown

  /// From what `waitpid` tells.
  init(status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
  }

  /// As ledgers and reports have it: `SIGSEGV`, `exit 0`, `hang`.
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

  /// What is said of who brought it about: `crashed with SIGSEGV`.
  var sentence: String {
    switch self {
    case .hang: "gave no sign of life for too long (--stall-limit)"
    case .timeLimit: "took longer than the time limit (--time-limit)"
    case .closedFiles: "closed the files of its process"
    case .memoryLimit: "took more memory than it may (--memory-limit)"
    case .exited: "ended its process (\(name))"
    case .signalled: "crashed with \(name)"
    case .senseless, .unknown: "gave \(name)"
    }
  }

  /// Whether another process brought it about: plug-ins can send no signals.
  var isFromOutside: Bool { isSignal([SIGKILL, SIGTERM, SIGINT, SIGHUP]) }

  /// Whether it is how processes end whose memory was damaged.
  var isCrash: Bool { isSignal([SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP]) }

  /// Whether a process ends so only where a unit did what workers do not: closed files, wrote to them, set
  /// timers, forbade itself calls of the system. Among it every signal that has but a number.
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
    if case .signalled(let signal) = self { return signals.contains(signal) }
    return false
  }
}
