// Programs on ALSA that play through a chain of ours: aplay into a file, compared with a result of the command line.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct AlsaProgramTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let shared = Result { try TemporaryFolder() }

  /// The plug-in, built once.
  private static let plugIn = Result {
    let folder = try shared.get()
    let built = try runProcess(Places.inPackage("Scripts/build-alsa"), [folder("")])
    try #require(built.exitCode == 0, "\(built.summary)")
    return folder("ALSA/alsa-lib/libasound_module_pcm_auricle.so")
  }

  /// ALSA's settings, with the plug-in and a PCM that is a file.
  private func environment(program: String) throws -> [String: String] {
    let settings = """
      </usr/share/alsa/alsa.conf>
      pcm_type.auricle { lib "\(try Self.plugIn.get())" }
      <\(Places.inPackage("Modules/ALSA/60-auricle.conf"))>
      pcm.kept { type file slave.pcm null file "\(folder("kept.raw"))" format raw }

      """
    return [
      "ALSA_CONFIG_PATH": try folder.write(settings, to: "asound.conf"), "AURICLE_PROGRAM": program,
    ]
  }

  /// Plays a file, and returns the result and the samples that came out.
  private func play(
    _ device: String, program: String = Places.auricle
  ) throws -> (result: ProcessResult, samples: [Float]) {
    let result = try runProcess(
      "aplay", ["-q", "-D", device, folder("in.wav")],
      environment: try environment(program: program))
    return (result, try floats(folder("kept.raw")))
  }

  private func floats(_ path: String) throws -> [Float] {
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    return unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
  }

  /// The samples of a file of 32-bit float as they are: sox keeps 24 bits of them.
  private func waveSamples(_ path: String) throws -> [Float] {
    let data = try #require(FileManager.default.contents(atPath: path))
    let place = try #require(data.range(of: Data("data".utf8))).upperBound
    let count = data[place..<place + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
    let samples = Data(data[(place + 4)...].prefix(count))
    return unsafe samples.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
  }

  private func makeInput() throws {
    let made = try runProcess(
      "sox",
      [
        "-n", "-r", "48000", "-c", "2", "-e", "floating-point", "-b", "32", folder("in.wav"),
        "synth", "1", "pinknoise", "sine", "500", "gain", "-9",
      ])
    try #require(made.exitCode == 0, "\(made.summary)")
  }

  /// A chain that delays sound, and rings on.
  private func preset(_ more: String = "") throws -> String {
    try folder.write(
      """
      auricle: 1
      name: Room
      units:
        - unit: aufx:lpas:appl
        - unit: aufx:lmtr:appl
        - unit: aufx:dely:appl
      \(more)
      """, to: "room.yaml")
  }

  /// The result of `process` with the input, delayed as when it plays.
  private func processed(_ preset: String) throws -> [Float] {
    let made = try runAuricle([
      "process", folder("in.wav"), "--preset", preset, "--latency", "keep", "--output-file",
      folder("made.wav"),
    ])
    try #require(made.exitCode == 0, "\(made.summary)")
    return try waveSamples(folder("made.wav"))
  }

  @Test(
    "aplay through a chain plays the result of process to the end of its tail, sample by sample",
    arguments: ["", "output: {tail: none}", "output: {tail: 0.25 s}"])
  func equality(output: String) throws {
    try makeInput()
    let preset = try preset(output)
    let wanted = try processed(preset)
    let (result, kept) = try play("auricle:\(preset),kept")
    try #require(result.exitCode == 0, "\(result.summary)")
    // One second of stereo, what the limiter delays, and the tail.
    #expect(wanted.count > 96_000)
    #expect(output.contains("none") == (wanted.count < 100_000))
    try #require(kept.count == wanted.count)
    for place in wanted.indices {
      try #require(kept[place] == wanted[place], "sample \(place)")
    }
  }

  @Test(
    "Several files, and the sound of a program that does not wait, are played whole",
    arguments: [2, 1])
  func again(count: Int) throws {
    try makeInput()
    let preset = try preset()
    let wanted = try processed(preset)
    let result = try runProcess(
      "aplay",
      ["-q", "-D", "auricle:\(preset),kept"] + (count == 1 ? ["-N"] : [])
        + Array(repeating: folder("in.wav"), count: count),
      environment: try environment(program: Places.auricle))
    try #require(result.exitCode == 0, "\(result.summary)")
    let kept = try floats(folder("kept.raw"))
    #expect(kept.count == count * wanted.count)
    #expect(kept.prefix(wanted.count).elementsEqual(wanted))
    #expect(kept.suffix(wanted.count).elementsEqual(wanted))
  }

  private static let twice = Result {
    let program = try shared.get()("Twice")
    let built = try runProcess(
      "clang",
      [
        "-std=gnu11", "-Wall", "-Wextra", "-Werror",
        Places.inPackage("Tests/AudioToolboxTests/Programs/Alsa/Twice.c"), "-o", program,
        "-lasound",
      ])
    try #require(built.exitCode == 0, "\(built.summary)")
    return program
  }

  @Test(
    "A sound after one that was drained or dropped begins anew, also through mapped memory",
    arguments: ["rw", "mmap", "drop"])
  func twice(way: String) throws {
    let preset = try preset()
    let result = try runProcess(
      try Self.twice.get(), ["auricle:\(preset),kept", way],
      environment: try environment(program: Places.auricle))
    try #require(result.exitCode == 0, "\(result.summary)")
    // The limiter delays sound, which counts.
    let delay = try #require(
      result.standardOutput.split(separator: " ").last.flatMap { Int($0.dropLast()) })
    #expect(delay > 0, "\(result.standardOutput)")
    let kept = try floats(folder("kept.raw"))
    if way == "drop" {
      let second = kept.dropFirst(30_000)
      #expect(second.count > 60_000 && Array(second.prefix(30_000)) == Array(kept.prefix(30_000)))
    } else {
      #expect(kept.count > 2 * 60_000 && kept.count % 2 == 0)
      #expect(Array(kept.prefix(kept.count / 2)) == Array(kept.suffix(kept.count / 2)))
    }
  }

  @Test("A missing preset, and a chain without its program, are named")
  func refusals() throws {
    try makeInput()
    let missing = try play("auricle:nosuchpreset,kept").result
    #expect(missing.exitCode != 0)
    #expect(missing.standardError.contains("nosuchpreset"), "\(missing.summary)")
    let absent = try play("auricle:podcast-voice,kept", program: folder("absent")).result
    #expect(absent.exitCode != 0)
    #expect(absent.standardError.contains("cannot start"), "\(absent.summary)")
  }

  @Test("A chain whose process is killed leaves the sound as it is")
  func killedChain() throws {
    try makeInput()
    // It answers the setup as the program does, and is gone at the first slice.
    let program = try folder.writeProgram(
      """
      #!/usr/bin/env python3
      import os, socket, struct
      end = socket.socket(fileno=0)
      end.recvmsg(65536, 1024)
      end.sendall(struct.pack("<IIHHiII", 12, 1, 101, 0, 0, 0, 0))
      """, to: "gone")
    let (result, kept) = try play("auricle:night,kept", program: program)
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.standardError.contains("the sound goes on without it"), "\(result.summary)")
    let wanted = try waveSamples(folder("in.wav"))
    #expect(Array(kept.prefix(wanted.count)) == wanted)
  }
}
