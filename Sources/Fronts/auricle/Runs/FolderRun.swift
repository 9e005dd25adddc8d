// A run in a folder: begun, gone on with, or planned only; the common part of process, convert and render.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuricleHost
import CommandOutput
import RunLedgers

/// A run in a folder that a command line asks for.
struct FolderRun {
  var run: RunArguments
  var work: WorkArguments
  var variants: Int?
  var seed: UInt64?
  var printing: PrintArguments

  /// Refuses inputs and options that a resumed run does not accept.
  ///
  /// - Parameters:
  ///   - what: The word for the inputs.
  ///   - others: Further options that it does not accept, and whether they were set.
  func checkResume(_ what: String, _ inputs: [String], _ others: [(String, Bool)]) throws {
    if run.resume?.isEmpty == true {
      throw ValidationError("The name of the folder to resume is empty.")
    }
    let supplied =
      [(inputs.first.map { "'\($0)'" } ?? "", !inputs.isEmpty)] + others + [
        ("--new-run", work.newRun), ("--from-file", run.fromFile != nil), ("--dry-run", run.dryRun),
      ]
    guard let first = supplied.first(where: \.1)?.0 else { return }
    throw ValidationError(
      "--resume keeps the \(what) and places of the run: leave \(first) out."
    )
  }

  /// Processes the files, and prints the outcome.
  ///
  /// - Parameters:
  ///   - request: The chain, the inputs and the results of a run that is begun.
  ///   - resumed: The chain and the results of one that is resumed in a folder.
  func go(
    _ printer: RunPrinter, request: () throws -> RunRequest,
    resumed: (String) throws -> ResumeRequest
  ) throws {
    let host = AuricleInstallation()
    if let folder = run.resume {
      var request = try resumed(folder)
      request.work = work.request
      (request.variantCount, request.seed, request.report) = (variants, seed, run.report)
      return try printer.end(host.resume(request, control: printer.control))
    }
    var request = try request()
    request.list = run.fromFile
    request.work = work.request
    (request.variantCount, request.seed, request.report) = (variants, seed, run.report)
    if run.dryRun {
      let result = try host.dryRun(request, control: printer.control)
      let text = DryRunText(
        format: printing.format, isQuiet: printing.quiet, report: request.report)
      return try text.write(result)
    }
    try printer.end(host.run(request, control: printer.control))
  }
}
