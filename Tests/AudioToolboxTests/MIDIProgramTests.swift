// Programs in C that pass MIDI on: between two processes, whole and in order, and with statuses for all that is wrong.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct MIDIProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var environment: [String: String?] {
    ["XDG_RUNTIME_DIR": folder("run"), "XDG_CONFIG_HOME": folder("config")]
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

  @Test("Blocks are told, and hear bytes and universal packets of the protocol that they asked for")
  func blocks() throws {
    let program = try build("Blocks", "clang", ["-fblocks", "-ldispatch", "-lBlocksRuntime"])
    let result = try runProcess(program, environment: environment)
    #expect(result.exitCode == 0 && result.standardOutput == "", "\(result.summary)")
  }

  /// What two programs say that run at once.
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
    // The next program that looks finds nothing, and removes what was left.
    let result = try runProcess(build("Statuses", "gcc"), environment: environment)
    #expect(result.exitCode == 0, "\(result.summary)")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder("run/auricle/midi"))
    #expect(left.sorted() == [".connections", ".lock", "connections"], "\(left)")
  }
}
