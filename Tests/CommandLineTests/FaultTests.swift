// Every system call of the commit path fails in turn: the run stops or goes on, and can be resumed.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct FaultTests {
  let box: Sandbox
  let library: TemporaryFolder

  init() throws {
    box = try Sandbox()
    library = try TemporaryFolder("auricle-faults")
    for index in 0..<4 {
      let noise = TestSignal.noise(seed: UInt64(index + 1), amplitude: 0.25, frameCount: 3000)
      let name = index % 2 == 0 ? "in/sub/f\(index).wav" : "in/f\(index).wav"
      try box.folder.makeFolder("in/sub")
      try Sound([noise]).write(to: box(name), encoding: .pcm16)
    }
    let arguments = [
      "-std=gnu11", "-shared", "-fPIC", "-O1",
      Places.inPackage("Tests/Fixtures/FaultInjection/faults.c"), "-o", library("faults.so"),
      "-ldl",
    ]
    let built = try (try? runProcess("cc", arguments)) ?? runProcess("clang", arguments)
    try #require(built.exitCode == 0, "\(built.summary)")
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    var call: String
    var error: Int32
    var testDescription: String { "\(call) \(error)" }
  }

  /// -1 kills after the call, 0 before it.
  static let faults: [Fault] = ["fsync", "fdatasync", "renameat2", "pwrite"]
    .flatMap { call in
      [ENOSPC, EIO, EACCES, EINTR, 0, -1].map { Fault(call: call, error: $0) }
    }

  private func results(_ folder: String) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try TemporaryNames.below(box(folder)) {
      found[name] = try Data(contentsOf: URL(fileURLWithPath: box(folder + "/" + name)))
    }
    return found
  }

  @Test(arguments: faults) func nothingIsLost(fault: Fault) throws {
    let chain = ["process", "--unit", "aufx:lpas:appl", "--jobs", "1"]
    let whole = try runAuricle(
      chain + ["--output", "reference", "in"], environment: box.environment, in: box.folder.path)
    try #require(whole.exitCode == 0, "\(whole.summary)")
    let expected = try results("reference")

    // The second call of its kind: something is done already, more is to come.
    for number in [2] {
      let out = "out\(number)"
      let command = chain + ["--output", out, "in"]
      let failed = try runAuricle(
        command,
        environment: box.environment.merging([
          "LD_PRELOAD": library("faults.so"),
          "AURICLE_TEST_FAULT": "\(fault.call) \(number) \(fault.error)",
        ]) { $1 }, in: box.folder.path)
      let isOrderly = failed.signal == SIGKILL || [0, 1, 74, 75].contains(failed.exitCode ?? -1)
      #expect(isOrderly, "\(number): \(failed.summary)")
      // Whatever happened: what has a name is whole.
      for (name, data) in try results(out) where !name.hasSuffix(".part") {
        #expect(data == expected[name], "\(number): \(name) is torn")
      }
      let again = try runAuricle(
        Self.continuation(chain, out, box),
        environment: box.environment, in: box.folder.path)
      #expect(again.exitCode == 0, "\(number): \(failed.summary) then \(again.summary)")
      #expect(try results(out) == expected, "\(number): \(failed.summary)")
      let verified = try box.run("verify", out)
      #expect(verified.exitCode == 0, "\(number): \(verified.summary)")
    }
  }

  /// Resumes where there is a run, begins where it never came to that.
  private static func continuation(_ chain: [String], _ out: String, _ box: Sandbox) -> [String] {
    let runs = box.folder(out + "/.auricle")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: runs)) ?? []
    let begun = names.contains {
      FileManager.default.fileExists(atPath: runs + "/\($0)/run.json")
    }
    return begun ? ["process", "--resume", out, "--jobs", "1"] : chain + ["--output", out, "in"]
  }
}
