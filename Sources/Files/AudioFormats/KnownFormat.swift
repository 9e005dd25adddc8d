// The facts of each format: its name, its packets, whether they need descriptions.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// A format of packets.
package struct KnownFormat: Sendable {
  /// Its identifier.
  package let id: AudioFormatID
  /// Its name.
  package let name: String
  /// Frames of a packet; 0 where that differs between streams or packets.
  package let framesPerPacket: UInt32
  /// Bytes of a packet for each channel; 0 where packets differ.
  package let bytesPerChannel: UInt32
  /// Whether a packet does not contain its length, so that descriptions go with the data.
  package let isExternallyFramed: Bool
  /// Whether packets are decoded with the help of earlier ones.
  package let hasDependentPackets: Bool

  /// Returns the format of an identifier; nil for linear PCM, and for unknown ones.
  package static func with(id: AudioFormatID) -> KnownFormat? { byID[id] }

  private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

  private init(
    _ id: AudioFormatID, _ name: String, _ framesPerPacket: UInt32, _ bytesPerChannel: UInt32 = 0,
    framed isExternallyFramed: Bool = false, dependent: Bool = false
  ) {
    self.id = id
    self.name = name
    self.framesPerPacket = framesPerPacket
    self.bytesPerChannel = bytesPerChannel
    self.isExternallyFramed = isExternallyFramed
    hasDependentPackets = dependent
  }

  private static let all: [KnownFormat] = [
    KnownFormat(kAudioFormatMPEG4AAC, "MPEG-4 AAC", 1024, framed: true),
    KnownFormat(kAudioFormatMPEG4AAC_HE, "MPEG-4 High Efficiency AAC", 2048, framed: true),
    KnownFormat(kAudioFormatMPEG4AAC_HE_V2, "MPEG-4 High Efficiency AAC v2", 2048, framed: true),
    KnownFormat(kAudioFormatMPEG4AAC_LD, "MPEG-4 Low Delay AAC", 512, framed: true),
    KnownFormat(kAudioFormatMPEG4AAC_ELD, "MPEG-4 Enhanced Low Delay AAC", 512, framed: true),
    KnownFormat(
      kAudioFormatMPEG4AAC_ELD_SBR, "MPEG-4 Enhanced Low Delay AAC with SBR", 1024, framed: true),
    KnownFormat(
      kAudioFormatMPEG4AAC_ELD_V2, "MPEG-4 Enhanced Low Delay AAC v2", 1024, framed: true),
    KnownFormat(kAudioFormatMPEG4AAC_Spatial, "MPEG-4 Spatial AAC", 1024, framed: true),
    KnownFormat(
      kAudioFormatMPEGD_USAC, "MPEG-D USAC", 1024, framed: true, dependent: true),
    KnownFormat(kAudioFormatMPEG4CELP, "MPEG-4 CELP", 0, framed: true),
    KnownFormat(kAudioFormatMPEG4HVXC, "MPEG-4 HVXC", 0, framed: true),
    KnownFormat(kAudioFormatMPEG4TwinVQ, "MPEG-4 TwinVQ", 1024, framed: true),
    KnownFormat(kAudioFormatAppleLossless, "Apple Lossless", 4096, framed: true),
    KnownFormat(kAudioFormatFLAC, "FLAC", 0, framed: true),
    KnownFormat(kAudioFormatOpus, "Opus", 960, framed: true),
    KnownFormat(kAudioFormatMPEGLayer1, "MPEG Layer 1", 384),
    KnownFormat(kAudioFormatMPEGLayer2, "MPEG Layer 2", 1152),
    KnownFormat(kAudioFormatMPEGLayer3, "MPEG Layer 3", 1152),
    KnownFormat(kAudioFormatAC3, "AC-3", 1536),
    KnownFormat(kAudioFormat60958AC3, "AC-3 in IEC 60958", 1536),
    KnownFormat(kAudioFormatEnhancedAC3, "Enhanced AC-3", 1536),
    KnownFormat(kAudioFormatAppleIMA4, "IMA 4:1", 64, 34),
    KnownFormat(kAudioFormatULaw, "µ-Law 2:1", 1, 1),
    KnownFormat(kAudioFormatALaw, "A-Law 2:1", 1, 1),
    KnownFormat(kAudioFormatMACE3, "MACE 3:1", 6, 2),
    KnownFormat(kAudioFormatMACE6, "MACE 6:1", 6, 1),
    KnownFormat(kAudioFormatMicrosoftGSM, "Microsoft GSM 6.10", 320, 65),
    KnownFormat(kAudioFormatDVIIntelIMA, "DVI IMA ADPCM", 0),
    KnownFormat(kAuricleAudioFormatMicrosoftADPCM, "Microsoft ADPCM", 0),
    KnownFormat(kAuricleAudioFormatVorbis, "Vorbis", 0, framed: true),
    KnownFormat(kAudioFormatiLBC, "iLBC", 240, 50),
    KnownFormat(kAudioFormatAMR, "AMR Narrow Band", 160),
    KnownFormat(kAudioFormatAMR_WB, "AMR Wide Band", 320),
    KnownFormat(kAudioFormatQUALCOMM, "QUALCOMM PureVoice", 160, 35),
    KnownFormat(kAudioFormatQDesign, "QDesign Music", 2048),
    KnownFormat(kAudioFormatQDesign2, "QDesign Music 2", 2048),
    KnownFormat(kAudioFormatAES3, "AES3", 1, 4),
    KnownFormat(kAudioFormatAudible, "Audible", 0, framed: true),
  ]
}
