// Loudness by EBU R 128, fed slice by slice.
// SPDX-License-Identifier: Apache-2.0

import CRealtime

/// Measures the loudness of planar float sound, slice by slice.
///
/// Context: control. Not to be shared between threads.
@safe package final class LoudnessMeter {
  /// Frames of a step.
  package let framesPerStep: Int
  /// Into how many pieces a step is divided; fewer when there would be too many of them.
  package private(set) var piecesPerStep: Int
  /// The sums over the channels of weighted squares in each piece of each step; the last step may lack some. None where
  /// pieces are not kept.
  ///
  /// An array for each step: a long one would be copied as it grows, into memory that stays with the process.
  package private(set) var energies: [[Double]] = []
  /// The highest sample of each piece.
  private var peaks: [[Float]] = []
  /// The steps that are complete.
  package private(set) var blocks = LoudnessBlocks()

  private let channelCount: Int
  private let weights: UnsafeMutablePointer<Double>
  private let weighting: UnsafeMutablePointer<AuricleWeighting>
  /// One for every four channels.
  private let groupCount: Int
  private let states: UnsafeMutablePointer<AuricleWeightingState>
  private let sums: UnsafeMutablePointer<AuricleWeighed>
  private let rows: UnsafeMutablePointer<UnsafePointer<Float>>
  private let keepsPieces: Bool
  private var framesIntoStep = 0
  private var piece = 0
  private var stepEnergy = 0.0
  /// The energies of the pieces of the last 0.4 s and before them, and how many pieces there were.
  private var recent: [Double]
  private var pieceCount = 0
  private static let mostPieces = 1 << 21

  /// Sets up a meter; nil for formats outside of the measurement's definition (more than 64
  /// channels, sample rates below 16 Hz or above 2.8 MHz).
  ///
  /// - Parameters:
  ///   - channelMap: The numbers of `ChannelOrder`; without them the order of WAV counts.
  ///   - isDualMono: Whether one channel counts as much as it does from two loudspeakers.
  ///   - keepsPieces: Whether energies and peaks of pieces are kept.
  package init?(
    sampleRate: Double, channelCount: Int, channelMap: [Int32] = [], isDualMono: Bool = false,
    keepsPieces: Bool = false
  ) {
    guard (1...64).contains(channelCount), (16...2_822_400).contains(sampleRate) else {
      return nil
    }
    framesPerStep = max(1, (Int(sampleRate.rounded()) + 5) / 10)
    self.keepsPieces = keepsPieces
    // Momentary loudness is measured every 10 ms at least.
    var pieces = keepsPieces ? 256 : 16
    while pieces > 1, framesPerStep / pieces < 8 { pieces /= 2 }
    piecesPerStep = pieces
    recent = Array(repeating: 0, count: 4 * pieces)
    self.channelCount = channelCount
    groupCount = (channelCount + 3) / 4
    unsafe weights = .allocate(capacity: channelCount)
    let found = KWeighting.weights(
      channelCount: channelCount, channelMap: channelMap, isDualMono: isDualMono)
    for (channel, weight) in found.enumerated() {
      unsafe (weights + channel).initialize(to: weight)
    }
    unsafe weighting = .allocate(capacity: 1)
    unsafe weighting.initialize(to: KWeighting.filter(sampleRate: sampleRate))
    unsafe states = .allocate(capacity: groupCount)
    unsafe states.initialize(repeating: AuricleWeightingState(), count: groupCount)
    unsafe sums = .allocate(capacity: groupCount)
    unsafe sums.initialize(repeating: AuricleWeighed(), count: groupCount)
    unsafe rows = .allocate(capacity: 4 * groupCount)
  }

  deinit {
    unsafe weights.deallocate()
    unsafe weighting.deallocate()
    unsafe states.deallocate()
    unsafe sums.deallocate()
    unsafe rows.deallocate()
  }

  /// The first frame of a piece of a step.
  package static func start(of piece: Int, of count: Int, inStepOf frames: Int) -> Int {
    piece * frames / count
  }

  /// Adds frames.
  package func add(
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    // Filters that ring out in silence reach denormals, whose arithmetic lasts a hundred times as long.
    let control = AuricleGetFloatControl()
    AuricleSetFloatControl(control | AuricleFloatControlFlushBits())
    defer { AuricleSetFloatControl(control) }
    for place in 0..<(4 * groupCount) {
      // Values beside the last channel do not count.
      unsafe (rows + place).initialize(
        to: UnsafePointer(channels[place < channelCount ? place : 0]))
    }
    var done = 0
    while done < frameCount {
      let end = Self.start(of: piece + 1, of: piecesPerStep, inStepOf: framesPerStep)
      let count = min(end - framesIntoStep, frameCount - done)
      for group in 0..<groupCount {
        unsafe AuricleWeigh(
          rows + 4 * group, done, count, weighting, states + group, sums + group)
      }
      done += count
      framesIntoStep += count
      if framesIntoStep == end { endPiece() }
    }
  }

  private func endPiece() {
    var energy = 0.0
    var peak: Float = 0
    for group in 0..<groupCount {
      energy += unsafe AuricleEndWeighing(
        sums + group, weights + 4 * group, min(4, channelCount - 4 * group), &peak)
    }
    if keepsPieces { keep(energy, peak) }
    stepEnergy += energy
    recent[pieceCount % recent.count] = energy
    pieceCount += 1
    if piece % max(1, piecesPerStep / 16) == 0, pieceCount >= recent.count {
      blocks.add(momentary: recent.reduce(0, +) / Double(4 * framesPerStep))
    }
    piece += 1
    guard piece == piecesPerStep else { return }
    blocks.add(stepEnergy / Double(framesPerStep))
    (piece, framesIntoStep, stepEnergy) = (0, 0, 0)
    if energies.count * piecesPerStep > Self.mostPieces, piecesPerStep > 1 { joinPieces() }
  }

  private func keep(_ energy: Double, _ peak: Float) {
    if piece == 0 {
      energies.append([])
      peaks.append([])
      energies[energies.count - 1].reserveCapacity(piecesPerStep)
      peaks[peaks.count - 1].reserveCapacity(piecesPerStep)
    }
    energies[energies.count - 1].append(energy)
    peaks[peaks.count - 1].append(peak)
  }

  /// Makes one piece of every two.
  private func joinPieces() {
    piecesPerStep /= 2
    recent = Array(repeating: 0, count: 4 * piecesPerStep)
    pieceCount = 0
    for step in energies.indices {
      let (sums, highest) = (energies[step], peaks[step])
      energies[step] = (0..<sums.count / 2).map { sums[2 * $0] + sums[2 * $0 + 1] }
      peaks[step] = (0..<highest.count / 2).map { max(highest[2 * $0], highest[2 * $0 + 1]) }
    }
  }

  /// The highest sample of each piece of each step, as `energies`, which is not kept any longer.
  package func removePeaks() -> [[Float]] {
    let found = peaks
    peaks = []
    return found
  }

  /// Loudness of all so far in LUFS, gated; nil for silence and for less than 0.4 s.
  package var integratedLoudness: Double? { blocks.integratedLoudness() }
}
