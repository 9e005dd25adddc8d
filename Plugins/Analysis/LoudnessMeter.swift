// Loudness as ITU-R BS.1770 has it: momentary, short-term, and integrated with its gates.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CRealtime
import RealtimeSupport

/// Weighs the channels, and keeps the energies of the last 30 tenths of a second.
///
/// Context: made and freed on a control thread, everything else render.
@safe struct LoudnessMeter: ~Copyable {
  private static var blocks: Int { @_noLocks get { 30 } }
  /// Tenths of a loudness unit from −70 to +30.
  private static var bins: Int { @_noLocks get { 1000 } }

  private let channelCount: Int
  private let blockFrames: Int
  private var weighting: AuricleWeighting
  private let states: UnsafeMutablePointer<AuricleWeightingState>
  private let weighed: UnsafeMutablePointer<AuricleWeighed>
  private let rows: UnsafeMutablePointer<UnsafePointer<Float>>
  private let energies: UnsafeMutablePointer<Double>
  /// For each bin, how many blocks of 400 ms lie in it, and the sum of their energies.
  private let counts: UnsafeMutablePointer<Double>
  private let sums: UnsafeMutablePointer<Double>
  private var frames = 0
  private var filled = 0
  private var next = 0

  /// Loudness in LUFS; −∞ as long as there is none.
  private(set) var momentary = -Double.infinity
  private(set) var shortTerm = -Double.infinity
  private(set) var integrated = -Double.infinity

  /// Allocates. Context: control.
  init(sampleRate: Double, channelCount: Int) {
    self.channelCount = channelCount
    blockFrames = max(1, Int((0.1 * sampleRate).rounded()))
    weighting = Self.weighting(sampleRate)
    let groups = max(1, (channelCount + 3) / 4)
    unsafe states = .allocate(capacity: groups)
    unsafe states.initialize(repeating: AuricleWeightingState(), count: groups)
    unsafe weighed = .allocate(capacity: groups)
    unsafe weighed.initialize(repeating: AuricleWeighed(), count: groups)
    unsafe energies = .allocate(capacity: Self.blocks)
    unsafe rows = .allocate(capacity: 4)
    unsafe rows.initialize(
      repeating: UnsafePointer(UnsafeRawPointer(energies).assumingMemoryBound(to: Float.self)),
      count: 4)
    unsafe energies.initialize(repeating: 0, count: Self.blocks)
    unsafe counts = .allocate(capacity: Self.bins)
    unsafe counts.initialize(repeating: 0, count: Self.bins)
    unsafe sums = .allocate(capacity: Self.bins)
    unsafe sums.initialize(repeating: 0, count: Self.bins)
  }

  deinit {
    unsafe states.deallocate()
    unsafe weighed.deallocate()
    unsafe rows.deallocate()
    unsafe energies.deallocate()
    unsafe counts.deallocate()
    unsafe sums.deallocate()
  }

  /// A shelf for the head and a high-pass: the analogue filters behind the standard's coefficients.
  private static func weighting(_ sampleRate: Double) -> AuricleWeighting {
    var filter = AuricleWeighting()
    let shelf = RealtimeMath.tan(Double.pi * 1681.974450955533 / sampleRate)
    let high = RealtimeMath.gain(decibels: 3.999843853973347)
    let middle = RealtimeMath.pow(high, 0.4996667741545416)
    let part = shelf / 0.7071752369554196
    let whole = 1 + part + shelf * shelf
    filter.b.0 = (
      (high + middle * part + shelf * shelf) / whole, 2 * (shelf * shelf - high) / whole,
      (high - middle * part + shelf * shelf) / whole
    )
    filter.a.0 = (2 * (shelf * shelf - 1) / whole, (1 - part + shelf * shelf) / whole)
    let pass = RealtimeMath.tan(Double.pi * 38.13547087602444 / sampleRate)
    let rest = pass / 0.5003270373238773
    let sum = 1 + rest + pass * pass
    filter.b.1 = (1, -2, 1)
    filter.a.1 = (2 * (pass * pass - 1) / sum, (1 - rest + pass * pass) / sum)
    return filter
  }

  /// Forgets the past.
  @_noLocks mutating func reset() {
    for group in 0..<max(1, (channelCount + 3) / 4) {
      unsafe states[group] = AuricleWeightingState()
      unsafe weighed[group] = AuricleWeighed()
    }
    for block in 0..<Self.blocks { unsafe energies[block] = 0 }
    for bin in 0..<Self.bins {
      unsafe counts[bin] = 0
      unsafe sums[bin] = 0
    }
    frames = 0
    filled = 0
    next = 0
    momentary = -.infinity
    shortTerm = -.infinity
    integrated = -.infinity
  }

  /// Measures a run of a slice.
  @_noLocks mutating func measure(_ slice: borrowing RenderSlice, _ frame: Int, _ count: Int) {
    var done = 0
    while done < count {
      let run = min(count - done, blockFrames - frames)
      for group in 0..<((channelCount + 3) / 4) { weigh(slice, group, frame + done, run) }
      frames += run
      done += run
      if frames == blockFrames { endBlock() }
    }
  }

  @_noLocks private mutating func weigh(
    _ slice: borrowing RenderSlice, _ group: Int, _ frame: Int, _ count: Int
  ) {
    // Rows beyond the last channel repeat it, and do not count.
    let last = channelCount - 1
    for lane in 0..<4 {
      unsafe rows[lane] = UnsafePointer(slice.channel(min(4 * group + lane, last)))
    }
    unsafe AuricleWeigh(rows, frame, count, &weighting, states + group, weighed + group)
  }

  @_noLocks private mutating func endBlock() {
    var energy = 0.0
    for group in 0..<((channelCount + 3) / 4) {
      let squares = unsafe weighed[group].squares
      let all = SIMD4(squares.0, squares.1, squares.2, squares.3)
      for lane in 0..<min(4, channelCount - 4 * group) { energy += all[lane] }
      unsafe weighed[group] = AuricleWeighed()
    }
    if !energy.isFinite { energy = 0 }
    unsafe energies[next] = energy / Double(blockFrames)
    next = next + 1 == Self.blocks ? 0 : next + 1
    filled = min(filled + 1, Self.blocks)
    frames = 0
    let four = mean(4)
    momentary = Self.loudness(four)
    shortTerm = Self.loudness(mean(Self.blocks))
    if filled >= 4 && momentary > -70 {
      let bin = min(max(Int((momentary + 70) * 10), 0), Self.bins - 1)
      unsafe counts[bin] += 1
      unsafe sums[bin] += four
      integrated = gated()
    }
  }

  /// The mean of the last blocks; those before the first are silent.
  @_noLocks private func mean(_ count: Int) -> Double {
    var sum = 0.0
    for back in 1...count {
      let place = next - back
      unsafe sum += energies[place < 0 ? place + Self.blocks : place]
    }
    return sum / Double(count)
  }

  /// The loudness of all blocks that are not 10 LU below that of all.
  @_noLocks private func gated() -> Double {
    let all = total(from: 0)
    let gate = Self.loudness(all) - 10
    return Self.loudness(total(from: min(max(Int((gate + 70) * 10 + 0.5), 0), Self.bins - 1)))
  }

  @_noLocks private func total(from first: Int) -> Double {
    var (count, sum) = (0.0, 0.0)
    for bin in first..<Self.bins {
      unsafe count += counts[bin]
      unsafe sum += sums[bin]
    }
    return count > 0 ? sum / count : 0
  }

  @_noLocks private static func loudness(_ energy: Double) -> Double {
    energy > 1e-13 ? -0.691 + 10 * RealtimeMath.log10(energy) : -.infinity
  }
}
