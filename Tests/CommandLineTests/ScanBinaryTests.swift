// `auricle scan`: binaries that cannot be opened, symbols that are none, and the units that were asked for.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct ScanBinaryTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  /// Writes a bundle and compiles its binary.
  private func bundle(_ name: String, ports: String = "", code: String, _ flags: String...) throws {
    try box.folder.write(
      """
      @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
      @prefix doap: <http://usefulinc.com/ns/doap#> .
      <urn:test:\(name)> a lv2:Plugin ; lv2:binary <plugin.so> ; doap:name "\(name)" ; lv2:port
        [ a lv2:InputPort , lv2:AudioPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
        [ a lv2:OutputPort , lv2:AudioPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ]\(ports) .

      """, to: "lv2/\(name).lv2/manifest.ttl")
    // The name of the source is in the binary, and must not be mistaken for that of the plug-in.
    let source = try box.folder.write(
      """
      #include <fcntl.h>
      #include <stddef.h>
      typedef struct { const char* uri; void* others[7]; } Descriptor;
      \(code)

      """, to: "plugin.c")
    let built = try runProcess(
      "cc",
      ["-shared", "-fPIC", "-w", "-o", box("lv2/\(name).lv2/plugin.so"), source] + flags)
    try #require(built.exitCode == 0, "\(built.summary)")
  }

  private func descriptor(_ uri: String) -> String {
    "const Descriptor* lv2_descriptor(unsigned i) { static Descriptor d = {\"\(uri)\"};"
      + " return i ? NULL : &d; }"
  }

  private func scan(_ arguments: String..., code: Int32) throws -> [String: Any] {
    let result = try runAuricle(
      ["scan", "--format", "json"] + arguments,
      environment: box.environment.merging([
        "LV2_PATH": box("lv2"), "XDG_CACHE_HOME": box("cache"),
        "AURICLE_COMPONENT_PATH": box("units"),
      ]) { $1 }, in: box.folder.path)
    #expect(result.exitCode == code, "\(result.summary)")
    return try #require(try result.json as? [String: Any])
  }

  @Test(arguments: ["clap", "vst3", "ladspa"])
  func aFileThatIsNoPlugInHasARemedy(format: String) throws {
    let ending = format == "ladspa" ? "so" : format
    let path = try box.folder.write("no plug-in", to: "\(format)/file.\(ending)")
    let result = try runAuricle(
      ["scan"],
      environment: box.environment.merging([
        "LV2_PATH": box("none"), "XDG_CACHE_HOME": box("cache"),
        "\(format.uppercased())_PATH": box(format),
      ]) { $1 }, in: box.folder.path)
    #expect(result.exitCode == 1, "\(result.summary)")
    // Lines are wrapped between words.
    let text = result.standardOutput.split { $0.isWhitespace }.joined(separator: " ")
    #expect(
      text.contains("\(path): it is no shared object; use another build of it, or remove it"),
      "\(result.summary)")
  }

  private func causes(_ report: [String: Any]) -> [String: String] {
    var causes: [String: String] = [:]
    for item in report["broken"] as? [[String: Any]] ?? [] {
      if let unit = item["unit"] as? String { causes[unit] = item["cause"] as? String }
    }
    return causes
  }

  @Test func binariesThatCannotBeOpenedAreReportedAndNoOtherIsOpened() throws {
    try bundle(
      "sound",
      code: """
        __attribute__((constructor)) static void loaded(void) {
          creat("\(box("loaded"))", 0600);
        }
        extern void perhaps(void) __attribute__((weak));
        double cos(double);
        double use(double x) { if (perhaps) perhaps(); return cos(x); }
        \(descriptor("urn:test:sound"))
        """, "-lm")
    try bundle(
      "lacks-function",
      code:
        "void nowhere(void); void use(void) { nowhere(); } \(descriptor("urn:test:lacks-function"))"
    )
    try bundle("other-uri", code: descriptor("urn:test:another"))
    let library = try box.folder.write("void helper(void) {}\n", to: "helper.c")
    let built = try runProcess(
      "cc", ["-shared", "-fPIC", "-o", box("libauricle-test-helper.so"), library])
    try #require(built.exitCode == 0, "\(built.summary)")
    for name in ["lacks-library", "has-library"] {
      try bundle(
        name,
        code: "void helper(void); void use(void) { helper(); } \(descriptor("urn:test:\(name)"))",
        "-L\(box.folder.path)", "-lauricle-test-helper",
        name == "has-library" ? "-Wl,-rpath,$ORIGIN/../.." : "-Wl,-rpath,$ORIGIN/none")
    }
    let found = causes(try scan(code: 1))
    #expect(
      found.keys.sorted() == [
        "urn:test:lacks-function", "urn:test:lacks-library", "urn:test:other-uri",
      ],
      "\(found)")
    #expect(found["urn:test:lacks-function"]?.contains("undefined symbol: nowhere") == true)
    #expect(found["urn:test:lacks-library"]?.contains("libauricle-test-helper.so") == true)
    #expect(found["urn:test:other-uri"]?.contains("<urn:test:other-uri>") == true)
    #expect(!FileManager.default.fileExists(atPath: box("loaded")))
    // The remembered causes are reported again.
    #expect(causes(try scan(code: 1)) == found)
  }

  @Test(arguments: [
    ("my port", "b", "the symbol \"my port\" of its port 2 is none"),
    ("a", "9b", "the symbol \"9b\" of its port 3 is none"),
    ("a", "a", "its ports 2 and 3 have the same symbol \"a\""),
  ]) func symbolsAreChecked(first: String, second: String, expected: String) throws {
    func port(_ index: Int, _ symbol: String) -> String {
      " , [ a lv2:InputPort , lv2:ControlPort ; lv2:index \(index) ; lv2:symbol \"\(symbol)\" ;"
        + " lv2:name \"P\" ]"
    }
    try bundle(
      "ports", ports: port(2, first) + port(3, second), code: descriptor("urn:test:ports"))
    let cause = causes(try scan(code: 1))["urn:test:ports"] ?? ""
    #expect(cause.hasPrefix(expected), "\(cause)")
  }

  @Test func aScanOfUnitsReportsThemAlone() throws {
    try bundle("one", code: descriptor("urn:test:one"))
    try bundle("two", code: "")
    let report = try scan("urn:test:two", code: 1)
    #expect(Array(causes(report).keys) == ["urn:test:two"])
    let units = (report["new"] as? [[String: Any]] ?? []).flatMap { $0["units"] as? [String] ?? [] }
    #expect(units == ["urn:test:two"])
    // It is news still to a scan of everything.
    let all = try #require(try scan(code: 1)["new"] as? [[String: Any]])
    #expect(all.contains { $0["units"] as? [String] == ["urn:test:one"] })
  }
}
