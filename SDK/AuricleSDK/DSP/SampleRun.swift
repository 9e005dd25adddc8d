// Plain loops over a run of samples.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// Operations on contiguous samples, in loops that the compiler vectorises.
///
/// Pointers need no alignment. A mono sum of two channels, halved:
///
/// ```swift
/// let left = unsafe slice.channel(0)
/// let right = unsafe slice.channel(1)
/// unsafe SampleRun.add(right, gain: 1, to: left, slice.frameCount)
/// unsafe SampleRun.scale(left, gain: 0.5, slice.frameCount)
/// unsafe SampleRun.copy(left, to: right, slice.frameCount)
/// ```
///
/// Context: render.
public enum SampleRun {
  /// Copies samples; the two runs may be the same but must not overlap otherwise.
  ///
  /// - Parameters:
  ///   - source: `count` samples.
  ///   - destination: Room for as many.
  ///   - count: Number of samples, 0 or more.
  @_noLocks public static func copy(
    _ source: UnsafePointer<Float>, to destination: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    for index in 0..<count { unsafe destination[index] = source[index] }
  }

  /// Returns four samples at any address.
  @inlinable @inline(__always) @_noLocks public static func four(
    _ samples: UnsafePointer<Float>
  ) -> SIMD4<Float> {
    unsafe UnsafeRawPointer(samples).loadUnaligned(as: SIMD4<Float>.self)
  }

  /// Sets four samples at any address.
  @inlinable @inline(__always) @_noLocks public static func setFour(
    _ samples: UnsafeMutablePointer<Float>, _ value: SIMD4<Float>
  ) {
    unsafe samples[0] = value[0]
    unsafe samples[1] = value[1]
    unsafe samples[2] = value[2]
    unsafe samples[3] = value[3]
  }

  /// Fills samples with zero. For a whole output, `RenderSlice.clearOutput(isSilent:)` does more.
  @_noLocks public static func clear(_ samples: UnsafeMutablePointer<Float>, _ count: Int) {
    for index in 0..<count { unsafe samples[index] = 0 }
  }

  /// Returns whether any magnitude is above a threshold that is not negative.
  ///
  /// - Parameters:
  ///   - threshold: Linear, such as 1 for full scale.
  ///   - samples: `count` samples; NaN counts as above any threshold.
  ///   - count: Number of samples.
  @_noLocks public static func exceeds(
    _ threshold: Float, _ samples: UnsafePointer<Float>, _ count: Int
  ) -> Bool {
    // As integers, magnitudes compare like floats, and the loop vectorises.
    let bound = Int32(bitPattern: threshold.bitPattern)
    var found: Int32 = 0
    for index in 0..<count {
      let bits = unsafe Int32(bitPattern: samples[index].bitPattern & 0x7FFF_FFFF)
      found |= bits > bound ? 1 : 0
    }
    return found != 0
  }

  /// Returns whether all samples are zero, positive or negative.
  @_noLocks public static func isSilent(_ samples: UnsafePointer<Float>, _ count: Int) -> Bool {
    var bits: UInt32 = 0
    for index in 0..<count { unsafe bits |= samples[index].bitPattern }
    return bits & 0x7FFF_FFFF == 0
  }

  /// Adds samples times a constant gain.
  ///
  /// - Parameters:
  ///   - source: `count` samples.
  ///   - gain: Linear.
  ///   - destination: The samples that are added to.
  ///   - count: Number of samples.
  @_noLocks public static func add(
    _ source: UnsafePointer<Float>, gain: Float, to destination: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    for index in 0..<count { unsafe destination[index] += source[index] * gain }
  }

  /// Adds samples times a gain that glides; `phase` is that of the first frame.
  ///
  /// - Parameters:
  ///   - source: `count` samples.
  ///   - glide: The gain, in its current interval.
  ///   - phase: Frames into the interval, `ControlClock.phase`.
  ///   - destination: The samples that are added to.
  ///   - count: Number of samples, at most up to the next grid point.
  @_noLocks public static func add(
    _ source: UnsafePointer<Float>, glide: ParameterGlide, phase: Int,
    to destination: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    for index in 0..<count {
      unsafe destination[index] += source[index] * glide.value(at: phase + index)
    }
  }

  /// Adds samples times a gain that is `start` at the first and changes by `step` a sample.
  ///
  /// With the `start` and `step` of a `ParameterRamp` it follows the ramp that a host scheduled.
  @_noLocks public static func add(
    _ source: UnsafePointer<Float>, start: Float, step: Float,
    to destination: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    for index in 0..<count {
      let gain = start + step * Float(Int32(truncatingIfNeeded: index))
      unsafe destination[index] += source[index] * gain
    }
  }

  /// Multiplies samples by a gain that is `start` at the first and changes by `step` a sample.
  @_noLocks public static func scale(
    _ samples: UnsafeMutablePointer<Float>, start: Float, step: Float, _ count: Int
  ) {
    for index in 0..<count {
      unsafe samples[index] *= start + step * Float(Int32(truncatingIfNeeded: index))
    }
  }

  /// Multiplies samples by a constant gain, in place.
  @_noLocks public static func scale(
    _ samples: UnsafeMutablePointer<Float>, gain: Float, _ count: Int
  ) {
    for index in 0..<count { unsafe samples[index] *= gain }
  }

  /// Returns the sum of products; four chains of eight lanes hide the latency of the additions.
  @_noLocks static func dot(
    _ samples: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ count: Int
  ) -> Float {
    var first = SIMD8<Float>(), second = SIMD8<Float>()
    let a = unsafe UnsafeRawPointer(samples), b = unsafe UnsafeRawPointer(weights)
    var index = 0
    while index &+ 16 <= count {
      let offset = index &* 4
      unsafe first +=
        a.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
        * b.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      unsafe second +=
        a.loadUnaligned(fromByteOffset: offset &+ 32, as: SIMD8<Float>.self)
        * b.loadUnaligned(fromByteOffset: offset &+ 32, as: SIMD8<Float>.self)
      index &+= 16
    }
    let eight = first + second
    var rest: Float = 0
    while index < count {
      unsafe rest += samples[index] * weights[index]
      index &+= 1
    }
    let left = (eight[0] + eight[4]) + (eight[2] + eight[6])
    return left + ((eight[1] + eight[5]) + (eight[3] + eight[7])) + rest
  }

  /// Moves samples towards the start of their memory.
  @_noLocks static func moveDown(
    _ samples: UnsafeMutablePointer<Float>, by frames: Int, count: Int
  ) {
    unsafe SampleCopy.copy(from: samples + frames, to: samples, count: count)
  }
}
