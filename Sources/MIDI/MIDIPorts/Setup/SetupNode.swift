// A device, an entity or an endpoint of a device that a program described.
// SPDX-License-Identifier: Apache-2.0

import HostSystem

/// The kind of an object of a setup; the numbers are those of `MIDIObjectType`.
package enum SetupKind: Int32, Sendable {
  case device = 0
  case entity = 1
  case source = 2
  case destination = 3
}

/// An object of a setup, with its children.
package struct SetupNode: Sendable, Equatable {
  /// Its name in the file, the same for its whole life.
  package let key: String
  package let kind: SetupKind
  /// Whether a device is at the end of a cable.
  package var isExternal: Bool
  package var properties: [String: PropertyValue]
  /// Entities of a device, endpoints of an entity.
  package var children: [SetupNode]

  /// A new one.
  init(_ kind: SetupKind, name: String, isExternal: Bool = true) {
    key = "object-" + String(UInt64.random(in: 0...(.max)), radix: 36)
    self.kind = kind
    self.isExternal = isExternal
    children = []
    // Zero is no number.
    let number = Int32.random(in: 1...(.max))
    properties = [
      PropertyName.name: .text(name), PropertyName.uniqueID: .integer(number),
    ]
  }

  /// Makes an object that represents present hardware, under a name that it has in every run.
  init(key: String, _ kind: SetupKind, properties: [String: PropertyValue]) {
    self.key = key
    self.kind = kind
    self.properties = properties
    isExternal = false
    children = []
  }

  /// The number under which it is found.
  package var uniqueID: Int32 {
    if case .integer(let value)? = properties[PropertyName.uniqueID] { return value }
    return 0
  }

  /// This, and all below.
  var all: [SetupNode] { [self] + children.flatMap(\.all) }

  /// The way to an object: it, and all above it; empty where it is not here.
  func path(to key: String) -> [SetupNode] {
    if self.key == key { return [self] }
    for child in children {
      let found = child.path(to: key)
      if !found.isEmpty { return found + [self] }
    }
    return []
  }

  /// Changes an object below; whether it is there.
  mutating func change<Failure>(
    _ key: String, _ body: (inout SetupNode) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    if self.key == key {
      try body(&self)
      return true
    }
    for index in children.indices where try children[index].change(key, body) { return true }
    return false
  }

  /// Sets for an object, and all below, whether it is at the end of a cable.
  mutating func setExternal(_ isExternal: Bool) {
    self.isExternal = isExternal
    for index in children.indices { children[index].setExternal(isExternal) }
  }

  /// Adds endpoints of a kind, or removes the last ones, until there are so many.
  mutating func setCount(_ kind: SetupKind, _ count: Int, _ form: Int32?) {
    let present = children.filter { $0.kind == kind }
    for gone in present.dropFirst(count) { children.removeAll { $0.key == gone.key } }
    guard present.count < count else { return }
    for number in present.count..<count {
      guard case .text(let name)? = properties[PropertyName.name] else { return }
      var node = SetupNode(kind, name: count > 1 ? "\(name) \(number + 1)" : name)
      node.isExternal = isExternal
      if let form { node.properties[PropertyName.protocolID] = .integer(form) }
      children.append(node)
    }
  }
}

extension SetupNode {
  /// The content of the file.
  var json: JSONValue {
    .members([
      ("key", .string(key)), ("kind", JSONValue(Int(kind.rawValue))),
      ("external", .boolean(isExternal)),
      (
        "properties",
        .object(
          properties.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value.json) })
      ), ("children", .array(children.map(\.json))),
    ])
  }

  /// Reads the content of a file; nil for another content, or levels that do not exist.
  init?(json: JSONValue, in parent: SetupKind? = nil) {
    guard let key = json["key"]?.text, let number = json["kind"]?.integer,
      let kind = Int32(exactly: number).flatMap(SetupKind.init), Self.fits(kind, in: parent),
      let members = json["properties"]?.members
    else { return nil }
    self.key = key
    self.kind = kind
    isExternal = json["external"]?.boolean ?? true
    properties = [:]
    for member in members { properties[member.key] = PropertyValue(json: member.value) }
    children = (json["children"]?.elements ?? []).compactMap { SetupNode(json: $0, in: kind) }
  }

  private static func fits(_ kind: SetupKind, in parent: SetupKind?) -> Bool {
    switch kind {
    case .device: parent == nil
    case .entity: parent == .device
    case .source, .destination: parent == .entity
    }
  }
}
