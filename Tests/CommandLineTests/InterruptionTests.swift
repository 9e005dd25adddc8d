// Ctrl-C and its kin: exit code 130, no unfinished file, finished results stay.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct InterruptionTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try Sound([TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 800)], sampleRate: 8000)
      .write(to: box("a.wav"), encoding: .pcm16)
    try Sound([TestSignal.noise(seed: 2, amplitude: 0.25, frameCount: 800)], sampleRate: 8000)
      .write(to: box("b.wav"), encoding: .pcm16)
  }

  /// Starts a long run, and waits until it writes its first file.
  private func startLongRun(_ inputs: String...) throws -> ChildProcess {
    // A day of tail: nothing on earth finishes it before the signal comes.
    let child = try box.start(
      ["process", "--unit", "aufx:mrev:appl", "--tail", "86400", "--output", "out"] + inputs)
    try #require(
      box.waitForFirstResult(of: child, in: "out"), "\(child.standardOutput) \(child.standardError)"
    )
    return child
  }

  @Test(arguments: [SIGINT, SIGTERM]) func oneSignalStops(signal: Int32) throws {
    let child = try startLongRun("a.wav", "b.wav")
    let name = try #require(box.names("out").first, "\(child.standardError)")
    #expect(name.hasPrefix(".a.wav.") && name.hasSuffix(".part"), "\(name)")
    child.send(signal: signal)
    let result = child.wait()
    #expect(result.exitCode == 130, "\(result.summary)")
    #expect(box.names("out").isEmpty)
    #expect(result.standardError.contains("interrupted: 0 of 2 files done"), "\(result.summary)")
  }

  /// Whether SIGHUP has an effect here: `nohup` makes a program and its children ignore it.
  private static var receivesHangUp: Bool {
    var action = sigaction()
    unsafe sigaction(SIGHUP, nil, &action)
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      != unsafeBitCast(SIG_IGN, to: Int.self)
  }

  @Test(.enabled(if: receivesHangUp)) func aClosedTerminalStops() throws {
    let child = try startLongRun("a.wav", "b.wav")
    child.send(signal: SIGHUP)
    let result = child.wait()
    #expect(result.exitCode == 130, "\(result.summary)")
    #expect(box.names("out").isEmpty)
  }

  /// A shell without job control starts background commands with SIGINT ignored; a script that sends
  /// it means it.
  @Test func whatAScriptStartedInTheBackgroundCanBeInterrupted() throws {
    let child = try ChildProcess(
      "/bin/sh",
      [
        "-c", "trap '' INT; exec \"$0\" \"$@\"", Places.auricle, "process", "--unit",
        "aufx:mrev:appl", "--tail", "86400", "--output", "out", "a.wav", "b.wav",
      ], environment: box.environment, in: box.folder.path)
    try #require(box.waitForFirstResult(of: child, in: "out"), "\(child.standardError)")
    child.send(signal: SIGINT)
    child.send(signal: SIGINT)
    let result = child.wait()
    #expect(result.exitCode == 130, "\(result.summary)")
    #expect(box.names("out").isEmpty)
  }

  @Test func impatienceLeavesNothingEither() throws {
    let child = try startLongRun("a.wav")
    child.send(signal: SIGINT)
    child.send(signal: SIGINT)
    let result = child.wait()
    #expect(result.exitCode == 130, "\(result.summary)")
    #expect(box.names("out").isEmpty)
  }

  /// The second stops at once, at any point of the run: a file under its final name is whole. A
  /// resumed run makes the same bytes as an uninterrupted one.
  @Test(arguments: 0..<4) func afterTheSecondARunGoesOn(doneBefore: Int) throws {
    try box.folder.makeFolder("in")
    for index in 0..<40 {
      let noise = TestSignal.noise(seed: UInt64(index), amplitude: 0.25, frameCount: 4000)
      try Sound([noise], sampleRate: 8000).write(to: box("in/\(index).wav"), encoding: .pcm16)
    }
    let words = ["process", "-q", "--unit", "aufx:mrev:appl", "--tail", "5", "--jobs", "2"]
    let whole = try box.run(words + ["--output", "whole", "in"])
    try #require(whole.exitCode == 0, "\(whole.summary)")
    let child = try box.start(words + ["--output", "out", "in"])
    let wanted = doneBefore * 5
    _ = child.waits { box.names("out").count { $0.hasSuffix(".wav") } >= wanted }
    // Two of one kind may arrive as one.
    child.send(signal: SIGINT)
    child.send(signal: SIGTERM)
    let result = child.wait()
    // It may have come to its end; during the search for files, it does not handle signals yet.
    #expect([0, 130, nil].contains(result.exitCode), "\(result.summary)")
    // A finished file is not done again.
    let isWhole = box.names("out") == box.names("whole")
    let resumed = try box.run(words + ["--output", "out", "in"])
    #expect(resumed.exitCode == 0 || isWhole && resumed.exitCode == 74, "\(resumed.summary)")
    #expect(box.names("out") == box.names("whole"))
    for name in box.names("whole") {
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: box("out/\(name)")))
          == Data(contentsOf: URL(fileURLWithPath: box("whole/\(name)"))), "\(name)")
    }
  }

  @Test func whatWasDoneStays() throws {
    try Sound([TestSignal.silence(frameCount: 100)], sampleRate: 8000).write(to: box("0.wav"))
    let first = try box.run("process", "--unit", "aufx:lpas:appl", "--output", "out", "0.wav")
    #expect(first.exitCode == 0)
    let child = try startLongRun("a.wav", "b.wav")
    child.send(signal: SIGINT)
    #expect(child.wait().exitCode == 130)
    #expect(box.names("out") == ["0.wav"])
  }
}
