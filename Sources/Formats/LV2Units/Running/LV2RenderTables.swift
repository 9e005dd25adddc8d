// Plain values with fixed addresses: what the render thread knows of ports and properties.
// SPDX-License-Identifier: Apache-2.0

internal import LV2Bundles
internal import RealtimeSupport

/// An audio port, its channel, and where it is connected now.
@safe struct LV2AudioPort {
  var port: UInt32
  var bus: Int
  var channel: Int
  var connected: UnsafeMutablePointer<Float>?
  /// The block of a plug-in that needs blocks of one size; else nil.
  var block: UnsafeMutablePointer<Float>?
}

/// A control voltage in: a parameter, and what comes in on its bus besides.
@safe struct LV2VoltagePort {
  /// Place of its parameter.
  var place: Int
  /// Its bus, or -1.
  var bus: Int
  /// What the port is connected to.
  var block: UnsafeMutablePointer<Float>
}

/// Parameters whose places follow each other.
struct LV2PlaceRange {
  var first: Int
  var count: Int

  /// The fewest ranges that hold places, which are ascending.
  static func covering(_ places: [Int]) -> [LV2PlaceRange] {
    var ranges: [LV2PlaceRange] = []
    for place in places {
      if let last = ranges.last, last.first + last.count == place {
        ranges[ranges.count - 1].count += 1
      } else {
        ranges.append(LV2PlaceRange(first: place, count: 1))
      }
    }
    return ranges
  }
}

/// A control port that takes some values only, or is pushed.
@safe struct LV2SteppedPort {
  /// Place of its parameter.
  var place: Int
  /// The parameter's value when it was last looked at, not a number before that; and what the port
  /// takes for it.
  var last = Float.nan
  var settled: Float = 0
  /// Values it takes, ascending; none when it takes whole numbers, or 0 and 1 if `isToggled`.
  var points: LV2Table<Float>
  var isToggled: Bool
  /// Whether it goes back to `rest` after a run.
  var isTrigger: Bool
  var rest: Float

  /// The value the port takes that is nearest to a parameter's.
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

/// A property that messages set: the parameter it is, and what the plug-in knows of it.
struct LV2PatchSlot {
  var place: Int
  var key: UInt32
  var type: UInt32
  var isWritable: Bool
  /// The value the plug-in has, as far as is known.
  var known: Float
}

/// A list of plain values with a fixed address.
@safe struct LV2Table<Element: BitwiseCopyable> {
  let elements: UnsafeMutablePointer<Element>
  let count: Int

  init(_ list: [Element]) {
    count = list.count
    unsafe elements = .allocate(capacity: max(count, 1))
    for (index, element) in list.enumerated() {
      unsafe (elements + index).initialize(to: element)
    }
  }

  func free() { unsafe elements.deallocate() }
}
