// C programs with units in other processes: they sound as here, and one that is lost is named by calls and a notification.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct LostInstanceTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder("auricle-lost")
    let source = Places.inPackage("Tests/Fixtures/HostileLV2/hostile.lv2")
    try folder.makeFolder("lv2")
    try FileManager.default.copyItem(atPath: source, toPath: folder("lv2/hostile.lv2"))
    try build(
      [
        "-shared", "-fPIC", "-O1", "-w", "-I", Places.inPackage("Tests/Fixtures/BrokenUnits"),
        source + "/plugin.c", "-o", folder("lv2/hostile.lv2/plugin.so"), "-lm", "-lpthread",
      ])
  }

  private func build(_ arguments: [String]) throws {
    let built = try runProcess("clang", ["-std=gnu11"] + arguments)
    try #require(built.exitCode == 0, "\(built.summary)")
  }

  /// Builds one of the programs; its path.
  private func program(_ name: String) throws -> String {
    let libraries = try CProgramTests().runtimeLibraries()
    try build([
      "-Wall", "-Wextra", "-Werror", "-Wno-multichar", "-fblocks", "-I",
      Places.inPackage("SDK/include"),
      Places.inPackage("Tests/AudioToolboxTests/Programs/Neighbours/\(name).c"), "-o",
      folder(name), "-L", Places.builtProducts, "-lAudioToolbox", "-L", libraries, "-lFoundation",
      "-lBlocksRuntime", "-lpthread", "-lm", "-Wl,-rpath," + Places.builtProducts,
      "-Wl,-rpath," + libraries,
    ])
    return folder(name)
  }

  @Test("Ramps and scheduled values have their frames in another process, also beside other calls")
  func apart() throws {
    let result = try runProcess(
      program("Apart"), [],
      environment: [
        "AURICLE_PROGRAM": Places.auricle, "LV2_PATH": folder("lv2"),
        "XDG_CACHE_HOME": folder("cache"), "XDG_STATE_HOME": folder("state"),
      ])
    #expect(
      result.standardOutput == "apart 0 1\nslices 12, differences 0\nscopes 1\n",
      "\(result.summary)")
    #expect(result.exitCode == 0)
  }

  @Test(
    "A lost instance says so in every call, a notification names it, and others play on",
    arguments: ["segv", "suicide"])
  func lost(deed: String) throws {
    let result = try runProcess(
      program("Lost"), [],
      environment: [
        "AURICLE_PROGRAM": Places.auricle, "LV2_PATH": folder("lv2"),
        "XDG_CACHE_HOME": folder("cache"), "XDG_STATE_HOME": folder("state"),
        "AURICLE_TEST_HOSTILE": "render \(deed)",
      ])
    #expect(
      result.standardOutput == """
        opened 1
        rendered 0 0.5
        notified 1, object 1, host 1, service 1, others 0
        all lost 1
        the other one 0 0.25
        again 0 0.25, notified 1

        """, "\(result.summary)")
    #expect(result.exitCode == 0)
  }
}
