// Songs into a folder: a run with a ledger, as those of auricle process.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuricleHost
import CommandOutput
import RunLedgers

extension RenderCommand {
  /// The first option that only a run in a folder takes; nil for none.
  var givenForFolder: String? {
    let given: [(String, Bool)] = [
      ("--report", runOptions.report != nil), ("--dry-run", runOptions.dryRun),
      ("--from-file", runOptions.fromFile != nil), ("--variants", variantOptions.variants ?? 1 > 1),
      ("--no-recursive", !work.recursive), ("--new-run", work.newRun),
      ("--pictures", work.pictures),
    ]
    return given.first(where: \.1)?.0
  }

  /// Refuses options that a resumed run does not accept.
  func checkResume() throws {
    if runOptions.resume?.isEmpty == true {
      throw ValidationError("The name of the folder to resume is empty.")
    }
    let given: [(String, Bool)] = [
      (songs.first.map { "'\($0)'" } ?? "", !songs.isEmpty), ("--output", output != nil),
      ("--stems", stems), ("--new-run", work.newRun), ("--dry-run", runOptions.dryRun),
      ("--from-file", runOptions.fromFile != nil),
    ]
    guard let first = given.first(where: \.1)?.0 else { return }
    throw ValidationError(
      "--resume goes on with the songs and places that the run was begun with: leave \(first) out.")
  }

  /// Renders the songs, or goes on, and prints what became of them.
  func renderFolder() throws {
    let printer = RunPrinter(format: format, isQuiet: quiet)
    let host = AuricleInstallation()
    if let folder = runOptions.resume {
      return try printer.end(host.resume(resumeRequest(folder), control: printer.control))
    }
    let request = try runRequest()
    if runOptions.dryRun {
      let result = try host.dryRun(request, control: printer.control)
      return try DryRunText(format: format, isQuiet: quiet, report: request.report).write(result)
    }
    try printer.end(host.run(request, control: printer.control))
  }

  private func runRequest() throws -> RunRequest {
    var request = RunRequest(
      chain: try instruments(), inputs: songs, destination: .folder(output ?? "."))
    request.list = runOptions.fromFile
    request.results = try results()
    request.work = work.request
    (request.variantCount, request.seed) = (variantOptions.variants, variantOptions.seed)
    request.report = runOptions.report
    return request
  }

  private func resumeRequest(_ folder: String) throws -> ResumeRequest {
    var request = ResumeRequest(folder: folder)
    request.chain = try chain.request()
    request.results = try results()
    let song = request.results.song
    request.results.song = nil
    if request.results != ResultRequest() || bank != nil { request.results.song = song }
    request.work = work.request
    (request.variantCount, request.seed) = (variantOptions.variants, variantOptions.seed)
    request.report = runOptions.report
    return request
  }
}
