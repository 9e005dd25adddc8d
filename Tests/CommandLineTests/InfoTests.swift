// `auricle info`: units that ship, LV2 plug-ins, units that crash, hang or babble.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct InfoTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  private func info(
    _ unit: String, environment: [String: String?] = [:]
  ) throws -> [String: Any] {
    let result = try box.run("info", unit, "--format", "json", environment: environment)
    #expect(result.exitCode == 0, "\(result.summary)")
    return try #require(try result.json as? [String: Any])
  }

  @Test func aUnitThatShips() throws {
    let report = try info("aufx:pmeq:appl")
    let parameters = try #require(report["parameters"] as? [[String: Any]])
    #expect(parameters.count == 3)
    #expect(parameters.allSatisfy { $0["minimum"] is Double && $0["defaultValue"] is Double })
    #expect(parameters.map { $0["unit"] as? String }.contains("Hz"))
    let behavior = try #require(report["behavior"] as? [String: Any])
    #expect(behavior["latencyFrames"] as? Int == 0)
    #expect((report["inputBuses"] as? [Any])?.count == 1)
    #expect((report["outputBuses"] as? [Any])?.count == 1)
  }

  @Test func latencyShowsOnlyWhenRun() throws {
    let uri = "http://plugin.org.uk/swh-plugins/fastLookaheadLimiter"
    let place: [String: String?] = ["XDG_CACHE_HOME": box("cache")]
    #expect(try info(uri, environment: place)["behavior"] == nil)
    let text = try box.run("info", uri, environment: place).standardOutput
    #expect(text.contains("shown after auricle scan \(uri)"), "\(text)")
    _ = try box.run("scan", uri, environment: place)
    let report = try info(uri, environment: place)
    let behavior = try #require(report["behavior"] as? [String: Any])
    #expect(behavior["latencyFrames"] as? Int == 240)
    #expect(behavior["tailSeconds"] == nil)
    let parameters = try #require(report["parameters"] as? [[String: Any]])
    #expect(parameters.contains { $0["symbol"] as? String == "limit" })
  }

  @Test func textsAndFilesAreReported() throws {
    let path = Places.inPackage("Tests/LV2UnitsTests/Fixtures")
    let environment: [String: String?] = ["LV2_PATH": path, "XDG_CACHE_HOME": box("cache")]
    let uri = "urn:auricle:test:patch-properties"
    let json = try box.run("info", uri, "--format", "json", environment: environment)
    #expect(json.exitCode == 0, "\(json.summary)")
    let texts = try #require((try json.json as? [String: Any])?["texts"] as? [[String: Any]])
    #expect(texts.map { $0["symbol"] as? String } == ["file"])
    #expect(texts[0]["kind"] as? String == "path" && texts[0]["isWritable"] as? Bool == true)
    let text = try box.run("info", uri, environment: environment)
    #expect(text.standardOutput.contains("Settings"), "\(text.summary)")
  }

  @Test(arguments: ["aumx:3dem:appl", "aumx:mcmx:appl", "aufx:dist:appl", "aumu:msyn:appl"])
  func linesFitAHundredColumns(unit: String) throws {
    let result = try box.run("info", unit)
    #expect(result.exitCode == 0, "\(result.summary)")
    // Paths are whole, so that they can be copied.
    #expect(result.lines.filter { $0.count > 100 && !$0.hasPrefix("  Path") } == [])
  }

  @Test func namesAndTextWork() throws {
    let result = try box.run("info", "mda limiter")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.lines.first == "David Robillard: MDA Limiter")
    for word in ["Identity", "URI", "Input bus 0", "Latency", "Tail", "Parameters"] {
      #expect(result.standardOutput.contains(word), "\(word)")
    }
    #expect(result.standardError.isEmpty)
  }

  @Test func interfacesAreDistinguished() throws {
    let result = try box.run("info", "http://lv2plug.in/plugins/eg-sampler")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.standardOutput.contains("state:interface, worker:interface"))
  }

  @Test func aPlugInThatCannotBeLoadedIsDescribed() throws {
    // Its binary lacks symbols on many machines; its data files describe it all the same.
    let place: [String: String?] = ["XDG_CACHE_HOME": box("cache")]
    let report = try info("http://plugin.org.uk/swh-plugins/mbeq", environment: place)
    #expect((report["parameters"] as? [Any])?.isEmpty == false)
  }

  @Test func namesOfValuesAreReported() throws {
    let report = try info("http://calf.sourceforge.net/plugins/Filter")
    let parameters = try #require(report["parameters"] as? [[String: Any]])
    let mode = try #require(parameters.first { $0["symbol"] as? String == "mode" })
    #expect((mode["valueNames"] as? [Any])?.isEmpty == false)
  }

  @Test func unknownUnits() throws {
    let result = try box.run("info", "aufx:dcmq:appl")
    #expect(result.exitCode == 69)
    #expect(result.standardOutput.isEmpty)
    #expect(result.standardError.contains("aufx:dcmp:appl"), "\(result.summary)")
  }

  /// Builds a component whose factory does something bad.
  private func badComponent(_ body: String) throws -> [String: String?] {
    let contents = "bad/Bad.component/Contents"
    try box.folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>CFBundleExecutable</key><string>Bad</string>
      <key>AudioComponents</key><array><dict>
      <key>type</key><string>aufx</string><key>subtype</key><string>evil</string>
      <key>manufacturer</key><string>Test</string><key>name</key><string>Test: Evil</string>
      <key>version</key><integer>65536</integer><key>factoryFunction</key><string>EvilFactory</string>
      </dict></array></dict></plist>
      """, to: contents + "/Info.plist")
    try box.folder.write(
      """
      #include <stdio.h>
      #include <stdlib.h>
      #include <unistd.h>
      void *EvilFactory(const void *description) {
        puts("I am on standard output"); fflush(stdout);
        fputs("and on standard error", stderr);
        \(body)
        return 0;
      }
      """, to: "evil.c")
    try box.folder.makeFolder(contents + "/Linux")
    let result = try runProcess(
      "cc", ["-shared", "-fPIC", "-o", box(contents + "/Linux/Bad"), box("evil.c")])
    try #require(result.exitCode == 0, "\(result.summary)")
    return ["AURICLE_COMPONENT_PATH": box("bad")]
  }

  @Test func aCrashIsReportedAndHarmless() throws {
    let environment = try badComponent("abort();")
    let result = try box.run("info", "aufx:evil:Test", environment: environment)
    #expect(result.exitCode == 69, "\(result.summary)")
    #expect(
      result.standardError.contains(
        "crashed with SIGABRT in the function EvilFactory of Bad while it was opened"),
      "\(result.summary)")
    #expect(result.lines.first == "Test: Evil")
    #expect(!result.standardOutput.contains("I am on"))
    #expect(!result.standardError.contains("and on"))
    #expect(result.errorLines.count == 1)
  }

  @Test func nothingReturnedIsReported() throws {
    let environment = try badComponent("")
    let result = try box.run("info", "aufx:evil:Test", environment: environment)
    #expect(result.exitCode == 69, "\(result.summary)")
    #expect(result.errorLines.count == 1)
    // The same in a chain: a sentence, and standard output kept clean of the unit's prints.
    try box.folder.write("x", to: "a.wav")
    let process = try box.run(
      "process", "--unit", "aufx:evil:Test", "--output", "out", "a.wav", environment: environment)
    #expect(process.exitCode == 69, "\(process.summary)")
    #expect(process.standardOutput.isEmpty)
    #expect(process.standardError.contains("I am on standard output"))
  }

  @Test func aUnitThatHangsIsStopped() throws {
    let environment = try badComponent("for (;;) pause();")
    let result = try box.run("info", "aufx:evil:Test", environment: environment)
    #expect(result.exitCode == 69, "\(result.summary)")
    #expect(result.standardError.contains("still busy after 10 s"))
  }

  @Test func parametersOfBusesAreListed() throws {
    let result = try box.run("info", "aumx:mcmx:appl")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.standardOutput.contains("Parameters of each input bus"), "\(result.summary)")
    #expect(!result.standardOutput.contains("No parameters"), "\(result.summary)")
    #expect(result.standardOutput.lowercased().contains("volume"), "\(result.summary)")
  }
}
