// Plug-ins that tell their latency late: what can be aligned is, and what cannot is told.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct LatencyQuirkTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  /// Compiles a fixture, and processes noise with it in slices of 256 frames.
  private func process(_ name: String) throws -> (result: ProcessResult, input: [Float]) {
    let bundle = box("lv2/\(name).lv2")
    try FileManager.default.createDirectory(atPath: box("lv2"), withIntermediateDirectories: true)
    let source = Places.inPackage("Tests/LV2UnitsTests/Fixtures/\(name).lv2")
    try FileManager.default.copyItem(atPath: source, toPath: bundle)
    let compiled = try runProcess(
      "cc", ["-shared", "-fPIC", "-O1", "-o", bundle + "/plugin.so", source + "/plugin.c", "-lm"])
    try #require(compiled.exitCode == 0, "\(compiled.summary)")
    let noise = TestSignal.noise(seed: 9, amplitude: 0.25, frameCount: 4096)
    try Sound([noise]).write(to: box("in.wav"), encoding: .float32)
    let result = try box.run(
      "process", "--unit", "urn:auricle:test:\(name)", "--tail", "none", "--frames-per-slice",
      "256",
      "--output-file", "out.wav", "in.wav",
      environment: ["LV2_PATH": box("lv2"), "XDG_CACHE_HOME": box("cache")])
    return (result, noise)
  }

  @Test func aLatencyToldAfterTheFirstRunIsCompensated() throws {
    let (result, input) = try process("late-latency")
    #expect(result.exitCode == 0, "\(result.summary)")
    let output = try Sound(path: box("out.wav"))
    #expect(output.channels == [input])
  }

  @Test func aLatencyToldInTheMiddleIsNoted() throws {
    let (result, _) = try process("settles")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(
      result.standardError.contains("the delay changed from 0 to 48 frames on the way"),
      "\(result.summary)")
  }
}
