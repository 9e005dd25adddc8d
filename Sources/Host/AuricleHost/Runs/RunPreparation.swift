// What runs of every kind need before they begin: the preset, a manifest, the options of workers.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import ChainPresets
import Foundation
import ResultSettings
import RunLedgers
import RunReports
import Workers

/// Puts together what a run needs.
struct RunPreparation {
  let host: HostPlaces
  let chain: ChainRequest
  let results: ResultRequest
  let work: WorkRequest
  let control: RunControl

  /// What a supervisor is told.
  func options(
    _ settings: JobSettings, chain: ChainSource, run name: String,
    sandbox: SandboxRequest = SandboxRequest(), limits: WorkLimits = WorkLimits()
  ) -> SupervisorOptions {
    Self.options(
      host, work, settings, chain: chain, run: name, sandbox: sandbox, limits: limits)
  }

  /// The same without a chain that is named.
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

  /// The preset, as far as its text can be read here; what else is wrong with it a worker says, because
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
      // Those of units that come from a request are complete; a file may have more mistakes.
      guard let name = chain.presetName else { throw error }
      let trial = try ChainTrial(
        options: options(JobSettings(), chain: .preset(name), run: "trial"),
        shouldStop: control.shouldStop)
      throw trial.refusal ?? error
    }
  }

  /// Reports what of an exported preset's folder is not as it was written; it is used as it is.
  private func reportChanges(besides file: String) {
    let place = ParentFolder.of(file)
    guard ExportManifest.isExport(place) else { return }
    for problem in ExportManifest.problems(in: place) {
      control.onUpdate(.message("note: \(problem)"))
    }
  }

  /// What the chain is called.
  var presetName: String { chain.presetName.map(Self.presetName) ?? "chain" }

  /// What a new run is tied to.
  ///
  /// - Parameters:
  ///   - variantCount: As it was asked for.
  ///   - inputs: Files and folders.
  func manifest(
    _ preset: ChainPreset, _ settings: JobSettings, inputs: [String], variantCount: Int? = nil,
    seed: UInt64? = nil
  ) throws(AuricleError) -> RunManifest {
    var manifest = RunManifest(
      run: "", tool: AuricleVersion.text, workingFolder: try Self.workingFolder(),
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

  /// The names of results, which have to tell apart what one input gives.
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

  /// The folder that this process is in, which a run notes.
  ///
  /// - Throws: `.usage` when its path is not UTF-8: the run would not find it again.
  static func workingFolder() throws(AuricleError) -> String {
    guard let bytes = unsafe getcwd(nil, 0) else {
      return FileManager.default.currentDirectoryPath
    }
    defer { unsafe free(bytes) }
    if let path = unsafe String(validatingCString: bytes) { return path }
    let shown = unsafe TerminalText.plain(String(cString: bytes))
    throw AuricleError(
      .usage,
      "the current folder \(shown) has a name that is not UTF-8: rename it, or give the command in "
        + "another folder")
  }

  /// A path that holds in every folder.
  static func absolute(_ path: String?) -> String? {
    path.map { URL(fileURLWithPath: $0).path }
  }

  /// The name of a preset for names of results: a file's without its folder and ending.
  static func presetName(_ text: String) -> String {
    let name = (text as NSString).lastPathComponent
    for ending in PresetLibrary.fileEndings where name.hasSuffix(ending) {
      return String(name.dropLast(ending.count))
    }
    return name
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
