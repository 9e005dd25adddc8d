// The packets in the sound chunk of WAVE: it may end within one of them, or behind the last.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileParsing
import AudioFileSyntax
import CAudioToolbox

/// The end of the last whole packet in a chunk.
enum ChunkPackets {
  /// Whether a file has blocks of one size, each of several frames.
  static func isOfBlocks(_ file: PacketFile) -> Bool {
    file.type == kAudioFileWAVEType && file.format.mBytesPerPacket > 0
      && file.format.mFramesPerPacket > 1
  }

  static func repair(_ repairs: inout FileRepairs) -> String? {
    if let packets = repairs.packets, packets.lostPacketCount > 0 {
      return "it is cut short: \(packets.lostPacketCount) packets of its table are missing"
    }
    guard let packets = repairs.packets, packets.type == kAudioFileWAVEType,
      let extent = repairs.extent, extent.length == .stored
    else { return nil }
    if isOfBlocks(packets) { return blockProblem(packets, extent) }
    guard isOfFrames(packets), let last = try? packets.packetStretches().last else { return nil }
    let (body, end) = (Int(extent.body), Int(last.end - packets.origin))
    let rest = Int(extent.start + extent.byteCount) - end
    guard rest > 0, end > body else { return nil }
    // The decoder reads each byte of the chunk as part of a frame.
    let size = (0..<4).map { UInt8(truncatingIfNeeded: (end - body) >> (8 * $0)) }
    repairs.offer([FileStream.Patch(offset: body - 4, removed: 4, bytes: size)])
    let bytes = repairs.stream.bytes(at: end, count: min(rest, 64))
    if bytes.allSatisfy({ $0 == 0 }) { return nil }
    let isFrame = bytes.first == 0xFF || bytes.starts(with: [0x0B, 0x77])
    return isFrame
      ? "it is cut short within its last frame"
      : "\(rest) bytes that are no frame follow its last frame"
  }

  /// Whether a codec reads frames that differ in size.
  private static func isOfFrames(_ file: PacketFile) -> Bool {
    [
      kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatAC3, kAudioFormatEnhancedAC3,
    ].contains(file.format.mFormatID)
  }

  /// Describes sound that ends within a block, of which a part alone would be sound.
  private static func blockProblem(_ file: PacketFile, _ extent: SoundExtent) -> String? {
    let size = Int64(file.format.mBytesPerPacket)
    let rest = extent.byteCount % size
    // One byte makes the size of a chunk even.
    guard rest > 1 else { return nil }
    return "it is cut short: \(size - rest) of \(size) bytes of its last block are missing"
  }
}
