// What is installed here, and what can be done with it: the front door of the host.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
public import AudioTypes
import ChainPresets
public import RunLedgers
import Workers

/// Everything that a front can ask of Auricle: the command line, C, Python, a web page.
///
/// Runs open plug-ins in child processes of the program that this is part of: it calls
/// `HostProcess.serveIfChild()` first.
public struct AuricleInstallation: Sendable {
  /// The places of the program.
  package let host: HostPlaces

  /// What is installed beside this program, in the user's folders and on the search paths.
  ///
  /// Context: control.
  public init() { host = HostPlaces() }

  // MARK: Runs

  /// Runs many files, each accounted for in a ledger; goes on with the same run where it was cut off.
  ///
  /// - Throws: `AuricleError`, `PresetErrors` of a preset, or the `WorkerRefusal` of a chain that cannot
  ///   be made; then nothing was begun. Failures of single files are no errors: see the outcome.
  ///
  /// Context: control; returns when the run has ended.
  public func run(
    _ request: RunRequest, control: RunControl = RunControl()
  ) throws -> RunOutcome {
    try BeginRun(request, host, control).go()
  }

  /// What a run would do; nothing is written.
  ///
  /// - Throws: As `run`.
  ///
  /// Context: control.
  public func dryRun(
    _ request: RunRequest, control: RunControl = RunControl()
  ) throws -> DryRunResult {
    try BeginRun(request, host, control).dryRun()
  }

  /// Goes on with a run that was cut off. The process goes to the folder that the run was begun in.
  ///
  /// - Throws: As `run`; also when something is said again and is not the same.
  ///
  /// Context: control; returns when the run has ended.
  public func resume(
    _ request: ResumeRequest, control: RunControl = RunControl()
  ) throws -> RunOutcome {
    try ResumeRun(request, host, control).go()
  }

  /// Runs every file that comes into a folder, until `control` asks to stop.
  ///
  /// - Returns: Nil when it was asked to stop before it began.
  /// - Throws: As `run`.
  ///
  /// Context: control; returns when it was asked to stop.
  public func watch(
    _ request: FolderWatchRequest, control: RunControl = RunControl()
  ) throws -> RunOutcome? {
    try WatchRun(request, host, control).go()
  }

  /// Runs one file, without a ledger.
  ///
  /// - Throws: As `run`.
  ///
  /// Context: control; returns when it is done.
  public func run(
    _ request: SingleFileRequest, control: RunControl = RunControl()
  ) throws -> RunOutcome {
    try SingleFileRun(request, host, control).go()
  }

  /// The file that would be written; nothing is written.
  ///
  /// - Throws: As `run`.
  ///
  /// Context: control.
  public func dryRun(
    _ request: SingleFileRequest, control: RunControl = RunControl()
  ) throws -> PlanEntry {
    try SingleFileRun(request, host, control).dryRun()
  }

  // MARK: Units

  /// The units that are installed, and what could not be read of them; no plug-in is opened.
  ///
  /// - Parameters:
  ///   - pattern: `TYPE[:SUBTYPE[:MANUFACTURER]]`, `*` for any; nil for all.
  ///   - search: A text that is in their name, tags or URI, in any case; nil for all.
  /// - Throws: `.usage` for a pattern that is none.
  ///
  /// Context: control.
  public func components(
    matching pattern: String? = nil, search: String? = nil
  ) throws(AuricleError) -> (components: [ComponentLine], problems: [String]) {
    let pattern = try pattern.map { text throws(AuricleError) in try ComponentPattern(text) }
    let registry = host.makeRegistry()
    let found = registry.matching(pattern ?? ComponentPattern()).filter { component in
      guard let text = search?.lowercased() else { return true }
      return
        ([component.name, component.triple] + [component.location.identifier].compactMap(\.self)
        + component.tags).contains { $0.lowercased().contains(text) }
    }
    return (found.map(ComponentLine.init), registry.problems.map(\.description))
  }

  /// All about a unit, and what is wrong with it as the end of a sentence; nil when nothing is.
  ///
  /// - Parameter name: `TYPE:SUBTYPE:MANUFACTURER`, a URI, or a name that only one unit has.
  /// - Throws: `.unavailable` when there is no such unit.
  ///
  /// Context: control. A unit that has to be opened for it is opened in a child process.
  public func describe(
    _ name: String
  ) throws(AuricleError) -> (report: UnitReport, problem: String?) {
    // What is blocked is described too: nothing is opened in this process.
    let component = try host.makeRegistry(refusesBlocked: false).resolve(name)
    var (report, problem) = UnitSurvey(host).report(on: component)
    report.addUserPresets()
    return (report, problem)
  }

  /// Reads what is installed anew and compares it to the scan before.
  ///
  /// - Throws: `.unavailable` when a unit that is named is not there.
  ///
  /// Context: control. Units are opened in child processes.
  public func scan(_ request: ScanRequest = ScanRequest()) throws -> ScanReport {
    try Scan(
      host, isForced: request.isForced, opensAll: request.opensAll, names: request.components
    ).report
  }

  /// Takes units off the list of those that are blocked, all without names.
  ///
  /// - Throws: `.unavailable` when a unit that is named is not there, `.inputOutput` when the list
  ///   cannot be written.
  ///
  /// Context: control.
  public func unblock(_ names: [String] = []) throws(AuricleError) -> [ScanReport.Blocked] {
    var blocklist = ComponentBlocklist(folder: HostPlaces.cacheFolder)
    var entries = blocklist.all
    if !names.isEmpty {
      let registry = host.makeRegistry(refusesBlocked: false)
      let keys = try names.map { name throws(AuricleError) in
        // What is gone or renamed can still be named as it is listed.
        if entries.contains(where: { $0.key == name }) { return name }
        return ComponentBlocklist.key(of: try registry.resolve(name))
      }
      entries = entries.filter { keys.contains($0.key) }
    }
    guard blocklist.change(adding: [], removing: entries.map(\.key)) else {
      throw AuricleError(
        .inputOutput,
        "the list of blocked units in \(HostPlaces.cacheFolder ?? "the cache") cannot be written")
    }
    return entries.map(ScanReport.Blocked.init)
  }

  // MARK: Presets

  /// Writes a preset with all files that it needs into a new folder, for another machine.
  ///
  /// - Parameter preset: Its name, or its file.
  /// - Returns: The files, relative to the folder.
  /// - Throws: `PresetErrors` of the preset, or `AuricleError` when the folder cannot be written.
  ///
  /// Context: control. Opens the units in this process.
  public func export(preset: String, to folder: String) throws -> [String] {
    let path = try host.presets.path(of: preset)
    let resolved = try ResolvedChain(
      ChainPreset(path: path), in: host.makeRegistry(), formats: .files)
    var export = ChainExport(resolved, from: path, host)
    try export.write(to: folder)
    return export.files
  }
}

/// What a scan does.
public struct ScanRequest: Sendable, Equatable {
  /// Whether everything is read and tried anew, whatever is remembered.
  public var isForced = false
  /// Whether every unit is opened and run for a moment.
  public var opensAll = false
  /// The units to open, and to report alone; empty for all.
  public var components: [String] = []

  /// A scan of what has changed.
  public init() {}
}
