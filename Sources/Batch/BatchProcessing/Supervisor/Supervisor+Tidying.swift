// What workers take and leave: memory that their limits do not count, processes, folders.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import Glibc

extension Supervisor {
  /// How often the memory of a worker is looked at.
  private static let memoryLook = Duration.milliseconds(100)
  /// How often what workers left is looked for.
  private static let tidying = Duration.seconds(1)

  /// Whether a worker has more memory in use than it may.
  ///
  /// What is its own the kernel refuses at the limit; memory that could be shared, and files in memory, it does not count.
  func takesTooMuch(_ worker: WorkerProcess, _ now: ContinuousClock.Instant) -> Bool {
    let limit = options.setup.sandbox.memoryLimit
    guard limit > 0, now - worker.lastMemoryLook > Self.memoryLook else { return false }
    worker.lastMemoryLook = now
    return ProcessFacts.memory(of: worker.id, above: limit) != nil
  }

  /// Now and then removes what workers that have ended left behind.
  func tidy(_ orphans: Orphans) {
    let now = ContinuousClock.now
    guard now - lastTidying > Self.tidying else { return }
    lastTidying = now
    let alive = processes
    orphans.end(sparing: alive)
    guard let scratch = options.setup.sandbox.scratchFolder else { return }
    let kept = Set(alive.map(\.id))
    for name in RunFolder.names(in: scratch) {
      guard let id = pid_t(name), !kept.contains(id) else { continue }
      _ = unsafe AuricleRemoveFolder(Path.joining(scratch, name))
    }
  }
}
