// The configuration file: its defaults, the settings that override it, and its mistakes.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct ConfigTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try Sound([TestSignal.noise(seed: 5, amplitude: 0.05, frameCount: 96_000)]).write(
      to: box("a.wav"))
  }

  private func configure(_ text: String) throws {
    try box.folder.makeFolder("config/auricle")
    try box.folder.write(text, to: "config/auricle/config.yaml")
  }

  private func run(_ arguments: String..., variables: [String: String] = [:]) throws
    -> ProcessResult
  {
    let environment = box.environment.filter { $0.key != "AURICLE_DEVICE" && $0.key != "NO_COLOR" }
    return try runAuricle(
      arguments,
      environment: environment.merging(["XDG_CONFIG_HOME": box("config")]) { $1 }
        .merging(variables) { $1 },
      in: box.folder.path)
  }

  private func loudness(_ path: String) throws -> Double {
    let result = try run("measure", "--format", "json", path)
    let found = try #require((try result.json as? [[String: Any]])?.first)
    return try #require(found["integratedLoudness"] as? Double)
  }

  @Test func optionsAreFilledIn() throws {
    try configure("# defaults\nloudness: -20\njobs: 2\n")
    let result = try run("process", "--output", "out", "a.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(abs(try loudness("out/a.wav") + 20) < 0.1)
  }

  @Test func anOptionCountsBeforeTheFile() throws {
    try configure("loudness: -20\n")
    #expect(try run("process", "--loudness", "-30", "--output", "out", "a.wav").exitCode == 0)
    #expect(abs(try loudness("out/a.wav") + 30) < 0.1)
  }

  @Test func theFileIsIgnoredOnDemand() throws {
    try configure("loudness: -20\n")
    for arguments in [
      ["--no-config", "process", "--output", "out", "a.wav"],
      ["process", "--output", "out", "a.wav", "--no-config"],
    ] {
      let result = try runAuricle(
        arguments, environment: box.environment.merging(["XDG_CONFIG_HOME": box("config")]) { $1 },
        in: box.folder.path)
      #expect(result.exitCode == 64, "\(result.summary)")
    }
  }

  @Test func aRunThatGoesOnHasTheValuesOfItsPlan() throws {
    #expect(try run("process", "--loudness", "-30", "--output", "out", "a.wav").exitCode == 0)
    try configure("loudness: -20\npreset: telephone\n")
    let result = try run("process", "--resume", "out")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(abs(try loudness("out/a.wav") + 30) < 0.1)
  }

  @Test func thePresetIsThatOfTheFile() throws {
    try configure("preset: telephone\n")
    #expect(try run("process", "--output", "out", "a.wav").exitCode == 0)
    #expect(try run("process", "--preset", "telephone", "--output", "two", "a.wav").exitCode == 0)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: box("out/a.wav")))
        == Data(contentsOf: URL(fileURLWithPath: box("two/a.wav"))))
    let status = try run("status", "out", "--format", "json")
    #expect(status.standardOutput.contains("telephone"), "\(status.summary)")
  }

  @Test func originsAreShown() throws {
    try configure("jobs: 3\ndevice: hw:9\n")
    let shown = try run("config", "--show", variables: ["AURICLE_DEVICE": "file:x.wav"])
    #expect(shown.exitCode == 0, "\(shown.summary)")
    let path = box("config/auricle/config.yaml")
    #expect(shown.lines.contains { $0.hasPrefix("jobs") && $0.hasSuffix("\(path):1") })
    #expect(
      shown.lines.contains { $0.hasPrefix("device") && $0.contains("file:x.wav  AURICLE_DEVICE") })
    #expect(shown.lines.contains { $0.hasPrefix("loudness") && $0.hasSuffix("default") })
    let json = try run("config", "--format", "json")
    let document = try #require(try json.json as? [String: Any])
    #expect(document["path"] as? String == path)
    #expect((document["settings"] as? [[String: Any]])?.count == 5)
  }

  @Test(arguments: [
    ("jobs: 0", "1:7: error: jobs takes a whole number from 1 to 1024, not '0'"),
    ("joobs: 2", "1:1: error: there is no setting 'joobs'; did you mean 'jobs'?"),
    ("loudness: loud", "loudness takes LUFS from -70 to 0"),
    ("colours: blue", "colours takes true or false"), ("- a", "a mapping of names to values"),
    ("jobs: [1]", "'jobs' takes one value, not a list"), ("jobs: 1\njobs: 2", "jobs"),
    ("preset: ''", "preset takes a name"),
  ]) func mistakesAreNamed(text: String, message: String) throws {
    try configure(text)
    let result = try run("process", "--output", "out", "a.wav")
    #expect(result.exitCode == 65, "\(result.summary)")
    #expect(result.standardError.contains(message), "\(result.summary)")
    #expect(try run("process", "--help").exitCode == 0)
  }

  @Test func aFileWithMistakesStopsNothingThatDoesWithoutIt() throws {
    #expect(try run("process", "--loudness", "-30", "--output", "out", "a.wav").exitCode == 0)
    try configure("joobs: 2\n")
    for arguments in [
      ["list"], ["measure", "a.wav"], ["status", "out"], ["process", "--resume", "out"],
    ] {
      let result = try runAuricle(
        arguments, environment: box.environment.merging(["XDG_CONFIG_HOME": box("config")]) { $1 },
        in: box.folder.path)
      #expect(result.exitCode == 0, "\(result.summary)")
    }
  }

  @Test func anOptionOfTheFileIsNamedInAFault() throws {
    try configure("preset: nowhere\n")
    let result = try run("process", "--output", "out", "a.wav")
    #expect(result.exitCode == 66, "\(result.summary)")
    #expect(
      result.standardError.hasPrefix(
        "note: --preset=nowhere is from \(box("config/auricle/config.yaml")), which --no-config ignores\n"
      ), "\(result.summary)")
  }

  @Test func aDeviceOfTheFileIsNamedInAFault() throws {
    try configure("device: nowhere\n")
    let note = "note: the device nowhere is from \(box("config/auricle/config.yaml")), which"
    let result = try run("play", "a.wav")
    #expect(result.exitCode == 69 && result.standardError.hasPrefix(note), "\(result.summary)")
    let typed = try run("play", "a.wav", "--device", "nowhere.too")
    #expect(typed.exitCode == 69 && !typed.standardError.contains("note:"), "\(typed.summary)")
    let other = try run("play", "b.wav")
    #expect(other.exitCode == 66 && !other.standardError.contains("note:"), "\(other.summary)")
  }

  @Test func anEmptyFileIsNone() throws {
    for text in ["", "# nothing\n"] {
      try configure(text)
      #expect(
        try run("process", "--loudness", "-20", "--overwrite", "--output", "out", "a.wav").exitCode
          == 0)
    }
  }
}
