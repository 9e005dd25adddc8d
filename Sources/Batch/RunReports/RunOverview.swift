// The state of a run, in words and as JSON: `auricle status`, and the head of every report.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import FileRendering
import Foundation
package import HostSystem
package import RunLedgers
import Workers

/// The state of a run.
package struct RunOverview {
  /// The manifest that the run is tied to.
  package let manifest: RunManifest
  /// The state of its ledgers.
  package let state: RunState
  /// The output folder as it was named.
  package let output: String
  /// Whether a process is at work on it.
  package var isRunning = false
  /// The shards of a run that is not merged.
  package var shards: ShardProgress?

  /// - Parameters:
  ///   - output: The output folder as it was named.
  ///   - isRunning: Whether a process is at work on it.
  package init(manifest: RunManifest, state: RunState, output: String, isRunning: Bool = false) {
    self.manifest = manifest
    self.state = state
    self.output = output
    self.isRunning = isRunning
  }

  /// Reads the current state of a run.
  ///
  /// - Throws: When its manifest or its ledger cannot be read.
  package init(_ folder: RunFolder) throws(AuricleError) {
    let manifest = try folder.manifest()
    self.init(
      manifest: manifest, state: try RunState(folder, fileCount: manifest.totals.fileCount),
      output: folder.output, isRunning: folder.isInUse)
    if manifest.isInShards { shards = try ShardProgress(folder, state) }
  }

  /// The files of the run, without those removed from a watched folder.
  package var fileCount: Int { max(manifest.totals.fileCount - state.forgottenCount, 0) }

  /// Files that are not accounted for.
  package var pendingCount: Int { max(fileCount - state.settledCount, 0) }

  /// The pending files that failed and are tried again.
  package var againCount: Int { min(state.againTally.failedCount, pendingCount) }

  /// Failures by reason, including files that are tried again.
  package var failures: [(reason: String, count: Int)] {
    state.tally.failures(with: state.againTally)
  }

  /// `running`, `watching`, `finished`, `interrupted`, `breaker`, `stopped`, or `unfinished` when it was cut off.
  package var word: String {
    if manifest.isInShards { return pendingCount == 0 ? "finished" : "unfinished" }
    if isRunning { return manifest.watch == nil ? "running" : "watching" }
    if pendingCount == 0, manifest.isPlanned { return "finished" }
    guard let end = state.lastEnd, end != "finished" else { return "unfinished" }
    return end
  }

  /// The state as a sentence, with the next step.
  private var sentence: String {
    var resume = "go on with: auricle \(manifest.command) --resume " + ShellWord.quoted(output)
    if manifest.isInShards {
      return pendingCount == 0
        ? "finished in shards; auricle merge \(ShellWord.quoted(output)) makes one run of them"
        : "in shards; those to be done: auricle unfinished " + ShellWord.quoted(output)
    }
    if let watch = manifest.watch {
      resume = "go on with the same auricle watch \(TerminalText.plain(watch.folder)) …"
    }
    let reason = state.endReason.map { ": " + TerminalText.plain($0) } ?? ""
    let process = state.process.map { ", process \($0)" } ?? ""
    switch word {
    case "running":
      return "running since \(state.sessionStart ?? manifest.started)\(process)"
    case "watching":
      return "watching since \(state.sessionStart ?? manifest.started)\(process)"
    case "finished" where manifest.watch != nil:
      return "not watching; " + resume
    case "finished":
      if state.failedCount == 0 { return "finished" }
      return "finished, \(state.failedCount) failed (auricle report \(ShellWord.quoted(output)))"
    case "interrupted": return "interrupted; " + resume
    case "breaker", "stopped": return "stopped\(reason); " + resume
    default:
      guard manifest.isPlanned else { return "cut off while it was planned; \(resume)" }
      guard state.lastEnd == "finished" else { return "cut off; " + resume }
      let files = Figures.count(pendingCount, "file", "files")
      // The watch ended while files were waiting.
      let ended =
        manifest.watch == nil
        ? "ended, \(files) to be tried again" : "not watching, \(files) to be done"
      return "\(ended); \(resume)"
    }
  }

  /// The members of `auricle status --format json`.
  package var json: JSONValue {
    .members([
      ("run", .string(manifest.run)), ("state", .string(word)),
      ("reason", state.endReason.map(JSONValue.string)),
      ("watched", (manifest.watch?.folder).map(JSONValue.string)),
      ("process", isRunning ? state.process.map(JSONValue.init) : nil),
      ("started", .string(manifest.started)), ("tool", .string(manifest.tool)),
      (
        "preset",
        .members([
          ("name", .string(manifest.presetName)), ("sha256", .string(manifest.presetHash)),
        ])
      ),
      ("variants", manifest.variantCount > 0 ? JSONValue(manifest.variantCount) : nil),
      ("seed", manifest.seed.map { .string(String($0)) }),
      ("units", .array(manifest.units.map(\.json))),
      (
        "sideFiles",
        manifest.sideFiles.flatMap { $0.isEmpty ? nil : .array($0.map(\.json)) }
      ),
      (
        "reuse",
        state.verdicts.isEmpty ? nil : .array(state.verdicts.map { .members($0.members) })
      ),
      ("sandbox", state.sandbox.map(JSONValue.string)),
      ("shards", shards?.json), ("files", JSONValue(fileCount)),
      ("counts", Self.counts(state.tally, of: fileCount)),
      ("failures", Self.failures(failures)),
      ("inputBytes", JSONValue(manifest.totals.byteCount)),
      ("accountedBytes", JSONValue(state.tally.inputBytes)),
      ("seconds", JSONValue(state.seconds)), ("speed", pace.map { JSONValue($0.speed) }),
      ("secondsLeft", pace?.left.map(JSONValue.init)),
      ("sessions", JSONValue(state.sessionCount)),
      ("damagedLines", JSONValue(state.damagedLineCount)),
      ("notes", .array(state.notes.map(JSONValue.string))),
    ])
  }

  /// Files by status.
  package static func counts(_ tally: RunTally, of fileCount: Int?) -> JSONValue {
    var counts = FileRecord.Status.allCases.map {
      ($0.rawValue, JSONValue?.some(JSONValue(tally.counts[$0, default: 0])))
    }
    if let fileCount { counts.append(("pending", JSONValue(max(fileCount - tally.fileCount, 0)))) }
    return .members(counts)
  }

  /// The reuse policy in words; nil when there is no verdict yet.
  package static func chains(_ verdicts: [ReuseVerdict]) -> String? {
    guard !verdicts.isEmpty else { return nil }
    let text =
      verdicts.contains { $0.policy == .process }
      ? "a new process for every file: a unit remembers the one before"
      : "a new chain for every file"
    return verdicts.contains(where: \.isRandom) ? text + "; sound different every time" : text
  }

  /// Failures by reason.
  package static func failures(_ failures: [(reason: String, count: Int)]) -> JSONValue {
    .array(
      failures.map {
        .members([("reason", .string($0.reason)), ("files", JSONValue($0.count))])
      })
  }

  /// The speed of a running run and the seconds left; nil while unknown, and for a watched folder, which
  /// mostly waits.
  private var pace: (speed: Double, left: Double?)? {
    guard isRunning, manifest.watch == nil, let text = state.sessionStart,
      let start = try? Date(text, strategy: .iso8601)
    else { return nil }
    let elapsed = Date().timeIntervalSince(start)
    let tally = state.sessionTally
    guard elapsed > 1, tally.outputSeconds > 0 else { return nil }
    let forecast = RunForecast(
      plan: manifest.totals.inputs, settled: [state.tally.inputs], session: tally, work: [],
      elapsed: elapsed)
    return (tally.outputSeconds / elapsed, forecast.secondsLeft)
  }

  /// The lines of `auricle status`.
  package var text: String {
    var table = TextTable([.left, .left])
    table.add(["Run", manifest.run + ", begun " + manifest.started])
    table.add(["State", sentence])
    if let name = manifest.namedPreset { table.add(["Preset", TerminalText.plain(name)]) }
    for (name, value) in RequestText(manifest: manifest).rows {
      table.add([TerminalText.plain(name), TerminalText.plain(value)])
    }
    if let sandbox = state.sandbox { table.add(["Sandbox", TerminalText.plain(sandbox)]) }
    if let chains = Self.chains(state.verdicts) { table.add(["Chains", chains]) }
    if let shards { table.add(["Shards", shards.text]) }
    table.add(["Files", "\(fileCount)"])
    for status in FileRecord.Status.allCases {
      guard let count = state.counts[status], count > 0 else { continue }
      table.add(["  " + status.rawValue, "\(count)"])
    }
    if pendingCount > 0 {
      let again = EndTable.again(againCount, of: pendingCount).map { "  (\($0))" } ?? ""
      table.add(["  pending", "\(pendingCount)\(again)"])
    }
    if let pace {
      var text = "\(Figures.speed(pace.speed)) real time"
      if let left = pace.left { text += ", about \(Figures.timeLeft(left)) left" }
      table.add(["Speed", text])
    }
    table.add(["Sound", Figures.duration(state.seconds)])
    for (name, value) in EndTable.levels(state.tally) {
      table.add([name.prefix(1).uppercased() + name.dropFirst(), value])
    }
    if state.sessionCount > 1 { table.add(["Sessions", "\(state.sessionCount)"]) }
    if state.damagedLineCount > 0 {
      table.add([
        "Ledger",
        "\(Figures.count(state.damagedLineCount, "torn line", "torn lines")) passed over",
      ])
    }
    for note in state.notes.prefix(20) { table.add(["Note", TerminalText.plain(note)]) }
    return table.text(wrappedAt: TextTable.lineWidth)
      + EndTable.reasons(failures, indent: "", title: "Why files failed")
  }
}
