// Manifests: the ties of a run, and the differences that make two of them two runs.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import FileRendering
import HostSystem
import ResultSettings
import RunLedgers
import TestSupport
import Testing

@Suite struct RunManifestTests {
  private var manifest: RunManifest {
    RunManifest(
      run: "r", tool: "1.0", workingFolder: "/begun", presetName: "voice", preset: "{}",
      settings: JobSettings(), inputs: ["in"])
  }

  @Test func everythingReadsBack() throws {
    var manifest = manifest
    manifest.presetPath = "/presets/voice.yaml"
    manifest.list = "list.txt"
    manifest.isRecursive = false
    manifest.variantCount = 3
    manifest.seed = .max
    manifest.output = "out"
    manifest.existing = .rename
    manifest.backupSuffix = ".orig"
    manifest.sandbox.level = .compat
    manifest.sandbox.readablePaths = ["/opt/x"]
    manifest.sandbox.allowsNetwork = true
    manifest.limits.file = 12.5
    manifest.limits.failuresInRow = 0
    manifest.report = "/tmp/report.html"
    manifest.watch = WatchRequest(folder: "/in")
    manifest.units = [
      UnitIdentity(identity: "aufx:a:b", name: "B: A", version: "1", path: "/p", checksum: 7)
    ]
    manifest.totals.fileCount = 9
    manifest.planChecksum = .max
    let text = manifest.json.indentedText
    let again = try #require(JSONValue(text: text).flatMap(RunManifest.init(json:)))
    #expect(again.json.indentedText == text)
    #expect(again.seed == .max && again.planChecksum == .max && again.watch?.folder == "/in")
    #expect(again.limits == manifest.limits && again.sandbox == manifest.sandbox)
    #expect(again.units == manifest.units && again.totals.fileCount == 9)
    #expect(manifest.disagreement(with: again) == nil)
  }

  @Test func aManifestOfAnotherFormatIsNone() {
    let members = (manifest.json.members ?? []).map {
      $0.key == "format" ? JSONValue.Member("format", 2) : $0
    }
    #expect(RunManifest(json: .object(members)) == nil)
    #expect(RunManifest(json: .object(members.filter { $0.key != "plan" })) == nil)
  }

  @Test(arguments: [
    "another preset", "other settings of the results", "another number of variants",
    "other inputs", "another working folder", "other names of results",
    "another rule for results that exist", "another version of the program (1.0, now 2.0)",
  ])
  func whatDiffersIsNamed(expected: String) {
    var other = manifest
    switch expected.split(separator: " ").prefix(3).joined(separator: " ") {
    case "another preset": other.preset = "[]"
    case "other settings of": other.settings.tail = .none
    case "another number of": other.seed = 4
    case "other inputs": other.isRecursive = false
    case "another working folder": other.workingFolder = "/elsewhere"
    case "other names of": other.template = "{name}"
    case "another rule for": other.backupSuffix = ".orig"
    default: other.tool = "2.0"
    }
    #expect(manifest.disagreement(with: other)?.hasPrefix(expected) == true)
  }

  @Test func theWorkingFolderMattersForRelativeNamesAlone() {
    var (first, second) = (manifest, manifest)
    first.inputs = ["/in", "/\u{301}in"]
    second.inputs = first.inputs
    second.workingFolder = "/elsewhere"
    #expect(first.disagreement(with: second) == nil)
    // A list is a name as well, and its lines may be.
    (first.inputs, first.list) = ([], "list.txt")
    (second.inputs, second.list) = ([], "list.txt")
    #expect(first.disagreement(with: second) == "another working folder")
  }

  @Test func unitsThatChangedAreNamed() {
    var manifest = manifest
    let unit = UnitIdentity(
      identity: "aufx:a:b", name: "B: A", version: "1.0", path: "/p", checksum: 7)
    manifest.units = [unit]
    #expect(manifest.unitDisagreement([unit]) == nil)
    var moved = unit
    moved.path = "/q"
    #expect(manifest.unitDisagreement([moved]) == nil)
    var newer = unit
    newer.version = "2.0"
    #expect(manifest.unitDisagreement([newer]) == "B: A in version 2.0, where it was 1.0")
    var patched = unit
    patched.checksum = 8
    #expect(manifest.unitDisagreement([patched]) == "B: A changed on the disk (/p)")
    #expect(manifest.unitDisagreement([]) == "another number of units")
    manifest.units = []
    #expect(manifest.unitDisagreement([unit]) == nil)
  }

  @Test func resultsAreWhereTheFolderIsNow() {
    var manifest = manifest
    manifest.output = "out"
    #expect(manifest.location(of: "out/sub/a.wav", in: "/moved") == "/moved/sub/a.wav")
    #expect(manifest.location(of: "outside/a.wav", in: "/moved") == "outside/a.wav")
    manifest.output = nil
    #expect(manifest.location(of: "sub/a.wav", in: "/moved") == "/begun/sub/a.wav")
    #expect(manifest.location(of: "/in/a.wav", in: "/moved") == "/in/a.wav")
  }
}
