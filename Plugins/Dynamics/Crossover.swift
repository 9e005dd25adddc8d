// Splits sound into four bands whose sum is flat: Linkwitz-Riley crossovers of fourth order.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// One crossover: what lies below its frequency, and what lies above.
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

  /// Leaves what is above in `rows` and puts what is below into `low`.
  @_noLocks mutating func split(
    _ rows: borrowing BandRows, low: borrowing BandRows, count: Int,
    _ steps: borrowing CrossoverSteps
  ) {
    for channel in 0..<rows.count {
      unsafe SampleRun.copy(rows.rows[channel], to: low.rows[channel], count)
    }
    unsafe first.process(low.rows, low.count, from: 0, count: count, steps.lowPass)
    unsafe second.process(low.rows, low.count, from: 0, count: count, steps.lowPass)
    unsafe allPass.process(rows.rows, rows.count, from: 0, count: count, steps.allPass)
    for channel in 0..<rows.count {
      let all = unsafe rows.rows[channel]
      let below = unsafe low.rows[channel]
      for index in 0..<count { unsafe all[index] -= below[index] }
    }
  }
}

/// The filters of a crossover at a frequency. Context: any.
struct CrossoverSteps: Sendable {
  private(set) var lowPass = StateVariableStep(StateVariableCoefficients())
  private(set) var allPass = StateVariableStep(StateVariableCoefficients())

  /// Sets a frequency in Hz.
  @_noLocks mutating func set(_ frequency: Double, sampleRate: Double) {
    let q = FilterShape.flattestQ
    lowPass = StateVariableStep(
      .lowPass(frequency: frequency, q: q, sampleRate: sampleRate))
    allPass = StateVariableStep(
      StateVariableCoefficients(
        frequency: frequency, damping: 1 / q, sampleRate: sampleRate, m0: 1, m1: -2 / q, m2: 0))
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
