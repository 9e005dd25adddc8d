// Watched folders: files that grow, come by rename, go away; kills and restarts.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct WatchTests: WatchTesting {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try box.folder.makeFolder("in")
  }

  private func start(_ more: String..., environment: [String: String?]? = nil) throws
    -> ChildProcess
  {
    try ChildProcess(
      Places.auricle,
      [
        "watch", "in", "--unit", "aufx:lpas:appl", "--output", "out", "--settle", "0.5", "--jobs",
        "2",
      ] + more, environment: environment ?? box.environment, in: box.folder.path)
  }

  private func results(_ folder: String = "out") throws -> [String] {
    try TemporaryNames.below(box(folder)).filter { !$0.hasSuffix(".part") }
  }

  private func report() throws -> [[String: Any]] {
    let json = try #require(
      box.run("report", "out", "--format", "json").json as? [String: Any])
    return try #require(json["records"] as? [[String: Any]])
  }

  @Test(arguments: [false, true]) func acceptsWhatIsThereAndWhatComes(polls: Bool) throws {
    try makeSound("in/a.wav")
    try box.folder.makeFolder("in/deep")
    try makeSound("in/deep/b.wav", seed: 2)
    try makeSound("in/.hidden.wav")
    try box.folder.write("text", to: "in/readme.txt")
    let child = try polls ? start("--poll") : start()
    try wait(child, "the first two") { (try? results().count) == 2 }
    // New folders in new folders, files renamed into place, files that go away.
    try box.folder.makeFolder("in/new/newer")
    try makeSound("in/new/newer/c.wav", seed: 3)
    try makeSound("in/d.wav.tmp", seed: 4)
    unsafe rename(box("in/d.wav.tmp"), box("in/d.wav"))
    // A link to a folder that was filled before.
    try box.folder.makeFolder("other")
    try makeSound("other/e.wav", seed: 6)
    try #require(unsafe symlink(box("other"), box("in/link")) == 0)
    // Open for writing until it is gone: however slow the machine is, it has not settled before.
    try makeSound("in/gone.wav.tmp", seed: 5)
    let writing = try #require(FileHandle(forWritingAtPath: box("in/gone.wav.tmp")))
    unsafe rename(box("in/gone.wav.tmp"), box("in/gone.wav"))
    unsafe unlink(box("in/gone.wav"))
    try writing.close()
    try box.folder.write("no sound", to: "in/bad.wav")
    try wait(child, "the others") {
      (try? results()) == ["a.wav", "d.wav", "deep/b.wav", "link/e.wav", "new/newer/c.wav"]
        && child.standardError.contains("bad.wav is no audio file")
    }
    let status = try box.run("status", "out").standardOutput
    #expect(status.contains("watching since"), "\(status)")
    let result = try end(child)
    #expect(result.exitCode == 1, "a file failed: \(result.summary)")
    let records = try report()
    #expect(records.count == 6, "\(records)")
    #expect(records.count { $0["status"] as? String == "failed" } == 1)
    #expect(try box.run("verify", "out").exitCode == 0)
  }

  @Test func nothingIsDoneTwiceOrLostAfterKills() throws {
    for number in 0..<30 { try makeSound("in/\(number).wav", seed: UInt64(number + 1)) }
    // A few results are whole each time; thirty are enough for all rounds.
    let places = [
      KillPlace("renameat2", 4), KillPlace("renameat2", 3, after: true), KillPlace("fdatasync", 6),
      KillPlace("fsync", 9, after: true), KillPlace("pwrite", 5), KillPlace("renameat2", 2),
    ]
    for (round, place) in places.enumerated() {
      let child = try start(environment: place.environment("watch", box))
      try makeSound("in/round\(round).wav", seed: UInt64(100 + round))
      let killed = child.wait()
      #expect(killed.signal == SIGKILL, "\(place): \(killed.summary)")
    }
    let child = try start()
    try wait(child, "all") { (try? results().count) == 36 }
    let result = try end(child, signal: SIGINT)
    #expect(result.exitCode == 0, "\(result.summary)")
    let records = try report()
    #expect(records.count == 36)
    #expect(records.allSatisfy { $0["status"] as? String == "done" }, "\(records)")
    let inputs = records.compactMap { ($0["input"] as? [String: Any])?["path"] as? String }
    #expect(Set(inputs).count == 36)
    #expect(try box.run("verify", "out").exitCode == 0)
    // Once more: there is nothing to do.
    let again = try start("--format", "json")
    // The only file that is done is one that comes after all that may have been left.
    try makeSound("in/marker.wav", seed: 200)
    try wait(again, "the marker's result") { (try? results().contains("marker.wav")) == true }
    let idle = try end(again)
    #expect(idle.exitCode == 0, "\(idle.summary)")
    #expect(try idle.fileLines.count == 1, "\(idle.summary)")
  }

  @Test func aFolderThatIsEmptyByNowIsWatchedOn() throws {
    try makeSound("in/a.wav")
    let first = try start()
    try wait(first, "the first") { (try? results()) == ["a.wav"] }
    try wait(first, "its record") { (try? report().first?["status"] as? String) == "done" }
    kill(first.id, SIGKILL)
    _ = first.wait()
    // As if it had been cut off before, and the file was removed meanwhile.
    let runs = try FileManager.default.contentsOfDirectory(atPath: box("out/.auricle"))
    for path in ["out/a.wav", "out/.auricle/\(runs[0])/ledger-1.jsonl"] {
      try FileManager.default.removeItem(atPath: box(path))
    }
    unsafe rename(box("in/a.wav"), box("a.wav"))
    let second = try start()
    try makeSound("in/b.wav", seed: 2)
    try wait(second, "the second") { (try? results()) == ["b.wav"] }
    // Put back as it was.
    unsafe rename(box("a.wav"), box("in/a.wav"))
    try wait(second, "the first") { (try? results()) == ["a.wav", "b.wav"] }
    let result = try end(second)
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  @Test func aFileThatChangesIsDoneAgain() throws {
    try makeSound("in/a.wav", frames: 8000)
    let child = try start("--on-exists", "overwrite")
    try wait(child, "the first") { (try? results()) == ["a.wav"] }
    let first = try Data(contentsOf: URL(fileURLWithPath: box("out/a.wav")))
    try makeSound("in/a.wav", seed: 9, frames: 16_000)
    try wait(child, "the second") {
      (try? Data(contentsOf: URL(fileURLWithPath: box("out/a.wav")))) != first
    }
    #expect(try end(child).exitCode == 0)
    #expect(try report().count == 2)
    // The first result was replaced as it should be.
    let verify = try box.run("verify", "out")
    #expect(verify.exitCode == 0, "\(verify.summary)")
    #expect(verify.standardError.contains("1 result is as written"), "\(verify.summary)")
    try box.folder.write("no sound", to: "out/a.wav")
    #expect(try box.run("verify", "out").exitCode == 1)
  }

  @Test func whatIsInTheWayIsReplacedWhenTheNextWatchSaysSo() throws {
    try makeSound("in/a.wav")
    let child = try start()
    try wait(child, "the first") { (try? results()) == ["a.wav"] }
    let first = try Data(contentsOf: URL(fileURLWithPath: box("out/a.wav")))
    try makeSound("in/a.wav", seed: 9, frames: 16_000)
    try wait(child, "the refusal") {
      child.standardError.contains("repeat the watch with --on-exists overwrite")
    }
    _ = try end(child)
    #expect(try Data(contentsOf: URL(fileURLWithPath: box("out/a.wav"))) == first)
    let second = try start("--on-exists", "overwrite")
    try wait(second, "the second") {
      (try? Data(contentsOf: URL(fileURLWithPath: box("out/a.wav")))) != first
    }
    let result = try end(second)
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(try box.run("verify", "out").exitCode == 0)
  }

  /// A retried file is in one line of each table, with its reason, and hides nothing.
  @Test func whatIsTriedAgainIsCountedOnce() throws {
    try makeSound("in/a.wav")
    try box.folder.write("no sound", to: "in/bad.wav")
    let child = try start("--format", "json")
    try wait(child, "the first") { (try? results()) == ["a.wav"] }
    try makeSound("in/a.wav", seed: 9)
    try wait(child, "the refusal") { child.standardError.contains("is there already") }
    let result = try end(child)
    let text = result.standardError
    #expect(text.contains("  done     1\n  failed   1\n"), "\(text)")
    #expect(text.contains("  pending  1  failed, to be tried again\n"), "\(text)")
    let last = try #require(result.errorLines.last)
    #expect(last.contains("1 file done, 2 failed (1 of them to be tried again)"), "\(text)")
    #expect(!last.contains(" left"), "\(text)")
    #expect(text.contains("1×  is there already"), "\(text)")
    let summary = try #require(result.jsonLines.last)
    #expect((summary["failures"] as? [Any])?.count == 2, "\(summary)")
    let status = try box.run("status", "out").standardOutput
    #expect(status.contains("pending  1  (failed, to be tried again)"), "\(status)")
    #expect(status.contains("1×  is there already"), "\(status)")
    let page = try box.run("report", "out", "--format", "html").standardOutput
    #expect(page.contains("<h1>3 files, 1 failed, 1 to be tried again</h1>"))
    #expect(page.contains("<dt>pending (failed, to be tried again)</dt><dd>1</dd>"))
    #expect(page.contains("<td class=\"reason\">is there already"))
  }

  @Test func badPlacesAreRefused() throws {
    try makeSound("in/a.wav")
    for (output, words) in [
      ("in/out", "lies in the watched folder"), ("in", "lies in the watched folder"),
      (".", "lies in the output folder"),
    ] {
      let result = try box.run("watch", "in", "--unit", "aufx:lpas:appl", "--output", output)
      #expect(result.exitCode == 64, "\(result.summary)")
      #expect(result.standardError.contains(words), "\(result.summary)")
    }
    #expect(box.names("in") == ["a.wav"])
    let none = try box.run("watch", "none", "--unit", "aufx:lpas:appl", "--output", "out")
    #expect(none.exitCode == 66, "\(none.summary)")
    let file = try box.run("watch", "in/a.wav", "--unit", "aufx:lpas:appl", "--output", "out")
    #expect(file.exitCode == 64, "\(file.summary)")
    let unit = try box.run("watch", "in", "--unit", "aufx:none:none", "--output", "out")
    #expect(unit.exitCode == 69, "\(unit.summary)")
    #expect(!FileManager.default.fileExists(atPath: box("out/.auricle")))
  }

  @Test func anotherChainDoesNotGoOn() throws {
    try makeSound("in/a.wav")
    let child = try start()
    try wait(child, "the result") { (try? results()) == ["a.wav"] }
    let second = try box.run("watch", "in", "--unit", "aufx:lpas:appl", "--output", "out")
    #expect(second.exitCode == 75, "two at once: \(second.summary)")
    #expect(try end(child).exitCode == 0)
    let other = try box.run("watch", "in", "--unit", "aufx:hpas:appl", "--output", "out")
    #expect(other.exitCode == 65, "\(other.summary)")
    #expect(other.standardError.contains("another preset"), "\(other.summary)")
    let resumed = try box.run("process", "--resume", "out")
    #expect(resumed.exitCode == 64 && resumed.standardError.contains("auricle watch"))
  }

  /// The record of the program and of the units in `run.json` has to hold when the watch goes on.
  @Test(arguments: [
    (#""auricle": "[^"]*""#, #""auricle": "0.0.1""#, "another version of the program (0.0.1"),
    (#""version": "[^"]*""#, #""version": "0.9.9""#, "where it was 0.9.9"),
  ])
  func anotherProgramOrUnitDoesNotGoOn(old: String, new: String, words: String) throws {
    try makeSound("in/a.wav")
    let child = try start()
    try wait(child, "the result") { (try? results()) == ["a.wav"] }
    #expect(try end(child).exitCode == 0)
    let run = try #require(
      try FileManager.default.contentsOfDirectory(atPath: box("out/.auricle"))
        .first { $0.first?.isNumber == true })
    let path = box("out/.auricle/\(run)/run.json")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacingOccurrences(of: old, with: new, options: .regularExpression)
      .write(toFile: path, atomically: true, encoding: .utf8)
    let result = try box.run(
      "watch", "in", "--unit", "aufx:lpas:appl", "--output", "out", "--settle", "0.5", "--jobs", "2"
    )
    #expect(result.exitCode == 65 && result.standardError.contains(words), "\(result.summary)")
  }

  /// A preset keeps the state of the watch's beginning, after any change of its file.
  @Test func aPresetThatChangesMeanwhileChangesNothing() throws {
    func write(_ frequency: String) throws {
      try box.folder.write(
        "auricle: 1\nname: P\nunits: [{unit: aufx:lpas:appl, parameters: {cutoff frequency: "
          + "\(frequency)}}]\n", to: "p.yaml")
    }
    try write("200 Hz")
    try makeSound("in/a.wav")
    let watch = ["watch", "in", "--preset", "p.yaml", "--output", "out", "--settle", "0.5"]
    let child = try ChildProcess(
      Places.auricle, watch, environment: box.environment, in: box.folder.path)
    try wait(child, "the first result") { (try? results()) == ["a.wav"] }
    try write("3 kHz")
    try makeSound("in/b.wav")
    try wait(child, "the second result") { (try? results()) == ["a.wav", "b.wav"] }
    #expect(try end(child).exitCode == 0)
    let (first, second) = (box("out/a.wav"), box("out/b.wav"))
    #expect(FileManager.default.contentsEqual(atPath: first, andPath: second))
    let again = try runAuricle(watch, environment: box.environment, in: box.folder.path)
    #expect(again.exitCode == 65, "\(again.summary)")
    #expect(again.standardError.contains("another preset"), "\(again.summary)")
  }
}
