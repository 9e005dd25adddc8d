// The header of Opus, as Ogg and as MP4 store it, and the lengths of its packets.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// 'OpusHead': channels, frames to drop in front, the rate of the source.
package struct OpusHead {
  /// The header as Ogg keeps it: the cookie.
  package let bytes: [UInt8]
  private static let magic = Array("OpusHead".utf8)

  /// A header of bytes; nil when they are none.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= 19, bytes.starts(with: Self.magic), bytes[8] >> 4 == 0, bytes[9] > 0
    else { return nil }
    self.bytes = bytes
  }

  /// The header in the body of the box 'dOps': the same fields, largest byte first; nil when it is none.
  package init?(boxBody body: [UInt8]) {
    guard body.count >= 11, body[1] > 0 else { return nil }
    self.init(
      Self.magic + [1, body[1]] + body[2..<4].reversed() + body[4..<8].reversed()
        + body[8..<10].reversed() + body[10...])
  }

  /// A plain header, of one or two channels.
  package init(channels: UInt8, priming: UInt16, sourceRate: UInt32) {
    var writer = ByteWriter(bigEndian: false)
    writer.put(bytes: Self.magic + [1, channels])
    writer.put(priming)
    writer.put(sourceRate)
    writer.put(bytes: [0, 0, 0])
    bytes = writer.bytes
  }

  /// The body of the box 'dOps'.
  package var boxBody: [UInt8] {
    [0, bytes[9]] + bytes[10..<12].reversed() + bytes[12..<16].reversed()
      + bytes[16..<18].reversed() + bytes[18...]
  }

  /// The number of channels.
  package var channelCount: UInt32 { UInt32(bytes[9]) }

  /// The rate of the sound that the stream was made from, in Hz; 0 where nobody knows.
  package var sourceRate: UInt32 {
    bytes[12..<16].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Frames at 48 kHz to drop in front.
  package var priming: Int32 { Int32(bytes[10]) | Int32(bytes[11]) << 8 }

  /// The order of three channels and more, as Vorbis has it; nil where one or two say it themselves.
  package var layoutTag: UInt32? {
    bytes[18] == 1 ? VorbisSetup.layoutTag(channelCount) : nil
  }

  /// The frames at 48 kHz of a packet; nil for one that is broken.
  package static func frames(of packet: some Collection<UInt8>) -> UInt32? {
    guard let first = packet.first else { return nil }
    let config = Int(first >> 3)
    let frame: UInt32 =
      config < 12
      ? [480, 960, 1920, 2880][config & 3]
      : config < 16 ? [480, 960][config & 1] : [120, 240, 480, 960][config & 3]
    switch first & 3 {
    case 0: return frame
    case 1, 2: return 2 * frame
    default:
      guard let second = packet.dropFirst().first else { return nil }
      let count = UInt32(second & 0x3F)
      return count > 0 && count * frame <= 5760 ? count * frame : nil
    }
  }

  /// The format of packets of a number of frames; 0 where they differ.
  package func format(frames: UInt32) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: 48000, mFormatID: kAudioFormatOpus, mFormatFlags: 0, mBytesPerPacket: 0,
      mFramesPerPacket: frames, mBytesPerFrame: 0, mChannelsPerFrame: channelCount,
      mBitsPerChannel: 0, mReserved: 0)
  }
}
