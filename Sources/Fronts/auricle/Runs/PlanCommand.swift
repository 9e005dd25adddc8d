// `auricle plan`: a run in shards, for schedulers.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import CommandOutput
import Foundation
import HostSystem
import RunLedgers
import RunReports
import ShardedRuns

/// Plans a run and splits it.
struct PlanCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Plan a run in shards, for many machines.",
    discussion: """
      Accepts the options of auricle process, processes nothing, and splits the plan into shards \
      of similar duration. A scheduler then runs each shard as one process (auricle shard), on any \
      machine with the same folders, program and plug-ins.

      Inputs are files, folders, and with --from-file a list of paths or a manifest: JSON lines of \
      NeMo or Lhotse, or Kaldi's wav.scp. The other fields of a manifest are copied to the ledger \
      and the report.

      EXAMPLES:
        auricle plan --preset podcast-voice --output out/ --shards 100 talks/
        auricle plan --preset augment --variants 5 --output out/ \\
          --target-minutes 30 --from-file train.jsonl
        auricle shard out/ --index 0
        auricle unfinished out/ --format slurm
        auricle merge out/
      """)

  @OptionGroup(title: "Chain") var chain: ChainArguments
  @OptionGroup(title: "Results") var output: OutputArguments

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Number of shards.", valueName: "n"),
    transform: NumberRange.whole(1...1_000_000))
  var shards: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Target duration per shard.", valueName: "minutes"),
    transform: NumberRange.decimal(0.001...1_000_000, "minutes"))
  var targetMinutes: Double?

  @Option(
    name: .customLong("from-file"),
    help: ArgumentHelp(
      "Inputs from a list or a manifest; - for standard input.", valueName: "file"),
    completion: .anyFile)
  var fromFile: String?

  @OptionGroup(title: "Run") var variantOptions: VariantArguments
  @OptionGroup(title: "Run") var work: WorkArguments

  @Option(help: ArgumentHelp("Print text, or one JSON object.", valueName: "text|json"))
  var format = OutputFormat.text

  @Argument(
    help: ArgumentHelp(
      "Audio files, folders to search for them, or one manifest.", valueName: "file-or-folder"),
    completion: .anyFile)
  var inputs: [String] = []

  func check() throws {
    try work.check()
    try output.check()
    try chain.check(changesFiles: output.changesFiles)
    guard let folder = output.output, !folder.isEmpty else {
      throw ValidationError("Say where results go: --output FOLDER.")
    }
    guard (shards == nil) != (targetMinutes == nil) else {
      throw ValidationError("Give one of --shards and --target-minutes.")
    }
    if inputs.isEmpty, fromFile == nil {
      throw ValidationError("Name files or folders, or --from-file.")
    }
    if inputs.contains("") || fromFile?.isEmpty == true {
      throw ValidationError("The name of an input is empty.")
    }
    if manifests.count + (fromFile == nil ? 0 : 1) > 1 {
      throw ValidationError("Only one manifest is accepted: join them with cat.")
    }
    if work.pictures {
      throw ValidationError("--pictures belongs to a run of one machine: leave it out.")
    }
  }

  /// Inputs that are manifests by their names.
  private var manifests: [String] {
    inputs.filter { name in [".jsonl", ".ndjson", ".scp"].contains { name.hasSuffix($0) } }
  }

  func run() throws {
    Interruption.install()
    // A plan is for other machines and other days: a name that is misspelled is reported before it is made.
    for path in inputs + [fromFile].compactMap(\.self)
    where path != "-" && FileIdentity.of(path) == nil {
      throw FileIdentity.absence(of: path, .fileOrFolder)
    }
    for path in inputs {
      guard let kind = FileBeginning(path: path), kind != .sound else { continue }
      throw AuricleError(.badData, "\(path) is \(kind.advice)")
    }
    var request = RunRequest(
      chain: try chain.request() ?? .units([]), inputs: inputs.filter { !manifests.contains($0) },
      destination: .folder(output.output ?? ""))
    request.list = fromFile ?? manifests.first
    request.results = try output.request()
    request.work = work.request
    request.variantCount = variantOptions.variants
    request.seed = variantOptions.seed
    let printer = RunPrinter(format: .text, isQuiet: false)
    let plan = try AuricleInstallation().plan(
      request, split: shards.map(ShardSplit.count) ?? .minutes(targetMinutes ?? 1),
      control: printer.control)
    if let repeats = plan.totals.repeats { StandardStreams.writeMessage("note: \(repeats)") }
    StandardStreams.writeResult(format == .json ? Self.json(plan) : Self.text(plan))
  }

  private static func json(_ plan: ShardedPlan) -> String {
    let json = JSONValue.members([
      ("run", .string(plan.run)), ("output", .string(plan.output)), ("path", .string(plan.path)),
      ("files", JSONValue(plan.totals.fileCount)),
      ("failures", JSONValue(plan.totals.failureCount)),
      ("skipped", JSONValue(plan.totals.skippedCount)), ("bytes", JSONValue(plan.totals.byteCount)),
      (
        "shards",
        .array(
          plan.shards.map {
            .members([
              ("index", JSONValue($0.index)), ("first", JSONValue($0.first)),
              ("files", JSONValue($0.fileCount)), ("seconds", JSONValue($0.seconds)),
            ])
          })
      ),
    ])
    return json.indentedText + "\n"
  }

  private static func text(_ plan: ShardedPlan) -> String {
    let longest = plan.shards.map(\.seconds).max() ?? 0
    let shortest = plan.shards.map(\.seconds).min() ?? 0
    let name = ShellWord.quoted(plan.output)
    var text = "run \(plan.run): \(Figures.count(plan.totals.fileCount, "file", "files")) in "
    text += "\(Figures.count(plan.shards.count, "shard", "shards")) of "
    text += "\(Figures.duration(shortest)) to \(Figures.duration(longest))\n"
    if plan.totals.failureCount > 0 {
      text += "\(Figures.count(plan.totals.failureCount, "input", "inputs")) cannot be done\n"
    }
    return text + "auricle shard \(name) --index I    (I from 0 to \(plan.shards.count - 1))\n"
  }
}
