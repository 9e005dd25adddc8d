// A program that imports AuricleHost: it runs a batch, watches it and reads its report.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AuricleHost
import FileTestSupport
import Foundation
import RunLedgers
import RunReports
import TestSupport
import Testing
import Workers

@Suite struct HostProgramTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder("auricle-host")
    try folder.makeFolder("in")
    for name in ["a", "b"] {
      let noise = TestSignal.noise(seed: 7, amplitude: 0.25, frameCount: 4800)
      try Sound([noise]).write(to: folder("in/\(name).wav"), encoding: .pcm16)
    }
  }

  /// Runs the program in the folder, and returns its lines.
  private func run(_ unit: String) throws -> [String] {
    let environment: [String: String?] = [
      "HOME": folder("home"), "XDG_CACHE_HOME": folder("cache"), "LV2_PATH": folder("lv2"),
      "AURICLE_COMPONENT_PATH": nil,
    ]
    let result = try runProcess(
      Places.builtProducts + "/run-a-batch", [unit, "in", "out"], environment: environment,
      in: folder.path)
    #expect(result.exitCode == 0 && result.standardError.isEmpty, "\(result.summary)")
    return result.standardOutput.split(whereSeparator: \.isNewline).map(String.init)
  }

  @Test func runsABatchAndReadsItsReport() throws {
    try folder.write("no sound", to: "in/c.wav")
    let lines = try run("aufx:lpas:appl")
    #expect(lines.first == "begins with 3 files")
    #expect(lines.contains("done in/a.wav") && lines.contains("failed in/c.wav"), "\(lines)")
    #expect(lines.contains("ended with 1") && lines.contains("finished: 2 of 3 done"), "\(lines)")
    #expect(lines.contains("1 because it is no audio file of a known kind"), "\(lines)")
    #expect(lines.contains("in/a.wav is below -3 dBFS: true"), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("0,done,in/a.wav,out/a.wav,") }, "\(lines)")
    #expect(FileManager.default.fileExists(atPath: folder("out/b.wav")))
  }

  @Test func aUnitThatIsNotThereIsRefused() throws {
    let lines = try run("aufx:none:Nobo")
    #expect(lines.contains { $0.contains("no component") }, "\(lines)")
    #expect(!FileManager.default.fileExists(atPath: folder("out/a.wav")))
  }

  /// Another program reads the run of the first one.
  @Test func aLedgerIsReadByAnyProgram() throws {
    _ = try run("aufx:lpas:appl")
    let run = try RecordedRun(in: folder("out"))
    #expect(run.stateName == "finished" && run.fileCount == 2)
    var outputs: [String] = []
    try run.forEachFile { _, record in outputs.append(record?.output ?? "") }
    #expect(outputs == [folder("out/a.wav"), folder("out/b.wav")])
    var page = ""
    try run.writeReport(as: .html) { page += $0 }
    #expect(page.hasPrefix("<!doctype html>") && page.hasSuffix("</html>\n"))
    #expect(!page.contains("{{"))
  }
}
