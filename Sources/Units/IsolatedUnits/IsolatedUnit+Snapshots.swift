// The state of a unit that changes it by itself: asked for at quiet moments, so that it comes back with the unit.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import CUnitLink
import Synchronization
import UnitLink

/// The changes that a unit made by itself, and its last known state.
struct OwnChanges: Sendable {
  /// A state, as the property that sets it.
  struct Snapshot: Sendable {
    var property: [UInt8]
    var moment: Moment
  }

  /// A place in the host's own changes.
  struct Moment: Sendable {
    /// The number of changed parameters.
    var parameters: UInt32 = 0
    /// The number of set properties.
    var properties = 0
  }

  var snapshot: Snapshot?
  /// The first and the last change that no snapshot has; nil for none.
  var pending: (first: ContinuousClock.Instant, last: ContinuousClock.Instant)?
  /// The host's changes until the last one of the unit.
  var moment = Moment()
  /// The messages of the host that were noted as changes.
  var programs: UInt32 = 0
  var isAsking = false
  /// The number of states that it was asked for.
  var snapshotCount = 0
}

extension IsolatedUnit {
  /// The time without a change in front of a snapshot, the longest wait for such a time, and the most bytes of one.
  private static let (quietTime, longestWait, mostBytes) =
    (Duration.milliseconds(500), Duration.seconds(5), 1 << 24)

  /// Whether a report of a property means that the unit's state is another one.
  static func isOfState(_ property: UInt32) -> Bool {
    [
      kAudioUnitProperty_ClassInfo, kAudioUnitProperty_PresentPreset,
      kAudioUnitProperty_CurrentPreset,
    ].contains(property)
  }

  /// Notes that its state may be another one than what its host set.
  func noteChange() {
    let moment = moment
    ownChanges.withLock { changes in
      let now = ContinuousClock.now
      changes.pending = (changes.pending?.first ?? now, now)
      changes.moment = moment
    }
  }

  /// Whether it is the time to ask for its state.
  var wantsSnapshot: Bool {
    guard let plugIn = unsafe plugIn, process != nil else { return false }
    let programs = unsafe AuricleIsolatedPlugInPrograms(plugIn)
    let isNew = ownChanges.withLock { changes in
      defer { changes.programs = programs }
      return changes.programs != programs
    }
    if isNew { noteChange() }
    return ownChanges.withLock { changes in
      guard let pending = changes.pending, !changes.isAsking else { return false }
      let now = ContinuousClock.now
      let isQuiet = now - pending.last >= Self.quietTime
      changes.isAsking = isQuiet || now - pending.first >= Self.longestWait
      return changes.isAsking
    }
  }

  /// Asks for its state, and keeps it.
  func keepState() {
    let moment = ownChanges.withLock { changes in
      changes.pending = nil
      return changes.moment
    }
    let snapshot = readState().map { OwnChanges.Snapshot(property: $0, moment: moment) }
    ownChanges.withLock { changes in
      changes.isAsking = false
      guard let snapshot else { return }
      changes.snapshot = snapshot
      changes.snapshotCount += 1
    }
  }

  /// Its state as the request that sets it; nil for a unit without one.
  private func readState() -> [UInt8]? {
    var place = MessageWriter()
    for word in [number, kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0] {
      place.add(word)
    }
    var question = place
    question.add(UInt32(MemoryLayout<UInt>.size))
    guard let reply = transact(UInt16(kAuricleUnitRequest_GetProperty), question.bytes) else {
      return nil
    }
    var reader = MessageReader(reply)
    guard reader.next(Int32.self) == 0, reader.next(Double.self) != nil, reader.left > 1,
      reader.left <= Self.mostBytes
    else { return nil }
    return place.bytes + reply.suffix(reader.left)
  }

  /// Forgets the state of before, because its host sets another one.
  func forgetSnapshot() {
    ownChanges.withLock { changes in
      changes.snapshot = nil
      changes.pending = nil
    }
  }

  /// Sets properties and parameters in another process: in their order, with the state where the unit changed by itself.
  func restore(in process: UnitProcess) {
    let snapshot = ownChanges.withLock { $0.snapshot }
    let properties = properties
    func set(_ property: [UInt8]) -> Bool {
      var reader = MessageReader(
        process.request(UInt16(kAuricleUnitRequest_SetProperty), property) ?? [])
      return reader.next(Int32.self) == 0
    }
    var changes: UInt32 = 0
    for property in properties where property.number <= snapshot?.moment.properties ?? .max {
      _ = set(property.bytes)
    }
    if let snapshot {
      // Without it, the host's own settings count.
      if set(snapshot.property) { changes = snapshot.moment.parameters }
      for property in properties where property.number > snapshot.moment.properties {
        _ = set(property.bytes)
      }
    }
    var parameters = unsafe AuricleLinkBytes()
    defer { unsafe AuricleLinkBytesFree(&parameters) }
    if let plugIn = unsafe plugIn {
      unsafe AuricleIsolatedPlugInParameters(plugIn, changes, &parameters)
    }
    unsafe send(parameters, UInt16(kAuricleUnitRequest_SetParameter), process)
  }
}
