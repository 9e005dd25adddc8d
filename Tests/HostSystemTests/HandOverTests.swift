// Work that is handed over through shared memory: in order, at most once, and noticed when it does not come.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import Glibc
import HostSystem
import Testing

@Suite struct HandOverTests {
  /// The words between a client and a server, which share their addresses here.
  @safe private final class Words: @unchecked Sendable {
    let shared = UnsafeMutablePointer<AuricleHandOver>.allocate(capacity: 1)
    /// Sums of the requested numbers, in order.
    var served: [UInt32] = []

    init() { unsafe shared.initialize(to: AuricleHandOver()) }
    deinit { unsafe shared.deallocate() }
  }

  @Test func theWordsAreWhereOtherLanguagesExpectThem() {
    #expect(MemoryLayout<AuricleHandOver>.size == 64)
    #expect(MemoryLayout<AuricleHandOver>.offset(of: \.answer) == 4)
    #expect(MemoryLayout<AuricleHandOver>.offset(of: \.count) == 12)
    #expect(MemoryLayout<AuricleHandOver>.offset(of: \.outcome) == 16)
    #expect(MemoryLayout<AuricleHandOver>.offset(of: \.clientWaits) == 28)
  }

  @Test func requestsAreAnsweredInOrder() throws {
    let words = Words()
    let server = startThread {
      var seen: UInt32 = 0
      while true {
        guard unsafe AuricleHandOverAwaitRequest(words.shared, seen, 50_000_000) else { continue }
        seen = unsafe AuricleHandOverLast(words.shared)
        let (kind, count) = unsafe (words.shared.pointee.kind, words.shared.pointee.count)
        words.served.append(count)
        unsafe words.shared.pointee.detail = 3 &* count
        unsafe AuricleHandOverAnswer(words.shared, seen)
        if kind == 1 { return }
      }
    }
    for count: UInt32 in 0..<2000 {
      let number = unsafe AuricleHandOverPost(words.shared, count == 1999 ? 1 : 0, count)
      #expect(number == count + 1)
      while unsafe !AuricleHandOverAwaitAnswer(words.shared, number, 1_000_000_000) {}
      #expect(unsafe words.shared.pointee.detail == 3 * count)
    }
    pthread_join(try #require(server), nil)
    #expect(words.served == Array(0..<2000))
  }

  @Test func aMissingSideIsNoticed() {
    let words = Words()
    #expect(unsafe !AuricleHandOverAwaitRequest(words.shared, 0, 1000))
    let number = unsafe AuricleHandOverPost(words.shared, 0, 5)
    #expect(unsafe !AuricleHandOverAwaitAnswer(words.shared, number, 1000))
    // Another number than the one that was asked for is no answer.
    unsafe AuricleHandOverAnswer(words.shared, number &+ 7)
    #expect(unsafe !AuricleHandOverAwaitAnswer(words.shared, number, 100_000))
    unsafe AuricleHandOverAnswer(words.shared, number)
    #expect(unsafe AuricleHandOverAwaitAnswer(words.shared, number, 1000))
  }
}
