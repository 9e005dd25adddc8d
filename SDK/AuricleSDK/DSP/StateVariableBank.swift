// Two-pole filters for any number of channels, with the same coefficients for all.
// SPDX-License-Identifier: Apache-2.0

/// The states of one filter per channel; two channels are worked on at once in double precision.
///
/// Context: made and freed on a control thread, everything else render.
@safe public struct StateVariableBank: ~Copyable {
  /// Level below which ringing is cut off once the input has been silent: −140 dB.
  public static var floor: Double { 1e-7 }
  /// Frames between two looks for silence.
  static var checkInterval: Int { 1024 }

  private let states: UnsafeMutablePointer<SIMD4<Double>>
  private let pairCount: Int
  private var framesToCheck = checkInterval
  private var wasSilent = true

  /// Allocates the states of `channelCount` filters. Context: control.
  public init(channelCount: Int) {
    pairCount = (channelCount + 1) / 2
    unsafe states = .allocate(capacity: max(pairCount, 1))
    unsafe states.initialize(repeating: .zero, count: max(pairCount, 1))
  }

  deinit { unsafe states.deallocate() }

  /// Forgets the past.
  @_noLocks public mutating func reset() {
    for pair in 0..<pairCount { unsafe states[pair] = .zero }
    framesToCheck = Self.checkInterval
    wasSilent = true
  }

  /// Filters frames of every channel of a slice in place.
  @_noLocks public mutating func process(
    _ slice: borrowing RenderSlice, from frame: Int, count: Int,
    _ coefficients: StateVariableCoefficients
  ) {
    var frame = frame
    var left = count
    while left > 0 {
      let run = min(left, framesToCheck)
      filter(slice, frame, run, coefficients)
      frame += run
      left -= run
      framesToCheck -= run
      if framesToCheck == 0 { checkForSilence() }
    }
  }

  /// Cuts off what rings below the floor after a whole interval of silence.
  @_noLocks private mutating func checkForSilence() {
    for pair in 0..<pairCount {
      let energy = unsafe Self.energy(states[pair])
      let hasDied = wasSilent && energy < Self.floor * Self.floor
      // The second test lets the filter recover from an input that was not finite.
      if hasDied || !(energy < 1e30) { unsafe states[pair] = .zero }
    }
    framesToCheck = Self.checkInterval
    wasSilent = true
  }

  @_noLocks private mutating func filter(
    _ slice: borrowing RenderSlice, _ frame: Int, _ count: Int,
    _ coefficients: StateVariableCoefficients
  ) {
    for pair in 0..<pairCount {
      let left = unsafe slice.channel(2 * pair) + frame
      // A last single channel is worked on twice, to the same result.
      let right = unsafe slice.channel(min(2 * pair + 1, slice.channelCount - 1)) + frame
      let bits = unsafe Self.allBits(left, right, count)
      if bits & 0x7FFF_FFFF != 0 { wasSilent = false }
      if bits == 0, unsafe Self.energy(states[pair]) == 0 { continue }
      unsafe states[pair] = Self.filterPair(left, right, count, coefficients, states[pair])
    }
  }

  /// Sum of the squared states of a pair.
  @_noLocks private static func energy(_ state: SIMD4<Double>) -> Double {
    let square = state * state
    return (square[0] + square[1]) + (square[2] + square[3])
  }

  /// The bit patterns of all samples, or-ed: zero for digital silence.
  @_noLocks private static func allBits(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int
  ) -> UInt32 {
    var bits: UInt32 = 0
    for frame in 0..<count {
      unsafe bits |= left[frame].bitPattern | right[frame].bitPattern
    }
    return bits
  }

  @_noLocks private static func filterPair(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int,
    _ coefficients: StateVariableCoefficients, _ state: SIMD4<Double>
  ) -> SIMD4<Double> {
    var s1 = SIMD2(state[0], state[1])
    var s2 = SIMD2(state[2], state[3])
    let a11 = SIMD2(repeating: coefficients.a11), a12 = SIMD2(repeating: coefficients.a12)
    let a21 = SIMD2(repeating: coefficients.a21), a22 = SIMD2(repeating: coefficients.a22)
    let b1 = SIMD2(repeating: coefficients.b1), b2 = SIMD2(repeating: coefficients.b2)
    let c1 = SIMD2(repeating: coefficients.c1), c2 = SIMD2(repeating: coefficients.c2)
    let d = SIMD2(repeating: coefficients.d)
    for frame in 0..<count {
      let x = unsafe SIMD2(Double(left[frame]), Double(right[frame]))
      let y = d * x + c1 * s1 + c2 * s2
      let next = (b1 * x + a12 * s2) + a11 * s1
      s2 = (b2 * x + a21 * s1) + a22 * s2
      s1 = next
      unsafe left[frame] = Float(y[0])
      unsafe right[frame] = Float(y[1])
    }
    return SIMD4(s1[0], s1[1], s2[0], s2[1])
  }
}
