// States that units of live sound changed by themselves: they come back when a process ended.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct LiveStateTests {
  private static let native = "aufx:lern:AuTe"

  /// Makes the unit of Core Audio, and the LV2 plug-in that does the same, in a folder.
  private func makeUnits(in folder: TemporaryFolder) throws {
    let binary = try ComponentFixture.binary(
      "LearningUnit", flags: [Places.inPackage("SDK/CUnit/AuricleUnit.c")])
    try ComponentFixture.makeBundle("LearningUnit", subtype: "lern", binary: binary, in: folder)
    let name = "tells-changes.lv2"
    try FileManager.default.copyItem(
      atPath: Places.inPackage("Tests/LV2UnitsTests/Fixtures/\(name)"), toPath: folder(name))
    let built = try runProcess(
      "clang",
      [
        "-std=gnu11", "-shared", "-fPIC", "-O1",
        Places.inPackage("Tests/LV2UnitsTests/Fixtures/\(name)/plugin.c"), "-o",
        folder(name) + "/plugin.so", "-lm",
      ])
    try #require(built.exitCode == 0, "\(built.summary)")
  }

  @Test(
    "A state that a unit changed by itself, and reported, comes back after a death",
    arguments: [native, "urn:auricle:test:tells-changes"])
  func learnt(unit: String) throws {
    let box = try Sandbox()
    let units = try TemporaryFolder("auricle-learning")
    try makeUnits(in: units)
    // Of one level, so that a gap on a busy machine moves nothing.
    var level = [Float](repeating: 0.25, count: 5_760_000)
    level[4800] = 0.95
    try Sound([level]).write(to: box("long.wav"))
    let path = "/tmp/auricle-\(UUID().uuidString.prefix(13))"
    let child = try ChildProcess(
      Places.auricle,
      [
        "live", "--channels", "1", "--unit", unit, "--control", "unix:\(path)",
        "--period", "512", "--input", "file:\(box("out.wav")),in=\(box("long.wav")),clock=real",
      ],
      environment: box.environment.merging([
        "AURICLE_COMPONENT_PATH": units.path, "LV2_PATH": units.path,
        "XDG_CACHE_HOME": box("cache"),
      ]) { $1 }, in: box.folder.path)
    func ask(_ line: String) -> String { ControlLine.ask(line, path) ?? "" }
    #expect(child.waits { ask("stats").contains(".states=1") }, "\(child.standardError)")
    for id in UnitProcessList(cache: box("cache")).ids { kill(id, SIGKILL) }
    #expect(child.waits { ask("stats").contains(".restarts=1") }, "\(ask("stats"))")
    let back = Self.figure("slices=", ask("stats"))
    // Slices that came too late are not halved.
    let late = Self.figure(".misses=", ask("stats"))
    func answered(_ stats: String) -> Int {
      Self.figure("slices=", stats) - back - (Self.figure(".misses=", stats) - late)
    }
    #expect(child.waits { answered(ask("stats")) > 20 }, "\(ask("stats"))")
    let frames = (Self.figure("slices=", ask("stats")) - back) * 512
    #expect(ask("quit") == "ok")
    let result = child.wait()
    #expect(result.exitCode == 0, "\(result.summary)")
    let made = try Sound(path: box("out.wav")).channels[0]
    // The end is halved as it was before the death.
    let halved = made.suffix(frames).count { abs($0 - 0.125) < 1e-6 }
    #expect(halved > 5120, "\(halved) of \(frames)")
  }

  /// A number in the answer to `stats`; 0 where it is not there.
  private static func figure(_ name: String, _ stats: String) -> Int {
    stats.split(separator: " ").first {
      name.hasPrefix(".") ? $0.contains(name) : $0.hasPrefix(name)
    }
    .flatMap { $0.split(separator: "=").last }.flatMap { Int($0) } ?? 0
  }
}
