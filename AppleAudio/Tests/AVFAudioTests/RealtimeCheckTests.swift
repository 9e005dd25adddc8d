// The check of render blocks: what a block does that it may not is reported with its line.
// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import Testing

/// Whether this process is the one that a test starts with the check.
private let isChecked = ProcessInfo.processInfo.environment["AURICLE_REALTIME_CHECK"] == "1"

struct RealtimeCheckTests {
  /// Renders with a block that allocates, where it is said, and locks.
  private func renderBadly() throws {
    let offline = try Offline()
    let lock = NSLock()
    nonisolated(unsafe) var kept: [[Float]] = []
    let source = AVAudioSourceNode { _, _, frames, list in
      kept.append([Float](repeating: 0, count: Int(frames)))  // the line that allocates
      lock.lock()  // the line that waits
      lock.unlock()
      return noErr
    }
    offline.engine.attach(source)
    offline.engine.connect(source, to: offline.engine.mainMixerNode, format: standard())
    try offline.engine.start()
    _ = try offline.render(4_096)
  }

  @Test(.enabled(if: isChecked)) func aProcessWithTheCheck() throws { try renderBadly() }

  @Test("Allocations and locks of a block are reported once each, with file and line")
  func reports() throws {
    try #require(!isChecked)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = [
      "--testing-library", "swift-testing", "--filter",
      "RealtimeCheckTests/aProcessWithTheCheck",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging([
      "AURICLE_REALTIME_CHECK": "1"
    ]) { $1 }
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let text = String(
      decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let lines = try String(contentsOfFile: #filePath, encoding: .utf8).components(separatedBy: "\n")
    let reports = text.split(separator: "\n").filter { $0.hasPrefix("auricle: ") }
    for (mark, verb) in [
      ("that allocates", "allocates memory"), ("that waits", "waits for a lock"),
    ] {
      let line = try #require(lines.firstIndex { $0.hasSuffix("the line " + mark) }) + 1
      let found = reports.filter { $0.contains("RealtimeCheckTests.swift:\(line) \(verb)") }
      #expect(!found.isEmpty && Set(found).count == found.count, "\(text)")
    }
  }
}
