// The work of a queue that one thread does at a time, and the callbacks that come of it.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MacSystem
import Synchronization

extension Queue {
  /// Runs a body that only one thread runs at a time; callbacks that it causes run afterwards, under no lock.
  func working<Value>(_ body: () -> Value) -> Value {
    let value = work.withLock { _ in
      worker.store(UInt(pthread_self()), ordering: .relaxed)
      defer { worker.store(0, ordering: .relaxed) }
      return body()
    }
    callLate()
    return value
  }

  /// Runs the callbacks that wait, one after another in their order: one thread at a time.
  private func callLate() {
    let isCaller = late.withLock { late -> Bool in
      defer { late.isCalling = true }
      return !late.isCalling
    }
    guard isCaller else { return }
    while true {
      let isDisposed = state.withLock { $0.isDisposed }
      let next = late.withLock { late -> CallbackDelivery.Work? in
        guard !isDisposed, !late.calls.isEmpty else {
          late = ([], false)
          return nil
        }
        return late.calls.removeFirst()
      }
      guard let next else { return }
      delivery.run(next)
    }
  }

  /// Has a callback run where callbacks run, under no lock.
  func deliver(_ call: @escaping CallbackDelivery.Work) {
    guard worker.load(ordering: .relaxed) == UInt(pthread_self()) else {
      return delivery.run(call)
    }
    late.withLock { $0.calls.append(call) }
  }
}
