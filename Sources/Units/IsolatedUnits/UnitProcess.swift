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
  /// Whether it has ended, or was given up.
  let isGone = Atomic<Bool>(false)
  /// Whether it has units; one without is a spare.
  let unitCount = Atomic<Int>(0)
  private let onChange: @Sendable (LinkMessage) -> Void
  private let onEnd: @Sendable (UnitProcess) -> Void

  /// The longest wait for a reply: opening a plug-in may read files for long.
  private static let longestReply: Int32 = 30_000

  init(
    _ started: (id: UInt32, socket: LinkSocket),
    onChange: @escaping @Sendable (LinkMessage) -> Void,
    onEnd: @escaping @Sendable (UnitProcess) -> Void
  ) {
    (id, socket) = started
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
    let hasLock: Void? = numbers.withLockIfAvailable { _ in
      do throws(LinkFault) {
        while reports.count < 4096 {
          let message = try socket.receive(milliseconds: 0)
          message.files.forEach { close($0) }
          reports.append(message)
        }
      } catch { isOver = error != .late }
    }
    // A request that is under way reads them.
    if hasLock == nil { usleep(200) }
    reports.forEach(onChange)
    if isOver { abandon() }
    return !isOver
  }
}
