// The current tap of a delay line, and the fade to the next one.
// SPDX-License-Identifier: Apache-2.0

/// A delay in frames that changes by a crossfade. Context: render.
public struct TapFade: Sendable {
  /// The current tap, at least 1.
  public private(set) var current = 1
  /// The tap that fades in.
  public private(set) var next = 1
  private let length: Int
  private var elapsed = 0
  private var isFresh = true

  /// Makes a tap that fades for a number of frames.
  public init(frames: Int) { length = max(1, frames) }

  /// Whether both taps are audible.
  public var isFading: Bool {
    @_noLocks get { next != current }
  }

  /// Jumps to the next delay.
  @_noLocks public mutating func reset() {
    isFresh = true
    elapsed = 0
  }

  /// Sets the delay at a grid point, unless a fade is under way.
  @_noLocks public mutating func setDelay(_ delay: Int) {
    let delay = max(1, delay)
    if isFresh {
      isFresh = false
      current = delay
      next = delay
    } else if !isFading && delay != current {
      next = delay
      elapsed = 0
    }
  }

  /// Returns the mix of the new tap some frames from now, from 0 to 1 and smooth at both ends.
  @_noLocks public func weight(after frame: Int) -> Float {
    let x = min(1, Float(elapsed + frame) / Float(length))
    return x * x * (3 - 2 * x)
  }

  /// Counts frames.
  @_noLocks public mutating func advance(_ count: Int) {
    guard isFading else { return }
    elapsed += count
    if elapsed >= length { current = next }
  }
}
