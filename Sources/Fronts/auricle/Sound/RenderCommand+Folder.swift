// Songs into a folder: a run with a ledger, as those of auricle process.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuricleHost
import CommandOutput
import RunLedgers

extension RenderCommand: FolderRunCommand {
  /// The first option that only a run in a folder accepts; nil for none.
  var optionForFolder: String? {
    let supplied: [(String, Bool)] = [
      ("--report", runOptions.report != nil), ("--dry-run", runOptions.dryRun),
      ("--from-file", runOptions.fromFile != nil), ("--variants", variantOptions.variants ?? 1 > 1),
      ("--no-recursive", !work.recursive), ("--new-run", work.newRun),
      ("--pictures", work.pictures),
    ]
    return supplied.first(where: \.1)?.0
  }

  /// Refuses options that a resumed run does not accept.
  func checkResumedSongs() throws {
    try checkResume("songs", songs, [("--output", output != nil), ("--stems", stems)])
  }

  var variants: Int? { variantOptions.variants }
  var seed: UInt64? { variantOptions.seed }

  func runRequest() throws -> RunRequest {
    var request = RunRequest(
      chain: try instruments(), inputs: songs, destination: .folder(output ?? "."))
    request.results = try results()
    return request
  }

  func resumeRequest(_ folder: String) throws -> ResumeRequest {
    var request = ResumeRequest(folder: folder)
    request.chain = try chain.request()
    request.results = try results()
    let song = request.results.song
    request.results.song = nil
    if request.results != ResultRequest() || bank != nil { request.results.song = song }
    return request
  }
}
