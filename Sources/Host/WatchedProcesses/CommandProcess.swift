// A command that opens plug-ins, run by a child of the same program: one that crashes or hangs costs a sentence.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc
import HostSystem
import PlugInGuard
import Synchronization

/// The two processes of a command that opens plug-ins.
package enum CommandProcess {
  /// The word in front of the command line of the child.
  private static let word = "run-apart"
  private static let isInChild = Atomic<Bool>(false)

  /// Whether this process is the child.
  package static var isChild: Bool { isInChild.load(ordering: .relaxed) }

  /// Begins a child where the words say so, and returns the words of its command.
  ///
  /// Context: control, once, before other threads are started.
  package static func begin(_ words: [String]) -> [String] {
    guard words.first == word else { return words }
    isInChild.store(true, ordering: .relaxed)
    WatchedProcess.adoptHeartbeat()
    return Array(words.dropFirst())
  }

  /// Runs a command in a child.
  ///
  /// - Parameters:
  ///   - words: The command line, without the program's name.
  ///   - results: The descriptor of its standard output.
  ///   - timeLimit: The longest time that it may run.
  ///   - shouldStop: Asked often; true ends the child.
  /// - Returns: The exit code.
  /// - Throws: `.software` with the unit's name where one crashed or hung, `.interrupted`.
  ///
  /// Context: control.
  package static func run(
    _ words: [String], results: Int32, timeLimit: Duration, shouldStop: () -> Bool
  ) throws(AuricleError) -> Int32 {
    let child = try WatchedProcess(arguments: [word] + words, output: .descriptor(results))
    let isOver = child.hasEnded(by: .now + timeLimit, shouldStop: shouldStop)
    if shouldStop() { throw AuricleError(.interrupted, "nothing more was done") }
    guard isOver else {
      throw AuricleError(
        .software,
        "\(child.unitAtWork ?? "the command") was at work for "
          + "\(timeLimit.components.seconds) seconds: leave it out")
    }
    let end = child.end(within: .zero)
    if case .exited(let code) = end { return code }
    throw AuricleError(
      .software, "\(child.unitAtWork ?? "the command") \(end.text): leave it out")
  }
}
