// The script that keeps the walls: clean here, and not blind in small houses with one fault each.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite struct ArchitectureChecksTests {
  @Test func theArchitectureHolds() throws {
    let result = try runProcess(Places.inPackage("Scripts/check-architecture"))
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  /// Checks a house of three rooms, `Low` above `High` above `top`, with changes in it.
  private func check(
    picture: String = "", manifest: String = "", imports: String = "",
    files: [(name: String, text: String)] = []
  ) throws -> ProcessResult {
    let folder = try TemporaryFolder()
    let row =
      "## System\n| `Low` | Low. |\n## Batch\n| `High` | High. |\n## Fronts\n| `top` | Top. |\n"
    try folder.write(row + picture, to: "docs/architecture.md")
    try folder.write(
      """
      let package = Package(
        targets: [
          // A comment with a target: module("None", in: "Sources/Units", []),
          module("Low", in: "Sources/System", []),
          module("High", in: "Sources/Batch", ["Low", .product(name: "Yams", package: "Yams")]),
          .executableTarget(name: "top", dependencies: ["High"], path: "Sources/Fronts/top"),
          tests("LowTests", ["Low"]),
      \(manifest)
        ])
      """, to: "Package.swift")
    try folder.write(
      "Sources/System/Low:\nSources/Batch/High: Low Yams\nSources/Fronts/top: High Low\n\(imports)",
      to: "Scripts/imports.txt")
    let sources = [("Sources/System/Low/A.swift", "struct A {}\n")] + files
    for (name, text) in sources { try folder.write(text, to: name) }
    return try runProcess(Places.inPackage("Scripts/check-architecture"), ["--root", folder.path])
  }

  private func expect(
    _ result: ProcessResult, says words: String, _ place: SourceLocation = #_sourceLocation
  ) {
    #expect(
      result.exitCode == 1 && result.standardError.contains(words), "\(result.summary)",
      sourceLocation: place)
  }

  @Test func aHouseInOrderPasses() throws {
    let result = try check()
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.standardOutput.contains("0 cycles between modules, 0 between folders"))
  }

  @Test func aRoomThatIsInOnePlaceOnlyIsNamed() throws {
    expect(try check(picture: "| `Attic` | . |\n"), says: "no target Attic")
    let built = "    module(\"Attic\", in: \"Sources/Units\", []),"
    expect(try check(manifest: built), says: "no row for Attic")
    expect(try check(imports: "Sources/Units/Cellar:\n"), says: "Sources/Units/Cellar is no target")
    let files = [(name: "Sources/Units/Attic/A.swift", text: "")]
    expect(try check(manifest: built, files: files), says: "no line for Sources/Units/Attic")
  }

  @Test func floorsOnlyGoUpward() throws {
    expect(
      try check(imports: "Sources/System/Low: High\n"), says: "may import High of the floor Batch")
    expect(try check(imports: "Sources/Batch/High: Low Yams top\n"), says: "may import top")
  }

  @Test func whatIsLinkedIsAllowed() throws {
    let more = "    module(\"Low\", in: \"Sources/System\", [\"High\"]),"
    expect(try check(manifest: more), says: "Low is linked with High")
    expect(try check(manifest: more), says: "modules in a cycle: High, Low")
  }

  @Test func foldersInACycleAreNamedWithWhatTheyUse() throws {
    let files = [
      ("Sources/Batch/High/One/A.swift", "package struct Alpha { var beta: Beta }\n"),
      ("Sources/Batch/High/Two/B.swift", "@frozen public struct Beta {}\nfunc use(_: Alpha) {}\n"),
      ("Sources/Batch/High/Three/C.swift", "// Alpha\nlet text = \"Beta \\(\"Alpha\")\"\n"),
    ]
    let result = try check(files: files.map { (name: $0.0, text: $0.1) })
    expect(result, says: "folders in a cycle: One, Two\n")
    expect(result, says: "Two uses One: Alpha")
  }

  @Test func functionsThatAreTooLongAreNamed() throws {
    let lines = { (count: Int) in String(repeating: "  // A line.\n", count: count) }
    let file = "Sources/Batch/High/B.swift"
    let fits = "func fits(a: Int = { 3 }()) {\n\(lines(58))}\n"
    #expect(try check(files: [(file, fits)]).exitCode == 0)
    let long = "func long<T>(\n  text: String = \"}\"\n) -> T {\n\(lines(58))}\n"
    expect(try check(files: [(file, fits + long)]), says: "B.swift:61: long has 62 lines")
  }
}
