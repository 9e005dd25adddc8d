// The time of a device's last cycle, for other threads.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Three numbers that one thread publishes together, and that others read together without a lock.
///
/// The numbers are atomic, and a count around them shows a change.
struct CycleTime: ~Copyable {
  /// Odd while the numbers change; 0 before the first.
  private let version = Atomic<UInt>(0)
  private let sample = Atomic<UInt64>(0)
  private let host = Atomic<UInt64>(0)
  private let scalar = Atomic<UInt64>(0)

  /// Publishes the sample time of a cycle, its beginning (ns), and the rate scalar. Context: the device's thread.
  @_noLocks func publish(_ newSample: Double, _ newHost: UInt64, _ newScalar: Double) {
    let before = version.load(ordering: .relaxed)
    version.store(before &+ 1, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    sample.store(newSample.bitPattern, ordering: .relaxed)
    host.store(newHost, ordering: .relaxed)
    scalar.store(newScalar.bitPattern, ordering: .relaxed)
    version.store(before &+ 2, ordering: .releasing)
  }

  /// The numbers of the last cycle; nil before the first. Context: any thread.
  var value: (sample: Double, host: UInt64, scalar: Double)? {
    while true {
      let before = version.load(ordering: .acquiring)
      guard before != 0 else { return nil }
      let found = (
        Double(bitPattern: sample.load(ordering: .relaxed)), host.load(ordering: .relaxed),
        Double(bitPattern: scalar.load(ordering: .relaxed))
      )
      atomicMemoryFence(ordering: .acquiring)
      if before & 1 == 0, version.load(ordering: .relaxed) == before { return found }
    }
  }
}
