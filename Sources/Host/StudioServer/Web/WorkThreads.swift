// Threads for what blocks: the tasks of the server never wait for a process or a disk.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import HostSystem

/// Runs work that blocks, and hands its result to a task.
enum WorkThreads {
  /// For a machine that refuses more threads. A queue alone has as many threads as there are processors, and adds one
  /// a second while they block: requests would wait for others.
  private static let queue = DispatchQueue(label: "studio work", attributes: .concurrent)

  /// Runs a body on a thread that may block.
  static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      start { continuation.resume(returning: body()) }
    }
  }

  /// Runs a body on a separate thread, which lives as long as the processes that it starts.
  static func start(_ body: @escaping @Sendable () -> Void) {
    if let thread = startThread(body) { pthread_detach(thread) } else { queue.async(execute: body) }
  }
}
