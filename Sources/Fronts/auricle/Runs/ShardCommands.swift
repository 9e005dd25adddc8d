// `auricle shard`, `unfinished` and `merge`: the commands that a scheduler runs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import ChainPresets
import CommandOutput
import Foundation
import HostSystem
import RunLedgers
import RunReports
import ShardedRuns
import Workers

/// Does one shard.
struct ShardCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "shard",
    abstract: "Process one shard of a planned run.",
    discussion: """
      Processes the files of a shard that are not done yet. The number of the shard is --index, or \
      the variable of a scheduler: SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, \
      AWS_BATCH_JOB_ARRAY_INDEX, or PARALLEL_SEQ, which counts from 1.

      A shard may be run again, or twice at once: no file is lost or done twice. Exit codes: 0 all \
      files are accounted for, including those that failed for good (auricle report lists them), 4 \
      stop all shards (a unit keeps failing), 65 the shard cannot be done here (another program or \
      plug-in, a changed plan), 75 run it again.

      EXAMPLES:
        auricle shard out/ --index 3
        parallel --sshlogin n1,n2 auricle shard out/ --index {} ::: $(seq 0 99)
      """)

  @OptionGroup var selection: RunSelection

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The number of the shard.", valueName: "i"),
    transform: NumberRange.whole(0...999_999))
  var index: Int?

  @Option(
    name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp("Files processed at once. Default: the number of cores.", valueName: "n"),
    transform: WorkArguments.jobCounts)
  var jobs: Int?

  @OptionGroup var printing: PrintArguments

  func check() throws {
    _ = try number()
  }

  /// The number of the shard.
  private func number() throws -> Int {
    if let index { return index }
    let environment = ProcessInfo.processInfo.environment
    for name in [
      "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX", "PARALLEL_SEQ",
    ] {
      guard let text = environment[name] else { continue }
      let first = name == "PARALLEL_SEQ" ? 1 : 0
      // Windows of an array that is longer than a site allows.
      let offset = name == "SLURM_ARRAY_TASK_ID" ? environment["AURICLE_SHARD_OFFSET"] ?? "0" : "0"
      guard let number = Int(text), let offset = Int(offset), number >= first else {
        throw ValidationError("\(name) takes the number of a shard, not '\(text)'.")
      }
      return number - first + offset
    }
    throw ValidationError("Name the shard with --index; no variable of a scheduler is set.")
  }

  func run() throws {
    Interruption.install()
    let printer = printing.printer
    var work = WorkRequest()
    work.workerCount = jobs
    let run = try AuricleInstallation().shardedRun(in: selection.folder, run: selection.run)
    let outcome: RunOutcome
    do {
      outcome = try run.run(shard: number(), work: work, control: printer.control)
    } catch let error as AuricleError where error.category == .interrupted {
      throw AuricleError(.temporary, error.message)
    } catch let refusal as WorkerRefusal {
      StandardStreams.writeMessage(refusal.text)
      throw ExitCode(AuricleError.Category.badData.rawValue)
    }
    let code = Self.code(outcome)
    if code != 0 { throw ExitCode(code) }
  }

  /// Returns the exit code by which a scheduler decides.
  private static func code(_ outcome: RunOutcome) -> Int32 {
    switch outcome.summary.end {
    case .finished:
      // A file whose result could not be written is tried again.
      if let state = outcome.state, state.againTally.failedCount > 0 {
        return AuricleError.Category.temporary.rawValue
      }
      // Files that failed for good would fail again: for a scheduler the shard is done.
      let isTemporary = AuricleError.Category(rawValue: outcome.exitCode) == .temporary
      return isTemporary ? outcome.exitCode : 0
    case .breaker: return RunSummary.breakerCode
    case .refused: return AuricleError.Category.badData.rawValue
    case .stopped(let error) where error.category == .badData: return error.category.rawValue
    case .interrupted, .stopped: return AuricleError.Category.temporary.rawValue
    }
  }
}

/// A list of the shards that are to be run again.
struct UnfinishedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unfinished",
    abstract: "List the shards of a run that are not done.",
    discussion: """
      Prints the numbers of the shards with files that are not accounted for: one per line, or as \
      the ranges of an array. Prints nothing when all are done. No file is processed.

      EXAMPLES:
        sbatch --array=$(auricle unfinished out/ --format slurm) shard.sh
        auricle unfinished out/ | parallel auricle shard out/ --index {}
      """, aliases: ["retry"])

  /// The format of numbers.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case lines
    case slurm
    case json
  }

  @OptionGroup var selection: RunSelection

  @Option(
    help: ArgumentHelp(
      "Print one per line, ranges for a job array, or JSON.",
      valueName: Format.allCases.map(\.rawValue).joined(separator: "|")))
  var format = Format.lines

  func run() throws {
    let progress = try AuricleInstallation().shardedRun(in: selection.folder, run: selection.run)
      .progress()
    switch format {
    case .lines: StandardStreams.writeResult(progress.missing.map { "\($0)\n" }.joined())
    case .slurm:
      if !progress.missing.isEmpty { StandardStreams.writeResult(progress.ranges + "\n") }
    case .json:
      let json = JSONValue.members([
        ("shards", JSONValue(progress.count)),
        ("missing", .array(progress.missing.map { JSONValue($0) })),
        ("ranges", .string(progress.ranges)),
      ])
      StandardStreams.writeResult(json.indentedText + "\n")
    }
    if progress.missing.isEmpty { StandardStreams.writeMessage("every shard is done") }
  }
}

/// Makes one run of the shards.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge finished shards into one run.",
    discussion: """
      Combines the plans and ledgers of all shards into one plan and one ledger, and removes the \
      leftovers of killed attempts. Exits with 75 when a shard is not done. status, report and \
      verify work before and after.

      EXAMPLES:
        auricle merge out/
      """)

  @OptionGroup var selection: RunSelection

  func run() throws {
    let run = try AuricleInstallation().shardedRun(in: selection.folder, run: selection.run)
    try run.merge()
    StandardStreams.writeMessage(
      "run \(run.name): \(Figures.count(run.manifest.totals.fileCount, "file", "files")) in one ledger"
    )
  }
}
