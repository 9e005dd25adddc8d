// Offline units in every command that has a whole file: their results, in their places in a chain.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite("Offline units") struct OfflineUnitTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    let noise = TestSignal.noise(seed: 7, amplitude: 0.25, frameCount: 10_007)
    try Sound([noise, noise.map { $0 * 0.5 }]).write(to: box("in.wav"))
  }

  private var input: [[Float]] { get throws { try Sound(path: box("in.wav")).channels } }

  /// Processes the file; the channels of the result.
  private func process(
    _ arguments: String..., environment: [String: String?] = [:]
  ) throws -> [[Float]] {
    let result = try runAuricle(
      ["process", "--output-file", "out.wav", "--overwrite"] + arguments + ["in.wav"],
      environment: box.environment.merging(environment) { $1 }, in: box.folder.path)
    #expect(result.exitCode == 0, "\(result.summary)")
    return try Sound(path: box("out.wav")).channels
  }

  @Test("Reverse turns the file around, and twice leaves it as it is")
  func reverse() throws {
    #expect(try process("--unit", "auol:revs:Auri") == input.map { Array($0.reversed()) })
    #expect(try process("--unit", "auol:revs:Auri", "--unit", "auol:revs:Auri") == input)
  }

  @Test("A ringing before the sound comes first, and is as long")
  func tail() throws {
    let forward = try process("--unit", "aufx:dely:appl")
    let back = try process("--unit", "aufx:dely:appl", "--unit", "auol:revs:Auri")
    #expect(forward[0].count > 10_007)
    #expect(back == forward.map { Array($0.reversed()) })
  }

  @Test("Normalize brings the highest sample to its level, with settings of the result behind it")
  func normalize() throws {
    let whole = try process("--unit", "auol:norm:Auri", "--set", "level=-6")
    #expect(whole[0].count == 10_007)
    #expect(abs(decibels(peak(whole[0])) + 6) < 0.01)
    #expect(abs(peak(whole[1]) / peak(whole[0]) - 0.5) < 0.01)
    let part = try process(
      "--unit", "auol:norm:Auri", "--trim", "0.1..", "--normalize", "-12", "--fade-in", "0.01")
    #expect(part[0].count == 10_007 - 4800)
    #expect(abs(decibels(peak(part[0])) + 12) < 0.05)
  }

  @Test("A time pitch changes the length", arguments: [0.5, 2.0])
  func timePitch(rate: Double) throws {
    let output = try process("--unit", "auol:vari:appl", "--set", "playback rate=\(rate)")
    let frames = Int((10_007 / rate).rounded(.up))
    #expect(abs(output[0].count - frames) <= 1)
    #expect(peak(output[0]) > 0.1)
  }

  @Test("A unit of another maker keeps its own count")
  func foreign() throws {
    let folder = try TemporaryFolder("auricle-offline")
    let info = ComponentFixture.info("EchoBackUnit", subtype: "echb")
      .replacingOccurrences(of: "<string>aufx</string>", with: "<string>auol</string>")
    try ComponentFixture.makeBundle("EchoBackUnit", info: info, in: folder)
    let environment: [String: String?] = ["AURICLE_COMPONENT_PATH": folder.path]
    let output = try process("--unit", "auol:echb:AuTe", environment: environment)
    let expected = try input.map { $0.reversed().flatMap { [$0, $0] }.dropLast() }
    #expect(output == expected.map(Array.init))
    let quiet = try process(
      "--unit", "auol:echb:AuTe", "--mix", "50 %", "--unit", "auol:norm:Auri",
      environment: environment)
    #expect(quiet[0].count == 2 * 10_007 - 1)
  }

  @Test("A branch of a preset is aligned with the others, and the graph of its input is shown")
  func branches() throws {
    try box.folder.write(
      """
      auricle: 1
      name: Back and forth
      units:
        - unit: aufx:sdly:appl
        - parallel:
            - name: Original
            - name: Back
              units:
                - unit: auol:revs:Auri
      """, to: "both.yaml")
    let output = try process("--preset", "both.yaml")
    for (made, channel) in zip(output, try input) {
      let expected = zip(channel, channel.reversed()).map { $0 + $1 }
      #expect(maximumDifference(made, expected) < 1e-6)
    }
    let shown = try box.run("graph", "show", "--format", "json", "both.yaml")
    #expect(shown.exitCode == 0, "\(shown.summary)")
    let graph = try #require(try shown.json as? [String: Any])
    let before = try #require((graph["before"] as? [[String: Any]])?.first)
    #expect((before["label"] as? String)?.contains("Reverse") == true)
    let nodes = (before["graph"] as? [String: Any])?["nodes"] as? [Any]
    // The delay and the output.
    #expect(nodes?.count == 2)
  }

  @Test("A file is played through one; live input is refused by name")
  func devices() throws {
    let unit = ["--unit", "auol:revs:Auri"]
    let played = try box.run(
      ["play"] + unit + ["--device", "file:\(box("played.wav")),clock=free", "in.wav"])
    #expect(played.exitCode == 0, "\(played.summary)")
    let sound = try Sound(path: box("played.wav")).channels[0]
    let expected = Array(try input[0].reversed())
    let start = try #require(sound.firstIndex { abs($0 - expected[0]) < 1e-4 })
    #expect(maximumDifference(Array(sound[start...].prefix(10_007)), expected) < 1e-4)
    let device = "file:\(box("live.wav")),in=\(box("in.wav")),clock=free"
    let live = try box.run(["live"] + unit + ["--input", device])
    #expect(live.exitCode == 69, "\(live.summary)")
    #expect(live.summary.contains("works on a whole sound"), "\(live.summary)")
  }
}
