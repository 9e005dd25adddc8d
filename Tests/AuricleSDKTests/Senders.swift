// Threads that send something to a unit while the test renders it.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What a thread of `withSenders` does.
private final class Sender: Sendable {
  let body: @Sendable (Int) -> Void
  let index: Int

  init(_ index: Int, _ body: @escaping @Sendable (Int) -> Void) {
    self.index = index
    self.body = body
  }
}

/// Runs `body` on threads of their own with their indices, and `whileSending` on this one; waits for
/// all of them.
func withSenders(
  _ count: Int, _ body: @escaping @Sendable (Int) -> Void, whileSending: () -> Void
) {
  var threads: [pthread_t] = []
  for index in 0..<count {
    var thread = pthread_t()
    unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        let sender = unsafe Unmanaged<Sender>.fromOpaque(argument).takeRetainedValue()
        sender.body(sender.index)
        return nil
      }, Unmanaged.passRetained(Sender(index, body)).toOpaque())
    threads.append(thread)
  }
  whileSending()
  threads.forEach { pthread_join($0, nil) }
}
