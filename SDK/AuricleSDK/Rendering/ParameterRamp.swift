// The line on which a parameter's value goes through a slice.
// SPDX-License-Identifier: Apache-2.0

/// A scheduled ramp as a kernel follows it.
///
/// For kernels whose definition has `isRampedByKernel`; a `@Parameter` of type `Ramp` needs no such code.
///
/// ```swift
/// if let ramp = slice.parameterRamp(.volume) {
///   for frame in 0..<slice.frameCount {
///     unsafe audio[frame] *= ramp.start + Float(frame) * ramp.step
///   }
/// }
/// ```
///
/// The corresponding Core Audio structure is `AudioUnitParameterEvent` of the type
/// `kParameterEvent_Ramped`. Context: render.
public struct ParameterRamp: BitwiseCopyable, Sendable {
  /// The value at the first frame of the slice, in the parameter's unit.
  public let start: Float
  /// Growth of the value per frame; negative where the ramp falls.
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
