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
      Runs every audio file of a folder and of those below it, present or new, once it has stopped \
      growing: its length and time of change have stayed the same for the settle time, and no \
      program is known to have it open for writing. Names that begin with a dot are left alone.

      The ledger of the output folder accounts for every file: after any end, the same command \
      goes on, does nothing twice and loses nothing. A file that is changed later is done again. \
      A file that fails is reported and skipped; auricle status and report show all.

      Ctrl-C or SIGTERM ends it when the files at work are done, and after two seconds in any \
      case: files that are not done by then are done next time. A second one ends it at once.

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
    help: ArgumentHelp("How long a file must be unchanged.", valueName: "seconds"))
  var settle = 2.0

  @Flag(
    help: """
      List the folder again and again, even where the system reports changes, as on local disks.
      """
  )
  var poll = false

  @OptionGroup(title: "Run") var work: WorkArguments

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  @Option(
    help: ArgumentHelp("Print text, or a JSON line for each event.", valueName: "text|json"))
  var format = OutputFormat.text

  @Argument(
    help: ArgumentHelp("The folder to watch.", valueName: "folder"), completion: .directory)
  var folder: String

  func check() throws {
    guard settle.isFinite, (0.1...86_400).contains(settle) else {
      throw ValidationError("--settle takes seconds, from 0.1 to 86400.")
    }
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
    let printer = RunPrinter(format: format, isQuiet: quiet)
    if let outcome = try AuricleInstallation().watch(request, control: printer.control) {
      try printer.end(outcome)
    }
  }
}
