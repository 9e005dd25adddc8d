// The line on which a parameter's value goes through a slice.
// SPDX-License-Identifier: Apache-2.0

/// A scheduled ramp as a kernel follows it. Context: render.
public struct ParameterRamp: BitwiseCopyable, Sendable {
  /// The value at the first frame of the slice.
  public let start: Float
  /// Growth of the value per frame.
  public let step: Float
  private let event: ScheduledEvent
  /// The frame of the cycle at which the slice begins.
  private let offset: Int

  @_noLocks init(_ event: ScheduledEvent, at offset: Int) {
    start = event.value(at: offset)
    step = event.step
    self.event = event
    self.offset = offset
  }

  /// Returns the value at a frame of the slice, the same as that of a slice that begins there.
  ///
  /// `start + frame * step` is that within rounding, which a loop over frames adds up faster.
  @_noLocks public func value(at frame: Int) -> Float { event.value(at: offset + frame) }
}
