// Reports of units to their host, from threads that wait for nobody.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CHostSystem
import CUnitLink
import Glibc
import HostSystem
import UnitLink

/// A changed property of a unit.
struct UnitReport: Equatable, Sendable {
  var unit, property, scope, element: UInt32

  /// The report as it is sent.
  var bytes: [UInt8] {
    var writer = MessageWriter()
    for word in [unit, property, scope, element] { writer.add(word) }
    return writer.bytes
  }

  init(unit: UInt32, property: UInt32, scope: UInt32, element: UInt32) {
    (self.unit, self.property, self.scope, self.element) = (unit, property, scope, element)
  }

  /// Reads a report; nil for other bytes.
  init?(_ bytes: [UInt8]) {
    var reader = MessageReader(bytes)
    guard let unit = reader.next(UInt32.self), let property = reader.next(UInt32.self),
      let scope = reader.next(UInt32.self), let element = reader.next(UInt32.self)
    else { return nil }
    self.init(unit: unit, property: property, scope: scope, element: element)
  }
}

/// The reports of a process's units that are not sent yet. They live as long as the process.
///
/// @unchecked Sendable because the queue is made for threads.
@safe final class UnitReports: @unchecked Sendable {
  let queue: OpaquePointer
  /// Readable when there are some, and the end that a report writes a byte to.
  let bell, hammer: Int32

  private static let capacity: UInt32 = 1024

  /// - Throws: What the system has no more of.
  init() throws(AuricleError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe AuriclePrivatePipe(&ends) == 0 else { throw systemError(errno, "make", "a pipe") }
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    (bell, hammer) = (ends[0], ends[1])
    guard let made = unsafe AuricleEventQueueMake(Self.capacity) else {
      throw systemError(ENOMEM, "make", "memory for reports of units")
    }
    unsafe queue = unsafe made
  }

  /// Removes them all; a report that was made several times is there once.
  func removeAll() -> [UnitReport] {
    var strokes = [UInt8](repeating: 0, count: 4096)
    while unsafe read(bell, &strokes, strokes.count) == strokes.count {}
    var found: [UnitReport] = []
    var event = AuricleLinkEvent()
    while unsafe found.count < Self.capacity && AuricleEventQueueRemove(queue, &event) {
      let report = UnitReport(
        unit: event.kind, property: event.id, scope: event.scope, element: event.element)
      if !found.contains(report) { found.append(report) }
    }
    return found
  }
}
