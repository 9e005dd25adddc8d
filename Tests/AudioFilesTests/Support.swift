// Shared helpers of this module's tests: a temporary folder, whole files written and read.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Foundation
import TestSupport

extension TemporaryFolder {
  func file(_ name: String) -> String { path + "/" + name }

  /// The names in the folder, in order, hidden ones too.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}

/// The whole content of a file.
func bytes(of path: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
}

/// Writes a file as it is.
func put(_ bytes: [UInt8], _ path: String) throws {
  try Data(bytes).write(to: URL(fileURLWithPath: path))
}

/// Writes a whole file in uneven slices; returns the writer after `finish`.
@discardableResult
func writeFile(
  _ path: String, _ channels: [[Float]], _ format: AudioFileFormat,
  metadata: AudioFileMetadata = .init(), overwrite: Bool = false, expected: Int? = nil
) throws -> AudioFileWriter {
  let writer = try AudioFileWriter(
    path: path, format: format, metadata: metadata, overwrite: overwrite,
    expectedFrameCount: expected)
  let total = channels.first?.count ?? 0
  var start = 0
  var slice = 1000
  while start < total {
    let end = min(total, start + slice)
    var part = channels.map { Array($0[start..<end]) }
    try unsafe withRows(&part) { rows in
      try unsafe writer.write(rows, frameCount: end - start)
    }
    start = end
    slice = slice * 3 % 20_011 + 1
  }
  try writer.finish()
  return writer
}

/// Reads a whole file in uneven slices.
func readFile(_ path: String) throws -> (channels: [[Float]], reader: AudioFileReader) {
  let reader = try AudioFileReader(path: path)
  var channels = [[Float]](repeating: [], count: reader.format.channelCount)
  var slice = 777
  while true {
    var part = [[Float]](
      repeating: [Float](repeating: 0, count: slice), count: channels.count)
    let count = try unsafe withRows(&part) { rows in
      try unsafe reader.read(into: rows, frameCount: slice)
    }
    for index in channels.indices { channels[index] += part[index].prefix(count) }
    if count < slice { break }
    slice = slice * 3 % 30_011 + 1
  }
  return (channels, reader)
}

/// The error that a body throws, if it is one of ours.
func failure(_ body: () throws -> Void) -> AuricleError? {
  do {
    try body()
    return nil
  } catch {
    return error as? AuricleError
  }
}
