// Plain values with fixed addresses: the render thread's data about ports and properties.
// SPDX-License-Identifier: Apache-2.0

internal import ForeignPlugIns
internal import LV2Bundles
internal import RealtimeSupport

/// An audio port, its channel, and its current memory.
@safe struct LV2AudioPort {
  var port: UInt32
  var bus: Int
  var channel: Int
  var connected: UnsafeMutablePointer<Float>?
  /// The block of a plug-in that needs blocks of one size; otherwise nil.
  var block: UnsafeMutablePointer<Float>?
}

/// A control voltage input: a parameter plus the signal of its bus.
@safe struct LV2VoltagePort {
  /// Index of its parameter.
  var place: Int
  /// Its bus, or -1.
  var bus: Int
  /// The memory of the port.
  var block: UnsafeMutablePointer<Float>
}

/// A control port that accepts only some values, or is a trigger.
@safe struct LV2SteppedPort {
  /// Index of its parameter.
  var place: Int
  /// The parameter's value when it was last read, NaN before that; and the port's value for it.
  var last = Float.nan
  var settled: Float = 0
  /// Accepted values, ascending; empty for integers, or for 0 and 1 if `isToggled`.
  var points: RenderTable<Float>
  var isToggled: Bool
  /// Whether it returns to `rest` after a run.
  var isTrigger: Bool
  var rest: Float

  /// The accepted value nearest to a parameter's.
  @_noLocks func step(_ value: Float) -> Float {
    if isToggled { return value > 0 ? 1 : 0 }
    guard points.count > 0 else {
      guard abs(value) < 16_777_216 else { return value }
      return Float(Int32(value < 0 ? value - 0.5 : value + 0.5))
    }
    var nearest = unsafe points.elements[0]
    for index in 1..<max(points.count, 1) {
      let point = unsafe points.elements[index]
      if abs(point - value) < abs(nearest - value) { nearest = point }
    }
    return nearest
  }
}

/// A property set by messages: its parameter, and the plug-in's value.
struct LV2PatchSlot {
  var place: Int
  var key: UInt32
  var type: UInt32
  var isWritable: Bool
  /// The value that the plug-in is known to have.
  var known: Float
}
