// A C program whose unit in another process is lost: calls and a notification say so, and the program goes on.
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

  @Test(
    "A lost instance says so in every call, a notification names it, and others play on",
    arguments: ["segv", "suicide"])
  func lost(deed: String) throws {
    let libraries = try CProgramTests().runtimeLibraries()
    try build([
      "-Wall", "-Wextra", "-Werror", "-Wno-multichar", "-fblocks", "-I",
      Places.inPackage("SDK/include"),
      Places.inPackage("Tests/AudioToolboxTests/Programs/Neighbours/Lost.c"), "-o", folder("lost"),
      "-L", Places.builtProducts, "-lAudioToolbox", "-L", libraries, "-lFoundation",
      "-lBlocksRuntime", "-lpthread", "-Wl,-rpath," + Places.builtProducts,
      "-Wl,-rpath," + libraries,
    ])
    let result = try runProcess(
      folder("lost"), [],
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
