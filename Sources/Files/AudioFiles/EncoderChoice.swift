// The bit rates of compressing encoders: strategies and qualities, and the encodings that have them.
// SPDX-License-Identifier: Apache-2.0

import CSndFile

/// The use of bits by an encoder.
public enum BitRateStrategy: String, CaseIterable, Sendable {
  /// The same number for every stretch of sound.
  case cbr
  /// A number on average.
  case abr
  /// As many as the sound needs for a quality.
  case vbr

  /// Finds a strategy by its name, one of `afconvert`'s numbers, or a longer name; in any case.
  public init?(named name: String) {
    switch name.lowercased() {
    case "cbr", "constant", "0": self = .cbr
    case "abr", "average", "1": self = .abr
    case "vbr", "variable", "3": self = .vbr
    default: return nil
    }
  }

  /// The library's number.
  var soundFileMode: Int32 {
    switch self {
    case .cbr: Int32(SF_BITRATE_MODE_CONSTANT)
    case .abr: Int32(SF_BITRATE_MODE_AVERAGE)
    case .vbr: Int32(SF_BITRATE_MODE_VARIABLE)
    }
  }
}

/// The choices of an encoder beside the bit rate.
public struct EncoderChoice: Sendable, Equatable {
  /// The use of bits; nil for the usual one.
  public var strategy: BitRateStrategy?
  /// The effort for the sound, or for small files where nothing is lost, 0 to 127; nil for the
  /// usual one.
  public var quality: Int?

  /// The encoders' own choices.
  public init(strategy: BitRateStrategy? = nil, quality: Int? = nil) {
    self.strategy = strategy
    self.quality = quality
  }

  /// The quality that a word or a number means; nil for any other.
  public static func quality(named text: String) -> Int? {
    switch text.lowercased() {
    case "min": 0
    case "low": 32
    case "medium": 64
    case "high": 96
    case "max": 127
    default: Int(text).flatMap { (0...127).contains($0) ? $0 : nil }
    }
  }
}

extension AudioFileFormat {
  /// The strategies that encoders of this format have.
  public var strategies: [BitRateStrategy] {
    switch (container, encoding) {
    case (.mp3, .mpegLayer3): [.cbr, .abr, .vbr]
    case (_, .vorbis), (_, .opus): [.vbr]
    case (_, .aac): [.abr]
    case (_, .ac3), (_, .eac3): [.cbr]
    default: []
    }
  }

  /// A sentence why an encoder cannot have such choices; nil where it can.
  ///
  /// - Parameters:
  ///   - choice: The requested choices.
  ///   - bitRate: The requested bit rate (bits a second); nil for none.
  ///   - namesEncoding: Whether the sentence names the encoding: where it was requested.
  public func problem(
    with choice: EncoderChoice, bitRate: Int?, namesEncoding: Bool = true
  ) -> String? {
    let name = "\(container.name) files" + (namesEncoding ? " with \(encoding.name)" : "")
    let isVariable = choice.strategy == .vbr || choice.strategy == nil && choice.quality != nil
    if let strategy = choice.strategy, !strategies.contains(strategy) {
      let ways = strategies.map(\.rawValue).joined(separator: ", ")
      return ways.isEmpty
        ? "\(name) have no bits to save: leave --strategy out"
        : "\(name) are not written with \(strategy.rawValue), but with \(ways)"
    }
    if container == .mp3, isVariable, bitRate != nil {
      return "mp3 files with a variable bit rate take --quality, and no --bit-rate"
    }
    if choice.strategy == .abr, container == .mp3, bitRate == nil {
      return "mp3 files of an average bit rate need it: give --bit-rate"
    }
    guard choice.quality != nil else { return nil }
    switch (container, encoding) {
    case (.flac, _): return nil
    case (.ogg, .vorbis):
      return bitRate == nil
        ? nil : "\(name) take --quality or --bit-rate, which mean the same: leave one out"
    case (.mp3, .mpegLayer3):
      return isVariable
        ? nil : "mp3 files take --quality with --strategy vbr alone; otherwise --bit-rate"
    default:
      return strategies.isEmpty
        ? "\(name) are all of one quality: leave --quality out"
        : "\(name) take --bit-rate, and no --quality"
    }
  }
}

extension AudioFileWriter.Options {
  /// The choices for an encoder of a format.
  public init(_ choice: EncoderChoice, _ format: AudioFileFormat) {
    self.init()
    let part = choice.quality.map { Double($0) / 127 }
    if format.container == .flac { compression = part } else { quality = part }
    strategy = choice.strategy ?? (format.container == .mp3 && part != nil ? .vbr : nil)
  }
}
