// Gain and phase over frequency: a sweep that came out, divided by the sweep that went in.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Spectra
import Synchronization

/// The spectrum of a sweep of a power of two of frames, against which others are held.
struct FrequencyResponse: Sendable {
  private let transform: FourierTransform
  private let sampleRate: Double
  private let input: (re: [Float], im: [Float])
  /// The sweep.
  let signal: [Float]
  /// The frequencies at which curves have points, in Hz.
  let frequencies: [Double]

  /// The last sweep that was made: a picture that is drawn again and again has the same one.
  private static let last = Mutex<(sampleRate: Double, peak: Double, response: Self)?>(nil)

  /// The spectrum of a sweep, made where it is not the last one.
  static func of(sampleRate: Double, peak: Double) -> Self {
    if let last = last.withLock({ $0 }), last.sampleRate == sampleRate, last.peak == peak {
      return last.response
    }
    let made = Self(sampleRate: sampleRate, peak: peak)
    last.withLock { $0 = (sampleRate, peak, made) }
    return made
  }

  /// Makes a sweep of a third of five seconds or more, with silence for the tail.
  init(sampleRate: Double, peak: Double) {
    transform = FourierTransform(count: 1 << Int(log2(5 * sampleRate).rounded(.up)))
    self.sampleRate = sampleRate
    let half = transform.count / 2
    signal = TestSignals.exponentialSweep(
      frames: half, silence: half, sampleRate: sampleRate, peak: peak)
    input = Self.spectrum(signal, transform)
    let (low, high) = (20.0, sampleRate * 0.499)
    frequencies = (0...600).map { low * pow(high / low, Double($0) / 600) }
  }

  private static func spectrum(
    _ samples: [Float], _ transform: FourierTransform
  ) -> (re: [Float], im: [Float]) {
    var (re, im) = (samples, [Float](repeating: 0, count: samples.count))
    transform.transform(&re, &im)
    return (re, im)
  }

  /// The gain at every frequency in dB, over a 48th of an octave; −200 for nothing.
  func gains(_ output: [Float]) -> [Double] {
    let spectrum = Self.spectrum(output, transform)
    func power(_ part: (re: [Float], im: [Float]), _ bin: Int) -> Double {
      Double(part.re[bin]) * Double(part.re[bin]) + Double(part.im[bin]) * Double(part.im[bin])
    }
    func decibels(_ made: Double, _ supplied: Double) -> Double {
      10 * log10(max(made / max(supplied, 1e-30), 1e-20))
    }
    let binWidth = sampleRate / Double(transform.count)
    let width = pow(2, 1.0 / 96)
    return frequencies.map { frequency in
      let (low, high) = (frequency / width / binWidth, frequency * width / binWidth)
      let (first, last) = (Int(low.rounded(.up)), min(Int(high), transform.count / 2 - 1))
      guard last > first + 1 else {
        let place = min(frequency / binWidth, Double(transform.count / 2 - 2))
        let bin = Int(place)
        let part = place - Double(bin)
        return decibels(power(spectrum, bin), power(input, bin)) * (1 - part)
          + decibels(power(spectrum, bin + 1), power(input, bin + 1)) * part
      }
      var (made, supplied) = (0.0, 0.0)
      for bin in first...last {
        made += power(spectrum, bin)
        supplied += power(input, bin)
      }
      return decibels(made, supplied)
    }
  }

  /// The phase at every frequency in degrees, without breaks from 20 Hz on, where it is within ±180.
  func phases(_ output: [Float]) -> [Double] {
    let spectrum = Self.spectrum(output, transform)
    let binWidth = sampleRate / Double(transform.count)
    let count = transform.count / 2
    var phases = [Double](repeating: 0, count: count)
    let start = max(1, Int(20 / binWidth))
    for bin in start..<count {
      let (a, b) = (Double(spectrum.re[bin]), Double(spectrum.im[bin]))
      let (c, d) = (Double(input.re[bin]), Double(input.im[bin]))
      let (re, im) = (a * c + b * d, b * c - a * d)
      let last = phases[bin - 1]
      // Where nothing comes through, there is no phase to follow.
      guard re * re + im * im > 1e-10 * pow(c * c + d * d, 2) else {
        phases[bin] = last
        continue
      }
      let angle = atan2(im, re) * 180 / Double.pi
      phases[bin] = bin == start ? angle : angle + ((last - angle) / 360).rounded() * 360
    }
    return frequencies.map { frequency in
      let place = min(max(frequency / binWidth, Double(start)), Double(count - 2))
      let bin = Int(place)
      let part = place - Double(bin)
      return phases[bin] * (1 - part) + phases[bin + 1] * part
    }
  }
}
