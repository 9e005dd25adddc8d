// The first part of a validation, in a process of its own: a unit that crashes or hangs takes only that along.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import CAudioToolbox
import Glibc
import HostSystem

/// Opens and runs a unit in the `auricle` program that this library came with.
enum ValidationProcess {
  /// What came of it.
  enum Outcome {
    /// Nothing that would hurt this process, or there is no such program, or it cannot know the
    /// component, which this process registered.
    case harmless
    case crashed
    case timedOut
  }

  /// Has the program open and run a unit, which may take so long (s). Context: control; it waits.
  static func run(_ component: AudioComponent, timeLimit: Double) -> Outcome {
    guard component.location.path != nil || component.location.identifier != nil,
      let program = Toolbox.program
    else {
      return .harmless
    }
    let name = component.location.identifier ?? component.triple
    let (child, error) = ProcessLaunch(program, ["inspect-unit", name]).start()
    guard error == 0 else { return .harmless }
    return wait(for: child, timeLimit: timeLimit)
  }

  /// Waits for the program, and ends it when it takes too long.
  private static func wait(for child: pid_t, timeLimit: Double) -> Outcome {
    var status: Int32 = 0
    for turn in 0... {
      let ended = retrying { unsafe waitpid(child, &status, WNOHANG) }
      if ended == child { break }
      // A host that lets its children go unseen is told nothing of this one either.
      if ended < 0 { return .harmless }
      if Double(turn) * 0.005 > timeLimit {
        kill(child, SIGKILL)
        _ = unsafe waitpid(child, &status, 0)
        return .timedOut
      }
      usleep(5000)
    }
    // A failure that it tells does no harm: this process may find out which.
    return status & 0x7F == 0 ? .harmless : .crashed
  }
}
