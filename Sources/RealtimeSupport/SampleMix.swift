// Sums of channels with a gain, several samples at a time.
// SPDX-License-Identifier: Apache-2.0

/// Mixes runs of samples, which may be the same memory or lie apart. Context: any, render included.
///
/// Written with vectors: a loop over single samples stays one where the memory may be the same.
public enum SampleMix {
  /// Adds one run, times a gain, to another.
  ///
  /// - Parameters:
  ///   - source: The first sample to read.
  ///   - gain: What each is multiplied by, linear.
  ///   - target: The first sample that is added to.
  ///   - count: Number of samples.
  @_noLocks
  public static func add(
    _ source: UnsafePointer<Float>, gain: Float, to target: UnsafeMutablePointer<Float>, count: Int
  ) {
    let from = unsafe UnsafeRawPointer(source)
    let into = UnsafeMutableRawPointer(target)
    let gains = SIMD8<Float>(repeating: gain)
    var index = 0
    while index &+ 8 <= count {
      let offset = index &* MemoryLayout<Float>.stride
      let first = unsafe into.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      let second = unsafe from.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      unsafe into.storeBytes(
        of: first + second * gains, toByteOffset: offset, as: SIMD8<Float>.self)
      index &+= 8
    }
    while index < count {
      unsafe target[index] += source[index] * gain
      index &+= 1
    }
  }

  /// Writes the sum of two runs, each times a gain.
  ///
  /// - Parameters:
  ///   - left: The first sample of one run.
  ///   - right: The first sample of the other.
  ///   - gain: What each is multiplied by, linear.
  ///   - target: The first sample to write.
  ///   - count: Number of samples.
  @_noLocks
  public static func sum(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, gain: Float,
    into target: UnsafeMutablePointer<Float>, count: Int
  ) {
    let one = unsafe UnsafeRawPointer(left)
    let other = unsafe UnsafeRawPointer(right)
    let into = UnsafeMutableRawPointer(target)
    let gains = SIMD8<Float>(repeating: gain)
    var index = 0
    while index &+ 8 <= count {
      let offset = index &* MemoryLayout<Float>.stride
      let first = unsafe one.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      let second = unsafe other.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      unsafe into.storeBytes(
        of: first * gains + second * gains, toByteOffset: offset, as: SIMD8<Float>.self)
      index &+= 8
    }
    while index < count {
      unsafe target[index] = left[index] * gain + right[index] * gain
      index &+= 1
    }
  }
}
