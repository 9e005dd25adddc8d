// Starts worker processes, waits for them, and removes their leftovers.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CHostSystem
import Glibc
import HostSystem

/// Starts workers as processes.
final class ProcessLauncher: WorkerLauncher {
  private let program: String
  private let arguments: [String]
  /// The folder that holds each worker's scratch folder; nil for none.
  private let scratchFolder: String?
  private var reaper: OrphanReaper?

  /// Starts workers as this program with these arguments, followed by this process's id.
  init(program: String, arguments: [String], scratchFolder: String?) {
    self.program = program
    self.arguments = arguments + ["\(getpid())"]
    self.scratchFolder = scratchFolder
  }

  func launch() throws(AuricleError) -> any WorkerHandle {
    if reaper == nil { reaper = OrphanReaper() }
    return try WorkerProcess(program: program, arguments: arguments)
  }

  func wait(
    for workers: [any WorkerHandle], or pipe: WakeUpPipe, atMost limit: Duration
  ) -> WorkerActivityList {
    var polls = [pollfd(fd: pipe.descriptor, events: Int16(POLLIN), revents: 0)]
    for worker in workers {
      guard let process = worker as? WorkerProcess else { continue }
      for descriptor in [process.channel.descriptor, process.output] {
        polls.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
      }
    }
    var activity = WorkerActivityList()
    // A signal interrupts this; one that arrives just before is noticed at the next tick.
    let count = unsafe poll(&polls, nfds_t(polls.count), Int32(limit / .milliseconds(1)))
    guard count > 0 else { return activity }
    activity.isWokenUp = polls[0].revents != 0
    activity.speaking = workers.indices.filter { polls[1 + 2 * $0].revents != 0 }
    activity.printing = workers.indices.filter { polls[2 + 2 * $0].revents != 0 }
    return activity
  }

  func cleanUp(sparing workers: [any WorkerHandle]) {
    let alive = workers.map(\.id)
    reaper?.reap(sparing: alive)
    guard let scratchFolder else { return }
    for name in FolderListing.names(in: scratchFolder) {
      guard let id = pid_t(name), !alive.contains(id) else { continue }
      _ = unsafe Path.joining(scratchFolder, name).withFileName { unsafe AuricleRemoveFolder($0) }
    }
  }

  func finish() {
    reaper?.reap(sparing: [])
    reaper = nil
  }
}
