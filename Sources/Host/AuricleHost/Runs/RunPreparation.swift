// Prepares runs of every kind: the preset, a manifest, the options of workers.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import ChainPresets
import Foundation
import HostSystem
import ResultSettings
import RunLedgers
import RunReports
import Workers

/// Prepares a run.
struct RunPreparation {
  let host: HostPlaces
  let chain: ChainRequest
  let results: ResultRequest
  let work: WorkRequest
  let control: RunControl

  /// The options of a supervisor.
  func options(
    _ settings: JobSettings, chain: ChainSource, run name: String,
    sandbox: SandboxRequest = SandboxRequest(), limits: WorkLimits = WorkLimits()
  ) -> SupervisorOptions {
    Self.options(
      host, work, settings, chain: chain, run: name, sandbox: sandbox, limits: limits)
  }

  /// The same for another chain.
  static func options(
    _ host: HostPlaces, _ work: WorkRequest, _ settings: JobSettings, chain: ChainSource,
    run name: String, sandbox: SandboxRequest = SandboxRequest(), limits: WorkLimits = WorkLimits()
  ) -> SupervisorOptions {
    let setup = WorkerSetup(
      chain: chain, settings: settings, sandbox: work.sandboxRequest(sandbox))
    var options = SupervisorOptions(
      program: host.executable, arguments: ["run-worker"], setup: setup, run: name)
    options.workerCount = work.workers
    options.limits = work.limits(limits)
    return options
  }

  /// Makes a plan. Where it is refused and the chain could not be made either, the chain's fault is reported: results
  /// that exist, say, are of no matter to a chain that is written wrongly.
  ///
  /// - Throws: Errors of `plan`, or the `WorkerRefusal` of the chain.
  func planning<Value>(
    _ preset: ChainPreset, _ settings: JobSettings, _ plan: () throws(AuricleError) -> Value
  ) throws -> Value {
    do throws(AuricleError) {
      return try plan()
    } catch {
      var refusal: WorkerRefusal?
      if error.category != .interrupted {
        let options = options(settings, chain: ChainRequest.source(of: preset), run: "trial")
        refusal = try ChainTrial(options: options, shouldStop: control.shouldStop).refusal
      }
      control.onUpdate(.refused(refusal.map { AuricleError($0.category, $0.text) } ?? error))
      if let refusal { throw refusal }
      throw error
    }
  }

  /// Reads the preset, as far as its text can be read here; a worker reports its other faults, because
  /// units have to be opened to know everything.
  ///
  /// - Throws: `PresetErrors`, or the `WorkerRefusal` of a worker.
  func readPreset() throws -> ChainPreset {
    do throws(PresetErrors) {
      let preset = try chain.read(host.presets)
      let problems = preset.problems(with: .files)
      guard problems.isEmpty else { throw PresetErrors(problems) }
      if let file = preset.source?.name { reportChanges(besides: file) }
      return preset
    } catch {
      // Errors of units from a request are complete; a file may have more mistakes.
      guard let name = chain.presetName else { throw error }
      let trial = try ChainTrial(
        options: options(JobSettings(), chain: .preset(name), run: "trial"),
        shouldStop: control.shouldStop)
      throw trial.refusal ?? error
    }
  }

  /// Reports changed files of an exported preset's folder, which are used as they are.
  private func reportChanges(besides file: String) {
    let place = ParentFolder.of(file)
    guard ExportManifest.isExport(place) else { return }
    for problem in ExportManifest.problems(in: place) {
      control.onUpdate(.message("note: \(problem)"))
    }
  }

  /// The name of the chain.
  var presetName: String { chain.presetName.map(Self.presetName) ?? "chain" }

  /// The manifest of a new run.
  ///
  /// - Parameters:
  ///   - variantCount: The requested number.
  ///   - inputs: Files and folders.
  func manifest(
    _ preset: ChainPreset, _ settings: JobSettings, inputs: [String], variantCount: Int? = nil,
    seed: UInt64? = nil
  ) throws(AuricleError) -> RunManifest {
    var manifest = RunManifest(
      run: "", tool: AuricleVersion.text, workingFolder: Self.workingFolder,
      presetName: presetName, preset: preset.canonicalJSON, settings: settings, inputs: inputs)
    manifest.presetPath = Self.absolute(preset.source?.name)
    manifest.variantCount = variantCount ?? (preset.hasRandomValues ? 1 : 0)
    manifest.seed = preset.hasRandomValues ? seed ?? 0 : nil
    manifest.template = try template(settings, hasVariants: variantCount ?? 0 > 1)
    manifest.existing = results.existingPolicy
    manifest.isRecursive = work.isRecursive
    let options = options(settings, chain: ChainRequest.source(of: preset), run: "new")
    manifest.sandbox = options.setup.sandbox
    manifest.limits = options.limits
    return manifest
  }

  /// The template of results, which must distinguish the deliverables of an input.
  private func template(
    _ settings: JobSettings, hasVariants: Bool
  ) throws(AuricleError) -> String {
    guard let name = results.name else {
      return OutputTemplate.standard(
        hasRenders: !settings.plannedRenders.isEmpty && settings.deliverables.count > 1,
        hasVariants: hasVariants
      ).text
    }
    let template = try OutputTemplate(name)
    if hasVariants, !template.uses(.variant) {
      throw AuricleError(
        .usage,
        "the name template '\(name)' gives all variants of a file one name: put {variant} in")
    }
    return template.text
  }

  /// The working folder, which a run records; the root where it was removed.
  static var workingFolder: String { WorkingFolder.path ?? "/" }

  /// An absolute path.
  static func absolute(_ path: String?) -> String? {
    path.map(WorkingFolder.absolute)
  }

  /// The name of a preset for names of results: that of its file without extension.
  static func presetName(_ text: String) -> String {
    let name = (text as NSString).lastPathComponent
    for ending in PresetLibrary.fileEndings where name.hasSuffix(ending) {
      return String(name.dropLast(ending.count))
    }
    return name
  }

  /// The error of a run that cannot continue as it was begun, with advice.
  static func disagreement(
    _ folder: RunFolder, _ manifest: RunManifest, _ difference: String
  ) -> AuricleError {
    let isShard = folder.shard != nil
    let command = isShard ? "plan" : manifest.command
    return AuricleError(
      .badData,
      "the run \(folder.run) in \(folder.output) was begun with \(difference): "
        + (isShard ? "install that one here, or " : "")
        + "give the whole auricle \(command) command again with " + waysOn)
  }

  /// Ways to continue in the same folder; the ledger of the old run stays.
  static let waysOn =
    "--new-run --on-exists skip to keep finished results and do the rest with the new settings, or "
    + "with --new-run --on-exists overwrite to do all again"
}
