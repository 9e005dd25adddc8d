// Signals for tests: sine, noise, impulse, sweep, made the same way every time.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A small random generator with a seed (SplitMix64), so that a failing test can be run again.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// The seed the generator started from: print it when a test fails.
  public let seed: UInt64
  private var state: UInt64

  /// Starts a generator.
  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// The next number, evenly spread over -1 ..< 1.
  public mutating func nextSample() -> Float {
    Float(Int32(truncatingIfNeeded: next() >> 40) - 0x80_0000) / Float(0x80_0000)
  }
}

/// Makers of one channel of sound.
public enum TestSignal {
  /// A sine, computed in double precision.
  public static func sine(
    frequency: Double, amplitude: Double = 0.5, sampleRate: Double = 48_000, frameCount: Int,
    phase: Double = 0
  ) -> [Float] {
    let step = 2 * Double.pi * frequency / sampleRate
    return (0..<frameCount).map { Float(amplitude * sin(phase + step * Double($0))) }
  }

  /// White noise, evenly spread over ±amplitude.
  public static func noise(seed: UInt64, amplitude: Float = 0.5, frameCount: Int) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    return (0..<frameCount).map { _ in generator.nextSample() * amplitude }
  }

  /// Silence with one sample that is not.
  public static func impulse(at index: Int = 0, amplitude: Float = 1, frameCount: Int) -> [Float] {
    var signal = [Float](repeating: 0, count: frameCount)
    if signal.indices.contains(index) { signal[index] = amplitude }
    return signal
  }

  /// Silence.
  public static func silence(frameCount: Int) -> [Float] {
    [Float](repeating: 0, count: frameCount)
  }

  /// A sine whose frequency rises evenly in octaves.
  public static func sweep(
    from start: Double = 20, to end: Double = 20_000, amplitude: Double = 0.5,
    sampleRate: Double = 48_000, frameCount: Int
  ) -> [Float] {
    let duration = Double(max(frameCount, 1)) / sampleRate
    let rate = log(end / start)
    let scale = 2 * Double.pi * start * duration / rate
    return (0..<frameCount).map { frame in
      let position = Double(frame) / sampleRate / duration
      return Float(amplitude * sin(scale * (exp(rate * position) - 1)))
    }
  }
}
