// Devices, entities and their endpoints as objects of the system.
// SPDX-License-Identifier: Apache-2.0

import HostSystem
import Synchronization

extension MIDISystem {
  /// The object of a setup and all above it; empty for anything else.
  package func setupPath(_ ref: MIDIRef) -> [SetupNode] {
    tables.withLock { $0.keys[ref] }.map(setup.path) ?? []
  }

  private func node(_ ref: MIDIRef, _ kind: SetupKind) throws(MIDIError) -> SetupNode {
    guard let found = setupPath(ref).first, found.kind == kind else { throw .object }
    return found
  }

  /// The number of an object of a setup.
  package func ref(of node: SetupNode) -> MIDIRef {
    tables.withLock { $0.ref(of: node.key) }
  }

  /// The devices of the lists: those at the ends of cables, or the others.
  package func devices(areExternal: Bool) -> [MIDIRef] {
    let kept = setup.kept.filter { $0.isExternal == areExternal && !$0.isPrivate }
    return ((areExternal ? [] : [SetupStore.bus]) + kept + (areExternal ? [] : setup.present)).map(
      ref)
  }

  /// The parts of an object: entities of a device, endpoints of an entity.
  package func children(_ ref: MIDIRef, _ kind: SetupKind) -> [MIDIRef] {
    (setupPath(ref).first?.children ?? []).filter { $0.kind == kind }.map(self.ref)
  }

  /// The object that an entity or an endpoint belongs to.
  ///
  /// - Throws: `.object` for an object of another kind, or one without an owner.
  package func parent(_ ref: MIDIRef, _ kind: SetupKind) throws(MIDIError) -> MIDIRef {
    let path = setupPath(ref)
    guard path.count > 1, path[1].kind == kind else { throw .object }
    return self.ref(of: path[1])
  }

  /// Makes a device, which no list has yet.
  package func makeDevice(_ name: String, _ manufacturer: String, _ model: String) -> MIDIRef {
    var device = SetupNode(.device, name: name)
    device.properties["manufacturer"] = .text(manufacturer)
    device.properties["model"] = .text(model)
    setup.add(device)
    return ref(of: device)
  }

  /// Ends a device that no list has.
  package func discardDevice(_ ref: MIDIRef) throws(MIDIError) {
    try setup.discard(try node(ref, .device).key)
  }

  /// Adds a device to the lists, or removes it.
  package func list(_ ref: MIDIRef, isExternal: Bool, _ isListed: Bool) throws(MIDIError) {
    try makeThreads()
    let device = try node(ref, .device)
    if isListed {
      try setup.list(device.key, isExternal: isExternal, registry.folder)
    } else {
      try setup.unlist(device.key, isExternal: isExternal, registry.folder)
    }
  }

  /// Adds an entity to a device.
  package func makeEntity(
    _ device: MIDIRef, _ name: String, protocolID: Int32?, isEmbedded: Bool, sources: Int,
    destinations: Int
  ) throws(MIDIError) -> MIDIRef {
    let owner = try node(device, .device)
    guard Self.counts.contains(sources), Self.counts.contains(destinations) else {
      throw .argument
    }
    var entity = SetupNode(.entity, name: name, isExternal: owner.isExternal)
    entity.properties["embedded"] = .integer(isEmbedded ? 1 : 0)
    if let protocolID { entity.properties[PropertyName.protocolID] = .integer(protocolID) }
    entity.setCount(.source, sources, protocolID)
    entity.setCount(.destination, destinations, protocolID)
    try setup.change(owner.key, registry.folder) { $0.children.append(entity) }
    return ref(of: entity)
  }

  /// The number of endpoints of a kind that an entity may have.
  private static let counts = 0...1024

  /// Removes an entity of a device.
  package func removeEntity(_ device: MIDIRef, _ entity: MIDIRef) throws(MIDIError) {
    let (owner, gone) = (try node(device, .device), try node(entity, .entity))
    try setup.change(owner.key, registry.folder) { owner throws(MIDIError) in
      guard owner.children.contains(where: { $0.key == gone.key }) else { throw .object }
      owner.children.removeAll { $0.key == gone.key }
    }
  }

  /// Brings an entity to so many endpoints.
  package func setCounts(
    _ entity: MIDIRef, sources: Int, destinations: Int
  ) throws(MIDIError) {
    guard Self.counts.contains(sources), Self.counts.contains(destinations) else {
      throw .argument
    }
    try setup.change(try node(entity, .entity).key, registry.folder) { entity in
      entity.setCount(.source, sources, nil)
      entity.setCount(.destination, destinations, nil)
    }
  }

  /// A property of an object of a setup: its own, then that of its owners.
  func setupProperty(_ path: [SetupNode], _ name: String) -> PropertyValue? {
    guard !path.isEmpty else { return nil }
    if name == PropertyName.displayName { return .text(displayName(path)) }
    if let found = path.lazy.compactMap({ $0.properties[name] }).first { return found }
    switch name {
    // Nothing drives them: they are described, and not there.
    case PropertyName.offline: return .integer(1)
    case PropertyName.isPrivate: return .integer(0)
    case PropertyName.maxSysExSpeed: return .integer(3125)
    default: return nil
    }
  }

  /// Returns the names of device and endpoint, without their common beginning.
  private func displayName(_ path: [SetupNode]) -> String {
    func name(_ node: SetupNode) -> String {
      if case .text(let text)? = node.properties[PropertyName.name] { return text }
      return ""
    }
    guard let first = path.first, let last = path.last else { return "" }
    let (own, above) = (name(first), name(last))
    return path.count < 2 || own.hasPrefix(above) ? own : "\(above) \(own)"
  }

  /// Sets a property of an object of a setup; nil removes it.
  func setSetupProperty(
    _ node: SetupNode, _ name: String, _ value: PropertyValue?
  ) throws(MIDIError) {
    if name == PropertyName.uniqueID, let value {
      guard case .integer(let number) = value else { throw .propertyType }
      guard number != 0 else { throw .argument }
      let others = setup.all.filter { $0.key != node.key }.map(\.uniqueID)
      guard !others.contains(number), (try? find(number)) == nil else { throw .notUnique }
    }
    try setup.change(node.key, registry.folder) { node throws(MIDIError) in
      guard value != nil || node.properties[name] != nil else { throw .property }
      node.properties[name] = value
    }
  }

  /// The object of a unique number, and its `MIDIObjectType`.
  package func findObject(_ uniqueID: Int32) throws(MIDIError) -> (ref: MIDIRef, type: Int32) {
    if let found = try? find(uniqueID) {
      return (found.ref, (found.isSource ? SetupKind.source : .destination).rawValue)
    }
    guard uniqueID != 0, let node = setup.all.first(where: { $0.uniqueID == uniqueID }) else {
      throw .object
    }
    return (ref(of: node), Self.type(node))
  }

  /// Returns Core MIDI's number for the kind of an object.
  package static func type(_ node: SetupNode) -> Int32 {
    node.kind.rawValue | (node.isExternal ? 16 : 0)
  }

  /// The notices for clients of changes of the setup.
  func notices(_ changes: [SetupChange]) -> [MIDINotice] {
    changes.map { change in
      let parent: (ref: MIDIRef, type: Int32) =
        change.path.count > 1 ? (ref(of: change.path[1]), Self.type(change.path[1])) : (0, -1)
      let object = MIDIObject(
        ref: ref(of: change.path[0]), type: Self.type(change.path[0]), parent: parent.ref,
        parentType: parent.type)
      switch change.kind {
      case .added: return .objectAdded(object)
      case .removed: return .objectRemoved(object)
      case .property(let name): return .objectProperty(object, name)
      }
    }
  }

  /// The devices of the user as bytes.
  package var setupBytes: [UInt8] { SetupStore.bytes(setup.kept) }

  /// Whether bytes describe devices.
  package static func isSetup(_ bytes: [UInt8]) -> Bool { SetupStore.nodes(bytes) != nil }

  /// Replaces the devices of the user.
  ///
  /// - Throws: `.setupFormat` for bytes without a setup.
  package func install(_ bytes: [UInt8]) throws(MIDIError) {
    guard let nodes = SetupStore.nodes(bytes) else { throw .setupFormat }
    try makeThreads()
    try setup.replace(registry.folder) { $0 = nodes }
  }
}

extension SetupNode {
  fileprivate var isPrivate: Bool { properties[PropertyName.isPrivate] == .integer(1) }
}
