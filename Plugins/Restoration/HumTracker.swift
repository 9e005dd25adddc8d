// The frequency of a hum, by how its first harmonics turn against those of a guess.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// Follows a hum near a frequency. Context: made on a control thread, everything else render.
struct HumTracker {
  private static var harmonics: Int { @_noLocks get { 6 } }

  /// Frequency of the hum, in Hz.
  private(set) var frequency = 0.0
  private var center = -1.0
  private let sampleRate: Double
  private let rate: Double
  private let interval: Int
  private var count = 0
  /// The turn of the guess, and of a frame of it.
  private var phase = (1.0, 0.0)
  private var turn = (1.0, 0.0)
  /// State of each harmonic, all but the past smoothed: the demodulated input, its past, its turn since, and its power.
  private var re = SIMD8<Double>(repeating: 0)
  private var im = SIMD8<Double>(repeating: 0)
  private var pastRe = SIMD8<Double>(repeating: 0)
  private var pastIm = SIMD8<Double>(repeating: 0)
  private var alongside = SIMD8<Double>(repeating: 0)
  private var across = SIMD8<Double>(repeating: 0)
  private var power = SIMD8<Double>(repeating: 0)

  init(sampleRate: Double) {
    self.sampleRate = sampleRate
    rate = FollowerRate.rate(seconds: 0.25, sampleRate: sampleRate)
    interval = max(1, Int(sampleRate * 0.1))
  }

  /// Forgets the past.
  @_noLocks mutating func reset() {
    frequency = 0
    center = -1
    count = 0
    phase = (1, 0)
    re = SIMD8(repeating: 0)
    (im, pastRe, pastIm) = (re, re, re)
    (alongside, across, power) = (re, re, re)
  }

  /// Sets the frequency to begin with, and how far the hum may be from it.
  @_noLocks mutating func aim(at hertz: Double, within range: Double) {
    if hertz != center {
      center = hertz
      frequency = hertz
    }
    frequency = min(max(frequency, center - range), center + range)
    let angle = 2 * Double.pi * frequency / sampleRate
    turn = (RealtimeMath.cos(angle), -RealtimeMath.sin(angle))
  }

  /// Adds a frame.
  @_noLocks mutating func add(_ sample: Double) {
    phase = (phase.0 * turn.0 - phase.1 * turn.1, phase.0 * turn.1 + phase.1 * turn.0)
    var (c, s) = (phase.0, phase.1)
    for index in 0..<Self.harmonics {
      re[index] += (sample * c - re[index]) * rate
      im[index] += (sample * s - im[index]) * rate
      (c, s) = (c * phase.0 - s * phase.1, c * phase.1 + s * phase.0)
    }
    count += 1
    if count == interval {
      count = 0
      follow()
    }
  }

  /// Moves the frequency by the turn of the harmonics since the last time.
  @_noLocks private mutating func follow() {
    let length = RealtimeMath.sqrt(phase.0 * phase.0 + phase.1 * phase.1)
    phase = (phase.0 / length, phase.1 / length)
    let part = 0.2
    alongside += (re * pastRe + im * pastIm - alongside) * part
    across += (im * pastRe - re * pastIm - across) * part
    power += (re * re + im * im - power) * part
    (pastRe, pastIm) = (re, im)
    var (above, below) = (0.0, 0.0)
    for index in 0..<Self.harmonics {
      let size = RealtimeMath.sqrt(
        alongside[index] * alongside[index] + across[index] * across[index])
      guard size > 1e-16, power[index] > 0 else { continue }
      // A phase that turns evenly is hum; any other is sound.
      let evenness = min(size / power[index], 1)
      let weight = evenness * evenness * evenness * evenness * size
      let number = Double(index + 1)
      above += weight * number * RealtimeMath.atan2(across[index], alongside[index])
      below += weight * number * number
    }
    guard below > 0 else { return }
    let seconds = Double(interval) / sampleRate
    frequency += 0.25 * above / below / (2 * Double.pi * seconds)
  }
}
