// Files done by a job as a worker does them: opened before, and named by somebody else.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioGraph
import AudioTypes
import AudioUnits
import FileRendering
import FileTestSupport
import Foundation
import Glibc
import ResultSettings
import TestSupport
import UnitChains

/// Opens the files of a job and does it.
enum FileBench {
  /// A descriptor of a file to read and write; nil where it cannot be opened.
  static func openForUpdate(_ path: String) -> Int32? {
    let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
    return descriptor >= 0 ? descriptor : nil
  }

  /// Closes a descriptor.
  static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

  /// Processes a file; remains of results stay.
  static func run(
    _ input: String, to outputs: [String], settings: JobSettings, units: [ChainStage],
    shouldStop: () -> Bool = { false }, observe: (JobProgress) -> Void = { _ in }
  ) throws -> FileResult {
    func create(_ path: String) throws -> Int32 {
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { throw AuricleError(.inputOutput, "no file \(path)") }
      return descriptor
    }
    let spoolPath = outputs[0] + ".spool"
    let spool = try create(spoolPath)
    try FileManager.default.removeItem(atPath: spoolPath)
    let files = try outputs.map(create)
    defer { (files + [spool]).forEach(close) }
    let job = FileJob(
      input: input, outputs: outputs, settings: settings,
      ends: OpenEnds(input: try InputFile.open(input), outputs: files, spool: spool)
    ) { request throws(AuricleError) in
      try UnitChain(
        stages: units, sampleRate: request.sampleRate, channelCount: request.channelCount,
        maximumFrames: request.maximumFrameCount)
    }
    return try job.run(shouldStop: shouldStop, observe: observe)
  }
}
