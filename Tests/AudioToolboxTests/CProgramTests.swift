// Programs in C against the headers and the library, in a process of their own.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct CProgramTests {
  /// Compiles a source of this folder against the headers and the library.
  func compile(_ name: String, to output: String, with compiler: String, _ more: [String])
    throws
  {
    let libraries = try runtimeLibraries()
    let isC = !compiler.hasSuffix("++")
    let result = try runProcess(
      compiler,
      [
        isC ? "-std=c11" : "-std=c++20", "-Wall", "-Wextra", "-Werror", "-I",
        Places.inPackage("SDK/include"),
        Places.inPackage("Tests/AudioToolboxTests/Programs/\(name).\(isC ? "c" : "cpp")"),
        "-o", output,
        "-L", Places.builtProducts, "-lAudioToolbox", "-L", libraries, "-lFoundation", "-lm",
      ] + more)
    try #require(result.exitCode == 0, "\(result.summary)")
  }

  /// Builds the host and returns its path.
  private func buildHost(in folder: TemporaryFolder, with compiler: String) throws -> String {
    let program = folder("host-" + compiler)
    try compile(
      "RenderThroughUnit", to: program, with: compiler,
      ["-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + (try runtimeLibraries())])
    return program
  }

  /// Makes a bundle of the unit in C, which needs the library and does not say where it is.
  private func buildPassingUnit(
    in folder: TemporaryFolder, with compiler: String, _ options: [String] = []
  ) throws {
    let contents = "Components/PassingUnit.component/Contents"
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
        <key>CFBundleExecutable</key><string>PassingUnit</string>
        <key>CFBundleIdentifier</key><string>org.example.passing</string>
        <key>AudioComponents</key><array><dict>
          <key>type</key><string>aufx</string><key>subtype</key><string>pass</string>
          <key>manufacturer</key><string>TsTc</string>
          <key>name</key><string>Test: Passing</string><key>version</key><integer>65536</integer>
          <key>factoryFunction</key><string>PassingUnitFactory</string>
        </dict></array>
      </dict></plist>
      """, to: contents + "/Info.plist")
    try folder.makeFolder(contents + "/Linux")
    try compile(
      "PassingUnit", to: folder(contents + "/Linux/PassingUnit"), with: compiler,
      ["-shared", "-fPIC"] + options)
  }

  /// Makes an environment that limits a program to the components of a folder.
  func environment(_ folder: TemporaryFolder) -> [String: String?] {
    [
      "AURICLE_COMPONENT_PATH": folder("Components"), "LV2_PATH": folder.path,
      "XDG_CACHE_HOME": folder("cache"),
    ]
  }

  /// The peak in the line that the host prints.
  private func peak(_ result: ProcessResult) throws -> Double {
    try #require(result.exitCode == 0, "\(result.summary)")
    let line = result.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    return try #require(line.split(separator: " ").last.flatMap { Double($0) })
  }

  /// Where the toolchain keeps libFoundation.so.
  func runtimeLibraries() throws -> String {
    let answer = try runProcess("swiftc", ["-print-target-info"])
    struct Target: Decodable {
      struct Paths: Decodable { let runtimeLibraryPaths: [String] }
      let paths: Paths
    }
    let target = try JSONDecoder().decode(Target.self, from: Data(answer.standardOutput.utf8))
    return try #require(
      target.paths.runtimeLibraryPaths.first {
        FileManager.default.fileExists(atPath: $0 + "/libFoundation.so")
      })
  }

  /// Puts a built unit into a bundle in `Components`.
  func assemble(_ name: String, in folder: TemporaryFolder) throws {
    let contents = "Components/\(name).component/Contents"
    let list = try Data(
      contentsOf: URL(
        filePath: ShippedComponents.folder() + "/\(name).component/Contents/Info.plist"))
    try folder.write(list, to: contents + "/Info.plist")
    try folder.makeFolder(contents + "/Linux")
    try FileManager.default.createSymbolicLink(
      atPath: folder(contents + "/Linux/\(name)"),
      withDestinationPath: ShippedComponents.folder()
        + "/\(name).component/Contents/Linux/\(name)")
  }

  @Test("A host in C finds a unit, opens it and renders through it", arguments: ["gcc", "clang"])
  func host(compiler: String) throws {
    let folder = try TemporaryFolder()
    try assemble("Dynamics", in: folder)
    let program = try buildHost(in: folder, with: compiler)
    let environment = environment(folder)
    let rendered = try runProcess(program, ["aufx", "dcmp", "appl"], environment: environment)
    // The input is a sine of 0.5; the processor may lower it and makes nothing louder by default.
    let peak = try peak(rendered)
    #expect(peak > 0.05 && peak < 0.75)

    let missing = try runProcess(program, ["aufx", "none", "xxxx"], environment: environment)
    #expect(missing.exitCode == 1)
    #expect(missing.standardOutput.contains("FindNext"))
  }

  @Test("A unit in C pulls a unit in Swift through the library, and the other way round")
  func connections() throws {
    let folder = try TemporaryFolder()
    try assemble("Dynamics", in: folder)
    try buildPassingUnit(in: folder, with: "gcc")
    let program = try buildHost(in: folder, with: "gcc")
    let environment = environment(folder)
    let passing = ["aufx", "pass", "TsTc"]
    let processor = ["aufx", "dcmp", "appl"]
    let alone = try peak(runProcess(program, processor, environment: environment))
    let plain = try peak(runProcess(program, passing, environment: environment))
    #expect(abs(plain - 0.5) < 0.001)
    let after = try peak(runProcess(program, processor + passing, environment: environment))
    let before = try peak(runProcess(program, passing + processor, environment: environment))
    #expect(after == alone)
    #expect(before == alone)
  }

  @Test("A host in C listens to a unit; with blocks where the compiler has them")
  func listeners() throws {
    let folder = try TemporaryFolder()
    for unit in ["LowPassFilter", "MultiChannelMixer"] { try assemble(unit, in: folder) }
    let libraries = try runtimeLibraries()
    let paths = ["-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + libraries]
    for (compiler, more) in [
      ("gcc", ["-pthread"]),
      ("clang", ["-pthread", "-fblocks", "-ldispatch", "-lBlocksRuntime"]),
    ] {
      let program = folder("listeners-" + compiler)
      try compile("Listeners", to: program, with: compiler, more + paths)
      let result = try runProcess(program, [], environment: environment(folder))
      #expect(result.exitCode == 0, "\(compiler): \(result.summary)")
    }
  }

  @Test("A program in C builds, shows, renders and changes a graph", arguments: ["gcc", "clang"])
  func graph(compiler: String) throws {
    let folder = try TemporaryFolder()
    try assemble("LowPassFilter", in: folder)
    let program = folder("graph-" + compiler)
    try compile(
      "Graph", to: program, with: compiler,
      ["-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + (try runtimeLibraries())])
    let result = try runProcess(program, environment: environment(folder))
    #expect(result.exitCode == 0, "\(result.summary)")
    let shown = result.standardOutput.replacing(#/0x[0-9A-Fa-f]+/#) { match in
      match.output == "0x00000029" ? String(match.output) : "0x1"
    }
    let format = "[ 2 ch,  44100 Hz, 'lpcm' (0x00000029) 32-bit little-endian float, deinterleaved]"
    #expect(
      shown.hasPrefix(
        """
        AudioUnitGraph 0x1:
          Member Nodes:
            node 1: 'auou' 'pass' 'TsTc' "Test: Output", instance 0x1 O I
            node 2: 'aufx' 'pass' 'TsTc' "Test: Passing", instance 0x1 O I
            node 3: 'aufx' 'lpas' 'appl' "Auricle: Low-Pass Filter", instance 0x1 O I
          Connections:
            node   2 bus   0 => node   3 bus   0  \(format)
            node   3 bus   0 => node   1 bus   0  \(format)
          Input Callbacks:
            {0x1, 0x1} => node   2 bus   0  \(format)
          CurrentState:
            mLastUpdateError=0, eventsToProcess=F, isRunning=T
        NULL
        """), "\(shown)")
    #expect(shown.contains("a string"))
    #expect(shown.contains("\"Test: Passing\""))
  }

  /// The code of a dynamic manifest runs while a bundle is read; a separate process runs it.
  @Test(
    "A program in C outlives bundles that crash or hang their reader",
    arguments: [("abort();", "crashed"), ("for (;;) __asm__(\"\");", "took longer")])
  func hostileBundles(action: String, word: String) throws {
    let folder = try TemporaryFolder()
    let program = folder("list")
    try compile(
      "ListComponents", to: program, with: "gcc",
      ["-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + (try runtimeLibraries())])
    let prefix = "@prefix lv2: <http://lv2plug.in/ns/lv2core#> .\n"
    try folder.write(
      prefix
        + "<urn:test:hostile> a <http://lv2plug.in/ns/ext/dynmanifest#DynManifest> ;\n"
        + "  lv2:binary <plugin.so> .\n", to: "a-hostile.lv2/manifest.ttl")
    try folder.write(
      prefix + "<urn:test:good> a lv2:Plugin ; lv2:binary <plugin.so> ;\n"
        + "  <http://usefulinc.com/ns/doap#name> \"Good\" .\n", to: "good.lv2/manifest.ttl")
    let source = try folder.write(
      """
      #include <stdlib.h>
      int lv2_dyn_manifest_open(void** h, void* f) { (void)h, (void)f; \(action) return 0; }
      int lv2_dyn_manifest_get_subjects(void* h, void* f) { (void)h, (void)f; return 1; }
      int lv2_dyn_manifest_get_data(void* h, void* f, const char* u) { (void)h, (void)f, (void)u; return 1; }
      void lv2_dyn_manifest_close(void* h) { (void)h; }

      """, to: "hostile.c")
    let built = try runProcess(
      "cc", ["-shared", "-fPIC", "-o", folder("a-hostile.lv2/plugin.so"), source])
    try #require(built.exitCode == 0, "\(built.summary)")
    let environment = environment(folder).merging(["AURICLE_SCAN_SECONDS": "1"]) { $1 }
    let result = try runProcess(program, environment: environment)
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.standardOutput.contains("Good"))
    // The finding is remembered, for every program.
    let scan = try runProcess(
      Places.builtProducts + "/auricle", ["scan", "--format", "json"], environment: environment)
    #expect(scan.standardOutput.contains("reading it \(word)"), "\(scan.summary)")
  }

  @Test("The same graph ends in the generic output that ships")
  func graphOfGenericOutput() throws {
    let folder = try TemporaryFolder()
    for name in ["LowPassFilter", "GenericOutput"] { try assemble(name, in: folder) }
    let program = folder("graph")
    try compile(
      "Graph", to: program, with: "gcc",
      ["-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + (try runtimeLibraries())])
    let result = try runProcess(
      program, ["auou", "genr", "appl"], environment: environment(folder))
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(
      result.standardOutput.contains(
        "node 1: 'auou' 'genr' 'appl' \"Auricle: Generic Output\", instance"))
  }

  @Test(
    "Hosts in C++ with forbidden and rare calls",
    arguments: ["OddUnits", "OddGraphs", "OutputMemory"], ["g++", "clang++"])
  func oddHosts(name: String, compiler: String) throws {
    let folder = try TemporaryFolder()
    for unit in [
      "LowPassFilter", "SampleDelay", "GenericOutput", "Converter", "MultiChannelMixer", "Splitter",
    ] {
      try assemble(unit, in: folder)
    }
    let program = folder(name)
    try compile(
      name, to: program, with: compiler,
      ["-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + (try runtimeLibraries())])
    let result = try runProcess(program, environment: environment(folder))
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  @Test("A unit that crashes when it is loaded fails its validation, and the host lives on")
  func validatesInAProcessOfItsOwn() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("Components")
    let bundles = try TemporaryFolder()
    try ComponentFixture.makeBundle("CrashingUnit", in: bundles)
    try FileManager.default.moveItem(
      atPath: bundles("CrashingUnit.component"),
      toPath: folder("Components/CrashingUnit.component"))
    let program = folder("validate")
    try compile(
      "Validate", to: program, with: "gcc",
      ["-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + (try runtimeLibraries())])
    let result = try runProcess(
      program, ["aufx", "gain", "AuTe"], environment: environment(folder))
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.standardOutput == "0 2\n")
  }

  @Test("Validation reports hangs, calls that are not allowed, broken rules, and success")
  func validationResults() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("Components")
    let bundles = try TemporaryFolder()
    try DefectUnitFixture.make(in: bundles, subtypes: ["good", "hang", "auth", "pdef", "nans"])
    try FileManager.default.moveItem(
      atPath: bundles("DefectUnit.component"), toPath: folder("Components/DefectUnit.component"))
    let program = folder("validate")
    try compile(
      "Validate", to: program, with: "gcc",
      ["-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + (try runtimeLibraries())])
    for (subtype, limit, expected) in [
      ("good", "20", 1), ("hang", "1.5", 3), ("auth", "20", 5), ("pdef", "20", 2),
      ("nans", "20", 2),
    ] {
      let result = try runProcess(
        program, ["aufx", subtype, "AuTe", limit], environment: environment(folder))
      #expect(result.standardOutput == "0 \(expected)\n", "\(subtype): \(result.summary)")
    }
  }

  @Test("Validation separates errors from faults that hosts tolerate")
  func validationDetails() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("Components")
    let bundles = try TemporaryFolder()
    try DefectUnitFixture.make(in: bundles, subtypes: ["good", "hang", "pdef", "tail"])
    try FileManager.default.moveItem(
      atPath: bundles("DefectUnit.component"), toPath: folder("Components/DefectUnit.component"))
    let program = folder("validate")
    let libraries = try runtimeLibraries()
    try compile(
      "Validate", to: program, with: "clang",
      [
        "-fblocks", "-lBlocksRuntime", "-Wl,-rpath," + Places.builtProducts,
        "-Wl,-rpath," + libraries,
      ])
    for (subtype, limit, expected) in [
      ("good", "600", "1\n"),
      (
        "hang", "1.5",
        // A busy machine may need as long for a step before.
        "3\nlife.hang: it does not end within 1.5 s while "
      ),
      (
        "pdef", "600",
        "2\nparameters.default: the default of 2 of scope 0, \"mix\", is 200.0"
      ),
      (
        "tail", "600",
        "1\nproperties.recommended: TailTime is missing, which a unit of its type should have\n"
      ),
    ] {
      let result = try runProcess(
        program, ["aufx", subtype, "AuTe", limit], environment: environment(folder))
      #expect(result.exitCode == 0, "\(subtype): \(result.summary)")
      #expect(result.standardOutput.hasPrefix(expected), "\(subtype): \(result.summary)")
    }
  }

  @Test("A unit that is to play is asked for its parameters, by which some bind their controls")
  func boundControls() throws {
    let folder = try TemporaryFolder()
    try buildPassingUnit(in: folder, with: "clang", ["-DBINDS_CONTROLS"])
    let (input, output) = (folder("in.wav"), folder("out.wav"))
    let made = try runProcess(
      "sox",
      [
        "-n", "-r", "44100", "-c", "2", "-b", "16", input, "synth", "1", "sine", "440", "gain",
        "-6",
      ])
    try #require(made.exitCode == 0, "\(made.summary)")
    let result = try runAuricle(
      ["process", "--unit", "aufx:pass:TsTc", input, "--output-file", output],
      environment: environment(folder))
    #expect(result.exitCode == 0, "\(result.summary)")
    let level = try runProcess("sox", [output, "-n", "stats"]).standardError
    #expect(level.contains(/Pk lev dB +-6\.0/), "\(level)")
  }

  @Test("The command line opens a unit that needs the library")
  func commandLine() throws {
    let folder = try TemporaryFolder()
    try buildPassingUnit(in: folder, with: "clang")
    let result = try runAuricle(["info", "aufx:pass:TsTc"], environment: environment(folder))
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.standardOutput.contains("2 ch, 44100 Hz"))
  }
}
