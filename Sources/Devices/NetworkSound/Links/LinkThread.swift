// The thread of an end: it waits for datagrams and for a bell that the render thread rings.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import HostSystem
import RealtimeSupport
import Synchronization

/// A bell between a render thread and a network thread.
@safe package struct LinkBell: Sendable {
  /// The end that the network thread waits for, and the other one.
  let descriptor: Int32
  private let other: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    if unsafe pipe(&ends) == 0 {
      for end in ends {
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      }
    }
    (descriptor, other) = (ends[0], ends[1])
  }

  /// Wakes the network thread. Context: any, render included.
  @_noLocks func ring() {
    // Door out of checked code: a byte is written without waiting; a full pipe rings already.
    unsafe _unsafePerformance {
      var one: UInt8 = 1
      unsafe _ = write(other, &one, 1)
    }
  }

  /// Stops its ringing.
  func clear() {
    var bytes = InlineArray<64, UInt8>(repeating: 0)
    unsafe withUnsafeMutableBytes(of: &bytes) {
      while unsafe read(descriptor, $0.baseAddress, $0.count) == $0.count {}
    }
  }

  func close() {
    _ = Glibc.close(descriptor)
    _ = Glibc.close(other)
  }
}

/// The loop of a network thread.
struct LinkLoop {
  let socket: SoundSocket
  let bell: LinkBell
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  private var gate = FloodGate()

  init(_ socket: SoundSocket, _ bell: LinkBell) {
    self.socket = socket
    self.bell = bell
  }

  /// Datagrams that are read before others have their turn.
  private static let mostAtOnce = 256

  /// Waits for datagrams, the bell or a time; passes on the datagrams that are there.
  mutating func wait(until dueTime: UInt64, _ body: ([UInt8], PeerAddress, UInt64) -> Void) {
    var isOpen = true
    var entries = [socket.descriptor, bell.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let begun = RenderClock.nanoseconds()
    let left = (max(dueTime, begun) - begun + 999_999) / 1_000_000
    unsafe _ = poll(&entries, 2, Int32(min(left, 1000)))
    bell.clear()
    for _ in 0..<Self.mostAtOnce {
      let now = RenderClock.nanoseconds()
      isOpen = gate.opens(now)
      guard isOpen, let (bytes, address) = socket.receive(&buffer) else { break }
      body(bytes, address, now)
    }
    if !isOpen {
      // A flood: the system drops what it cannot keep, while this thread waits for the bell alone.
      unsafe _ = poll(&entries[1], 1, 5)
    }
  }
}

/// A thread that ends when it is asked to.
final class LinkThread: Sendable {
  private let isEnding = Atomic(false)
  private let thread = Mutex<UInt?>(nil)

  /// Starts it; false where there can be none.
  func start(_ body: @escaping @Sendable (() -> Bool) -> Void) -> Bool {
    let made = startThread { [self] in body { isEnding.load(ordering: .acquiring) } }
    thread.withLock { $0 = made.map { UInt($0) } }
    return made != nil
  }

  /// Ends it, once it has left its loop.
  func end(_ bell: LinkBell) {
    isEnding.store(true, ordering: .releasing)
    bell.ring()
    if let made = thread.withLock({ $0.take() }) { pthread_join(pthread_t(made), nil) }
  }
}

/// The last refusal of the other end, for other threads.
final class LastRefusal: Sendable {
  private let number = Atomic<UInt8>(0)

  /// The refusal; nil for none.
  var value: SessionRefusal? {
    get { SessionRefusal(rawValue: number.load(ordering: .relaxed)) }
    set { number.store(newValue?.rawValue ?? 0, ordering: .relaxed) }
  }
}
