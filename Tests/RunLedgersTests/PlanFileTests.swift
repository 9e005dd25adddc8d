// Plans on the disk: their lines, their totals, their checksum, and damage to them.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Foundation
import HostSystem
import RunLedgers
import TestSupport
import Testing

@Suite struct PlanFileTests {
  @Test func entriesReadBackAsTheyWere() throws {
    var entry = PlanEntry(index: 7, input: "in/\u{301} \"a\"\n.wav", output: "sub/a.wav")
    entry.others = ["sub/a.flac"]
    entry.variant = 2
    entry.key = "a.wav"
    entry.byteCount = 1 << 40
    entry.seconds = 0.10175
    entry.modified = 1_700_000_000_123_456_789
    entry.kept = [1]
    entry.isSkipped = true
    entry.error = AuricleError(.noInput, "there is no file")
    let line = try #require(entry.line)
    let json = try #require(CheckedLine.decode(line.dropLast()))
    #expect(PlanEntry(json: json) == entry)
  }

  @Test func aLineHasTheBytesThatEarlierPlansHave() throws {
    var entry = PlanEntry(index: 0, input: "/in/a.wav", output: "a.wav")
    entry.byteCount = 1644
    entry.seconds = 1.25
    entry.fields = .members([("text", "two\twords \"\\ü\u{7F}"), ("speaker", 7)])
    #expect(
      String(decoding: try #require(entry.line), as: UTF8.self)
        == #"{"i":0,"in":"/in/a.wav","out":"a.wav","bytes":1644,"seconds":1.25,"#
        + #""fields":{"text":"two\twords \"\\ü\u007f","speaker":7},"sum":"40d867d0c1f65ec5"}"#
        + "\n")
  }

  @Test func aPlanIsTheSameForTheSameFiles() throws {
    let bench = try RunBench(fileCount: 5)
    let manifest = try bench.planned()
    #expect(manifest.totals.fileCount == 5 && manifest.totals.byteCount == 35)
    let again = try bench.run.plan(manifest.planRequest(), outputRoot: bench.folder("out"))
    #expect(again.checksum == manifest.planChecksum && again.totals == manifest.totals)
    try bench.folder.write("another", to: "in/3.wav")
    try bench.folder.write("one more", to: "in/9.wav")
    let changed = try bench.run.plan(manifest.planRequest(), outputRoot: bench.folder("out"))
    #expect(changed.checksum != manifest.planChecksum && changed.totals.fileCount == 6)
  }

  @Test func aDamagedCutOrMissingPlanIsReported() throws {
    let bench = try RunBench(fileCount: 4)
    let manifest = try bench.planned()
    try bench.run.checkPlan(manifest)
    let whole = bytes(of: bench.run.planPath)
    var altered = whole
    altered[20] ^= 1
    for wrong in [altered, Array(whole.dropLast(9)), Array(whole.dropLast()), []] {
      try write(wrong, to: bench.run.planPath)
      let error = #expect(throws: AuricleError.self) { try bench.run.checkPlan(manifest) }
      #expect(error?.cause == .needsNewRun && error?.message.contains("was changed") == true)
    }
    try FileManager.default.removeItem(atPath: bench.run.planPath)
    let error = #expect(throws: AuricleError.self) { try bench.run.checkPlan(manifest) }
    #expect(error?.cause == .needsNewRun && error?.message.contains("is missing") == true)
  }

  @Test func anAlteredLineEndsTheJobs() throws {
    let bench = try RunBench(fileCount: 4)
    _ = try bench.planned()
    var plan = bytes(of: bench.run.planPath)
    let second = try #require(plan.firstIndex(of: 0x0A)) + 12
    plan[second] ^= 1
    try write(plan, to: bench.run.planPath)
    var jobs = try bench.run.jobs()
    #expect(try jobs.next()?.index == 0)
    let error = #expect(throws: AuricleError.self) { try jobs.next() }
    #expect(error?.category == .badData)
  }

  @Test func settledFilesArePassedOver() throws {
    let bench = try RunBench(fileCount: 5)
    _ = try bench.planned()
    var jobs = try bench.run.jobs(isSettled: { [0, 3].contains($0) })
    var left: [Int] = []
    while let entry = try jobs.next() { left.append(entry.index) }
    #expect(left == [1, 2, 4])
  }

  @Test func reportsNoticeAPlanThatIsTooShort() throws {
    let bench = try RunBench(fileCount: 3)
    _ = try bench.planned()
    let plan = bytes(of: bench.run.planPath)
    try write(Array(plan.dropLast(4)), to: bench.run.planPath)
    let records = try RunRecords(bench.run, fileCount: 3)
    var count = 0
    let error = #expect(throws: AuricleError.self) {
      try records.forEach { (_) throws(AuricleError) in count += 1 }
    }
    #expect(error?.category == .badData && count == 2)
  }
}
