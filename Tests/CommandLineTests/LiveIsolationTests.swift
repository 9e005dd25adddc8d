// Units of live sound in other processes: they sound as in this one, and ends of theirs are nobody else's.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct LiveIsolationTests {
  let box: Sandbox
  private let units: TemporaryFolder

  init() throws {
    box = try Sandbox()
    units = try TemporaryFolder("auricle-isolated")
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
    try ComponentFixture.makeGainUnit(in: units)
    // The unit does its deed at the one sample above 0.9.
    var noise = TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 48_000)
    noise[9600] = 0.95
    try Sound([noise]).write(to: box("in.wav"))
  }

  private static let hostile = "urn:auricle:test:hostile"

  private func environment(_ deed: String) -> [String: String?] {
    box.environment.merging([
      "AURICLE_COMPONENT_PATH": units.path, "LV2_PATH": box("lv2"), "XDG_CACHE_HOME": box("cache"),
      "AURICLE_TEST_HOSTILE": deed,
    ]) { $1 }
  }

  /// Runs the input through units as fast as it goes; the samples and the messages.
  private func run(_ units: [String], _ deed: String, _ isolate: String) throws -> (
    samples: [[Float]], result: ProcessResult
  ) {
    let result = try runAuricle(
      ["live", "--channels", "1", "--isolate", isolate]
        + ["--input", "file:\(box("out.wav")),in=\(box("in.wav")),clock=free"]
        + units.flatMap { ["--unit", $0] }, environment: environment(deed), in: box.folder.path)
    try #require(result.exitCode == 0, "\(result.summary)")
    return (try Sound(path: box("out.wav")).channels, result)
  }

  @Test(
    "A unit that ends its process, or hangs, is passed over and named; the sound goes on",
    arguments: [
      ("segv", "crashed ("), ("abort", "crashed ("), ("exit", "ended its process (exit 0)"),
      ("suicide", "crashed (Killed)"), ("loop", "gave no answer in time"),
      ("stop", "gave no answer in time"),
    ])
  func misbehaves(deed: String, words: String) throws {
    let units = [Self.hostile, "aufx:gain:AuTe"]
    let quiet = try run(units, "none none", "none")
    for isolate in ["chain", "unit"] {
      let found = try run(units, "render \(deed)", isolate)
      // The unit passes its input on, as its absence does.
      #expect(found.samples == quiet.samples, "\(isolate)")
      let text = found.result.standardError
      #expect(text.contains("Hostile \(words)"), "\(found.result.summary)")
    }
  }

  /// Starts the hostile unit and a good one behind it against a clock, with the deed at each of some frames.
  private func start(
    _ deed: String, at frames: [Int], _ path: String, period: Int = 512
  ) throws -> ChildProcess {
    var noise = TestSignal.noise(seed: 4, amplitude: 0.25, frameCount: 4_800_000)
    for frame in frames { noise[frame] = 0.95 }
    try Sound([noise]).write(to: box("long.wav"), encoding: .pcm16)
    return try ChildProcess(
      Places.auricle,
      [
        "live", "--channels", "1", "--unit", Self.hostile, "--unit", "aufx:gain:AuTe",
        "--control", "unix:\(path)", "--period", "\(period)", "--input",
        "file:\(box("out.wav")),in=\(box("long.wav")),clock=real",
      ], environment: environment("render \(deed)"), in: box.folder.path)
  }

  @Test("A unit that hangs is named alone, and the next one goes on, while others are asked")
  func hangsAlone() throws {
    let path = "/tmp/auricle-\(UUID().uuidString.prefix(13))"
    let child = try start("loop", at: [9600], path)
    func ask(_ line: String) -> String { ControlLine.ask(line, path) ?? "" }
    let hasEnded = child.waits {
      _ = ask("get 2 gain")
      return ask("stats").contains(".deaths=1")
    }
    #expect(hasEnded, "\(ask("stats"))")
    #expect(ask("quit") == "ok")
    let result = child.wait()
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.standardError.contains("Hostile gave no answer in time"), "\(result.summary)")
    #expect(!result.standardError.contains("Gain gave"), "\(result.summary)")
    #expect(!result.standardError.contains("Gain,"), "\(result.summary)")
  }

  @Test("A process that is killed is the death of the unit whose turn it was")
  func killedAtWork() throws {
    let path = "/tmp/auricle-\(UUID().uuidString.prefix(13))"
    let child = try start("loop", at: [9600], path)
    func ask(_ line: String) -> String { ControlLine.ask(line, path) ?? "" }
    // It is at the one slice for ever, and others follow without it: more than there are in front of it.
    let key = "process1.misses="
    func misses() -> Int {
      let words = ask("stats").split { $0 == " " || $0 == "\n" }
      return words.first { $0.hasPrefix(key) }.flatMap { Int($0.dropFirst(key.count)) } ?? 0
    }
    #expect(child.waits { misses() > 25 })
    for id in processes { kill(id, SIGKILL) }
    // On a machine that is busy for seconds it was found to hang before.
    #expect(
      child.waits {
        child.standardError.contains("Hostile crashed (Killed): it begins again")
          || child.standardError.contains("Hostile gave no answer in time")
      }, "\(child.standardError)")
    #expect(child.waits { ask("stats").contains("process2.restarts=1") }, "\(ask("stats"))")
    #expect(ask("quit") == "ok")
    let result = child.wait()
    #expect(result.exitCode == 0, "\(result.summary)")
    // It may be late, on a busy machine, but not the one that died.
    let ends = result.standardError.split(separator: "\n").filter { $0.contains("begins again") }
    #expect(!ends.isEmpty && ends.allSatisfy { !$0.contains("Gain") }, "\(result.summary)")
  }

  /// Kills a process where none of its threads is at work: it is stopped before that is seen.
  private func killAtRest(_ id: pid_t) {
    _ = OtherPrograms.wait {
      kill(id, SIGSTOP)
      _ = OtherPrograms.wait { OtherPrograms.isStopped(id) || !processes.contains(id) }
      let isAtRest = OtherPrograms.isAtRest(id)
      kill(id, isAtRest ? SIGKILL : SIGCONT)
      return isAtRest
    }
  }

  @Test("A process that is killed while none of its units is at work is the death of none of them")
  func killedAtRest() throws {
    let path = "/tmp/auricle-\(UUID().uuidString.prefix(13))"
    // Slices far apart: units rest nearly all of the time.
    let child = try start("none", at: [], path, period: 4096)
    func ask(_ line: String) -> String { ControlLine.ask(line, path) ?? "" }
    #expect(child.waits { ask("stats").contains("process1.turns=1") })
    for round in 1...3 {
      for id in processes { killAtRest(id) }
      let isBack = child.waits {
        let stats = ask("stats")
        return stats.contains(".restarts=\(round)") && !stats.contains(".restarts=\(round - 1)")
      }
      #expect(isBack, "\(round): \(ask("stats"))")
    }
    #expect(ask("quit") == "ok")
    let result = child.wait()
    #expect(result.exitCode == 0, "\(result.summary)")
    let lines = result.standardError
    #expect(lines.contains("none of them at work: they begin again"), "\(result.summary)")
    // From the third end on, each has a process: the next one is that of a unit.
    #expect(lines.contains("each begins again in a process alone"), "\(result.summary)")
    #expect(!lines.contains("stays out"), "\(result.summary)")
  }

  @Test(
    "Units that begin again slowly are not late meanwhile, and those of one plug-in are one name")
  func beginsAgainSlowly() throws {
    let path = "/tmp/auricle-\(UUID().uuidString.prefix(13))"
    try Sound([TestSignal.noise(seed: 5, amplitude: 0.25, frameCount: 4_800_000)])
      .write(to: box("long.wav"), encoding: .pcm16)
    // All ten open before the first sounds again: in that time several slices pass.
    let child = try ChildProcess(
      Places.auricle,
      ["live", "--channels", "1", "--control", "unix:\(path)", "--period", "4096", "--input"]
        + ["file:\(box("out.wav")),in=\(box("long.wav")),clock=real"]
        + (1...10).flatMap { _ in ["--unit", Self.hostile] },
      environment: environment("instantiate dawdle"), in: box.folder.path)
    func ask(_ line: String) -> String { ControlLine.ask(line, path) ?? "" }
    #expect(child.waits { ask("stats").contains("process1.turns=1") })
    for id in processes { kill(id, SIGKILL) }
    #expect(child.waits { ask("stats").contains("process1.restarts=1") }, "\(ask("stats"))")
    // Sentences come in their order: with the second one, all about the time between are there.
    for id in processes { kill(id, SIGKILL) }
    let sentence = "Hostile crashed (Killed)"
    func ends() -> [Range<String.Index>] { child.standardError.ranges(of: sentence) }
    #expect(child.waits { ends().count == 2 }, "\(child.standardError)")
    let lines = child.standardError
    let between = lines[..<(ends().last?.lowerBound ?? lines.endIndex)]
    #expect(!between.contains("is late"), "\(lines)")
    #expect(!lines.contains("Hostile, "), "\(lines)")
    #expect(child.waits { ask("quit") == "ok" })
    #expect(child.wait().exitCode == 0)
  }

  @Test("A unit that is late again and again is named once, and lives on")
  func isLate() throws {
    let path = "/tmp/auricle-\(UUID().uuidString.prefix(13))"
    let child = try start("dawdle", at: (1...40).map { $0 * 9600 }, path)
    #expect(child.waits { child.standardError.contains("Hostile is late") })
    #expect(child.waits { ControlLine.ask("quit", path) == "ok" })
    let result = child.wait()
    #expect(result.exitCode == 0, "\(result.summary)")
    let lines = result.standardError.split(separator: "\n")
    #expect(lines.count { $0.contains("Hostile is late") } == 1, "\(result.summary)")
    #expect(!lines.contains { $0.contains("Hostile crashed") }, "\(result.summary)")
  }

  @Test(
    "A unit that ends its process when it is opened is named, with exit code 70",
    arguments: ["instantiate segv", "initialize exit"])
  func opens(deed: String) throws {
    let result = try runAuricle(
      [
        "live", "--channels", "1", "--input", "file:,in=\(box("in.wav")),clock=free", "--unit",
        Self.hostile,
      ], environment: environment(deed), in: box.folder.path)
    #expect(result.exitCode != 0, "\(result.summary)")
    #expect(result.standardError.contains("Hostile"), "\(result.summary)")
  }

  @Test("Units sound in other processes as in this one, sample by sample")
  func equality() throws {
    let units = [
      "aufx:gain:AuTe", "http://calf.sourceforge.net/plugins/Reverb", "aufx:lpas:appl",
      "http://calf.sourceforge.net/plugins/Compressor",
    ]
    let calf = "/usr/lib/lv2/calf.lv2"
    guard FileManager.default.fileExists(atPath: calf) else { return }
    try FileManager.default.createSymbolicLink(
      atPath: box("lv2/calf.lv2"), withDestinationPath: calf)
    let here = try run(units, "none none", "none").samples
    #expect(here[0].contains { $0 != 0 })
    #expect(try run(units, "none none", "chain").samples == here)
    #expect(try run(units, "none none", "unit").samples == here)
  }

  @Test("Neighbours that share a process are rendered in one turn, and sound as in this one")
  func joined() throws {
    let calf = "/usr/lib/lv2/calf.lv2"
    guard FileManager.default.fileExists(atPath: calf) else { return }
    try FileManager.default.createSymbolicLink(
      atPath: box("lv2/calf.lv2"), withDestinationPath: calf)
    let rows = (1...2).map {
      TestSignal.noise(seed: UInt64($0), amplitude: 0.25, frameCount: 24_000)
    }
    try Sound(rows).write(to: box("in.wav"))
    // Two in stereo, and two that are there for each channel: three turns of two, of two and of two units.
    let chain = [
      "http://calf.sourceforge.net/plugins/Reverb",
      "http://calf.sourceforge.net/plugins/Compressor",
      Self.hostile, Self.hostile,
    ]
    func run(_ isolate: String, _ more: [String] = []) throws -> [[Float]] {
      let result = try runAuricle(
        ["live", "--channels", "2", "--isolate", isolate]
          + ["--input", "file:\(box("out.wav")),in=\(box("in.wav")),clock=free"]
          + chain.flatMap { ["--unit", $0] } + more, environment: environment("none none"),
        in: box.folder.path)
      try #require(result.exitCode == 0, "\(result.summary)")
      return try Sound(path: box("out.wav")).channels
    }
    let here = try run("none")
    #expect(here.allSatisfy { row in row.contains { $0 != 0 } })
    #expect(try run("chain") == here)
  }

  /// The processes for units of this test's program.
  private var processes: [pid_t] { UnitProcessList(cache: box("cache")).ids }

  @Test(
    "A unit whose process is killed comes back with its values, and the figures say so",
    arguments: ["chain", "unit"])
  func comesBack(isolate: String) throws {
    let rows = [TestSignal.noise(seed: 3, amplitude: 0.25, frameCount: 4_800_000)]
    try Sound(rows).write(to: box("long.wav"), encoding: .pcm16)
    let path = "/tmp/auricle-\(UUID().uuidString.prefix(13))"
    let child = try ChildProcess(
      Places.auricle,
      [
        "live", "--channels", "1", "--isolate", isolate, "--unit", "aufx:gain:AuTe", "--unit",
        Self.hostile, "--control", "unix:\(path)", "--period", "512", "--input",
        "file:\(box("out.wav")),in=\(box("long.wav")),clock=real",
      ], environment: environment("none none"), in: box.folder.path)
    func ask(_ line: String) -> String { ControlLine.ask(line, path) ?? "" }
    #expect(child.waits { ask("set 1 gain 0.25") == "ok" })
    let value = ask("get 1 gain")
    #expect(child.waits { ask("stats").contains("process1.deaths=0") })
    // Both have one turn in the process that they share.
    #expect(ask("stats").contains("process1.turns=1"), "\(ask("stats"))")
    for id in processes { kill(id, SIGKILL) }
    let isBack = child.waits {
      let stats = ask("stats")
      return stats.contains(".restarts=1") && !stats.contains(".restarts=0")
    }
    #expect(isBack, "\(ask("stats"))")
    #expect(ask("stats").contains("process1.turns=1"), "\(ask("stats"))")
    #expect(ask("get 1 gain") == value)
    #expect(ask("quit") == "ok")
    let result = child.wait()
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.standardError.contains("crashed (Killed)"), "\(result.summary)")
    // They end with their host, a moment behind it.
    #expect(OtherPrograms.wait { processes.isEmpty })
  }

  @Test("A preset says which units share a process; another word is refused with the three")
  func preset() throws {
    func write(_ word: String) throws {
      try box.folder.write(
        "auricle: 1\nname: x\nisolate: \(word)\nunits:\n  - unit: aufx:gain:AuTe\n",
        to: "chain.yaml")
    }
    // The gain unit is in a folder of this test alone.
    func check() throws -> ProcessResult {
      try runAuricle(
        ["preset", "check", box("chain.yaml")], environment: environment("none none"),
        in: box.folder.path)
    }
    try write("everything")
    let refused = try check()
    #expect(refused.exitCode == 65, "\(refused.summary)")
    #expect(refused.standardError.contains("'isolate' is chain, unit or none, not 'everything'"))
    try write("unit")
    let accepted = try check()
    #expect(accepted.exitCode == 0, "\(accepted.summary)")
  }
}
