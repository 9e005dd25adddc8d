// A thread's reports of its work.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import PlugInGuard
import Testing

@Suite struct HeartbeatTests {
  @Test func anotherThreadsWorkIsNotThisOnes() {
    Heartbeat.enter(.render, unit: 3)
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      Heartbeat.enter(.write, unit: Heartbeat.noUnit)
      isDone.signal()
    }
    isDone.wait()
    #expect(Heartbeat.phase == .render)
    Heartbeat.during(.reset, unit: 4) { #expect(Heartbeat.phase == .reset) }
    #expect(Heartbeat.phase == .render)
    Heartbeat.enter(.idle, unit: Heartbeat.noUnit)
  }
}
