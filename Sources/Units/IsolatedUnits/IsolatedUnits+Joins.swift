// Neighbours in one process: one turn renders them, one behind the other.
// SPDX-License-Identifier: Apache-2.0

package import AudioUnits
import CUnitLink
import Synchronization
import UnitLink

/// Units that are rendered in one turn.
struct JoinedUnits: Sendable {
  let units: [IsolatedUnit]
  /// Whether their process and their render sides know.
  var isMade = false
  /// A moment, and the slices that each unit had missed by then.
  private var missed: [UInt64]
  private var moment = ContinuousClock.now

  init(_ units: [IsolatedUnit]) {
    self.units = units
    missed = Self.misses(of: units)
  }

  /// The slices that a unit may miss in a time, while the one in front does not, before it has a turn apart.
  private static let (mostLate, span): (Int64, Duration) = (3, .seconds(10))

  private static func misses(of units: [IsolatedUnit]) -> [UInt64] {
    units.map { unsafe AuricleIsolatedMissed($0.render) }
  }

  /// The first unit that is late again and again, and keeps those in front of it from their next slice.
  mutating func findLate() -> IsolatedUnit? {
    let now = Self.misses(of: units)
    let new = zip(now, missed).map { Int64(bitPattern: $0 &- $1) }
    if ContinuousClock.now - moment > Self.span { (missed, moment) = (now, .now) }
    let place = units.indices.dropFirst().first { new[$0] - new[$0 - 1] >= Self.mostLate }
    return place.map { units[$0] }
  }

  /// The number of the first unit, which is in no other turn.
  var id: UInt32 { units[0].number }

  func contains(_ unit: IsolatedUnit) -> Bool { units.contains { $0 === unit } }
}

extension IsolatedUnits {
  /// Has one turn render units whose sound goes from one to the next as it is, where they share a process. Units that
  /// have to begin again are joined again.
  ///
  /// - Parameter pairs: Units, each with the one behind it. Those that are not in other processes are left out.
  ///
  /// Context: control, before they are rendered.
  package func join(_ pairs: [(front: AudioUnit, back: AudioUnit)]) {
    let joined = pairs.compactMap { pair -> (front: UInt32, back: UInt32)? in
      guard let front = unit(of: pair.front), let back = unit(of: pair.back) else { return nil }
      return (front.number, back.number)
    }
    noteNeighbours(joined)
    joinNeighbours(Set(joined.flatMap { [$0.front, $0.back] }))
  }

  /// Joins those of some units that are neighbours, share a process, and are in no turn with others.
  func joinNeighbours(_ numbers: Set<UInt32>) {
    let (units, backs) = neighbours(among: numbers)
    var behind = Set(backs.values)
    // A unit whose front cannot have it along begins another turn.
    var starts = units.values.filter { !behind.contains($0.number) }.sorted {
      $0.number < $1.number
    }
    while let first = starts.popLast() {
      var run = [first]
      while let number = backs[run[run.count - 1].number], let next = units[number] {
        let last = run[run.count - 1]
        behind.remove(number)
        guard let process = last.process, process === next.process,
          unsafe AuricleIsolatedCanJoin(last.render, next.render)
        else {
          starts.append(next)
          break
        }
        run.append(next)
      }
      if run.count > 1 { make(JoinedUnits(run)) }
    }
  }

  private func make(_ joined: JoinedUnits) {
    guard let process = joined.units[0].process else { return }
    let isFree = joins.withLock { all in
      let isBusy = all.contains { other in joined.units.contains { other.contains($0) } }
      if !isBusy { all.append(joined) }
      return !isBusy
    }
    guard isFree else { return }
    var request = MessageWriter()
    for unit in joined.units { request.add(unit.number) }
    let reply = process.request(UnitRequest.join, request.bytes)
    var reader = MessageReader(reply ?? [])
    let isDone = reader.next(Int32.self) == 0
    joins.withLock { all in
      // One that left its process meanwhile has parted them.
      guard let place = all.firstIndex(where: { $0.id == joined.id }) else { return }
      guard isDone else {
        all.remove(at: place)
        return
      }
      all[place].isMade = true
      for (front, back) in zip(joined.units, joined.units.dropFirst()) {
        unsafe AuricleIsolatedJoin(front.render, back.render)
      }
    }
  }

  /// Puts units that are late into turns apart: those around them go on together.
  func separateLate() {
    let found = joins.withLock { all in
      all.indices.compactMap { place in
        all[place].isMade
          ? all[place].findLate().map { (unit: $0, others: all[place].units) } : nil
      }
    }
    for (unit, others) in found { separate(unit, from: others) }
  }

  private func separate(_ unit: IsolatedUnit, from others: [IsolatedUnit]) {
    part(unit)
    forgetNeighbours(of: unit.number)
    // The process parts them as well.
    var request = MessageWriter()
    request.add(others[0].number)
    guard others[0].process?.request(UnitRequest.join, request.bytes) != nil else { return }
    joinNeighbours(Set(others.map(\.number)))
  }

  /// Has the units of a turn rendered each in one again, because one of them leaves its process.
  func part(_ unit: IsolatedUnit) {
    joins.withLock { all in
      guard let place = all.firstIndex(where: { $0.contains(unit) }) else { return }
      let joined = all.remove(at: place)
      guard joined.isMade else { return }
      for front in joined.units.dropLast() { unsafe AuricleIsolatedJoin(front.render, nil) }
    }
  }
}
