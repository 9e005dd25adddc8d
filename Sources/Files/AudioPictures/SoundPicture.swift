// A sound as a picture: its waveform above, its spectrogram below.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads a sound piece by piece, and draws it.
///
/// The colours have an opacity, so that they can be seen on light and on dark paper. Waveforms are
/// linear and fill the height at full scale; spectrograms show 40 Hz to 20 kHz by octaves,
/// from -96 to 0 dB of a full-scale sine.
public struct SoundPicture {
  private let size: PictureSize
  private let channelCount: Int
  private var waveform: WaveformSummary
  private var spectrum: SpectrumSummary
  private let sampleRate: Double

  /// Prepares a picture.
  ///
  /// Context: any; memory is allocated here and as the sound comes.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames per second (Hz).
  ///   - expectedFrames: The length in frames, when it is known; a wrong one does no harm.
  public init(
    size: PictureSize, sampleRate: Double, channelCount: Int, expectedFrames: Int? = nil
  ) {
    self.size = size
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    waveform = WaveformSummary(limit: size.width * 4, expectedFrames: expectedFrames)
    spectrum = SpectrumSummary(
      bandCount: size.spectrogramHeight, limit: size.width * 2, sampleRate: sampleRate,
      expectedFrames: expectedFrames)
  }

  /// Reads frames; one pointer a channel.
  public mutating func add(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    unsafe waveform.add(channels, channelCount: channelCount, frameCount: frameCount)
    unsafe spectrum.add(channels, channelCount: channelCount, frameCount: frameCount)
  }

  /// Seconds read.
  public var seconds: Double { Double(waveform.frameCount) / sampleRate }

  /// Returns the picture as a PNG file, its width representing so many seconds.
  ///
  /// Two pictures of one width in seconds can be compared; the rest beyond a sound stays empty.
  public mutating func png(widthInSeconds: Double) -> [UInt8] {
    spectrum.finish()
    var picture = IndexedPicture(width: size.width, height: size.height)
    let part = widthInSeconds > 0 ? seconds / widthInSeconds : 1
    let used = min(max(Int((part * Double(size.width)).rounded()), 1), size.width)
    draw(waveform.columns(used), in: &picture)
    drawSpectrum(used, in: &picture)
    return picture.png(Self.palette)
  }

  private static let levels = 12
  private static let firstLevel: UInt8 = 4

  private static let palette: [IndexedPicture.Color] = {
    var colors: [IndexedPicture.Color] = [
      (0, 0, 0, 0), (90, 140, 200, 255), (40, 95, 165, 255), (215, 40, 40, 255),
    ]
    for level in 1...levels {
      // From blue over red to yellow; on either paper loud parts show best.
      let x = Double(level) / Double(levels)
      let red = min(255, 60 + 220 * x)
      let green = x < 0.6 ? 60 : 60 + 330 * (x - 0.6)
      let blue = max(20, 190 - 190 * x)
      colors.append((UInt8(red), UInt8(green), UInt8(blue), UInt8(40 + 215 * x)))
    }
    return colors
  }()

  private func draw(_ columns: [WaveformSummary.Part?], in picture: inout IndexedPicture) {
    let height = size.waveformHeight
    func row(_ value: Float) -> Int {
      let place = (1 - Double(min(max(value, -1), 1))) / 2 * Double(height - 1)
      return min(max(Int(place.rounded()), 0), height - 1)
    }
    for (x, part) in columns.enumerated() {
      guard let part, part.low <= part.high else { continue }
      let root = (part.squares / Float(max(part.count * max(channelCount, 1), 1))).squareRoot()
      let (top, bottom) = (row(part.high), row(part.low))
      let (innerTop, innerBottom) = (row(min(root, part.high)), row(max(-root, part.low)))
      for y in top...max(top, bottom) {
        let isInner = y >= innerTop && y <= innerBottom
        picture.pixels[y * picture.width + x] = isInner ? 2 : 1
      }
      if part.high >= 1 { picture.pixels[top * picture.width + x] = 3 }
      if part.low <= -1 { picture.pixels[bottom * picture.width + x] = 3 }
    }
  }

  private func drawSpectrum(_ used: Int, in picture: inout IndexedPicture) {
    for x in 0..<used {
      let powers = spectrum.powers(column: x, of: used)
      for (band, power) in powers.enumerated() {
        guard power > 0, power.isFinite else { continue }
        let decibels = 10 * log10(Double(power))
        let level = Int((decibels + 96) / 96 * Double(Self.levels)) + 1
        guard level > 0 else { continue }
        let y = size.waveformHeight + size.spectrogramHeight - 1 - band
        picture.pixels[y * picture.width + x] =
          Self.firstLevel + UInt8(min(level, Self.levels) - 1)
      }
    }
  }
}
