// Waits for the state of other programs and of the system, which post no change.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The state of other programs and of the system.
public enum OtherPrograms {
  /// The time after which a test checks again (ms): the only one in the tests.
  static let pause: Int32 = 5

  /// Waits until something holds, and returns whether it does. Only a hang reaches the limit.
  public static func wait(until holds: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(ChildProcess.timeLimitSeconds)
    while try !holds() {
      guard ContinuousClock.now < deadline else { return try holds() }
      _ = poll(nil, 0, pause)
    }
    return true
  }

  /// Whether a process is stopped by a signal.
  public static func isStopped(_ process: Int32) -> Bool {
    let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    return (text.split(separator: ")").last ?? "").hasPrefix(" T")
  }

  /// Whether each thread of a stopped process was in a system call, where it waited, and not at work.
  public static func isAtRest(_ process: Int32) -> Bool {
    let folder = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return threads.allSatisfy { thread in
      let call = try? String(contentsOfFile: "\(folder)/\(thread)/syscall", encoding: .utf8)
      return call?.hasPrefix("-1") != true
    }
  }
}
