// The script that keeps imports in order: clean here, and not blind.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite struct SourceChecksTests {
  @Test func theSourcesAreInOrder() throws {
    let result = try runProcess(Places.inPackage("Scripts/check-sources"))
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  /// Runs a copy of the script beside some source files.
  private func check(_ files: [(name: String, text: String)]) throws -> ProcessResult {
    let folder = try TemporaryFolder()
    try folder.makeFolder("Scripts")
    for name in ["check-sources", "imports.txt"] {
      let copy = try runProcess(
        "cp", [Places.inPackage("Scripts/\(name)"), folder("Scripts/\(name)")])
      #expect(copy.exitCode == 0)
    }
    for (name, text) in files {
      try folder.write(
        "// Purpose.\n// SPDX-License-Identifier: Apache-2.0\n\n\(text)\n", to: name)
    }
    #expect(try runProcess("git", ["init", "-q"], in: folder.path).exitCode == 0)
    return try runProcess(folder("Scripts/check-sources"))
  }

  @Test func cleanFilesPass() throws {
    let result = try check([
      ("Sources/Units/AudioUnits/A.swift", "public import AudioTypes\nimport Synchronization"),
      ("Sources/Fronts/auricle/A.swift", "import Foundation"),
    ])
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  @Test func eachForbiddenImportIsNamed() throws {
    let files = [
      ("SDK/AudioTypes/A.swift", "import Foundation"),
      ("Sources/Units/AudioGraph/A.swift", "public import Foundation"),
      ("Sources/Files/AudioFiles/A.swift", "import struct Foundation.URL"),
      ("Sources/Formats/LV2Units/A.swift", "@preconcurrency import FoundationEssentials"),
      ("Sources/Batch/ChainPresets/A.swift", "internal import Foundation"),
      ("SDK/AuricleSDK/A.swift", "import AudioUnits"),
      ("Plugins/Delay/A.swift", "import AudioComponents"),
      ("Sources/Units/AudioUnits/A.swift", "import AudioComponents"),
      ("Sources/Formats/NativeUnits/A.swift", "  import LV2Units"),
      ("SDK/RealtimeSupport/A.swift", "import CLilv"),
    ]
    let result = try check(files.map { (name: $0.0, text: $0.1) })
    #expect(result.exitCode == 1, "\(result.summary)")
    for (name, _) in files {
      #expect(result.standardError.contains("\(name):4: "), "\(name)\n\(result.summary)")
    }
  }

  @Test func aFolderWithoutRulesIsNamed() throws {
    let result = try check([("Sources/Units/NewModule/A.swift", "import AudioTypes")])
    #expect(result.exitCode == 1 && result.standardError.contains("Sources/Units/NewModule"))
  }
}
