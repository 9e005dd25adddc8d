// Plug-ins under live, play and record: they crash, leave, hang and read files in a process of their own.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct SoundIsolationTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    let source = Places.inPackage("Tests/Fixtures/HostileLV2/hostile.lv2")
    try box.folder.makeFolder("lv2")
    try FileManager.default.copyItem(atPath: source, toPath: box("lv2/hostile.lv2"))
    let arguments = [
      "-std=gnu11", "-shared", "-fPIC", "-O1", "-w", "-I",
      Places.inPackage("Tests/Fixtures/BrokenUnits"), source + "/plugin.c", "-o",
      box("lv2/hostile.lv2/plugin.so"), "-lm", "-lpthread",
    ]
    let built = try (try? runProcess("cc", arguments)) ?? runProcess("clang", arguments)
    try #require(built.exitCode == 0, "\(built.summary)")
    // The unit does its deed at the one sample above 0.9.
    var noise = TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 48_000)
    noise[9600] = 0.95
    try Sound([noise]).write(to: box("in.wav"))
  }

  static let commands = ["live", "play", "record"]

  private func run(
    _ command: String, _ hostile: String, _ more: [String] = []
  ) throws -> ProcessResult {
    let unit = ["--unit", "urn:auricle:test:hostile"]
    let words: [String: [String]] = [
      "live": [
        "live", "--channels", "1", "--isolate", "none", "--input",
        "file:\(box("out.wav")),in=\(box("in.wav")),clock=free",
      ],
      "play": ["play", "--device", "file:\(box("out.wav")),clock=free", box("in.wav")],
      "record": [
        "record", "--device", "file:,in=\(box("in.wav")),clock=free", "--overwrite",
        box("take.wav"),
      ],
    ]
    return try runAuricle(
      (words[command] ?? []) + unit + more,
      environment: box.environment.merging([
        "LV2_PATH": box("lv2"), "XDG_CACHE_HOME": box("cache"), "AURICLE_TEST_HOSTILE": hostile,
        "AURICLE_TEST_HOSTILE_PREY": box("prey"),
      ]) { $1 }, in: box.folder.path)
  }

  @Test(
    "a unit that crashes or leaves, in any step, is named, and the exit code is 70",
    arguments: commands,
    ["instantiate segv", "initialize exit", "render segv", "render exit", "close segv"])
  func ends(command: String, deed: String) throws {
    let result = try run(command, deed)
    #expect(result.exitCode == 70, "\(result.summary)")
    let verb = deed.hasSuffix("exit") ? "ended its process (exit 0)" : "crashed ("
    #expect(
      result.standardError.contains("Hostile") && result.standardError.contains(verb),
      "\(result.summary)")
  }

  @Test(
    "a unit that hangs, in any step, is named, and the exit code is 70",
    arguments: commands, ["instantiate loop", "render loop", "close loop"])
  func hangs(command: String, deed: String) throws {
    let result = try run(command, deed, ["--stall-limit", "1"])
    #expect(result.exitCode == 70, "\(result.summary)")
    #expect(
      result.standardError.contains("Hostile")
        && result.standardError.contains("did not answer"), "\(result.summary)")
  }

  @Test("a crash is reported with the function that it happened in", arguments: commands)
  func function(command: String) throws {
    let result = try run(command, "render segv")
    #expect(result.exitCode == 70, "\(result.summary)")
    #expect(
      result.standardError.contains("crashed (Segmentation fault, in the function ")
        && result.standardError.contains(" of plugin.so)"), "\(result.summary)")
  }

  @Test(
    "a unit has no rights of the user beyond the granted ones",
    arguments: commands, ["instantiate remove", "render remove"])
  func rights(command: String, deed: String) throws {
    func isKept(_ more: [String]) throws -> Bool {
      try box.folder.write("mine", to: "prey")
      let result = try run(command, deed, more)
      #expect(result.exitCode == 0, "\(result.summary)")
      return FileManager.default.fileExists(atPath: box("prey"))
    }
    #expect(try isKept([]))
    #expect(try isKept(["--sandbox", "strict"]))
    #expect(try !isKept(["--sandbox", "off"]))
  }

  @Test("without a deed all of them go well", arguments: commands)
  func well(command: String) throws {
    let result = try run(command, "none none")
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  @Test("a command that is ended while a unit hangs leaves no process")
  func signals() throws {
    let result = try runProcess(
      "python3",
      [
        Places.inPackage("Stress/signals"), "--program", Places.auricle, "--sample", "--seconds",
        "60",
      ])
    #expect(result.exitCode == 0, "\(result.summary)")
  }
}
