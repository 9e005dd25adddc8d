// Programs that use music sequences and players, in C.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct MusicProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Compiles a program and runs it.
  private func run(
    _ name: String, _ arguments: [String], environment: [String: String?] = [:]
  ) throws -> ProcessResult {
    let libraries = try CProgramTests().runtimeLibraries()
    let program = folder(name)
    try CProgramTests().compile(
      "Music/\(name)", to: program, with: "clang",
      [
        "-Wno-multichar", "-D_GNU_SOURCE", "-rdynamic", "-lpthread",
        "-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + libraries,
      ])
    return try runProcess(program, arguments, environment: environment)
  }

  @Test("Sequences refuse wrong events, and are edited")
  func sequences() throws {
    let result = try run("Sequences", [])
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  @Test("Sequences come back from files as they were saved")
  func files() throws {
    let seed = Int(TestSeed.current)
    try folder.makeFolder("songs")
    let result = try run("SequenceFiles", [folder("songs"), "\(seed)"])
    #expect(result.exitCode == 0, "seed \(seed): \(result.summary)")
  }

  @Test("A player of a graph that is pulled plays each event at its frame, whatever happens to it")
  func players() throws {
    try CProgramTests().assemble("GenericOutput", in: folder)
    let result = try run("Players", [], environment: CProgramTests().environment(folder))
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  @Test("A player without a graph sends to endpoints, with the host's times")
  func endpoints() throws {
    let result = try run("Endpoints", [])
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  @Test("A player starts its graph's device, which plays the notes at their frames")
  func device() throws {
    let result = try run(
      "DevicePlayer", [],
      environment: ["AURICLE_DEVICE": "file:\(folder("out.wav")),clock=free,rate=48000"])
    try #require(result.exitCode == 0, "\(result.summary)")
    let wanted = result.standardOutput.split(separator: "\n").compactMap { Double($0) }
    let raw = folder("out.raw")
    let read = try runProcess(
      "sox", [folder("out.wav"), "-t", "raw", "-e", "floating-point", "-b", "32", "-L", raw])
    try #require(read.exitCode == 0, "\(read.summary)")
    let data = try Data(contentsOf: URL(fileURLWithPath: raw))
    let samples = unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
    let frames = samples.indices.filter { samples[$0] != 0 && $0 % 2 == 0 }.map { $0 / 2 }
    let first = try #require(frames.first)
    #expect(frames.map { $0 - first } == wanted.map { Int(($0 * 48_000).rounded()) })
  }
}
