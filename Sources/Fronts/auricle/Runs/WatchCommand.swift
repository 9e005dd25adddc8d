// `auricle watch`: runs every new file of a folder through a chain.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuricleHost
import CommandOutput
import Foundation

/// Runs new files through a chain of units.
struct WatchCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Watch a folder, and run its files through a chain of units.",
    discussion: """
      Processes every audio file in a folder and its subfolders, present or new, once it has \
      stopped growing: its size and modification time have not changed for the settle time, and no \
      program is known to have it open for writing. Names that begin with a dot are skipped.

      The ledger of the output folder records every file. After any interruption, the same command \
      continues: no file is lost, and none is done twice. A file that changes later is done again. \
      A file that fails is reported and skipped; auricle status and report show all.

      Ctrl-C or SIGTERM ends the watch when the current files are done, after two seconds at most; \
      the other files are done next time. A second signal ends it at once.

      EXAMPLES:
        auricle watch incoming/ --preset podcast-voice --output done/
        auricle watch incoming/ --preset broadcast-voice --output done/ \\
          --container flac --settle 10
        auricle watch /mnt/in --preset telephone --output done/ --on-exists rename
        auricle status done/
      """)

  @OptionGroup(title: "Chain") var chain: ChainArguments
  @OptionGroup(title: "Results") var output: OutputArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The time for which a file must be unchanged. Default: 2.", valueName: "seconds"),
    transform: NumberRange.decimal(0.1...86_400, "seconds"))
  var settle = 2.0

  @Flag(
    help: "Poll for changes, even where the system reports them."
  )
  var poll = false

  @OptionGroup(title: "Run") var work: WorkArguments

  @OptionGroup var printing: PrintArguments

  @Argument(
    help: ArgumentHelp("The folder to watch.", valueName: "folder"), completion: .directory)
  var folder: String

  func check() throws {
    guard output.output != nil else {
      throw ValidationError("Say where results go: --output FOLDER. A watched folder needs one.")
    }
    try chain.check(changesFiles: output.changesFiles)
    try output.check()
    try work.check()
  }

  func run() throws {
    Interruption.install()
    var request = FolderWatchRequest(
      folder: folder, output: output.output ?? "", chain: try chain.request() ?? .units([]))
    request.settleTime = settle
    request.polls = poll
    request.results = try output.request()
    request.work = work.request
    let printer = printing.printer
    if let outcome = try AuricleInstallation().watch(request, control: printer.control) {
      try printer.end(outcome)
    }
  }
}
