// One property of every unit: its scopes, its size, and how it is read and set.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// Size and writability of a property.
struct PropertyInfo {
  var status: OSStatus = 0
  var size: UInt32 = 0
  var isWritable = false

  static func error(_ status: OSStatus) -> PropertyInfo { PropertyInfo(status: status) }
}

/// The scope and element of a property.
struct PropertyPlace {
  let unit: UnitInstance
  let scope: AudioUnitScope
  let element: AudioUnitElement

  /// The element as a key.
  var address: ElementAddress { ElementAddress(scope: scope, element: Int(element)) }

  /// The scope of formats: the global one means the first output.
  var formatScope: AudioUnitScope {
    scope == kAudioUnitScope_Global ? kAudioUnitScope_Output : scope
  }
}

/// A row of the table of properties.
///
/// Context of the closures: control, under the instance's lock.
@safe struct UnitProperty: Sendable {
  /// Scopes that have the property.
  enum Scopes {
    /// The global one.
    case global
    /// Input and output.
    case buses
    /// Input, output, and the global one, which means the first output.
    case formats
    /// Input, and the global one in its stead, as hosts may use it for sources.
    case sources
    /// Every scope of the unit.
    case any
    /// Global and part.
    case state
  }

  /// The meaning of the property's element.
  enum Elements {
    /// An element that exists.
    case existing
    /// Anything: unchecked, or a parameter's id.
    case unchecked
  }

  typealias Info = @Sendable (PropertyPlace) -> PropertyInfo
  typealias Read = @Sendable (PropertyPlace, UnsafeMutableRawPointer, UInt32) -> OSStatus
  typealias Write = @Sendable (PropertyPlace, UnsafeRawPointer, UInt32) -> OSStatus
  typealias Remove = @Sendable (PropertyPlace) -> OSStatus

  var scopes: Scopes
  var elements: Elements
  var info: Info
  /// Copies the value to memory of a size in bytes, at least that from `info` unless the property answers
  /// requests; nil: write-only.
  var read: Read?
  /// Sets a value of a size in bytes; nil: read-only.
  var write: Write?
  /// Removes the value; nil: not possible.
  var remove: Remove?
  /// Whether the memory for the value passes a request to the unit; it must then be complete, or of the size
  /// that the property reports.
  var isQuestion: Bool

  init(
    _ scopes: Scopes, _ elements: Elements = .existing, isQuestion: Bool = false,
    info: @escaping Info, read: Read? = nil, write: Write? = nil, remove: Remove? = nil
  ) {
    self.scopes = scopes
    self.elements = elements
    self.isQuestion = isQuestion
    self.info = info
    unsafe self.read = unsafe read
    unsafe self.write = unsafe write
    self.remove = remove
  }

  /// Makes a property of one value; `get` returns an error, or the value.
  static func value<Value>(
    _ scopes: Scopes, _ type: Value.Type,
    exists: @escaping @Sendable (PropertyPlace) -> Bool = { _ in true },
    get: (@Sendable (PropertyPlace) -> Value)? = nil,
    set: (@Sendable (PropertyPlace, Value) -> OSStatus)? = nil, remove: Remove? = nil
  ) -> UnitProperty {
    let isWritable = set != nil
    var read: Read?
    if let get {
      unsafe read = { place, data, _ in
        unsafe data.initializeMemory(as: Value.self, to: get(place))
        return 0
      }
    }
    var write: Write?
    if let set {
      unsafe write = { place, data, size in
        guard Int(size) == MemoryLayout<Value>.size else {
          return kAudioUnitErr_InvalidPropertyValue
        }
        return set(place, unsafe data.loadUnaligned(as: Value.self))
      }
    }
    return unsafe UnitProperty(
      scopes,
      info: { place in
        exists(place)
          ? PropertyInfo(size: UInt32(MemoryLayout<Value>.size), isWritable: isWritable)
          : .error(kAudioUnitErr_InvalidProperty)
      }, read: read, write: write, remove: remove)
  }

  /// Returns whether the property exists on a scope of a unit.
  func allows(_ scope: AudioUnitScope, of unit: UnitInstance) -> Bool {
    guard unit.elementCount(scope) != nil else { return false }
    switch scopes {
    case .global: return scope == kAudioUnitScope_Global
    case .buses: return scope == kAudioUnitScope_Input || scope == kAudioUnitScope_Output
    case .formats:
      return scope == kAudioUnitScope_Input || scope == kAudioUnitScope_Output
        || (scope == kAudioUnitScope_Global && unit.elementCount(kAudioUnitScope_Output) != 0)
    case .sources:
      return scope == kAudioUnitScope_Input
        || (scope == kAudioUnitScope_Global && unit.elementCount(kAudioUnitScope_Input) != 0)
    case .any: return true
    case .state: return scope == kAudioUnitScope_Global || scope == kAudioUnitScope_Part
    }
  }
}
