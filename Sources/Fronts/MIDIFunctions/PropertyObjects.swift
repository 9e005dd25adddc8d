// Values of properties as objects of Core Foundation, and back.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import MIDIPorts

/// Makes objects for a caller to release. Context: control.
enum PropertyObjects {
  static func data(_ bytes: [UInt8]) -> CFDataRef? { unsafe CFDataCreate(nil, bytes, bytes.count) }

  static func bytes(_ data: CFDataRef) -> [UInt8] {
    let count = unsafe CFDataGetLength(data)
    return unsafe Array(UnsafeBufferPointer(start: CFDataGetBytePtr(data), count: count))
  }

  /// The property list that bytes hold.
  static func list(_ bytes: [UInt8]) -> UnsafeRawPointer? {
    guard let data = unsafe data(bytes) else { return nil }
    defer { unsafe CFRelease(UnsafeRawPointer(data)) }
    return unsafe CFPropertyListCreateWithData(nil, data, 0, nil, nil)
  }

  /// A property list as bytes; nil for another object.
  static func bytes(list: UnsafeRawPointer) -> [UInt8]? {
    guard unsafe CFPropertyListIsValid(list, kCFPropertyListBinaryFormat_v1_0),
      let data = unsafe CFPropertyListCreateData(
        nil, list, kCFPropertyListBinaryFormat_v1_0, 0, nil)
    else { return nil }
    defer { unsafe CFRelease(UnsafeRawPointer(data)) }
    return unsafe bytes(data)
  }

  static func object(_ value: PropertyValue) -> UnsafeRawPointer? {
    switch value {
    case .integer(var number):
      return unsafe UnsafeRawPointer(CFNumberCreate(nil, kCFNumberSInt32Type, &number))
    case .text(let text): return unsafe UnsafeRawPointer(makeCFString(text))
    case .data(let bytes): return unsafe UnsafeRawPointer(data(bytes))
    case .dictionary(let bytes): return unsafe list(bytes)
    }
  }

  /// Properties as a dictionary.
  static func object(
    _ properties: [String: PropertyValue], and more: [String: UnsafeRawPointer?] = unsafe [:]
  ) -> UnsafeRawPointer? {
    var entries = unsafe properties.mapValues { unsafe object($0) }
    unsafe entries.merge(more) { unsafe $1 }
    return unsafe makeCFDictionary(takingOver: entries).map { unsafe UnsafeRawPointer($0) }
  }

  /// The properties of an object of a setup; where it is deep, with arrays of its parts.
  static func object(_ node: SetupNode, isDeep: Bool) -> UnsafeRawPointer? {
    guard isDeep else { return unsafe object(node.properties) }
    let kinds: [(SetupKind, String)] = [
      (.entity, "entities"), (.source, "sources"), (.destination, "destinations"),
    ]
    var more: [String: UnsafeRawPointer?] = unsafe [:]
    for (kind, name) in kinds {
      let found = node.children.filter { $0.kind == kind }
      guard !found.isEmpty else { continue }
      let list = unsafe makeCFArray(takingOver: found.map { unsafe object($0, isDeep: true) })
      unsafe more[name] = unsafe list.map { unsafe UnsafeRawPointer($0) }
    }
    return unsafe object(node.properties, and: more)
  }
}
