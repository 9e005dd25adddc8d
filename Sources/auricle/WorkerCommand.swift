// `auricle run-worker`, hidden: the process that `auricle process` has its files done by.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BatchProcessing
import Foundation

/// Does the files that its supervisor sends.
struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run-worker", abstract: "Process files for another process.",
    shouldDisplay: false)

  @Argument(help: "The process that started this one.")
  var supervisor: Int32

  func run() throws {
    WorkerProgram.run(supervisor: supervisor) { ChainWorker(setup: $0) }
    // Destructors of plug-ins have nothing to add.
    _exit(0)
  }
}
