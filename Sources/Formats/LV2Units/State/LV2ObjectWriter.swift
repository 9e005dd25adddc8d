// Writing and reading atom objects: patch messages and positions in time. Render code.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import LV2Bundles

/// Writes one object into the memory of an event. Every value has at most 8 bytes, or is a whole body.
@safe struct LV2ObjectWriter {
  private let start: UnsafeMutableRawPointer
  private var used = 8

  /// Bytes of an object with `count` properties of at most 8 bytes each.
  @_noLocks static func size(properties count: Int) -> Int { 8 + 24 * count }

  /// Begins an object of a class.
  @_noLocks init(_ memory: UnsafeMutableRawPointer, type: UInt32) {
    unsafe start = unsafe memory
    unsafe start.storeBytes(of: 0, as: UInt32.self)
    unsafe start.storeBytes(of: type, toByteOffset: 4, as: UInt32.self)
  }

  /// Begins a property; returns the memory of its body.
  @_noLocks private mutating func property(
    _ key: UInt32, _ type: UInt32, _ size: Int
  ) -> UnsafeMutableRawPointer {
    let place = unsafe start + used
    unsafe place.storeBytes(of: key, as: UInt32.self)
    unsafe place.storeBytes(of: 0, toByteOffset: 4, as: UInt32.self)
    unsafe place.storeBytes(
      of: UInt32(truncatingIfNeeded: size), toByteOffset: 8, as: UInt32.self)
    unsafe place.storeBytes(of: type, toByteOffset: 12, as: UInt32.self)
    unsafe place.storeBytes(of: 0, toByteOffset: 16, as: UInt64.self)
    used += 16 + (size + 7) & ~7
    return unsafe place + 16
  }

  @_noLocks mutating func add(_ key: UInt32, _ type: UInt32, float value: Float) {
    unsafe property(key, type, 4).storeBytes(of: value, as: Float.self)
  }

  @_noLocks mutating func add(_ key: UInt32, _ type: UInt32, double value: Double) {
    unsafe property(key, type, 8).storeBytes(of: value, as: Double.self)
  }

  @_noLocks mutating func add(_ key: UInt32, _ type: UInt32, int value: Int32) {
    unsafe property(key, type, 4).storeBytes(of: value, as: Int32.self)
  }

  @_noLocks mutating func add(_ key: UInt32, _ type: UInt32, long value: Int64) {
    unsafe property(key, type, 8).storeBytes(of: value, as: Int64.self)
  }

  /// Adds a number in its type: `type` is that of a number.
  @_noLocks mutating func add(
    _ key: UInt32, _ type: UInt32, number: Float, _ urids: LV2URIDs
  ) {
    let rounded = number < 0 ? number - 0.5 : number + 0.5
    let whole = abs(rounded) < 1e18 ? Int64(rounded) : 0
    if type == urids.double {
      add(key, type, double: Double(number))
    } else if type == urids.int {
      add(key, type, int: Int32(truncatingIfNeeded: whole))
    } else if type == urids.long {
      add(key, type, long: whole)
    } else if type == urids.bool {
      add(key, type, int: number > 0 ? 1 : 0)
    } else {
      add(key, type, float: number)
    }
  }

  /// Adds a property whose body is copied; the memory must have room for it.
  @_noLocks mutating func add(
    _ key: UInt32, _ type: UInt32, body: UnsafeRawPointer, size: Int
  ) {
    unsafe auricle_copy(property(key, type, size), body, size)
  }
}

/// A value inside an object.
@safe struct LV2ValueView {
  var key: UInt32
  var type: UInt32
  var size: Int
  var body: UnsafeMutableRawPointer

  /// The value as a number; nil for anything else.
  @_noLocks func number(_ urids: LV2URIDs) -> Float? {
    if type == urids.float, size >= 4 { return unsafe body.load(as: Float.self) }
    if type == urids.double, size >= 8 { return unsafe Float(body.loadUnaligned(as: Double.self)) }
    if type == urids.int || type == urids.bool, size >= 4 {
      return unsafe Float(body.load(as: Int32.self))
    }
    if type == urids.long, size >= 8 { return unsafe Float(body.loadUnaligned(as: Int64.self)) }
    return nil
  }

  /// The number of a URI.
  @_noLocks func urid(_ urids: LV2URIDs) -> UInt32? {
    type == urids.urid && size >= 4 ? unsafe body.load(as: UInt32.self) : nil
  }
}

/// Reads the body of an object: id, class, then properties.
@safe struct LV2ObjectView {
  private let body: UnsafeMutableRawPointer
  private let size: Int

  @_noLocks init(_ body: UnsafeMutableRawPointer, size: Int) {
    unsafe self.body = unsafe body
    self.size = size
  }

  /// The class; 0 for a body too short to have one.
  var type: UInt32 {
    @_noLocks get { size >= 8 ? unsafe body.load(fromByteOffset: 4, as: UInt32.self) : 0 }
  }

  /// The property at `offset` bytes, which is advanced past it; begin at 0. Nil at the end.
  @_noLocks func next(_ offset: inout Int) -> LV2ValueView? {
    if offset < 8 { offset = 8 }
    guard offset + 16 <= size else { return nil }
    let place = unsafe body + offset
    let length = unsafe Int(place.load(fromByteOffset: 8, as: UInt32.self))
    guard offset + 16 + length <= size else { return nil }
    offset += 16 + (length + 7) & ~7
    return unsafe LV2ValueView(
      key: place.load(as: UInt32.self), type: place.load(fromByteOffset: 12, as: UInt32.self),
      size: length, body: place + 16)
  }

  /// The value of a key.
  @_noLocks func value(_ key: UInt32) -> LV2ValueView? {
    var offset = 0
    while let value = next(&offset) {
      if value.key == key { return value }
    }
    return nil
  }
}
