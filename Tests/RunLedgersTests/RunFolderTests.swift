// Folders of runs: one process at a time, found by name or age, tidied without harm to others.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import HostSystem
import RunLedgers
import TestSupport
import Testing

@Suite struct RunFolderTests {
  @Test func aRunIsOneProcess() throws {
    let bench = try RunBench(fileCount: 1)
    _ = try bench.planned()
    #expect(bench.run.isInUse)
    let other = try RunFolder.find(in: bench.folder("out"))
    let error = #expect(throws: AuricleError.self) { try other.lock() }
    #expect(error?.category == .temporary)
    #expect(error?.message.contains("another auricle is at work") == true)
  }

  @Test func whoWantsTheOutputFolderAloneWaitsForNobody() throws {
    let bench = try RunBench(fileCount: 1)
    let error = #expect(throws: AuricleError.self) {
      try RunFolder.create(in: bench.folder("out"), isAlone: true)
    }
    #expect(error?.category == .temporary)
    // A run beside it is allowed.
    let beside = try RunFolder.create(in: bench.folder("out"))
    #expect(beside.run != bench.run.run)
  }

  @Test func theLockGoesWithItsOwner() throws {
    let folder = try TemporaryFolder("auricle-run")
    var run: RunFolder? = try RunFolder.create(in: folder("out"))
    let path = run?.path
    #expect(run?.isInUse == true)
    run = nil
    let next = try RunFolder.create(in: folder("out"), isAlone: true)
    #expect(next.path != path)
  }

  @Test func runsAreFoundInTheirOrder() throws {
    let bench = try RunBench(fileCount: 1)
    #expect(RunFolder.all(in: bench.folder("out")).isEmpty)
    _ = try bench.planned()
    let second = try RunFolder.create(in: bench.folder("out"))
    var manifest = bench.manifest
    manifest.run = second.run
    try second.write(manifest)
    #expect(RunFolder.all(in: bench.folder("out")).map(\.run) == [bench.run.run, second.run])
    #expect(try RunFolder.find(in: bench.folder("out")).run == second.run)
    #expect(try RunFolder.find(in: bench.folder("out"), run: bench.run.run).run == bench.run.run)
    for (place, run, category) in [
      ("out", "none", .noInput), ("nowhere", nil, .noInput), ("in", nil, .noInput),
    ] as [(String, String?, AuricleError.Category)] {
      let error = #expect(throws: AuricleError.self) {
        try RunFolder.find(in: bench.folder(place), run: run)
      }
      #expect(error?.category == category)
    }
  }

  @Test func aRunThatNeverBeganLeavesNothing() throws {
    let folder = try TemporaryFolder("auricle-run")
    try RunFolder.create(in: folder("new/out")).discard()
    #expect(!FileIdentity.exists(folder("new")))
    try folder.write("x", to: "full/mine.txt")
    try RunFolder.create(in: folder("full")).discard()
    #expect(folder.files == ["full/mine.txt"])
  }

  @Test func scratchIsEmptiedForEverySession() throws {
    let bench = try RunBench(fileCount: 1)
    let scratch = try bench.run.openScratch()
    #expect(unsafe mkdir(scratch + "/sub", 0o700) == 0)
    try write([1], to: scratch + "/sub/left")
    let again = try bench.run.openScratch()
    #expect(again == scratch && FolderListing.names(in: again).isEmpty)
    bench.run.closeScratch()
    #expect(!FileIdentity.exists(scratch))
  }

  @Test func aManifestIsWhollyThereOrNotAtAll() throws {
    let bench = try RunBench(fileCount: 1)
    let manifest = try bench.planned()
    let whole = bytes(of: bench.run.manifestPath)
    #expect(try bench.run.manifest().json == manifest.json)
    let text = String(decoding: whole, as: UTF8.self)
    let changed = text.replacing("chain", with: "Chain")
    for wrong in [Array(whole.dropLast(20)), Array(changed.utf8), [], Array("{}".utf8)] {
      try write(wrong, to: bench.run.manifestPath)
      let error = #expect(throws: AuricleError.self) { try bench.run.manifest() }
      #expect(error?.category == .badData)
      #expect(error?.message.contains("begin a new run") == true)
    }
  }
}
