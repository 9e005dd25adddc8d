// The formats that packets can be decoded from and encoded to: one table for every service that lists them.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// A format of packets with a codec.
package struct KnownCodec: Sendable {
  /// The format.
  package let id: AudioFormatID
  /// The name that the codec library has for the encoding.
  package let encoding: String
  /// The sample rates that it is encoded at; empty for any.
  package let sampleRates: [Double]
  /// The numbers of channels that it is encoded with; empty for any.
  package let channelCounts: [UInt32]
  /// The numbers of channels that are decoded; empty for any.
  package let decodedChannelCounts: [UInt32]
  /// Whether nothing else than this program's own code is needed.
  package let isOwn: Bool
  private let isEncoded: Bool

  private init(
    _ id: AudioFormatID, _ encoding: String, encoded: Bool = false, own: Bool = false,
    rates: [Double] = [], channels: ClosedRange<UInt32>, encodedChannels: [UInt32]? = nil
  ) {
    self.id = id
    self.encoding = encoding
    isEncoded = encoded
    isOwn = own
    sampleRates = rates
    decodedChannelCounts = Array(channels)
    channelCounts = encoded ? encodedChannels ?? Array(channels) : []
  }

  /// Whether it can be decoded now.
  package var isDecodable: Bool {
    isOwn || CodecLibrary.encodings.decoded.contains(encoding)
  }

  /// Whether it can be encoded now.
  package var isEncodable: Bool {
    isEncoded && (isOwn || CodecLibrary.encodings.encoded.contains(encoding))
  }

  /// The codecs that are known without opening the library.
  package static func listed(encoders: Bool) -> [KnownCodec] {
    let hasLibrary = CodecLibrary.path != nil
    return all.filter { ($0.isOwn || hasLibrary) && (!encoders || $0.isEncoded) }
  }

  /// The codec of a format; nil where there is none, as for linear PCM, which needs none.
  package static func with(id: AudioFormatID) -> KnownCodec? { byID[id] }

  /// All that can be decoded now.
  package static var decodable: [KnownCodec] { all.filter(\.isDecodable) }

  /// All that can be encoded now.
  package static var encodable: [KnownCodec] { all.filter(\.isEncodable) }

  /// Bits a second that the encoder accepts for a rate and channels, from the fewest; empty where
  /// it has no such choice.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames a second; 0 for all.
  ///   - channelCount: Channels; 0 for all.
  package func bitRates(sampleRate: Double, channelCount: UInt32) -> [UInt32] {
    let channels = channelCount == 0 ? 1...2 : channelCount...channelCount
    switch id {
    case kAudioFormatMPEG4AAC:
      // 6144 bits a packet and channel are the most that there can be.
      let most = sampleRate == 0 ? 576_000 : UInt32(min(576_000, sampleRate * 6))
      return Self.sorted(
        channels.flatMap { count in
          Self.aacSteps.filter { $0 <= most }.map { $0 * count }
        })
    case kAudioFormatMPEGLayer3:
      if sampleRate == 0 || sampleRate >= 32_000 { return Self.layer3Steps }
      return Self.lowSteps.filter { sampleRate >= 16_000 || $0 <= 64_000 }
    case kAudioFormatMPEGLayer2:
      guard sampleRate == 0 || sampleRate >= 32_000 else { return Self.lowSteps }
      return Self.layer2Steps.filter {
        channelCount == 0 || (channelCount == 1 ? $0 <= 192_000 : $0 >= 64_000 && $0 != 80_000)
      }
    case kAudioFormatAC3, kAudioFormatEnhancedAC3: return Self.dolbySteps
    case kAudioFormatAMR: return Self.narrowSteps
    case kAudioFormatAMR_WB: return Self.wideSteps
    case kAudioFormatOpus, kAuricleAudioFormatVorbis:
      return Self.sorted(channels.flatMap { count in Self.openSteps.map { $0 * count } })
    default: return []
    }
  }

  /// Bits a second where nobody asks for another number; 0 for the encoder's own choice.
  func usualBitRate(sampleRate: Double, channelCount: UInt32) -> UInt32 {
    let wanted: UInt32 =
      switch id {
      case kAudioFormatMPEG4AAC: 64_000 * channelCount
      case kAudioFormatMPEGLayer3:
        sampleRate >= 32_000 ? 64_000 * channelCount : 32_000 * channelCount
      case kAudioFormatMPEGLayer2:
        sampleRate >= 32_000 ? 96_000 * channelCount : 48_000 * channelCount
      case kAudioFormatAC3, kAudioFormatEnhancedAC3:
        channelCount > 2 ? 448_000 : 96_000 * channelCount
      case kAudioFormatOpus: 64_000 * channelCount
      case kAudioFormatAMR: 12_200
      case kAudioFormatAMR_WB: 23_850
      default: 0
      }
    return wanted == 0
      ? 0 : nearestBitRate(wanted, sampleRate: sampleRate, channelCount: channelCount)
  }

  /// The bit rate that is nearest to a wanted one.
  package func nearestBitRate(
    _ wanted: UInt32, sampleRate: Double, channelCount: UInt32
  ) -> UInt32 {
    bitRates(sampleRate: sampleRate, channelCount: channelCount)
      .min { abs(Int($0) - Int(wanted)) < abs(Int($1) - Int(wanted)) } ?? wanted
  }

  private static func sorted(_ rates: [UInt32]) -> [UInt32] { Set(rates).sorted() }

  private static let aacSteps: [UInt32] = [
    8_000, 12_000, 16_000, 20_000, 24_000, 28_000, 32_000, 40_000, 48_000, 56_000, 64_000, 72_000,
    80_000, 96_000, 112_000, 128_000, 144_000, 160_000, 192_000, 224_000, 256_000, 288_000,
  ]
  private static let layer3Steps: [UInt32] = [
    32_000, 40_000, 48_000, 56_000, 64_000, 80_000, 96_000, 112_000, 128_000, 160_000, 192_000,
    224_000, 256_000, 320_000,
  ]
  private static let layer2Steps: [UInt32] = [
    32_000, 48_000, 56_000, 64_000, 80_000, 96_000, 112_000, 128_000, 160_000, 192_000, 224_000,
    256_000, 320_000, 384_000,
  ]
  private static let lowSteps: [UInt32] = [
    8_000, 16_000, 24_000, 32_000, 40_000, 48_000, 56_000, 64_000, 80_000, 96_000, 112_000,
    128_000, 144_000, 160_000,
  ]
  private static let dolbySteps: [UInt32] = [
    32_000, 40_000, 48_000, 56_000, 64_000, 80_000, 96_000, 112_000, 128_000, 160_000, 192_000,
    224_000, 256_000, 320_000, 384_000, 448_000, 512_000, 576_000, 640_000,
  ]
  private static let narrowSteps: [UInt32] = [
    4_750, 5_150, 5_900, 6_700, 7_400, 7_950, 10_200, 12_200,
  ]
  private static let wideSteps: [UInt32] = [
    6_600, 8_850, 12_650, 14_250, 15_850, 18_250, 19_850, 23_050, 23_850,
  ]
  private static let openSteps: [UInt32] = [
    16_000, 24_000, 32_000, 40_000, 48_000, 64_000, 80_000, 96_000, 128_000, 160_000, 192_000,
  ]

  private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
  private static let aacRates: [Double] = [
    7_350, 8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200,
    96_000,
  ]
  private static let highRates: [Double] = [32_000, 44_100, 48_000]
  private static let layer2Rates: [Double] = [16_000, 22_050, 24_000] + highRates
  private static let layer3Rates: [Double] = [8_000, 11_025, 12_000] + layer2Rates
  private static let opusRates: [Double] = [8_000, 12_000, 16_000, 24_000, 48_000]

  private static let all: [KnownCodec] = [
    KnownCodec(
      kAudioFormatMPEG4AAC, "aac", encoded: true, rates: aacRates, channels: 1...8,
      encodedChannels: [1, 2, 3, 4, 5, 6, 8]),
    KnownCodec(kAudioFormatMPEG4AAC_HE, "aac", channels: 1...8),
    KnownCodec(kAudioFormatMPEG4AAC_HE_V2, "aac", channels: 2...2),
    KnownCodec(kAudioFormatMPEG4AAC_LD, "aac", channels: 1...8),
    KnownCodec(kAudioFormatMPEG4AAC_ELD, "aac", channels: 1...8),
    KnownCodec(kAudioFormatAppleLossless, "alac", encoded: true, channels: 1...8),
    KnownCodec(kAudioFormatFLAC, "flac", encoded: true, channels: 1...8),
    KnownCodec(kAudioFormatMPEGLayer1, "mp1", channels: 1...2),
    KnownCodec(
      kAudioFormatMPEGLayer2, "mp2", encoded: true, rates: layer2Rates, channels: 1...2),
    KnownCodec(
      kAudioFormatMPEGLayer3, "mp3", encoded: true, rates: layer3Rates, channels: 1...2),
    KnownCodec(kAudioFormatOpus, "opus", encoded: true, rates: opusRates, channels: 1...8),
    KnownCodec(kAuricleAudioFormatVorbis, "vorbis", encoded: true, channels: 1...8),
    KnownCodec(kAudioFormatAC3, "ac3", encoded: true, rates: highRates, channels: 1...6),
    KnownCodec(
      kAudioFormatEnhancedAC3, "eac3", encoded: true, rates: highRates, channels: 1...8,
      encodedChannels: Array(1...6)),
    KnownCodec(
      kAudioFormatAppleIMA4, "adpcm_ima_qt", encoded: true, channels: 1...2),
    KnownCodec(
      kAudioFormatDVIIntelIMA, "adpcm_ima_wav", encoded: true, channels: 1...2),
    KnownCodec(kAuricleAudioFormatMicrosoftADPCM, "adpcm_ms", encoded: true, channels: 1...2),
    KnownCodec(kAudioFormatULaw, "pcm_mulaw", encoded: true, own: true, channels: 1...64),
    KnownCodec(kAudioFormatALaw, "pcm_alaw", encoded: true, own: true, channels: 1...64),
    KnownCodec(
      kAudioFormatMicrosoftGSM, "gsm_ms", encoded: true, rates: [8_000], channels: 1...1),
    KnownCodec(kAudioFormatAMR, "amr_nb", encoded: true, rates: [8_000], channels: 1...1),
    KnownCodec(kAudioFormatAMR_WB, "amr_wb", encoded: true, rates: [16_000], channels: 1...1),
    KnownCodec(kAudioFormatiLBC, "ilbc", channels: 1...1),
    KnownCodec(kAudioFormatMACE3, "mace3", channels: 1...2),
    KnownCodec(kAudioFormatMACE6, "mace6", channels: 1...2),
    KnownCodec(kAudioFormatQUALCOMM, "qcelp", channels: 1...1),
    KnownCodec(kAudioFormatQDesign, "qdmc", channels: 1...2),
    KnownCodec(kAudioFormatQDesign2, "qdm2", channels: 1...2),
  ]
}
