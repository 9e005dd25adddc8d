// A run from the command line to its exit code: begun, resumed, or only tried.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioFiles
import AudioTypes
import BatchProcessing
import ChainPresets
import Foundation

/// Puts together what a run needs.
struct BatchSession {
  let chain: ChainArguments
  let output: OutputArguments
  let place: PlaceArguments
  var run: RunArguments
  let work: WorkArguments
  let inputs: [String]
  let format: OutputFormat
  let isQuiet: Bool
  let host = Host()

  /// Begins a run.
  func begin() throws {
    if let report = run.report { try RunReport.checkPlace(report, output: output.output) }
    let preset = try readPreset()
    if let report = run.report {
      try RunReport.checkReplacing(report, inputs + [run.fromFile, preset.source?.name])
    }
    var settings = try output.settings(for: preset, file: place.outputFile)
    try place.apply(to: &settings)
    // A page shows how loud files are.
    if run.reportsPage { settings.measuresLoudness = true }
    if !preset.hasRandomValues, run.variants != nil || run.seed != nil {
      throw AuricleError(
        .usage,
        "the preset has no random values, so all variants would be the same: write "
          + "{random: [LOW, HIGH]} or {choose: [A, B]} for a parameter, or leave "
          + "\(run.variants != nil ? "--variants" : "--seed") out")
    }
    if place.outputFile != nil || inputs.contains("-") {
      return try SingleFileRun(session: self, preset: preset, settings: settings).go()
    }
    var manifest = try newManifest(preset, settings)
    let source = chain.source(of: preset)
    let options = options(settings, chain: source, run: "dry")
    manifest.sandbox = options.setup.sandbox
    manifest.limits = options.limits
    Interruption.install()
    if run.dryRun {
      return try DryRun(session: self).go(request(manifest), options, root: output.output)
    }
    let unfinished: RunFolder?
    do throws(AuricleError) { unfinished = try unfinishedRun(manifest) } catch {
      throw refused(error)
    }
    if let unfinished { return try resume(unfinished) }
    let folder: RunFolder
    do throws(AuricleError) {
      folder = try RunFolder.create(in: ledgerFolder, isAlone: !work.newRun)
      manifest.run = folder.run
      manifest = try plan(folder, manifest)
    } catch { throw refused(error) }
    try LedgerRun(
      session: self, folder: folder, manifest: manifest, chain: source, isNew: true
    ).go()
  }

  /// Tells the reader of events why a run does not come about.
  func refused(_ error: AuricleError) -> AuricleError {
    if format == .json { EventLines(isBrief: isQuiet).refused(error) }
    return error
  }

  /// The names of results, which have to tell apart what one input gives.
  private func template(_ settings: JobSettings) throws(AuricleError) -> String {
    let hasVariants = run.variants ?? 0 > 1
    guard let name = output.name else {
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

  /// Makes the plan of a run that has none; a run whose plan is refused is gone without a trace.
  func plan(
    _ folder: RunFolder, _ manifest: RunManifest, isNew: Bool = true
  ) throws(AuricleError) -> RunManifest {
    var manifest = manifest
    do throws(AuricleError) {
      // A list from a pipe cannot be read twice: cut off here, such a run never was.
      if manifest.list != "-" { try folder.write(manifest) }
      manifest.inputFolders = manifest.inputs.compactMap(InputFolder.init(path:))
      let plan = try folder.plan(try request(manifest), outputRoot: manifest.output)
      manifest.totals = plan.totals
      manifest.planChecksum = plan.checksum
      try folder.write(manifest)
    } catch {
      // One that was to be gone on with stays as it was.
      if isNew || error.category != .interrupted { folder.discard() }
      throw error
    }
    return manifest
  }

  /// What a plan is made of, until somebody interrupts it.
  func request(_ manifest: RunManifest) throws(AuricleError) -> PlanRequest {
    var request = try manifest.planRequest()
    request.shouldStop = { Interruption.isRequested }
    request.report = run.report
    return request
  }

  /// A run in the output folder that is not finished, if it is this very one.
  private func unfinishedRun(_ manifest: RunManifest) throws(AuricleError) -> RunFolder? {
    guard !work.newRun, let last = RunFolder.all(in: ledgerFolder).last,
      let before = try? last.manifest(), before.watch == nil
    else { return nil }
    // Looked at in this order: what another process still writes is no end.
    let isInUse = last.isInUse
    let state = try RunState(last, fileCount: before.totals.fileCount)
    let difference = before.disagreement(with: manifest)
    // One that was cut off before it began, or came to its end and gave nothing because its settings
    // were wrong, is of no use to another.
    let gaveNothing = state.settledCount == 0 && state.lastEnd == "finished" && !isInUse
    if difference != nil, !before.isPlanned || gaveNothing { return nil }
    guard state.settledCount < before.totals.fileCount || !before.isPlanned else { return nil }
    guard let difference else {
      if !isQuiet {
        StandardStreams.writeMessage("going on with the unfinished run \(last.run)")
      }
      return last
    }
    // Told in the words of a run that is resumed meanwhile.
    if isInUse {
      try last.takeLock()
      // It has ended while it was looked at: what it left is another thing now.
      throw AuricleError(
        .temporary,
        "another auricle was at work on the run \(last.run) in \(last.output) and has just ended: "
          + "give the command again")
    }
    throw AuricleError(
      .badData,
      "\(last.output) holds an unfinished run (\(last.run), \(state.settledCount) of "
        + "\(before.totals.fileCount) files) with \(difference): finish it with --resume "
        + "\(last.output); or leave it, with " + Self.waysOn)
  }

  /// Where the ledger is: in the output folder, or in the one folder that is changed in place.
  private var ledgerFolder: String {
    if let output = output.output { return output }
    var isFolder: ObjCBool = false
    if let first = inputs.first, inputs.count == 1,
      unsafe FileManager.default.fileExists(atPath: first, isDirectory: &isFolder),
      isFolder.boolValue
    {
      return first
    }
    return "."
  }

  /// What a supervisor is told.
  func options(
    _ settings: JobSettings, chain: ChainSource, run name: String,
    sandbox: SandboxRequest = SandboxRequest(), limits: WorkLimits = WorkLimits()
  ) -> SupervisorOptions {
    let setup = WorkerSetup(
      chain: chain, settings: settings, sandbox: work.sandboxRequest(sandbox))
    var options = SupervisorOptions(
      program: host.executable, arguments: ["run-worker"], setup: setup, run: name)
    options.workerCount = work.workerCount
    options.limits = work.limits(limits)
    return options
  }

  /// What a new run in the output folder is tied to.
  func newManifest(_ preset: ChainPreset, _ settings: JobSettings) throws -> RunManifest {
    var manifest = RunManifest(
      run: "", tool: AuricleVersion.text, workingFolder: try Self.workingFolder(),
      presetName: presetName, preset: preset.canonicalJSON, settings: settings, inputs: inputs)
    manifest.presetPath = Self.absolute(preset.source?.name)
    manifest.list = run.fromFile
    manifest.output = output.output
    manifest.variantCount = run.variants ?? (preset.hasRandomValues ? 1 : 0)
    manifest.seed = preset.hasRandomValues ? run.seed ?? 0 : nil
    manifest.template = try template(settings)
    manifest.existing = output.existing
    manifest.isRecursive = work.recursive
    if place.inPlace {
      manifest.backupSuffix = ".bak"
      if manifest.variantCount > 1 {
        throw AuricleError(.usage, "--in-place gives one result: leave --variants out")
      }
    }
    return manifest
  }

  /// The preset, as far as its text can be read here; what is wrong with it a worker tells, because
  /// units have to be opened to tell everything.
  func readPreset() throws -> ChainPreset {
    do {
      let preset = try chain.readPreset(host)
      let problems = preset.problems(with: .files)
      guard problems.isEmpty else { throw PresetErrors(problems) }
      if let file = preset.source?.name { tellChanges(besides: file) }
      return preset
    } catch let errors as PresetErrors {
      guard chain.preset != nil else { throw PresetFailure.exit(errors) }
      let trial = try ChainTrial(
        options: options(JobSettings(), chain: .arguments(chain.words), run: "trial"))
      guard let refusal = trial.refusal else { throw PresetFailure.exit(errors) }
      StandardStreams.writeMessage(refusal.text)
      throw ExitCode(refusal.category.rawValue)
    }
  }

  /// Tells what of an exported preset's folder is not as it was written; it is used as it is.
  private func tellChanges(besides file: String) {
    let place = ParentFolder.of(file)
    guard !isQuiet, ExportManifest.isExport(place) else { return }
    for problem in ExportManifest.problems(in: place) {
      StandardStreams.writeMessage("note: \(TerminalText.plain(problem))")
    }
  }

  /// What the chain is called.
  var presetName: String { chain.preset.map(Self.presetName) ?? "chain" }

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
}
