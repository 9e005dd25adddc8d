// A file's format: container, encoding, sample rate, channels; and whether that can be written.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
public import AudioTypes
import CSndFile
import HostSystem

/// The order of the bytes in a sample.
public enum AudioByteOrder: Sendable {
  /// The order usual for the container.
  case standard
  /// Least significant byte first, where that is not usual.
  case little
  /// Most significant byte first, where that is not usual.
  case big
}

/// Container, encoding, sample rate and channel count of an audio file.
public struct AudioFileFormat: Hashable, Sendable {
  /// The container of the sound.
  public var container: AudioContainer
  /// The form of the samples.
  public var encoding: AudioEncoding
  /// Frames a second, in Hz.
  public var sampleRate: Double
  /// Samples in a frame.
  public var channelCount: Int
  /// The order of bytes in a sample.
  public var byteOrder = AudioByteOrder.standard
  /// Bits a second that a compressing encoder is asked for. Nil for its own choice, and for files
  /// that were read: `AudioFileReader.soundBitRate` has theirs.
  public var bitRate: Int?

  /// Describes a file.
  public init(
    container: AudioContainer, encoding: AudioEncoding, sampleRate: Double, channelCount: Int
  ) {
    self.container = container
    self.encoding = encoding
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  /// The most channels a file may have.
  public static let maximumChannelCount = SoundLimits.maximumChannelCount
  /// The highest sample rate a file may have, in Hz.
  public static let maximumSampleRate = SoundLimits.maximumSampleRate
}

extension AudioFileFormat: CustomStringConvertible {
  /// The format in words: `wav, pcm24, 48000 Hz, 2 ch`.
  public var description: String {
    let rate = sampleRate == sampleRate.rounded() ? "\(Int(sampleRate))" : "\(sampleRate)"
    return "\(container.name), \(encoding.name), \(rate) Hz, \(channelCount) ch"
  }
}

extension AudioContainer {
  /// The encodings that a file of this kind can be written in.
  public var encodings: [AudioEncoding] {
    AudioEncoding.allCases.filter { encoding in
      // Some kinds have one sample rate only.
      [48_000, 44_100, 8_000].contains { rate in
        let mono = AudioFileFormat(
          container: self, encoding: encoding, sampleRate: rate, channelCount: 1)
        return mono.writingProblem == nil
      }
    }
  }

  /// The encoding chosen when nothing says another; nil when files of this kind are only read.
  public var defaultEncoding: AudioEncoding? {
    switch self {
    case .ogg: .vorbis
    case .opus: .opus
    case .mp3: .mpegLayer3
    case .m4a: .aac
    case .xi: .dpcm16
    default: encodings.first { $0 == .pcm16 } ?? encodings.first
    }
  }

  /// The encoding of this container that keeps most of another: itself, or the nearest one.
  public func encoding(nearest wanted: AudioEncoding) -> AudioEncoding? {
    // CAF is asked for AAC by its name: of itself it loses nothing.
    let used = encodings.filter { self != .caf || $0 != .aac }
    // The user of such a file wants it small, unless the sound is packed without loss already.
    if self == .m4a, [.alac16, .alac20, .alac24, .alac32].contains(wanted) {
      return wanted == .alac16 ? .alac16 : .alac24
    } else if self == .m4a {
      return .aac
    }
    let wishes: [AudioEncoding] =
      switch wanted {
      case .float32: [.float32, .float64, .pcm24, .alac24, .pcm32]
      case .float64: [.float64, .float32, .pcm32, .pcm24, .alac32]
      case .pcm32, .alac32: [.pcm32, .alac32, .float64, .pcm24]
      case .pcm24, .alac24, .dwvw24, .alac20: [.pcm24, .alac24, .pcm32, .float32]
      case .pcmU8, .pcmS8: [.pcmU8, .pcmS8, .pcm16]
      case .vorbis, .opus, .mpegLayer1, .mpegLayer2, .mpegLayer3: [.pcm16, .alac16]
      default: [.pcm16, .alac16]
      }
    return ([wanted] + wishes).first { used.contains($0) } ?? defaultEncoding
  }
}

extension AudioFileFormat {
  /// The reason why a file of this format cannot be written, as the end of a sentence; nil if it can.
  public var writingProblem: String? {
    guard (1...Self.maximumChannelCount).contains(channelCount) else {
      return "\(channelCount) channels are not between 1 and \(Self.maximumChannelCount)"
    }
    guard sampleRate >= 1, sampleRate <= Self.maximumSampleRate else {
      return "\(sampleRate) Hz is not a sample rate a file can have"
    }
    guard sampleRate == sampleRate.rounded() else {
      return "files take whole sample rates only, not \(sampleRate) Hz"
    }
    switch container {
    case .mp3:
      guard encoding == .mpegLayer3 else { return "only layer III of MPEG audio can be written" }
      guard Self.mp3SampleRates.contains(Int(sampleRate)) else {
        return "MP3 takes only the sample rates \(Self.list(Self.mp3SampleRates)) Hz"
      }
    case .ogg where encoding != .vorbis, .opus where encoding != .opus:
      return "\(container.name) files do not take the encoding \(encoding.name)"
    case .opus:
      guard Self.opusSampleRates.contains(Int(sampleRate)) else {
        return "Opus takes only the sample rates \(Self.list(Self.opusSampleRates)) Hz"
      }
    case .m4a, .mka, .aac, .ac3, .eac3, .other: return codecWritingProblem
    case .caf where encoding == .aac: return codecWritingProblem
    case .ogg where sampleRate > 200_000:
      return "Vorbis takes sample rates up to 200000 Hz"
    case .flac where sampleRate > 655_350:
      return "FLAC takes sample rates up to 655350 Hz"
    case .flac where sampleRate > 65_535 && Int(sampleRate) % 10 != 0:
      return "FLAC takes sample rates above 65535 Hz in steps of 10 Hz only"
    case .iff where sampleRate > 65_535, .mpc2k where sampleRate > 65_535:
      return "\(container.name) files take sample rates up to 65535 Hz"
    // These hold no rate at all, or the time of one sample in a few bits.
    case .htk, .voc, .wve, .xi, .sds:
      if !holdsSampleRate {
        return "\(container.name) files with \(encoding.name) cannot store that sample rate"
      }
    // With more than one channel the library's encoder loses all but the softest sound.
    case .caf where encoding == .alac20 && channelCount > 1:
      return "caf files with alac-20 take no \(channelCount) channels"
    case .wav where encoding == .mpegLayer3:
      return "MP3 in WAV can only be read; choose mp3"
    // The library begins such a file, and then neither writes nor reads sound.
    case .aiff where encoding == .dwvw12:
      return "aiff files do not take the encoding dwvw-12; choose dwvw-16"
    default: break
    }
    var info = soundFileInfo
    guard unsafe sf_format_check(&info) != 0 else {
      var mono = info
      mono.channels = 1
      return unsafe sf_format_check(&mono) != 0
        ? "\(container.name) files with \(encoding.name) take no \(channelCount) channels"
        : "\(container.name) files do not take the encoding \(encoding.name)"
    }
    return nil
  }

  /// Fails with a sentence when a file of this format cannot be written.
  public func checkWritable() throws(AuricleError) {
    guard let problem = writingProblem else {
      if let bitRate { try checkBitRate(bitRate) }
      return
    }
    let what = container == .other ? "a file of its input's kind" : description
    throw AuricleError(
      .usage, status: FileStatus.unsupportedFormat, "cannot write \(what): \(problem)")
  }

  /// Whether a file of a kind without a plain number for the sample rate holds this one exactly.
  private var holdsSampleRate: Bool {
    let rate = Int(sampleRate)
    func survives(_ unit: Int) -> Bool {
      let period = unit / rate
      return period > 0 && unit / period == rate
    }
    switch container {
    case .htk: return survives(10_000_000)
    // The time of a sample in nanoseconds, of 21 bits.
    case .sds: return survives(1_000_000_000) && 1_000_000_000 / rate < 1 << 21
    case .wve: return rate == 8_000
    case .xi: return rate == 44_100
    case .voc where encoding == .pcmU8:
      return channelCount == 1
        ? survives(1_000_000) && 1_000_000 / rate < 256 : survives(128_000_000)
    default: return true
    }
  }

  /// The sample rate of a file where this one cannot be written: the next higher one that it
  /// accepts, else the highest; nil when no rate makes such a file possible.
  public var nearestWritableRate: Double? {
    if writingProblem == nil { return sampleRate }
    var other = self
    func isWritable(_ rate: Double) -> Bool {
      other.sampleRate = rate
      return other.writingProblem == nil
    }
    let rates = Self.usualRates.filter(isWritable)
    return rates.first { $0 >= sampleRate } ?? rates.last
  }

  private static let usualRates: [Double] = [
    8_000, 10_000, 11_025, 12_000, 12_500, 16_000, 20_000, 22_050, 24_000, 25_000, 32_000, 40_000,
    44_100, 48_000, 50_000, 64_000, 88_200, 96_000, 176_400, 192_000, 384_000,
  ]

  private static let mp3SampleRates = [
    8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000,
  ]
  private static let opusSampleRates = [8_000, 12_000, 16_000, 24_000, 48_000]

  static func list(_ rates: [Int]) -> String {
    rates.map(String.init).joined(separator: ", ")
  }

  /// The library's description of the format.
  var soundFileInfo: SF_INFO {
    var info = SF_INFO()
    info.samplerate = Int32(clamping: Int(sampleRate))
    info.channels = Int32(clamping: channelCount)
    info.format = container.soundFileType | encoding.soundFileSubtype
    switch byteOrder {
    case .standard: break
    case .little: info.format |= Int32(SF_ENDIAN_LITTLE)
    case .big: info.format |= Int32(SF_ENDIAN_BIG)
    }
    return info
  }

  /// Reads the library's description; nil when it names a format unknown here.
  init?(soundFileInfo info: SF_INFO) {
    guard let container = AudioContainer(soundFileFormat: info.format),
      let encoding = AudioEncoding(soundFileFormat: info.format)
    else { return nil }
    // The library reads no sound from such a file, without an error.
    if container == .aiff, encoding == .dwvw12 { return nil }
    self.init(
      container: container, encoding: encoding, sampleRate: Double(info.samplerate),
      channelCount: Int(info.channels))
    switch info.format & Int32(SF_FORMAT_ENDMASK) {
    case Int32(SF_ENDIAN_LITTLE): byteOrder = .little
    case Int32(bitPattern: UInt32(SF_ENDIAN_BIG)): byteOrder = .big
    default: break
    }
  }

  /// Bytes of a frame in the file, where that is fixed.
  var bytesPerFrame: Int? {
    encoding.bitsPerSample.map { $0 / 8 * channelCount }
  }
}
