// A process for units of another: opens them, calls them as requests say, renders them.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import AudioUnits
import CAudioToolbox
import CUnitLink
import Glibc
import HostSystem
import PlugInGuard
import Synchronization
package import UnitLink

/// Serves the units of another process until that ends.
///
/// Context: control, in a process for units, behind the sandbox.
///
/// @unchecked Sendable because one thread alone serves, and only sending is for others.
package final class UnitServer: @unchecked Sendable {
  /// Opens a unit by the unique name of its component.
  package typealias Opener = (String) throws -> AudioUnit

  private let socket: LinkSocket
  private let sending = Mutex(())
  private let open: Opener
  private let raise: @Sendable () -> Void
  private let reports: UnitReports
  private var units: [UInt32: ServedUnit] = [:]

  /// Makes a server.
  ///
  /// - Parameters:
  ///   - raise: Has the thread that calls it get the priority of rendering in real time.
  ///   - open: Opens a unit by the unique name of its component.
  /// - Throws: What the system has no more of.
  package init(
    _ socket: LinkSocket, raise: @escaping @Sendable () -> Void, open: @escaping Opener
  ) throws(AuricleError) {
    (self.socket, self.raise, self.open) = (socket, raise, open)
    reports = try UnitReports()
    LinkMonitor.shared.watch(reports.bell) { [self] in
      for report in reports.removeAll() { send(report, UnitProcessWords.changedByItself) }
      return true
    }
  }

  private func send(_ report: UnitReport, _ kind: UInt16) {
    _ = send(LinkMessage(kind, report.bytes))
  }

  /// Serves requests until nobody sends any.
  package func run() {
    while let message = try? socket.receive() {
      let reply = answer(message)
      guard send(LinkMessage(message.kind, number: message.number, reply)) else { return }
    }
  }

  private func send(_ message: LinkMessage) -> Bool {
    sending.withLock { _ in
      (try? socket.send(message)) != nil
    }
  }

  private static func reply(_ status: OSStatus, _ latency: Double = 0) -> MessageWriter {
    var writer = MessageWriter()
    writer.add(status)
    writer.add(latency)
    return writer
  }

  private func answer(_ message: LinkMessage) -> [UInt8] {
    var files = message.files
    defer { files.forEach { close($0) } }
    var reader = MessageReader(message.bytes)
    guard let number = reader.next(UInt32.self) else { return Self.reply(kAudio_ParamError).bytes }
    if message.kind == UnitRequest.open { return openUnit(number, reader.nextText() ?? "") }
    if message.kind == UnitRequest.join { return joinUnits(number, &reader) }
    guard let unit = units[number] else { return Self.reply(kAudio_ParamError).bytes }
    switch message.kind {
    case UnitRequest.initialize:
      let (status, form) = unit.initialize()
      var writer = Self.reply(status, unit.unit.latency)
      writer.add(form)
      return writer.bytes
    case UnitRequest.connect:
      guard let form = reader.next(AuricleLinkForm.self), let isRealTime = reader.nextFlag(),
        let sources = reader.next(UInt64.self), let file = files.popLast(),
        let memory = try? LinkMemory(received: file, form)
      else { return Self.reply(kAudio_ParamError).bytes }
      let nothing: @Sendable () -> Void = {}
      return Self.reply(unit.connect(memory, sources, isRealTime ? raise : nothing)).bytes
    case UnitRequest.close:
      units[number] = nil
      return Self.reply(0).bytes
    default: return call(unit, message)
    }
  }

  /// Has units rendered in one turn: the first number, then those of the rest.
  private func joinUnits(_ first: UInt32, _ reader: inout MessageReader) -> [UInt8] {
    var found = [units[first]]
    while found.count < units.count, let number = reader.next(UInt32.self) {
      found.append(units[number])
    }
    let joined = found.compactMap(\.self)
    let isJoined =
      reader.left == 0 && joined.count == found.count
      && Set(joined.map(\.number)).count == joined.count
      && ServedUnit.join(joined)
    return Self.reply(isJoined ? 0 : kAudio_ParamError).bytes
  }

  private func openUnit(_ number: UInt32, _ name: String) -> [UInt8] {
    do {
      let made = try open(name)
      let served = ServedUnit(number: number, made, reports: reports) { [self] in
        send($0, UnitProcessWords.changed)
      }
      guard let served else { return Self.reply(kAudio_MemFullError).bytes }
      units[number] = served
      var writer = Self.reply(0, made.latency)
      unsafe writer.add(AuricleServedSelectors(served.calls))
      return writer.bytes
    } catch {
      let failure = error as? AuricleError
      let status = failure?.status ?? kAudio_ParamError
      var writer = Self.reply(status == 0 ? kAudio_ParamError : status)
      writer.add(failure?.message ?? "")
      return writer.bytes
    }
  }

  private func call(_ unit: ServedUnit, _ message: LinkMessage) -> [UInt8] {
    if message.kind == UInt16(kAuricleUnitRequest_Uninitialize) { unit.stop() }
    var reply = unsafe AuricleLinkBytes()
    defer { unsafe AuricleLinkBytesFree(&reply) }
    let rest = Array(message.bytes.dropFirst(4))
    unit.during(.instantiate) {
      unsafe AuricleServedCall(unit.calls, message.kind, rest, rest.count, &reply)
    }
    return unsafe Array(UnsafeBufferPointer(start: reply.bytes, count: reply.count))
  }
}
