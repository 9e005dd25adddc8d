// The noise of one channel by frequency, and the gains that remove it.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// The settings of a frame.
struct NoiseSettings {
  /// The least gain.
  var leastGain: Float
  /// A factor for the power of the noise.
  var factor: Float
  /// Whether the profile follows the sound; otherwise it is the mean of the frames that are learnt.
  var follows: Bool
  /// Whether this frame is learnt.
  var learns: Bool
}

/// An estimate of steady noise under speech or music, and gains by the log-spectral amplitude.
///
/// The power of the noise follows each bin by the probability that it holds noise alone (Gerkmann and Hendriks). Its bounds come
/// from the least smoothed power of the last seconds. The gain is that of Ephraim and Malah with a decision-directed ratio, weighed by
/// the probability of sound (Cohen). Context: made and freed on a control thread, everything else render.
@safe struct NoiseSpectrum: ~Copyable {
  /// Bins, from 0 Hz to half the rate.
  let count: Int
  private let memory: UnsafeMutablePointer<Float>
  private let noise: UnsafeMutablePointer<Float>
  private let presence: UnsafeMutablePointer<Float>
  private let smoothed: UnsafeMutablePointer<Float>
  private let least: UnsafeMutablePointer<Float>
  private let leastBefore: UnsafeMutablePointer<Float>
  private let cleaned: UnsafeMutablePointer<Float>
  private let ratios: UnsafeMutablePointer<Float>
  private let table: UnsafeMutablePointer<Float>
  private let keeps: Float
  private let smooths: Float
  private let startFrames: Int
  private let framesOfMinimum: Int
  private var frames = 0
  private var learnt = 0

  /// The ratio that speech has where there is some: 15 dB.
  private static var likelyRatio: Float { @_noLocks get { 31.6 } }
  /// The weight of the frame before in the ratio.
  private static var memoryOfRatio: Float { @_noLocks get { 0.94 } }
  private static var quietest: Float { @_noLocks get { 1e-20 } }

  /// Allocates for frames that follow each other after so many seconds. Context: control.
  init(count: Int, secondsPerFrame: Double) {
    self.count = count
    unsafe memory = .allocate(capacity: 7 * count)
    unsafe memory.initialize(repeating: 0, count: 7 * count)
    unsafe noise = memory
    unsafe presence = memory + count
    unsafe smoothed = memory + 2 * count
    unsafe least = memory + 3 * count
    unsafe leastBefore = memory + 4 * count
    unsafe cleaned = memory + 5 * count
    unsafe ratios = memory + 6 * count
    unsafe table = ExponentialIntegral.makeTable()
    keeps = Float(RealtimeMath.exp(-secondsPerFrame))
    smooths = Float(1 - RealtimeMath.exp(-secondsPerFrame / 0.04))
    startFrames = max(2, Int((0.12 / secondsPerFrame).rounded(.up)))
    framesOfMinimum = max(4, Int((1 / secondsPerFrame).rounded()))
  }

  deinit {
    unsafe memory.deallocate()
    unsafe table.deallocate()
  }

  /// Forgets everything.
  @_noLocks mutating func reset() {
    for index in 0..<(7 * count) { unsafe memory[index] = 0 }
    frames = 0
    learnt = 0
  }

  /// Begins a new profile with the next frame that is learnt.
  @_noLocks mutating func beginLearning() { learnt = 0 }

  /// The powers of the noise by bin.
  var profile: UnsafePointer<Float> { @_noLocks get { unsafe UnsafePointer(noise) } }

  /// Puts powers of a noise in place of the profile.
  @_noLocks mutating func restore(_ powers: UnsafePointer<Float>) {
    for bin in 0..<count { unsafe noise[bin] = powers[bin] }
  }

  /// The mean power of the noise in a bin.
  var meanPower: Float {
    @_noLocks get {
      var sum: Float = 0
      for bin in 0..<count { unsafe sum += noise[bin] }
      return sum / Float(count)
    }
  }

  /// Turns the powers of a frame into gains, in place.
  ///
  /// - Parameter isWhole: Whether sound fills the frame: others change no profile.
  @_noLocks mutating func process(
    _ powers: UnsafeMutablePointer<Float>, _ settings: NoiseSettings, isWhole: Bool
  ) {
    if isWhole {
      if settings.follows { unsafe follow(powers) } else if settings.learns { unsafe learn(powers) }
    }
    unsafe findRatios(powers, settings)
    unsafe findGains(powers, settings)
  }

  @_noLocks private mutating func learn(_ powers: UnsafePointer<Float>) {
    learnt += 1
    let part = 1 / Float(learnt)
    for bin in 0..<count { unsafe noise[bin] += (powers[bin] - noise[bin]) * part }
  }

  @_noLocks private mutating func follow(_ powers: UnsafePointer<Float>) {
    frames += 1
    let isFirst = frames == 1
    for bin in 0..<count {
      let power = unsafe powers[bin]
      unsafe smoothed[bin] = isFirst ? power : smoothed[bin] + (power - smoothed[bin]) * smooths
      unsafe least[bin] = isFirst ? power : min(least[bin], smoothed[bin])
      if isFirst { unsafe leastBefore[bin] = .greatestFiniteMagnitude }
    }
    if frames <= startFrames {
      let part = 1 / Float(frames)
      for bin in 0..<count { unsafe noise[bin] += (powers[bin] - noise[bin]) * part }
      // The first powers are not smoothed yet, and no measure of the least power.
      if frames == startFrames {
        for bin in 0..<count { unsafe least[bin] = smoothed[bin] }
      }
      return
    }
    let slope = Self.likelyRatio / (1 + Self.likelyRatio)
    for bin in 0..<count {
      let power = unsafe powers[bin]
      let before = unsafe max(noise[bin], Self.quietest)
      let exponent = min(power / before * slope, 60)
      var probability = 1 / (1 + (1 + Self.likelyRatio) * RealtimeMath.exp(-exponent))
      unsafe presence[bin] = 0.9 * presence[bin] + 0.1 * probability
      if unsafe presence[bin] > 0.99 { probability = min(probability, 0.99) }
      let expected = power + (before - power) * probability
      let lowest = unsafe min(least[bin], leastBefore[bin])
      unsafe noise[bin] = min(
        max(expected + (before - expected) * keeps, 2 * lowest), 8 * lowest)
    }
    if (frames - startFrames) % framesOfMinimum == 0 {
      for bin in 0..<count {
        unsafe leastBefore[bin] = least[bin]
        unsafe least[bin] = smoothed[bin]
      }
    }
  }

  /// The ratios of sound to noise before the gain, from the frame before and this one.
  @_noLocks private func findRatios(_ powers: UnsafePointer<Float>, _ settings: NoiseSettings) {
    let part = Self.memoryOfRatio
    for bin in 0..<count {
      let level = unsafe max(noise[bin] * settings.factor, Self.quietest)
      let above = unsafe min(powers[bin] / level, 1e4)
      let ratio = unsafe part * cleaned[bin] / level + (1 - part) * max(above - 1, 0)
      unsafe ratios[bin] = min(max(ratio, 0.003_162), 1e8)
    }
  }

  @_noLocks private func findGains(_ powers: UnsafeMutablePointer<Float>, _ settings: NoiseSettings)
  {
    let leastLog = RealtimeMath.log(settings.leastGain)
    for bin in 0..<count {
      let power = unsafe powers[bin]
      let level = unsafe max(noise[bin] * settings.factor, Self.quietest)
      let ratio = unsafe ratios[bin]
      let wiener = ratio / (1 + ratio)
      let strength = max(min(power / level, 1e4) * wiener, 1e-8)
      let gain = unsafe min(wiener * ExponentialIntegral.half(strength, table), 1)
      unsafe cleaned[bin] = gain * gain * power
      let absence = absence(bin)
      let odds = absence / (1 - absence) * (1 + ratio) * RealtimeMath.exp(-min(strength, 60))
      let probability = 1 / (1 + odds)
      let mixed = RealtimeMath.exp(
        probability * RealtimeMath.log(max(gain, 1e-6)) + (1 - probability) * leastLog)
      unsafe powers[bin] = max(mixed, settings.leastGain)
    }
  }

  /// Estimates the probability that a bin holds noise alone, by the ratios around it.
  @_noLocks private func absence(_ bin: Int) -> Float {
    // A Hann window of nine bins, whose sum is 1.
    let weights = SIMD4<Float>(0.180_901_7, 0.130_901_7, 0.069_098_3, 0.019_098_3)
    var sum = unsafe 0.2 * ratios[bin]
    for offset in 1...4 {
      let (below, above) = (max(bin - offset, 0), min(bin + offset, count - 1))
      unsafe sum += (ratios[below] + ratios[above]) * weights[offset - 1]
    }
    let decibels = 10 * RealtimeMath.log10(sum)
    return min(max(1 - (decibels + 12) / 12, 0.03), 0.95)
  }
}
