// Units that are late again and again: each is reported once.
// SPDX-License-Identifier: Apache-2.0

import CUnitLink
import Synchronization

/// The slices that a unit has missed in a process, and whether that was reported.
struct Lateness: Sendable {
  /// The process, and the number of the unit in front in the same turn; nil for none.
  private var process: UInt32?
  private var front: UInt32?
  /// A moment, and the slices that the unit had missed by then, without those of the unit in front.
  private var (moment, missed): (ContinuousClock.Instant, Int64) = (.now, 0)
  private(set) var isReported = false

  /// The slices that a unit may miss in a time before it is late again and again.
  private static let (mostLate, span): (Int64, Duration) = (3, .seconds(10))

  /// Notes the slices that a unit has missed by now; true when it is to be reported.
  mutating func note(_ unit: IsolatedUnit, behind front: IsolatedUnit?) -> Bool {
    // One that does not answer at all may hang, or be gone.
    guard !isReported, unit.waiting == 0, let process = unit.process else { return false }
    // Slices in front of its new beginning are those of its death.
    func missed(_ unit: IsolatedUnit) -> Int64 { Int64(clamping: unit.figures?.missed ?? 0) }
    let now = missed(unit) - (front.map(missed) ?? 0)
    let isSame = self.process == process.id && self.front == front?.number
    guard isSame, ContinuousClock.now - moment <= Self.span else {
      (self.process, self.front) = (process.id, front?.number)
      (moment, self.missed) = (.now, now)
      return false
    }
    isReported = now - self.missed >= Self.mostLate
    return isReported
  }
}

extension IsolatedUnits {
  /// Reports units that are late again and again. Where one keeps others waiting in its turn, that one is it.
  func reportLate(_ units: [IsolatedUnit]) {
    let turns = joins.withLock { all in all.filter(\.isMade).map(\.units) }
    for unit in units {
      let turn = turns.first { $0.contains { $0 === unit } } ?? []
      let place = turn.firstIndex { $0 === unit } ?? 0
      let front = place > 0 ? turn[place - 1] : nil
      guard unit.lateness.withLock({ $0.note(unit, behind: front) }) else { continue }
      // A plug-in that is there for each channel is reported once.
      let isKnown = units.contains { other in
        other !== unit && other.name == unit.name && other.lateness.withLock(\.isReported)
      }
      guard !isKnown else { continue }
      say("\(unit.name) is late: slices that it is not done with in time are without it")
    }
  }
}
