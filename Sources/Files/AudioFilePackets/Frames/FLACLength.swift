// The length of a FLAC file's sound whose header does not declare it.
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
