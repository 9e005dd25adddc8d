// The lists of endpoints, and the properties of objects.
// SPDX-License-Identifier: Apache-2.0

import MIDIMessages
import Synchronization

extension MIDISystem {
  /// The sources or destinations of all processes, without private ones, in the order in which they were made.
  package func endpoints(areSources: Bool) -> [MIDIRef] {
    let found = registry.endpoints().filter { $0.isSource == areSources && !$0.isPrivate }
    return tables.withLock { tables in found.map { tables.ref(of: $0.key) } }
  }

  /// The endpoint of a number; nil for anything else, and for one that is gone.
  package func record(_ ref: MIDIRef) -> EndpointRecord? {
    tables.withLock { $0.keys[ref] }.flatMap(registry.endpoint)
  }

  /// The endpoint of a unique number.
  package func find(_ uniqueID: Int32) throws(MIDIError) -> (ref: MIDIRef, isSource: Bool) {
    guard uniqueID != 0, let found = registry.endpoints().first(where: { $0.uniqueID == uniqueID })
    else { throw .object }
    return (tables.withLock { $0.ref(of: found.key) }, found.isSource)
  }

  /// The properties that an object was set to.
  package func properties(_ ref: MIDIRef) throws(MIDIError) -> [String: PropertyValue] {
    if let record = record(ref) {
      let spoken: Int32 = record.form == .universal2 ? 2 : 1
      var all: [String: PropertyValue] = [
        PropertyName.offline: .integer(0), PropertyName.isPrivate: .integer(0),
        PropertyName.scheduleAhead: .integer(0), PropertyName.maxSysExSpeed: .integer(3125),
        PropertyName.protocolID: .integer(spoken),
        PropertyName.displayName: .text(record.name),
      ]
      all.merge(record.properties) { $1 }
      return all
    }
    let name = tables.withLock { $0.clients[ref]?.name ?? $0.ports[ref]?.name }
    guard let name else { throw .object }
    return [PropertyName.name: .text(name)]
  }

  /// One property of an object.
  package func property(_ ref: MIDIRef, _ name: String) throws(MIDIError) -> PropertyValue {
    let path = setupPath(ref)
    // Properties that an existing endpoint lacks come from its device.
    let isPresent = record(ref) != nil && name != PropertyName.displayName
    let own = path.isEmpty || isPresent ? try properties(ref)[name] : nil
    guard let value = own ?? setupProperty(path, name) else { throw .property }
    return value
  }

  /// Sets a property of an endpoint of any process; nil removes it.
  ///
  /// - Throws: `.notUnique` for another object's unique number; `.propertyType` for a wrong type.
  ///   `.property` where there is nothing to remove; `.notPermitted` for a property of the
  ///   system's.
  package func setProperty(
    _ ref: MIDIRef, _ name: String, _ value: PropertyValue?
  ) throws(MIDIError) {
    let isFixed = name == PropertyName.displayName || name == PropertyName.protocolID
    let isKept = name == PropertyName.name || name == PropertyName.uniqueID
    if record(ref) == nil, let node = setupPath(ref).first {
      if isFixed || (isKept && value == nil) { throw .notPermitted }
      return try setSetupProperty(node, name, value)
    }
    guard let key = record(ref)?.key else {
      let isOther = tables.withLock { $0.clients[ref] != nil || $0.ports[ref] != nil }
      throw isOther ? .notPermitted : .object
    }
    if isFixed || (isKept && value == nil) { throw .notPermitted }
    let described: Set<Int32> =
      name == PropertyName.uniqueID ? Set(setup.all.map(\.uniqueID)) : []
    try registry.change(key) { (record, others) throws(MIDIError) in
      switch (name, value) {
      case (PropertyName.uniqueID, .integer(let number)?):
        guard number != 0 else { throw .argument }
        guard !described.contains(number), !others.contains(where: { $0.uniqueID == number })
        else { throw .notUnique }
      case (PropertyName.uniqueID, _): throw .propertyType
      case (PropertyName.name, .text(_)?): break
      case (PropertyName.name, _): throw .propertyType
      case (_, nil): guard record.properties[name] != nil else { throw .property }
      default: break
      }
      record.properties[name] = value
    }
  }
}
