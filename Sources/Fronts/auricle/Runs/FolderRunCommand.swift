// Runs in a folder: begun, resumed, or planned only; the common part of process, convert and render.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuricleHost
import CommandOutput
import RunLedgers

/// A command that can run many files into a folder with a ledger.
protocol FolderRunCommand: CheckedCommand {
  var runOptions: RunArguments { get }
  var work: WorkArguments { get }
  var printing: PrintArguments { get }
  /// The number of variants of each input; nil for one.
  var variants: Int? { get }
  /// The seed of random values; nil for 0.
  var seed: UInt64? { get }

  /// Returns the chain, the inputs and the results of a run that is begun.
  func runRequest() throws -> RunRequest

  /// Returns the chain and the results of a run that is resumed in a folder.
  func resumeRequest(_ folder: String) throws -> ResumeRequest
}

extension FolderRunCommand {
  /// Refuses inputs and options that a resumed run does not accept.
  ///
  /// - Parameters:
  ///   - what: The word for the inputs.
  ///   - others: Further options that it does not accept, and whether they were set.
  func checkResume(_ what: String, _ inputs: [String], _ others: [(String, Bool)]) throws {
    if runOptions.resume?.isEmpty == true {
      throw ValidationError("The name of the folder to resume is empty.")
    }
    let supplied =
      [(inputs.first.map { "'\($0)'" } ?? "", !inputs.isEmpty)] + others + [
        ("--new-run", work.newRun), ("--from-file", runOptions.fromFile != nil),
        ("--dry-run", runOptions.dryRun),
      ]
    guard let first = supplied.first(where: \.1)?.0 else { return }
    throw ValidationError(
      "--resume keeps the \(what) and places of the run: leave \(first) out."
    )
  }

  /// Processes the files, and prints the outcome.
  func runFolder(_ printer: RunPrinter) throws {
    let host = AuricleInstallation()
    if let folder = runOptions.resume {
      var request = try resumeRequest(folder)
      request.work = work.request
      (request.variantCount, request.seed, request.report) = (variants, seed, runOptions.report)
      return try printer.end(host.resume(request, control: printer.control))
    }
    var request = try runRequest()
    request.list = runOptions.fromFile
    request.work = work.request
    (request.variantCount, request.seed, request.report) = (variants, seed, runOptions.report)
    if runOptions.dryRun {
      let result = try host.dryRun(request, control: printer.control)
      let text = DryRunText(
        format: printing.format, isQuiet: printing.quiet, report: request.report)
      return try text.write(result)
    }
    try printer.end(host.run(request, control: printer.control))
  }
}
