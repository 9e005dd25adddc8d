// Runs a command that opens plug-ins in a child process, under the sandbox and a time limit.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuricleHost
import CommandOutput
import Foundation
import HostSystem
import WatchedProcesses

/// A command that opens plug-ins to report on them.
enum SandboxedCommand {
  /// Runs `body` in a child, which enters the sandbox when it opens its first plug-in.
  ///
  /// - Parameters:
  ///   - files: The files that it reads and writes besides installed ones.
  ///   - timeLimit: The longest time that the child may run.
  static func run(
    _ files: PlugInProcessFiles, timeLimit: Duration = .seconds(120), _ body: () throws -> Void
  ) throws {
    guard !CommandProcess.isChild else {
      HostPlaces().enterSandboxAtFirstPlugIn(files)
      return try body()
    }
    Interruption.install()
    let code = try CommandProcess.run(
      ProgramArguments.words, results: StandardStreams.results,
      timeLimit: timeLimit, shouldStop: { Interruption.isRequested })
    if code != 0 { throw ExitCode(code) }
  }
}
