// The script that keeps imports in order: clean here, and not blind.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite struct SourceChecksTests {
  @Test func theSourcesAreInOrder() throws {
    let result = try runProcess(Places.inPackage("Scripts/check-sources"))
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  /// A copy of the script beside one source file.
  private func check(_ file: String, _ text: String) throws -> ProcessResult {
    let folder = try TemporaryFolder()
    try folder.makeFolder("Scripts")
    for name in ["check-sources", "imports.txt"] {
      let copy = try runProcess(
        "cp", [Places.inPackage("Scripts/\(name)"), folder("Scripts/\(name)")])
      #expect(copy.exitCode == 0)
    }
    try folder.write(
      "// Purpose.\n// SPDX-License-Identifier: Apache-2.0\n\n\(text)\n", to: file)
    #expect(try runProcess("git", ["init", "-q"], in: folder.path).exitCode == 0)
    return try runProcess(folder("Scripts/check-sources"))
  }

  @Test func aCleanFilePasses() throws {
    let result = try check(
      "Sources/AudioUnits/A.swift", "public import AudioTypes\nimport Synchronization")
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  @Test(arguments: [
    ("Sources/AudioTypes/A.swift", "import Foundation"),
    ("Sources/AudioGraph/A.swift", "public import Foundation"),
    ("Sources/AudioFiles/A.swift", "import struct Foundation.URL"),
    ("Sources/LV2Units/A.swift", "@preconcurrency import FoundationEssentials"),
    ("Sources/ChainPresets/A.swift", "#if os(Linux)\n  internal import Foundation\n#endif"),
    ("SDK/AuricleSDK/A.swift", "import AudioUnits"),
    ("Plugins/Delay/A.swift", "import AudioComponents"),
    ("Sources/AudioUnits/A.swift", "import AudioComponents"),
    ("Sources/NativeUnits/A.swift", "import LV2Units"),
    ("Sources/AudioUnits/A.swift", "import CLilv"),
    ("Sources/NewModule/A.swift", "import AudioTypes"),
  ])
  func aForbiddenImportFails(file: String, text: String) throws {
    let result = try check(file, text)
    #expect(result.exitCode == 1, "\(result.summary)")
    let folder = file.contains("NewModule") ? "Sources/NewModule" : file + ":"
    #expect(result.standardError.contains(folder), "\(result.summary)")
  }
}
