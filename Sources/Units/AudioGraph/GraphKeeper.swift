// The care for a graph that someone else pulls: alignment when latencies change, freed plans.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A thread that checks a graph a few times a second while it is initialised.
///
/// A unit may report a new latency on the render thread, or know it only after it rendered. Memory
/// can be freed only when the render thread has left it. Neither may be done by render code.
///
/// @unchecked Sendable because the flag is atomic, the graph acquires its own lock, and the thread
/// is started and joined by the graph's owner.
final class GraphKeeper: @unchecked Sendable {
  private let isRunning = Atomic<Bool>(true)
  private weak var graph: AudioUnitGraph?
  private var thread = pthread_t()

  /// Microseconds between two checks.
  private static let pause: UInt32 = 20_000

  init?(_ graph: AudioUnitGraph) {
    self.graph = graph
    let reference = unsafe Unmanaged.passRetained(self).toOpaque()
    let status = unsafe pthread_create(
      &thread, nil,
      { reference in
        guard let reference = unsafe reference else { return nil }
        unsafe Unmanaged<GraphKeeper>.fromOpaque(reference).takeRetainedValue().run()
        return nil
      }, reference)
    if status != 0 {
      unsafe Unmanaged<GraphKeeper>.fromOpaque(reference).release()
      return nil
    }
    pthread_detach(thread)
  }

  /// Has the thread end soon; it does nothing more to the graph once it has the lock.
  func stop() { isRunning.store(false, ordering: .releasing) }

  private func run() {
    while isRunning.load(ordering: .acquiring) {
      // Units report new latencies by their values alone, and the render thread posts nothing.
      usleep(Self.pause)
      guard isRunning.load(ordering: .acquiring) else { return }
      guard let graph else { return }
      graph.follow(asksAll: true)
    }
  }
}
