// Resumes a run that was cut off, as it was begun.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import ChainPresets
import HostSystem
import ResultSettings
import RunLedgers
import RunReports
import Workers

/// Resumes a run.
struct ResumeRun {
  let request: ResumeRequest
  let host: HostPlaces
  let control: RunControl

  init(_ request: ResumeRequest, _ host: HostPlaces, _ control: RunControl) {
    self.request = request
    self.host = host
    self.control = control
  }

  /// Resumes the run of the folder.
  func go() throws -> RunOutcome {
    if let report = request.report { try ReportPlace.check(report, output: request.folder) }
    // Absolute, because the run may change the working folder.
    let folder = try RunFolder.find(in: WorkingFolder.absolute(request.folder))
    let manifest = try folder.manifest()
    if let watch = manifest.watch {
      throw AuricleError(
        .usage,
        "the run \(folder.run) in \(request.folder) watches the folder \(watch.folder): give the same "
          + "auricle watch again to go on with it")
    }
    try checkAgreement(with: manifest, of: folder)
    if let report = request.report {
      let named = manifest.inputs + [manifest.list, manifest.presetPath].compactMap(\.self)
      try ReportPlace.checkReplacing(
        report,
        named.map { $0.utf8.first == UInt8(ascii: "/") ? $0 : manifest.workingFolder + "/" + $0 })
    }
    return try go(on: folder)
  }

  /// Resumes a run without further settings.
  func go(on folder: RunFolder) throws -> RunOutcome {
    if let report = request.report { try ReportPlace.checkContent(report) }
    let manifest = try folder.manifest()
    if manifest.isInShards {
      throw AuricleError(
        .usage,
        "the run \(folder.run) in \(folder.output) is in shards: process them with auricle shard, and "
          + "make one run of them with auricle merge")
    }
    if let difference = manifest.toolDisagreement(AuricleVersion.text) {
      throw RunPreparation.disagreement(folder, manifest, difference)
    }
    try folder.lock()
    return try LedgerRun(
      host: host, work: request.work,
      // Absolute for the same reason: the report is relative to the caller's working folder.
      report: RunPreparation.absolute(request.report), folder: folder, manifest: manifest,
      chain: manifest.frozenChain, isNew: false, control: control
    ).go()
  }

  /// Refuses settings that differ from those the run was begun with.
  private func checkAgreement(with manifest: RunManifest, of folder: RunFolder) throws {
    var now = manifest
    let preset = try ChainPreset(
      text: manifest.preset, name: manifest.presetPath ?? manifest.presetName)
    var silent = manifest
    silent.settings = try ResultRequest().settings(for: preset)
    now.settings = try request.results.settings(for: preset)
    if silent.disagreement(with: now) == nil {
      now.settings = manifest.settings
    } else {
      now.settings.rawInput = manifest.settings.rawInput
      now.settings.song = now.settings.song ?? manifest.settings.song
      now.settings.measuresLoudness = manifest.settings.measuresLoudness
    }
    if let chain = request.chain {
      now.preset = try RunPreparation(
        host: host, chain: chain, results: request.results, work: request.work, control: control
      ).readPreset().canonicalJSON
    }
    now.variantCount = request.variantCount ?? now.variantCount
    now.seed = request.seed ?? now.seed
    now.template = try request.results.name.map(OutputTemplate.init)?.text ?? now.template
    now.existing = request.results.existing ?? now.existing
    if !request.work.isRecursive { now.isRecursive = false }
    guard let difference = manifest.disagreement(with: now) else { return }
    throw AuricleError(
      .badData,
      "the run \(folder.run) in \(folder.output) was begun with \(difference): leave that out to go "
        + "on with it, or give the whole auricle \(manifest.command) command again with "
        + RunPreparation.waysOn)
  }
}
