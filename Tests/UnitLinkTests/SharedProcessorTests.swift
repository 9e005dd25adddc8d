// A host with realtime priority and the unit that it waits for on one processor.
// SPDX-License-Identifier: Apache-2.0

import CUnitLink
import Glibc
import HostSystem
import Synchronization
import Testing
import UnitLink

/// Gives the calling thread a priority; false where it may have none.
private func raise(to priority: Int32) -> Bool {
  var parameters = sched_param()
  parameters.sched_priority = priority
  return unsafe sched_setscheduler(0, SCHED_FIFO, &parameters) == 0
}

/// A unit that answers turns, and the one with the last number after its end, or in five seconds.
private final class Spinner: Sendable {
  static let lastTurn = 16
  let host: LinkMemory
  private let unit: LinkMemory
  let isOver = Atomic<Bool>(false)

  init() throws {
    let form = AuricleLinkForm(
      frameCapacity: 64, inputChannels: 1, outputChannels: 1, eventCapacity: 64)
    host = try LinkMemory(form)
    unit = try LinkMemory(received: dup(host.descriptor), host.form)
  }

  func run() {
    _ = raise(to: Int32(AuricleUnitPriority))
    for number in 1...Self.lastTurn {
      var turn = AuricleLinkTurn()
      while unsafe !AuricleLinkTake(unit.link, 1_000_000_000, &turn) {}
      let limit = AuricleLinkNow() + 5_000_000_000
      while number == Self.lastTurn, !isOver.load(ordering: .acquiring), AuricleLinkNow() < limit {}
      var answer = AuricleLinkAnswer()
      answer.kind = UInt32(kAuricleLinkAnswer_Done)
      unsafe AuricleLinkAnswerTurn(unit.link, &answer)
    }
  }

  /// A turn there and back; how it ended, and whether the unit is on the processor that the host named.
  func play(milliseconds: UInt64) -> (outcome: AuricleLinkOutcome, isMeeting: Bool) {
    var (turn, answer) = (AuricleLinkTurn(), AuricleLinkAnswer())
    turn.kind = UInt32(kAuricleLinkTurn_Render)
    turn.frameCount = 64
    unsafe AuricleLinkShareProcessor(host.link)
    defer { unsafe AuricleLinkReleaseProcessor(host.link) }
    guard unsafe AuricleLinkPost(host.link, &turn, true) else {
      return (AuricleLinkOutcomeGone, false)
    }
    let outcome = unsafe AuricleLinkAwait(
      host.link, AuricleLinkNow() + milliseconds * 1_000_000, &answer)
    return (outcome, answer.processor != 0)
  }
}

/// The findings of the host's thread.
private struct Findings: Sendable {
  var isRaised = false
  var outcomes: [UInt32] = []
  var meetings = 0
  var last: UInt32 = .max
}

@Suite struct SharedProcessorTests {
  @Test("The unit comes to the processor of its host, and keeps it no longer when it does not end")
  func sharing() throws {
    guard sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1 else { return }
    let spinner = try Spinner()
    let found = Mutex(Findings())
    let unit = try #require(startThread { spinner.run() })
    let host = try #require(
      startThread {
        var findings = Findings()
        findings.isRaised = raise(to: Int32(AuricleUnitPriority) + 1)
        for _ in 1..<Spinner.lastTurn {
          let (outcome, isMeeting) = spinner.play(milliseconds: 5000)
          findings.outcomes.append(outcome.rawValue)
          if isMeeting { findings.meetings += 1 }
        }
        findings.last = spinner.play(milliseconds: 20).outcome.rawValue
        spinner.isOver.store(true, ordering: .releasing)
        found.withLock { [findings] in $0 = findings }
      })
    pthread_join(host, nil)
    pthread_join(unit, nil)
    let findings = found.withLock { $0 }
    #expect(findings.outcomes.allSatisfy { $0 == AuricleLinkOutcomeAnswered.rawValue })
    #expect(findings.last == AuricleLinkOutcomeLate.rawValue)
    // Without a right to priorities each is where it likes.
    guard findings.isRaised else { return }
    #expect(findings.meetings > 0)
  }
}
