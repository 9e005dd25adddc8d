// A change of one parameter inside a slice: at once, or a ramp.
// SPDX-License-Identifier: Apache-2.0

/// A change of one parameter inside a slice.
struct ScheduledEvent: BitwiseCopyable {
  /// Frame of the slice at which it begins; a ramp may have begun before the slice.
  var start: Int32
  /// Its duration in frames: 0 for an immediate change.
  var duration: UInt32
  /// Index of the value in the parameter table.
  var index: Int32
  /// Whether the kernel follows ramps of this parameter itself.
  var isKernelRamp: Bool
  var startValue: Float
  var endValue: Float

  @_noLocks init(
    start: Int32, duration: UInt32, index: Int32, isKernelRamp: Bool, startValue: Float,
    endValue: Float
  ) {
    self.start = start
    self.duration = duration
    self.index = index
    self.isKernelRamp = isKernelRamp
    self.startValue = startValue
    self.endValue = endValue
  }

  /// The first frame after it.
  var end: Int {
    @_noLocks get { Int(start) + Int(duration) }
  }

  /// Value at a frame: for a ramp, on the line between its ends.
  @_noLocks func value(at frame: Int) -> Float {
    guard frame < end else { return endValue }
    let part = Double(frame - Int(start)) / Double(duration)
    return Float(Double(startValue) + (Double(endValue) - Double(startValue)) * part)
  }

  /// The change of the value for each frame.
  var step: Float {
    @_noLocks get {
      duration == 0 ? 0 : Float((Double(endValue) - Double(startValue)) / Double(duration))
    }
  }
}
