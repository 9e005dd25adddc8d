// The thread that notices changes among the endpoints, and reports them.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem
import Synchronization

/// A notice for clients.
package enum MIDINotice: Sendable, Equatable {
  /// After each group of changes.
  case setupChanged
  /// An endpoint came.
  case added(MIDIRef, isSource: Bool)
  /// An endpoint went.
  case removed(MIDIRef, isSource: Bool)
  /// Something was set of an endpoint.
  case property(MIDIRef, isSource: Bool, String)
  /// Connections that pass packets on were made or ended.
  case thruConnectionsChanged
  /// An object of the setup came, went, or has something set.
  case objectAdded(MIDIObject)
  case objectRemoved(MIDIObject)
  case objectProperty(MIDIObject, String)
}

/// An object of a setup and its owner, as clients receive them; types are `MIDIObjectType`s.
package struct MIDIObject: Sendable, Equatable {
  package let ref: MIDIRef
  package let type: Int32
  package let parent: MIDIRef
  package let parentType: Int32

  package init(ref: MIDIRef, type: Int32, parent: MIDIRef, parentType: Int32) {
    self.ref = ref
    self.type = type
    self.parent = parent
    self.parentType = parentType
  }
}

/// One change of an endpoint.
struct EndpointChange {
  enum Kind {
    case added, removed
    case property(String)
  }
  let key: String
  let isSource: Bool
  let kind: Kind

  /// Whether a port may have to be hidden or shown: a new endpoint can be private by now.
  var affectsShowing: Bool {
    switch kind {
    case .added: true
    case .property(let name): name == PropertyName.isPrivate
    case .removed: false
    }
  }

  func notice(_ ref: MIDIRef) -> MIDINotice {
    switch kind {
    case .added: .added(ref, isSource: isSource)
    case .removed: .removed(ref, isSource: isSource)
    case .property(let name): .property(ref, isSource: isSource, name)
    }
  }
}

/// Compares the present endpoints with those of the last notice.
final class PortNotifier: Sendable {
  private let registry: PortRegistry
  private let waker = Waker()
  private let notify: @Sendable ([EndpointChange]) -> Void
  private let announced = Mutex<[EndpointRecord]?>(nil)

  init(_ registry: PortRegistry, _ notify: @escaping @Sendable ([EndpointChange]) -> Void) {
    self.registry = registry
    self.notify = notify
    let waker = waker
    registry.whenChanged { waker.wake() }
  }

  /// Starts the thread, once; present endpoints are known already. Whether it was the first call.
  func start() throws(MIDIError) -> Bool {
    let present = registry.endpoints()
    let starts = announced.withLock { announced -> Bool in
      guard announced == nil else { return false }
      announced = present
      return true
    }
    guard starts else { return false }
    guard let thread = HostSystem.startThread({ [self] in run() }) else { throw .start }
    pthread_detach(thread)
    return true
  }

  private func run() {
    while true {
      var entries = ([waker.reading] + registry.descriptors()).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      // Without notices of the system, the folder is read again and again.
      let limit: Int32 = registry.hasNotices ? -1 : 1000
      unsafe poll(&entries, nfds_t(entries.count), limit)
      waker.clear()
      let present = registry.endpoints()
      let changes = announced.withLock { announced -> [EndpointChange] in
        defer { announced = present }
        return Self.changes(from: announced ?? [], to: present)
      }
      notify(changes)
    }
  }

  private static func changes(
    from old: [EndpointRecord], to new: [EndpointRecord]
  ) -> [EndpointChange] {
    let before = Dictionary(uniqueKeysWithValues: old.map { ($0.key, $0) })
    let after = Set(new.map(\.key))
    var changes = old.filter { !after.contains($0.key) }.map {
      EndpointChange(key: $0.key, isSource: $0.isSource, kind: .removed)
    }
    for record in new {
      guard let earlier = before[record.key] else {
        changes.append(EndpointChange(key: record.key, isSource: record.isSource, kind: .added))
        continue
      }
      let names = Set(earlier.properties.keys).union(record.properties.keys).sorted()
      for name in names where earlier.properties[name] != record.properties[name] {
        changes.append(
          EndpointChange(key: record.key, isSource: record.isSource, kind: .property(name)))
      }
    }
    return changes
  }
}

/// Leaves nothing behind at the end of a process.
enum ProcessEnd {
  private static let systems = Mutex<(systems: [MIDISystem], pid: Int32)>(([], 0))

  /// Removes the endpoints of a system when the process exits.
  static func leave(_ system: MIDISystem) {
    let isFirst = systems.withLock { state in
      state.systems.append(system)
      defer { state.pid = getpid() }
      return state.pid == 0
    }
    if isFirst { atexit { ProcessEnd.run() } }
  }

  private static func run() {
    let (systems, pid) = systems.withLock(\.self)
    // A child that was forked has no endpoints.
    guard pid == getpid() else { return }
    for system in systems {
      system.sender.drain(milliseconds: 5000)
      let keys = system.tables.withLock { $0.own.values.map(\.key) }
      for key in keys { system.registry.folder.remove(key + ".json") }
      system.registry.folder.remove(system.registry.ownProcess)
    }
  }
}
