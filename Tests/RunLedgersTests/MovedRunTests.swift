// Runs whose folder was moved, whose inputs changed, or that left unfinished files behind.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import FileRendering
import Foundation
import HostSystem
import RunLedgers
import TestSupport
import Testing

@Suite struct MovedRunTests {
  @Test func announcedResultsAreFoundInAMovedFolder() throws {
    let bench = try RunBench(fileCount: 2)
    let manifest = try bench.planned()
    // One session announced under the folder's first name, one under its second.
    let first = try bench.run.beginLedger().writer
    #expect(try first.append([LedgerLine.file(bench.record(0, .done))]) == 0)
    var stray = try bench.record(1, .done)
    stray.output = "/second/1.wav"
    stray.result?.output = stray.output
    #expect(first.append([LedgerLine.file(stray)]) == 0)
    try FileManager.default.moveItem(atPath: bench.folder("out"), toPath: bench.folder("third"))
    let run = try RunFolder.find(in: bench.folder("third"))
    var state = try RunState(run, fileCount: 2)
    let locate = try state.locator(manifest, of: run, in: bench.folder("third"))
    #expect(locate(bench.folder("out/0.wav")) == bench.folder("third/0.wav"))
    #expect(locate("/second/1.wav") == bench.folder("third/1.wav"))
    let found = try state.confirm(in: try run.beginLedger(), locate: locate)
    #expect(found.map(\.index) == [0, 1])
  }

  @Test func recordsFollowThePlanToWhereTheFolderIs() throws {
    let bench = try RunBench(fileCount: 1)
    let manifest = bench.manifest
    let entry = PlanEntry(index: 0, input: "in/0.wav", output: "0.wav")
    var record = try bench.record(0, .done)
    record.kept = [record.output]
    let now = manifest.located(record, as: entry, in: "/moved")
    #expect(now.output == "/moved/0.wav" && now.result?.output == "/moved/0.wav")
    #expect(now.kept == ["/moved/0.wav"])
    #expect(manifest.located(entry, in: "/moved").output == "/moved/0.wav")
  }

  @Test func inputsThatChangedAfterTheyWereDoneAreNamed() throws {
    let bench = try RunBench(fileCount: 6)
    _ = try bench.planned()
    let writer = try bench.run.beginLedger().writer
    #expect(try writer.append((0..<5).map { try LedgerLine.file(bench.record($0, .failed)) }) == 0)
    #expect(try ChangedInputs(bench.run, bench.state(fileCount: 6)).sentence == nil)
    for index in [0, 1, 2, 3, 5] {
      try bench.folder.write("longer than before", to: "in/\(index).wav")
    }
    // One that is gone is nobody's business, one that is not done yet neither.
    try removeFile(bench.folder("in/3.wav"))
    var changed = try ChangedInputs(bench.run, bench.state(fileCount: 6))
    #expect(changed.count == 3)
    #expect(changed.examples == (0..<3).map { bench.folder("in/\($0).wav") })
    #expect(changed.sentence?.hasPrefix("3 inputs were changed after") == true)
    // One that was noted as another when it was read is compared with that.
    let stamp = try #require(FileStamp(path: bench.folder("in/0.wav")))
    #expect(
      writer.append([
        [
          .init("t", "input"), .init("index", 0), .init("bytes", JSONValue(stamp.byteCount)),
          .init("modified", .integer(stamp.modified)),
        ]
      ]) == 0)
    changed = try ChangedInputs(bench.run, bench.state(fileCount: 6))
    #expect(changed.count == 2)
  }

  @Test func leftoversOfARunThatWasKilledAreRemovedAndNothingElse() throws {
    let bench = try RunBench(fileCount: 2)
    _ = try bench.planned()
    try bench.folder.makeFolder("out")
    let output = try #require(OpenFolder(opening: bench.folder("out")))
    let names = ["0.wav", "1.wav"].map { PartFile.name(of: $0, run: bench.run.run, in: output) }
    for name in names { try bench.folder.write("half", to: "out/\(name)") }
    try bench.folder.write("mine", to: "out/.0.wav.part")
    _ = try bench.run.openScratch()
    // While a process is at work on it, nothing of it is touched.
    let next = try RunFolder.create(in: bench.folder("out"))
    next.removeLeftoversOfOthers()
    #expect(names.allSatisfy { FileIdentity.exists(bench.folder("out/\($0)")) })
    // The lock goes with the process: here with its file.
    try removeFile(bench.run.path + "/lock")
    next.removeLeftoversOfOthers()
    #expect(names.allSatisfy { !FileIdentity.exists(bench.folder("out/\($0)")) })
    #expect(FileIdentity.exists(bench.folder("out/.0.wav.part")))
    #expect(!FileIdentity.exists(bench.run.path + "/scratch"))
  }
}
