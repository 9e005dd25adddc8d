// Watched folders: files come once they have settled, once each, and a run goes on where it was.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Foundation
import Glibc
import HostSystem
import ResultSettings
import RunLedgers
import TestSupport
import Testing

/// A run that watches `in` and writes into `out`.
private final class WatchBench {
  let folder: TemporaryFolder
  let run: RunFolder
  var manifest: RunManifest
  var source: WatchSource?

  init(polls: Bool = false, existing: ExistingPolicy = .error) throws {
    folder = try TemporaryFolder("auricle-watch")
    try folder.makeFolder("in")
    run = try RunFolder.create(in: folder("out"))
    manifest = RunManifest(
      run: run.run, tool: "1.0", workingFolder: folder.path, presetName: "voice", preset: "{}",
      settings: .init(), inputs: [folder("in")])
    manifest.output = folder("out")
    manifest.existing = existing
    var watch = WatchRequest(folder: folder("in"))
    watch.settle = 0.1
    watch.polls = polls
    manifest.watch = watch
  }

  /// Begins to watch, or goes on with it as another process would.
  func begin() throws {
    source = nil
    try run.write(manifest)
    let fileCount = try run.manifest().totals.fileCount
    let state = try RunState(run, fileCount: fileCount)
    source = try WatchSource(
      run, manifest, root: folder("out"), state: state, isStopping: { false })
  }

  /// Waits for the next file, as long as a busy machine needs.
  func next() throws -> PlanEntry? {
    var entry: PlanEntry?
    _ = try OtherPrograms.wait {
      entry = try source?.next()
      return entry != nil
    }
    return entry
  }

  /// The names of the next files.
  func names(_ count: Int) throws -> [String] {
    try (0..<count).compactMap { _ in try next().map { Path.lastComponent($0.input) } }
  }

  /// Whether nothing comes before another file does, which is put there to find that out.
  func isQuiet() throws -> Bool {
    let marker = "marker-\(UUID().uuidString).wav"
    try folder.write("x", to: "in/\(marker)")
    return try names(1) == [marker]
  }

  func forget(_ entry: PlanEntry) throws -> Bool {
    try source?.forgets(entry, now: FileStamp(path: entry.input)) ?? false
  }
}

@Suite struct WatchSourceTests {
  @Test(arguments: [false, true])
  func filesComeOnceEach(polls: Bool) throws {
    let bench = try WatchBench(polls: polls)
    try bench.folder.write("x", to: "in/there.wav")
    try bench.folder.write("x", to: "in/notes.txt")
    try bench.begin()
    #expect(bench.source?.isNotified == !polls)
    #expect(try bench.names(1) == ["there.wav"])
    try bench.folder.write("x", to: "in/sub/deep/new.wav")
    let entry = try #require(try bench.next())
    #expect(entry.output == "sub/deep/new.wav" && entry.index == 1 && entry.byteCount == 1)
    #expect(try bench.isQuiet())
  }

  @Test func aFileThatIsBeingWrittenIsWaitedFor() throws {
    let bench = try WatchBench()
    try bench.begin()
    let path = bench.folder("in/growing.wav")
    let file = try FileDescriptor(opening: path, O_WRONLY | O_CREAT)
    #expect(FileTransfer.writeAll([1, 2, 3], to: file.number) == 0)
    // Much later files come first as long as it is open.
    #expect(try bench.isQuiet())
    #expect(FileTransfer.writeAll([4, 5, 6], to: file.number) == 0)
    #expect(try bench.isQuiet())
    _ = consume file
    #expect(try bench.next()?.byteCount == 6)
  }

  @Test func aFileIsProcessedUnderItsLastName() throws {
    let bench = try WatchBench()
    try bench.begin()
    try bench.folder.write("x", to: "in/.copying.wav")
    try bench.folder.write("x", to: "in/gone.wav")
    #expect(try bench.source?.next() == nil)
    try FileManager.default.moveItem(
      atPath: bench.folder("in/.copying.wav"), toPath: bench.folder("in/done.wav"))
    try removeFile(bench.folder("in/gone.wav"))
    #expect(try bench.names(1) == ["done.wav"])
    #expect(try bench.isQuiet())
  }

  @Test func aFolderThatIsMovedInIsSearched() throws {
    let bench = try WatchBench()
    try bench.begin()
    #expect(try bench.source?.next() == nil)
    try bench.folder.write("x", to: "new/a.wav")
    try bench.folder.write("x", to: "new/sub/b.wav")
    try FileManager.default.moveItem(
      atPath: bench.folder("new"), toPath: bench.folder("in/new"))
    #expect(try bench.names(2) == ["a.wav", "b.wav"])
  }

  @Test func aFileThatChangedIsDoneAgainAsItIsNow() throws {
    let bench = try WatchBench(existing: .overwrite)
    try bench.folder.write("x", to: "in/a.wav")
    try bench.begin()
    let first = try #require(try bench.next())
    #expect(try !bench.forget(first))
    try bench.folder.write("xyz", to: "in/a.wav")
    #expect(try bench.forget(first))
    let second = try #require(try bench.next())
    #expect(second.input == first.input && second.index == 1 && second.byteCount == 3)
    #expect(second.error == nil && second.output == "a.wav")
    #expect(bench.source?.fileCount == 2 && bench.source?.forgottenCount == 1)
  }

  @Test func aFileThatIsRemovedAndComesBackIsDoneThen() throws {
    let bench = try WatchBench()
    try bench.folder.write("x", to: "in/a.wav")
    try bench.begin()
    let entry = try #require(try bench.next())
    try removeFile(entry.input)
    #expect(try bench.forget(entry))
    #expect(try bench.isQuiet())
    try bench.folder.write("x", to: "in/a.wav")
    #expect(try bench.names(1) == ["a.wav"])
  }

  @Test func anotherSessionGoesOnWithWhatIsLeft() throws {
    let bench = try WatchBench()
    for name in ["a", "b", "c"] { try bench.folder.write("x", to: "in/\(name).wav") }
    try bench.begin()
    #expect(try bench.names(3).sorted() == ["a.wav", "b.wav", "c.wav"])
    var jobs = try bench.run.jobs()
    let done = try #require(try jobs.next())
    let writer = try bench.run.beginLedger().writer
    let record = FileRecord(
      index: done.index, status: .failed, input: done.input, output: done.output)
    #expect(writer.append([LedgerLine.file(record)]) == 0)
    // A torn line at the plan's end is cut off: that file is found again.
    let plan = bytes(of: bench.run.planPath)
    try write(Array(plan.dropLast(5)), to: bench.run.planPath)
    try bench.begin()
    #expect(bench.source?.fileCount == 2)
    let left = try bench.names(2)
    #expect(left.count == 2 && !left.contains(Path.lastComponent(done.input)))
    #expect(Set(left).count == 2)
    #expect(try bench.isQuiet())
    #expect(bytes(of: bench.run.planPath).starts(with: plan))
  }

  @Test func aPlanThatIsDamagedInItsMiddleIsReported() throws {
    let bench = try WatchBench()
    for name in ["a", "b", "c"] { try bench.folder.write("x", to: "in/\(name).wav") }
    try bench.begin()
    _ = try bench.names(3)
    var plan = bytes(of: bench.run.planPath)
    plan[12] ^= 1
    try write(plan, to: bench.run.planPath)
    let error = #expect(throws: AuricleError.self) { try bench.begin() }
    #expect(error?.cause == .needsNewRun && error?.message.contains("line 1") == true)
  }

  @Test func twoFilesForOneResultAreDistinguishedOrReported() throws {
    for existing in [ExistingPolicy.error, .rename] {
      let bench = try WatchBench(existing: existing)
      bench.manifest.template = "{stem}.{ext}"
      try bench.folder.write("x", to: "in/one/a.wav")
      try bench.folder.write("x", to: "in/two/a.wav")
      try bench.begin()
      let entries = [try bench.next(), try bench.next()].compactMap { $0 }
      #expect(entries.first?.output == "a.wav")
      if existing == .rename {
        #expect(entries.last?.output == "a (2).wav" && entries.last?.error == nil)
      } else {
        #expect(entries.last?.error?.message.contains("one/a.wav is: rename it") == true)
      }
    }
  }

  @Test func deadLinksAreReportedOnce() throws {
    let bench = try WatchBench()
    try FileManager.default.createSymbolicLink(
      atPath: bench.folder("in/gone.wav"), withDestinationPath: "nowhere")
    try bench.begin()
    #expect(try bench.next()?.error?.category == .noInput)
    #expect(try bench.isQuiet())
    // Another session finds in the plan, not yet done: the link, and the file after it.
    try bench.begin()
    #expect(try bench.next()?.error != nil)
    #expect(try bench.next()?.error == nil)
    #expect(try bench.isQuiet())
  }

  @Test func theWatchedFolderMustNotGo() throws {
    let bench = try WatchBench(polls: true)
    try bench.begin()
    #expect(try bench.source?.next() == nil)
    try removeFile(bench.folder("in"))
    let error = #expect(throws: AuricleError.self) { try bench.next() }
    #expect(error?.category == .temporary && error?.message.contains("no longer exists") == true)
  }

  @Test func changesThatTheSystemOmitsAreFoundByPolling() throws {
    let bench = try WatchBench()
    try bench.begin()
    #expect(try bench.source?.next() == nil)
    // More than the capacity of the notice queue, sent while no reader is active.
    let text = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
    let most = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    guard most <= 1 << 17 else { return }
    let (first, second) = (bench.folder("in/x.txt"), bench.folder("in/y.txt"))
    try bench.folder.write("x", to: "in/x.txt")
    for number in 0...most {
      // Each rename is one notice of an entry that came, under a name unlike the last.
      #expect(
        unsafe rename(number % 2 == 0 ? first : second, number % 2 == 0 ? second : first) == 0)
    }
    try bench.folder.write("x", to: "in/late.wav")
    #expect(try bench.names(1) == ["late.wav"])
  }
}
