// The current tap of a delay line, and the fade to the next one.
// SPDX-License-Identifier: Apache-2.0

/// A delay in frames that changes by a crossfade, so that nothing clicks and nothing changes pitch.
///
/// With `ChannelDelayLines`, in the loop over the runs of a slice:
///
/// ```swift
/// if clock.isAtGridPoint { tap.setDelay(Int(parameters.time * Float(sampleRate))) }
/// let old = unsafe lines.readPointer(channel, delay: tap.current)
/// let new = unsafe lines.readPointer(channel, delay: tap.next)
/// for index in 0..<run {
///   let part = tap.weight(after: index)
///   unsafe audio[index] += old[index] + (new[index] - old[index]) * part
/// }
/// ```
///
/// `advance(_:)` follows, once for all channels. Context: render.
public struct TapFade: Sendable {
  /// The current tap in frames, at least 1: the one that is left while a fade is under way.
  public private(set) var current = 1
  /// The tap in frames that fades in; the same as `current` without a fade.
  public private(set) var next = 1
  private let length: Int
  private var elapsed = 0
  private var isFresh = true

  /// Makes a tap that fades for a number of frames, such as 0.03 s of them. Context: any.
  public init(frames: Int) { length = max(1, frames) }

  /// Whether both taps are audible; else reading one of them is enough.
  public var isFading: Bool {
    @_noLocks get { next != current }
  }

  /// Jumps to the next delay, as the unit's `reset()` needs it. Context: control or render.
  @_noLocks public mutating func reset() {
    isFresh = true
    elapsed = 0
  }

  /// Sets the delay at a grid point, unless a fade is under way; call it again at later grid points.
  ///
  /// - Parameter delay: Frames; less than 1 counts as 1.
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
  ///
  /// - Parameter frame: Frames since the last `advance(_:)`.
  @_noLocks public func weight(after frame: Int) -> Float {
    let x = min(1, Float(elapsed + frame) / Float(length))
    return x * x * (3 - 2 * x)
  }

  /// Counts frames of all channels; after the last one of a fade, `current` is the new tap.
  @_noLocks public mutating func advance(_ count: Int) {
    guard isFading else { return }
    elapsed += count
    if elapsed >= length { current = next }
  }
}
