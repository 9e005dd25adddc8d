// Splits sound into four bands whose sum is flat: Linkwitz-Riley crossovers of fourth order.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// One crossover: the part below its frequency, and the part above.
///
/// Both add up to an all-pass of second order, and are in phase everywhere. Context: render.
struct Crossover: ~Copyable {
  private var first: StateVariableBank
  private var second: StateVariableBank
  private var allPass: StateVariableBank

  /// Allocates. Context: control.
  init(channelCount: Int) {
    first = StateVariableBank(channelCount: channelCount)
    second = StateVariableBank(channelCount: channelCount)
    allPass = StateVariableBank(channelCount: channelCount)
  }

  /// Forgets the past.
  @_noLocks mutating func reset() {
    first.reset()
    second.reset()
    allPass.reset()
  }

  /// Leaves the upper part in `rows` and puts the lower part into `low`.
  @_noLocks mutating func split(
    _ rows: borrowing BandRows, low: borrowing BandRows, count: Int, phase: Int,
    _ steps: borrowing CrossoverSteps
  ) {
    for channel in 0..<rows.count {
      unsafe SampleRun.copy(rows.rows[channel], to: low.rows[channel], count)
    }
    unsafe first.process(low.rows, low.count, from: 0, count: count, phase: phase, steps.lowPass)
    unsafe second.process(low.rows, low.count, from: 0, count: count, phase: phase, steps.lowPass)
    unsafe allPass.process(
      rows.rows, rows.count, from: 0, count: count, phase: phase, steps.allPass)
    for channel in 0..<rows.count {
      let all = unsafe rows.rows[channel]
      let below = unsafe low.rows[channel]
      for index in 0..<count { unsafe all[index] -= below[index] }
    }
  }
}

/// The filters of a crossover on their way to a frequency. Context: any.
struct CrossoverSteps: Sendable {
  private(set) var lowPass = MovingFilterStep()
  private(set) var allPass = MovingFilterStep()
  private var isFresh = true

  /// The next frequency holds at once.
  @_noLocks mutating func reset() { isFresh = true }

  /// Begins an interval that ends at a frequency in Hz; nil stays where it is.
  @_noLocks mutating func advance(to frequency: Double?, sampleRate: Double) {
    guard let frequency else {
      lowPass.rest()
      allPass.rest()
      return
    }
    let q = FilterShape.flattestQ
    let low = StateVariableCoefficients.lowPass(
      frequency: frequency, q: q, sampleRate: sampleRate)
    let all = StateVariableCoefficients(
      frequency: frequency, damping: 1 / q, sampleRate: sampleRate, m0: 1, m1: -2 / q, m2: 0)
    if isFresh {
      lowPass.jump(to: low)
      allPass.jump(to: all)
    } else {
      lowPass.advance(to: low)
      allPass.advance(to: all)
    }
    isFresh = false
  }
}

/// A run of every channel of a band, of at most an interval of the clock.
@safe struct BandRows: ~Copyable {
  let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let count: Int
  private let memory: UnsafeMutablePointer<Float>

  /// Allocates. Context: control.
  init(channelCount: Int) {
    count = channelCount
    let stride = ControlClock.interval
    unsafe memory = .allocate(capacity: max(1, channelCount) * stride)
    unsafe memory.initialize(repeating: 0, count: max(1, channelCount) * stride)
    unsafe rows = .allocate(capacity: max(1, channelCount))
    for channel in 0..<max(1, channelCount) {
      unsafe (rows + channel).initialize(to: memory + channel * stride)
    }
  }

  deinit {
    unsafe memory.deallocate()
    unsafe rows.deallocate()
  }
}
