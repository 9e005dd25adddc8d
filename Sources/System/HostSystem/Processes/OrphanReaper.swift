// Processes that units started and that outlive their worker: none of them outlives the run.
// SPDX-License-Identifier: Apache-2.0

package import CHostSystem
import Glibc

/// Adopts orphans of workers: processes that left their group, as daemons do.
///
/// As long as this lives, descendants of this process whose parents end become its own children.
/// Meanwhile this process must start nothing but workers. Context: control.
package final class OrphanReaper {
  /// The longest time for ending them: a process that starts others all the time could go on for ever.
  private static let longestEnd = Duration.seconds(1)

  private let isAdopting: Bool
  private let wasAdopting: Bool

  /// Begins. Without effect where the kernel does not list children, or where there are some
  /// already, whose children would be indistinguishable from those of workers. Also without effect
  /// in the first process of a container, which adopts all orphans and ends them with itself.
  package init() {
    isAdopting = getpid() != 1 && ProcessFacts.children()?.isEmpty == true
    wasAdopting = isAdopting && AuricleAdoptOrphans(true)
  }

  deinit { if isAdopting { _ = AuricleAdoptOrphans(wasAdopting) } }

  /// Ends the adopted processes, sparing any that a worker at work may have started and may need.
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
      // Children that come later, when their parents are gone, are no event to wait for.
      usleep(1000)
    }
  }
}
