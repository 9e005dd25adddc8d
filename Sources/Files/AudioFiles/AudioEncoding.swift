// The ways samples are stored, by the names users write.
// SPDX-License-Identifier: Apache-2.0

import CSndFile

/// The form of the samples inside a file.
public enum AudioEncoding: String, CaseIterable, Sendable {
  /// 8-bit PCM, unsigned (WAV).
  case pcmU8 = "pcm-u8"
  /// 8-bit PCM, signed (AIFF, AU, CAF, FLAC).
  case pcmS8 = "pcm-s8"
  /// 16-bit PCM.
  case pcm16
  /// 24-bit PCM.
  case pcm24
  /// 32-bit PCM.
  case pcm32
  /// 32-bit floating point.
  case float32
  /// 64-bit floating point.
  case float64
  /// µ-law.
  case ulaw
  /// A-law.
  case alaw
  /// IMA ADPCM.
  case imaADPCM = "ima-adpcm"
  /// Microsoft ADPCM.
  case msADPCM = "ms-adpcm"
  /// GSM 6.10.
  case gsm610
  /// Dialogic ADPCM.
  case voxADPCM = "vox-adpcm"
  /// NMS ADPCM, 16 kbit/s.
  case nmsADPCM16 = "nms-adpcm-16"
  /// NMS ADPCM, 24 kbit/s.
  case nmsADPCM24 = "nms-adpcm-24"
  /// NMS ADPCM, 32 kbit/s.
  case nmsADPCM32 = "nms-adpcm-32"
  /// G.721 ADPCM, 32 kbit/s.
  case g721 = "g721-32"
  /// G.723 ADPCM, 24 kbit/s.
  case g723At24 = "g723-24"
  /// G.723 ADPCM, 40 kbit/s.
  case g723At40 = "g723-40"
  /// 12-bit delta width variable word.
  case dwvw12 = "dwvw-12"
  /// 16-bit delta width variable word.
  case dwvw16 = "dwvw-16"
  /// 24-bit delta width variable word.
  case dwvw24 = "dwvw-24"
  /// 8-bit differential PCM.
  case dpcm8 = "dpcm-8"
  /// 16-bit differential PCM.
  case dpcm16 = "dpcm-16"
  /// Vorbis.
  case vorbis
  /// Opus.
  case opus
  /// Apple lossless, 16 bits.
  case alac16 = "alac-16"
  /// Apple lossless, 20 bits.
  case alac20 = "alac-20"
  /// Apple lossless, 24 bits.
  case alac24 = "alac-24"
  /// Apple lossless, 32 bits.
  case alac32 = "alac-32"
  /// MPEG audio layer I.
  case mpegLayer1 = "mpeg-layer1"
  /// MPEG audio layer II.
  case mpegLayer2 = "mpeg-layer2"
  /// MPEG audio layer III.
  case mpegLayer3 = "mpeg-layer3"
  /// MPEG-4 AAC.
  case aac
  /// Dolby Digital.
  case ac3
  /// Dolby Digital Plus.
  case eac3
  /// DTS.
  case dts
  /// Windows Media audio.
  case wma
  /// Another encoding that only a codec reads.
  case other

  /// Finds an encoding by its name or a usual other name, in any case.
  public init?(named name: String) {
    let name = name.lowercased()
    if let exact = Self(rawValue: name) {
      self = exact
      return
    }
    switch name {
    // As ffmpeg and afconvert name them.
    case "pcm_u8", "ui8": self = .pcmU8
    case "pcm_s8", "i8": self = .pcmS8
    case "pcm_s16le", "lei16", "i16": self = .pcm16
    case "pcm_s24le", "lei24", "i24": self = .pcm24
    case "pcm_s32le", "lei32", "i32": self = .pcm32
    case "pcm_f32le", "lef32": self = .float32
    case "pcm_f64le", "lef64": self = .float64
    case "pcm_mulaw", "ulaw-8": self = .ulaw
    case "pcm_alaw": self = .alaw
    case "libmp3lame", "layer3": self = .mpegLayer3
    case "libvorbis": self = .vorbis
    case "libopus": self = .opus
    case "alac16": self = .alac16
    case "alac24": self = .alac24
    case "aac-lc", "mp4a", "libfdk_aac": self = .aac
    case "ac-3", "dolby-digital": self = .ac3
    case "ec3", "ec-3", "e-ac-3": self = .eac3
    case "u8", "pcmu8": self = .pcmU8
    case "s8", "pcms8", "pcm8", "pcm-8": self = .pcmS8
    case "s16", "pcm-16", "pcm-s16", "int16": self = .pcm16
    case "s24", "pcm-24", "pcm-s24", "int24": self = .pcm24
    case "s32", "pcm-32", "pcm-s32", "int32": self = .pcm32
    case "float", "f32", "float-32": self = .float32
    case "double", "f64", "float-64": self = .float64
    case "mulaw", "mu-law", "u-law": self = .ulaw
    case "a-law": self = .alaw
    case "alac": self = .alac16
    case "mp3", "mpeg-layer-3": self = .mpegLayer3
    default: return nil
    }
  }

  /// The name users write.
  public var name: String { rawValue }

  /// The library's number for the encoding; -1 where it has none.
  var soundFileSubtype: Int32 {
    switch self {
    case .pcmU8: Int32(SF_FORMAT_PCM_U8)
    case .pcmS8: Int32(SF_FORMAT_PCM_S8)
    case .pcm16: Int32(SF_FORMAT_PCM_16)
    case .pcm24: Int32(SF_FORMAT_PCM_24)
    case .pcm32: Int32(SF_FORMAT_PCM_32)
    case .float32: Int32(SF_FORMAT_FLOAT)
    case .float64: Int32(SF_FORMAT_DOUBLE)
    case .ulaw: Int32(SF_FORMAT_ULAW)
    case .alaw: Int32(SF_FORMAT_ALAW)
    case .imaADPCM: Int32(SF_FORMAT_IMA_ADPCM)
    case .msADPCM: Int32(SF_FORMAT_MS_ADPCM)
    case .gsm610: Int32(SF_FORMAT_GSM610)
    case .voxADPCM: Int32(SF_FORMAT_VOX_ADPCM)
    case .nmsADPCM16: Int32(SF_FORMAT_NMS_ADPCM_16)
    case .nmsADPCM24: Int32(SF_FORMAT_NMS_ADPCM_24)
    case .nmsADPCM32: Int32(SF_FORMAT_NMS_ADPCM_32)
    case .g721: Int32(SF_FORMAT_G721_32)
    case .g723At24: Int32(SF_FORMAT_G723_24)
    case .g723At40: Int32(SF_FORMAT_G723_40)
    case .dwvw12: Int32(SF_FORMAT_DWVW_12)
    case .dwvw16: Int32(SF_FORMAT_DWVW_16)
    case .dwvw24: Int32(SF_FORMAT_DWVW_24)
    case .dpcm8: Int32(SF_FORMAT_DPCM_8)
    case .dpcm16: Int32(SF_FORMAT_DPCM_16)
    case .vorbis: Int32(SF_FORMAT_VORBIS)
    case .opus: Int32(SF_FORMAT_OPUS)
    case .alac16: Int32(SF_FORMAT_ALAC_16)
    case .alac20: Int32(SF_FORMAT_ALAC_20)
    case .alac24: Int32(SF_FORMAT_ALAC_24)
    case .alac32: Int32(SF_FORMAT_ALAC_32)
    case .mpegLayer1: Int32(SF_FORMAT_MPEG_LAYER_I)
    case .mpegLayer2: Int32(SF_FORMAT_MPEG_LAYER_II)
    case .mpegLayer3: Int32(SF_FORMAT_MPEG_LAYER_III)
    case .aac, .ac3, .eac3, .dts, .wma, .other: -1
    }
  }

  /// Finds the encoding of a library format number.
  init?(soundFileFormat format: Int32) {
    let subtype = format & Int32(SF_FORMAT_SUBMASK)
    guard let match = Self.allCases.first(where: { $0.soundFileSubtype == subtype }) else {
      return nil
    }
    self = match
  }
}

extension AudioEncoding {
  /// Whether samples are stored as floating point numbers: nothing is clipped.
  public var isFloatingPoint: Bool { self == .float32 || self == .float64 }

  /// Bits in a stored sample, where all have the same number.
  public var bitsPerSample: Int? {
    switch self {
    case .pcmU8, .pcmS8, .ulaw, .alaw: 8
    case .pcm16: 16
    case .pcm24: 24
    case .pcm32, .float32: 32
    case .float64: 64
    default: nil
    }
  }

  /// Whether samples beyond ±1 have no place in a file and are clipped when written.
  public var clips: Bool {
    switch self {
    case .float32, .float64, .vorbis, .opus, .mpegLayer1, .mpegLayer2, .mpegLayer3: false
    case .aac, .ac3, .eac3: false
    default: true
    }
  }

  /// Whether a file may come out longer or shorter than the written sound, in whole blocks.
  var hasInexactLength: Bool {
    switch self {
    case .imaADPCM, .msADPCM, .gsm610, .voxADPCM, .nmsADPCM16, .nmsADPCM24, .nmsADPCM32: true
    case .g721, .g723At24, .g723At40, .mpegLayer1, .mpegLayer2, .mpegLayer3: true
    case .dwvw12, .dwvw16, .dwvw24: true
    default: false
    }
  }
}

extension AudioEncoding {
  /// The number of bits of linear whole numbers, for encodings that store such.
  public var linearBits: Int? {
    switch self {
    case .pcmU8, .pcmS8: 8
    case .pcm16, .alac16: 16
    case .alac20: 20
    case .pcm24, .alac24: 24
    case .pcm32, .alac32: 32
    default: nil
    }
  }
}
