// Output folders that get other names between the sessions of a run: its results are found where they are.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct MovedFolderTests {
  let box: Sandbox
  private static let words = [
    "process", "-q", "--unit", "aufx:lpas:appl", "--on-exists", "overwrite", "-o", "o1", "in",
  ]

  init() throws {
    box = try Sandbox()
    try box.makeSounds(6)
    let result = try box.run(Self.words)
    try #require(result.exitCode == 0, "\(result.summary)")
    // As if the run had been cut off before its last files.
    try change("o1", ledger: 1) { !$0.contains("\"index\":4") && !$0.contains("\"index\":5") }
    for name in ["o1/4.wav", "o1/5.wav"] { unsafe unlink(box(name)) }
  }

  /// Keeps some of the lines of a ledger.
  private func change(_ output: String, ledger: Int, keep: (Substring) -> Bool) throws {
    let runs = try FileManager.default.contentsOfDirectory(atPath: box("\(output)/.auricle"))
    let path = box("\(output)/.auricle/\(try #require(runs.first))/ledger-\(ledger).jsonl")
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    try lines.filter(keep).map { $0 + "\n" }.joined()
      .write(toFile: path, atomically: false, encoding: .utf8)
  }

  private func move(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: box(name), toPath: box(other))
  }

  @Test func resultsAreWhereTheFolderIs() throws {
    try move("o1", to: "o2")
    let resumed = try box.run("process", "--resume", "o2", "-q", "--report", "r.csv")
    #expect(resumed.exitCode == 0, "\(resumed.summary)")
    let own = try String(contentsOfFile: box("r.csv"), encoding: .utf8)
    #expect(own.components(separatedBy: "/o2/").count == 7, "\(own)")
    try move("o2", to: "o3")
    let verified = try box.run("verify", "o3")
    #expect(verified.exitCode == 0, "\(verified.summary)")
    #expect(verified.standardError.contains("6 results are as written"), "\(verified.summary)")
    let csv = try box.run("report", "o3", "--format", "csv").standardOutput
    let table = try box.run("report", "o3").standardOutput
    for index in 0..<6 {
      #expect(csv.contains(",o3/\(index).wav,"), "\(csv)")
      #expect(table.contains(" o3/\(index).wav"), "\(table)")
    }
    unsafe unlink(box("o3/5.wav"))
    let missing = try box.run("verify", "o3")
    #expect(missing.lines == ["o3/5.wav is missing"], "\(missing.summary)")
  }

  /// Units may be installed elsewhere meanwhile.
  @Test func theSameUnitInAnotherFolderIsTheSame() throws {
    let places = [try TemporaryFolder("auricle-here"), try TemporaryFolder("auricle-there")]
    for place in places { try ComponentFixture.makeGainUnit(in: place) }
    func run(_ place: TemporaryFolder, _ words: String...) throws -> ProcessResult {
      try runAuricle(
        ["process", "-q"] + words,
        environment: box.environment.merging(["AURICLE_COMPONENT_PATH": place.path]) { $1 },
        in: box.folder.path)
    }
    let begun = try run(places[0], "--unit", "aufx:gain:AuTe", "--output", "g", "in")
    try #require(begun.exitCode == 0, "\(begun.summary)")
    try change("g", ledger: 1) { !$0.contains("\"index\":5") }
    unsafe unlink(box("g/5.wav"))
    let resumed = try run(places[1], "--resume", "g")
    #expect(resumed.exitCode == 0, "\(resumed.summary)")
    #expect(box.names("g").count == 6)
  }
}
