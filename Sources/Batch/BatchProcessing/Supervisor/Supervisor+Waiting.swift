// Waiting for workers and the committer, and hearing them out.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CHostSystem
import Glibc

extension Supervisor {
  /// Waits for workers and the committer, for a tenth of a second at most, and takes what they tell.
  func wait() {
    var polls = [
      pollfd(fd: committer.wake.descriptor, events: Int16(POLLIN), revents: 0)
    ]
    let alive = processes
    for worker in alive {
      polls.append(pollfd(fd: worker.channel.descriptor, events: Int16(POLLIN), revents: 0))
      polls.append(pollfd(fd: worker.words, events: Int16(POLLIN), revents: 0))
    }
    // A signal interrupts this; one that comes just before is seen at the next tick.
    let count = unsafe poll(&polls, nfds_t(polls.count), 100)
    guard count > 0 else { return }
    if polls[0].revents != 0 { takeOutcomes() }
    for (place, worker) in alive.enumerated() {
      if polls[2 + 2 * place].revents != 0 { hear(worker) }
      if polls[1 + 2 * place].revents != 0 { takeMessages(worker) }
    }
  }

  /// Passes on what units print: a few lines a run, each once.
  func hear(_ worker: WorkerProcess) {
    for line in worker.takeWords() where heard.count < Self.mostHeard {
      guard heard.insert(line).inserted else { continue }
      tell(.said(line))
    }
  }

  /// Lines of units that are passed on.
  private static let mostHeard = 20

  private func takeMessages(_ worker: WorkerProcess) {
    while end == nil {
      do throws(WorkerChannel.Failure) {
        let message = try worker.channel.receive(waits: false, takesFiles: false)
        worker.hasSpoken = true
        if worker === examination?.worker {
          handleExaminer(message)
        } else {
          // What was made of another file than the first results must not get a name.
          if message.kind == .finished { lookAtSideFiles() }
          guard end == nil else { return }
          handle(message, of: worker)
        }
      } catch {
        switch error {
        case .empty: break
        case .closed: handleEnd(of: worker, cause: nil)
        // Something in it writes where only the worker does.
        case .garbled: handleEnd(of: worker, cause: Self.senseless)
        }
        return
      }
      guard processes.contains(where: { $0 === worker }) else { return }
    }
  }

  /// Takes what the committer still has to tell, to its end.
  func drain() {
    committer.close()
    while true {
      let hasEnded = committer.hasEnded
      takeOutcomes()
      if hasEnded { return }
      var bell = pollfd(fd: committer.wake.descriptor, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&bell, 1, 1000)
    }
  }
}
