// LV2 plug-ins that report latency late, mind the lengths of slices, or read memory they never set.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct LatencyQuirkTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  /// Compiles a fixture, with text in its manifest replaced.
  private func build(_ name: String, _ old: String = "", _ new: String = "") throws {
    let bundle = box("lv2/\(name).lv2")
    try FileManager.default.createDirectory(atPath: box("lv2"), withIntermediateDirectories: true)
    let source = Places.inPackage("Tests/LV2UnitsTests/Fixtures/\(name).lv2")
    try FileManager.default.copyItem(atPath: source, toPath: bundle)
    let compiled = try runProcess(
      "cc", ["-shared", "-fPIC", "-O1", "-o", bundle + "/plugin.so", source + "/plugin.c", "-lm"])
    try #require(compiled.exitCode == 0, "\(compiled.summary)")
    guard !old.isEmpty else { return }
    let text = try String(contentsOfFile: bundle + "/manifest.ttl", encoding: .utf8)
    try #require(text.contains(old))
    try text.replacing(old, with: new).write(
      toFile: bundle + "/manifest.ttl", atomically: true, encoding: .utf8)
  }

  /// Processes noise in slices of 256 frames.
  private func process(
    _ arguments: String..., frameCount: Int = 4096
  ) throws -> (result: ProcessResult, input: [Float], output: [Float]) {
    let noise = TestSignal.noise(seed: 9, amplitude: 0.25, frameCount: frameCount)
    try Sound([noise]).write(to: box("in.wav"), encoding: .float32)
    let result = try runAuricle(
      ["process"] + arguments + [
        "--tail", "none", "--frames-per-slice", "256", "--overwrite", "--output-file", "out.wav",
        "in.wav",
      ],
      environment: box.environment.merging([
        "LV2_PATH": box("lv2"), "XDG_CACHE_HOME": box("cache"),
      ]) { $1 }, in: box.folder.path)
    #expect(result.exitCode == 0, "\(result.summary)")
    return (result, noise, try Sound(path: box("out.wav")).channels[0])
  }

  /// One reports its latency after its first run, the other in its fourth.
  @Test(arguments: ["late-latency", "settles"]) func aLatencyReportedLateIsCompensated(name: String)
    throws
  {
    try build(name)
    let (result, input, output) = try process("--unit", "urn:auricle:test:\(name)")
    #expect(output == input)
    #expect(!result.standardError.contains("delay"), "\(result.summary)")
  }

  /// The output written by then is rendered once more, in a run of several files too.
  @Test(arguments: ["1", "2"]) func aLatencyReportedAfterASecondIsCompensated(jobs: String) throws {
    try build("settles-late")
    let (result, input, output) = try process(
      "--unit", "urn:auricle:test:settles-late", frameCount: 96_000)
    #expect(output == input)
    #expect(
      result.standardError.contains(
        "a delay of 48 frames was reported only after 1.5 s: the whole file is aligned with it"),
      "\(result.summary)")
    let results = try processSeveral(
      ["a": input, "b": input.reversed()], "--unit", "urn:auricle:test:settles-late", "--jobs", jobs
    )
    #expect(results["a"] == input)
    #expect(results["b"] == input.reversed())
  }

  /// A file that ends before the latency is reported sounds the same after any other file.
  @Test func aLatencyIsNotRememberedFromFileToFile() throws {
    try build("settles-late")
    let long = TestSignal.noise(seed: 11, amplitude: 0.25, frameCount: 96_000)
    let short = Array(long.prefix(24_000))
    let unit = ["--unit", "urn:auricle:test:settles-late", "--jobs", "1"]
    let alone = try processSeveral(["b": short], unit[0], unit[1], unit[2], unit[3])
    let later = try processSeveral(["a": long, "b": short], unit[0], unit[1], unit[2], unit[3])
    #expect(later["a"] == long)
    #expect(alone["b"]?.count == short.count)
    #expect(later["b"] == alone["b"])
  }

  /// Processes files in one run; returns their outcome by name.
  private func processSeveral(
    _ files: [String: [Float]], _ arguments: String...
  ) throws -> [String: [Float]] {
    try box.folder.makeFolder("files")
    for (name, samples) in files {
      try Sound([samples]).write(to: box("files/\(name).wav"), encoding: .float32)
    }
    let run = try runAuricle(
      ["process"] + arguments + ["--tail", "none", "--overwrite", "--output", "results", "files"],
      environment: box.environment.merging([
        "LV2_PATH": box("lv2"), "XDG_CACHE_HOME": box("cache"),
      ]) { $1 }, in: box.folder.path)
    #expect(run.exitCode == 0 && !run.standardError.contains("delay changed"), "\(run.summary)")
    return try Dictionary(
      uniqueKeysWithValues: files.keys.map {
        ($0, try Sound(path: box("results/\($0).wav")).channels[0])
      })
  }

  /// Beside the dry signal, from the first frame on.
  @Test(arguments: [
    "  - {parallel: [{name: dry}, {name: wet, units: [{unit: \"urn:auricle:test:settles\"}]}]}",
    "  - {unit: \"urn:auricle:test:settles\", mix: 50 %}",
  ]) func aLatencyReportedLateIsAligned(unit: String) throws {
    try build("settles")
    let preset = try box.folder.write("auricle: 1\nname: P\nunits:\n\(unit)\n", to: "p.yaml")
    let (_, input, output) = try process("--preset", preset)
    let factor: Float = unit.contains("mix") ? 1 : 2
    #expect(output == input.map { $0 * factor })
  }

  /// A plug-in that becomes later or earlier in the middle of the sound is right before and after.
  @Test(arguments: [
    (100, 1100, 49_152), (1100, 100, 49_152), (100, 1100, 24_576), (700, 0, 12_288),
    (10, 4096, 69_632),
  ]) func aLatencyThatChangesIsCompensatedPieceByPiece(before: Int, after: Int, at: Int) throws {
    try build("changes-latency")
    let (result, input, output) = try process(
      "--unit", "urn:auricle:test:changes-latency", "--set", "before=\(before)", "--set",
      "after=\(after)", "--set", "at=\(at)", frameCount: 96_000)
    #expect(output.count == input.count)
    // The change comes between two slices, and applies to the plug-in's output.
    #expect(output[..<(at - before)] == input[..<(at - before)])
    let skipped = max(0, before - after)
    let place = at - before + skipped
    #expect(output[(at - before)..<place].allSatisfy { $0 == 0 })
    #expect(output[place...] == input[place...])
    #expect(
      result.standardError.contains(
        "the delay changed from \(before) to \(after) frames on the way"),
      "\(result.summary)")
    let kept = try process(
      "--unit", "urn:auricle:test:changes-latency", "--set", "before=\(before)", "--set",
      "after=\(after)", "--set", "at=\(at)", "--latency", "keep", frameCount: 96_000)
    #expect(kept.output[at..<90_000] == kept.input[(at - after)..<(90_000 - after)])
  }

  @Test func aLatencyThatChangesOnTheWayIsNoted() throws {
    try build("sets-latency")
    let preset = try box.folder.write(
      """
      auricle: 1
      name: P
      units:
        - unit: urn:auricle:test:sets-latency
          automation: {frames: [[0 s, 10], {at: 1.5 s, value: 500, curve: step}]}
      """, to: "p.yaml")
    let (result, _, _) = try process("--preset", preset, frameCount: 96_000)
    #expect(
      result.standardError.contains("the delay changed from 10 to 500 frames on the way"),
      "\(result.summary)")
  }

  @Test func theLastSliceIsAsLongAsWhatIsLeft() throws {
    try build("counts-frames")
    let (_, _, output) = try process("--unit", "urn:auricle:test:counts-frames", frameCount: 1000)
    #expect(output.count == 1000)
    #expect(output.prefix(768).allSatisfy { $0 == 256 })
    #expect(output.suffix(232).allSatisfy { $0 == 232 })
  }

  /// A preset whose plug-in's gain goes from 1 to 2 within the second block of 256 frames.
  private func stepAtFrame300() throws -> String {
    try box.folder.write(
      """
      auricle: 1
      name: P
      units:
        - unit: urn:auricle:test:counts-frames
          automation: {gain: [[0 frames, 1], {at: 300 frames, value: 2, curve: step}]}
      """, to: "p.yaml")
  }

  @Test func aPlugInThatWantsWholeSlicesGetsThem() throws {
    try build(
      "counts-frames", "lv2:hardRTCapable",
      "<http://lv2plug.in/ns/ext/buf-size#coarseBlockLength>")
    let (_, _, output) = try process("--preset", stepAtFrame300(), frameCount: 1000)
    #expect(output.prefix(512).allSatisfy { $0 == 256 })
    #expect(output.suffix(488).allSatisfy { $0 == 512 }, "from the next slice on")
  }

  /// Blocks of one length, if only preferred, are split by parameters that move within them.
  @Test func blocksThatAreOnlyLikedAreCutWhereAParameterMoves() throws {
    try build(
      "counts-frames", "lv2:hardRTCapable",
      "<http://lv2plug.in/ns/ext/buf-size#fixedBlockLength>")
    let (_, _, output) = try process("--preset", stepAtFrame300(), frameCount: 1024)
    #expect(output[..<256].allSatisfy { $0 == 256 })
    #expect(output[256..<300].allSatisfy { $0 == 44 })
    #expect(output[300..<512].allSatisfy { $0 == 2 * 212 })
    #expect(output[512...].allSatisfy { $0 == 512 })
  }

  /// Where a worker does file after file, memory is zero when a plug-in gets it.
  @Test(arguments: ["never-sets", "reads-heap", "reads-stack"], ["64", "1000"])
  func memoryThatIsNeverSetIsZero(name: String, slice: String) throws {
    try build(name)
    let noise = TestSignal.noise(seed: 7, amplitude: 0.25, frameCount: 5000)
    let files = ["a": noise, "b": Array(noise.reversed()), "c": noise]
    let results = try processSeveral(
      files, "--unit", "urn:auricle:test:\(name)", "--jobs", "1", "--frames-per-slice", slice)
    #expect(results == files)
  }
}
