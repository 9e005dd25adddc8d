// The formats that codecs write, and their names for containers and encodings.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAuricleCodec
import CSndFile
import HostSystem

extension AudioFileFormat {
  /// Whether files of this format are packets that a codec makes and a container of ours holds.
  var hasOwnPackets: Bool { container == .caf && encoding == .aac }

  /// Whether files of this format are written through the codec.
  var needsCodec: Bool { container.needsCodec || hasOwnPackets }

  /// The reason why a file of a kind that needs a codec cannot be written by any codec; nil if it can.
  var codecWritingProblem: String? {
    let rates: [Int]
    let mostChannels: Int
    switch (container, encoding) {
    case (.other, _):
      return "these are only read; choose another container, such as m4a or wav"
    case (.m4a, .aac), (.mka, .aac), (.aac, .aac):
      rates = Self.aacSampleRates
      mostChannels = 8
    case (.caf, .aac):
      rates = Self.aacSampleRates
      mostChannels = 6
    case (.m4a, .alac16), (.m4a, .alac24), (.mka, .alac16), (.mka, .alac24):
      rates = []
      mostChannels = 8
    case (.ac3, .ac3), (.eac3, .eac3):
      rates = [32_000, 44_100, 48_000]
      mostChannels = 6
    default: return "\(container.name) files do not take the encoding \(encoding.name)"
    }
    guard rates.isEmpty || rates.contains(Int(sampleRate)) else {
      return "\(encoding.name) takes only the sample rates \(Self.list(rates)) Hz"
    }
    guard channelCount <= mostChannels, encoding != .aac || channelCount != 7 else {
      return "\(container.name) files with \(encoding.name) take no \(channelCount) channels"
    }
    guard rates.isEmpty == false || sampleRate <= 384_000 else {
      return "\(encoding.name) takes sample rates up to 384000 Hz"
    }
    return nil
  }

  private static let aacSampleRates = [
    7_350, 8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200,
    96_000,
  ]

  /// Whether a file may come out longer than the written sound: no place for its length.
  var hasInexactLength: Bool {
    encoding.hasInexactLength || [.aac, .ac3, .eac3].contains(container)
      || container == .paf && encoding == .pcm24
  }

  /// Reads a codec's description.
  init(codec: AuricleCodecFormat) {
    let container = unsafe withUnsafeBytes(of: codec.container) { unsafe text($0) }
    let encoding = unsafe withUnsafeBytes(of: codec.encoding) { unsafe text($0) }
    self.init(
      container: AudioContainer(rawValue: container) ?? .other,
      encoding: AudioEncoding(codecName: encoding, bits: Int(codec.bitsPerSample)),
      sampleRate: codec.sampleRate, channelCount: Int(codec.channelCount))
  }

  /// The description for a codec.
  func codecFormat(channelMask: UInt64) -> AuricleCodecFormat {
    var codec = AuricleCodecFormat()
    unsafe withUnsafeMutableBytes(of: &codec.container) { unsafe put(container.rawValue, $0) }
    unsafe withUnsafeMutableBytes(of: &codec.encoding) { unsafe put(encoding.codecName, $0) }
    codec.sampleRate = sampleRate
    codec.channelCount = UInt32(channelCount)
    codec.channelMask = channelMask
    codec.frameCount = -1
    codec.bitRate = Int64(bitRate ?? 0)
    codec.bitsPerSample = UInt32(encoding.linearBits ?? 0)
    return codec
  }
}

private func text(_ bytes: UnsafeRawBufferPointer) -> String {
  unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
}

private func put(_ text: String, _ bytes: UnsafeMutableRawBufferPointer) {
  unsafe bytes.copyBytes(from: Array(text.utf8).prefix(bytes.count - 1))
}

extension AudioEncoding {
  /// The name that codecs have for an encoding they write.
  var codecName: String {
    switch self {
    case .alac16, .alac20, .alac24, .alac32: "alac"
    default: rawValue
    }
  }

  /// The encoding that a codec names.
  init(codecName name: String, bits: Int) {
    switch name {
    case "aac", "aac_latm": self = .aac
    case "alac": self = bits > 16 ? .alac24 : .alac16
    case "ac3": self = .ac3
    case "eac3": self = .eac3
    case "dts": self = .dts
    case "mp1": self = .mpegLayer1
    case "mp2": self = .mpegLayer2
    case "mp3": self = .mpegLayer3
    case "vorbis": self = .vorbis
    case "opus": self = .opus
    case "flac": self = bits > 16 ? .pcm24 : .pcm16
    case "pcm_u8": self = .pcmU8
    case "pcm_s8": self = .pcmS8
    case "pcm_mulaw": self = .ulaw
    case "pcm_alaw": self = .alaw
    case let name where name.hasPrefix("pcm_s16"): self = .pcm16
    case let name where name.hasPrefix("pcm_s24"): self = .pcm24
    case let name where name.hasPrefix("pcm_s32"): self = .pcm32
    case let name where name.hasPrefix("pcm_f32"): self = .float32
    case let name where name.hasPrefix("pcm_f64"): self = .float64
    case let name where name.hasPrefix("adpcm_ima"): self = .imaADPCM
    case "adpcm_ms": self = .msADPCM
    case let name where name.hasPrefix("gsm"): self = .gsm610
    case let name where name.hasPrefix("wma"): self = .wma
    default: self = .other
    }
  }
}

extension AudioFileFormat {
  /// The bit rates that a file of this format can be asked for; nil when it has none to choose.
  public var bitRates: ClosedRange<Int>? {
    let channels = channelCount
    switch (container, encoding) {
    case (.mp3, _) where sampleRate >= 32_000: return 32_000...320_000
    case (.mp3, _): return sampleRate >= 16_000 ? 8_000...160_000 : 8_000...64_000
    case (.ogg, .vorbis): return VorbisBitRates.range(self)
    case (.opus, _): return 6_000 * channels...256_000 * channels
    case (_, .aac): return 8_000 * channels...288_000 * channels
    case (_, .ac3), (_, .eac3): return 32_000...640_000
    default: return nil
    }
  }

  /// The bit rate that an encoder needs where none is requested; nil when it needs none.
  ///
  /// Without one libopus cuts at 4 kHz for more than two channels. It is about as much for each
  /// channel as mono and stereo get.
  var neededBitRate: Int? {
    container == .opus && channelCount > 2 ? 64_000 * channelCount : nil
  }

  /// Fails with a sentence when the format has no such bit rate.
  ///
  /// Errors: `usage`.
  func checkBitRate(_ bitRate: Int) throws(AuricleError) {
    guard let range = bitRates else {
      throw AuricleError(
        .usage, status: FileStatus.unsupportedFormat,
        "\(container.name) files with \(encoding.name) take no bit rate: leave it out")
    }
    guard range.contains(bitRate) else {
      throw AuricleError(
        .usage, status: FileStatus.unsupportedFormat,
        "\(description) takes bit rates from \(range.lowerBound) to \(range.upperBound), not "
          + "\(bitRate)")
    }
  }

  /// Returns this format as the output of a job without another encoding. An encoding that only a
  /// codec decodes becomes the encoding of its container that keeps most.
  public func encodedAnew() -> AudioFileFormat {
    // MP3 in WAV is a separate kind.
    let isDecodedOnly =
      container.needsCodec || container == .caf || container == .wav && encoding != .mpegLayer3
    guard isDecodedOnly, writingProblem != nil,
      let nearest = container.encoding(nearest: encoding)
    else { return self }
    var format = self
    format.encoding = nearest
    return format
  }
}

extension SoundFile {
  /// Asks the encoder for a bit rate, as a part of the library's range.
  func setBitRate(
    _ bitRate: Int, _ format: AudioFileFormat, _ strategy: BitRateStrategy? = nil
  ) {
    guard let range = format.bitRates else { return }
    if format.encoding == .vorbis {
      set(SFC_SET_VBR_ENCODING_QUALITY, value: VorbisBitRates.quality(bitRate, format))
      return
    }
    if format.container == .mp3 {
      set(SFC_SET_BITRATE_MODE, value: (strategy ?? .cbr).soundFileMode)
    }
    let part = Double(range.upperBound - bitRate) / Double(range.upperBound - range.lowerBound)
    set(SFC_SET_COMPRESSION_LEVEL, value: part)
  }
}
