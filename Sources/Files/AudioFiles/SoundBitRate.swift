// Bit rates of compressed sound: that of a file, and the setting of an encoder for it.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing

extension AudioFileReader {
  /// Bits a second of the sound, in encodings that throw sound away and have a choice of bit rates;
  /// nil for others, and where they are unknown. Reads Ogg files to the end.
  ///
  /// Context: control.
  public func soundBitRate() -> Int? {
    switch (format.container, format.encoding) {
    case (.mp3, .mpegLayer3): return mp3?.bitRate(sampleRate: format.sampleRate)
    case (.ogg, .vorbis), (.opus, .opus):
      let pages = OggPages(file.stream)
      if let nominal = pages.nominalBitRate { return nominal }
      guard let frameCount, frameCount > 0 else { return nil }
      return Int(Double(pages.soundByteCount) * 8 * format.sampleRate / Double(frameCount))
    case (_, .aac), (_, .ac3), (_, .eac3): return file.bitRate
    default: return nil
    }
  }
}

/// The bit rates of Vorbis: its encoder has a quality.
enum VorbisBitRates {
  /// Bits a second for each channel at the qualities 0, 0.1, … 1 and about 44.1 kHz: of two channels,
  /// which are coded together, and of any other number.
  private static let coupled = [
    32_000, 40_000, 48_000, 56_000, 64_000, 80_000, 96_000, 112_000, 128_000, 160_000, 250_000,
  ]
  private static let single = [
    48_000, 60_000, 70_000, 80_000, 86_000, 96_000, 110_000, 120_000, 140_000, 160_000, 240_000,
  ]

  private static func rates(_ format: AudioFileFormat) -> [Double] {
    // Below 40 kHz there is less to store.
    let scale = min(format.sampleRate / 40_000, 1) * Double(format.channelCount)
    return (format.channelCount == 2 ? coupled : single).map { Double($0) * scale }
  }

  /// The bit rates that there are.
  static func range(_ format: AudioFileFormat) -> ClosedRange<Int> {
    let rates = rates(format)
    return Int(rates[0])...Int(rates[rates.count - 1])
  }

  /// The quality, 0 to 1, of about a bit rate.
  static func quality(_ bitRate: Int, _ format: AudioFileFormat) -> Double {
    let rates = rates(format)
    let wanted = Double(bitRate)
    guard let above = rates.firstIndex(where: { $0 >= wanted }) else { return 1 }
    guard above > 0 else { return 0 }
    let step = (wanted - rates[above - 1]) / (rates[above] - rates[above - 1])
    return (Double(above - 1) + step) / Double(rates.count - 1)
  }
}
