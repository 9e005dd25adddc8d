// Comparisons of signals in decibels, for tests.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// 20·log10 of an amplitude ratio; -infinity for zero.
public func decibels(_ amplitude: Double) -> Double {
  amplitude > 0 ? 20 * log10(amplitude) : -.infinity
}

/// 20·log10 of an amplitude ratio; -infinity for zero.
public func decibels(_ amplitude: Float) -> Double {
  decibels(Double(amplitude))
}

/// The amplitude of a level in decibels.
public func amplitude(decibels: Double) -> Double {
  pow(10, decibels / 20)
}

/// The largest magnitude of a signal.
public func peak(_ signal: some Sequence<Float>) -> Float {
  signal.reduce(0) { max($0, abs($1)) }
}

/// The index of the largest magnitude of a signal, the first one if several; nil when empty.
public func peakIndex(_ signal: [Float]) -> Int? {
  guard var best = signal.indices.first else { return nil }
  for index in signal.indices where abs(signal[index]) > abs(signal[best]) { best = index }
  return best
}

/// The root of the mean square of a signal; 0 when empty.
public func rootMeanSquare(_ signal: some Collection<Float>) -> Double {
  guard !signal.isEmpty else { return 0 }
  let sum = signal.reduce(0.0) { $0 + Double($1) * Double($1) }
  return (sum / Double(signal.count)).squareRoot()
}

/// The largest difference between two signals, sample by sample; infinity when lengths differ.
public func maximumDifference(_ first: [Float], _ second: [Float]) -> Float {
  guard first.count == second.count else { return .infinity }
  return zip(first, second).reduce(0) { max($0, abs($1.0 - $1.1)) }
}

/// Returns the level of a reference above a signal's difference from it, in decibels (infinity: the same).
public func signalToNoise(_ signal: [Float], reference: [Float]) -> Double {
  guard signal.count == reference.count else { return -.infinity }
  let noise = zip(signal, reference).map { $0 - $1 }
  let noiseLevel = rootMeanSquare(noise)
  guard noiseLevel > 0 else { return .infinity }
  return decibels(rootMeanSquare(reference) / noiseLevel)
}

/// A sine fitted to a signal, and the rest of the signal without it.
public struct SineFit: Sendable {
  /// The amplitude of the fitted sine.
  public let amplitude: Double
  /// Its phase in radians at the first sample.
  public let phase: Double
  /// The level of the sine over the level of the rest, in decibels.
  public let signalToNoise: Double

  /// Fits a sine of known frequency (in Hz) by least squares.
  public init(
    _ signal: some Collection<Float>, frequency: Double, sampleRate: Double
  ) {
    let step = 2 * Double.pi * frequency / sampleRate
    var (ss, sc, cc, sy, cy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (index, sample) in signal.enumerated() {
      let (s, c) = (sin(step * Double(index)), cos(step * Double(index)))
      ss += s * s
      sc += s * c
      cc += c * c
      sy += s * Double(sample)
      cy += c * Double(sample)
    }
    let determinant = ss * cc - sc * sc
    let a = determinant == 0 ? 0 : (sy * cc - cy * sc) / determinant
    let b = determinant == 0 ? 0 : (cy * ss - sy * sc) / determinant
    var rest = 0.0
    for (index, sample) in signal.enumerated() {
      let model = a * sin(step * Double(index)) + b * cos(step * Double(index))
      let difference = Double(sample) - model
      rest += difference * difference
    }
    amplitude = (a * a + b * b).squareRoot()
    phase = atan2(b, a)
    let noise = (rest / Double(max(signal.count, 1))).squareRoot()
    signalToNoise = noise > 0 ? decibels(amplitude / 2.0.squareRoot() / noise) : .infinity
  }
}
