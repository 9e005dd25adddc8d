// `auricle scan`: new, gone, changed, broken, shadowed and blocked plug-ins.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct ScanTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try bundle("one.lv2", uri: "urn:test:one")
  }

  private var environment: [String: String?] {
    [
      "LV2_PATH": box("lv2"), "XDG_CACHE_HOME": box("cache"),
      "AURICLE_COMPONENT_PATH": box("units"),
    ]
  }

  /// Writes a bundle of one plug-in whose binary can be loaded and holds no more than its URI.
  private func bundle(
    _ name: String, uri: String, title: String = "Test", minor: Int = 2, extra: String = ""
  ) throws {
    try box.folder.write(
      """
      @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
      @prefix doap: <http://usefulinc.com/ns/doap#> .
      <\(uri)> a lv2:Plugin ; lv2:binary <plugin.so> ; doap:name "\(title)" ;
        lv2:minorVersion \(minor) ; lv2:microVersion 0 ; lv2:port
        [ a lv2:InputPort , lv2:AudioPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
        [ a lv2:OutputPort , lv2:AudioPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] .
      \(extra)
      """, to: "lv2/\(name)/manifest.ttl")
    let source = try box.folder.write("const char uri[] = \"\(uri)\";\n", to: "plugin.c")
    let built = try runProcess(
      "cc", ["-shared", "-fPIC", "-o", box("lv2/\(name)/plugin.so"), source])
    try #require(built.exitCode == 0, "\(built.summary)")
  }

  @Test(arguments: [
    ["list", "--search", "urn:test:long"], ["info", "urn:test:long"], ["scan", "urn:test:long"],
    ["info", "aufx:dcmp:appl"], ["doctor"],
  ]) func linesFit100Columns(words: [String]) throws {
    let title = Array(repeating: "Word", count: 30).joined(separator: " ")
    try bundle("long.lv2", uri: "urn:test:long", title: title)
    let result = try runAuricle(
      words, environment: box.environment.merging(environment) { $1 }, in: box.folder.path)
    #expect(result.lines.count > 1, "\(result.summary)")
    // A word that is longer than a line, such as a path, has a line alone.
    let long = result.lines.dropFirst(words[0] == "info" ? 1 : 0).filter {
      $0.count > 100 && !$0.contains("/")
    }
    #expect(long.isEmpty, "\(result.summary)")
  }

  private func scan(_ arguments: String..., code: Int32 = 0) throws -> [String: Any] {
    try scan(arguments, code: code)
  }

  private func scan(_ arguments: [String], code: Int32) throws -> [String: Any] {
    let result = try runAuricle(
      ["scan", "--format", "json"] + arguments,
      environment: box.environment.merging(environment) { $1 }, in: box.folder.path)
    #expect(result.exitCode == code, "\(result.summary)")
    return try #require(try result.json as? [String: Any])
  }

  /// Last parts of the paths under a key that are this test's own.
  private func names(_ report: [String: Any], _ key: String) -> [String] {
    let items = report[key] as? [[String: Any]] ?? []
    return items.compactMap { $0["path"] as? String }.filter { $0.hasPrefix(box.folder.path) }
      .map { ($0 as NSString).lastPathComponent }
  }

  @Test func changesAreReported() throws {
    #expect(names(try scan(), "new") == ["one.lv2"])
    let second = try scan()
    #expect(["new", "changed", "gone"].allSatisfy { names(second, $0).isEmpty })
    try bundle("two.lv2", uri: "urn:test:two")
    try bundle("one.lv2", uri: "urn:test:one", minor: 4)
    // Another command that brings the cache up to date does not hide the news.
    _ = try box.run("list", environment: environment)
    let third = try scan()
    #expect(names(third, "new") == ["two.lv2"])
    #expect(names(third, "changed") == ["one.lv2"])
    try FileManager.default.removeItem(atPath: box("lv2/one.lv2"))
    #expect(names(try scan(), "gone") == ["one.lv2"])
    #expect(try scan("--force")["bundleCount"] as? Int == 1)
  }

  @Test func brokenTurtleHasItsPlace() throws {
    try box.folder.write(
      "@prefix a: <urn:x> .\n\n<urn:y> a [ ;;; \n", to: "lv2/bad.lv2/manifest.ttl")
    let broken = try #require(try scan(code: 1)["broken"] as? [[String: Any]])
    #expect(broken.count == 1)
    #expect(broken.first?["file"] as? String == box("lv2/bad.lv2/manifest.ttl"))
    #expect(broken.first?["line"] as? Int ?? 0 >= 3)
    #expect((broken.first?["cause"] as? String)?.isEmpty == false)
    let text = try box.run("scan", environment: environment)
    #expect(text.exitCode == 1)
    #expect(
      text.lines.contains { $0.hasPrefix("broken") && $0.contains("bad.lv2/manifest.ttl:") },
      "\(text.summary)")
  }

  @Test func aPrefixThatNobodyDefinesHasItsPlace() throws {
    let manifest = """
      @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
      @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
      <urn:y> a lv2:Plugin ; lv2:binary <y.so> ; rdfs:seeAlso <y.ttl> .
      """
    let data = """
      @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
      # doap:name is the name, "doap:name" a text, <doap:name> a name written out
      <urn:y> a lv2:Plugin ; lv2:symbol "doap:name" ;
        lv2:minorVersion 1 ; doap:name "Y" .
      """
    try box.folder.write(manifest, to: "lv2/bad.lv2/manifest.ttl")
    try box.folder.write(data, to: "lv2/bad.lv2/y.ttl")
    let broken = try #require(try scan(code: 1)["broken"] as? [[String: Any]])
    #expect(broken.count == 1)
    #expect(broken.first?["file"] as? String == box("lv2/bad.lv2/y.ttl"))
    #expect(broken.first?["line"] as? Int == 4)
    #expect(broken.first?["column"] as? Int == 24)
    #expect((broken.first?["cause"] as? String)?.contains("\"doap:\"") == true)
  }

  /// Parts that are never used are checked all the same: another host would stop there.
  @Test func aPrefixOfNoImportIsReportedAsWell() throws {
    try bundle("odd.lv2", uri: "urn:test:odd", extra: "<urn:test:odd> odd:thing odd:other .")
    let broken = try #require(try scan(code: 1)["broken"] as? [[String: Any]])
    #expect((broken.first?["cause"] as? String)?.contains("\"odd:\"") == true, "\(broken)")
    #expect(broken.first?["line"] as? Int == 7)
  }

  @Test func otherFoldersOfNativeUnitsAreNoNewsOfBundles() throws {
    #expect(names(try scan(), "new") == ["one.lv2"])
    let result = try runAuricle(
      ["scan", "--format", "json"],
      environment: box.environment.merging(environment) { $1 }
        .merging(["AURICLE_COMPONENT_PATH": box("others")]) { $1 }, in: box.folder.path)
    let report = try #require(try result.json as? [String: Any])
    #expect(["new", "changed", "gone"].allSatisfy { names(report, $0).isEmpty })
  }

  @Test(arguments: [[], ["--open"], ["urn:test:one"]])
  func missingBinariesAreReportedOnce(arguments: [String]) throws {
    try FileManager.default.removeItem(atPath: box("lv2/one.lv2/plugin.so"))
    let broken = try #require(try scan(arguments, code: 1)["broken"] as? [[String: Any]])
    #expect(broken.count == 1)
    #expect(broken.first?["unit"] as? String == "urn:test:one")
    #expect((broken.first?["cause"] as? String)?.contains("plugin.so is missing") == true)
  }

  @Test func unsupportedUnitsAreReportedWithoutOpening() throws {
    try bundle(
      "asks.lv2", uri: "urn:test:asks",
      extra: "<urn:test:asks> lv2:requiredFeature <urn:test:no-feature> .")
    let broken = try #require(try scan(code: 1)["broken"] as? [[String: Any]])
    #expect(broken.count == 1)
    #expect(broken.first?["unit"] as? String == "urn:test:asks")
    #expect(
      (broken.first?["cause"] as? String)?.contains("the feature <urn:test:no-feature>") == true)
  }

  @Test func aFileThatCannotBeReadIsNamed() throws {
    try bundle(
      "lost.lv2", uri: "urn:test:lost",
      extra:
        "<urn:test:lost> <http://www.w3.org/2000/01/rdf-schema#seeAlso> <none.ttl> .")
    let broken = try #require(try scan(code: 1)["broken"] as? [[String: Any]])
    #expect(broken.first?["file"] as? String == box("lv2/lost.lv2/none.ttl"))
    #expect(broken.first?["cause"] as? String == "No such file or directory")
  }

  /// Reading has a limit of processor time; later bundles are read all the same.
  @Test func readingForEverIsEnded() throws {
    try box.folder.write(
      """
      @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
      <urn:test:dynamic> a <http://lv2plug.in/ns/ext/dynmanifest#DynManifest> ; lv2:binary <plugin.so> .
      """, to: "lv2/a-loop.lv2/manifest.ttl")
    let source = try box.folder.write(
      """
      int lv2_dyn_manifest_open(void** h, void* f) { (void)h, (void)f; for (;;) __asm__(""); }
      int lv2_dyn_manifest_get_subjects(void* h, void* f) { (void)h, (void)f; return 1; }
      int lv2_dyn_manifest_get_data(void* h, void* f, const char* u) { (void)h, (void)f, (void)u; return 1; }
      void lv2_dyn_manifest_close(void* h) { (void)h; }

      """, to: "loop.c")
    let built = try runProcess(
      "cc", ["-shared", "-fPIC", "-o", box("lv2/a-loop.lv2/plugin.so"), source])
    try #require(built.exitCode == 0, "\(built.summary)")
    let result = try box.run(
      "scan", "--format", "json",
      environment: environment.merging(["AURICLE_SCAN_SECONDS": "1"]) { $1 })
    #expect(result.exitCode == 1)
    let report = try #require(try result.json as? [String: Any])
    let broken = try #require(report["broken"] as? [[String: Any]])
    #expect(broken.count == 1)
    #expect(
      broken.first?["cause"] as? String == "reading it took longer than 1 s: it was stopped",
      "\(broken)")
    #expect(try box.run("list", environment: environment).standardOutput.contains("Test"))
  }

  @Test func theHighestVersionWinsAndTheOtherIsReported() throws {
    try bundle("newer.lv2", uri: "urn:test:one", minor: 6)
    let shadowed = try #require(try scan()["shadowed"] as? [[String: Any]])
    #expect(shadowed.count == 1)
    #expect(shadowed.first?["version"] as? String == "2.0")
    #expect(shadowed.first?["usedVersion"] as? String == "6.0")
    #expect(shadowed.first?["usedPath"] as? String == box("lv2/newer.lv2"))
  }

  @Test func unopenableUnitsAreReported() throws {
    try box.folder.write("", to: "lv2/one.lv2/plugin.so")
    let broken = try #require(
      try scan("urn:test:one", code: 1)["broken"] as? [[String: Any]])
    #expect(broken.first?["unit"] as? String == "urn:test:one")
    #expect((broken.first?["cause"] as? String)?.contains("cannot be loaded") == true, "\(broken)")
    #expect(try box.run("scan", "urn:test:none", environment: environment).exitCode == 69)
    let sound = try box.run("scan", "aufx:lpas:appl", environment: environment)
    #expect(sound.exitCode == 0, "\(sound.summary)")
    #expect(
      sound.lines.contains {
        $0.hasPrefix("in order") && $0.hasSuffix("Low-Pass Filter was opened and run")
      }, "\(sound.summary)")
  }

  @Test(arguments: ["aufc:vari:appl", "aufc:tmpt:appl"])
  func unitsOutsideChainsPassTheScan(unit: String) throws {
    let report = try scan(unit)
    #expect((report["broken"] as? [Any])?.isEmpty == true)
    let sound = try #require((report["inOrder"] as? [[String: Any]])?.first)
    #expect((sound["chains"] as? String)?.contains("keeps the length of a file") == true)
    let text = try box.run("scan", unit, environment: environment)
    #expect(text.exitCode == 0)
    #expect(
      text.lines.contains { $0.hasPrefix("in order") && $0.contains("chains do not take it: ") })
    try box.folder.write("x", to: "a.wav")
    let process = try box.run(
      "process", "--unit", unit, "--output", "out", "a.wav", environment: environment)
    #expect(process.exitCode != 0)
    let info = try box.run("info", unit, environment: environment)
    #expect(info.exitCode == 0)
    #expect(info.standardOutput.contains("is not taken by chains"), "\(info.summary)")
  }

  @Test func whatCrashesIsBlockedUntilItIsLetInOrChanges() throws {
    let units = try TemporaryFolder("auricle-scan-units")
    let code =
      "#include <stdlib.h>\nvoid *GainUnitFactory(const void *d) { (void)d; abort(); return 0; }\n"
    try units.write(code, to: "bad.c")
    let built = try runProcess("cc", ["-shared", "-fPIC", "-o", units("bad"), units("bad.c")])
    #expect(built.exitCode == 0, "\(built.summary)")
    let binary = try Data(contentsOf: URL(fileURLWithPath: units("bad")))
    try box.folder.makeFolder("units")
    let folder = try TemporaryFolder("auricle-scan-components")
    try ComponentFixture.makeBundle("GainUnit", binary: binary, in: folder)
    let environment = environment.merging(["AURICLE_COMPONENT_PATH": folder.path]) { $1 }
    func run(_ arguments: String...) throws -> ProcessResult {
      try runAuricle(
        arguments, environment: box.environment.merging(environment) { $1 }, in: box.folder.path)
    }
    try box.folder.write("x", to: "a.wav")
    let scan = try run("scan")
    #expect(scan.exitCode == 1, "\(scan.summary)")
    #expect(scan.lines.contains { $0.hasPrefix("blocked") }, "\(scan.summary)")
    #expect(scan.standardOutput.contains("SIGABRT"))
    // It is listed, described and refused, and never opened: the program would have died of it.
    #expect(try run("list", "aufx:gain:AuTe").lines.count == 1)
    let process = try run("process", "--unit", "aufx:gain:AuTe", "--output", "out", "a.wav")
    #expect(process.exitCode == 69, "\(process.summary)")
    #expect(process.standardError.contains("is blocked: it crashed with SIGABRT"))
    #expect(process.standardError.contains("auricle scan --unblock aufx:gain:AuTe"))
    #expect(try run("info", "aufx:gain:AuTe").exitCode == 69)
    let unblock = try run("scan", "--unblock", "aufx:gain:AuTe")
    #expect(unblock.exitCode == 0)
    #expect(unblock.lines.count == 1, "\(unblock.summary)")
    let info = try run("info", "aufx:gain:AuTe")
    #expect(info.exitCode == 0 && info.standardError.isEmpty, "\(info.summary)")
    // Unblocked, it is not tried again and stays so.
    #expect(try run("scan").exitCode == 0)
    #expect(try run("scan", "--force").exitCode == 1)
    #expect(try run("scan", "--unblock").lines.count == 1)
    #expect(try run("scan", "--force").exitCode == 1)
    try ComponentFixture.makeGainUnit(in: folder)
    let good = try run("scan")
    #expect(good.exitCode == 0, "\(good.summary)")
  }
}
