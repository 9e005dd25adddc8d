// Bounds of the size of packets that were not read yet.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// Sizes of packets.
package enum PacketSizes {
  /// The largest packet that a format can have, in bytes.
  package static func largest(_ format: AudioStreamBasicDescription) -> Int {
    if format.mBytesPerPacket > 0 { return Int(format.mBytesPerPacket) }
    let channels = Int(max(1, format.mChannelsPerFrame))
    let frames = Int(format.mFramesPerPacket == 0 ? 4608 : format.mFramesPerPacket)
    switch format.mFormatID {
    case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2,
      kAudioFormatMPEG4AAC_LD, kAudioFormatMPEG4AAC_ELD:
      return 768 * channels
    case kAudioFormatAppleLossless, kAudioFormatFLAC:
      return frames * channels * 4 + 64 + 16 * channels
    case kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3: return 2881
    case kAudioFormatAC3: return 3840
    case kAudioFormatEnhancedAC3: return 4096
    case kAudioFormatOpus: return 1277 * channels + 2
    case kAudioFormatAMR: return 32
    case kAudioFormatAMR_WB: return 61
    default: return 8192 * channels + 512
    }
  }
}
