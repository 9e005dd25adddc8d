// Watched folders with files that go away, come back, change before their turn, or cannot be read.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct WatchMishapTests: WatchTesting {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try box.folder.makeFolder("in")
  }

  private static let words = [
    "watch", "in", "--unit", "aufx:mrev:appl", "--output", "out", "--settle", "0.3", "--jobs", "1",
  ]

  private func start(_ more: String...) throws -> ChildProcess { try box.start(Self.words + more) }

  /// Starts a watch that stops itself once it has handed out its first file alone; `goOn` continues it.
  private func startStopped(_ more: String...) throws -> ChildProcess {
    // The first two messages set workers up.
    let place = try KillPlace("sendmsg", 3, after: true).environment("watch", box, stops: true)
    return try ChildProcess(
      Places.auricle, Self.words + more, environment: place, in: box.folder.path)
  }

  private func waitForStop(_ child: ChildProcess) throws {
    try wait(child, "the first file") { OtherPrograms.isStopped(child.id) }
  }

  private func goOn(_ child: ChildProcess) { kill(child.id, SIGCONT) }

  /// Puts a file into the watched folder and waits for its result: earlier files have had their turn.
  private func waitForMarker(_ child: ChildProcess, _ name: String = "marker.wav") throws {
    try makeSound("in/\(name)", seed: 7)
    try wait(child, "the marker's result") { results().contains(name) }
  }

  private func results() -> [String] {
    ((try? TemporaryNames.below(box("out"))) ?? []).filter { !$0.hasSuffix(".part") }
  }

  private func report() throws -> [[String: Any]] {
    let json = try #require(
      box.run("report", "out", "--format", "json").json as? [String: Any])
    return try #require(json["records"] as? [[String: Any]])
  }

  /// The path of a file in the folder of the run.
  private func runFile(_ name: String) throws -> String {
    let run = try #require(
      try FileManager.default.contentsOfDirectory(atPath: box("out/.auricle")).first)
    return box("out/.auricle/\(run)/\(name)")
  }

  private func ledger(_ number: Int = 1) -> String {
    (try? String(contentsOfFile: runFile("ledger-\(number).jsonl"), encoding: .utf8)) ?? ""
  }

  // MARK: Files

  @Test func aFileThatIsRemovedAndPutBackIsDone() throws {
    try makeSound("in/a.wav")
    try makeSound("in/b.wav")
    let child = try startStopped()
    try waitForStop(child)
    try move("in/b.wav", to: "b.wav")
    goOn(child)
    try wait(child, "its turn") { ledger().contains(#""t":"gone""#) }
    let status = try box.run("status", "out").standardOutput
    #expect(!status.contains("pending"), "\(status)")
    // Just as it was.
    try move("b.wav", to: "in/b.wav")
    try wait(child, "the second") { results() == ["a.wav", "b.wav"] }
    let result = try end(child)
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(!result.standardError.contains("there is no file"), "\(result.summary)")
    let records = try report()
    #expect(records.count == 2, "\(records)")
    #expect(records.allSatisfy { $0["status"] as? String == "done" }, "\(records)")
    let again = try start("--format", "json")
    try waitForMarker(again)
    let idle = try end(again)
    #expect(idle.exitCode == 0, "\(idle.summary)")
    #expect(try idle.fileLines.count == 1, "the marker alone: \(idle.summary)")
  }

  @Test func aFolderThatIsMovedIsDoneUnderItsNewName() throws {
    try makeSound("in/a.wav")
    try box.folder.makeFolder("in/sub")
    try makeSound("in/sub/b.wav")
    let child = try startStopped()
    try waitForStop(child)
    try move("in/sub", to: "in/other")
    goOn(child)
    try wait(child, "both") { results() == ["a.wav", "other/b.wav"] }
    let result = try end(child)
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(try report().count == 2)
  }

  @Test func theRestAndOtherRunsAreReported() throws {
    try makeSound("other.wav")
    try box.folder.makeFolder("new")
    for number in 1...8 { try makeSound("new/\(number).wav") }
    let child = try startStopped()
    try wait(child, "the beginning") { child.standardError.contains("watching in") }
    let asWritten = ["process", "--unit", "aufx:lpas:appl", "--output", "out", "other.wav"]
    let refused = try box.run(asWritten + ["--format", "json"])
    #expect(refused.exitCode == 75, "\(refused.summary)")
    #expect(refused.standardError.contains("is being watched"), "\(refused.summary)")
    let reported = try refused.jsonLines
    #expect(reported.map { $0["state"] as? String } == ["refused"], "\(refused.summary)")
    #expect(box.names("out").isEmpty)
    // A later run into the same folder.
    let later = try box.run(
      "process", "--unit", "aufx:lpas:appl", "--new-run", "--output", "out", "other.wav")
    #expect(later.exitCode == 0, "\(later.summary)")
    // Status does not report it as long as the watch goes on.
    let status = try box.run("status", "out")
    #expect(status.standardOutput.contains("watching since"), "\(status.summary)")
    #expect(!status.standardOutput.contains("finished"), "\(status.summary)")
    #expect(
      status.standardError.contains("was begun later: auricle status --run "), "\(status.summary)")
    try move("new", to: "in/new")
    try waitForStop(child)
    kill(child.id, SIGTERM)
    goOn(child)
    let result = child.wait()
    #expect(result.exitCode == 0, "\(result.summary)")
    let words = try #require(result.errorLines.last?.split(separator: ":").first)
    let numbers = words.split(separator: " ").compactMap { Int($0) }
    #expect(words.hasSuffix(" left for the next watch"), "\(result.summary)")
    #expect(numbers.count == 2 && numbers.reduce(0, +) == 8, "\(result.summary)")
  }

  @Test(arguments: ["rename", "error"])
  func aFileThatChangesBeforeItsTurnIsDoneOnce(policy: String) throws {
    try makeSound("in/a.wav")
    try makeSound("in/b.wav")
    try makeSound("new.wav", seed: 2, frames: 16_000)
    let child = try startStopped("--on-exists", policy, "--tail", "none")
    try waitForStop(child)
    try move("new.wav", to: "in/b.wav")
    goOn(child)
    try wait(child, "both") { results() == ["a.wav", "b.wav"] }
    // A second result would come before that of a later file.
    try waitForMarker(child)
    let result = try end(child)
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(results() == ["a.wav", "b.wav", "marker.wav"])
    #expect(try Sound(path: box("out/b.wav")).frameCount == 16_000)
    let records = try report()
    #expect(records.map { $0["status"] as? String } == ["done", "done", "done"], "\(records)")
  }

  /// As if the first session had been killed before it had done anything.
  @Test func aFileThatChangesBetweenTwoSessionsIsDoneOnce() throws {
    try makeSound("in/b.wav")
    let first = try start("--tail", "none")
    try wait(first, "the result") { results() == ["b.wav"] }
    first.send(signal: SIGKILL)
    _ = first.wait()
    try FileManager.default.removeItem(atPath: runFile("ledger-1.jsonl"))
    try FileManager.default.removeItem(atPath: box("out/b.wav"))
    try makeSound("in/b.wav", seed: 2, frames: 16_000)
    let second = try start("--tail", "none")
    try wait(second, "the new sound") {
      (try? Sound(path: box("out/b.wav")).frameCount) == 16_000
    }
    try waitForMarker(second)
    let result = try end(second)
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(results() == ["b.wav", "marker.wav"])
    #expect(try report().count == 2)
  }

  @Test func unusableFilesAreReportedOnce() throws {
    try makeSound("in/good.wav")
    func make(_ script: String) throws {
      let made = try runProcess("/bin/sh", ["-c", script], in: box.folder.path)
      try #require(made.exitCode == 0, "\(made.summary)")
    }
    try make(#"touch "$(printf 'in/bad\377.wav')""#)
    let child = try start()
    func reported() -> Int {
      child.standardError.components(separatedBy: "\u{FFFD}.wav is empty (0 bytes)").count - 1
    }
    try wait(child, "the first name") { reported() == 1 }
    try make(
      #"d="$(printf 'in/folder\376')"; mkdir "$d" && touch "$d/$(printf 'bad\374.wav')" && mkfifo in/pipe.wav"#
    )
    try wait(child, "the others") {
      reported() == 2 && child.standardError.contains("pipe.wav is no regular file")
    }
    // A name that is there for a moment is nobody's business.
    try make(#"touch "$(printf 'in/short\375.wav')" && rm "$(printf 'in/short\375.wav')""#)
    try wait(child, "the result") { results() == ["good.wav"] }
    try waitForMarker(child)
    let result = try end(child)
    #expect(result.exitCode == 1, "\(result.summary)")
    #expect(!result.standardError.contains("short"), "\(result.summary)")
    #expect(try report().count { $0["status"] as? String == "failed" } == 3)
    let again = try start()
    try waitForMarker(again, "other marker.wav")
    let idle = try end(again)
    #expect(idle.exitCode == 0, "\(idle.summary)")
    #expect(!idle.errorLines.contains { $0.hasPrefix("auricle:") }, "\(idle.summary)")
  }

  @Test func theAdviceOnTwoFilesOfOneNameHelps() throws {
    for folder in ["a", "b"] {
      try box.folder.makeFolder("in/\(folder)")
      try makeSound("in/\(folder)/x.wav")
    }
    let child = try start("--name", "{stem}.{ext}")
    let advice = "{dir}/{name}.{ext}"
    try wait(child, "the advice") {
      child.standardError.contains("distinguish them by --name \"\(advice)\"")
    }
    _ = try end(child)
    let second = try start("--new-run", "--name", advice)
    try wait(second, "both") { results() == ["a/x.wav.wav", "b/x.wav.wav", "x.wav"] }
    #expect(try end(second).exitCode == 0)
  }

  // MARK: Folders

  @Test func anOutputFolderThatGoesAwayEndsTheWatch() throws {
    try makeSound("in/a.wav")
    let child = try start()
    try wait(child, "the result") { results() == ["a.wav"] }
    #expect(try end(child).exitCode == 0)
    try makeSound("in/b.wav", seed: 2)
    let second = try start()
    try wait(second, "the other result") { results() == ["a.wav", "b.wav"] }
    try move("out", to: "elsewhere")
    let result = second.wait()
    #expect(result.exitCode == 75, "\(result.summary)")
    #expect(
      result.standardError.contains("out no longer exists")
        && result.standardError.contains("1 file done now, 1 before"), "\(result.summary)")
    #expect(!result.standardError.contains(" left"), "all is done: \(result.summary)")
    #expect(!result.standardError.contains("run.json"), "\(result.summary)")
  }

  @Test func aWatchedFolderThatIsRemovedEndsTheWatch() throws {
    try makeSound("in/a.wav")
    let child = try start()
    try wait(child, "the result") { results() == ["a.wav"] }
    try FileManager.default.removeItem(atPath: box("in"))
    let result = child.wait()
    #expect(result.exitCode == 75, "\(result.summary)")
    #expect(result.standardError.contains("in no longer exists"), "\(result.summary)")
  }

  @Test func aWatchedFolderThatIsMadeAgainIsNotMissed() throws {
    try makeSound("in/a.wav")
    try makeSound("b.wav", seed: 2)
    let child = try start()
    try wait(child, "the result") { results() == ["a.wav"] }
    try FileManager.default.removeItem(atPath: box("in"))
    try box.folder.makeFolder("in")
    try move("b.wav", to: "in/b.wav")
    // A check just in between sees that it is gone.
    if child.waits(until: { results() == ["a.wav", "b.wav"] }) {
      #expect(try end(child).exitCode == 0)
    } else {
      let result = child.wait()
      #expect(result.exitCode == 75, "\(result.summary)")
    }
  }

  @Test func aWatchedDiskThatIsUnmountedEndsTheWatch() throws {
    let mounted = try runProcess("mount", ["-t", "tmpfs", "tmpfs", box("in")])
    // Only root can mount.
    guard mounted.exitCode == 0 else { return }
    defer { _ = try? runProcess("umount", ["-l", box("in")]) }
    try makeSound("in/a.wav")
    let child = try start()
    try wait(child, "the result") { results() == ["a.wav"] }
    _ = try runProcess("umount", ["-l", box("in")])
    let result = child.wait()
    #expect(result.exitCode == 75, "\(result.summary)")
    #expect(result.standardError.contains("is on another disk now"), "\(result.summary)")
  }

  @Test func linksDoNotHideThatAFolderLiesInTheOther() throws {
    try box.folder.makeFolder("real/c")
    try FileManager.default.createSymbolicLink(
      atPath: box("link"), withDestinationPath: "real")
    for (input, output) in [("link/c", "link/c/out/deep"), ("real/c", "link/c/./out")] {
      let result = try box.run("watch", input, "--unit", "aufx:lpas:appl", "--output", output)
      #expect(result.exitCode == 64, "\(result.summary)")
      #expect(result.standardError.contains("lies in the watched folder"), "\(result.summary)")
    }
    #expect(box.names("real/c").isEmpty)
  }

  // MARK: Plans

  @Test func aDamagedPlanIsRefused() throws {
    for name in ["f1", "f2", "f3"] { try makeSound("in/\(name).wav") }
    let child = try start()
    try wait(child, "the results") { results().count == 3 }
    #expect(try end(child).exitCode == 0)
    let path = try runFile("plan.jsonl")
    let plan = try String(contentsOfFile: path, encoding: .utf8)
    // The remains of a cut at the end count for nothing.
    try (plan + #"{"i":3,"in":"#).write(toFile: path, atomically: false, encoding: .utf8)
    let torn = try end(start())
    #expect(torn.exitCode == 0, "\(torn.summary)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == plan)

    let damaged = plan.replacingOccurrences(of: "f2.wav", with: "fX.wav")
    try damaged.write(toFile: path, atomically: false, encoding: .utf8)
    for command in [["status", "out"], ["report", "out"]] {
      let result = try box.run(command)
      #expect(result.exitCode == 65, "\(result.summary)")
      #expect(result.standardError.contains("is damaged in line 2"), "\(result.summary)")
    }
    let refused = try start().wait()
    #expect(refused.exitCode == 65, "\(refused.summary)")
    #expect(refused.standardError.contains("--new-run --on-exists skip"), "\(refused.summary)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == damaged)
    // As the sentence says.
    let anew = try start("--new-run", "--on-exists", "skip")
    try makeSound("in/f4.wav")
    try wait(anew, "the fourth") { results().count == 4 }
    #expect(try end(anew).exitCode == 0)
  }
}
