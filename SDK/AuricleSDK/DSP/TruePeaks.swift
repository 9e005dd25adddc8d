// The peaks of a signal between its samples: eight places a frame, by a windowed sinc.
// SPDX-License-Identifier: Apache-2.0

import CRealtime
import RealtimeSupport

/// A finder of true peaks of all channels of a run; they are known `latency` frames after the samples.
///
/// A true peak lies between two samples, where the reconstructed wave exceeds both (ITU-R BS.1770).
///
/// ```swift
/// for channel in 0..<slice.channelCount {
///   unsafe truePeaks.consume(slice.channel(channel), channel: channel, slice.frameCount)
/// }
/// unsafe truePeaks.find(scratch, slice.frameCount, above: highest)
/// for index in 0..<slice.frameCount {
///   highest = unsafe max(highest, scratch[index])
/// }
/// ```
///
/// Context: made and freed on a control thread, otherwise render.
@safe public struct TruePeaks: ~Copyable {
  /// Frames to either side of a place that its value is computed from; a limiter delays the sound by them.
  public static var latency: Int { @_noLocks get { 24 } }
  private static var taps: Int { @_noLocks get { Int(AURICLE_PLACE_SAMPLES) } }

  private let channelCount: Int
  private let capacity: Int
  /// The weights of a sample for eight places between two frames, the oldest sample first.
  private let weights: UnsafeMutablePointer<Float>
  /// The largest magnitude of each sample's weights.
  private let bounds: UnsafeMutablePointer<Float>
  private let history: UnsafeMutablePointer<Float>
  /// The peak of the frame before this run.
  private var last: Float = 0
  /// The most by which a place can exceed all samples around it, as a factor.
  private var mostGain: Float = 1

  /// Allocates for runs of so many frames. Context: control.
  ///
  /// - Parameters:
  ///   - channelCount: Number of channels; 0 for a unit that does not need true peaks now.
  ///   - maximumRun: The most frames of one `consume` and `find`, such as `setup.maximumFrames`.
  public init(channelCount: Int, maximumRun: Int) {
    self.channelCount = channelCount
    capacity = Self.taps - 1 + maximumRun
    unsafe weights = .allocate(capacity: 8 * Self.taps)
    unsafe bounds = .allocate(capacity: Self.taps)
    unsafe history = .allocate(capacity: max(1, channelCount) * capacity)
    unsafe history.initialize(repeating: 0, count: max(1, channelCount) * capacity)
    var sums = SIMD8<Float>(repeating: 0)
    for tap in 0..<Self.taps {
      var weight = SIMD8<Float>(repeating: 0)
      for place in 0..<8 {
        // Place 0 is the sample in the middle itself.
        let distance = Double(tap - (Self.taps / 2 - 1)) - Double(place) / 8
        let window = 0.5 + 0.5 * RealtimeMath.cos(Double.pi * distance / 24.5)
        let sinc =
          distance == 0
          ? 1 : RealtimeMath.sin(Double.pi * distance) / (Double.pi * distance)
        weight[place] = Float(sinc * window)
      }
      let magnitude = weight.replacing(
        with: SIMD8(repeating: 0) - weight, where: weight .< SIMD8(repeating: 0))
      for place in 0..<8 { unsafe (weights + 8 * tap + place).initialize(to: weight[place]) }
      unsafe (bounds + tap).initialize(to: magnitude.max())
      sums += magnitude
    }
    mostGain = sums.max()
  }

  deinit {
    unsafe weights.deallocate()
    unsafe bounds.deallocate()
    unsafe history.deallocate()
  }

  /// Clears the samples that were consumed. Context: control or render.
  @_noLocks public mutating func reset() {
    last = 0
    for index in 0..<(max(1, channelCount) * capacity) { unsafe history[index] = 0 }
  }

  /// Adds a run of a channel; every channel has to be added before `find`.
  ///
  /// - Parameters:
  ///   - audio: `count` samples, which are copied.
  ///   - channel: Channel, from 0.
  ///   - count: Frames, the same for all channels of a run.
  @_noLocks public mutating func consume(_ audio: UnsafePointer<Float>, channel: Int, _ count: Int)
  {
    let row = unsafe history + channel * capacity
    unsafe SampleRun.copy(audio, to: row + (Self.taps - 1), count)
  }

  /// Writes the highest magnitude around each frame into `peaks`, `latency` frames before the ones
  /// added. A magnitude certain not to exceed `floor` may be 0.
  ///
  /// - Parameters:
  ///   - peaks: Room for `count` magnitudes (linear) of all channels together.
  ///   - count: Frames, as many as were consumed.
  ///   - floor: Linear; the higher it is, the more work is saved.
  @_noLocks public mutating func find(
    _ peaks: UnsafeMutablePointer<Float>, _ count: Int, above floor: Float = 1
  ) {
    for index in 0..<count { unsafe peaks[index] = 0 }
    for channel in 0..<channelCount {
      let row = unsafe history + channel * capacity
      if unsafe SampleRun.exceeds(floor / mostGain, row, Self.taps - 1 + count) {
        unsafe AuriclePlacePeaks(weights, bounds, row, peaks, count, floor)
      }
      for index in 0..<(Self.taps - 1) { unsafe row[index] = row[count + index] }
    }
    // A peak lies between two frames: both are turned down.
    for index in 0..<count {
      let peak = unsafe peaks[index]
      unsafe peaks[index] = max(peak, last)
      last = peak
    }
  }
}
