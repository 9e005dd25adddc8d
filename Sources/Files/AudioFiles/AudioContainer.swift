// The kinds of file, by the names users write.
// SPDX-License-Identifier: Apache-2.0

import CSndFile

/// A kind of audio file: the wrapper of the sound.
public enum AudioContainer: String, CaseIterable, Sendable {
  /// Microsoft WAV.
  case wav
  /// WAV with the extensible format chunk.
  case wavex
  /// WAV with 64-bit sizes.
  case rf64
  /// Sony Wave64.
  case w64
  /// Apple AIFF and AIFF-C.
  case aiff
  /// Apple Core Audio format.
  case caf
  /// Sun and NeXT sound.
  case au
  /// Free lossless audio codec.
  case flac
  /// Ogg with Vorbis.
  case ogg
  /// Ogg with Opus.
  case opus
  /// MPEG audio stream.
  case mp3
  /// Audio Visual Research.
  case avr
  /// HMM tool kit.
  case htk
  /// Amiga IFF (8SVX, 16SV).
  case iff
  /// GNU Octave 2.0, Matlab 4.
  case mat4
  /// GNU Octave 2.1, Matlab 5.
  case mat5
  /// Akai MPC 2000.
  case mpc2k
  /// Ensoniq PARIS.
  case paf
  /// Portable voice format.
  case pvf
  /// NIST Sphere.
  case nist
  /// Berkeley, IRCAM, CARL.
  case ircam
  /// MIDI sample dump.
  case sds
  /// Creative voice.
  case voc
  /// Psion series 3.
  case wve
  /// FastTracker 2 instrument.
  case xi
  /// Samples without a header.
  case raw
  /// MPEG-4, QuickTime.
  case m4a
  /// Matroska.
  case mka
  /// A bare stream of AAC (ADTS).
  case aac
  /// A bare stream of AC-3.
  case ac3
  /// A bare stream of Enhanced AC-3.
  case eac3
  /// Another kind that only a codec reads: AVI, MPEG streams, Windows Media and so on.
  case other

  /// Finds a container by its name or by a usual file name extension, in any case.
  public init?(named name: String) {
    let name = name.lowercased()
    let trimmed = name.hasPrefix(".") ? String(name.dropFirst()) : name
    if let exact = Self(rawValue: trimmed) {
      self = exact
      return
    }
    switch trimmed {
    case "wave", "bwf": self = .wav
    case "aif", "aifc", "aiffc", "aiff-c": self = .aiff
    case "snd": self = .au
    case "fla": self = .flac
    case "oga", "vorbis": self = .ogg
    case "mpeg", "mpga", "mp2", "m1a": self = .mp3
    case "svx", "8svx", "16sv": self = .iff
    case "mat": self = .mat5
    case "mpc": self = .mpc2k
    case "sph": self = .nist
    case "sf": self = .ircam
    case "mp4", "m4b", "m4r", "m4v", "mov", "qt", "3gp", "3g2", "m4af", "mp4f": self = .m4a
    case "mkv", "matroska": self = .mka
    case "adts": self = .aac
    case "ec3", "ec-3", "e-ac-3": self = .eac3
    case "ac-3": self = .ac3
    default: return nil
    }
  }

  /// Finds the container of a file name's extension.
  public init?(path: String) {
    guard let name = path.split(separator: "/").last,
      let dot = name.lastIndex(of: "."), dot != name.startIndex
    else { return nil }
    self.init(named: String(name[name.index(after: dot)...]))
  }

  /// The name users write.
  public var name: String { rawValue }

  /// The usual file name extension, without the dot.
  public var fileExtension: String {
    switch self {
    case .wavex, .rf64: "wav"
    case .mat4, .mat5: "mat"
    case .mpc2k: "mpc"
    case .ircam: "sf"
    default: rawValue
    }
  }

  /// Whether files of this kind are read and written through a codec that is found at run time.
  public var needsCodec: Bool {
    switch self {
    case .m4a, .mka, .aac, .ac3, .eac3, .other: true
    default: false
    }
  }

  /// The library's number for the container; -1 where it has none.
  var soundFileType: Int32 {
    switch self {
    case .wav: Int32(SF_FORMAT_WAV)
    case .wavex: Int32(SF_FORMAT_WAVEX)
    case .rf64: Int32(SF_FORMAT_RF64)
    case .w64: Int32(SF_FORMAT_W64)
    case .aiff: Int32(SF_FORMAT_AIFF)
    case .caf: Int32(SF_FORMAT_CAF)
    case .au: Int32(SF_FORMAT_AU)
    case .flac: Int32(SF_FORMAT_FLAC)
    case .ogg, .opus: Int32(SF_FORMAT_OGG)
    case .mp3: Int32(SF_FORMAT_MPEG)
    case .avr: Int32(SF_FORMAT_AVR)
    case .htk: Int32(SF_FORMAT_HTK)
    case .iff: Int32(SF_FORMAT_SVX)
    case .mat4: Int32(SF_FORMAT_MAT4)
    case .mat5: Int32(SF_FORMAT_MAT5)
    case .mpc2k: Int32(SF_FORMAT_MPC2K)
    case .paf: Int32(SF_FORMAT_PAF)
    case .pvf: Int32(SF_FORMAT_PVF)
    case .nist: Int32(SF_FORMAT_NIST)
    case .ircam: Int32(SF_FORMAT_IRCAM)
    case .sds: Int32(SF_FORMAT_SDS)
    case .voc: Int32(SF_FORMAT_VOC)
    case .wve: Int32(SF_FORMAT_WVE)
    case .xi: Int32(SF_FORMAT_XI)
    case .raw: Int32(SF_FORMAT_RAW)
    case .m4a, .mka, .aac, .ac3, .eac3, .other: -1
    }
  }

  /// Finds the container of a library format number.
  init?(soundFileFormat format: Int32) {
    let type = format & Int32(SF_FORMAT_TYPEMASK)
    if type == Int32(SF_FORMAT_OGG) {
      self = format & Int32(SF_FORMAT_SUBMASK) == Int32(SF_FORMAT_OPUS) ? .opus : .ogg
      return
    }
    guard let match = Self.allCases.first(where: { $0.soundFileType == type }) else { return nil }
    self = match
  }

  /// The most frames a file may have, where it counts them in fewer bits than bytes.
  var frameLimit: Int? {
    // 21 bits, in whole blocks of every encoding.
    self == .sds ? 2_097_120 : nil
  }

  /// The largest number of bytes a file may have, where its size fields are 32 bits wide.
  var byteLimit: Int? {
    switch self {
    case .wav, .wavex, .aiff: 0xFFFF_FFFF
    case .au: 0xFFFF_FFFE
    case .avr, .iff, .mat4, .mpc2k, .paf, .voc, .wve, .xi, .sds, .htk: 0x7FFF_FFFF
    default: nil
    }
  }
}
