// Two-pole filters for any number of channels, with the same coefficients for all.
// SPDX-License-Identifier: Apache-2.0

import CRealtime

/// The states of one filter per channel; two channels and four frames are processed at once in double
/// precision. The samples do not depend on where a slice ends within four frames.
///
/// A fixed high-pass at 30 Hz, which needs neither clock nor glides:
///
/// ```swift
/// init(_ setup: UnitSetup<Self>) {
///   bank = StateVariableBank(channelCount: setup.channelCount)
///   step = StateVariableStep(
///     .highPass(frequency: 30, q: FilterShape.flattestQ, sampleRate: setup.sampleRate))
/// }
///
/// @_noLocks mutating func process(_ slice: RenderSlice) {
///   bank.process(slice, from: 0, count: slice.frameCount, step)
/// }
/// ```
///
/// Context: made and freed on a control thread, everything else render.
@safe public struct StateVariableBank: ~Copyable {
  /// Level below which ringing is cut off once the input has been silent: −140 dB, linear.
  public static var floor: Double { 1e-7 }
  /// Frames between two checks for silence.
  static var checkInterval: Int { 1024 }

  private let states: UnsafeMutablePointer<AuricleFilterState>
  private let pairCount: Int
  private var framesToCheck = checkInterval
  private var wasSilent = true

  /// Allocates the states of `channelCount` filters at rest. Context: control.
  public init(channelCount: Int) {
    pairCount = (channelCount + 1) / 2
    unsafe states = .allocate(capacity: max(pairCount, 1))
    unsafe states.initialize(repeating: AuricleFilterState(), count: max(pairCount, 1))
  }

  deinit { unsafe states.deallocate() }

  /// Clears the history. Context: control or render.
  @_noLocks public mutating func reset() {
    for pair in 0..<pairCount { unsafe states[pair] = AuricleFilterState() }
    framesToCheck = Self.checkInterval
    wasSilent = true
  }

  /// Filters frames of every channel of a slice in place.
  ///
  /// The step may change after a multiple of four frames since the reset, as it does on the grid of a
  /// `ControlClock`.
  ///
  /// - Parameters:
  ///   - slice: The slice, with as many channels as the bank.
  ///   - frame: First frame.
  ///   - count: Frames.
  ///   - step: The filter, the same for all channels.
  @_noLocks public mutating func process(
    _ slice: borrowing RenderSlice, from frame: Int, count: Int,
    _ step: borrowing StateVariableStep
  ) {
    unsafe process(
      slice.outputs, slice.channelCount, from: slice.frameOffset + frame, count: count, step)
  }

  /// Filters frames of rows in place, one a channel of the bank; otherwise the same.
  @_noLocks public mutating func process(
    _ rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ rowCount: Int,
    from frame: Int, count: Int, _ step: borrowing StateVariableStep
  ) {
    var frame = frame
    var left = count
    var values = step.values
    while left > 0 {
      let run = min(left, framesToCheck)
      for pair in 0..<pairCount {
        let (first, second) = unsafe channels(rows, rowCount, pair, frame)
        if unsafe isSilent(pair, first, second, run) { continue }
        unsafe AuricleFilter(first, second, run, &values, states + pair)
      }
      frame += run
      left -= run
      self.count(run)
    }
  }

  /// Does the same with coefficients on their way through an interval, from `phase` on.
  @_noLocks mutating func process(
    _ rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ rowCount: Int,
    from frame: Int, count: Int, phase: Int, _ way: AuricleMovingFilter
  ) {
    var way = way
    var done = 0
    while done < count {
      let run = min(count - done, framesToCheck)
      for pair in 0..<pairCount {
        let (first, second) = unsafe channels(rows, rowCount, pair, frame + done)
        if unsafe isSilent(pair, first, second, run) { continue }
        unsafe AuricleFilterMoving(first, second, run, phase + done, &way, states + pair)
      }
      done += run
      self.count(run)
    }
  }

  @_noLocks private mutating func count(_ frames: Int) {
    framesToCheck -= frames
    if framesToCheck == 0 { checkForSilence() }
  }

  /// Clears ringing below the floor after a whole interval of silence.
  @_noLocks private mutating func checkForSilence() {
    for pair in 0..<pairCount {
      let energy = unsafe Self.energy(states[pair])
      let hasDied = wasSilent && energy < Self.floor * Self.floor
      // The second test lets the filter recover from an input that was not finite.
      if hasDied || !(energy < 1e30) { unsafe states[pair] = AuricleFilterState() }
    }
    framesToCheck = Self.checkInterval
    wasSilent = true
  }

  /// Both rows of a pair; a single last channel is processed twice, with the same result.
  @_noLocks private func channels(
    _ rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ rowCount: Int, _ pair: Int,
    _ frame: Int
  ) -> (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>) {
    unsafe (rows[2 * pair] + frame, rows[min(2 * pair + 1, rowCount - 1)] + frame)
  }

  /// Returns whether a pair has nothing to do: silence stays silence, but four frames may begin or end here.
  @_noLocks private mutating func isSilent(
    _ pair: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    _ count: Int
  ) -> Bool {
    let bits = unsafe Self.allBits(left, right, count)
    if bits & 0x7FFF_FFFF != 0 { wasSilent = false }
    guard bits == 0, unsafe Self.energy(states[pair]) == 0 else { return false }
    let pending = unsafe (states[pair].pendingCount + Int64(count)) & 3
    unsafe states[pair] = AuricleFilterState()
    unsafe states[pair].pendingCount = pending
    return true
  }

  /// Sum of the squared states of a pair of channels, and of pending frames.
  @_noLocks private static func energy(_ state: AuricleFilterState) -> Double {
    let first = SIMD4(state.states.0, state.states.1, state.states.2, state.states.3)
    let square = first * first
    let sum = (square[0] + square[1]) + (square[2] + square[3])
    if state.pendingCount == 0 { return sum }
    let (left, right) = state.pending
    let second = SIMD8(
      left.0, left.1, left.2, 0, right.0, right.1, right.2, 0)
    // Later frames belong to an older group.
    let isNew = SIMD8<Int32>(0, 1, 2, 3, 0, 1, 2, 3) .< SIMD8(repeating: Int32(state.pendingCount))
    let known = SIMD8<Float>(repeating: 0).replacing(with: second, where: isNew)
    return sum + Double((known * known).sum())
  }

  /// Returns the bit patterns of all samples, or-ed: zero for digital silence.
  @_noLocks private static func allBits(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int
  ) -> UInt32 {
    var bits: UInt32 = 0
    for frame in 0..<count {
      unsafe bits |= left[frame].bitPattern | right[frame].bitPattern
    }
    return bits
  }
}
