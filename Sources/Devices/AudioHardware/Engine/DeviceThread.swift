// The thread that owns a device.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc
import HostSystem
import RealtimeSupport
import Synchronization

/// A thread that runs an engine from its begin to its end.
///
/// @unchecked Sendable because the engine is the thread's alone from start to join, and the rest is atomic or
/// fixed.
package final class DeviceThread: @unchecked Sendable {
  /// The engine that the thread runs.
  package let engine: DeviceEngine
  private let onEnd: @Sendable (EngineEnd) -> Void
  private var thread: pthread_t?
  private var result = EngineEnd.stopped
  private let hasEnded = Atomic<Bool>(false)
  private let priorityCode = Atomic<Int>(0)
  /// Posted when the priority is known, and at the end.
  private let progress = RenderSignal()

  /// Makes a thread that does not run yet.
  ///
  /// - Parameter onEnd: Called on the thread when the device has ended, for any reason.
  package init(_ engine: DeviceEngine, onEnd: @escaping @Sendable (EngineEnd) -> Void = { _ in }) {
    self.engine = engine
    self.onEnd = onEnd
  }

  // A thread that ended by itself, and for which nobody waits, is detached.
  deinit { if let thread { pthread_detach(thread) } }

  /// Starts it.
  ///
  /// - Throws: `.temporary` where the system has no thread left.
  ///
  /// Context: control.
  package func start() throws(AuricleError) {
    guard let made = startThread(letting: [SIGXCPU], { self.run() }) else {
      throw AuricleError(
        .temporary, "the device's thread cannot be started: the system has no thread left")
    }
    thread = made
  }

  private func run() {
    if engine.isRealTime {
      priorityCode.store(RealtimePriority.raise().rawValue, ordering: .releasing)
      progress.post()
    }
    result = engine.run()
    hasEnded.store(true, ordering: .releasing)
    progress.post()
    onEnd(result)
  }

  /// The priority of the thread; nil before it asked. Context: any.
  package var priority: RealtimePriority? {
    RealtimePriority(rawValue: priorityCode.load(ordering: .acquiring))
  }

  /// Waits a second at most until its priority is known. Context: control.
  package func waitForPriority() {
    progress.wait(nanoseconds: 1_000_000_000) { priority != nil || isOver }
  }

  /// Whether it has come to its end. Context: any.
  package var isOver: Bool { hasEnded.load(ordering: .acquiring) }

  /// Waits for its end, and returns the reason. Context: control, once; never its own thread.
  @discardableResult package func join() -> EngineEnd {
    if let thread, pthread_equal(thread, pthread_self()) == 0 {
      pthread_join(thread, nil)
      self.thread = nil
    }
    return result
  }

  /// Whether the caller is on this thread. Context: any.
  package var isCurrent: Bool { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }

  /// Asks it to stop, and waits; does not wait on the thread itself. Context: any.
  ///
  /// - Parameter drains: Whether the device's buffer is played first.
  @discardableResult package func stop(drains: Bool = false) -> EngineEnd {
    engine.requestStop(drains: drains)
    return join()
  }
}
