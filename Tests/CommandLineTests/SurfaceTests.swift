// Surfaces within others' reach: names for sockets and reports, clients of the control socket, terminals, preloaded libraries.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

/// The library that Debian's package faketime brings.
private let fakeTime = ["x86_64", "aarch64"].map {
  "/usr/lib/\($0)-linux-gnu/faketime/libfaketime.so.1"
}.first { FileManager.default.fileExists(atPath: $0) }

@Suite struct SurfaceTests {
  private let box: Sandbox

  init() throws {
    box = try Sandbox()
    let noise = TestSignal.noise(seed: 41, amplitude: 0.1, frameCount: 4800)
    try Sound([noise]).write(to: box("in.wav"), encoding: .float32)
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: box(name), encoding: .utf8)
  }

  /// Live sound from a long file to another, at the pace of a card.
  private func live(control path: String) throws -> ChildProcess {
    if inode(box("long.wav")) == nil {
      let rows = [TestSignal.noise(seed: 3, amplitude: 0.25, frameCount: 2_880_000)]
      try Sound(rows).write(to: box("long.wav"), encoding: .pcm16)
    }
    return try ChildProcess(
      Places.auricle,
      [
        "live", "--unit", "aufx:lpas:appl", "--input",
        "file:\(box("\(path.suffix(8)).wav")),in=\(box("long.wav")),clock=real", "--control",
        "unix:\(path)",
      ], environment: box.environment, in: box.folder.path)
  }

  /// Returns the inode of the file at a path, links not followed; nil for nothing.
  private func inode(_ path: String) -> UInt64? {
    var status = stat()
    let isThere = unsafe lstat(path, &status) == 0
    return isThere ? UInt64(status.st_ino) : nil
  }

  /// Makes the path of a socket: short, for any folder of the test.
  private func socketPath() -> String { "/tmp/auricle-\(UUID().uuidString.prefix(13))" }

  // MARK: Names

  @Test(arguments: ["file", "link", "nothing", "pipe", "folder"])
  func whatIsUnderTheNameOfASocketStays(way: String) throws {
    try box.folder.write("precious", to: "take.wav")
    let path = socketPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    switch way {
    case "file": try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
    case "link", "nothing":
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: way == "link" ? box("take.wav") : "nowhere")
    case "pipe": #expect(unsafe mkfifo(path, 0o600) == 0)
    default: #expect(unsafe mkdir(path, 0o700) == 0)
    }
    let before = inode(path)
    try #require(before != nil)
    let result = try live(control: path).wait()
    #expect(result.exitCode == 74, "\(result.summary)")
    #expect(result.standardError.contains("no control socket of yours"), "\(result.summary)")
    #expect(inode(path) == before)
    #expect(text("take.wav") == "precious")
  }

  /// The socket of a dead process is replaced; a file that has the name at the end stays.
  @Test func ownSocketsAreReplacedAndRemoved() throws {
    let path = socketPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let first = try live(control: path)
    #expect(first.waits { ControlLine.ask("stats", path)?.hasPrefix("ok") == true })
    let busy = try live(control: path).wait()
    #expect(busy.exitCode == 75, "\(busy.summary)")
    first.send(signal: SIGKILL)
    _ = first.wait()
    #expect(FileManager.default.fileExists(atPath: path))
    let second = try live(control: path)
    #expect(second.waits { ControlLine.ask("stats", path)?.hasPrefix("ok") == true })
    #expect(ControlLine.ask("quit", path) == "ok")
    #expect(second.wait().exitCode == 0)
    #expect(!FileManager.default.fileExists(atPath: path))
    let third = try live(control: path)
    #expect(third.waits { ControlLine.ask("stats", path)?.hasPrefix("ok") == true })
    #expect(unsafe unlink(path) == 0)
    try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
    third.send(signal: SIGINT)
    _ = third.wait()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
  }

  @Test(arguments: ["r.csv", "r.json", "r.html", "r.txt"])
  func aReportReplacesReportsAlone(name: String) throws {
    func process(_ output: String) throws -> ProcessResult {
      try box.run(
        "process", "--unit", "aufx:lpas:appl", "-q", "--output", output, "--report", name, "in.wav")
    }
    try box.folder.write("precious, and no report\n", to: name)
    let refused = try process("a")
    #expect(refused.exitCode == 64, "\(refused.summary)")
    #expect(refused.standardError.contains("no report of auricle"), "\(refused.summary)")
    #expect(text(name) == "precious, and no report\n")
    try box.folder.write("", to: name)
    for output in ["a", "b"] { #expect(try process(output).exitCode == 0) }
    #expect(text(name)?.contains("in.wav") == true)
  }

  @Test func aDeviceReplacesWaveFilesAlone() throws {
    try box.folder.write("precious, and no sound", to: "d.wav")
    func play() throws -> ProcessResult {
      try box.run("play", "in.wav", "--device", "file:\(box("d.wav")),clock=free")
    }
    let refused = try play()
    #expect(refused.exitCode == 74, "\(refused.summary)")
    #expect(refused.standardError.contains("no WAVE file"), "\(refused.summary)")
    #expect(text("d.wav") == "precious, and no sound")
    try FileManager.default.removeItem(atPath: box("d.wav"))
    for _ in 0..<2 { #expect(try play().exitCode == 0) }
  }

  // MARK: Clients

  /// Many more clients than there are places, which say nothing, or half a line.
  @Test func idleClientsLockNobodyOut() throws {
    let path = socketPath()
    let child = try live(control: path)
    #expect(child.waits { ControlLine.ask("stats", path)?.hasPrefix("ok") == true })
    let idle = (0..<64).map { number -> Int32 in
      let descriptor = ControlLine.connect(path)
      if number % 2 == 0 { unsafe _ = send(descriptor, "sta", 3, Int32(MSG_NOSIGNAL)) }
      return descriptor
    }
    #expect(idle.allSatisfy { $0 >= 0 })
    #expect(ControlLine.ask("stats", path)?.hasPrefix("ok") == true)
    #expect(ControlLine.ask("quit", path) == "ok")
    for descriptor in idle { close(descriptor) }
    #expect(child.wait().exitCode == 0)
  }

  // MARK: Terminals

  /// The results of a command on a terminal, made by `script`.
  private func onTerminal(_ command: String) throws -> String {
    try runProcess(
      "script", ["-qec", "\(Places.auricle) \(command)", "/dev/null"],
      environment: box.environment, in: box.folder.path
    ).standardOutput
  }

  @Test(.enabled(if: hasTerminals, "there are no pseudo-terminals"))
  func escapesOfNamesStayInFilesAndNotOnTerminals() throws {
    let name = "a\u{1B}]0;title\u{07}\u{9B}31m.wav"
    try box.folder.makeFolder("in")
    try FileManager.default.copyItem(atPath: box("in.wav"), toPath: box("in/" + name))
    let done = try box.run("process", "--unit", "aufx:lpas:appl", "-q", "--output", "out", "in")
    #expect(done.exitCode == 0, "\(done.summary)")
    let file = try box.run("report", "out", "--format", "csv")
    #expect(file.standardOutput.contains(name))
    for command in [
      "report out --format csv", "report out --format json", "report out --format table",
      "report out --format html", "status out", "verify out", "file info in/*", "measure in/*",
      "process --unit aufx:lpas:appl --output other --dry-run in",
      "process --unit aufx:lpas:appl --output-file nowhere/x.wav in/*", "tag --loudness in/*",
      "convert in/* --output-file x.nonsense",
    ] {
      let shown = try onTerminal(command)
      #expect(!shown.isEmpty, "\(command)")
      for hidden in ["\u{1B}]", "\u{07}", "\u{9B}"] {
        #expect(!shown.contains(hidden), "\(command): \(shown.debugDescription)")
      }
    }
  }

  // MARK: Arguments

  @Test func aCommandThatIsNotCompleteDoesNotSucceed() throws {
    for words in [[], ["preset"], ["midi"], ["plugin"], ["file"]] as [[String]] {
      let result = try runAuricle(words, environment: box.environment)
      #expect(result.exitCode == 64 && result.standardOutput.isEmpty, "\(words): \(result.summary)")
      #expect(result.standardError.contains("USAGE: auricle"), "\(words)")
    }
    for words in [["--help"], ["help"], ["preset", "--help"], ["help", "midi"], ["--version"]] {
      let result = try runAuricle(words, environment: box.environment)
      #expect(result.exitCode == 0 && !result.standardOutput.isEmpty, "\(words): \(result.summary)")
    }
  }

  /// A preloaded library that sets variables moves the environment, below which Swift searches the arguments.
  @Test(.enabled(if: fakeTime != nil, "libfaketime is not there"))
  func argumentsStayWithAPreloadedLibrary() throws {
    let library = try #require(fakeTime)
    let result = try runAuricle(
      ["process", "--unit", "aufx:lpas:appl", "--output-file", "o.wav", "in.wav"],
      environment: box.environment.merging([
        "LD_PRELOAD": library, "FAKETIME": "-1d", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "NO_FAKE_STAT": "1",
      ]) { $1 }, in: box.folder.path)
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(FileManager.default.fileExists(atPath: box("o.wav")))
    let other = try runAuricle(
      ["nonsuch"],
      environment: box.environment.merging(["LD_PRELOAD": library, "FAKETIME": "-1d"]) { $1 })
    #expect(other.exitCode == 64, "\(other.summary)")
  }
}
