// The steps of a start: processes, libraries, open files, bytes read, formats that libsndfile is asked about.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import TestSupport
import Testing

/// Counts of commands, with the bounds of `Tests/Fixtures/StartCounts/bounds.tsv`.
@Suite struct StartTests {
  let box: Sandbox
  let library: TemporaryFolder

  init() throws {
    box = try Sandbox()
    library = try TemporaryFolder("auricle-starts")
    let noise = TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 4800)
    try Sound([noise]).write(to: box("in.wav"), encoding: .pcm16)
    let arguments = [
      "-std=gnu11", "-shared", "-fPIC", "-O1",
      Places.inPackage("Tests/Fixtures/StartCounts/counts.c"), "-o", library("counts.so"), "-ldl",
    ]
    let built = try (try? runProcess("cc", arguments)) ?? runProcess("clang", arguments)
    try #require(built.exitCode == 0, "\(built.summary)")
  }

  struct Bounds: Sendable, CustomTestStringConvertible {
    var command: String
    var most: [UInt64]
    var testDescription: String { command }
  }

  static let names = ["processes", "libraries", "files", "bytes", "formats"]

  static let bounds: [Bounds] = {
    let path = Places.inPackage("Tests/Fixtures/StartCounts/bounds.tsv")
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").dropFirst().map { line in
      let fields = line.split(separator: "\t")
      return Bounds(command: String(fields[0]), most: fields.dropFirst().compactMap { UInt64($0) })
    }
  }()

  @Test func everyCommandHasBounds() {
    #expect(Self.bounds.count == 4 && Self.bounds.allSatisfy { $0.most.count == Self.names.count })
  }

  @Test(arguments: bounds) func staysWithinItsBounds(bounds: Bounds) throws {
    let words = bounds.command.split(separator: " ").map(String.init)
    // The first start fills the caches.
    let first = try runAuricle(words, environment: box.environment, in: box.folder.path)
    try #require(first.exitCode == 0, "\(first.summary)")
    let counts = URL(fileURLWithPath: box("counts"))
    try Data(count: 8 * Self.names.count).write(to: counts)
    let environment = box.environment.merging([
      "LD_PRELOAD": library("counts.so"), "AURICLE_TEST_COUNTS": counts.path,
    ]) { $1 }
    let second = try runAuricle(words, environment: environment, in: box.folder.path)
    try #require(second.exitCode == 0, "\(second.summary)")
    let bytes = try Data(contentsOf: counts)
    for (index, name) in Self.names.enumerated() {
      let field = bytes[8 * index..<8 * index + 8]
      let count = field.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      #expect(count <= bounds.most[index], "\(name) of auricle \(bounds.command)")
      if index == 0 { #expect(count > 0, "nothing was counted") }
    }
  }
}
