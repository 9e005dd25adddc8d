// The script that keeps the text of files in order: clean here, and not blind.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite struct SourceChecksTests {
  @Test func theSourcesAreInOrder() throws {
    let result = try runProcess(Places.inPackage("Scripts/check-sources"))
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  /// Runs a copy of the script beside some source files.
  private func check(
    _ files: [(name: String, text: String)], bare: [(name: String, text: String)] = []
  ) throws -> ProcessResult {
    let folder = try TemporaryFolder()
    try folder.makeFolder("Scripts")
    let copy = try runProcess(
      "cp", [Places.inPackage("Scripts/check-sources"), folder("Scripts/check-sources")])
    #expect(copy.exitCode == 0)
    for (name, text) in bare { try folder.write(text, to: name) }
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

  @Test func filesWithoutAPurposeOrALicenceAreNamed() throws {
    let result = try check([], bare: [("Sources/Units/AudioUnits/A.swift", "import AudioTypes\n")])
    #expect(result.exitCode == 1, "\(result.summary)")
    for line in 1...2 {
      #expect(result.standardError.contains("Sources/Units/AudioUnits/A.swift:\(line): "))
    }
  }

  @Test func everyProgramHasAPackage() throws {
    let result = try runProcess(Places.inPackage("Scripts/check-programs"))
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  /// Programs without a line, programs of a package that is not installed, and programs that a shell starts.
  @Test func eachProgramWithoutAPackageIsNamed() throws {
    let folder = try TemporaryFolder()
    // The check reads this file as well: the text it searches for is put together here.
    let (call, shell, bin) = ("runProcess", "sh", "bin")
    try folder.write("[test]\nsox\n[servers]\njackd2\n", to: "Scripts/packages.txt")
    try folder.write(
      "cat base\nsox sox\njackd jackd2\nlame lame\n", to: "Scripts/programs.txt")
    try folder.write(
      #"""
      let a = try \#(call)("sox", ["x"])
      let b = try \#(call)(
        "jackd")
      let c = try \#(call)("\#(shell)", ["-c", "cat a | oggenc \(folder("b")) && true"])
      let d = "/usr/\#(bin)/flite"
      """#, to: "Tests/A/A.swift")
    try folder.write(
      """
      #!/usr/bin/env bash
      work() { local x=$(mpg123 "$1"); }  # nothing of fluidsynth
      if ! [ -d "$a" ] && work | timeout 5 timidity; then echo "of espeak"; fi
      case $a in wav|mp3) lame "$a" ;; esac
      while read -r x; do jackd "$x"; done <<END
      mplayer
      END
      """, to: "Scripts/run")
    try folder.write(
      "#!/usr/bin/env python3\nimport subprocess\nsubprocess.run(['speexenc', 'a'])\n",
      to: "Stress/run")
    #expect(try runProcess("git", ["init", "-q"], in: folder.path).exitCode == 0)
    let result = try runProcess(Places.inPackage("Scripts/check-programs"), [folder.path])
    #expect(result.exitCode == 1, "\(result.summary)")
    let named = result.standardError.split(separator: "\n").compactMap { line -> String? in
      let parts = line.split(separator: "'")
      return parts.count > 2 ? String(parts[0] + parts[1]) : nil
    }
    #expect(
      Set(named) == [
        "Tests/A/A.swift: jackd", "Tests/A/A.swift: oggenc", "Tests/A/A.swift: flite",
        "Tests/A/A.swift: sh",
        "Scripts/run: mpg123", "Scripts/run: timidity", "Scripts/run: timeout", "Scripts/run: lame",
        "Stress/run: speexenc", "Stress/run: python3",
      ], "\(result.summary)")
  }

  @Test func everyRemovalHasItsReason() throws {
    let result = try runProcess(Places.inPackage("Scripts/check-removals"))
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  /// A new call of each kind fails, in Swift, C, C++, Python and the shell; comments and calls on values do not count.
  @Test func eachNewRemovalIsNamed() throws {
    let kinds: [(name: String, text: String, call: String)] = [
      ("Sources/A/A.swift", "unsafe unlinkat(1, name, 0)", "unlink"),
      ("Sources/A/B.swift", "try FileManager.default.removeItem(atPath: path)", "removeItem"),
      ("Sources/A/C.swift", "try manager.replaceItemAt(one, withItemAt: two)", "replaceItem"),
      ("Sources/A/D.swift", "manager.createFile(atPath: path, contents: nil)", "createFile"),
      ("Sources/A/E.swift", "try data.write(to: URL(fileURLWithPath: path))", "write(to:)"),
      ("Sources/A/F.swift", "let flags = O_WRONLY | O_TRUNC", "O_TRUNC"),
      ("Sources/A/G.swift", "unsafe rename(part, path)", "rename"),
      ("Plugins/A/A.c", "  remove(path);", "remove"),
      ("SDK/A/A.c", "  FILE *file = fopen(path, \"wb\");", "O_TRUNC"),
      ("Codecs/A.cpp", "  std::filesystem::remove_all(path);", "remove"),
      ("Python/src/a.py", "os.replace(one, two)", "rename"),
      ("Python/src/b.py", "path.write_text(text)", "truncate"),
      ("Scripts/uninstall", "rm -rf \"$place\"", "shell"),
      ("SDK/Compilers/a", "[ -e $a ] && mv a b", "shell"),
    ]
    let folder = try TemporaryFolder()
    for kind in kinds { try folder.write("\(kind.text)\n", to: kind.name) }
    try folder.write(
      "// unlink(path)\nnames.remove(at: 0)\nfigure.write(to: output)\n", to: "Sources/A/Z.swift")
    try folder.write(
      "Sources/A/A.swift unlink 1 A socket of this process.\nSources/A/Y.swift rename 1 Gone.\n",
      to: "Scripts/removals.txt")
    #expect(try runProcess("git", ["init", "-q"], in: folder.path).exitCode == 0)
    let result = try runProcess(Places.inPackage("Scripts/check-removals"), [folder.path])
    #expect(result.exitCode == 1, "\(result.summary)")
    let lines = result.standardError.split(separator: "\n")
    for kind in kinds.dropFirst() {
      #expect(
        lines.contains { $0.hasPrefix("\(kind.name):1:") && $0.contains(" of \(kind.call),") },
        "\(kind)\n\(result.summary)")
    }
    #expect(lines.contains { $0.contains("Y.swift has no rename") })
    #expect(!result.standardError.contains("Z.swift"))
    #expect(lines.count == kinds.count + 1, "\(result.summary)")
  }
}
