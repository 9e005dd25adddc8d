// Signals that reveal the effect of a chain.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Test signals of mono samples.
enum TestSignals {
  /// A sine whose frequency rises by equal ratios in equal times, from 5 Hz to half the rate, then silence.
  static func exponentialSweep(
    frames: Int, silence: Int, sampleRate: Double, peak: Double
  ) -> [Float] {
    let (first, last) = (5.0, sampleRate / 2)
    let scale = Double(frames) / sampleRate / log(last / first)
    let fade = max(1, Int(sampleRate / 100))
    return (0..<frames).map { frame in
      let time = Double(frame) / sampleRate
      let phase = 2 * Double.pi * first * scale * (exp(time / scale) - 1)
      let rise = frame < fade ? 0.5 - 0.5 * cos(Double.pi * Double(frame) / Double(fade)) : 1
      return Float(peak * rise * sin(phase))
    } + Array(repeating: 0, count: silence)
  }

  /// A sine whose frequency rises evenly from 0 to half the rate.
  static func linearSweep(frames: Int, peak: Double) -> [Float] {
    (0..<frames).map { frame in
      let place = Double(frame)
      return Float(peak * sin(Double.pi * place * place / (2 * Double(frames))))
    }
  }

  /// Silence, then one sample.
  static func impulse(frames: Int, at place: Int, peak: Double) -> [Float] {
    var samples = [Float](repeating: 0, count: frames)
    samples[place] = Float(peak)
    return samples
  }

  /// Silence, then a constant.
  static func step(frames: Int, at place: Int, peak: Double) -> [Float] {
    Array(repeating: 0, count: place) + Array(repeating: Float(peak), count: frames - place)
  }

  /// A tone that rises from level to level, so many frames each, without a break in its phase.
  static func stairs(
    levels: [Double], framesPerLevel: Int, frequency: Double, sampleRate: Double
  ) -> [Float] {
    let turn = 2 * Double.pi * frequency / sampleRate
    return levels.enumerated().flatMap { number, level in
      let gain = pow(10, level / 20)
      let start = number * framesPerLevel
      return (start..<(start + framesPerLevel)).map { Float(gain * sin(turn * Double($0))) }
    }
  }
}
