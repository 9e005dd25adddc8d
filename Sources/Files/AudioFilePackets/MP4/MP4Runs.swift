// Samples that are stored as they are: the places of their stretches in an MP4 file, with any packets.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// Places of sound whose frames are all of one size.
enum MP4Runs {
  /// The most bytes of one sample of the table: it may hold many frames.
  private static let largestSample: UInt32 = 1 << 20

  /// Reads the tables of a track.
  ///
  /// - Returns: The number of frames.
  static func read(
    _ boxes: MP4Boxes, _ tables: MP4Box, _ file: PacketFile
  ) throws(AudioFileFailure) -> Int64 {
    let frame = Int64(file.format.mBytesPerPacket)
    let sizes = try MP4Tables.sampleSizes(boxes, tables)
    guard sizes.constant <= largestSample, sizes.each.allSatisfy({ $0 <= largestSample }) else {
      throw .broken
    }
    // If a sample is a frame, its declared size may be one byte.
    let constant = max(Int64(sizes.constant), frame)
    let end = try file.bytes.byteCount
    var runs = SoundRuns()
    var first = 0
    for chunk in try MP4Tables.chunks(boxes, tables) {
      let count = min(chunk.count, sizes.count - first)
      guard count > 0 else { break }
      let declared =
        sizes.each.isEmpty
        ? Int64(count) * constant : sizes.each[first..<(first + count)].reduce(0) { $0 + Int64($1) }
      // A file that was cut ends with its last whole frame.
      runs.append(chunk.start, count: max(0, min(declared, end - chunk.start)) / frame * frame)
      first += count
    }
    return try finish(runs, file)
  }

  /// Reads the fragments of a track that has any.
  ///
  /// - Returns: The number of frames.
  /// - Throws: `.dataFormat` in a stream; `.permission` for a file that is to be changed.
  static func read(
    _ scanner: MP4FragmentScanner, _ file: PacketFile
  ) throws(AudioFileFailure) -> Int64 {
    guard !file.bytes.isArriving else { throw .dataFormat }
    guard !file.isWritable else { throw .permission }
    let frame = Int64(file.format.mBytesPerPacket)
    let end = try file.bytes.byteCount
    // The samples in front of the fragments.
    var runs = file.runs ?? SoundRuns()
    if file.runs == nil { runs.append(file.soundOffset, count: file.soundByteCount) }
    while let found = try scanner.next(file.bytes, 0, end: end) {
      runs.append(found.start, count: Int64(found.size) / frame * frame)
    }
    return try finish(runs, file)
  }

  private static func finish(
    _ runs: SoundRuns, _ file: PacketFile
  ) throws(AudioFileFailure) -> Int64 {
    if file.bytes.isArriving, !runs.areInOrder { throw .notOptimized }
    if let start = runs.start {
      file.soundOffset = start
    } else {
      file.soundOffset = try file.bytes.byteCount
    }
    file.soundByteCount = runs.byteCount
    file.runs = runs.areOne ? nil : runs
    return runs.byteCount / Int64(file.format.mBytesPerPacket)
  }
}
