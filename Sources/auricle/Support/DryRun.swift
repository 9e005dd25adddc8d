// `auricle process --dry-run`: the plan and the chain, looked at, with nothing written.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import BatchProcessing
import Foundation

/// Tells what a run would do.
struct DryRun {
  let session: BatchSession

  /// Prints the plan; `root` is the folder that results lie below.
  func go(_ request: PlanRequest, _ options: SupervisorOptions, root: String?) throws {
    let plan = try BatchPlan(request)
    let trial = try ChainTrial(options: options)
    if let refusal = trial.refusal {
      StandardStreams.writeMessage(refusal.text)
      throw ExitCode(refusal.category.rawValue)
    }
    var bytes = 0
    for entry in plan.entries {
      bytes += entry.byteCount
      switch session.format {
      case .json: StandardStreams.writeResult(Self.json(entry).compactText + "\n")
      case .text: StandardStreams.writeResult(Self.line(entry) + "\n")
      }
    }
    guard !session.isQuiet else { return }
    for unit in trial.units {
      StandardStreams.writeMessage(
        "unit: \(TerminalText.plain(unit.name)) \(unit.version) "
          + "(\(TerminalText.plain(unit.identity)))")
    }
    if let sandbox = trial.sandbox { StandardStreams.writeMessage("sandbox: \(sandbox)") }
    let skipped = plan.entries.count { $0.isSkipped }
    var text = "\(Figures.count(plan.files.count, "file", "files")) would be done"
    if skipped > 0 { text += ", \(skipped) skipped" }
    if !plan.failures.isEmpty { text += ", \(plan.failures.count) cannot be" }
    text += "; the inputs take \(Figures.bytes(bytes))"
    if let free = Self.freeSpace(root ?? ".") { text += ", \(Figures.bytes(free)) are free" }
    StandardStreams.writeMessage(text)
  }

  private static func line(_ entry: PlanEntry) -> String {
    let input = TerminalText.plain(entry.input)
    if let error = entry.error { return "\(input): \(TerminalText.plain(error.message))" }
    let output = TerminalText.plain(entry.output)
    return entry.isSkipped ? "\(input): \(output) exists: skipped" : "\(input) → \(output)"
  }

  private static func json(_ entry: PlanEntry) -> JSONValue {
    .members([
      ("status", entry.error != nil ? "failed" : entry.isSkipped ? "skipped" : "planned"),
      ("index", JSONValue(entry.index)), ("input", .members([("path", .string(entry.input))])),
      (
        "output",
        entry.output.isEmpty ? nil : .members([("path", .string(entry.output))])
      ),
      ("inputBytes", JSONValue(entry.byteCount)),
      ("error", (entry.error?.message).map(JSONValue.string)),
    ])
  }

  private static func freeSpace(_ path: String) -> Int? {
    var path = path
    while !FileManager.default.fileExists(atPath: path) {
      let parent = (path as NSString).deletingLastPathComponent
      if parent == path { break }
      path = parent.isEmpty ? "." : parent
    }
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
    return (attributes?[.systemFreeSize] as? NSNumber)?.intValue
  }
}
