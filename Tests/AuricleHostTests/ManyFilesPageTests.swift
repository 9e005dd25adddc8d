// The page of very many files in a browser: whole at both widths, light and dark; in time where that is asked.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import FileRendering
import Foundation
import HostSystem
import ResultSettings
import RunLedgers
import RunReports
import TestSupport
import Testing

@Suite struct ManyFilesPageTests {
  private static let browser = [
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
  ].first { FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0) }

  /// The seconds of the processor that are allowed, as `make check WHAT=page` asks; nil for any number.
  private static let seconds = ProcessInfo.processInfo.environment["AURICLE_PAGE_SECONDS"]

  /// Debug builds need a minute for the work of seconds in others.
  private static let fileCount = Places.builtProducts.contains("debug") ? 5000 : 100_000
  private static let failedCount = fileCount / 100

  /// Writes the page of a run that never ran: only its ledger matters here.
  private func writePage(_ path: String, in folder: TemporaryFolder) throws {
    let run = try RunFolder.create(in: folder("out"))
    var settings = JobSettings()
    settings.deliverables[0].loudness = -16
    settings.deliverables[0].truePeak = -1
    var manifest = RunManifest(
      run: run.run, tool: "1.0", workingFolder: folder.path, presetName: "voice",
      preset: #"{"units":[{"unit":"aufx:hpas:appl","parameters":{"cutoff frequency":"80 Hz"}}]}"#,
      settings: settings, inputs: ["in"])
    manifest.output = folder("out")
    manifest.totals.fileCount = Self.fileCount
    manifest.planChecksum = 1
    try run.write(manifest)
    var plan: [UInt8] = []
    let ledger = try LedgerWriter(path: run.path + "/ledger-1.jsonl")
    for index in 0..<Self.fileCount {
      let name = "\(index / 1000)/talk \(index).wav"
      let entry = PlanEntry(index: index, input: "in/" + name, output: name)
      plan += try #require(entry.line)
      let record = record(entry, output: folder("out/" + name))
      var lines = [LedgerLine.file(record)]
      if record.status == .done { lines.append(LedgerLine.kept(index)) }
      try #require(ledger.append(lines) == 0)
    }
    try Data(plan).write(to: URL(fileURLWithPath: run.planPath))
    let state = try RunState(run, fileCount: Self.fileCount)
    #expect(state.tally.failedCount == Self.failedCount)
    try RunReport.write(run, manifest, state, root: folder("out"), to: path)
  }

  /// Every hundredth file failed; loudness is spread.
  private func record(_ entry: PlanEntry, output: String) -> FileRecord {
    let failed = entry.index % 100 == 99
    var record = FileRecord(
      index: entry.index, status: failed ? .failed : .done, input: entry.input, output: output)
    record.inputByteCount = 1_000_000
    guard !failed else {
      record.error = AuricleError(.badData, "\(entry.input) is damaged: it is cut short")
      record.origin = .input
      return record
    }
    let format = AudioFileFormat(
      container: .wav, encoding: .pcm16, sampleRate: 48_000, channelCount: 2)
    var result = FileResult(
      input: entry.input, output: output, inputFormat: format, outputFormat: format,
      inputFrameCount: 480_000 + entry.index, outputFrameCount: 480_000 + entry.index)
    let loudness = -40 + Double(entry.index * 7 % 200) / 10
    result.before = Levels(peakDecibels: loudness + 15, rmsDecibels: loudness)
    result.after = Levels(peakDecibels: -1, rmsDecibels: -18)
    result.loudnessBefore = LoudnessFigures(
      integrated: loudness, range: 6, truePeak: loudness + 15)
    result.loudnessAfter = LoudnessFigures(integrated: -16, range: 6, truePeak: -1)
    result.levelChange = LevelChange(gain: -16 - loudness, reduction: 2.5)
    record.result = result
    record.stored = StoredFile(byteCount: 2_000_000, checksum: UInt64(entry.index))
    return record
  }

  @Test(
    .enabled(
      if: browser != nil,
      "no Chromium is installed: make check WHAT=page installs one and opens the page in it"))
  func aPageOfManyFilesOpensInTime() throws {
    let folder = try TemporaryFolder("auricle-page")
    try writePage(folder("page.html"), in: folder)
    let result = try runProcess(
      Places.inPackage("Scripts/check-page"),
      [
        folder("page.html"), "--files", "\(Self.fileCount)", "--failed", "\(Self.failedCount)",
      ] + (Self.seconds.map { ["--seconds", $0] } ?? []), environment: ["TMPDIR": folder.path])
    #expect(result.exitCode == 0, "\(result.summary)")
    print(result.standardOutput)
  }
}
