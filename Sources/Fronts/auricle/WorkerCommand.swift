// `auricle run-worker PROCESS`: the process that `auricle process` has its files done by.
// SPDX-License-Identifier: Apache-2.0

import BatchProcessing
import Foundation

/// Does the files that its supervisor sends.
///
/// It is no command of the others' kind: nobody gives it, and to read those takes a third of what it
/// takes to start.
struct WorkerCommand {
  /// The process that started this one.
  private let supervisor: Int32

  /// Nil where the words of the command line are others.
  init?(_ words: [String]) {
    guard words.count == 2, words[0] == "run-worker", let supervisor = Int32(words[1]) else {
      return nil
    }
    self.supervisor = supervisor
  }

  func run() -> Never {
    WorkerProgram.run(supervisor: supervisor) { ChainWorker(setup: $0) }
    // Destructors of plug-ins have nothing to add.
    _exit(0)
  }
}
