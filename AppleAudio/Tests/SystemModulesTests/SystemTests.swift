// Logs, locks and signposts.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import OSLog
import Testing
import os.lock
import os.log

struct SystemTests {
  @Test func interpolationsAreFormatted() {
    let logger = Logger(subsystem: "org.example", category: "test")
    let value = 3.14159
    logger.info(
      "\(value, format: .fixed(precision: 2)) \(255, format: .hex, privacy: .public) \("x", privacy: .private)"
    )
    logger.log(
      level: .error, "\(7, format: .decimal(minDigits: 3))\("y", align: .right(columns: 3))")
    os_log("%{public}@ and %d", log: OSLog.default, type: .info, "text", 5)
    os_log(.debug, "nothing")
  }

  @Test func disabledLogsPrintNothing() {
    #expect(!OSLog.disabled.isEnabled(type: .fault))
    #expect(OSLog.default.isEnabled(type: .error))
    func never() -> String {
      Issue.record("a disabled log evaluated its message")
      return ""
    }
    Logger(.disabled).error("\(never())")
  }

  @Test func lockProtectsItsState() {
    let counter = OSAllocatedUnfairLock(initialState: 0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<1_000 { counter.withLock { $0 += 1 } }
    }
    #expect(counter.withLock { $0 } == 8_000)
    let plain = OSAllocatedUnfairLock()
    #expect(plain.lockIfAvailable())
    #expect(!plain.lockIfAvailable())
    plain.unlock()
    var lock = os_unfair_lock_s()
    os_unfair_lock_lock(&lock)
    #expect(!os_unfair_lock_trylock(&lock))
    os_unfair_lock_unlock(&lock)
  }

  @Test func signpostsRunTheirBody() {
    let signposter = OSSignposter(subsystem: "org.example", category: .pointsOfInterest)
    let state = signposter.beginInterval("work", id: signposter.makeSignpostID())
    signposter.emitEvent("event")
    signposter.endInterval("work", state)
    #expect(signposter.withIntervalSignpost("more") { 5 } == 5)
  }
}
