// A parameter's value at each frame of a slice, on its way to where the host set it.
// SPDX-License-Identifier: Apache-2.0

/// The value of a smoothed parameter, frame by frame: `depth[frame]`.
///
/// It goes to a new value in a straight line in the parameter's time of smoothing, at any slice size. It
/// follows the ramps that a host schedules.
///
/// ```swift
/// let depth = parameters.depth
/// var samples = slice.samples(0)
/// if depth.isConstant && depth.target == 0 { return }
/// for frame in samples.indices { samples[frame] *= 1 - depth[frame] / 100 }
/// ```
///
/// Read the parameter once a slice, and use the copy. Context: render.
@frozen public struct Ramp: BitwiseCopyable, Sendable {
  /// The value at which it comes to rest.
  public let target: Float
  /// Growth of the value per frame until then.
  public let slope: Float
  /// Frames of this slice and later ones until it rests.
  public let framesLeft: Int32

  /// Makes a ramp that reaches `target` after so many frames.
  ///
  /// - Parameters:
  ///   - target: The value at its end.
  ///   - slope: Growth per frame until then.
  ///   - framesLeft: Frames until it rests, from 0.
  @inlinable @_noLocks public init(target: Float, slope: Float, framesLeft: Int) {
    self.target = target
    self.slope = slope
    self.framesLeft = Int32(truncatingIfNeeded: framesLeft)
  }

  /// The value at a frame of the slice, from 0; `target` from the end of the ramp on.
  @inlinable public subscript(_ frame: Int) -> Float {
    @_noLocks @inline(__always) get {
      // Through 32 bits, so that loops over frames vectorise.
      let left = framesLeft &- Int32(truncatingIfNeeded: frame)
      return target - slope * Float(left > 0 ? left : 0)
    }
  }

  /// Whether the value is `target` throughout.
  @inlinable public var isConstant: Bool { @_noLocks get { slope == 0 } }
}

extension Ramp: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// A value at rest, for presets.
  public init(floatLiteral value: Float) { self.init(target: value, slope: 0, framesLeft: 0) }
  /// A value at rest, for presets.
  public init(integerLiteral value: Int) {
    self.init(target: Float(value), slope: 0, framesLeft: 0)
  }
}

extension Ramp {
  /// Returns the rest of the ramp after so many frames.
  @_noLocks func advanced(_ frames: Int) -> Ramp {
    let left = Int(framesLeft) - frames
    return left > 0
      ? Ramp(target: target, slope: slope, framesLeft: left)
      : Ramp(target: target, slope: 0, framesLeft: 0)
  }
}
