// The length of a FLAC file's sound by its last frame: where its header does not declare it, and where it is wrong.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// The length of a stream that its encoder could not write into the header: its last frame says it.
enum FLACLength {
  /// Reads the last block's surplus, in a file of blocks of one length without a number of frames.
  static func read(_ file: PacketFile) throws(AudioFileFailure) {
    let block = Int64(file.format.mFramesPerPacket)
    guard file.trim == nil, block > 0, !file.bytes.isArriving,
      let scanner = file.scanner as? FLACScanner,
      let last = try lastFrame(file, reach: Int(scanner.bound) + 1 << 16)
    else { return }
    let valid = Int64(clamping: last.number) * block + Int64(last.frames)
    file.trim = AudioFilePacketTableInfo(
      mNumberValidFrames: valid, mPrimingFrames: 0,
      mRemainderFrames: Int32(clamping: block - Int64(last.frames)))
  }

  /// The header of the frame that the sound ends with: its checksum of all bytes up to there is right.
  private static func lastFrame(
    _ file: PacketFile, reach: Int
  ) throws(AudioFileFailure) -> FLACFrameHeader? {
    let end = file.soundOffset + file.soundByteCount
    let start = max(file.soundOffset, end - Int64(reach))
    let bytes = try file.bytes.bytes(at: start, count: Int(end - start))
    for place in bytes.indices.reversed() where bytes[place] == 0xFF {
      guard let header = FLACFrameHeader(Array(bytes[place...].prefix(16))) else { continue }
      // Over a frame with its sum, the sum is 0.
      if checksum(bytes[place...]) == 0 { return header }
    }
    return nil
  }

  /// Describes a sound that ends elsewhere than its header declares, or within a frame; nil for a whole one.
  static func problem(_ file: PacketFile) throws(AudioFileFailure) -> String? {
    guard let scanner = file.scanner as? FLACScanner, !file.bytes.isArriving else { return nil }
    let promised = file.trim?.mNumberValidFrames
    let end = file.soundOffset + file.soundByteCount
    let start = max(file.soundOffset, end - Int64(scanner.bound) - 1 << 16)
    let bytes = try file.bytes.bytes(at: start, count: Int(end - start))
    for place in bytes.indices.reversed() where bytes[place] == 0xFF {
      guard let header = FLACFrameHeader(Array(bytes[place...].prefix(16))) else { continue }
      guard endsWithSum(bytes[place...]) else { return "it is cut short within its last frame" }
      guard let promised else { return nil }
      let block = scanner.isFixed ? Int64(file.format.mFramesPerPacket) : 1
      let found = Int64(clamping: header.number) * block + Int64(header.frames)
      return found == promised
        ? nil : "it ends at frame \(found), but its header promises \(promised) frames"
    }
    guard start == file.soundOffset else { return nil }
    return promised.map { "it ends at frame 0, but its header promises \($0) frames" }
  }

  /// Whether a frame ends somewhere in the bytes that it begins: up to there, the sum of all is 0.
  private static func endsWithSum(_ bytes: ArraySlice<UInt8>) -> Bool {
    let table = table
    var sum: UInt16 = 0
    for (count, byte) in bytes.enumerated() {
      sum = sum << 8 ^ table[Int(sum >> 8) ^ Int(byte)]
      if sum == 0, count >= 9 { return true }
    }
    return false
  }

  private static let table: [UInt16] = (0..<256).map { index in
    (0..<8).reduce(UInt16(index) << 8) { value, _ in
      value & 0x8000 != 0 ? value << 1 ^ 0x8005 : value << 1
    }
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
    let table = table
    return bytes.reduce(0) { $0 << 8 ^ table[Int($0 >> 8) ^ Int($1)] }
  }
}
