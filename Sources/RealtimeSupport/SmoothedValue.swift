// Values that glide to their target, so that a parameter's jump makes no click.
// SPDX-License-Identifier: Apache-2.0

/// A value that moves to its target frame by frame, in a straight line or exponentially.
///
/// What comes out depends on the frames since the target was set, never on how the stream is cut in
/// slices: `next` called n times, `fill` over n frames and `skip(n)` end on the same bits.
public struct SmoothedValue: BitwiseCopyable, Sendable {
  /// How the value moves.
  public enum Curve: UInt8, BitwiseCopyable, Sendable {
    /// In equal steps; arrives exactly after the given time.
    case linear
    /// By a constant part of what is left; the time is the one in which 63 % are done.
    case exponential
  }

  /// The value of the latest frame.
  @inlinable
  public var current: Float {
    @_noLocks get { value }
  }
  /// Where it goes.
  public private(set) var target: Float

  @usableFromInline var value: Float
  @usableFromInline var start: Float
  /// Linear: the step of a frame. Exponential: what is left of the way.
  @usableFromInline var distance: Float
  /// Exponential: what is left is nothing below this.
  @usableFromInline var threshold: Float
  @usableFromInline var index: Int32
  @usableFromInline let length: Int32
  @usableFromInline let coefficient: Float
  @usableFromInline let curve: Curve

  /// Makes a value at rest.
  ///
  /// - Parameters:
  ///   - value: Where it starts and stays.
  ///   - timeSeconds: How long it moves; 0 jumps.
  ///   - sampleRate: Frames a second, in Hz.
  ///   - curve: How it moves.
  ///
  /// Context: control.
  public init(
    _ value: Float, timeSeconds: Double, sampleRate: Double, curve: Curve = .linear
  ) {
    let frames = timeSeconds * sampleRate
    let usable = frames.isFinite && frames >= 1 ? min(frames, 1e8) : 0
    self.value = value
    target = value
    start = value
    distance = 0
    threshold = 0
    self.curve = curve
    length = Int32(usable)
    index = length
    coefficient = usable > 0 ? Float(RealtimeMath.exp(-1 / usable)) : 0
  }

  /// True while the value is not yet at its target.
  @inlinable
  public var isMoving: Bool {
    @_noLocks get { index < length }
  }

  /// Sets where the value goes; the same target again, or one that is not finite, changes nothing.
  ///
  /// Context: render.
  @_noLocks
  public mutating func setTarget(_ newTarget: Float) {
    guard newTarget != target, newTarget.isFinite else { return }
    target = newTarget
    if length == 0 || newTarget == value {
      value = newTarget
      index = length
      return
    }
    start = value
    index = 0
    switch curve {
    case .linear:
      distance = (newTarget - value) / Float(length)
    case .exponential:
      distance = value - newTarget
      // Arrived when what is left is below the resolution of the whole way (-100 dB).
      threshold = abs(distance) * 1e-5
    }
  }

  /// Puts the value at rest at `value`, without gliding.
  ///
  /// Context: render.
  @_noLocks
  public mutating func jump(to value: Float) {
    self.value = value
    target = value
    index = length
  }

  /// Moves by one frame and returns the value there.
  ///
  /// Context: render.
  @inlinable @_noLocks
  public mutating func next() -> Float {
    guard index < length else { return value }
    switch curve {
    case .linear:
      index += 1
      value = index >= length ? target : start + distance * Float(index)
    case .exponential:
      distance *= coefficient
      if abs(distance) <= threshold {
        value = target
        index = length
      } else {
        value = target + distance
      }
    }
    return value
  }

  /// Moves by `frameCount` frames.
  ///
  /// Context: render.
  @_noLocks
  public mutating func skip(_ frameCount: Int) {
    guard frameCount > 0, index < length else { return }
    if curve == .linear {
      index = Int32(truncatingIfNeeded: min(Int(length), Int(index) + frameCount))
      value = index >= length ? target : start + distance * Float(index)
      return
    }
    var frame = 0
    while frame < frameCount && index < length {
      _ = next()
      frame += 1
    }
  }

  /// Writes the values of the next `frameCount` frames.
  ///
  /// Context: render.
  @_noLocks
  public mutating func fill(_ destination: UnsafeMutablePointer<Float>, frameCount: Int) {
    // A copy stays in registers; the samples could lie on `self` for all the compiler knows.
    var moving = self
    var frame = 0
    while frame < frameCount && moving.isMoving {
      unsafe destination[frame] = moving.next()
      frame += 1
    }
    let rest = moving.value
    while frame < frameCount {
      unsafe destination[frame] = rest
      frame += 1
    }
    self = moving
  }

  /// Multiplies the next `frameCount` samples by the value as it moves.
  ///
  /// Context: render.
  @_noLocks
  public mutating func multiply(_ samples: UnsafeMutablePointer<Float>, frameCount: Int) {
    var moving = self
    var frame = 0
    while frame < frameCount && moving.isMoving {
      unsafe samples[frame] *= moving.next()
      frame += 1
    }
    let rest = moving.value
    while frame < frameCount {
      unsafe samples[frame] *= rest
      frame += 1
    }
    self = moving
  }
}
