// The tables of a track: sizes, chunks and durations become a table of packets.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// 'stsz', 'stsc', 'stco' and 'stts' of a track.
enum MP4Tables {
  /// Reads the tables into a file's packets.
  ///
  /// - Returns: The frames that the durations sum up to.
  static func read(
    _ boxes: MP4Boxes, _ tables: MP4Box, _ file: PacketFile
  ) throws(AudioFileFailure) -> Int64 {
    if file.format.mBytesPerPacket > 0 { return try MP4Runs.read(boxes, tables, file) }
    let sizes = try packetSizes(boxes, tables, mostBytes: file.bytes.byteCount)
    let end = try file.bytes.byteCount
    var table = PacketTable()
    var first = 0
    reading: for chunk in try chunks(boxes, tables) {
      var place = chunk.start
      for _ in 0..<chunk.count {
        guard first < sizes.count else { break reading }
        // A file that was cut ends with its last whole packet.
        guard place + Int64(sizes[first]) <= end else { break reading }
        table.append(start: place, size: sizes[first])
        place += Int64(sizes[first])
        first += 1
      }
    }
    file.soundOffset = table.starts.first ?? end
    file.soundByteCount = table.sizes.reduce(0) { $0 + Int64($1) }
    file.table = table
    return try mediaFrames(boxes, tables, file, packetCount: table.count)
  }

  private static func packetSizes(
    _ boxes: MP4Boxes, _ tables: MP4Box, mostBytes: Int64
  ) throws(AudioFileFailure) -> [UInt32] {
    let sizes = try sampleSizes(boxes, tables)
    guard sizes.constant > 0 else { return sizes.each }
    guard sizes.count <= 1 << 24, Int64(sizes.count) * Int64(sizes.constant) <= mostBytes else {
      throw .broken
    }
    return [UInt32](repeating: sizes.constant, count: sizes.count)
  }

  /// The number of the track's samples, and the size of all of them or of each.
  static func sampleSizes(
    _ boxes: MP4Boxes, _ tables: MP4Box
  ) throws(AudioFileFailure) -> (constant: UInt32, count: Int, each: [UInt32]) {
    var each: [UInt32] = []
    if let box = try boxes.box(["stsz"], in: tables) {
      var reader = ByteReader(try boxes.body(box, skipping: 4), bigEndian: true)
      let constant = reader.u32()
      let count = Int(reader.u32())
      if constant > 0 { return (constant, count, []) }
      each = (0..<min(count, reader.remaining / 4)).map { _ in reader.u32() }
    } else {
      var reader = ByteReader(
        try boxes.body(boxes.box(["stz2"], in: tables), skipping: 4), bigEndian: true)
      let width = reader.u32()
      let count = Int(reader.u32())
      switch width {
      case 16: each = (0..<min(count, reader.remaining / 2)).map { _ in UInt32(reader.u16()) }
      case 8: each = (0..<min(count, reader.remaining)).map { _ in UInt32(reader.u8()) }
      default: throw .broken
      }
    }
    return (0, each.count, each)
  }

  /// Returns the start of each chunk, and its number of samples.
  static func chunks(
    _ boxes: MP4Boxes, _ tables: MP4Box
  ) throws(AudioFileFailure) -> [(start: Int64, count: Int)] {
    let offsets = try chunkOffsets(boxes, tables)
    var runs = ByteReader(
      try boxes.body(boxes.box(["stsc"], in: tables), skipping: 4), bigEndian: true)
    let runCount = min(Int(runs.u32()), runs.remaining / 12)
    var perChunk = 0
    var next = runCount > 0 ? Int(runs.u32()) - 1 : Int.max
    var runsRead = 0
    return offsets.enumerated().map { chunk, offset in
      if chunk == next {
        perChunk = Int(runs.u32())
        runs.skip(4)
        runsRead += 1
        next = runsRead < runCount ? Int(runs.u32()) - 1 : .max
      }
      return (offset, perChunk)
    }
  }

  private static func chunkOffsets(
    _ boxes: MP4Boxes, _ tables: MP4Box
  ) throws(AudioFileFailure) -> [Int64] {
    if let box = try boxes.box(["stco"], in: tables) {
      var reader = ByteReader(try boxes.body(box, skipping: 4), bigEndian: true)
      let count = Int(reader.u32())
      return (0..<min(count, reader.remaining / 4)).map { _ in Int64(reader.u32()) }
    }
    var reader = ByteReader(
      try boxes.body(boxes.box(["co64"], in: tables), skipping: 4), bigEndian: true)
    let count = Int(reader.u32())
    let offsets = (0..<min(count, reader.remaining / 8)).map { _ in reader.s64() }
    guard offsets.allSatisfy({ $0 >= 0 && $0 < 1 << 60 }) else { throw .broken }
    return offsets
  }

  /// The sum of the durations, in frames of the format.
  private static func mediaFrames(
    _ boxes: MP4Boxes, _ tables: MP4Box, _ file: PacketFile, packetCount: Int
  ) throws(AudioFileFailure) -> Int64 {
    var reader = ByteReader(
      try boxes.body(boxes.box(["stts"], in: tables), skipping: 4), bigEndian: true)
    let count = min(Int(reader.u32()), reader.remaining / 8)
    var (sum, left, common) = (Int64(0), Int64(packetCount), Int64(0))
    for index in 0..<count where left > 0 {
      let packets = min(left, Int64(reader.u32()))
      let ticks = Int64(reader.u32())
      if index == 0 { common = ticks }
      if index == 0, file.format.mFormatID == kAudioFormatOpus, (120...5760).contains(ticks) {
        file.format.mFramesPerPacket = UInt32(ticks)
      }
      sum += packets * ticks
      left -= packets
    }
    let frames = Int64(file.format.mFramesPerPacket)
    // Ticks are frames where a packet has as many: another scale does not describe the last one
    // exactly.
    return common == frames && left == 0 ? sum : Int64(packetCount) * frames
  }
}
