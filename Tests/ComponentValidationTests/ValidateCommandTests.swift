// `auricle validate` as it is called: exit codes, forms of the results, seeds, paths, and its list of rules.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct ValidateCommandTests {
  private static let bundle = Result<(folder: TemporaryFolder, path: String), any Error> {
    let folder = try TemporaryFolder("auricle-validate")
    return (folder, try DefectUnitFixture.make(in: folder, subtypes: ["good", "pdef", "tail"]))
  }

  private func run(_ arguments: String...) throws -> ProcessResult {
    let folder = try Self.bundle.get().folder
    return try runAuricle(
      ["validate"] + arguments, environment: ["AURICLE_COMPONENT_PATH": folder.path])
  }

  @Test("errors exit with 1, warnings with 0, missing units with 2")
  func exitCodes() throws {
    let good = try run("aufx:good:AuTe", "--level", "2")
    #expect(good.exitCode == 0, "\(good.summary)")
    #expect(good.standardOutput.contains("aufx:good:AuTe): passed"))
    let warned = try run("aufx:tail:AuTe", "--level", "2")
    #expect(warned.exitCode == 0, "\(warned.summary)")
    #expect(warned.standardOutput.contains("warning properties.recommended: TailTime is missing"))
    let failed = try run("aufx:pdef:AuTe", "--level", "2")
    #expect(failed.exitCode == 1, "\(failed.summary)")
    #expect(failed.standardOutput.contains("error parameters.default"))
    #expect(
      failed.standardOutput.contains("seen: parameter 2, minimum 0, maximum 100, default 200"))
    #expect(failed.standardOutput.contains("to do: correct defaultValue"))
    #expect(try run("aufx:none:AuTe").exitCode == 2)
    #expect(try run("--path", "/nowhere/None.component").exitCode == 2)
    #expect(try run().exitCode == 64)
    #expect(try run("aufx:good:AuTe", "--level", "11").exitCode == 64)
    #expect(try run("aufx:good:AuTe", "--only", "nothing").exitCode == 64)
  }

  @Test("one rule alone is checked, and no other")
  func only() throws {
    let path = try Self.bundle.get().path
    let result = try run("--path", path, "--only", "properties", "--format", "json")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(!result.standardOutput.contains("parameters.default"))
    #expect(result.standardOutput.contains("properties.recommended"))
  }

  @Test("JUnit's XML and the page can be read, and hold the faults")
  func reports() throws {
    let (folder, path) = try Self.bundle.get()
    let result = try run(
      "--path", path, "--level", "1", "--format", "junit", "--report", folder("page.html"))
    #expect(result.exitCode == 1, "\(result.summary)")
    let parser = XMLLikeParser(result.standardOutput)
    #expect(parser.isBalanced)
    #expect(result.standardOutput.contains("<failure message=\"the default of"))
    let page = try String(contentsOfFile: folder("page.html"), encoding: .utf8)
    #expect(page.contains("<h1>3 units, 1 not sound</h1>"))
    #expect(page.contains("parameters.default") && !page.contains("{{"))
  }

  @Test(
    "a bundle without its library, or with an unreadable list, is reported, and no rule passes"
  )
  func brokenBundle() throws {
    let folder = try TemporaryFolder("auricle-broken")
    let bundle = try DefectUnitFixture.make(in: folder, subtypes: ["good"])
    try FileManager.default.removeItem(atPath: bundle + "/Contents/Linux")
    for isListBroken in [false, true] {
      if isListBroken { try folder.write("<plist", to: "DefectUnit.component/Contents/Info.plist") }
      let result = try run("--path", bundle, "--level", "10", "--format", "junit")
      #expect(result.exitCode == 1, "\(result.summary)")
      let output = result.standardOutput
      #expect(output.contains("name=\"component.bundle\"><failure"))
      #expect(output.contains(isListBroken ? "Info.plist" : "The binary is missing"))
      #expect(output.components(separatedBy: "<failure").count == 2)
      #expect(output.contains("name=\"sound.tail\"><skipped/>"))
      #expect(!output.contains("name=\"sound.tail\"/>"))
    }
  }

  @Test("a rule that is not of the unit's format is skipped in JUnit's XML")
  func skippedRules() throws {
    let output = try run("aufx:good:AuTe", "--level", "2", "--format", "junit").standardOutput
    #expect(output.contains("name=\"lv2.name\"><skipped/>"))
    #expect(output.contains("name=\"parameters.default\"/>"))
  }

  @Test("scanning calls no MIDI processor without sound and no offline unit broken")
  func unusualTypes() throws {
    let folder = try TemporaryFolder("auricle-unusual")
    try DefectUnitFixture.make(
      in: folder, subtypes: ["gooi", "goof"], types: ["gooi": "aumi", "goof": "auol"])
    let scan = try runAuricle(
      ["scan"],
      environment: [
        "AURICLE_COMPONENT_PATH": folder.path, "LV2_PATH": folder.path,
        "XDG_CACHE_HOME": folder("cache"),
      ])
    #expect(scan.exitCode == 0, "\(scan.summary)")
    #expect(scan.standardOutput.contains("\n0 broken, "), "\(scan.summary)")
    #expect(!scan.standardOutput.contains("goof:AuTe: "), "\(scan.summary)")
  }

  @Test("nothing goes on when the command is ended, not even a unit that hangs")
  func endsWithTheCommand() throws {
    let folder = try TemporaryFolder("auricle-ended")
    try DefectUnitFixture.make(in: folder, subtypes: ["hang"])
    let mark = "\(Int.random(in: 1_000_000..<2_000_000_000))"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Places.auricle)
    process.arguments = ["validate", "aufx:hang:AuTe", "--seed", mark]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["AURICLE_COMPONENT_PATH": folder.path, "LV2_PATH": folder.path]
    ) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    func isRunning() throws -> Bool {
      try runProcess("pgrep", ["-f", "validate-unit.*\"\(mark)\""]).exitCode == 0
    }
    try #require(try OtherPrograms.wait { try isRunning() })
    process.terminate()
    process.waitUntilExit()
    #expect(try OtherPrograms.wait { try !isRunning() })
  }

  @Test("the guide has the rules as they are")
  func guideIsCurrent() throws {
    let guide = try String(
      contentsOfFile: Places.inPackage("docs/guides/validation.md"), encoding: .utf8)
    let list = try run("--list-checks").standardOutput
    #expect(
      guide.contains(list),
      "put the output of auricle validate --list-checks into docs/guides/validation.md")
  }

  @Test("two units of one identity are both reached by their paths, and reported")
  func twoOfOneIdentity() throws {
    let folder = try TemporaryFolder("auricle-twice")
    for place in ["one", "two"] {
      try folder.makeFolder(place)
      // Each says where it is from in its sound and its name.
      let bundle = try ComponentFixture.makeGainUnit(in: folder)
      let list = bundle + "/Contents/Info.plist"
      let text = try String(contentsOfFile: list, encoding: .utf8)
      try text.replacing("Tests: Gain", with: "Tests: Gain \(place)")
        .write(toFile: list, atomically: true, encoding: .utf8)
      try FileManager.default.moveItem(atPath: bundle, toPath: folder("\(place)/Gain.component"))
    }
    let paths = ["one", "two"].map { folder("\($0)/Gain.component") }
    let environment = ["AURICLE_COMPONENT_PATH": "\(folder("one")):\(folder("two"))"]
    func run(_ arguments: String..., installed: Bool = true) throws -> ProcessResult {
      try runAuricle(
        arguments, environment: installed ? environment : ["AURICLE_COMPONENT_PATH": folder.path])
    }
    for (path, other) in [(paths[0], paths[1]), (paths[1], paths[0])] {
      let name = path == paths[0] ? "Gain one" : "Gain two"
      let result = try run("validate", "--path", path, "--only", "component")
      #expect(result.exitCode == 0, "\(result.summary)")
      #expect(result.standardOutput.contains(name), "\(result.summary)")
      #expect(
        result.standardOutput.contains(
          "warning component.duplicate: \(other) has a unit of the same identity"),
        "\(result.summary)")
      let info = try run("info", path)
      #expect(info.exitCode == 0 && info.standardOutput.contains(name), "\(info.summary)")
    }
    // The first on the path is the one in use.
    let used = try run("validate", "aufx:gain:AuTe", "--only", "component")
    #expect(used.standardOutput.contains("\(paths[1]) has a unit of"), "\(used.summary)")
    // None of them is installed, and both are checked at once.
    let both = try run(
      "validate", "--path", paths[0], "--path", paths[1], "--only", "component", installed: false)
    #expect(both.standardOutput.contains("\(paths[1]) has a unit of"), "\(both.summary)")
    #expect(both.standardOutput.contains("\(paths[0]) has a unit of"), "\(both.summary)")
    let alone = try run(
      "validate", "--path", paths[1], "--only", "component", installed: false)
    #expect(!alone.standardOutput.contains("component.duplicate"), "\(alone.summary)")
    let scan = try run("scan")
    // A line wraps at 100 columns.
    let words = scan.standardOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains("shadowed aufx:gain:AuTe 1.2.3 in \(paths[1]): 1.2.3 in \(paths[0]) is used"),
      "\(scan.summary)")
    #expect(!scan.standardOutput.contains("broken  \(folder.path)"), "\(scan.summary)")
  }
}

/// Whether the tags of a text are balanced.
private struct XMLLikeParser {
  private(set) var isBalanced = true

  init(_ text: String) {
    var open: [Substring] = []
    for match in text.matches(of: /<(\/?)([a-z-]+)[^<>]*?(\/?)>/) {
      let (close, name, empty) = (match.1, match.2, match.3)
      if !empty.isEmpty { continue }
      if close.isEmpty {
        open.append(name)
      } else if open.popLast() != name {
        isBalanced = false
      }
    }
    if !open.isEmpty { isBalanced = false }
  }
}
