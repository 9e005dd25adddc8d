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
      // In every case: a file under its final name is whole.
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

  /// Folders of results need room, too: no file fails for a full disk.
  @Test func aFolderThatFindsNoRoomStopsTheRun() throws {
    let chain = ["process", "--unit", "aufx:lpas:appl", "--jobs", "1"]
    let failed = try runAuricle(
      chain + ["--output", "out", "in"],
      environment: box.environment.merging([
        "LD_PRELOAD": library("faults.so"), "AURICLE_TEST_FAULT": "mkdirat 1 \(ENOSPC)",
      ]) { $1 }, in: box.folder.path)
    #expect(failed.exitCode == 75, "\(failed.summary)")
    #expect(failed.standardError.contains("cannot make the folder"), "\(failed.summary)")
    let resumed = try box.run("process", "--resume", "out")
    #expect(resumed.exitCode == 0, "\(resumed.summary)")
    #expect(try results("out").count == 4)
  }

  /// A unit that leaves its process no open files costs the file nothing but a second attempt.
  @Test(arguments: [Fault(call: "pwrite", error: EMFILE), Fault(call: "pwrite", error: EBADF)])
  func aWorkerWithoutOpenFilesIsReplaced(fault: Fault) throws {
    let result = try expectAllDespiteWorker(fault)
    #expect(result.standardError.contains("tried once more"), "\(result.summary)")
  }

  /// The checksum of a unit is not known then, which is no other unit.
  @Test func aUnitThatIsNotReadForAMomentIsNoOther() throws {
    try expectAllDespiteWorker(Fault(call: "pread", error: EIO), jobs: 2)
  }

  /// Expects the usual results from a run in which the first such call of a worker fails.
  @discardableResult
  private func expectAllDespiteWorker(_ fault: Fault, jobs: Int = 1) throws -> ProcessResult {
    let chain = ["process", "--unit", "aufx:lpas:appl", "--jobs", "\(jobs)"]
    try #require(try box.run(chain + ["--output", "reference", "in"]).exitCode == 0)
    let result = try runAuricle(
      chain + ["--output", "out", "in"],
      environment: box.environment.merging([
        "LD_PRELOAD": library("faults.so"), "AURICLE_TEST_FAULT": "\(fault.call) 1 \(fault.error)",
        "AURICLE_TEST_FAULT_WORKER": "1", "AURICLE_TEST_FAULT_MARK": box("struck"),
      ]) { $1 }, in: box.folder.path)
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(try results("out") == results("reference"))
    return result
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
