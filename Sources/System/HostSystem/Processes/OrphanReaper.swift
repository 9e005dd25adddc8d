// Processes that units started and that outlive their worker: none of them outlives the run.
// SPDX-License-Identifier: Apache-2.0

package import CHostSystem
import Glibc

/// Takes in what is left of workers: processes that left the group of theirs, as daemons do.
///
/// As long as this lives, descendants of this process whose parents end become its own children.
/// Meanwhile this process must start nothing but workers. Context: control.
package final class OrphanReaper {
  /// How long it is tried to end them: who starts others all the time could go on for ever.
  private static let longestEnd = Duration.seconds(1)

  private let isAdopting: Bool
  private let wasAdopting: Bool

  /// Begins; without effect where the kernel does not tell children, where there are some already,
  /// whose own could not be told from those of workers, and in the first process of a container,
  /// which all orphans come to and which takes them along.
  package init() {
    isAdopting = getpid() != 1 && ProcessFacts.children()?.isEmpty == true
    wasAdopting = isAdopting && AuricleAdoptOrphans(true)
  }

  deinit { if isAdopting { _ = AuricleAdoptOrphans(wasAdopting) } }

  /// Ends the processes that were taken in, but for those that a worker which is still at work may
  /// have started and may need.
  package func reap(sparing workers: [pid_t]) {
    guard isAdopting else { return }
    let known = Set(workers)
    let oldest = workers.compactMap { ProcessFacts.startTime(of: $0) }.min()
    let deadline = ContinuousClock.now + Self.longestEnd
    while true {
      var isLeft = false
      for id in ProcessFacts.children() ?? [] where !known.contains(id) {
        if waitpid(id, nil, WNOHANG) == id { continue }
        if let oldest, let start = ProcessFacts.startTime(of: id), start >= oldest { continue }
        // Its own children come here when it is gone.
        kill(id, SIGKILL)
        isLeft = true
      }
      guard isLeft, ContinuousClock.now < deadline else { return }
      usleep(1000)
    }
  }
}
