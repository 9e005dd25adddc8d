// Failures of codecs, as the statuses of Core Audio's.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import CAudioToolbox
import CAuricleCodec

/// Makes the failures of codecs.
package enum CodecError {
  /// A format that no codec here accepts: 'fmt?'.
  package static func unsupported(
    _ format: AudioStreamBasicDescription, _ what: String
  ) -> AuricleError {
    AuricleError(
      .badData, status: kAudioConverterErr_FormatNotSupported,
      "\(what) \(name(of: format)) with \(format.mChannelsPerFrame) channels at "
        + "\(format.mSampleRate) Hz")
  }

  /// The failure of a status of the codec library: '!dat' for unsupported data, 'bada' for damaged
  /// data.
  static func library(_ status: Int32, _ what: String) -> AuricleError {
    switch UInt32(bitPattern: status) {
    case kAuricleCodecUnsupported.rawValue:
      AuricleError(
        .badData, status: kAudioCodecUnsupportedFormatError, "\(what): its format is not supported")
    case kAuricleCodecOutOfMemory.rawValue:
      AuricleError(.software, status: kAudio_MemFullError, "\(what): memory is short")
    default:
      AuricleError(.badData, status: kAudioCodecBadDataError, "\(what): a packet is damaged")
    }
  }

  /// The code of a format.
  static func name(of format: AudioStreamBasicDescription) -> String {
    "\(FourCharacterCode(rawValue: format.mFormatID))"
  }
}
