// The limits of a child process that reads or opens foreign code, and what it sends within them.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem

extension WatchedProcess {
  /// Begins another work of the child, which has its time anew.
  package func beginWork() {
    workStart = .now
    waitedBefore = ProcessFacts.waitingTime(of: id) ?? 0
  }

  /// Seconds of its present work, without those in which others had the processor.
  package var usedSeconds: Double {
    let passed = (ContinuousClock.now - workStart) / .seconds(1)
    return passed - max(0, (ProcessFacts.waitingTime(of: id) ?? 0) - waitedBefore)
  }

  /// The limit that it has passed; nil for none.
  package func excess(of limits: ProcessLimits) -> ProcessLimits.Excess? {
    let passed = (ContinuousClock.now - workStart) / .seconds(1)
    if usedSeconds > limits.seconds || passed > 12 * limits.seconds { return .seconds }
    if printedCount > limits.output { return .output }
    if let memory = limits.memory, ProcessFacts.memory(of: id, above: memory) != nil {
      return .memory
    }
    return nil
  }

  /// The bytes that it sent and nobody received yet; nil when it sends nothing more.
  package func receive() -> [UInt8]? {
    var block = [UInt8](repeating: 0, count: 65_536)
    let count = retrying { unsafe recv(socket, &block, block.count, Int32(MSG_DONTWAIT)) }
    if count < 0, errno == EAGAIN { return [] }
    return count > 0 ? Array(block[0..<count]) : nil
  }

  /// Receives all that it sends until its end, or until a limit is passed.
  ///
  /// - Parameter receive: Receives bytes; false when the rest is not awaited.
  /// - Returns: The limit.
  package func collect(
    _ limits: ProcessLimits, _ receive: ([UInt8]) -> Bool
  ) -> ProcessLimits.Excess? {
    var sentCount = 0
    var sends = true
    while true {
      // Before the socket is found empty, or its last bytes would be lost: programs that it started may hold that.
      let isOver = hasEnded
      _ = newLines()
      while sends {
        guard let bytes = self.receive() else {
          sends = false
          break
        }
        guard !bytes.isEmpty else { break }
        sentCount += bytes.count
        guard sentCount <= ProcessLimits.mostSent else { return .output }
        guard receive(bytes) else { return nil }
      }
      if isOver { return nil }
      if let excess = excess(of: limits) { return excess }
      var entries = ((sends ? [socket] : []) + sources.dropFirst() + [handle]).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      // Memory and time that are used up are no events.
      _ = unsafe poll(&entries, nfds_t(entries.count), 50)
    }
  }
}
