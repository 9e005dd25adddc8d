// The functions of MIDIServices.h about properties.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox
import MIDIPorts

private func get<Value>(
  _ object: MIDIObjectRef, _ property: CFStringRef?, _ out: UnsafeMutablePointer<Value>?,
  _ made: (PropertyValue) throws(MIDIError) -> Value
) -> OSStatus {
  status { () throws(MIDIError) in
    guard let out = unsafe out else { throw .argument }
    let value = try unsafe MIDISystem.shared().property(object, text(property))
    let result = try made(value)
    unsafe out.pointee = result
  }
}

private func set(
  _ object: MIDIObjectRef, _ property: CFStringRef?,
  _ value: () throws(MIDIError) -> PropertyValue?
) -> OSStatus {
  status { () throws(MIDIError) in
    try unsafe MIDISystem.shared().setProperty(object, text(property), value())
  }
}

/// A number that is set of an object.
///
/// - Returns: -10842 for no object; -10835 where it is not set; -10836 where it is no number; -50 for a null pointer.
///
/// Context: control.
@c @implementation
public func MIDIObjectGetIntegerProperty(
  _ object: MIDIObjectRef, _ property: CFStringRef?, _ outValue: UnsafeMutablePointer<Int32>?
) -> OSStatus {
  unsafe get(object, property, outValue) { value throws(MIDIError) in
    guard case .integer(let number) = value else { throw .propertyType }
    return number
  }
}

/// Sets a number of an endpoint.
///
/// - Returns: -10842 for no object; -10843 for a unique number that another has; -10836 for a name; -10844 for
///   properties that the
///   system sets; -50 for a null pointer, and for a unique number of 0.
///
/// Context: control.
@c @implementation
public func MIDIObjectSetIntegerProperty(
  _ object: MIDIObjectRef, _ property: CFStringRef?, _ value: Int32
) -> OSStatus {
  unsafe set(object, property) { .integer(value) }
}

/// A text that is set of an object, to be released.
///
/// - Returns: As `MIDIObjectGetIntegerProperty`.
///
/// Context: control.
@c @implementation
public func MIDIObjectGetStringProperty(
  _ object: MIDIObjectRef, _ property: CFStringRef?, _ outValue: UnsafeMutablePointer<CFStringRef?>?
) -> OSStatus {
  unsafe get(object, property, outValue) { value throws(MIDIError) in
    guard case .text(let text) = value else { throw .propertyType }
    return unsafe makeCFString(text)
  }
}

/// Sets a text of an endpoint.
///
/// - Returns: As `MIDIObjectSetIntegerProperty`.
///
/// Context: control.
@c @implementation
public func MIDIObjectSetStringProperty(
  _ object: MIDIObjectRef, _ property: CFStringRef?, _ value: CFStringRef?
) -> OSStatus {
  unsafe set(object, property) { () throws(MIDIError) in .text(try unsafe text(value)) }
}

/// Bytes that are set of an object, to be released.
///
/// - Returns: As `MIDIObjectGetIntegerProperty`.
///
/// Context: control.
@c @implementation
public func MIDIObjectGetDataProperty(
  _ object: MIDIObjectRef, _ property: CFStringRef?, _ outValue: UnsafeMutablePointer<CFDataRef?>?
) -> OSStatus {
  unsafe get(object, property, outValue) { value throws(MIDIError) in
    guard case .data(let bytes) = value else { throw .propertyType }
    return unsafe PropertyObjects.data(bytes)
  }
}

/// Sets bytes of an endpoint.
///
/// - Returns: As `MIDIObjectSetIntegerProperty`.
///
/// Context: control.
@c @implementation
public func MIDIObjectSetDataProperty(
  _ object: MIDIObjectRef, _ property: CFStringRef?, _ value: CFDataRef?
) -> OSStatus {
  unsafe set(object, property) { () throws(MIDIError) in
    guard let value = unsafe value else { throw .argument }
    return unsafe .data(PropertyObjects.bytes(value))
  }
}

/// A dictionary that is set of an object, to be released.
///
/// - Returns: As `MIDIObjectGetIntegerProperty`.
///
/// Context: control.
@c @implementation
public func MIDIObjectGetDictionaryProperty(
  _ object: MIDIObjectRef, _ property: CFStringRef?,
  _ outValue: UnsafeMutablePointer<CFDictionaryRef?>?
) -> OSStatus {
  unsafe get(object, property, outValue) { value throws(MIDIError) in
    guard case .dictionary(let bytes) = value else { throw .propertyType }
    return unsafe PropertyObjects.list(bytes).map { OpaquePointer($0) }
  }
}

/// Sets a dictionary of an endpoint.
///
/// - Returns: As `MIDIObjectSetIntegerProperty`; -10836 where it is no property list.
///
/// Context: control.
@c @implementation
public func MIDIObjectSetDictionaryProperty(
  _ object: MIDIObjectRef, _ property: CFStringRef?, _ value: CFDictionaryRef?
) -> OSStatus {
  unsafe set(object, property) { () throws(MIDIError) in
    guard let value = unsafe value else { throw .argument }
    guard let bytes = unsafe PropertyObjects.bytes(list: UnsafeRawPointer(value)) else {
      throw .propertyType
    }
    return .dictionary(bytes)
  }
}

/// Copies all properties of an object, as a dictionary to be released; a deep copy includes its entities and endpoints.
///
/// - Returns: -10842 for no object; -50 for a null pointer.
///
/// Context: control.
@c @implementation
public func MIDIObjectGetProperties(
  _ object: MIDIObjectRef, _ outProperties: UnsafeMutablePointer<CFPropertyListRef?>?, _ deep: Bool
) -> OSStatus {
  status { () throws(MIDIError) in
    guard let out = unsafe outProperties else { throw .argument }
    let system = try MIDISystem.shared()
    if let node = system.setupPath(object).first {
      unsafe out.pointee = PropertyObjects.object(node, isDeep: deep)
    } else {
      unsafe out.pointee = PropertyObjects.object(try system.properties(object))
    }
  }
}

/// Removes a property of an endpoint.
///
/// - Returns: -10842 for no object; -10835 where it is not set; -10844 for names and unique numbers; -50 for null.
///
/// Context: control.
@c @implementation
public func MIDIObjectRemoveProperty(
  _ object: MIDIObjectRef, _ property: CFStringRef?
) -> OSStatus {
  unsafe set(object, property) { nil }
}

/// Finds the object of a unique number, and its type.
///
/// - Returns: -10842 where there is none. Both results may be null.
///
/// Context: control.
@c @implementation
public func MIDIObjectFindByUniqueID(
  _ uniqueID: MIDIUniqueID, _ outObject: UnsafeMutablePointer<MIDIObjectRef>?,
  _ outType: UnsafeMutablePointer<MIDIObjectType>?
) -> OSStatus {
  status { () throws(MIDIError) in
    let found = try MIDISystem.shared().findObject(uniqueID)
    unsafe outObject?.pointee = found.ref
    unsafe outType?.pointee = found.type
  }
}
