// The chunk 'pakt' of CAF: the length of each packet, and the frames to drop at both ends.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// Numbers of seven bits a byte, one or two for each packet.
enum CAFPacketTable {
  private static let headSize = 24

  /// Reads the chunk into a file's table and trim.
  static func read(_ bytes: [UInt8], _ file: PacketFile) throws(AudioFileFailure) {
    var reader = ByteReader(bytes, bigEndian: true)
    let count = reader.s64()
    let valid = reader.s64()
    let (priming, remainder) = (reader.s32(), reader.s32())
    guard !reader.isPastEnd, count >= 0, valid >= 0, priming >= 0, remainder >= 0 else {
      throw .broken
    }
    file.trim = AudioFilePacketTableInfo(
      mNumberValidFrames: valid, mPrimingFrames: priming, mRemainderFrames: remainder)
    let format = file.format
    let (variesInSize, variesInFrames) = (format.mBytesPerPacket == 0, format.mFramesPerPacket == 0)
    guard variesInSize || variesInFrames else { return }
    var position = headSize
    var table = PacketTable()
    var start = file.soundOffset
    let end = file.soundOffset + file.soundByteCount
    for _ in 0..<count {
      var size = format.mBytesPerPacket
      var frames: UInt32?
      if variesInSize {
        guard let value = number(bytes, &position) else { break }
        size = value
      }
      if variesInFrames {
        guard let value = number(bytes, &position) else { break }
        frames = value
      }
      // A sound that was cut ends with its last whole packet.
      guard start + Int64(size) <= end else { break }
      table.append(start: start, size: size, frames: frames)
      start += Int64(size)
    }
    file.table = table
    try cutOff(file, count - Int64(table.count))
    try findLosslessEnd(file)
    try readFLACBlocks(file)
  }

  /// Ends the sound with the last packet that is there, where others are lost.
  private static func cutOff(_ file: PacketFile, _ lost: Int64) throws(AudioFileFailure) {
    guard lost > 0, !file.bytes.isArriving, let trim = file.trim else { return }
    file.lostPacketCount = lost
    let priming = min(Int64(trim.mPrimingFrames), try file.totalFrameCount())
    let left = try file.totalFrameCount() - priming
    file.trim = AudioFilePacketTableInfo(
      mNumberValidFrames: min(trim.mNumberValidFrames, left), mPrimingFrames: Int32(priming),
      mRemainderFrames: Int32(clamping: max(0, left - trim.mNumberValidFrames)))
  }

  /// Reads the lengths of FLAC's packets from the packets themselves, where the file has others; packets of nothing,
  /// which some writers add, do not count.
  private static func readFLACBlocks(_ file: PacketFile) throws(AudioFileFailure) {
    guard file.format.mFormatID == kAudioFormatFLAC, file.format.mFramesPerPacket > 0,
      !file.bytes.isArriving, var table = file.table
    else { return }
    while let size = table.sizes.last, size == 0 { table.cut(to: table.count - 1) }
    guard let first = table.starts.first, let last = table.starts.last,
      let longest = try FLACFrameHeader(file.bytes, first)?.frames,
      let rest = try FLACFrameHeader(file.bytes, last)?.frames,
      table.count > 1 ? longest != file.format.mFramesPerPacket : table.count != file.table?.count
    else { return }
    file.table = table
    file.format.mFramesPerPacket = longest
    file.trim = AudioFilePacketTableInfo(
      mNumberValidFrames: Int64(table.count - 1) * Int64(longest) + Int64(rest), mPrimingFrames: 0,
      mRemainderFrames: Int32(longest) - Int32(rest))
  }

  /// Reads from the last packet of Apple lossless how much of it is sound, where the chunk counts all of it.
  private static func findLosslessEnd(_ file: PacketFile) throws(AudioFileFailure) {
    let frames = Int64(file.format.mFramesPerPacket)
    guard file.format.mFormatID == kAudioFormatAppleLossless, frames > 0,
      !file.bytes.isArriving, let trim = file.trim,
      trim.mPrimingFrames == 0, trim.mRemainderFrames == 0, let table = file.table,
      table.count > 0, trim.mNumberValidFrames == Int64(table.count) * frames
    else { return }
    let last = table.count - 1
    let bytes = try file.bytes.bytes(at: table.starts[last], count: 7)
    guard bytes.count == 7, table.sizes[last] >= 7 else { return }
    let head = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    // The first 19 of the 56 bits are the tag of an element. The next one says whether a number of
    // frames follows three more.
    guard head >> 36 & 1 == 1 else { return }
    let valid = Int64(head >> 1 & 0xFFFF_FFFF)
    guard valid > 0, valid < frames else { return }
    file.trim = AudioFilePacketTableInfo(
      mNumberValidFrames: trim.mNumberValidFrames - frames + valid, mPrimingFrames: 0,
      mRemainderFrames: Int32(frames - valid))
  }

  /// A number, most significant bits first; nil at the end, or when it is too large.
  private static func number(_ bytes: [UInt8], _ position: inout Int) -> UInt32? {
    var value: UInt64 = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      value = value << 7 | UInt64(byte & 0x7F)
      guard value <= UInt32.max else { return nil }
      if byte & 0x80 == 0 { return UInt32(value) }
    }
    return nil
  }

  private static func put(_ value: UInt32, _ bytes: inout [UInt8]) {
    for shift in stride(from: 28, to: 0, by: -7) where value >> shift != 0 {
      bytes.append(UInt8(value >> shift & 0x7F) | 0x80)
    }
    bytes.append(UInt8(value & 0x7F))
  }

  /// The chunk of a file.
  static func bytes(_ file: PacketFile) throws(AudioFileFailure) -> [UInt8] {
    let table = file.table
    let trim = try file.presentTrim()
    var writer = ByteWriter(bigEndian: true)
    writer.put(Int64(table?.count ?? 0))
    writer.put(trim.mNumberValidFrames)
    writer.put(trim.mPrimingFrames)
    writer.put(trim.mRemainderFrames)
    var bytes = writer.bytes
    guard let table else { return bytes }
    for index in 0..<table.count {
      if file.format.mBytesPerPacket == 0 { put(table.sizes[index], &bytes) }
      if file.format.mFramesPerPacket == 0 { put(table.frames[index], &bytes) }
    }
    return bytes
  }
}
