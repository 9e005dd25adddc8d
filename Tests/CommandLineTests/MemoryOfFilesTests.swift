// No file affects the next one, for any state in units: the same bytes in one process, in four, and alone.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct MemoryOfFilesTests {
  let box: Sandbox
  let units: TemporaryFolder
  private static let count = 30

  init() throws {
    box = try Sandbox()
    units = try TemporaryFolder("auricle-remembering")
    try ComponentFixture.makeBundle("RememberingUnit", in: units)
    try box.folder.makeFolder("in")
    for index in 0..<Self.count {
      let noise = TestSignal.noise(
        seed: UInt64(index + 1), amplitude: 0.25, frameCount: 3000 + 100 * index)
      // Mono and stereo in turn, at three rates.
      let rate: Double = index % 5 == 0 ? 44_100 : index % 7 == 2 ? 22_050 : 48_000
      let sound = Sound(index % 3 == 0 ? [noise, noise] : [noise], sampleRate: rate)
      try sound.write(to: box("in/f\(index + 10).wav"))
    }
  }

  private func process(
    _ memory: String, _ arguments: String..., output: String
  ) throws -> ProcessResult {
    try runAuricle(
      [
        "process", "--unit", "aufx:gain:AuTe", "--tail", "none", "--format", "json", "--output",
        output,
      ]
        + arguments,
      environment: box.environment.merging([
        "AURICLE_COMPONENT_PATH": units.path, "AURICLE_TEST_MEMORY": memory,
      ]) { $1 }, in: box.folder.path)
  }

  private func data(_ folder: String) throws -> [Data] {
    try box.names(folder).map { try Data(contentsOf: URL(fileURLWithPath: box("\(folder)/\($0)"))) }
  }

  @Test(
    "no file contains sound of the one before",
    arguments: [
      ("static", "process"), ("instance", "reopen"), ("closed", "process"), ("first", "process"),
      ("wide static", "process"), ("narrow static", "process"), ("table", "process"),
      ("short static", "process"),
      ("filled", "reopen"), ("none", "reopen"),
    ])
  func noFileContainsTheOneBefore(memory: String, policy: String) throws {
    let one = try process(memory, "--jobs", "1", "in", output: "one")
    try #require(one.exitCode == 0, "\(one.summary)")
    let four = try process(memory, "--jobs", "4", "in", output: "four")
    try #require(four.exitCode == 0, "\(four.summary)")
    let expected = try data("one")
    #expect(expected.count == Self.count)
    #expect(try data("four") == expected, "four workers at once")
    for name in box.names("in").prefix(3) {
      let alone = try process(memory, "in/" + name, output: "alone")
      try #require(alone.exitCode == 0, "\(alone.summary)")
    }
    #expect(try data("alone") == Array(expected.prefix(3)), "each alone")

    // The finding is reported, recorded, and used when the run is resumed.
    let reported = try one.jsonLines.filter { $0["event"] as? String == "reuse" }
    let policies = Set(reported.compactMap { $0["policy"] as? String })
    #expect(policies.contains(policy), "\(policies)")
    #expect(reported.allSatisfy { $0["random"] as? Bool == false })
    let status = try #require(
      try box.run("status", "one", "--format", "json").json as? [String: Any])
    let noted = status["reuse"] as? [[String: Any]] ?? []
    func formats(_ lines: [[String: Any]]) -> Set<String> {
      Set(lines.map { "\($0["sampleRate"] ?? "") \($0["channels"] ?? "")" })
    }
    #expect(formats(noted) == formats(reported), "\(noted)")
    // Where nothing is left in memory one format speaks for all.
    if memory == "none" {
      #expect(reported.count == 1, "\(reported)")
      #expect(reported.first?["memory"] as? String == "unchanged")
    }
    if memory == "filled" || memory == "instance" {
      #expect(formats(reported).count > 1, "\(reported)")
      let left = memory == "filled" ? "initialized" : "changing"
      #expect(reported.allSatisfy { $0["memory"] as? String == left }, "\(reported)")
    }
    #expect(one.standardError.contains("a separate process") == (policy == "process"))
  }

  @Test("state that a unit keeps of long files alone is noticed, and sounds in no other file")
  func whatIsKeptLate() throws {
    try box.folder.makeFolder("long")
    for index in 0..<4 {
      let noise = TestSignal.noise(seed: UInt64(index + 1), amplitude: 0.25, frameCount: 240_000)
      try Sound([noise], sampleRate: 48_000).write(to: box("long/f\(index).wav"))
    }
    let one = try process("late static", "--jobs", "1", "long", output: "one")
    try #require(one.exitCode == 0, "\(one.summary)")
    for index in 0..<4 {
      let alone = try process("late static", "long/f\(index).wav", output: "alone")
      try #require(alone.exitCode == 0, "\(alone.summary)")
    }
    #expect(try data("one") == data("alone"))
    #expect(one.standardError.contains("a separate process"), "\(one.summary)")
  }

  @Test("chance in a unit costs no processes")
  func chanceCostsNoProcesses() throws {
    let result = try process("chance", "--jobs", "1", "in", output: "out")
    try #require(result.exitCode == 0, "\(result.summary)")
    let reported = try result.jsonLines.filter { $0["event"] as? String == "reuse" }
    let first = try #require(reported.first, "\(result.summary)")
    #expect(first["policy"] as? String == "reopen" && first["random"] as? Bool == true)
    #expect(result.standardError.contains("different in every process"), "\(result.summary)")
  }

  /// Whether verdicts were known before the first file was begun.
  private func knewVerdicts(_ result: ProcessResult) throws -> Bool {
    let events = try result.jsonLines.compactMap { $0["event"] as? String }
    return events.firstIndex(of: "reuse") ?? .max < events.firstIndex(of: "started") ?? .max
  }

  @Test(
    "a verdict is kept for the next run of a chain, where a worker sees whether it holds",
    arguments: [("none", true), ("filled", true), ("slow none", true), ("instance", false)])
  func verdictsAreKept(memory: String, areKept: Bool) throws {
    let first = try process(memory, "--jobs", "1", "in", output: "one")
    try #require(first.exitCode == 0, "\(first.summary)")
    #expect(try !knewVerdicts(first))
    let second = try process(memory, "--jobs", "1", "in", output: "two")
    try #require(second.exitCode == 0, "\(second.summary)")
    #expect(try knewVerdicts(second) == areKept, "\(second.summary)")
    #expect(try data("two") == data("one"))
    // Other rights and other lengths of slices are probed anew.
    let compatible = try process(
      memory, "--jobs", "1", "--sandbox", "compat", "in", output: "compat")
    #expect(try !knewVerdicts(compatible), "\(compatible.summary)")
    let short = try process(
      memory, "--jobs", "1", "--frames-per-slice", "512", "in", output: "short")
    #expect(try !knewVerdicts(short), "\(short.summary)")
    // So is a unit that was built anew.
    let binary = try #require(
      try FileManager.default.subpathsOfDirectory(atPath: units.path)
        .map { units.path + "/" + $0 }.first { path in
          FileManager.default.contents(atPath: path)?.starts(with: [0x7F, 0x45, 0x4C, 0x46]) == true
        })
    let handle = try #require(FileHandle(forWritingAtPath: binary))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([0]))
    try handle.close()
    let rebuilt = try process(memory, "--jobs", "1", "in", output: "rebuilt")
    #expect(rebuilt.exitCode == 0, "\(rebuilt.summary)")
    #expect(try !knewVerdicts(rebuilt), "\(rebuilt.summary)")
  }

  @Test("a verdict that does not hold is removed once a worker has seen that")
  func wrongVerdictsAreRemoved() throws {
    for (name, count, frameCount) in [("brief", 40, 3000), ("long", 4, 240_000)] {
      try box.folder.makeFolder(name)
      for index in 0..<count {
        let noise = TestSignal.noise(
          seed: UInt64(index + 1), amplitude: 0.25, frameCount: frameCount)
        try Sound([noise], sampleRate: 48_000).write(to: box("\(name)/f\(index).wav"))
      }
    }
    let short = try process("late static", "--jobs", "1", "brief", output: "short")
    try #require(short.exitCode == 0, "\(short.summary)")
    try #require(short.standardOutput.contains("\"reuse\""), "\(short.summary)")
    let long = try process("late static", "--jobs", "1", "long", output: "long-out")
    try #require(long.exitCode == 0, "\(long.summary)")
    #expect(try knewVerdicts(long), "\(long.summary)")
    for index in 0..<4 {
      let alone = try process("late static", "long/f\(index).wav", output: "alone")
      try #require(alone.exitCode == 0, "\(alone.summary)")
    }
    #expect(try data("long-out") == data("alone"))
    let again = try process("late static", "--jobs", "1", "long", output: "again")
    #expect(again.exitCode == 0, "\(again.summary)")
    #expect(try !knewVerdicts(again), "\(again.summary)")
    #expect(try data("again") == data("alone"))
  }
}
