// Loudness as ITU-R BS.1770 has it: momentary, short-term, and integrated with its gates.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// Weighs the channels, and keeps the energies of the last 3 seconds in hundredths of a second.
///
/// Context: made and freed on a control thread, everything else render.
@safe struct LoudnessMeter: ~Copyable {
  private static var blocks: Int { @_noLocks get { 300 } }
  /// Length of a gated block (400 ms), and the distance between two (100 ms), in blocks of 10 ms.
  private static var window: Int { @_noLocks get { 40 } }
  private static var hop: Int { @_noLocks get { 10 } }
  /// Tenths of a loudness unit from −70 to +30.
  private static var bins: Int { @_noLocks get { 1000 } }

  private let blockFrames: Int
  private var channels: WeightedChannels
  private let energies: UnsafeMutablePointer<Double>
  /// For each bin, how many blocks of 400 ms lie in it, and the sum of their energies.
  private let counts: UnsafeMutablePointer<Double>
  private let sums: UnsafeMutablePointer<Double>
  private var frames = 0
  private var filled = 0
  private var next = 0
  private var blocksToGate = hop

  /// Loudness in LUFS; −∞ as long as there is none.
  private(set) var momentary = -Double.infinity
  private(set) var shortTerm = -Double.infinity
  private(set) var integrated = -Double.infinity
  /// The highest since the last reset.
  private(set) var maximumMomentary = -Double.infinity
  private(set) var maximumShortTerm = -Double.infinity

  /// Allocates for channels that count by their places in a layout. Context: control.
  init(sampleRate: Double, channelCount: Int, layoutTag: UInt32) {
    blockFrames = max(1, Int((0.01 * sampleRate).rounded()))
    channels = WeightedChannels(
      sampleRate: sampleRate,
      weights: SurroundWeights.weights(channelCount: channelCount, layoutTag: layoutTag))
    unsafe energies = .allocate(capacity: Self.blocks)
    unsafe energies.initialize(repeating: 0, count: Self.blocks)
    unsafe counts = .allocate(capacity: Self.bins)
    unsafe counts.initialize(repeating: 0, count: Self.bins)
    unsafe sums = .allocate(capacity: Self.bins)
    unsafe sums.initialize(repeating: 0, count: Self.bins)
  }

  deinit {
    unsafe energies.deallocate()
    unsafe counts.deallocate()
    unsafe sums.deallocate()
  }

  /// Forgets the past.
  @_noLocks mutating func reset() {
    channels.reset()
    for block in 0..<Self.blocks { unsafe energies[block] = 0 }
    for bin in 0..<Self.bins {
      unsafe counts[bin] = 0
      unsafe sums[bin] = 0
    }
    frames = 0
    filled = 0
    next = 0
    blocksToGate = Self.hop
    momentary = -.infinity
    shortTerm = -.infinity
    maximumMomentary = -.infinity
    maximumShortTerm = -.infinity
    integrated = -.infinity
  }

  /// Measures a run of a slice.
  @_noLocks mutating func measure(_ slice: borrowing RenderSlice, _ frame: Int, _ count: Int) {
    var done = 0
    while done < count {
      let run = min(count - done, blockFrames - frames)
      channels.add(slice, frame + done, run)
      frames += run
      done += run
      if frames == blockFrames { endBlock() }
    }
  }

  @_noLocks private mutating func endBlock() {
    var energy = channels.removeEnergy()
    if !energy.isFinite { energy = 0 }
    unsafe energies[next] = energy / Double(blockFrames)
    next = next + 1 == Self.blocks ? 0 : next + 1
    filled = min(filled + 1, Self.blocks)
    frames = 0
    let four = mean(Self.window)
    momentary = LoudnessWeighting.loudness(energy: four)
    shortTerm = LoudnessWeighting.loudness(energy: mean(Self.blocks))
    // A window that is not full yet would be as loud later.
    if filled >= Self.window { maximumMomentary = max(maximumMomentary, momentary) }
    if filled == Self.blocks { maximumShortTerm = max(maximumShortTerm, shortTerm) }
    blocksToGate -= 1
    guard blocksToGate == 0 else { return }
    blocksToGate = Self.hop
    if filled >= Self.window && momentary > -70 {
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
    let gate = LoudnessWeighting.loudness(energy: all) - 10
    let first = min(max(Int((gate + 70) * 10 + 0.5), 0), Self.bins - 1)
    return LoudnessWeighting.loudness(energy: total(from: first))
  }

  @_noLocks private func total(from first: Int) -> Double {
    var (count, sum) = (0.0, 0.0)
    for bin in first..<Self.bins {
      unsafe count += counts[bin]
      unsafe sum += sums[bin]
    }
    return count > 0 ? sum / count : 0
  }
}
