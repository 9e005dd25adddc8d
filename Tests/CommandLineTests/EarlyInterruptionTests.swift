// Ctrl-C before the first file: while inputs are searched, tried or listed.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct EarlyInterruptionTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try Sound([TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 800)], sampleRate: 8000)
      .write(to: box("a.wav"), encoding: .pcm16)
    unsafe mkfifo(box("list"), 0o600)
  }

  /// Starts a program and writes one name to the pipe that it reads its list from. Once that can be
  /// written, the program has opened it, and waits for more.
  private func startOnList(_ arguments: [String]) throws -> (ChildProcess, FileHandle) {
    let child = try box.start(arguments)
    var descriptor: Int32 = -1
    let isOpen = child.waits {
      descriptor = unsafe open(box("list"), O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      return descriptor >= 0
    }
    try #require(isOpen, "\(child.standardError)")
    let pipe = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try pipe.write(contentsOf: Data("a.wav\n".utf8))
    return (child, pipe)
  }

  @Test(arguments: [SIGINT, SIGTERM], [[], ["--dry-run"]])
  func whileAListIsRead(signal: Int32, more: [String]) throws {
    let (child, pipe) = try startOnList(
      ["process", "--unit", "aufx:lpas:appl", "--output", "out", "--from-file", "list"] + more)
    child.send(signal: signal)
    let result = child.wait()
    try pipe.close()
    #expect(result.exitCode == 130, "\(result.summary)")
    #expect(result.errorLines.count == 1, "\(result.summary)")
    #expect(
      result.standardError.contains("interrupted during the search for files")
        && result.standardError.contains("nothing was begun"), "\(result.summary)")
    #expect(!FileManager.default.fileExists(atPath: box("out")), "what never began leaves nothing")
  }

  /// A pipe that nobody writes to is waited for, and does not hold the program up.
  @Test func beforeAListCanBeRead() throws {
    let child = try box.start(
      "process", "--unit", "aufx:lpas:appl", "--output", "out", "--from-file", "list")
    // The folder of the run is made just before the list is opened, and signals are handled by then.
    try #require(child.waits { box.names("out/.auricle").count == 1 }, "\(child.standardError)")
    child.send(signal: SIGINT)
    let result = child.wait()
    #expect(result.exitCode == 130, "\(result.summary)")
    #expect(result.standardError.contains("nothing was begun"), "\(result.summary)")
  }

  /// A list that comes by a pipe in pieces is read to its end.
  @Test func aListThatComesInPieces() throws {
    let (child, pipe) = try startOnList(
      ["process", "-q", "--unit", "aufx:lpas:appl", "--output", "out", "--from-file", "list"])
    try Sound([TestSignal.silence(frameCount: 100)], sampleRate: 8000).write(to: box("b.wav"))
    try pipe.write(contentsOf: Data("b.w".utf8))
    try pipe.write(contentsOf: Data("av\n".utf8))
    try pipe.close()
    let result = child.wait()
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(box.names("out") == ["a.wav", "b.wav"])
  }
}
