// Whether a process may do one file after the other, found out with scripted workers.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import RunLedgers
import Testing
import Workers

extension SupervisorTests {
  private static let fileCount = 8

  /// Runs eight files of one format with one worker, and the probe as a test says.
  private func runProbing(_ probe: @escaping (ProbeStage) -> ProbeDeed) throws -> Outcome {
    launcher.format = ChainFormat(sampleRate: 48_000, channelCount: 1)
    launcher.atProbe = probe
    let outcome = try run(Self.fileCount)
    #expect(outcome.summary.exitCode == 0)
    #expect(try names() == (0..<Self.fileCount).map { "\($0).wav" })
    return outcome
  }

  @Test("where new chains sound as the first did, one process does all files")
  func sameChains() throws {
    let outcome = try runProbing { _ in
      .report([.first(checksum: 1, prefix: 2), .same(memory: .unchanged)])
    }
    #expect(outcome.verdicts.map(\.policy) == [.reopen])
    #expect(launcher.probed == [.compare])
    // The one that compares, and the one that works.
    #expect(launcher.count == 2)
    #expect(outcome.notes.isEmpty)
  }

  @Test("where they differ, and not by chance, every file gets a process")
  func differingChains() throws {
    let outcome = try runProbing {
      .report([.first(checksum: 1, prefix: 2)] + ($0 == .compare ? [.differs] : []))
    }
    #expect(outcome.verdicts.map(\.policy) == [.process])
    #expect(launcher.probed == [.compare, .confirm])
    #expect(launcher.count == 2 + Self.fileCount)
    #expect(
      outcome.notes.contains(
        "\(launcher.title) remembers what was done before it was opened: every file is processed in a separate process"
      ), "\(outcome.notes)")
  }

  @Test("without a unit, nothing is compared, and one process does all files")
  func noUnits() throws {
    launcher.hasUnits = false
    let outcome = try runProbing { _ in .report([.failed]) }
    #expect(outcome.verdicts.isEmpty && outcome.notes.isEmpty)
    #expect(launcher.probed.isEmpty)
    #expect(launcher.count == 1)
  }

  @Test(
    "where two fresh processes differ as well, chance is at work, and one process does all files")
  func randomChains() throws {
    let outcome = try runProbing {
      .report(
        $0 == .compare
          ? [.first(checksum: 1, prefix: 2), .differs] : [.first(checksum: 3, prefix: 4)])
    }
    #expect(outcome.verdicts.map(\.policy) == [.reopen])
    #expect(outcome.verdicts.map(\.isRandom) == [true])
    #expect(launcher.count == 3)
    #expect(outcome.notes.contains { $0.contains("sounds different in every process") })
  }

  @Test("a process that compares and is killed from outside is replaced")
  func killedProbe() throws {
    var isFirst = true
    let outcome = try runProbing { _ in
      defer { isFirst = false }
      return isFirst
        ? .die(.signalled(SIGKILL))
        : .report([.first(checksum: 1, prefix: 2), .same(memory: .unchanged)])
    }
    #expect(outcome.verdicts.map(\.policy) == [.reopen])
    #expect(launcher.probed == [.compare, .compare])
    #expect(launcher.count == 3)
  }

  @Test("a unit that does not withstand being compared costs no file")
  func crashingProbe() throws {
    let outcome = try runProbing { _ in .die(.signalled(SIGSEGV)) }
    #expect(outcome.verdicts.map(\.policy) == [.process])
    #expect(launcher.probed == [.compare])
    #expect(launcher.count == 1 + Self.fileCount)
    #expect(outcome.notes.contains { $0.contains("(SIGSEGV)") && $0.contains(launcher.title) })
  }

  @Test(
    "a worker whose static memory changes, against the probe, leaves its file to another")
  func refutedVerdict() throws {
    var hasLeft = false
    launcher.atJob = { input in
      guard input.hasSuffix("3.wav"), !hasLeft else { return .finish }
      hasLeft = true
      return .leave(.chainUsed(memoryChanged: true))
    }
    let outcome = try runProbing { _ in
      .report([.first(checksum: 1, prefix: 2), .same(memory: .unchanged)])
    }
    #expect(outcome.verdicts.map(\.policy) == [.reopen, .process])
    #expect(outcome.record("3.wav")?.attempts == 1)
  }
}
