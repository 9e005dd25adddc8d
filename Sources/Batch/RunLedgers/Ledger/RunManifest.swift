// The manifest of a run: preset, units, settings, plan. A later command that differs cannot continue it.
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
  /// The folder it was begun in, which paths of inputs are relative to.
  public var workingFolder: String
  /// The name of the preset.
  public var presetName: String
  /// The file of the preset, whose folder its paths are relative to; nil for a command line.
  public var presetPath: String?
  /// The name of the preset; nil where units of a command line make the chain, or nothing does. Context: any.
  public var namedPreset: String? {
    presetPath == nil && presetName == "chain" ? nil : presetName
  }
  /// The preset in canonical JSON.
  public var preset: String
  /// The settings for every file.
  public var settings: JobSettings
  /// The files and folders as they were named.
  public var inputs: [String]
  /// The folders among them, as they were when the plan was made; empty for a run of an older program.
  public var inputFolders: [InputFolder] = []
  /// The file of a list of inputs; nil for none.
  public var list: String?
  /// Whether subfolders are walked.
  public var isRecursive = true
  /// The template of results.
  public var template: String
  /// The number of variants of each file; 0 for none.
  public var variantCount = 0
  /// The seed of random values; nil without any.
  public var seed: UInt64?
  /// The output folder as it was named; nil when results replace their inputs.
  public var output: String?
  /// The treatment of results that exist.
  public var existing: ExistingPolicy
  /// The suffix of backups; nil when results have a folder of their own.
  public var backupSuffix: String?
  /// The sandbox of workers.
  public var sandbox: SandboxRequest
  /// The limits after which work is given up.
  public var limits: WorkLimits
  /// The size of the pictures of every file; nil for none.
  public var pictures: PictureSize?
  /// The absolute path of the report that is written when a session ends; nil for none.
  public var report: String?
  /// The watched folder; nil for a run whose files are known from the start.
  public var watch: WatchRequest?
  /// The units of the chain; empty until they are known.
  public var units: [UnitIdentity] = []
  /// The files that the preset names; nil until they are known.
  public var sideFiles: [PresetFile]?
  /// The number of shards that the plan was split into; nil for a run of one process.
  public var shardCount: Int?
  /// XXH64 of the program that made a plan in shards; 0 for others.
  public var toolChecksum: UInt64 = 0
  /// Whether the run is still in shards, and not merged; read from its folder.
  public internal(set) var isInShards = false
  /// The plan in numbers.
  public var totals = PlanTotals()
  /// The XXH64 of the plan's file; 0 while there is no plan.
  public var planChecksum: UInt64 = 0

  /// Whether the plan was made; a run that was cut off before that makes it when resumed.
  public var isPlanned: Bool { planChecksum != 0 || watch != nil }

  /// The command that the run was begun with.
  public var command: String {
    if watch != nil { return "watch" }
    return settings.song == nil ? "process" : "render"
  }

  /// The request that the plan is made from.
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
    request.acceptsSongs = settings.song != nil
    return request
  }

  /// The chain for workers when the preset's file may have changed.
  public var frozenChain: ChainSource { .text(name: presetPath ?? presetName, preset) }

  /// SHA-256 of the preset.
  public var presetHash: String {
    var digest = [UInt8](repeating: 0, count: 32)
    let text = Array(preset.utf8)
    unsafe text.withUnsafeBytes { unsafe AuricleSHA256($0.baseAddress, $0.count, &digest) }
    return Hexadecimal.text(digest)
  }

  /// Makes the manifest of a new run.
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

  /// The current path of a recorded result when the output folder is `folder`.
  public func location(of recorded: String, in folder: String) -> String {
    guard let output else {
      return Path.isFromRoot(recorded) ? recorded : Path.joining(workingFolder, recorded)
    }
    return Path.below(output, recorded).map { Path.joining(folder, $0) } ?? recorded
  }

  /// A record with the current paths of its results when the output folder is `folder`.
  ///
  /// A run resumed after its output folder was moved records other paths than the manifest's; the plan's
  /// relative paths stay valid.
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

  /// An entry of the plan with results relative to the working folder when the output folder is `folder`.
  public func located(_ entry: PlanEntry, in folder: String) -> PlanEntry {
    guard output != nil, !entry.output.isEmpty else { return entry }
    var entry = entry
    entry.output = Path.joining(folder, entry.output)
    entry.others = entry.others.map { Path.joining(folder, $0) }
    return entry
  }

  /// The name of the first value that differs between two runs and prevents one from continuing the other;
  /// nil for none.
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
    // A list may hold relative paths, wherever it lies itself.
    if workingFolder != other.workingFolder, list != nil || !inputs.allSatisfy(Path.isFromRoot) {
      return "another working folder"
    }
    if template != other.template { return "other names of results" }
    if existing != other.existing || backupSuffix != other.backupSuffix {
      return "another rule for results that exist"
    }
    return toolDisagreement(other.tool)
  }

  /// The sentence that the program is not the one that began the run; nil when it is.
  public func toolDisagreement(_ other: String) -> String? {
    tool == other ? nil : "another version of the program (\(tool), now \(other))"
  }

  /// The first unit that has changed since the run was begun; nil for none.
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

  /// The first file named in the preset that has changed; nil for none.
  public func sideFileDisagreement(_ found: [PresetFile]) -> String? {
    sideFiles.flatMap { PresetFile.difference($0, found) }
  }
}
