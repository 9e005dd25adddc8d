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
  /// The time between two readings of the child's signs of life.
  private static let signInterval = Duration.seconds(1)

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
  ///   - timeLimit: The longest time that it may run, besides that in which it lists the installed units.
  ///   - shouldStop: Asked often; true ends the child.
  /// - Returns: The exit code.
  /// - Throws: `.software` with the unit's name where one crashed or hung, `.temporary` where it took too long without
  ///   one, `.interrupted`.
  ///
  /// Context: control.
  package static func run(
    _ words: [String], results: Int32, timeLimit: Duration, shouldStop: () -> Bool
  ) throws(AuricleError) -> Int32 {
    let child = try WatchedProcess(arguments: [word] + words, output: .descriptor(results))
    var deadline = ContinuousClock.now + timeLimit
    var progress: UInt64 = 0
    while !child.hasEnded(by: min(deadline, .now + signInterval), shouldStop: shouldStop) {
      if shouldStop() { throw AuricleError(.interrupted, "interrupted: nothing more was done") }
      let signs = child.signs
      if signs.phase == .prepare, signs.progress != progress { deadline = .now + timeLimit }
      progress = signs.progress
      if ContinuousClock.now >= deadline { throw overdue(child, timeLimit) }
    }
    if shouldStop() { throw AuricleError(.interrupted, "interrupted: nothing more was done") }
    let end = child.end(within: .zero)
    if case .exited(let code) = end { return code }
    throw AuricleError(
      .software, "\(child.unitAtWork ?? "the command") \(end.text): leave it out")
  }

  private static func overdue(_ child: WatchedProcess, _ timeLimit: Duration) -> AuricleError {
    let seconds = timeLimit.components.seconds
    guard let unit = child.unitAtWork else {
      return AuricleError(
        .temporary,
        "the command was ended after \(seconds) seconds: run it again when the machine is less busy"
      )
    }
    return AuricleError(.software, "\(unit) was at work for \(seconds) seconds: leave it out")
  }
}
