// Going on with a run that was cut off, as it was begun.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import BatchProcessing
import ChainPresets
import Foundation

extension BatchSession {
  /// Goes on with the run of a folder.
  func resume(in path: String) throws {
    _ = try Self.workingFolder()
    if let report = run.report { try RunReport.checkPlace(report, output: path) }
    // Wholly, because the run may take this process to another folder.
    let folder = try RunFolder.find(in: URL(fileURLWithPath: path).path)
    let manifest = try folder.manifest()
    if let watch = manifest.watch {
      throw AuricleError(
        .usage,
        "the run \(folder.run) in \(path) watches the folder \(watch.folder): give the same auricle "
          + "watch again to go on with it")
    }
    try checkAgreement(with: manifest, of: folder)
    if let report = run.report {
      let named = manifest.inputs + [manifest.list, manifest.presetPath].compactMap(\.self)
      try RunReport.checkReplacing(
        report,
        named.map { $0.utf8.first == UInt8(ascii: "/") ? $0 : manifest.workingFolder + "/" + $0 })
    }
    try resume(folder)
  }

  /// Refuses to go on with a run otherwise than it was begun: what is said again has to be the same.
  private func checkAgreement(with manifest: RunManifest, of folder: RunFolder) throws {
    var now = manifest
    let preset = try ChainPreset(
      text: manifest.preset, name: manifest.presetPath ?? manifest.presetName)
    var silent = manifest
    silent.settings = try OutputArguments.parse([]).settings(for: preset)
    now.settings = try output.settings(for: preset)
    now.settings.overwrite = false
    if silent.disagreement(with: now) == nil {
      now.settings = manifest.settings
    } else {
      now.settings.overwrite = manifest.settings.overwrite
      now.settings.rawInput = manifest.settings.rawInput
      now.settings.measuresLoudness = manifest.settings.measuresLoudness
    }
    if chain.namesChain { now.preset = try readPreset().canonicalJSON }
    now.variantCount = run.variants ?? now.variantCount
    now.seed = run.seed ?? now.seed
    now.template = try output.name.map(OutputTemplate.init)?.text ?? now.template
    if output.overwrite || output.onExists != nil { now.existing = output.existing }
    if !work.recursive { now.isRecursive = false }
    guard let difference = manifest.disagreement(with: now) else { return }
    throw AuricleError(
      .badData,
      "the run \(folder.run) in \(folder.output) was begun with \(difference): leave that out to go on "
        + "with it, or give the whole auricle process command again with " + Self.waysOn)
  }

  /// Goes on with a run that nothing is said about any more.
  func resume(_ folder: RunFolder) throws {
    let manifest = try folder.manifest()
    if let difference = manifest.toolDisagreement(AuricleVersion.text) {
      throw Self.disagreement(folder, difference)
    }
    try folder.takeLock()
    // Wholly, for the same reason: the report is meant for the folder that the command is given in.
    var session = self
    session.run.report = Self.absolute(run.report)
    try LedgerRun(
      session: session, folder: folder, manifest: manifest, chain: manifest.frozenChain,
      isNew: false
    ).go()
  }

  /// A run that cannot go on as it was begun, and what can be done.
  static func disagreement(
    _ folder: RunFolder, _ difference: String, watching: Bool = false
  ) -> AuricleError {
    AuricleError(
      .badData,
      "the run \(folder.run) in \(folder.output) was begun with \(difference): give the whole "
        + "auricle \(watching ? "watch" : "process") command again with " + waysOn)
  }

  /// How to go on in the same folder; the ledger of the run before stays.
  static let waysOn =
    "--new-run --on-exists skip to keep what is done and do the rest as things are now, or with "
    + "--new-run --on-exists overwrite to do all again"
}
