// Sums of channels with gains, several samples at a time.
// SPDX-License-Identifier: Apache-2.0

/// Mixes runs of samples. Context: any, render included.
///
/// Written with vectors: a loop over single samples stays one where the memory may be the same.
public enum SampleMix {
  /// Sums two runs, each times a gain.
  ///
  /// - Parameters:
  ///   - first: The first sample to read of one; may be `target`, or lie apart from its run.
  ///   - second: The same of the other.
  ///   - gain: The linear gain of each sample.
  ///   - target: The first sample to write.
  ///   - count: Number of samples.
  @_noLocks
  public static func mix(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, gain: Float,
    to target: UnsafeMutablePointer<Float>, count: Int
  ) {
    let one = unsafe UnsafeRawPointer(first)
    let other = unsafe UnsafeRawPointer(second)
    let into = UnsafeMutableRawPointer(target)
    let gains = SIMD8<Float>(repeating: gain)
    var index = 0
    while index &+ 8 <= count {
      let offset = index &* MemoryLayout<Float>.stride
      let left = unsafe one.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      let right = unsafe other.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      unsafe into.storeBytes(
        of: left * gains + right * gains, toByteOffset: offset, as: SIMD8<Float>.self)
      index &+= 8
    }
    while index < count {
      unsafe target[index] = first[index] * gain + second[index] * gain
      index &+= 1
    }
  }

  /// Adds one run, times a gain, to another.
  ///
  /// - Parameters:
  ///   - source: The first sample to read; may be `target`, or lie apart from its run.
  ///   - gain: The linear gain of the source.
  ///   - target: The first sample that is added to.
  ///   - targetGain: The linear gain of the target before the sum.
  ///   - count: Number of samples.
  @_noLocks
  public static func add(
    _ source: UnsafePointer<Float>, gain: Float, to target: UnsafeMutablePointer<Float>,
    targetGain: Float = 1, count: Int
  ) {
    let from = unsafe UnsafeRawPointer(source)
    let into = UnsafeMutableRawPointer(target)
    let gains = SIMD8<Float>(repeating: gain)
    let targetGains = SIMD8<Float>(repeating: targetGain)
    var index = 0
    while index &+ 8 <= count {
      let offset = index &* MemoryLayout<Float>.stride
      let first = unsafe into.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      let second = unsafe from.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      unsafe into.storeBytes(
        of: first * targetGains + second * gains, toByteOffset: offset, as: SIMD8<Float>.self)
      index &+= 8
    }
    while index < count {
      unsafe target[index] = target[index] * targetGain + source[index] * gain
      index &+= 1
    }
  }
}
