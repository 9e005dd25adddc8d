// The energy of the channels of slices, weighted as loudness is.
// SPDX-License-Identifier: Apache-2.0

import CRealtime

/// Filters of `LoudnessWeighting` over all channels of a unit, and their energies.
///
/// Loudness of blocks of 100 ms:
///
/// ```swift
/// channels.add(slice, 0, slice.frameCount)
/// frames += slice.frameCount
/// if frames >= blockFrames {
///   let energy = channels.removeEnergy() / Double(frames)
///   parameters.loudness = Float(max(LoudnessWeighting.loudness(energy: energy), -120))
///   frames = 0
/// }
/// ```
///
/// Context: made and freed on a control thread, everything else render.
@safe public struct WeightedChannels: ~Copyable {
  private let channelCount: Int
  /// Channels are filtered in groups of four.
  private let groupCount: Int
  private var weighting: AuricleWeighting
  private let states: UnsafeMutablePointer<AuricleWeightingState>
  private let weighed: UnsafeMutablePointer<AuricleWeighed>
  private let rows: UnsafeMutablePointer<UnsafePointer<Float>>
  private let silence: UnsafeMutablePointer<Float>
  /// The weight of each channel's energy.
  private let weights: UnsafeMutablePointer<Double>

  /// Allocates filters at rest. Context: control.
  ///
  /// - Parameters:
  ///   - sampleRate: Hz.
  ///   - weights: The weight of each channel's energy, one a channel: 1, of surround channels 1.41, of LFE 0.
  public init(sampleRate: Double, weights: [Double]) {
    channelCount = weights.count
    groupCount = max(1, (weights.count + 3) / 4)
    weighting = LoudnessWeighting.filters(sampleRate: sampleRate)
    unsafe states = .allocate(capacity: groupCount)
    unsafe states.initialize(repeating: AuricleWeightingState(), count: groupCount)
    unsafe weighed = .allocate(capacity: groupCount)
    unsafe weighed.initialize(repeating: AuricleWeighed(), count: groupCount)
    unsafe silence = .allocate(capacity: 1)
    unsafe silence.initialize(to: 0)
    unsafe rows = .allocate(capacity: 4)
    unsafe rows.initialize(repeating: UnsafePointer(silence), count: 4)
    unsafe self.weights = .allocate(capacity: max(1, weights.count))
    for (channel, weight) in weights.enumerated() {
      unsafe (self.weights + channel).initialize(to: weight)
    }
  }

  deinit {
    unsafe states.deallocate()
    unsafe weighed.deallocate()
    unsafe rows.deallocate()
    unsafe silence.deallocate()
    unsafe weights.deallocate()
  }

  /// Clears the filters and the energies. Context: control or render.
  @_noLocks public mutating func reset() {
    for group in 0..<groupCount {
      unsafe states[group] = AuricleWeightingState()
      unsafe weighed[group] = AuricleWeighed()
    }
  }

  /// Adds the energies of a run of frames of a slice with as many channels.
  ///
  /// - Parameters:
  ///   - slice: The slice; its samples stay as they are.
  ///   - frame: First frame.
  ///   - count: Frames.
  @_noLocks public mutating func add(
    _ slice: borrowing RenderSlice, _ frame: Int, _ count: Int
  ) {
    guard channelCount > 0 else { return }
    for group in 0..<groupCount {
      // Rows beyond the last channel repeat it, and do not count.
      for lane in 0..<4 {
        let channel = min(4 * group + lane, channelCount - 1)
        unsafe rows[lane] = UnsafePointer(slice.channel(channel))
      }
      unsafe AuricleWeigh(rows, frame, count, &weighting, states + group, weighed + group)
    }
  }

  /// Returns the sum of the weighted energies since the last call, and begins anew.
  ///
  /// Over the number of frames it is the mean energy that `LoudnessWeighting.loudness(energy:)` expects.
  @_noLocks public mutating func removeEnergy() -> Double {
    var (energy, peak) = (0.0, Float(0))
    for group in 0..<groupCount {
      let first = 4 * group
      unsafe energy += AuricleEndWeighing(
        weighed + group, weights + first, min(4, channelCount - first), &peak)
    }
    return energy
  }
}
