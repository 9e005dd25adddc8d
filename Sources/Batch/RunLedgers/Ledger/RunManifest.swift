// What a run is tied to: preset, units, settings, plan. A later command that differs does not go on.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
public import AudioPictures
public import AudioTypes
import CHostSystem
public import FileRendering
import HostSystem
public import ResultSettings

/// The content of `run.json`.
public struct RunManifest: Sendable {
  /// The name of the run.
  public var run: String
  /// The version of the program.
  public var tool: String
  /// When it was begun, in UTC.
  public var started: String
  /// The folder it was begun in: paths of inputs are told from there.
  public var workingFolder: String
  /// The name of the preset.
  public var presetName: String
  /// The file of the preset, from whose folder its files are named; nil for a command line.
  public var presetPath: String?
  /// The preset in canonical JSON.
  public var preset: String
  /// What was done with every file.
  public var settings: JobSettings
  /// Files and folders as they were named.
  public var inputs: [String]
  /// Those of them that are folders, as they were when the plan was made; empty for a run of an older
  /// program.
  public var inputFolders: [InputFolder] = []
  /// Where a list of inputs came from; nil for none.
  public var list: String?
  /// Whether folders in folders are walked.
  public var isRecursive = true
  /// The names of results.
  public var template: String
  /// How many variants of each file there are; 0 for none.
  public var variantCount = 0
  /// The seed of what is drawn; nil without random values.
  public var seed: UInt64?
  /// The output folder as it was named; nil when results take their inputs' places.
  public var output: String?
  /// What is done about results that exist.
  public var existing: ExistingPolicy
  /// What is added to the names of originals; nil when results have a folder of their own.
  public var backupSuffix: String?
  /// The rights of workers.
  public var sandbox: SandboxRequest
  /// When work is given up.
  public var limits: WorkLimits
  /// How large pictures are made of every file; nil for none.
  public var pictures: PictureSize?
  /// Where a report is written whenever the run ends, an absolute path; nil for none.
  public var report: String?
  /// The folder that is watched; nil for a run whose files are known from the start.
  public var watch: WatchRequest?
  /// The units of the chain; empty until they were found.
  public var units: [UnitIdentity] = []
  /// The files that the preset names; nil until they were looked at.
  public var sideFiles: [PresetFile]?
  /// The plan in numbers.
  public var totals = PlanTotals()
  /// The XXH64 of the plan's file; 0 while there is no plan.
  public var planChecksum: UInt64 = 0

  /// Whether the plan was made: a run that was cut off before that begins with it.
  public var isPlanned: Bool { planChecksum != 0 || watch != nil }

  /// What the plan is made of.
  public func planRequest() throws(AuricleError) -> PlanRequest {
    var request = PlanRequest(inputs: inputs, destination: .folder(output ?? "."))
    request.list = list
    request.template = try OutputTemplate(template)
    request.preset = presetName
    request.fileExtension = settings.container?.fileExtension
    request.renders = settings.plannedRenders
    request.variantCount = variantCount
    request.existing = existing
    request.isRecursive = isRecursive
    request.backupSuffix = backupSuffix
    return request
  }

  /// The chain as workers are told it when the preset's file may be another by now.
  public var frozenChain: ChainSource { .text(name: presetPath ?? presetName, preset) }

  /// SHA-256 of the preset.
  public var presetHash: String {
    var digest = [UInt8](repeating: 0, count: 32)
    let text = Array(preset.utf8)
    unsafe text.withUnsafeBytes { unsafe AuricleSHA256($0.baseAddress, $0.count, &digest) }
    return Hexadecimal.text(digest)
  }

  /// Describes a run that is about to begin.
  public init(
    run: String, tool: String, workingFolder: String, presetName: String, preset: String,
    settings: JobSettings, inputs: [String]
  ) {
    self.run = run
    self.tool = tool
    started = UTCTime.text()
    self.workingFolder = workingFolder
    self.presetName = presetName
    self.preset = preset
    self.settings = settings
    self.inputs = inputs
    template = OutputTemplate.standard.text
    existing = .error
    sandbox = SandboxRequest()
    limits = WorkLimits()
  }

  /// Where a recorded result is now, when the output folder is `folder`.
  public func location(of recorded: String, in folder: String) -> String {
    guard let output else {
      return Path.isFromRoot(recorded) ? recorded : Path.joining(workingFolder, recorded)
    }
    return Path.below(output, recorded).map { Path.joining(folder, $0) } ?? recorded
  }

  /// A record with its results where they are now, when the output folder is `folder`.
  ///
  /// A run that was resumed in an output folder that had been moved recorded another path than the
  /// manifest's: what the plan calls a result holds wherever the folder is.
  public func located(_ record: FileRecord, as entry: PlanEntry, in folder: String) -> FileRecord {
    let recorded = [record.output] + (record.result?.others.map(\.path) ?? [])
    let planned = entry.outputs
    guard output != nil, recorded.count <= planned.count else { return record }
    let now = zip(recorded, planned).map { path, name in
      name.isEmpty || !path.utf8.reversed().starts(with: name.utf8.reversed())
        ? location(of: path, in: folder) : Path.joining(folder, name)
    }
    var record = record
    record.output = now[0]
    record.result?.output = now[0]
    for index in now.indices.dropFirst() { record.result?.others[index - 1].path = now[index] }
    record.kept = record.kept.map { kept in
      recorded.firstIndex { Path.isSame($0, kept) }.map { now[$0] } ?? kept
    }
    return record
  }

  /// A file of the plan with its results as paths from here, when the output folder is `folder`.
  public func located(_ entry: PlanEntry, in folder: String) -> PlanEntry {
    guard output != nil, !entry.output.isEmpty else { return entry }
    var entry = entry
    entry.output = Path.joining(folder, entry.output)
    entry.others = entry.others.map { Path.joining(folder, $0) }
    return entry
  }

  /// What of two runs must be the same for one to go on where the other ended; the name of the first
  /// thing that differs.
  public func disagreement(with other: RunManifest) -> String? {
    if presetHash != other.presetHash { return "another preset" }
    if settings.json != other.settings.json { return "other settings of the results" }
    if variantCount != other.variantCount || seed != other.seed {
      let count = variantCount > 0 ? "\(variantCount)" : "none"
      return "another number of variants (\(count)) or another seed (\(seed ?? 0))"
    }
    if inputs != other.inputs || list != other.list || isRecursive != other.isRecursive {
      return "other inputs"
    }
    // A list may hold names that are told from there, wherever it lies itself.
    if workingFolder != other.workingFolder, list != nil || !inputs.allSatisfy(Path.isFromRoot) {
      return "another working folder"
    }
    if template != other.template { return "other names of results" }
    if existing != other.existing || backupSuffix != other.backupSuffix {
      return "another rule for results that exist"
    }
    return toolDisagreement(other.tool)
  }

  /// That the program is not the one that began the run; nil when it is.
  public func toolDisagreement(_ other: String) -> String? {
    tool == other ? nil : "another version of the program (\(tool), now \(other))"
  }

  /// The first unit that is not what it was when the run was begun; nil when all are.
  public func unitDisagreement(_ found: [UnitIdentity]) -> String? {
    guard !units.isEmpty else { return nil }
    for (before, now) in zip(units, found) where !before.isSame(as: now) {
      if before.identity != now.identity { return "another unit: \(now.name)" }
      if before.version != now.version {
        return "\(now.name) in version \(now.version), where it was \(before.version)"
      }
      return "\(now.name) changed on the disk (\(now.path))"
    }
    return units.count == found.count ? nil : "another number of units"
  }

  /// The first file named in the preset that is not what it was; nil when all are.
  public func sideFileDisagreement(_ found: [PresetFile]) -> String? {
    sideFiles.flatMap { PresetFile.difference($0, found) }
  }
}
