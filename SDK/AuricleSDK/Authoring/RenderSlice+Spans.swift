// The channels of a slice as spans, and its MIDI as messages.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// The samples of an input channel in a slice.
///
/// It equals `Span<Float>`; the compiler does not know yet that copies of a span retain nothing.
///
/// ```swift
/// let source = slice.input(0, bus: 1)
/// var target = slice.output(0)
/// for frame in source.indices { target[frame] += source[frame] }
/// ```
///
/// Context: render.
@frozen @safe public struct InputSpan: ~Copyable, ~Escapable {
  @usableFromInline let start: UnsafePointer<Float>
  /// Frames, those of the slice or of the pull.
  public let count: Int

  @inlinable @_noLocks @_lifetime(borrow slice)
  init(_ slice: borrowing RenderSlice, _ channel: Int, bus: Int) {
    unsafe start = UnsafePointer(slice.input(bus: bus, channel: channel))
    count = slice.frameCount
  }

  @_noLocks @_lifetime(borrow slice)
  init(_ slice: borrowing RenderSlice, pulled channel: Int, bus: Int, count: Int) {
    let most = slice.maximumFrameCount
    precondition(count >= 0 && count <= most, "no such frames")
    unsafe start = UnsafePointer(slice.inputs[slice.firstInputChannel[bus] + channel])
    self.count = count
  }

  /// The sample of a frame, in `0..<count`; another frame traps.
  @inlinable public subscript(_ frame: Int) -> Float {
    @_noLocks get {
      precondition(frame >= 0 && frame < count, "no such frame")
      return unsafe start[frame]
    }
  }

  /// All frames.
  @inlinable public var indices: Range<Int> { @_noLocks get { 0..<count } }
}

extension RenderSlice {
  /// Returns a channel of output bus 0; of a unit in place it holds the input.
  ///
  /// - Parameter channel: Channel, in `0..<channelCount`.
  /// - Returns: `frameCount` samples, which cannot outlive the slice.
  @inlinable @_noLocks @_lifetime(borrow self)
  public func samples(_ channel: Int) -> MutableSpan<Float> { output(channel) }

  /// Returns a channel of an output bus; of a unit that is not in place it holds nothing of use before it is written.
  ///
  /// - Parameters:
  ///   - channel: Channel, in `0..<outputChannelCount(bus: bus)`.
  ///   - bus: Output bus, 0 by default.
  @inlinable @_noLocks @_lifetime(borrow self)
  public func output(_ channel: Int, bus: Int = 0) -> MutableSpan<Float> {
    let span = unsafe MutableSpan(
      _unsafeStart: output(bus: bus, channel: channel), count: frameCount)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// Returns a channel of an input bus; not for bus 0 of a unit in place, whose input lies in its output.
  @inlinable @_noLocks @_lifetime(borrow self)
  public func input(_ channel: Int, bus: Int = 0) -> InputSpan {
    InputSpan(self, channel, bus: bus)
  }

  /// Returns a channel of the last `pullInput(bus:sampleTime:frameCount:)` of an input bus.
  ///
  /// - Parameters:
  ///   - channel: The channel, from 0.
  ///   - bus: The input bus.
  ///   - count: As many frames as were asked for.
  @_noLocks @_lifetime(borrow self)
  public func pulled(_ channel: Int, bus: Int = 0, count: Int) -> InputSpan {
    InputSpan(self, pulled: channel, bus: bus, count: count)
  }

  /// Sets every channel of every output bus to zero.
  ///
  /// - Parameter isSilent: Whether it stays silent; the host is notified of that.
  @_noLocks public func clearOutput(isSilent: Bool = false) {
    for bus in 0..<outputCount {
      for channel in 0..<outputChannelCount(bus: bus) {
        unsafe SampleCopy.clear(output(bus: bus, channel: channel), count: frameCount)
      }
    }
    if isSilent { markOutputSilent() }
  }
}
