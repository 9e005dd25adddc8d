// Threads that send something to a unit while the test renders it.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// The body of a thread of `withSenders`.
private final class Sender: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// The number of threads that have ended.
private final class Ended: Sendable {
  let count = Atomic<Int>(0)
}

/// Runs `body` on threads of their own with their indices, and `whileSending` on this one, again and
/// again until all of them have ended.
///
/// The threads are not of the pool that tests run on: a test that waits for that pool may wait for
/// all the other tests.
public func withSenders(
  _ count: Int, _ body: @escaping @Sendable (Int) -> Void, whileSending: () throws -> Void
) rethrows {
  let ended = Ended()
  var threads: [pthread_t] = []
  for index in 0..<count {
    var thread = pthread_t()
    let sender = Sender {
      body(index)
      ended.count.add(1, ordering: .releasing)
    }
    unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Sender>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, Unmanaged.passRetained(sender).toOpaque())
    threads.append(thread)
  }
  defer { threads.forEach { pthread_join($0, nil) } }
  repeat { try whileSending() } while ended.count.load(ordering: .acquiring) < count
}
