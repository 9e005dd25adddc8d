// The envelope of a sound's spectrum: the resonances of a voice without its partials.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// An envelope by linear prediction of the frequencies up to 10 kHz.
///
/// Context: made and freed on a control thread, everything else render.
@safe struct SoundEnvelope: ~Copyable {
  /// The bin of the highest frequency.
  let last: Int
  /// Poles, two for each resonance.
  private let order: Int
  /// The cosines of a turn in 2 × `last` steps.
  private let cosines: UnsafeMutablePointer<Double>
  /// The factors of correlations that widen narrow resonances by 30 Hz: a partial of a high voice is none.
  private let lags: UnsafeMutablePointer<Double>
  private let correlation: UnsafeMutablePointer<Double>
  private let predictor: UnsafeMutablePointer<Double>
  private let spare: UnsafeMutablePointer<Double>
  /// The natural logarithm of the envelope at each bin.
  private let levels: UnsafeMutablePointer<Double>

  private static var highest: Double { @_noLocks get { 10_000 } }

  /// Allocates for the bins of a frame.
  ///
  /// - Parameter size: Samples of the frame.
  init(sampleRate: Double, size: Int) {
    let highest = min(Self.highest, sampleRate / 2)
    last = max(4, min(size / 2, Int(highest * Double(size) / sampleRate)))
    order = min(last, 6 + Int(highest / 500))
    func numbers(_ count: Int, _ value: (Int) -> Double) -> UnsafeMutablePointer<Double> {
      let memory = UnsafeMutablePointer<Double>.allocate(capacity: count)
      for index in 0..<count { unsafe (memory + index).initialize(to: value(index)) }
      return unsafe memory
    }
    let (bins, turn) = (last, Double.pi / Double(last))
    unsafe cosines = numbers(2 * bins) { RealtimeMath.cos(turn * Double($0)) }
    unsafe lags = numbers(order + 1) {
      let width = 2 * Double.pi * 30 * Double($0) / (2 * highest)
      return $0 == 0 ? 1 + 1e-5 : RealtimeMath.exp(-0.5 * width * width)
    }
    unsafe correlation = numbers(order + 1) { _ in 0 }
    unsafe predictor = numbers(order + 1) { _ in 0 }
    unsafe spare = numbers(order + 1) { _ in 0 }
    unsafe levels = numbers(bins + 1) { _ in 0 }
  }

  deinit {
    unsafe cosines.deallocate()
    unsafe lags.deallocate()
    unsafe correlation.deallocate()
    unsafe predictor.deallocate()
    unsafe spare.deallocate()
    unsafe levels.deallocate()
  }

  /// Finds the envelope of a spectrum; false where there is no sound.
  ///
  /// - Parameter powers: The power in each bin.
  @_noLocks func find(_ powers: UnsafeMutablePointer<Float>) -> Bool {
    for lag in 0...order {
      var (sum, angle) = unsafe (0.5 * Double(powers[0]), 0)
      for bin in 1...last {
        angle += lag
        if angle >= 2 * last { angle -= 2 * last }
        let share = bin == last ? 0.5 : 1.0
        unsafe sum += share * Double(powers[bin]) * cosines[angle]
      }
      unsafe correlation[lag] = sum * lags[lag]
    }
    guard unsafe correlation[0] > 1e-12 else { return false }
    predict()
    // The power of the predictor at a frequency is a sum of cosines: that of its correlation.
    for lag in 0...order {
      var sum = 0.0
      for index in 0...(order - lag) { unsafe sum += predictor[index] * predictor[index + lag] }
      unsafe spare[lag] = lag == 0 ? sum : 2 * sum
    }
    for bin in 0...last {
      var (power, angle) = unsafe (spare[0], 0)
      for lag in 1...order {
        angle += bin
        if angle >= 2 * last { angle -= 2 * last }
        unsafe power += spare[lag] * cosines[angle]
      }
      unsafe levels[bin] = -0.5 * RealtimeMath.log(max(power, 1e-9))
    }
    return true
  }

  /// Solves for the predictor, by Levinson's recursion.
  @_noLocks private func predict() {
    for index in 0...order { unsafe predictor[index] = index == 0 ? 1 : 0 }
    var error = unsafe correlation[0]
    for step in 1...order {
      var sum = unsafe correlation[step]
      for index in 1..<step { unsafe sum += predictor[index] * correlation[step - index] }
      let reflection = -sum / error
      for index in 1..<step { unsafe spare[index] = predictor[step - index] }
      for index in 1..<step { unsafe predictor[index] += reflection * spare[index] }
      unsafe predictor[step] = reflection
      error *= 1 - reflection * reflection
      guard error > 0 else { return }
    }
  }

  /// The natural logarithm of the envelope at a place between bins; that of the last one beyond it.
  @_noLocks func level(at place: Double) -> Double {
    guard place < Double(last) else { return unsafe levels[last] }
    let bin = Int(place)
    return unsafe levels[bin] + (place - Double(bin)) * (levels[bin + 1] - levels[bin])
  }
}
