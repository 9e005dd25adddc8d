// A process for units, as their host sees it: requests and replies over a socket, and its end.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem
import Synchronization
import UnitLink

/// One process for units.
///
/// Context: control, any thread.
final class UnitProcess: Sendable {
  let id: UInt32
  private let socket: LinkSocket
  private let numbers = Mutex<UInt32>(0)
  /// Whether nobody watches for reports until a request that is under way is done.
  private let isUnwatched = Atomic<Bool>(false)
  /// The number that the system has for it; 0 for an unknown one.
  let systemID: Int32
  /// The time of its start.
  let start = ContinuousClock.now
  /// Whether it has ended, or was given up.
  let isGone = Atomic<Bool>(false)
  /// Whether it has units; one without is a spare.
  let unitCount = Atomic<Int>(0)
  private let onChange: @Sendable (LinkMessage) -> Void
  private let onEnd: @Sendable (UnitProcess) -> Void

  /// The longest wait for a reply: opening a plug-in may read files for long.
  private static let longestReply: Int32 = 30_000

  init(
    _ started: UnitStarter.Started,
    onChange: @escaping @Sendable (LinkMessage) -> Void,
    onEnd: @escaping @Sendable (UnitProcess) -> Void
  ) {
    (id, systemID, socket) = (started.id, started.systemID, started.socket)
    (self.onChange, self.onEnd) = (onChange, onEnd)
  }

  /// Begins to notice reports and the end of it.
  func watch() {
    LinkMonitor.shared.watch(socket.descriptor) { [self] in readReports() }
  }

  /// Ends the watching of it.
  func forget() { LinkMonitor.shared.forget(socket.descriptor) }

  /// Sends a request and waits for its reply; nil where there is none any more.
  func request(_ kind: UInt16, _ bytes: [UInt8], files: [Int32] = []) -> [UInt8]? {
    guard !isGone.load(ordering: .acquiring) else { return nil }
    var reports: [LinkMessage] = []
    let reply: [UInt8]? = numbers.withLock { last in
      last &+= 1
      do throws(LinkFault) {
        try socket.send(
          LinkMessage(kind, number: last, bytes, files: files), milliseconds: Self.longestReply)
        while true {
          let message = try socket.receive(milliseconds: Self.longestReply)
          message.files.forEach { close($0) }
          if message.number == last { return message.bytes }
          if reports.count < 4096 { reports.append(message) }
        }
      } catch { return nil }
    }
    if isUnwatched.exchange(false, ordering: .acquiringAndReleasing) { watch() }
    reports.forEach(onChange)
    if reply == nil { abandon() }
    return reply
  }

  /// Has it end, once: nobody waits for it any more.
  func abandon() {
    guard !isGone.exchange(true, ordering: .acquiringAndReleasing) else { return }
    LinkMonitor.shared.forget(socket.descriptor)
    onEnd(self)
  }

  /// Reads reports that nobody waits for; false at the end.
  private func readReports() -> Bool {
    var reports: [LinkMessage] = []
    var isOver = false
    func read() {
      do throws(LinkFault) {
        while reports.count < 4096 {
          let message = try socket.receive(milliseconds: 0)
          message.files.forEach { close($0) }
          reports.append(message)
        }
      } catch { isOver = error != .late }
    }
    if numbers.withLockIfAvailable({ _ in read() }) == nil {
      // A request that is under way reads them, and has them watched again.
      isUnwatched.store(true, ordering: .sequentiallyConsistent)
      guard numbers.withLockIfAvailable({ _ in read() }) != nil else { return false }
      isUnwatched.store(false, ordering: .releasing)
    }
    reports.forEach(onChange)
    if isOver { abandon() }
    return !isOver
  }
}
