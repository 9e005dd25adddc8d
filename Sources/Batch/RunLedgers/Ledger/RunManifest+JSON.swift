// The manifest of a run, as `run.json` holds it.
// SPDX-License-Identifier: Apache-2.0

import AudioPictures
import AudioTypes
import FileRendering
public import HostSystem
import ResultSettings

extension RunManifest {
  /// The manifest as JSON.
  public var json: JSONValue {
    .members([
      ("auricle", .string(tool)), ("format", 1), ("run", .string(run)),
      ("program", toolChecksum == 0 ? nil : .string(Hexadecimal.text(toolChecksum))),
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
      ("report", report.map(JSONValue.string)),
      ("units", .array(units.map(\.json))),
      ("sideFiles", sideFiles.map { .array($0.map(\.json)) }), ("settings", settings.json),
      ("inputs", .array(inputs.map(JSONValue.string))),
      ("inputFolders", inputFolders.isEmpty ? nil : .array(inputFolders.map(\.json))),
      ("list", list.map(JSONValue.string)),
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
          ("inputs", totals.inputs.json), ("shards", shardCount.map { JSONValue($0) }),
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
    inputFolders = (json["inputFolders"]?.elements ?? []).compactMap(InputFolder.init(json:))
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
    report = json["report"]?.text
    units = (json["units"]?.elements ?? []).compactMap(UnitIdentity.init)
    sideFiles = json["sideFiles"]?.elements?.compactMap(PresetFile.init(json:))
    totals.fileCount = files
    totals.failureCount = plan["failures"]?.integer ?? 0
    totals.skippedCount = plan["skipped"]?.integer ?? 0
    totals.replacedCount = plan["replaced"]?.integer ?? 0
    totals.byteCount = plan["bytes"]?.integer ?? 0
    totals.inputs = InputAmounts(json: plan["inputs"])
    planChecksum = sum
    shardCount = plan["shards"]?.integer
    toolChecksum = json["program"]?.text.flatMap(Hexadecimal.number) ?? 0
  }
}
