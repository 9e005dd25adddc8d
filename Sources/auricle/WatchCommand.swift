// `auricle watch`: every file that comes into a folder, through a chain.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BatchProcessing
import Foundation

/// Runs files through a chain of units as they come.
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Run files through a chain of units as they come into a folder.",
    discussion: """
      Takes every audio file in a folder and in those below it, those that are there and those that \
      come, once it has stopped growing: its length and time of change have stayed the same for the \
      settle time, and no program has it open for writing, as far as that can be told. Names that \
      begin with a dot are left alone.

      Every file is accounted for in the ledger of the output folder: given again after anything at \
      all, the same command goes on, does nothing twice and loses nothing. A file that is changed \
      later is done again. One that fails is told and left; auricle status and report tell of all.

      Ctrl-C or SIGTERM ends it when the files at work are done; a second one at once.

      EXAMPLES:
        auricle watch incoming/ --preset podcast-voice --output done/
        auricle watch incoming/ --preset broadcast-voice --output done/ --container flac --settle 10
        auricle watch /mnt/share/in --preset telephone --output done/ --on-exists rename
        auricle status done/
      """)

  @OptionGroup var chain: ChainArguments
  @OptionGroup var output: OutputArguments

  @Option(
    help: ArgumentHelp("How long a file has to stay as it is; 2 by default.", valueName: "seconds"))
  var settle = 2.0

  @Flag(
    help: "Look for changes again and again even where the system tells of them, as on local disks."
  )
  var poll = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("How many files are done at once; the cores by default.", valueName: "n"))
  var jobs: Int?

  @Flag(inversion: .prefixedNo, help: "Whether folders in the folder are watched.")
  var recursive = true

  @Flag(help: "Begin anew, with files that were done before too.")
  var newRun = false

  @Flag(help: "Make pictures of every file for reports.")
  var pictures = false

  @Option(
    help: ArgumentHelp(
      "The rights of the processes that run plug-ins.", valueName: "strict|compat|off"))
  var sandbox: SandboxArgument?

  @Option(
    help: ArgumentHelp(
      "A file or folder that plug-ins may read. Repeat for more.", valueName: "path")
  )
  var allowRead: [String] = []

  @Flag(help: "Let plug-ins reach the network.")
  var allowNet = false

  @Option(help: ArgumentHelp("The most memory of a worker; 4G by default.", valueName: "size"))
  var memoryLimit: String?

  @Option(
    help: ArgumentHelp(
      "Give a unit up that renders nothing for so long; 10 by default.", valueName: "seconds"))
  var stallLimit: Double?

  @Option(
    help: ArgumentHelp(
      "Give a file up that takes longer; 60 and 50 times its length by default.",
      valueName: "seconds"))
  var timeLimit: Double?

  @Option(
    help: ArgumentHelp(
      "Stop when a unit fails with so many files in a row; 10 by default, 0 for never.",
      valueName: "n"))
  var maxFailures: Int?

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  @Option(
    help: ArgumentHelp("Print results as text, or every event as JSON.", valueName: "text|json"))
  var format = OutputFormat.text

  @Argument(help: ArgumentHelp("The folder to watch.", valueName: "folder"))
  var folder: String

  func validate() throws {
    guard settle.isFinite, (0.1...86_400).contains(settle) else {
      throw ValidationError("--settle takes seconds, from 0.1 to 86400.")
    }
    guard output.output != nil else {
      throw ValidationError("Say where results go: --output FOLDER. A watched folder needs one.")
    }
    try chain.check()
    try output.check()
    try runArguments().check()
  }

  /// The options of a run that has these.
  private func runArguments() throws -> RunArguments {
    var words = recursive ? [] : ["--no-recursive"]
    func add(_ name: String, _ value: String?) { value.map { words += ["--\(name)=\($0)"] } }
    add("jobs", jobs.map(String.init))
    add("sandbox", sandbox?.rawValue)
    for path in allowRead { add("allow-read", path) }
    add("memory-limit", memoryLimit)
    add("stall-limit", stallLimit.map { "\($0)" })
    add("time-limit", timeLimit.map { "\($0)" })
    add("max-failures", maxFailures.map(String.init))
    for (name, isGiven) in [("new-run", newRun), ("pictures", pictures), ("allow-net", allowNet)]
    where isGiven {
      words.append("--" + name)
    }
    return try RunArguments.parse(words)
  }

  func run() throws {
    let session = BatchSession(
      chain: chain, output: output, run: try runArguments(), inputs: [folder], format: format,
      isQuiet: quiet)
    try WatchRun(session: session, folder: folder, settle: settle, polls: poll).go()
  }
}
