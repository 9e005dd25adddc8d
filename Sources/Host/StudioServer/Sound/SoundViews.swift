// A sound as waveforms, spectrograms and levels.
// SPDX-License-Identifier: Apache-2.0

import AudioPictures
import Foundation
import HostSystem
import Spectra

/// Draws a sound in columns.
struct SoundViews {
  let sound: FloatSound
  /// The frames that are shown.
  let range: Range<Int>

  /// - Throws: `.usage` for a range that is empty.
  init(_ sound: FloatSound, from: Double?, to: Double?) throws {
    self.sound = sound
    let first = Int(((from ?? 0) * sound.sampleRate).rounded())
    let last = to.map { Int(($0 * sound.sampleRate).rounded()) } ?? sound.frameCount
    range = (min(first, last)..<max(first, last)).clamped(to: 0..<sound.frameCount)
    guard !range.isEmpty || sound.frameCount == 0 else {
      throw StudioFault(.usage, "the range lies behind the end of the sound")
    }
  }

  /// Shows frames that are there.
  init(_ sound: FloatSound, frames: Range<Int>) {
    (self.sound, range) = (sound, frames.clamped(to: 0..<sound.frameCount))
  }

  /// The lowest and highest sample of each column, a list for each channel.
  func peaks(_ columns: Int) -> JSONValue {
    let rows = (0..<sound.channelCount).map { channel in
      JSONValue.array(
        (0..<columns).map { column in
          let part = frames(column, columns)
          var (low, high): (Float, Float) = (0, 0)
          var isFirst = true
          for frame in part {
            let value = sound[frame, channel]
            low = isFirst ? value : min(low, value)
            high = isFirst ? value : max(high, value)
            isFirst = false
          }
          return .array([Self.rounded(low), Self.rounded(high)])
        })
    }
    return .members([
      ("columns", JSONValue(columns)), ("channels", JSONValue(sound.channelCount)),
      ("seconds", JSONValue(sound.seconds)),
      ("from", JSONValue(Double(range.lowerBound) / sound.sampleRate)),
      ("to", JSONValue(Double(range.upperBound) / sound.sampleRate)), ("peaks", .array(rows)),
    ])
  }

  private static func rounded(_ value: Float) -> JSONValue {
    value.isFinite ? JSONValue((Double(value) * 10_000).rounded() / 10_000) : 0
  }

  private func frames(_ column: Int, _ columns: Int) -> Range<Int> {
    let first = range.lowerBound + column * range.count / columns
    let last = range.lowerBound + (column + 1) * range.count / columns
    return first..<max(last, min(first + 1, range.upperBound))
  }

  /// A spectrogram as a PNG file: 40 Hz to 20 kHz by octaves, from -96 to 0 dB.
  func spectrogram(width: Int, height: Int) -> [UInt8] {
    var picture = SpectrumPicture(
      width: width, height: height, sampleRate: sound.sampleRate, expectedFrames: range.count)
    var place = range.lowerBound
    while place < range.upperBound {
      let end = min(place + 16_384, range.upperBound)
      let rows = (0..<sound.channelCount).map { channel in
        (place..<end).map { sound[$0, channel] }
      }
      picture.add(rows)
      place = end
    }
    return picture.png()
  }

  /// Peak and mean level of each channel, and the spectrum of all, in dB.
  func levels() -> [(String, JSONValue?)] {
    var (peaks, means): ([JSONValue], [JSONValue]) = ([], [])
    for channel in 0..<sound.channelCount {
      var peak: Float = 0
      var sum = 0.0
      for frame in range {
        let value = sound[frame, channel]
        peak = max(peak, abs(value))
        sum += Double(value) * Double(value)
      }
      peaks.append(Self.decibels(Double(peak)))
      means.append(Self.decibels((sum / Double(max(range.count, 1))).squareRoot()))
    }
    return [("peak", .array(peaks)), ("rms", .array(means)), ("spectrum", .array(spectrum()))]
  }

  private static func decibels(_ value: Double) -> JSONValue {
    let level = value > 0 ? max(20 * log10(value), -140) : -140
    return JSONValue((level * 100).rounded() / 100)
  }

  /// Levels in thirds of an octave, as the mean over at most 64 places.
  private func spectrum() -> [JSONValue] {
    let size = 4096
    let transform = FourierTransform(count: size)
    let window = (0..<size).map { (index: Int) -> Float in
      let turn = 2 * Double.pi * (Double(index) + 0.5) / Double(size)
      return Float((1 - cos(turn)) * 2 / Double(size))
    }
    var powers = [Double](repeating: 0, count: size / 2)
    let count = max(1, min(64, range.count / size))
    for step in 0..<count {
      let start = range.lowerBound + step * max(0, range.count - size) / count
      var re = [Float](repeating: 0, count: size)
      var im = re
      for index in 0..<size where start + index < range.upperBound {
        var sum: Float = 0
        for channel in 0..<sound.channelCount { sum += sound[start + index, channel] }
        re[index] = sum * window[index] / Float(sound.channelCount)
      }
      transform.transform(&re, &im)
      for bin in 0..<(size / 2) {
        let power = re[bin] * re[bin] + im[bin] * im[bin]
        powers[bin] += Double(power) / Double(count)
      }
    }
    let width = sound.sampleRate / Double(size)
    var levels: [JSONValue] = []
    for step in 0...30 {
      let middle = 20 * pow(2, Double(step) / 3)
      guard middle < sound.sampleRate / 2 else { break }
      let first = max(1, Int(middle * pow(2, -1.0 / 6) / width))
      let last = min(max(first, Int(middle * pow(2, 1.0 / 6) / width)), size / 2 - 1)
      let power = first <= last ? powers[first...last].max() ?? 0 : 0
      levels.append(
        .array([JSONValue((middle * 10).rounded() / 10), Self.decibels(power.squareRoot())]))
    }
    return levels
  }
}
