// A rendering in short pieces, from which its loudness at any gain and below any ceiling follows.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import Glibc

/// A gain and a ceiling.
struct Level: Equatable {
  /// In dB.
  var gain = 0.0
  /// The ceiling of the limiter in dBTP; nil for no limiter.
  var ceiling: Double?
  /// The time constant with which the limiter turns up again, in seconds.
  var release = LevelSearch.releases[0]
}

/// The loudness and the peaks of a rendering, piece by piece.
///
/// A search for a level asks it instead of going through the sound again: a limiter that works on pieces of 0.4 ms
/// reduces the loudness by nearly as much as the one that works on frames.
@safe final class LevelOutline {
  private let meter: LoudnessMeter
  private let rate: Double
  /// The highest true peak of each piece of each step as far as it is known, else its highest sample.
  private var peaks: [[Float]]
  /// The peak of all pieces.
  private(set) var peak: Float = 0
  private let gains: UnsafeMutablePointer<Float>
  private static let mostPiecesPerStep = 256

  /// An outline from a meter that keeps pieces; the peaks are removed from the meter.
  init(_ meter: LoudnessMeter, sampleRate: Double) {
    self.meter = meter
    rate = sampleRate
    peaks = meter.removePeaks()
    peak = peaks.compactMap { $0.max() }.max() ?? 0
    unsafe gains = .allocate(capacity: Self.mostPiecesPerStep)
  }

  deinit { unsafe gains.deallocate() }

  /// Raises the pieces from a frame on to their true peaks.
  ///
  /// - Parameters:
  ///   - truePeaks: One a frame; 0 where it is not known.
  ///   - first: The frame that the first of them belongs to; those before the sound are left out.
  func raise(by truePeaks: UnsafePointer<Float>, count: Int, from first: Int) {
    let (step, pieces) = (meter.framesPerStep, meter.piecesPerStep)
    var index = max(0, -first)
    while index < count {
      let frame = first + index
      let (whole, rest) = (frame / step, frame % step)
      var part = min(pieces - 1, rest * pieces / step)
      if LoudnessMeter.start(of: part + 1, of: pieces, inStepOf: step) <= rest { part += 1 }
      let end =
        whole * step + LoudnessMeter.start(of: part + 1, of: pieces, inStepOf: step) - first
      guard peaks.indices.contains(whole), peaks[whole].indices.contains(part) else { return }
      var highest = peaks[whole][part]
      while index < min(end, count) {
        highest = unsafe max(highest, truePeaks[index])
        index += 1
      }
      peaks[whole][part] = highest
      peak = max(peak, highest)
    }
  }

  /// The integrated loudness with a gain alone, in LUFS; nil where there is none.
  func loudness(gain: Double) -> Double? { meter.blocks.integratedLoudness(gain: gain) }

  /// The integrated loudness at a level, in LUFS; nil where there is none.
  func loudness(at level: Level) -> Double? {
    guard let ceiling = level.ceiling else { return loudness(gain: level.gain) }
    let count = meter.piecesPerStep
    let pieceRate = rate / Double(meter.framesPerStep) * Double(count)
    let limiter = LimiterGain(
      rate: pieceRate, ceiling: Float(pow(10, (ceiling - level.gain) / 20)),
      release: level.release, least: 4)
    // The gain of a piece is known when the pieces after it are.
    let ahead = limiter.ahead
    var blocks = LoudnessBlocks()
    let frames = Double(meter.framesPerStep)
    var place = 0
    func next(_ size: Int) -> Bool {
      var done = 0
      while done < size {
        let (step, part) = (place / count, place % count)
        let run = min(size - done, count - part)
        copyPeaks(of: step, from: part, run, to: done)
        place += run
        done += run
      }
      return unsafe limiter.replace(gains, size)
    }
    if count >= ahead {
      _ = next(ahead)
    } else {
      for _ in 0..<ahead { _ = next(1) }
    }
    // The last step may lack pieces.
    for energies in meter.energies where energies.count == count {
      let isActive = next(count)
      var energy = 0.0
      for index in 0..<count {
        let gain = unsafe isActive ? Double(gains[index]) : 1
        energy += gain * gain * energies[index]
      }
      blocks.add(energy / frames)
    }
    return blocks.integratedLoudness(gain: level.gain)
  }

  /// Puts peaks of a step in the place of gains; 0 where there are none.
  private func copyPeaks(of step: Int, from part: Int, _ count: Int, to place: Int) {
    let row = step < peaks.count ? peaks[step] : []
    let present = max(0, min(count, row.count - part))
    for index in 0..<present { unsafe gains[place + index] = row[part + index] }
    for index in present..<count { unsafe gains[place + index] = 0 }
  }
}
