// The first part of a validation, in a process of its own: a unit that crashes or hangs takes only that along.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import CAudioToolbox
import Glibc

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
    guard component.location.path != nil || component.location.uri != nil, let program else {
      return .harmless
    }
    let name = component.location.uri ?? component.triple
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    var words = unsafe ([program, "inspect-unit", name] as [String]).map { unsafe strdup($0) }
    unsafe words.append(nil)
    defer { unsafe words.forEach { unsafe free($0) } }
    var child: pid_t = 0
    guard unsafe posix_spawn(&child, program, &actions, nil, words, environ) == 0 else {
      return .harmless
    }
    return wait(for: child, timeLimit: timeLimit)
  }

  /// Waits for the program, and ends it when it takes too long.
  private static func wait(for child: pid_t, timeLimit: Double) -> Outcome {
    var status: Int32 = 0
    for turn in 0... {
      let ended = unsafe waitpid(child, &status, WNOHANG)
      if ended == child { break }
      // A host that lets its children go unseen is told nothing of this one either.
      if ended < 0 && errno != EINTR { return .harmless }
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

  /// The program of this library's build, or of its installation; nil where there is none.
  private static let program: String? = {
    guard let folder = Toolbox.ownFolder else { return nil }
    return ["\(folder)/auricle", "\(folder)/../../bin/auricle"].first {
      unsafe access($0, X_OK) == 0
    }
  }()
}
