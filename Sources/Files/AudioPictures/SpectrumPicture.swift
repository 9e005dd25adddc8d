// A spectrogram of a size that is asked for.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads a sound piece by piece, and draws its spectrogram: 40 Hz to 20 kHz by octaves, from -96 to 0 dB of a full-scale sine.
public struct SpectrumPicture {
  private let width: Int
  private let height: Int
  private var spectrum: SpectrumSummary

  /// Prepares a picture.
  ///
  /// - Parameters:
  ///   - width: Pixels from left to right.
  ///   - height: Pixels from the lowest frequency up.
  ///   - sampleRate: Frames per second (Hz).
  ///   - expectedFrames: The length in frames, when it is known; a wrong one does no harm.
  ///
  /// Context: any; memory is allocated here and as the sound comes.
  public init(width: Int, height: Int, sampleRate: Double, expectedFrames: Int?) {
    (self.width, self.height) = (width, height)
    spectrum = SpectrumSummary(
      bandCount: height, limit: width * 2, sampleRate: sampleRate, expectedFrames: expectedFrames)
  }

  /// Reads frames, a row a channel, all of one length.
  ///
  /// Context: any.
  public mutating func add(_ channels: [[Float]]) {
    let count = channels.first?.count ?? 0
    guard count > 0 else { return }
    let rows = UnsafeMutablePointer<Float>.allocate(capacity: count * channels.count)
    let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: channels.count)
    defer {
      unsafe rows.deallocate()
      unsafe pointers.deallocate()
    }
    for (index, channel) in channels.enumerated() {
      unsafe (pointers + index).initialize(to: rows + index * count)
      for frame in 0..<min(count, channel.count) {
        unsafe rows[index * count + frame] = channel[frame]
      }
    }
    unsafe spectrum.add(UnsafePointer(pointers), channelCount: channels.count, frameCount: count)
  }

  /// The picture as a PNG file; places without sound are transparent.
  ///
  /// Context: any.
  public mutating func png() -> [UInt8] {
    spectrum.finish()
    var picture = IndexedPicture(width: width, height: height)
    for x in 0..<width {
      for (band, power) in spectrum.powers(column: x, of: width).enumerated() {
        guard power > 0, power.isFinite else { continue }
        let level = Int((10 * log10(Double(power)) + 96) / 96 * Double(Self.levels)) + 1
        guard level > 0 else { continue }
        picture.pixels[(height - 1 - band) * width + x] = UInt8(min(level, Self.levels))
      }
    }
    return picture.png(Self.palette)
  }

  private static let levels = 15

  /// From blue over red to yellow: on either paper loud parts show best.
  private static let palette: [IndexedPicture.Color] = {
    var colors: [IndexedPicture.Color] = [(0, 0, 0, 0)]
    for level in 1...levels {
      let x = Double(level) / Double(levels)
      let green = x < 0.6 ? 60 : 60 + 330 * (x - 0.6)
      colors.append(
        (
          UInt8(min(255, 60 + 220 * x)), UInt8(green), UInt8(max(20, 190 - 190 * x)),
          UInt8(40 + 215 * x)
        ))
    }
    return colors
  }()
}
