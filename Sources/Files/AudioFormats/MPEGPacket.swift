// The format that the header of an MPEG packet tells: layers 1 to 3, and AAC in ADTS.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// Formats of packets that tell theirs.
package enum MPEGPacket {
  /// The format of a packet by its first four bytes; nil for other bytes.
  package static func format(_ bytes: [UInt8]) -> AudioStreamBasicDescription? {
    guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return nil }
    var format = AudioStreamBasicDescription()
    let layer = 4 - Int(bytes[1] >> 1 & 3)
    if layer == 4 {
      let rate = Int(bytes[2] >> 2 & 15)
      guard bytes[1] & 0xF0 == 0xF0, rate < ElementaryStream.rates.count else { return nil }
      let channels = UInt32(bytes[2] & 1) << 2 | UInt32(bytes[3] >> 6)
      format.mFormatID = kAudioFormatMPEG4AAC
      format.mFormatFlags = UInt32(bytes[2] >> 6) + 1
      format.mSampleRate = ElementaryStream.rates[rate]
      format.mFramesPerPacket = 1024
      format.mChannelsPerFrame = channels == 7 ? 8 : channels
      return format
    }
    // Version: 0 is 2.5, 1 reserved, 2 is 2, 3 is 1.
    let version = Int(bytes[1] >> 3 & 3)
    let rate = Int(bytes[2] >> 2 & 3)
    guard version != 1, rate < 3, bytes[2] >> 4 != 15 else { return nil }
    let divisor = version == 3 ? 1.0 : version == 2 ? 2 : 4
    format.mFormatID =
      [kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3][layer - 1]
    format.mSampleRate = [44_100.0, 48_000, 32_000][rate] / divisor
    format.mFramesPerPacket = layer == 1 ? 384 : layer == 3 && version != 3 ? 576 : 1152
    format.mChannelsPerFrame = bytes[3] >> 6 == 3 ? 1 : 2
    return format
  }
}
