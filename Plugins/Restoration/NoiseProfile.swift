// The learnt profile of a noise: a unit's record of it in saved states.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Synchronization

/// The power of a noise by frequency, for each channel.
struct NoiseProfile: Sendable {
  /// Hertz from one value to the next, the first of which is that of 0 Hz.
  let spacing: Double
  /// Powers in a hertz, channel by channel; all have the same number of values, at least two.
  let densities: [[Float]]

  /// Returns the power in a hertz at a frequency (Hz); further channels have that of the last one.
  func density(_ channel: Int, at frequency: Double) -> Float {
    let values = densities[min(channel, densities.count - 1)]
    let place = min(frequency / spacing, Double(values.count - 1))
    let index = min(Int(place), values.count - 2)
    let part = Float(place - Double(index))
    return values[index] + (values[index + 1] - values[index]) * part
  }
}

extension NoiseProfile {
  private static let spacingKey = "noise-spacing"
  private static let channelsKey = "noise-channels"
  private static let valuesKey = "noise-densities"

  /// Reads the result of `save`; nil where a state has no profile, or a damaged one.
  init?(reading state: UnitState) {
    guard let spacing = state.real(Self.spacingKey), spacing.isFinite, spacing > 0,
      let channels = state.integer(Self.channelsKey), (1...256).contains(channels),
      let bytes = state.data(Self.valuesKey), bytes.count % (4 * Int(channels)) == 0
    else { return nil }
    let bins = bytes.count / (4 * Int(channels))
    guard (2...65_536).contains(bins) else { return nil }
    let values = (0..<(bins * Int(channels))).map { index in
      let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[4 * index + $1]) << UInt32(8 * $1) }
      return Float(bitPattern: bits)
    }
    guard values.allSatisfy({ $0.isFinite && $0 >= 0 }) else { return nil }
    self.spacing = spacing
    densities = (0..<Int(channels)).map { Array(values[($0 * bins)..<(($0 + 1) * bins)]) }
  }

  /// Keeps the profile in a state.
  func save(to state: UnitState) {
    let bytes = densities.joined().flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt32(8 * $0)) }
    }
    state.set(Self.spacingKey, real: spacing)
    state.set(Self.channelsKey, integer: Int32(densities.count))
    state.set(Self.valuesKey, data: bytes)
  }
}

/// The profile that a render thread learns, readable from any thread.
///
/// @unchecked Sendable because the values are atomics in memory that lives as long as this.
@safe final class LearntProfile: @unchecked Sendable {
  private let channelCount: Int
  private let binCount: Int
  private let spacing: Double
  private let values: UnsafeMutablePointer<Atomic<UInt32>>
  private let stage: UnsafeMutablePointer<Atomic<UInt8>>

  /// Allocates without a profile. Context: control.
  init(channelCount: Int, binCount: Int, spacing: Double) {
    (self.channelCount, self.binCount) = (channelCount, binCount)
    self.spacing = spacing
    unsafe values = .allocate(capacity: channelCount * binCount)
    for index in 0..<(channelCount * binCount) {
      unsafe (values + index).initialize(to: Atomic(0))
    }
    unsafe stage = .allocate(capacity: 1)
    unsafe stage.initialize(to: Atomic(0))
  }

  deinit {
    unsafe values.deinitialize(count: channelCount * binCount)
    unsafe values.deallocate()
    unsafe stage.deinitialize(count: 1)
    unsafe stage.deallocate()
  }

  /// The ends that the render thread writes to; they stay valid as long as this.
  var writer: Writer { unsafe Writer(values: values, stage: stage, binCount: binCount) }

  /// Returns the profile that was learnt; nil without one. Context: any.
  ///
  /// - Parameter isKept: Whether only a profile counts that outlives a reset.
  func profile(isKept: Bool) -> NoiseProfile? {
    let found = unsafe stage.pointee.load(ordering: .acquiring)
    guard found >= (isKept ? 2 : 1) else { return nil }
    return NoiseProfile(
      spacing: spacing,
      densities: (0..<channelCount).map { channel in
        (0..<binCount).map { bin in
          Float(
            bitPattern: unsafe values[channel * binCount + bin].load(ordering: .relaxed))
        }
      })
  }

  /// The writing end. Context: render.
  @safe struct Writer: BitwiseCopyable {
    fileprivate let values: UnsafeMutablePointer<Atomic<UInt32>>
    /// 0 without a profile, 1 with one, 2 with one that outlives a reset.
    fileprivate let stage: UnsafeMutablePointer<Atomic<UInt8>>
    fileprivate let binCount: Int

    /// Writes the powers in a hertz of a channel: some powers times a factor.
    @_noLocks func write(
      _ channel: Int, _ powers: UnsafePointer<Float>, factor: Float, isKept: Bool
    ) {
      for bin in 0..<binCount {
        unsafe values[channel * binCount + bin].store(
          (powers[bin] * factor).bitPattern, ordering: .relaxed)
      }
      unsafe stage.pointee.store(isKept ? 2 : 1, ordering: .releasing)
    }

    /// Forgets the profile.
    @_noLocks func clear() { unsafe stage.pointee.store(0, ordering: .releasing) }
  }
}

/// The model of a noise reduction: the profile that it learnt, or that a state had.
struct NoiseModel: UnitModel {
  private let restored: NoiseProfile?
  private let latest = Latest()

  init() { restored = nil }

  init(restoring state: UnitState, version: Int32) { restored = NoiseProfile(reading: state) }

  func save(to state: UnitState) { profile(isKept: false)?.save(to: state) }

  /// The profile that a unit begins with.
  var kept: NoiseProfile? { profile(isKept: true) }

  private func profile(isKept: Bool) -> NoiseProfile? {
    latest.learnt.withLock { $0 }?.profile(isKept: isKept) ?? restored
  }

  /// Notes where the unit that is made of this model learns.
  func begin(_ learnt: LearntProfile) { latest.learnt.withLock { $0 = learnt } }

  /// The place of the profile that is learnt now.
  private final class Latest: Sendable {
    let learnt = Mutex<LearntProfile?>(nil)
  }
}
