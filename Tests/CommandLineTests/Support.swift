// Shared by the tests of the command line: separate folders, results of commands.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import TestSupport

/// Whether the system has pseudo-terminals; a folder that a program is confined to may lack them.
let hasTerminals = FileManager.default.fileExists(atPath: "/dev/pts/ptmx")

/// A folder for one test, and an environment that does not see the user's own files.
final class Sandbox: Sendable {
  let folder: TemporaryFolder

  /// One cache for all tests, filled once: the LV2 plug-ins are the same for all.
  static let cache: String = {
    let path = Places.builtProducts + "/test-cache"
    _ = try? runAuricle(["list"], environment: ["XDG_CACHE_HOME": path])
    return path
  }()

  init() throws {
    folder = try TemporaryFolder("auricle-cli")
  }

  /// A path in the folder.
  func callAsFunction(_ name: String) -> String { folder(name) }

  var environment: [String: String?] {
    [
      "HOME": folder("home"), "XDG_CONFIG_HOME": nil, "XDG_CACHE_HOME": Self.cache, "LV2_PATH": nil,
      "AURICLE_COMPONENT_PATH": nil, "COLUMNS": "80", "TERM": "dumb",
    ]
  }

  /// Runs the program in the folder.
  func run(_ arguments: [String]) throws -> ProcessResult {
    try runAuricle(arguments, environment: environment, in: folder.path)
  }

  /// Runs the program in the folder.
  func run(
    _ arguments: String..., environment more: [String: String?] = [:],
    timeLimitSeconds: Double = ChildProcess.timeLimitSeconds
  ) throws -> ProcessResult {
    try runAuricle(
      arguments, environment: environment.merging(more) { $1 }, in: folder.path,
      timeLimitSeconds: timeLimitSeconds)
  }

  /// Puts short sounds into the folder `in`: `0.wav`, `1.wav` and so on, no two alike.
  func makeSounds(_ count: Int) throws {
    try folder.makeFolder("in")
    for index in 0..<count {
      let noise = TestSignal.noise(seed: UInt64(index + 1), amplitude: 0.25, frameCount: 2000)
      try Sound([noise]).write(to: folder("in/\(index).wav"), encoding: .pcm16)
    }
  }

  /// Noise as `NAME.wav`, and the same as `b.wav` with one sample that hostile units wait for.
  func makeSounds(_ names: String...) throws {
    var noise = TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 4800)
    for name in names { try Sound([noise]).write(to: folder("\(name).wav")) }
    noise[1234] = 0.95
    try Sound([noise]).write(to: folder("b.wav"))
  }

  /// Starts the program in the folder.
  func start(_ arguments: String...) throws -> ChildProcess { try start(arguments) }

  /// Starts the program in the folder.
  func start(_ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(Places.auricle, arguments, environment: environment, in: folder.path)
  }

  /// Waits until a program writes its first result into a folder.
  func waitForFirstResult(of child: ChildProcess, in name: String) -> Bool {
    child.waits { names(name).contains { $0.hasSuffix(".part") } }
  }

  /// All names in a folder, hidden ones too, but for the ledger's; empty when there is none.
  func names(_ name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder(name))) ?? [])
      .filter { $0 != ".auricle" }.sorted()
  }
}

extension ProcessResult {
  /// The lines of standard error.
  var errorLines: [String] {
    standardError.split(separator: "\n").map(String.init)
  }

  /// The lines of standard output.
  var lines: [String] {
    standardOutput.split(separator: "\n").map(String.init)
  }

  /// Standard output as JSON.
  var json: Any {
    get throws { try JSONSerialization.jsonObject(with: Data(standardOutput.utf8)) }
  }

  /// Standard output as one JSON object a line.
  var jsonLines: [[String: Any]] {
    get throws {
      try lines.map {
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
      }
    }
  }

  /// The lines for files that are accounted for.
  var fileLines: [[String: Any]] {
    get throws { try jsonLines.filter { $0["event"] as? String == "file" } }
  }
}
