// `auricle submit`: submits the shards of a run to Slurm.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import CommandOutput
import Foundation
import Glibc
import HostSystem
import RunLedgers
import RunReports
import ShardedRuns

/// Submits the shards that are not done.
struct SubmitCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "submit",
    abstract: "Submit the shards of a run to Slurm.",
    discussion: """
      Submits the shards that are not done as an array, with --requeue and a signal two minutes \
      before the time limit; as several arrays if the site limits their size. A shard that exits \
      with 75 is requeued; exit code 4 cancels the array. Prints the numbers of the jobs. \
      Arguments after -- are passed to sbatch.

      EXAMPLES:
        auricle submit out/ --slurm --partition cpu --cpus-per-task 8 --time 2:00:00
        auricle submit out/ --slurm --dry-run
        auricle submit out/ --slurm -- --account speech --nice
      """)

  @OptionGroup var selection: RunSelection

  @Flag(help: "Submit to Slurm, by sbatch.")
  var slurm = false

  @Option(help: ArgumentHelp("Slurm's partition.", valueName: "name"))
  var partition: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Cores of each task, which processes as many files at once.", valueName: "n"),
    transform: NumberRange.whole(1...100_000))
  var cpusPerTask: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The time limit of each task.", valueName: "time"))
  var time: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Memory of each task, such as 8G.", valueName: "size"))
  var memory: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The most tasks that run at once.", valueName: "n"),
    transform: NumberRange.whole(1...100_000))
  var atOnce: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The most requeues of a shard. Default: 3.", valueName: "n"),
    transform: NumberRange.whole(0...1000))
  var requeues = 3

  @Flag(help: "Print the script and the commands, and submit nothing.")
  var dryRun = false

  @Argument(
    parsing: .postTerminator, help: ArgumentHelp("Extra arguments of sbatch.", valueName: "option"))
  var options: [String] = []

  func check() throws {
    guard slurm else { throw ValidationError("Name the scheduler: --slurm.") }
  }

  func run() throws {
    let run = try AuricleInstallation().shardedRun(in: selection.folder, run: selection.run)
    let missing = try run.progress().missing
    guard !missing.isEmpty else { return StandardStreams.writeMessage("every shard is done") }
    var words: [String] = []
    for (name, value) in [
      ("partition", partition), ("cpus-per-task", cpusPerTask.map(String.init)), ("time", time),
      ("mem", memory),
    ] {
      if let value { words.append("--\(name)=\(value)") }
    }
    let array = SlurmArray(
      run, missing: missing, program: run.program, maximumSize: dryRun ? 1001 : try arraySize(),
      requeues: requeues, atOnce: atOnce, options: words + options)
    if dryRun {
      StandardStreams.writeResult(array.script)
      for command in array.commands {
        StandardStreams.writeResult(command.map(Self.quoted).joined(separator: " ") + "\n")
      }
      return
    }
    try write(array.script, to: array.scriptPath)
    for command in array.commands {
      let result = try Self.call(command)
      guard result.code == 0 else {
        throw AuricleError(
          .temporary, "sbatch refused the array (exit code \(result.code)); its message is above")
      }
      StandardStreams.writeResult(result.text)
    }
  }

  /// A word for a shell; of an option, its value.
  private static func quoted(_ word: String) -> String {
    guard word.hasPrefix("-") else { return ShellWord.quoted(word) }
    guard let equals = word.firstIndex(of: "=") else { return word }
    return word[...equals] + ShellWord.quoted(String(word[word.index(after: equals)...]))
  }

  private func write(_ script: String, to path: String) throws {
    do {
      try script.write(toFile: path, atomically: true, encoding: .utf8)
    } catch {
      throw AuricleError(.inputOutput, "the script \(path) cannot be written")
    }
  }

  /// The limit of the site: numbers of tasks are less than it.
  private func arraySize() throws -> Int {
    let result = try Self.call(["scontrol", "show", "config"])
    let line = result.text.split(separator: "\n").first { $0.hasPrefix("MaxArraySize") }
    return line?.split(separator: "=").last.flatMap {
      Int($0.trimmingCharacters(in: .whitespaces))
    } ?? 1001
  }

  /// Whether a program is on the search path.
  private static func isInstalled(_ name: String) -> Bool {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return folders.split(separator: ":").contains { unsafe access("\($0)/\(name)", X_OK) == 0 }
  }

  /// Runs a program of Slurm; its standard error is this process's.
  private static func call(_ words: [String]) throws -> (code: Int32, text: String) {
    guard isInstalled(words[0]) else {
      throw AuricleError(
        .unavailable,
        "there is no \(words[0]) here: submit on a machine with Slurm's programs, or see --dry-run")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
