// Figures of sound that the words of presets are measured by.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Levels, loudness and peaks of stereo at 44.1 kHz.
enum PresetFigures {
  private static let sampleRate = PresetMaterial.sampleRate

  static func decibels(_ value: Double) -> Double { 20 * log10(max(value, 1e-12)) }

  static func level(_ signal: ArraySlice<Double>) -> Double {
    guard !signal.isEmpty else { return -240 }
    let squares = signal.reduce(0) { $0 + $1 * $1 }
    return 10 * log10(max(squares / Double(signal.count), 1e-24))
  }

  static func level(_ signal: [Double]) -> Double { level(signal[...]) }

  /// The level of a piece of both channels.
  static func level(_ channels: [[Double]], _ seconds: Range<Double>) -> Double {
    let first = min(Int(seconds.lowerBound * sampleRate), channels[0].count)
    let end = min(Int(seconds.upperBound * sampleRate), channels[0].count)
    return level(channels.flatMap { $0[first..<end] })
  }

  static func peak(_ channels: [[Double]]) -> Double {
    decibels(channels.joined().reduce(0) { max($0, abs($1)) })
  }

  /// The highest sample of the signal at four times its rate.
  static func truePeak(_ channels: [[Double]]) -> Double {
    let taps = 24
    var kernels: [[Double]] = []
    for phase in 1..<4 {
      let offset = Double(phase) / 4
      kernels.append(
        (-taps..<taps).map { tap in
          let x = Double(tap) + offset
          let window = 0.5 + 0.5 * cos(Double.pi * x / Double(taps))
          return window * sin(Double.pi * x) / (Double.pi * x)
        })
    }
    var highest = 0.0
    for channel in channels {
      for frame in taps..<(channel.count - taps) where abs(channel[frame]) > 0.5 {
        highest = max(highest, abs(channel[frame]))
        for kernel in kernels {
          var sum = 0.0
          for (index, factor) in kernel.enumerated() {
            sum += factor * channel[frame - index + taps]
          }
          highest = max(highest, abs(sum))
        }
      }
    }
    return highest > 0 ? decibels(highest) : peak(channels)
  }

  /// A biquad with the coefficients b0, b1, b2, a1, a2.
  static func filter(_ signal: [Double], _ c: [Double]) -> [Double] {
    var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
    return signal.map { x in
      let y = c[0] * x + c[1] * x1 + c[2] * x2 - c[3] * y1 - c[4] * y2
      (x2, x1, y2, y1) = (x1, x, y1, y)
      return y
    }
  }

  static func highPass(_ signal: [Double], _ frequency: Double) -> [Double] {
    let omega = 2 * Double.pi * frequency / sampleRate
    let (alpha, cosine) = (sin(omega) / sqrt(2), cos(omega))
    let a0 = 1 + alpha
    return filter(
      signal,
      [(1 + cosine) / 2, -(1 + cosine), (1 + cosine) / 2, -2 * cosine, 1 - alpha].map { $0 / a0 })
  }

  static func lowPass(_ signal: [Double], _ frequency: Double) -> [Double] {
    let omega = 2 * Double.pi * frequency / sampleRate
    let (alpha, cosine) = (sin(omega) / sqrt(2), cos(omega))
    let a0 = 1 + alpha
    return filter(
      signal,
      [(1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2, -2 * cosine, 1 - alpha].map { $0 / a0 })
  }

  /// The level of a band of the mean of both channels, with edges of 24 dB an octave.
  static func band(_ channels: [[Double]], _ low: Double, _ high: Double) -> Double {
    let middle = zip(channels[0], channels[1]).map { ($0 + $1) / 2 }
    let above = highPass(highPass(middle, low), low)
    return level(lowPass(lowPass(above, high), high))
  }

  /// The amplitude of a frequency from a second on, in dB.
  static func tone(_ signal: [Double], _ frequency: Double, from start: Double) -> Double {
    let piece = signal[Int(start * sampleRate)...]
    var (re, im) = (0.0, 0.0)
    for (index, sample) in piece.enumerated() {
      let window = 0.5 - 0.5 * cos(2 * Double.pi * Double(index) / Double(piece.count))
      let phase = 2 * Double.pi * frequency * Double(index) / sampleRate
      re += window * sample * cos(phase)
      im += window * sample * sin(phase)
    }
    return decibels(4 * (re * re + im * im).squareRoot() / Double(piece.count))
  }

  /// The integrated loudness by ITU-R BS.1770 (LUFS).
  static func loudness(_ channels: [[Double]]) -> Double {
    let weighted = channels.map { filter(filter($0, shelf), weightingHighPass) }
    let (length, step) = (Int(0.4 * sampleRate), Int(0.1 * sampleRate))
    var powers: [Double] = []
    for start in stride(from: 0, through: weighted[0].count - length, by: step) {
      var sum = 0.0
      for channel in weighted {
        for frame in start..<(start + length) { sum += channel[frame] * channel[frame] }
      }
      powers.append(sum / Double(length))
    }
    func loudness(_ power: Double) -> Double { -0.691 + 10 * log10(max(power, 1e-20)) }
    func mean(above gate: Double) -> Double {
      let kept = powers.filter { loudness($0) > gate }
      return kept.isEmpty ? 1e-20 : kept.reduce(0, +) / Double(kept.count)
    }
    let ungated = loudness(mean(above: -70))
    return loudness(mean(above: max(-70, ungated - 10)))
  }

  private static let shelf: [Double] = {
    let k = tan(Double.pi * 1681.9744509555319 / sampleRate)
    let (q, high) = (0.7071752369554196, pow(10, 3.999843853973347 / 20))
    let middle = pow(high, 0.4996667741545416)
    let a0 = 1 + k / q + k * k
    return [
      high + middle * k / q + k * k, 2 * (k * k - high), high - middle * k / q + k * k,
      2 * (k * k - 1), 1 - k / q + k * k,
    ].map { $0 / a0 }
  }()

  private static let weightingHighPass: [Double] = {
    let k = tan(Double.pi * 38.13547087602444 / sampleRate)
    let q = 0.5003270373238773
    let a0 = 1 + k / q + k * k
    return [1, -2, 1, 2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0]
  }()
}
