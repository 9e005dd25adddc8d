// Arrangements of speakers, and the layouts of channels that they are.
// SPDX-License-Identifier: Apache-2.0

internal import AudioTypes
internal import CAudioToolbox

/// An arrangement: a bit for each speaker, whose channels lie in the order of the bits.
struct VST3Arrangement {
  let bits: UInt64
  /// The layout with the same speakers.
  let tag: AudioChannelLayoutTag
  /// The channel of the arrangement for each channel of the layout.
  let order: [Int]

  private init(_ bits: UInt64, _ tag: AudioChannelLayoutTag, _ order: [Int]? = nil) {
    self.bits = bits
    self.tag = tag
    self.order = order ?? Array(0..<Int(tag & 0xFFFF))
  }

  /// The arrangement of bits; one of no known layout has channels without a position.
  init(_ bits: UInt64) {
    self =
      Self.known.first { $0.bits == bits }
      ?? VST3Arrangement(
        bits, ChannelLayoutTag.discrete(channelCount: bits.nonzeroBitCount).rawValue)
  }

  /// Side channels come before rear ones in layouts, and after them in arrangements.
  private static let sideFirst = [0, 1, 2, 3, 6, 7, 4, 5]

  /// Arrangements that a host tries, the usual ones first. The bits of ambisonic ones of orders above 4 are a
  /// number.
  static let known: [VST3Arrangement] = [
    VST3Arrangement(0x8_0000, kAudioChannelLayoutTag_Mono),
    VST3Arrangement(0x3, kAudioChannelLayoutTag_Stereo),
    VST3Arrangement(0x7, kAudioChannelLayoutTag_MPEG_3_0_A),
    VST3Arrangement(0x103, kAudioChannelLayoutTag_ITU_2_1),
    VST3Arrangement(0x33, kAudioChannelLayoutTag_Quadraphonic),
    VST3Arrangement(0x107, kAudioChannelLayoutTag_MPEG_4_0_A),
    VST3Arrangement(0x37, kAudioChannelLayoutTag_MPEG_5_0_A),
    VST3Arrangement(0x3F, kAudioChannelLayoutTag_MPEG_5_1_A),
    VST3Arrangement(0x137, kAudioChannelLayoutTag_AudioUnit_6_0, [0, 1, 3, 4, 2, 5]),
    VST3Arrangement(0x13F, kAudioChannelLayoutTag_MPEG_6_1_A),
    VST3Arrangement(0x637, kAudioChannelLayoutTag_AudioUnit_7_0, [0, 1, 5, 6, 2, 3, 4]),
    VST3Arrangement(0x63F, kAudioChannelLayoutTag_MPEG_7_1_C, sideFirst),
    VST3Arrangement(0xFF, kAudioChannelLayoutTag_MPEG_7_1_A),
    VST3Arrangement(0x300_003F, kAudioChannelLayoutTag_Atmos_5_1_2),
    VST3Arrangement(0x2_D03F, kAudioChannelLayoutTag_Atmos_5_1_4),
    VST3Arrangement(0x300_063F, kAudioChannelLayoutTag_Atmos_7_1_2, sideFirst + [8, 9]),
    VST3Arrangement(0x2_D63F, kAudioChannelLayoutTag_Atmos_7_1_4, sideFirst + [8, 9, 10, 11]),
    VST3Arrangement(0xF0_0000, kAudioChannelLayoutTag_HOA_ACN_SN3D | 4),
    VST3Arrangement(0x7C0_00F0_0000, kAudioChannelLayoutTag_HOA_ACN_SN3D | 9),
    VST3Arrangement(0x3_FFC0_00F0_0000, kAudioChannelLayoutTag_HOA_ACN_SN3D | 16),
    VST3Arrangement(0x7FF_FFC0_00F0_0000, kAudioChannelLayoutTag_HOA_ACN_SN3D | 25),
  ]

  /// The number of channels.
  var channelCount: Int { order.count }
}

extension VST3Description {
  /// The layout for formats and the layout of the first output bus that the host chose.
  func layout(inputs: Int, outputs: Int, tag: AudioChannelLayoutTag) -> VST3Layout? {
    let fitting = layouts.filter { layout in
      (self.inputs.isEmpty || layout.input.nonzeroBitCount == inputs)
        && (self.outputs.isEmpty || layout.output.nonzeroBitCount == outputs)
    }
    return fitting.first { VST3Arrangement($0.output).tag == tag } ?? fitting.first
  }
}
