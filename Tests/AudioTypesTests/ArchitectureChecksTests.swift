// The script that keeps the walls: clean here, and not blind in small houses with one fault each.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite struct ArchitectureChecksTests {
  @Test func theArchitectureHolds() throws {
    let result = try runProcess(Places.inPackage("Scripts/check-architecture"))
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  @Test func theTablesOfTheDocumentAreCurrent() throws {
    let result = try runProcess(Places.inPackage("Scripts/list-modules"), ["--check"])
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  @Test func linksOfDocumentsExist() throws {
    let pages = [(name: "docs/page.md", text: "[there](page.md#part) [`gone`](../Gone.swift)\n")]
    expect(try check(files: pages), says: "docs/page.md: links ../Gone.swift")
  }

  /// Checks a house of three rooms, `Low` above `High` above `top`, with changes in it.
  private func check(
    low: String = "", manifest: String = "", files: [(name: String, text: String)] = []
  ) throws -> ProcessResult {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      let unitLibraries: [String: [Target.Dependency]] = [
        "Meter": ["Low"]
      ]
      let package = Package(
        targets: [
          // MARK: SDK: the libraries of a plug-in
          // MARK: System: plain data
          // A comment with a target: module("None", in: "Sources/Units", []),
          module("Low", in: "Sources/System", [\(low)]),
          // MARK: Units: units
          // MARK: Batch: files
          // High.
          module("High", in: "Sources/Batch", ["Low", .product(name: "Yams", package: "Yams")]),
          // MARK: Fronts: the callers
          // The program.
          .executableTarget(
            name: "top", dependencies: imports(["Foundation", "High"]), path: "Sources/Fronts/top"),
      \(manifest)
          tests("LowTests", ["Low"]),
        ])
      """, to: "Package.swift")
    let sources =
      [
        ("Sources/System/Low/A.swift", "struct A {}\n"),
        ("Sources/Batch/High/A.swift", "package import Low\nimport Yams\n"),
        (
          "Sources/Fronts/top/A.swift",
          "import struct Foundation.URL\n@preconcurrency import High\n"
        ),
        ("Plugins/Meter/A.swift", "import AuricleSDK\nimport Low\n"),
      ] + files
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
    #expect(
      result.standardOutput.contains("3 modules, 0 cycles between modules, 0 between folders"))
  }

  @Test func aRoomWithoutAPurposeOrATargetIsNamed() throws {
    let attic = [(name: "Sources/Units/Attic/A.swift", text: "")]
    expect(try check(files: attic), says: "Sources/Units/Attic: no module of Package.swift")
    let built = "\n    module(\"Attic\", in: \"Sources/Units\", []),"
    expect(try check(manifest: built, files: attic), says: "Attic has no comment with its purpose")
    let cellar = "\n    // Cellar.\n    module(\"Cellar\", in: \"Sources/Cellars\", []),"
    expect(try check(manifest: cellar), says: "Cellar is on floor Cellars, which no MARK names")
  }

  @Test func importsAreTheOnesOfTheTable() throws {
    let files = [(name: "Sources/System/Low/B.swift", text: "public import Foundation\n")]
    expect(try check(files: files), says: "Sources/System/Low/B.swift: Low imports Foundation")
    expect(
      try check(low: "\"CExpat\""), says: "Low names CExpat, which no file of Sources/System/Low")
    let drawn = [(name: "Plugins/Delay/A.swift", text: "internal import High\n")]
    expect(try check(files: drawn), says: "Plugins/Delay/A.swift: Delay imports High")
    let bare = [(name: "Plugins/Meter/A.swift", text: "import AuricleSDK\n")]
    expect(try check(files: bare), says: "unitLibraries gives Meter Low, which no file imports")
  }

  @Test func headersOfTargetsInCAreTheOnesOfTheTable() throws {
    let table = """

          // Plain C.
          .target(name: "CBase", path: "Sources/System/CBase"),

          // C over it.
          .target(name: "CMore", dependencies: [DEPENDENCIES], path: "Sources/Units/CMore"),
      """
    let files = [
      (name: "Sources/System/CBase/include/Base.h", text: "int base(void);\n"),
      (name: "Sources/Units/CMore/More.c", text: "#include <stdio.h>\n#include \"Base.h\"\n"),
    ]
    let right = table.replacing("DEPENDENCIES", with: "\"CBase\"")
    #expect(try check(manifest: right, files: files).exitCode == 0)
    let missing = table.replacing("DEPENDENCIES", with: "")
    expect(try check(manifest: missing, files: files), says: "More.c: CMore imports CBase")
  }

  @Test func floorsOnlyGoUpward() throws {
    let files = [(name: "Sources/System/Low/B.swift", text: "import High\n")]
    let result = try check(low: "\"High\"", files: files)
    expect(result, says: "Low imports High of the floor Batch, which lies below")
    expect(result, says: "modules in a cycle: High, Low")
    let front = [(name: "Sources/Fronts/other/A.swift", text: "import top\n")]
    let built = "\n    // Other.\n    module(\"other\", in: \"Sources/Fronts\", [\"top\"]),"
    expect(try check(manifest: built, files: front), says: "other imports top, a front")
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
