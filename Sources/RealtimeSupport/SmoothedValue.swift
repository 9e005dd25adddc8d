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
  public private(set) var current: Float
  /// Where it goes.
  public private(set) var target: Float

  @usableFromInline var start: Float
  @usableFromInline var step: Float
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
    current = value
    target = value
    start = value
    step = 0
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

  /// Sets where the value goes; the same target again changes nothing.
  ///
  /// Context: render.
  @_noLocks
  public mutating func setTarget(_ newTarget: Float) {
    guard newTarget != target else { return }
    target = newTarget
    if length == 0 || newTarget == current {
      current = newTarget
      index = length
      return
    }
    start = current
    step = (newTarget - current) / Float(length)
    index = 0
  }

  /// Puts the value at rest at `value`, without gliding.
  ///
  /// Context: render.
  @_noLocks
  public mutating func jump(to value: Float) {
    current = value
    target = value
    index = length
  }

  /// Moves by one frame and returns the value there.
  ///
  /// Context: render.
  @_noLocks
  public mutating func next() -> Float {
    guard index < length else { return current }
    switch curve {
    case .linear:
      index += 1
      current = index >= length ? target : start + step * Float(index)
    case .exponential:
      let rest = (current - target) * coefficient
      // Arrived when what is left is below the resolution of the whole way (-100 dB).
      if abs(rest) <= abs(start - target) * 1e-5 {
        current = target
        index = length
      } else {
        current = target + rest
      }
    }
    return current
  }

  /// Moves by `frameCount` frames.
  ///
  /// Context: render.
  @_noLocks
  public mutating func skip(_ frameCount: Int) {
    guard frameCount > 0, index < length else { return }
    if curve == .linear {
      index = Int32(truncatingIfNeeded: min(Int(length), Int(index) + frameCount))
      current = index >= length ? target : start + step * Float(index)
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
    var frame = 0
    while frame < frameCount && index < length {
      unsafe destination[frame] = next()
      frame += 1
    }
    while frame < frameCount {
      unsafe destination[frame] = current
      frame += 1
    }
  }

  /// Multiplies the next `frameCount` samples by the value as it moves.
  ///
  /// Context: render.
  @_noLocks
  public mutating func multiply(_ samples: UnsafeMutablePointer<Float>, frameCount: Int) {
    var frame = 0
    while frame < frameCount && index < length {
      unsafe samples[frame] *= next()
      frame += 1
    }
    let value = current
    while frame < frameCount {
      unsafe samples[frame] *= value
      frame += 1
    }
  }
}
