// The installed units and presets, and the work with them: the entry point of the host.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
public import AudioTypes
import CAudioToolbox
import ChainPresets
import CodecComponents
import HostSystem
import InstalledComponents
import OutputUnits
public import RunLedgers
import Workers

/// Everything that Auricle offers to a front: the command line, C, Python, a web page.
///
/// Runs open plug-ins in child processes of the program that this is part of: it calls
/// `HostProcess.serveIfChild()` first.
public struct AuricleInstallation: Sendable {
  /// The paths of the program.
  package let host: HostPlaces

  /// Makes the installation beside this program, in the user's folders and on the search paths.
  ///
  /// Context: control.
  public init() { host = HostPlaces() }

  /// Makes the installation beside another program.
  ///
  /// Context: control.
  package init(host: HostPlaces) { self.host = host }

  /// The words for the formats of units, in the order in which one of several is chosen.
  ///
  /// Context: any.
  public static var formatNames: [String] { InstalledFormats(shippedFolder: nil).all.map(\.name) }

  /// Whether an earlier scan left its catalog, so that listing units needs no time.
  ///
  /// Context: control.
  public static var hasCatalog: Bool {
    HostPlaces.cacheFolder.map { FileIdentity.of($0) != nil } ?? false
  }

  // MARK: Runs

  /// Runs many files with a ledger; resumes the same run if it was cut off.
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

  /// Finds out the planned results of a run; writes nothing.
  ///
  /// - Throws: As `run`.
  ///
  /// Context: control.
  public func dryRun(
    _ request: RunRequest, control: RunControl = RunControl()
  ) throws -> DryRunResult {
    try BeginRun(request, host, control).dryRun()
  }

  /// Resumes a run that was cut off. Changes the process's working folder to the one the run was begun in.
  ///
  /// - Throws: As `run`; also when a repeated setting differs.
  ///
  /// Context: control; returns when the run has ended.
  public func resume(
    _ request: ResumeRequest, control: RunControl = RunControl()
  ) throws -> RunOutcome {
    try ResumeRun(request, host, control).go()
  }

  /// Runs every new file of a folder until `control` asks to stop.
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

  /// Runs files that are named one by one with their results, without a ledger.
  ///
  /// - Throws: As `run`.
  ///
  /// Context: control; returns when all are done.
  public func run(
    _ request: ListedFilesRequest, control: RunControl = RunControl()
  ) throws -> RunOutcome {
    try ListedFilesRun(request, host, control).go()
  }

  /// Finds out which file would be written; writes nothing.
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

  /// The installed units, and the failures to read some; opens no plug-in. Codecs and the units of
  /// sound cards are named by their types alone.
  ///
  /// - Parameters:
  ///   - pattern: `TYPE[:SUBTYPE[:MANUFACTURER]]`, `*` for any; nil for all.
  ///   - search: A text in their name, tags or URI, in any case; nil for all.
  /// - Throws: `.usage` for a malformed pattern.
  ///
  /// Context: control.
  public func components(
    matching pattern: String? = nil, search: String? = nil
  ) throws(AuricleError) -> (components: [ComponentLine], problems: [String]) {
    let pattern = try pattern.map { text throws(AuricleError) in
      do throws(AuricleError) { return try ComponentPattern(text) } catch {
        if let kind = FileBeginning(path: text) {
          throw AuricleError(error.category, "'\(text)' is no type of units, but \(kind.advice)")
        }
        guard !text.contains(":") else { throw error }
        throw AuricleError(
          error.category,
          "'\(text)' is not a code of four characters, such as aufx: find units by name with --search"
        )
      }
    }
    let isCodec = pattern?.type.map { CodecComponentSource.isCodec($0.rawValue) } ?? false
    let isOutput = pattern?.type?.rawValue == kAudioUnitType_Output
    let registry =
      isCodec
      ? AudioComponentRegistry(sources: [CodecComponentSource()])
      : host.makeRegistry(adding: isOutput ? [OutputComponentSource()] : [])
    let found = registry.matching(pattern ?? ComponentPattern()).filter { component in
      guard let text = search?.lowercased() else { return true }
      return
        ([component.name, component.triple] + [component.location.identifier].compactMap(\.self)
        + component.tags).contains { $0.lowercased().contains(text) }
    }
    return (found.map(ComponentLine.init), registry.problems.map(\.description))
  }

  /// An installed unit; none is opened.
  ///
  /// - Parameter name: `TYPE:SUBTYPE:MANUFACTURER`, a URI, or a name that only one unit has.
  /// - Throws: `.unavailable` when there is no such unit.
  ///
  /// Context: control.
  public func component(named name: String) throws(AuricleError) -> ComponentLine {
    ComponentLine(try host.makeRegistry(refusesBlocked: false).resolve(name))
  }

  /// Describes a unit; also returns its problem as the end of a sentence, nil without one.
  ///
  /// - Parameter name: `TYPE:SUBTYPE:MANUFACTURER`, a URI, or a name that only one unit has.
  /// - Throws: `.unavailable` when there is no such unit.
  ///
  /// Context: control. A unit that has to be opened for it is opened in a child process.
  public func describe(
    _ name: String
  ) throws(AuricleError) -> (report: UnitReport, problem: String?) {
    // Blocked units are described too: nothing is opened in this process.
    let component = try host.makeRegistry(refusesBlocked: false).resolve(name)
    var (report, problem) = UnitSurvey(host).report(on: component)
    report.addUserPresets()
    return (report, problem)
  }

  /// Scans the installed units and compares them with the previous scan.
  ///
  /// - Throws: `.unavailable` when a named unit is not installed.
  ///
  /// Context: control. Units are opened in child processes.
  public func scan(_ request: ScanRequest = ScanRequest()) throws -> ScanReport {
    try Scan(
      host, isForced: request.isForced, opensAll: request.opensAll, names: request.components
    ).report
  }

  /// Removes units from the blocklist; all of them if `names` is empty.
  ///
  /// - Throws: `.unavailable` when a named unit is not installed, `.inputOutput` when the list cannot be
  ///   written.
  ///
  /// Context: control.
  public func unblock(_ names: [String] = []) throws(AuricleError) -> [ScanReport.Blocked] {
    var blocklist = ComponentBlocklist(folder: HostPlaces.cacheFolder)
    var entries = blocklist.all
    if !names.isEmpty {
      let registry = host.makeRegistry(refusesBlocked: false)
      let keys = try names.map { name throws(AuricleError) in
        // Removed or renamed units can still be named as in the list.
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

/// The request of a scan.
public struct ScanRequest: Sendable, Equatable {
  /// Whether to ignore caches and read and probe everything.
  public var isForced = false
  /// Whether to open and run every unit for a moment.
  public var opensAll = false
  /// The only units to open and report; empty for all.
  public var components: [String] = []

  /// Makes a request to scan changed units.
  public init() {}
}
