// Programs in C that pass MIDI on: between two processes, whole and in order, and with statuses for all that is wrong.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct MIDIProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var environment: [String: String?] {
    [
      "XDG_RUNTIME_DIR": folder("run"), "XDG_CONFIG_HOME": folder("config"),
      "AURICLE_SEQUENCER": "off",
    ]
  }

  private func build(_ name: String, _ compiler: String, _ more: [String] = []) throws -> String {
    let libraries = try CProgramTests().runtimeLibraries()
    let program = folder("\(name)-\(compiler)")
    let isC = !compiler.hasSuffix("++")
    let built = try runProcess(
      compiler,
      [
        "-x", isC ? "c" : "c++", isC ? "-std=gnu11" : "-std=c++20", "-Wall", "-Wextra", "-Werror",
        "-I", Places.inPackage("SDK/include"),
        Places.inPackage("Tests/AudioToolboxTests/Programs/MIDI/\(name).c"), "-o", program, "-L",
        Places.builtProducts, "-lAudioToolbox", "-L", libraries, "-lFoundation", "-lm",
        "-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + libraries,
      ] + more)
    try #require(built.exitCode == 0, "\(built.summary)")
    return program
  }

  @Test(
    "Null pointers, wrong numbers and objects that are gone have their statuses",
    arguments: ["gcc", "clang", "g++"])
  func statuses(compiler: String) throws {
    let result = try runProcess(build("Statuses", compiler), environment: environment)
    #expect(result.exitCode == 0 && result.standardOutput == "", "\(result.summary)")
  }

  @Test("Blocks are called with bytes and universal packets of the requested protocol")
  func blocks() throws {
    let program = try build("Blocks", "clang", ["-fblocks", "-ldispatch", "-lBlocksRuntime"])
    let result = try runProcess(program, environment: environment)
    #expect(result.exitCode == 0 && result.standardOutput == "", "\(result.summary)")
  }

  @Test(
    "Devices that a program describes are found by the next, with their entities and properties")
  func setup() throws {
    let program = try build("Setup", "clang")
    let made = try runProcess(program, environment: environment)
    let number = made.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(made.exitCode == 0 && Int32(number) != nil, "\(made.summary)")
    let found = try runProcess(program, ["find", number], environment: environment)
    #expect(found.exitCode == 0 && found.standardOutput == "", "\(found.summary)")
  }

  @Test("A program makes, lists and ends devices as drivers do", arguments: ["clang", "g++"])
  func drivers(compiler: String) throws {
    let result = try runProcess(build("Drivers", compiler), environment: environment)
    #expect(result.exitCode == 0 && result.standardOutput == "", "\(result.summary)")
  }

  @Test("Each client gets one notice of each endpoint that comes, and one of each that goes")
  func notices() throws {
    let result = try runProcess(build("Added", "clang"), environment: environment)
    #expect(result.exitCode == 0 && result.standardOutput == "", "\(result.summary)")
  }

  @Test("A clock converts times, and leads another over MIDI, which starts, runs and stops with it")
  func clock() throws {
    let result = try runProcess(build("Clock", "clang"), environment: environment)
    #expect(result.exitCode == 0 && result.standardOutput == "", "\(result.summary)")
  }

  @Test(
    "A program plays messages of virtual sources: on an instrument of a graph, and on a sampler with a file",
    arguments: ["graph", "sampler"])
  func played(how: String) throws {
    let program = try build("PlayAlong", "clang")
    let keys = try build("Keys", "clang")
    try CProgramTests().assemble("SoundBanks", in: folder)
    try folder.write(
      Data(SoundFontFixture.bytes([.init("Wave", 0, 0)])), to: "bank.sf2")
    let tone = try runProcess(
      "sox",
      ["-R", "-n", "-r", "44100", "-c", "1", folder("tone 69.wav"), "synth", "2", "sine", "441"])
    try #require(tone.exitCode == 0, "\(tone.summary)")
    let more: [String: String?] = [
      "AURICLE_DEVICE": "file:\(folder("out.wav")),clock=free,rate=44100"
    ]
    let all = environment.merging(more) { $1 }.merging(CProgramTests().environment(folder)) { $1 }
    let source = try ChildProcess(keys, [folder("go")], environment: all)
    // Each step follows the one before: half a second of the note is rendered before its end is sent.
    #expect(source.waits { source.standardOutput.contains("ready") })
    let player = try ChildProcess(
      program, [how, folder(how == "graph" ? "bank.sf2" : "tone 69.wav")], environment: all)
    #expect(player.waits { player.standardOutput.contains("1 source") }, "\(player.standardOutput)")
    try folder.write(Data(), to: "go")
    #expect(player.waits { player.standardOutput.contains("sounding") }, "\(player.standardOutput)")
    try folder.write(Data(), to: "go.off")
    let playerEnd = player.wait()
    try folder.write(Data(), to: "go.end")
    let keysEnd = source.wait()
    #expect(keysEnd.exitCode == 0 && playerEnd.exitCode == 0, "\(playerEnd.summary)")
    // One note, an octave above the wave's 441 Hz: between its first and its last loud frame it crosses zero 1764 times a second.
    let raw = folder("out.raw")
    let read = try runProcess(
      "sox",
      [folder("out.wav"), "-t", "raw", "-e", "floating-point", "-b", "32", "-L", raw, "remix", "1"])
    try #require(read.exitCode == 0, "\(read.summary)")
    let data = try Data(contentsOf: URL(fileURLWithPath: raw))
    let samples = unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
    let loud = samples.indices.filter { abs(samples[$0]) > 0.02 }
    let first = try #require(loud.first) + 4410
    let part = samples[first..<min(first + 8820, samples.count)]
    let crossings = zip(part, part.dropFirst()).filter { ($0 < 0) != ($1 < 0) }.count
    #expect(abs(crossings - 353) <= 4, "\(crossings)")
    #expect(samples.suffix(2000).allSatisfy { abs($0) < 0.02 }, "the note was ended")
  }

  /// Runs two programs at once, and returns their output.
  private func both(_ first: String, _ second: String) throws -> (String, String) {
    let program = try build("Ports", "clang")
    let one = try ChildProcess(program, [first, "10000"], environment: environment)
    let two = try ChildProcess(program, [second, "10000"], environment: environment)
    let (oneEnd, twoEnd) = (one.wait(), two.wait())
    #expect(oneEnd.exitCode == 0, "\(oneEnd.summary)")
    #expect(twoEnd.exitCode == 0, "\(twoEnd.summary)")
    return (oneEnd.standardOutput, twoEnd.standardOutput)
  }

  @Test(
    "10,000 packets and 100 kB of system exclusive bytes arrive whole and in order at a destination"
  )
  func destination() throws {
    let (said, sent) = try both("listen", "send")
    let sum = sent.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(said.hasSuffix("10000 packets, in order 1, 100000 bytes, \(sum)\n"), "\(said) \(sent)")
  }

  @Test(
    "10,000 packets and 100 kB of system exclusive bytes arrive whole and in order from a source")
  func source() throws {
    let (sent, said) = try both("play", "follow")
    let sum = sent.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(said.hasSuffix("10000 packets, in order 1, 100000 bytes, \(sum)\n"), "\(said) \(sent)")
  }

  @Test("The endpoint of a killed process is gone, and has its number again in the next run")
  func killed() throws {
    let program = try build("Ports", "gcc")
    var numbers: Set<String> = []
    for _ in 0..<2 {
      let child = try ChildProcess(program, ["listen", "1"], environment: environment)
      #expect(child.waits { child.standardOutput.contains("\n") })
      numbers.insert(child.standardOutput)
      child.send(signal: SIGKILL)
      _ = child.wait()
    }
    #expect(numbers.count == 1, "\(numbers)")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder("run/auricle/midi"))
    #expect(files.contains { $0.hasSuffix(".json") })
    // The next program that searches finds nothing, and removes the remains.
    let result = try runProcess(build("Statuses", "gcc"), environment: environment)
    #expect(result.exitCode == 0, "\(result.summary)")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder("run/auricle/midi"))
    #expect(left.sorted() == [".connections", ".lock", "connections"], "\(left)")
  }
}
