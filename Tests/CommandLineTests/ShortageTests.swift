// Too few open files, a home that cannot be written to, an output folder that is not there.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct ShortageTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try box.makeSounds(12)
  }

  /// For a lack of any resource, no file fails, and the run goes on when there is more.
  @Test(arguments: [9, 12, 16, 20, 24, 32]) func tooFewOpenFiles(limit: Int) throws {
    let command =
      "ulimit -n \(limit); exec \"$0\" process -q --unit aufx:lpas:appl --jobs 2 --output out in"
    let child = try ChildProcess(
      "/bin/sh", ["-c", command, Places.auricle], environment: box.environment, in: box.folder.path)
    let result = child.wait()
    #expect(result.exitCode == 0 || result.exitCode == 75, "\(result.summary)")
    #expect(!box.names("out").contains { $0.hasSuffix(".part") })
    if box.folder.hasRun("out") {
      let resumed = try box.run("process", "-q", "--resume", "out")
      #expect(resumed.exitCode == 0, "\(resumed.summary)")
      #expect(box.names("out").count == 12)
    }
  }

  @Test func aHomeThatCannotBeWrittenToIsNoHome() throws {
    try box.folder.makeFolder("lv2")
    let result = try box.run(
      "list",
      environment: [
        "HOME": "/dev/null", "XDG_CACHE_HOME": nil, "XDG_RUNTIME_DIR": nil,
        "TMPDIR": box.folder.path, "LV2_PATH": box("lv2"),
      ])
    #expect(result.exitCode == 0, "\(result.summary)")
    let cache = box("auricle-\(geteuid())")
    let mode = try FileManager.default.attributesOfItem(atPath: cache)[.posixPermissions]
    #expect(mode as? Int == 0o700)
  }

  @Test func anOutputFolderThatIsALinkToNothing() throws {
    unsafe symlink("gone", box("out"))
    let result = try box.run("process", "--unit", "aufx:lpas:appl", "--output", "out", "in")
    #expect(result.exitCode == 74, "\(result.summary)")
    #expect(
      result.standardError.contains("link to a folder that is not there"), "\(result.summary)")
  }

  /// A disk that was not mounted when the run was resumed costs no file.
  @Test(arguments: ["missing", "empty"]) func inputsThatAreNotThereYet(place: String) throws {
    let arguments = ["process", "-q", "--unit", "aufx:mrev:appl", "--tail", "600", "--jobs", "1"]
    let child = try box.start(arguments + ["--output", "out", "in"])
    try #require(box.waitForFirstResult(of: child, in: "out"))
    child.send(signal: SIGTERM)
    let first = child.wait()
    try #require(first.exitCode == 130, "\(first.summary)")
    try FileManager.default.removeItem(atPath: box("in"))
    if place == "empty" { try box.folder.makeFolder("in") }
    let without = try box.run("process", "-q", "--resume", "out")
    #expect(without.exitCode == 75, "\(without.summary)")
    #expect(without.standardError.contains("no longer exists"), "\(without.summary)")
    let status = try #require(
      try box.run("status", "out", "--format", "json").json as? [String: Any])
    #expect((status["counts"] as? [String: Int])?["failed"] == 0, "\(status)")
  }

  /// A folder that is the same as when the run was planned was emptied on purpose: missing files are
  /// accounted for, and the run ends.
  @Test func inputsThatWereRemoved() throws {
    let arguments = ["process", "-q", "--unit", "aufx:mrev:appl", "--tail", "600", "--jobs", "1"]
    let child = try box.start(arguments + ["--output", "out", "in"])
    try #require(box.waitForFirstResult(of: child, in: "out"))
    child.send(signal: SIGTERM)
    try #require(child.wait().exitCode == 130)
    for name in box.names("in") {
      try FileManager.default.removeItem(atPath: box("in/\(name)"))
    }
    let manifest = try #require(box.manifestPath)
    let text = try String(contentsOfFile: manifest, encoding: .utf8)
    // A manifest of an older program has no entry for folders: as if a disk were not mounted.
    let names = try #require(text.range(of: "\"inputFolders\""))
    try text.replacingCharacters(in: names, with: "\"others\"")
      .write(toFile: manifest, atomically: false, encoding: .utf8)
    let old = try box.run("process", "-q", "--resume", "out")
    #expect(old.exitCode == 75, "\(old.summary)")
    try text.write(toFile: manifest, atomically: false, encoding: .utf8)
    let resumed = try box.run("process", "-q", "--resume", "out")
    #expect(resumed.exitCode == 1, "\(resumed.summary)")
    #expect(resumed.standardError.contains("there is no file in/"), "\(resumed.summary)")
    let status = try #require(
      try box.run("status", "out", "--format", "json").json as? [String: Any])
    #expect(status["state"] as? String == "finished", "\(status)")
    let failed = (status["counts"] as? [String: Int])?["failed"] ?? 0
    #expect(failed >= 11, "\(status)")
  }

  @Test func pipesAndDevicesInAFolderAreAccountedFor() throws {
    unsafe mkfifo(box("in/pipe.wav"), 0o600)
    unsafe symlink("/dev/zero", box("in/zeros.wav"))
    let result = try box.run(
      "process", "--unit", "aufx:lpas:appl", "--output", "out", "--format", "json", "in")
    #expect(result.exitCode == 1, "\(result.summary)")
    let failed = try result.fileLines.filter { $0["status"] as? String == "failed" }
    #expect(failed.count == 2, "\(failed)")
    #expect(failed.allSatisfy { ($0["error"] as? String)?.contains("no regular file") == true })
    #expect(failed.allSatisfy { $0["output"] == nil }, "what cannot be read has no result")
    #expect(box.names("out").count == 12)
  }
}

extension Sandbox {
  /// The manifest of the run in `out`.
  fileprivate var manifestPath: String? {
    let runs = self("out/.auricle")
    return (try? FileManager.default.contentsOfDirectory(atPath: runs))?.first
      .map { "\(runs)/\($0)/run.json" }
  }
}

extension TemporaryFolder {
  /// Whether a folder in it holds a run that can be gone on with.
  fileprivate func hasRun(_ name: String) -> Bool {
    let runs =
      (try? FileManager.default.contentsOfDirectory(atPath: self("\(name)/.auricle"))) ?? []
    return runs.contains {
      FileManager.default.fileExists(atPath: self("\(name)/.auricle/\($0)/run.json"))
    }
  }
}
