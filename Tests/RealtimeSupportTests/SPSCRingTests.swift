// The ring between two threads: order, all or nothing, wrapping, two real threads.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealtimeSupport
import TestSupport
import Testing

private struct Event: BitwiseCopyable, Equatable {
  var id: UInt32
  var value: Float
  var offset: UInt64
}

@Suite struct SPSCRingTests {
  @Test(arguments: [(0, 16), (-5, 16), (16, 16), (17, 32), (1000, 1024)])
  func capacityIsAPowerOfTwo(minimum: Int, capacity: Int) {
    #expect(SPSCRing(minimumCapacity: minimum).capacity == capacity)
  }

  @Test func acceptsAllOrNothing() {
    let ring = SPSCRing(minimumCapacity: 16)
    let (producer, consumer) = (ring.producer, ring.consumer)
    #expect(producer.availableToWrite == 16 && consumer.availableToRead == 0)
    #expect(producer.push(UInt64(1)))
    #expect(producer.push(UInt32(2)))
    #expect(!producer.push(UInt64(3)), "four bytes are left")
    #expect(consumer.availableToRead == 12)
    var long: UInt64 = 0
    #expect(consumer.pop(&long) && long == 1)
    #expect(!consumer.pop(&long) && long == 1, "four bytes are there")
    var short: UInt32 = 0
    #expect(consumer.pop(&short) && short == 2)
    #expect(consumer.availableToRead == 0 && producer.availableToWrite == 16)
  }

  @Test func negativeCountsAreRefused() {
    let ring = SPSCRing(minimumCapacity: 16)
    var byte: UInt8 = 1
    unsafe #expect(!ring.producer.write(&byte, count: -1))
    unsafe #expect(!ring.consumer.read(into: &byte, count: -1))
  }

  @Test func bytesComeOutAsTheyWentInWhateverTheSizes() {
    var random = SeededGenerator(seed: 0x51_4E6)
    let ring = SPSCRing(minimumCapacity: 128)
    var sent: [UInt8] = []
    var received: [UInt8] = []
    for _ in 0..<5_000 {
      let count = Int(random.next() % 130)
      let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let fits = count <= ring.producer.availableToWrite
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe buffer.baseAddress.map { unsafe ring.producer.write($0, count: count) } ?? fits
      }
      #expect(written == fits)
      if written { sent += bytes }
      let wanted = Int(random.next() % 130)
      var into = [UInt8](repeating: 0, count: max(1, wanted))
      let isThere = wanted <= ring.consumer.availableToRead
      let read = unsafe into.withUnsafeMutableBytes { buffer in
        unsafe buffer.baseAddress.map { unsafe ring.consumer.read(into: $0, count: wanted) }
          ?? false
      }
      #expect(read == isThere)
      if read { received += into.prefix(wanted) }
    }
    #expect(received == Array(sent.prefix(received.count)))
    #expect(sent.count - received.count == ring.consumer.availableToRead)
  }

  @Test func twoThreadsLoseNothing() {
    let ring = SPSCRing(minimumCapacity: 256)
    let producer = ring.producer
    let consumer = ring.consumer
    let total: UInt32 = 100_000
    let thread = Thread {
      var next: UInt32 = 0
      while next < total {
        let event = Event(id: next, value: Float(next) * 0.5, offset: UInt64(next) * 7)
        if producer.push(event) { next += 1 } else { sched_yield() }
      }
    }
    thread.start()
    var expected: UInt32 = 0
    var wrong = 0
    var event = Event(id: 0, value: 0, offset: 0)
    while expected < total {
      guard consumer.pop(&event) else {
        sched_yield()
        continue
      }
      let right = Event(id: expected, value: Float(expected) * 0.5, offset: UInt64(expected) * 7)
      if event != right { wrong += 1 }
      expected += 1
    }
    #expect(wrong == 0)
    #expect(consumer.availableToRead == 0)
  }
}
