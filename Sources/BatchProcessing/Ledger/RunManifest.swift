// What a run is tied to: preset, units, settings, plan. A later command that differs does not go on.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
public import AudioPictures
public import AudioTypes
import CSystemSupport
import Glibc

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

  /// What of two runs must be the same for one to go on where the other ended; the name of the first
  /// thing that differs.
  public func disagreement(with other: RunManifest) -> String? {
    if presetHash != other.presetHash { return "another preset" }
    if settings.json != other.settings.json { return "other settings of the results" }
    if variantCount != other.variantCount || seed != other.seed {
      return "another number of variants or another seed"
    }
    if inputs != other.inputs || list != other.list || isRecursive != other.isRecursive {
      return "other inputs"
    }
    if workingFolder != other.workingFolder, !inputs.allSatisfy({ $0.hasPrefix("/") }) {
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
    for (before, now) in zip(units, found) where before != now {
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

extension RunManifest {
  /// The manifest as JSON.
  public var json: JSONValue {
    .members([
      ("auricle", .string(tool)), ("format", 1), ("run", .string(run)),
      ("started", .string(started)), ("workingFolder", .string(workingFolder)),
      (
        "preset",
        .members([
          ("name", .string(presetName)), ("path", presetPath.map(JSONValue.string)),
          ("sha256", .string(presetHash)),
          ("canonical", .string(preset)),
        ])
      ),
      ("watch", watch?.json), ("pictures", (pictures?.rawValue).map(JSONValue.string)),
      ("units", .array(units.map(\.json))),
      ("sideFiles", sideFiles.map { .array($0.map(\.json)) }), ("settings", settings.json),
      ("inputs", .array(inputs.map(JSONValue.string))), ("list", list.map(JSONValue.string)),
      ("recursive", .boolean(isRecursive)),
      ("variants", variantCount > 0 ? JSONValue(variantCount) : nil),
      ("seed", seed.map { .string(String($0)) }),
      ("output", output.map(JSONValue.string)), ("name", .string(template)),
      ("onExists", .string(existing.rawValue)),
      ("backup", backupSuffix.map(JSONValue.string)), ("sandbox", .string(sandbox.level.rawValue)),
      ("readable", .array(sandbox.readablePaths.map(JSONValue.string))),
      ("network", .boolean(sandbox.allowsNetwork)), ("memory", JSONValue(sandbox.memoryLimit)),
      (
        "limits",
        .members([
          ("stall", JSONValue(limits.stall)), ("open", JSONValue(limits.open)),
          ("transfer", JSONValue(limits.transfer)), ("file", limits.file.map(JSONValue.init)),
          ("failuresInRow", JSONValue(limits.failuresInRow)),
        ])
      ),
      (
        "plan",
        .members([
          ("files", JSONValue(totals.fileCount)), ("failures", JSONValue(totals.failureCount)),
          ("skipped", JSONValue(totals.skippedCount)),
          ("replaced", JSONValue(totals.replacedCount)), ("bytes", JSONValue(totals.byteCount)),
          ("xxh64", .string(Hexadecimal.text(planChecksum))),
        ])
      ),
    ])
  }

  /// Reads a manifest; nil when something needed is missing, or it is of another format.
  public init?(json: JSONValue) {
    guard json["format"]?.integer == 1, let tool = json["auricle"]?.text,
      let run = json["run"]?.text, let folder = json["workingFolder"]?.text,
      let preset = json["preset"], let canonical = preset["canonical"]?.text,
      let settings = json["settings"].flatMap(JobSettings.init),
      let inputs = json["inputs"]?.elements, let plan = json["plan"],
      let files = plan["files"]?.integer, files >= 0,
      let sum = plan["xxh64"]?.text.flatMap(Hexadecimal.number)
    else { return nil }
    self.init(
      run: run, tool: tool, workingFolder: folder, presetName: preset["name"]?.text ?? "preset",
      preset: canonical, settings: settings, inputs: inputs.compactMap(\.text))
    started = json["started"]?.text ?? ""
    presetPath = preset["path"]?.text
    list = json["list"]?.text
    output = json["output"]?.text
    isRecursive = json["recursive"]?.boolean ?? true
    variantCount = json["variants"]?.integer ?? 0
    seed = json["seed"]?.text.flatMap { UInt64($0) }
    template = json["name"]?.text ?? template
    existing = json["onExists"]?.text.flatMap(ExistingPolicy.init) ?? .error
    backupSuffix = json["backup"]?.text
    sandbox.level = json["sandbox"]?.text.flatMap(SandboxLevel.init) ?? .strict
    sandbox.readablePaths = json["readable"]?.elements?.compactMap(\.text) ?? []
    sandbox.allowsNetwork = json["network"]?.boolean ?? false
    sandbox.memoryLimit = json["memory"]?.integer ?? sandbox.memoryLimit
    if let limits = json["limits"] {
      self.limits.stall = limits["stall"]?.number ?? self.limits.stall
      self.limits.open = limits["open"]?.number ?? self.limits.open
      self.limits.transfer = limits["transfer"]?.number ?? self.limits.transfer
      self.limits.file = limits["file"]?.number
      self.limits.failuresInRow = limits["failuresInRow"]?.integer ?? self.limits.failuresInRow
    }
    watch = json["watch"].flatMap(WatchRequest.init(json:))
    pictures = json["pictures"]?.text.flatMap(PictureSize.init(rawValue:))
    units = (json["units"]?.elements ?? []).compactMap(UnitIdentity.init)
    sideFiles = json["sideFiles"]?.elements?.compactMap(PresetFile.init(json:))
    totals.fileCount = files
    totals.failureCount = plan["failures"]?.integer ?? 0
    totals.skippedCount = plan["skipped"]?.integer ?? 0
    totals.replacedCount = plan["replaced"]?.integer ?? 0
    totals.byteCount = plan["bytes"]?.integer ?? 0
    planChecksum = sum
  }
}

/// Times as text.
enum UTCTime {
  /// Now, as `2026-11-21T06:00:00Z`, or in another form of `strftime`.
  static func text(_ format: String = "%Y-%m-%dT%H:%M:%SZ") -> String {
    self.text(format, of: time(nil))
  }

  /// A second after one that was told in the form of names of runs (`20261121-060000`); nil for
  /// another text.
  static func next(after name: some StringProtocol) -> String? {
    let digits = name.utf8.filter { $0 != UInt8(ascii: "-") }.map { Int32($0) - 48 }
    guard digits.count == 14, digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
    func number(_ range: Range<Int>) -> Int32 { digits[range].reduce(0) { 10 * $0 + $1 } }
    var parts = unsafe tm()
    unsafe parts.tm_year = number(0..<4) - 1900
    unsafe parts.tm_mon = number(4..<6) - 1
    unsafe parts.tm_mday = number(6..<8)
    unsafe parts.tm_hour = number(8..<10)
    unsafe parts.tm_min = number(10..<12)
    unsafe parts.tm_sec = number(12..<14) + 1
    return text("%Y%m%d-%H%M%S", of: unsafe timegm(&parts))
  }

  private static func text(_ format: String, of time: time_t) -> String {
    var now = time
    var parts = unsafe tm()
    guard unsafe gmtime_r(&now, &parts) != nil else { return "" }
    var text = [CChar](repeating: 0, count: 64)
    let count = unsafe strftime(&text, text.count, format, &parts)
    return String(decoding: text[0..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
