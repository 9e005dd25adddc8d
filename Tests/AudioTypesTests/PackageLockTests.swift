// Installing packages while another package manager is at work: waited for, and said. With an apt-get of the test's own.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite struct PackageLockTests {
  /// Runs the script beside an `apt-get` that finds the lock held so many times.
  private func install(held: Int, waiting seconds: Int) throws -> (
    result: ProcessResult, calls: Int
  ) {
    let folder = try TemporaryFolder()
    let lock = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 1 (apt)"
    let programs = [
      ("dpkg-query", "exit 1"), ("id", "echo 0"),
      (
        "apt-get",
        """
        [[ $* == *--dry-run* ]] && exit 0
        echo "$1" >> \(folder("calls"))
        [ "$(wc -l < \(folder("calls")))" -gt \(held) ] || { echo "\(lock)" >&2; exit 100; }
        """
      ),
    ]
    for (name, text) in programs {
      try folder.writeProgram("#!/bin/bash\n\(text)\n", to: name)
    }
    let result = try runProcess(
      "bash",
      [
        "-c", "PATH=\(folder.path):$PATH AURICLE_LOCK_SECONDS=\(seconds) exec \"$0\" lint",
        Places.inPackage("Scripts/install-packages"),
      ])
    let calls = try runProcess("cat", [folder("calls")]).standardOutput
    return (result, calls.split(separator: "\n").count)
  }

  private func waits(_ result: ProcessResult) -> Int {
    result.standardError.split(separator: "\n").count { $0.contains("waiting for it") }
  }

  @Test func aHeldLockIsWaitedForAndSaidOnce() throws {
    let (result, calls) = try install(held: 2, waiting: 60)
    #expect(result.exitCode == 0 && calls == 3 && waits(result) == 1, "\(result.summary)")
  }

  @Test func aLockThatStaysHeldIsAnError() throws {
    let (result, _) = try install(held: 1000, waiting: 0)
    #expect(result.exitCode == 69 && waits(result) == 1, "\(result.summary)")
    #expect(result.standardError.contains("still at work"))
  }

  @Test func aFreeLockIsNotSpokenOf() throws {
    let (result, calls) = try install(held: 0, waiting: 60)
    #expect(result.exitCode == 0 && calls == 1 && waits(result) == 0, "\(result.summary)")
  }
}
