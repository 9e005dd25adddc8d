// Help texts as snapshots, and the manual page against the options there are.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct HelpTests {
  static let commands: [[String]] = [
    [], ["list"], ["info"], ["scan"], ["process"], ["convert"], ["watch"], ["status"], ["report"],
    ["verify"],
    ["preset"],
    ["preset", "list"],
    ["preset", "show"],
    ["preset", "check"], ["preset", "export"], ["preset", "save"], ["preset", "delete"],
    ["graph"], ["graph", "show"], ["measure"], ["file"], ["file", "info"],
    ["midi"], ["midi", "info"], ["midi", "list"], ["midi", "network"],
    ["play"], ["record"], ["live"], ["studio"], ["show"], ["render"], ["plot"], ["say"],
    ["devices"],
    ["plan"], ["shard"], ["unfinished"], ["merge"], ["submit"], ["tag"], ["validate"], ["config"],
    ["doctor"],
    ["plugin"], ["plugin", "new"], ["plugin", "bundle"], ["plugin", "dev"],
    ["plugin", "export"],
    ["swift"], ["swift", "new"],
  ]

  @Test(arguments: commands) func helpIsAsRecorded(command: [String]) throws {
    let name = (["auricle"] + command).joined(separator: "-") + ".txt"
    let path = Places.inPackage("Tests/CommandLineTests/Snapshots/" + name)
    let result = try runAuricle(command + ["--help"], environment: ["COLUMNS": "80"])
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.standardError.isEmpty)
    if ProcessInfo.processInfo.environment["AURICLE_UPDATE_SNAPSHOTS"] == "1" {
      try result.standardOutput.write(toFile: path, atomically: true, encoding: .utf8)
    }
    let recorded = try? String(contentsOfFile: path, encoding: .utf8)
    #expect(
      result.standardOutput == recorded,
      "the help of \(name) changed: look at it, and record it with AURICLE_UPDATE_SNAPSHOTS=1")
    #expect(result.standardOutput.contains("EXAMPLES:"))
  }

  @Test(arguments: ["process", "convert"]) func helpIsShortUnlessAllIsAskedFor(command: String)
    throws
  {
    let short = try runAuricle([command, "--help"], environment: ["COLUMNS": "80"])
    let whole = try runAuricle([command, "--help-all"], environment: ["COLUMNS": "80"])
    #expect(short.exitCode == 0 && whole.exitCode == 0, "\(whole.summary)")
    func options(_ text: String) -> Int {
      text.split(separator: "\n").count { $0.hasPrefix("  -") }
    }
    // Twelve, and those for help and the version.
    #expect(options(short.standardOutput) == 14, "\(short.summary)")
    #expect(options(whole.standardOutput) > 30)
    #expect(short.standardOutput.contains("more options: auricle \(command) --help-all"))
    #expect(!whole.standardOutput.contains("--help-all"))
    #expect(short.standardOutput.contains("EXAMPLES:") && short.standardOutput.contains("USAGE:"))
    #expect(!short.standardOutput.contains(":\n\n\n"))
  }

  @Test func helpCommandIsTheSame() throws {
    let flag = try runAuricle(["process", "--help"], environment: ["COLUMNS": "80"])
    let command = try runAuricle(["help", "process"], environment: ["COLUMNS": "80"])
    #expect(flag.standardOutput == command.standardOutput)
  }

  @Test func versionIsReported() throws {
    let result = try runAuricle(["--version"])
    #expect(result.exitCode == 0)
    let version = try #require(result.standardOutput.firstMatch(of: /^auricle \d+\.\d+\.\d+\n$/))
    #expect(!version.output.isEmpty)
  }

  @Test func everyCommandHasAPageInOrder() throws {
    let box = try Sandbox()
    let made = try runProcess(
      Places.inPackage("Scripts/make-manual"), [Places.auricle, box.folder.path])
    try #require(made.exitCode == 0, "\(made.summary)")
    let pages = try FileManager.default.contentsOfDirectory(atPath: box.folder.path)
      .filter { $0.hasSuffix(".1") }
    for command in Self.commands.dropFirst() {
      let name = (["auricle"] + command).joined(separator: "-") + ".1"
      #expect(pages.contains(name), "\(name) is missing")
    }
    let whole = try String(contentsOfFile: box("auricle.1"), encoding: .utf8)
    for command in Self.commands where command.count == 1 {
      #expect(whole.contains("\n\\fB\(command[0])\\fR\n"), "auricle.1 lacks \(command[0])")
    }
    for section in ["EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO"] {
      #expect(whole.contains("\n.SH \(section)\n"), "auricle.1 has no section \(section)")
    }
    let result = try runProcess(
      "mandoc", ["-T", "lint", "-W", "warning"] + pages.map { box($0) })
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  @Test func completionScriptsAreMade() throws {
    for shell in ["bash", "zsh", "fish"] {
      let result = try runAuricle(["--generate-completion-script", shell])
      #expect(result.exitCode == 0)
      #expect(result.standardOutput.contains("output-file"))
      // Lists that are made only for scripts.
      #expect(result.standardOutput.contains("alac-24"))
    }
  }
}
