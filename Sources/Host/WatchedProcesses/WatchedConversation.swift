// Frames to and from a child process, which is ended when it shows no sign of life.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc
import HostSystem
import PlugInGuard

/// Seconds without a sign of life after which a child is ended.
package struct StallLimits: Sendable {
  /// While a unit renders.
  package var stall = 10.0
  /// While units are opened, initialised, reset and closed, and between.
  package var open = 30.0
  /// While files are read.
  package var transfer = 120.0

  /// The usual limits.
  ///
  /// - Parameter stall: Seconds while a unit renders, of which opening may need three times as many; nil for the usual.
  package init(stall: Double? = nil) {
    guard let stall else { return }
    self.stall = stall
    open = max(3 * stall, 1)
  }

  func seconds(in phase: WorkPhase) -> Double {
    switch phase {
    case .render: stall
    case .load, .instantiate, .initialize, .reset, .close: open
    case .idle, .prepare: max(open, 30)
    case .read, .write, .verify: transfer
    }
  }
}

/// The parent's side of a child. Context: one control thread.
package final class WatchedConversation {
  /// The child.
  package let process: WatchedProcess
  private let limits: StallLimits
  private let shouldStop: () -> Bool
  private let report: (String) -> Void
  private var received: [UInt8] = []
  /// Whether the child sends nothing more.
  private var isOver = false
  /// The unit that ended it or hangs in it, and how; empty for none.
  package private(set) var failureText = ""
  /// The remedy for the failure.
  package private(set) var remedy = "leave it out"
  private var progress: UInt64 = 0
  private var lastSign = ContinuousClock.now
  private var lastRound = ContinuousClock.now

  /// A time in which nobody can have asked: this process was stopped, or the machine slept.
  private static let longestRound = Duration.seconds(2)
  /// The time in which a child closes its units when it is asked to.
  private static let closingTime = Duration.seconds(1)

  /// Starts a child.
  ///
  /// - Parameters:
  ///   - arguments: The words behind the program's name.
  ///   - sound: Shared memory for the child; nil for none.
  ///   - shouldStop: Asked often; true ends all waiting.
  ///   - onPrint: Receives each line that the child prints.
  package init(
    arguments: [String], sound: Int32? = nil, limits: StallLimits,
    shouldStop: @escaping () -> Bool, onPrint: @escaping (String) -> Void
  ) throws(AuricleError) {
    process = try WatchedProcess(arguments: arguments, output: .kept, sound: sound)
    _ = fcntl(process.socket, F_SETFL, O_NONBLOCK)
    self.limits = limits
    self.shouldStop = shouldStop
    report = onPrint
  }

  /// Sends a frame.
  ///
  /// - Throws: As `next`.
  package func send(_ kind: UInt8, _ bytes: [UInt8] = []) throws(AuricleError) {
    let frame = WatchedFrame.encoded(kind, bytes)
    var sent = 0
    beginWaiting()
    while sent < frame.count {
      let count = unsafe frame.withUnsafeBytes { raw in
        unsafe Glibc.send(
          process.socket, raw.baseAddress.map { unsafe $0 + sent }, raw.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      if count > 0 { sent += count }
      if count < 0, errno != EAGAIN, errno != EINTR { throw failure() }
      guard sent < frame.count else { break }
      // Its answers in this time must not keep it from reading.
      try wait(POLLOUT, milliseconds: 50)
    }
  }

  /// Waits for the next frame.
  ///
  /// - Parameter seconds: The longest time, even with signs of life; nil for any time.
  /// - Throws: `.software` with the unit's name where it crashed, ended its process or hangs, `.interrupted`.
  package func next(atMost seconds: Double? = nil) throws(AuricleError) -> WatchedFrame {
    beginWaiting()
    let start = lastSign
    while true {
      if let frame = try removeFrame() { return frame }
      if let seconds, ContinuousClock.now - start > .seconds(seconds) {
        throw hang(afterSeconds: seconds)
      }
      try wait(0, milliseconds: 50)
    }
  }

  /// The next frame that is there; nil for none. Throws as `next`, but knows no limit of time.
  package func poll() throws(AuricleError) -> WatchedFrame? {
    if let frame = try removeFrame() { return frame }
    printNews()
    receive()
    return try removeFrame()
  }

  private func removeFrame() throws(AuricleError) -> WatchedFrame? {
    do throws(WatchedFrame.Fault) {
      if let frame = try WatchedFrame.removeFirst(of: &received) { return frame }
    } catch {
      failureText = "\(culprit) writes into files that are not its own"
      process.end(within: .zero)
      throw failureError
    }
    if isOver { throw failure() }
    return nil
  }

  private func wait(_ events: Int32, milliseconds: Int32) throws(AuricleError) {
    if shouldStop() { throw AuricleError(.interrupted, "interrupted") }
    pause(events, milliseconds: milliseconds)
    printNews()
    receive()
    if isStalled { throw hang(afterSeconds: limits.seconds(in: process.signs.phase)) }
  }

  /// Waits until the child sends or prints, or its socket has the other events.
  private func pause(_ events: Int32 = 0, milliseconds: Int32) {
    var entries = process.sources.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    entries[0].events |= Int16(events)
    _ = unsafe Glibc.poll(&entries, nfds_t(entries.count), milliseconds)
  }

  /// Reads all that waits. Bytes from before the end of a child are read before the end is noticed.
  private func receive() {
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(process.socket, &block, block.count)
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      guard count > 0 else {
        isOver = true
        return
      }
      received += block[0..<count]
    }
  }

  private func printNews() { process.newLines().forEach(report) }

  private func beginWaiting() {
    lastSign = .now
    lastRound = .now
  }

  private var isStalled: Bool {
    let now = ContinuousClock.now
    if now - lastRound > Self.longestRound { lastSign += now - lastRound }
    lastRound = now
    let signs = process.signs
    if signs.progress != progress { (progress, lastSign) = (signs.progress, now) }
    return now - lastSign > .seconds(limits.seconds(in: signs.phase))
  }

  // MARK: Ends

  /// The unit at work, or the chain.
  package var culprit: String { process.unitAtWork ?? "the chain" }

  /// Names the unit of a child that ended by itself.
  private func failure() -> AuricleError {
    guard failureText.isEmpty else { return failureError }
    let culprit = culprit
    let end = process.end(within: .milliseconds(500))
    printNews()
    failureText = "\(culprit) \(end.text)"
    return failureError
  }

  /// Ends a child that hangs, and names the unit.
  package func hang(afterSeconds seconds: Double) -> AuricleError {
    let unit = process.unitAtWork
    process.end(within: .zero)
    let number = Int(seconds.rounded(.up))
    let time = "did not answer for \(number) \(number == 1 ? "second" : "seconds")"
    failureText = unit.map { "\($0) \(time) (--stall-limit)" } ?? "the process of the chain \(time)"
    if unit == nil { remedy = "try it when the machine is less busy" }
    return failureError
  }

  private var failureError: AuricleError { AuricleError(.software, "\(failureText): \(remedy)") }

  /// Asks the child to close its units, and ends it.
  ///
  /// - Parameters:
  ///   - kind: The frame that asks for it.
  ///   - done: The frame that the child sends last.
  ///   - isHurried: Whether it gets a second for it.
  ///   - onFrame: Called with each other frame that comes meanwhile.
  /// - Throws: `.software` with the unit that crashed or hangs; nothing where it is hurried.
  package func finish(
    asking kind: UInt8, done: UInt8, isHurried: Bool, onFrame: (WatchedFrame) -> Void = { _ in }
  ) throws(AuricleError) {
    if isHurried {
      try? send(kind)
      let deadline = ContinuousClock.now + Self.closingTime
      while true {
        if let frame = try? poll() {
          if frame.kind == done { break }
          onFrame(frame)
          continue
        }
        let left = (deadline - ContinuousClock.now) / .milliseconds(1)
        guard !isOver, !process.hasEnded, left > 0 else { break }
        pause(milliseconds: Int32(left.rounded(.up)))
      }
      process.end(within: .zero)
      return
    }
    try send(kind)
    while true {
      let frame = try next()
      if frame.kind == done { break }
      onFrame(frame)
    }
    printNews()
    process.end(within: Self.closingTime)
  }
}
