// The time limit of a check is that of the unit: all its processes share it.
// SPDX-License-Identifier: Apache-2.0

import ComponentValidation
import Foundation
import TestSupport
import Testing
import UnitValidation

@Suite struct ValidationTimeTests {
  /// A program in place of ours: it reports a phase that none before it has had, works, and crashes.
  private func program(in folder: TemporaryFolder, working seconds: Double) throws -> String {
    try folder.writeProgram(
      """
      #!/bin/sh
      echo run >> \(folder("runs"))
      number=$(wc -l < \(folder("runs")))
      echo "{\\"phase\\": $number, \\"title\\": \\"phase $number\\"}"
      sleep \(seconds)
      kill -SEGV $$

      """, to: "program")
  }

  private func check(limit: Double, working seconds: Double) throws -> ValidationOutcome {
    let folder = try TemporaryFolder("auricle-time")
    var limits = ValidationLimits()
    limits.seconds = limit
    let validator = ComponentValidator(
      program: try program(in: folder, working: seconds), limits: limits)
    return validator.check(
      ValidationCall(unit: "aufx:test:AuTe", path: nil, ValidationRequest()), name: "Test: Unit")
  }

  @Test("a process after a crash has the time that is left")
  func shared() throws {
    let outcome = try check(limit: 3, working: 2)
    #expect(outcome.faults.map(\.check) == ["life.crash", "life.hang"])
    #expect(outcome.faults.last?.message.contains("within 3.0 s") == true)
  }

  @Test("where time is left, four processes try")
  func four() throws {
    let outcome = try check(limit: 3600, working: 0)
    #expect(outcome.faults.map(\.check) == Array(repeating: "life.crash", count: 4))
  }
}
