// Places at which a run is killed: a call of the system, by its name and number.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// A call of the supervisor of a run, before or after which it is killed.
struct KillPlace: Sendable, CustomStringConvertible {
  /// The function of the C library.
  var call: String
  /// Which of its calls, from 1.
  var number: Int
  var isAfter: Bool

  init(_ call: String, _ number: Int, after isAfter: Bool = false) {
    (self.call, self.number, self.isAfter) = (call, number, isAfter)
  }

  var description: String { "\(isAfter ? "after" : "before") \(call) \(number)" }

  /// The environment of a command that is killed at the place.
  ///
  /// - Parameters:
  ///   - command: The command's word: `process`, `shard`, `watch`.
  ///   - box: Where the library for it is built.
  ///   - stops: Whether it is stopped after the call, and not killed; SIGCONT has it go on.
  func environment(
    _ command: String, _ box: Sandbox, stops: Bool = false
  ) throws -> [String: String?] {
    let library = box("faults.so")
    if !FileManager.default.fileExists(atPath: library) {
      let words = [
        "-std=gnu11", "-shared", "-fPIC", "-O1",
        Places.inPackage("Tests/Fixtures/FaultInjection/faults.c"), "-o", library, "-ldl",
      ]
      let built = try (try? runProcess("cc", words)) ?? runProcess("clang", words)
      try #require(built.exitCode == 0, "\(built.summary)")
    }
    let end = stops ? -2 : isAfter ? -1 : 0
    return box.environment.merging([
      "LD_PRELOAD": library, "AURICLE_TEST_FAULT": "\(call) \(number) \(end)",
      "AURICLE_TEST_FAULT_COMMAND": command,
    ]) { $1 }
  }
}
