// Presets, files that they name and units that change while a run goes on: one run has one chain.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct ChangedMeanwhileTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try box.makeSounds(2)
  }

  private func writePreset(_ frequency: String) throws {
    try box.folder.write(
      "auricle: 1\nname: P\nunits: [{unit: aufx:lpas:appl, parameters: {cutoff frequency: "
        + "\(frequency)}}]\n", to: "p.yaml")
  }

  private func data(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: box(name)))
  }

  @Test func aPresetThatChangesBeforeTheFirstWorkerChangesNothing() throws {
    try writePreset("200 Hz")
    let words = ["process", "-q", "--preset", "p.yaml", "--jobs", "2", "--output"]
    try #require(try box.run(words + ["expected", "in"]).exitCode == 0)
    // The preset is read before the list, and workers start behind it.
    unsafe mkfifo(box("list"), 0o600)
    let child = try box.start(words + ["out", "--from-file", "list"])
    // Opens when the other end is open.
    let list = try #require(FileHandle(forWritingAtPath: box("list")))
    try writePreset("3 kHz")
    try list.write(contentsOf: Data("in\n".utf8))
    try list.close()
    let result = child.wait()
    #expect(result.exitCode == 0, "\(result.summary)")
    for name in ["0.wav", "1.wav"] {
      #expect(try data("out/\(name)") == data("expected/\(name)"), "\(name)")
    }
    let resumed = try box.run("process", "--resume", "out", "--preset", "p.yaml")
    #expect(resumed.exitCode == 65, "\(resumed.summary)")
    #expect(resumed.standardError.contains("another preset"), "\(resumed.summary)")
  }

  @Test func aMistakeInAPresetIsReportedWithItsPlace() throws {
    try box.folder.write(
      "auricle: 1\nname: P\nunits:\n  - unit: aufx:lpas:appl\n    parameters: {cutof: 3}\n",
      to: "p.yaml")
    let result = try box.run("process", "--preset", "p.yaml", "--output", "out", "in")
    #expect(result.exitCode == 65, "\(result.summary)")
    #expect(result.standardError.contains("p.yaml:5:18: error:"), "\(result.summary)")
  }

  /// Begins a run that lasts longer than any test, and waits until it is at its first file.
  private func startEndless(
    _ words: String..., environment: [String: String?] = [:]
  ) throws -> ChildProcess {
    let child = try ChildProcess(
      Places.auricle, ["process", "--tail", "86400", "--jobs", "1", "--output", "out"] + words,
      environment: box.environment.merging(environment) { $1 }, in: box.folder.path)
    try #require(box.waitForFirstResult(of: child, in: "out"), "\(child.standardError)")
    return child
  }

  /// The run ends by itself, with nothing done.
  private func expectEnd(_ child: ChildProcess, _ words: String) {
    let result = child.wait()
    #expect(result.exitCode == 65, "\(result.summary)")
    #expect(result.standardError.contains(words), "\(result.summary)")
    #expect(result.standardError.contains("--new-run --on-exists skip"), "\(result.summary)")
    #expect(box.names("out").isEmpty)
  }

  @Test(arguments: [false, true]) func aSideFileThatChangesStopsTheRun(isGone: Bool) throws {
    try Sound([TestSignal.noise(seed: 7, amplitude: 0.25, frameCount: 4000)])
      .write(to: box("side.wav"), encoding: .pcm16)
    try box.folder.write(
      """
      auricle: 1
      name: Ducked
      units:
        - unit: http://plugin.org.uk/swh-plugins/sc3
          sidechain: {file: side.wav, loop: true}
      """, to: "side.yaml")
    let child = try startEndless("--preset", "./side.yaml", "in")
    if isGone {
      unsafe unlink(box("side.wav"))
    } else {
      let bytes = try data("side.wav")
      try box.folder.write(bytes.dropLast(2) + Data([1, 2]), to: "side.wav")
    }
    let words = isGone ? "side.wav, which is not there any more" : "another content of the file"
    expectEnd(child, words)
  }

  @Test func aUnitThatIsInstalledAnewStopsTheRun() throws {
    let units = try TemporaryFolder("auricle-meanwhile-units")
    try ComponentFixture.makeGainUnit(in: units)
    let child = try startEndless(
      "--unit", "aufx:gain:AuTe", "in", environment: ["AURICLE_COMPONENT_PATH": units.path])
    let worker = try #require(child.workers.first, "no worker")
    let binary = "GainUnit.component/Contents/Linux/GainUnit"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: units(binary)))
    // Another file, as installers make it: the old one is in use.
    unsafe unlink(units(binary))
    try units.write(bytes + Data([0]), to: binary)
    kill(worker, SIGKILL)
    expectEnd(child, "changed on the disk")
  }
}
