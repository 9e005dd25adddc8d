// `auricle list` and `auricle info` describe plug-ins without loading them.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct NoOpeningTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  /// Runs the program with the dynamic linker's list of loaded libraries, child processes too.
  private func loaded(_ arguments: String...) throws -> [String] {
    let folder = try TemporaryFolder("auricle-ld-debug")
    let result = try runAuricle(
      arguments,
      environment: box.environment.merging([
        "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": folder("log"), "XDG_CACHE_HOME": box("cache"),
      ]) { $1 }, in: box.folder.path)
    #expect(result.exitCode == 0, "\(result.summary)")
    let logs = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!logs.isEmpty)
    return try logs.flatMap { name in
      try String(contentsOfFile: folder(name), encoding: .utf8).split(separator: "\n")
        .filter { $0.contains("calling init:") }.map(String.init)
    }
  }

  @Test(arguments: [
    "http://calf.sourceforge.net/plugins/Compressor", "http://lv2plug.in/plugins/eg-amp",
    "http://drobilla.net/plugins/mda/Limiter",
  ]) func describingAnLV2PlugInLoadsNothing(uri: String) throws {
    // The list is made from nothing first, then described from the cache, then anew.
    for command in [["list"], ["info"], ["list"]] {
      let libraries =
        command == ["info"] ? try loaded("info", uri) : try loaded("list")
      let plugIns = libraries.filter { $0.contains("/lv2/") || $0.contains(".component/") }
      #expect(plugIns.isEmpty, "\(command): \(plugIns)")
      #expect(!libraries.isEmpty)
    }
  }

  @Test func aDelayThatShowsInRunningIsLeftToScan() throws {
    let limiter = "http://plugin.org.uk/swh-plugins/fastLookaheadLimiter"
    #expect(try loaded("info", limiter).filter { $0.contains("/lv2/") }.isEmpty)
    #expect(try loaded("scan", limiter).filter { $0.contains("/lv2/") }.count == 1)
    #expect(try loaded("info", limiter).filter { $0.contains("/lv2/") }.isEmpty)
  }

  @Test func aNativeUnitIsAskedOnceAndElsewhere() throws {
    _ = try loaded("info", "aufx:lmtr:appl")
    #expect(try loaded("info", "aufx:lmtr:appl").filter { $0.contains(".component/") }.isEmpty)
  }
}
