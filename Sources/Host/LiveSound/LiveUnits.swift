// The units of a live chain that run in other processes.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import DeviceSound
import HostSystem
import IsolatedUnits
import Synchronization
import WatchedProcesses

/// Units in other processes, for the one that renders. Context: control.
final class LiveUnits {
  let units: IsolatedUnits
  /// The time of slices, which the render thread sets.
  let clock: SliceClock
  private let said = Said()

  /// The sentences that nobody took yet.
  private final class Said: Sendable {
    private let sentences = Mutex<[String]>([])
    func withLock<Result>(_ body: (inout sending [String]) -> sending Result) -> sending Result {
      sentences.withLock(body)
    }
  }

  /// Removes the sentences about what happened since the last call.
  func removeSentences() -> [String] {
    said.withLock { sentences in
      defer { sentences = [] }
      return sentences
    }
  }

  /// Begins the process that starts others; nil where none is wanted.
  ///
  /// - Throws: What the system has no more of.
  ///
  /// Context: control, in front of the sandbox, on a thread that lives as long as the process.
  init?(_ setup: LiveSetup) throws(AuricleError) {
    guard let grouping = IsolationGrouping(rawValue: setup.isolate), grouping != .none,
      setup.task.hasChain
    else { return nil }
    guard let clock = SliceClock() else { throw systemError(12, "make", "memory for live sound") }
    self.clock = clock
    var options = IsolationOptions()
    options.grouping = grouping
    options.isPipelined = setup.isPipelined
    options.clock = clock
    let said = said
    options.say = { sentence in said.withLock { $0.append(sentence) } }
    units = IsolatedUnits(try UnitStarter(task: setup.task.bytes), options)
  }

  /// The figures of each process, as `stats` has them; times are in microseconds.
  var figures: [String] {
    units.figures.enumerated().flatMap { index, figures in
      let process = "process\(index + 1)"
      let names = figures.names.map { $0.replacing("=", with: "-") }.joined(separator: "+")
      return [
        LiveCommand.quoted("\(process)=\(names)"), "\(process).median=\(figures.median / 1000)",
        "\(process).longest=\(figures.longest / 1000)", "\(process).misses=\(figures.misses)",
        "\(process).deaths=\(figures.deaths)", "\(process).restarts=\(figures.restarts)",
        "\(process).turns=\(figures.turns)", "\(process).states=\(figures.states)",
      ]
    }
  }
}
