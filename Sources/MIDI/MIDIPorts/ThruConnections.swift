// Connections that pass messages on without a program's doing: this process's, and stored ones.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem
import MIDIMessages
import Synchronization

/// Thru connections. Those without an owner end with the process. Those with one are kept in a file; of the processes that
/// have clients, one at a time does their work.
final class ThruConnections: Sendable {
  private struct Connection {
    /// The name in the file, and the owner, of a connection that is stored.
    var kept: (id: String, owner: String)?
    var parameters: ThruParameters
    var port: MIDIRef?
  }
  private struct State {
    var connections: [MIDIRef: Connection] = [:]
    /// The lock of the process that does the work of the kept ones.
    var lock: Int32 = -1
    var client: MIDIRef?
  }
  private let state = Mutex(State())
  /// One change at a time.
  private let changing = Mutex(())
  private static let fileName = "connections"

  init() {}

  private static func keptPath() -> String? {
    UserFolder.configuration("midi-connections.json")
  }

  /// Makes a connection.
  func make(
    _ owner: String?, _ parameters: ThruParameters, _ system: MIDISystem
  ) throws(MIDIError) -> MIDIRef {
    let completed = try complete(parameters, system)
    if let owner {
      let id = String(UInt64.random(in: 0...(.max)), radix: 36)
      try change(system) { $0.append((id, owner, completed)) }
      reload(system)
      let found = state.withLock { $0.connections.first { $0.value.kept?.id == id }?.key }
      guard let found else { throw .unknown }
      return found
    }
    let ref = system.tables.withLock { $0.newRef() }
    state.withLock { $0.connections[ref] = Connection(kept: nil, parameters: completed) }
    changing.withLock { _ in connect(ref, system) }
    system.notifyThruChange()
    return ref
  }

  /// Parameters with both numbers of every end.
  private func complete(
    _ parameters: ThruParameters, _ system: MIDISystem
  ) throws(MIDIError) -> ThruParameters {
    func filled(_ ends: [ThruParameters.End], _ isSource: Bool)
      throws(MIDIError) -> [ThruParameters.End]
    {
      var all: [ThruParameters.End] = []
      for end in ends {
        if end.ref != 0 {
          guard let record = system.record(end.ref) else { throw .endpoint }
          guard record.isSource == isSource else { throw .endpointType }
          all.append(ThruParameters.End(ref: end.ref, uniqueID: record.uniqueID))
        } else {
          // It may come later.
          guard end.uniqueID != 0 else { throw .endpoint }
          let found = try? system.find(end.uniqueID)
          all.append(ThruParameters.End(ref: found?.ref ?? 0, uniqueID: end.uniqueID))
        }
      }
      return all
    }
    var parameters = parameters
    parameters.sources = try filled(parameters.sources, true)
    parameters.destinations = try filled(parameters.destinations, false)
    return parameters
  }

  /// Ends a connection.
  func dispose(_ ref: MIDIRef, _ system: MIDISystem) throws(MIDIError) {
    guard let old = state.withLock({ $0.connections[ref] }) else { throw .object }
    if let kept = old.kept {
      try change(system) { list in list.removeAll { $0.id == kept.id } }
      return reload(system)
    }
    state.withLock { _ = $0.connections.removeValue(forKey: ref) }
    if let port = old.port { try? system.disposePort(port) }
    system.notifyThruChange()
  }

  /// The parameters of a connection, with the numbers that its ends have now.
  func parameters(_ ref: MIDIRef, _ system: MIDISystem) throws(MIDIError) -> ThruParameters {
    reload(system)
    guard let found = state.withLock({ $0.connections[ref] }) else { throw .object }
    return found.parameters
  }

  /// Sets a connection anew.
  func set(_ ref: MIDIRef, _ parameters: ThruParameters, _ system: MIDISystem) throws(MIDIError) {
    let completed = try complete(parameters, system)
    guard let old = state.withLock({ $0.connections[ref] }) else { throw .object }
    if let kept = old.kept {
      try change(system) { list in
        for index in list.indices where list[index].id == kept.id { list[index].2 = completed }
      }
      return reload(system)
    }
    state.withLock { $0.connections[ref]?.parameters = completed }
    changing.withLock { _ in connect(ref, system) }
    system.notifyThruChange()
  }

  /// The connections of an owner, in the order in which they were made.
  func find(_ owner: String, _ system: MIDISystem) -> [MIDIRef] {
    reload(system)
    return state.withLock { state in
      state.connections.filter { $0.value.kept?.owner == owner }.keys.sorted()
    }
  }

  typealias Kept = (id: String, owner: String, ThruParameters)

  private func readKept() -> [Kept] {
    guard let path = Self.keptPath(), let file = FileDescriptor(ifReadable: path),
      let bytes = FileTransfer.readAll(file.number, limit: 1 << 24), let json = JSONValue(bytes)
    else { return [] }
    return (json.elements ?? []).compactMap { element in
      guard let id = element["id"]?.text, let owner = element["owner"]?.text,
        case .data(let bytes)? = element["parameters"].flatMap({ PropertyValue(json: $0) }),
        let parameters = try? ThruParameters(bytes)
      else { return nil }
      return (id, owner, parameters)
    }
  }

  /// Changes the file of stored connections.
  private func change(_ system: MIDISystem, _ body: (inout [Kept]) -> Void) throws(MIDIError) {
    guard let path = Self.keptPath() else { throw .start }
    try system.registry.folder.locked { () throws(MIDIError) in
      var list = readKept()
      body(&list)
      let json = JSONValue.array(
        list.map { kept in
          var parameters = kept.2
          // Numbers of one process say nothing to another.
          parameters.sources = parameters.sources.map { .init(ref: 0, uniqueID: $0.uniqueID) }
          parameters.destinations = parameters.destinations.map {
            .init(ref: 0, uniqueID: $0.uniqueID)
          }
          return .members([
            ("id", .string(kept.id)), ("owner", .string(kept.owner)),
            ("parameters", PropertyValue.data(parameters.bytes).json),
          ])
        })
      do {
        try FolderMaker.make(Path.folder(of: path))
        let file = try AtomicFile(path: path, overwrite: true)
        let failure = FileTransfer.writeAll(Array(json.indentedText.utf8), to: file.descriptor)
        guard failure == 0 else { throw MIDIError.start }
        try file.commit()
      } catch {
        throw .start
      }
      // Other processes notice this file.
      try system.registry.folder.write(Self.fileName, [])
    }
  }

  /// Adopts the present content of the file, and connects new objects. Context: control, and the
  /// notifier's thread.
  func reload(_ system: MIDISystem) {
    let isChanged = changing.withLock { _ -> Bool in
      let kept = readKept()
      let (gone, touched) = merge(kept, system)
      for port in gone { try? system.disposePort(port) }
      if !kept.isEmpty { lead(system) }
      for ref in state.withLock({ Array($0.connections.keys) }) { connect(ref, system) }
      return touched
    }
    if isChanged { system.notifyThruChange() }
  }

  /// Brings the table to the stored connections: returns ports without a use, and whether anything
  /// changed.
  private func merge(_ kept: [Kept], _ system: MIDISystem) -> ([MIDIRef], Bool) {
    state.withLock { state in
      var gone: [MIDIRef] = []
      var isChanged = false
      for (ref, connection) in state.connections {
        guard let id = connection.kept?.id, !kept.contains(where: { $0.id == id }) else { continue }
        if let port = connection.port { gone.append(port) }
        state.connections[ref] = nil
        isChanged = true
      }
      for (id, owner, parameters) in kept {
        let known = state.connections.first { $0.value.kept?.id == id }?.key
        let ref = known ?? system.tables.withLock { $0.newRef() }
        let new = (try? complete(parameters, system)) ?? parameters
        if state.connections[ref]?.parameters != new { isChanged = true }
        state.connections[ref, default: Connection(kept: (id, owner), parameters: new)].parameters =
          new
      }
      return (gone, isChanged)
    }
  }

  /// Tries to be the process that does the work of the kept ones.
  private func lead(_ system: MIDISystem) {
    state.withLock { state in
      guard state.lock < 0 else { return }
      let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
      let lock = unsafe openat(system.registry.folder.descriptor, ".connections", flags, 0o600)
      guard lock >= 0 else { return }
      if flock(lock, LOCK_EX | LOCK_NB) == 0 { state.lock = lock } else { close(lock) }
    }
  }
}

extension ThruConnections {
  /// Connects a connection's sources that are there and are not connected. Only under `changing`.
  private func connect(_ ref: MIDIRef, _ system: MIDISystem) {
    let (connection, isLeader) = state.withLock { ($0.connections[ref], $0.lock >= 0) }
    guard let connection, connection.kept == nil || isLeader,
      let port = connection.port ?? makePort(ref, system)
    else { return }
    let wanted = Set(
      connection.parameters.sources.compactMap { (try? system.find($0.uniqueID))?.ref })
    let present = system.tables.withLock { Set(($0.ports[port]?.connections ?? [:]).keys) }
    for source in present.subtracting(wanted) { try? system.disconnect(port, source) }
    for source in wanted.subtracting(present) { try? system.connect(port, source, context: 0) }
  }

  private func makePort(_ ref: MIDIRef, _ system: MIDISystem) -> MIDIRef? {
    let known = state.withLock { $0.client }
    guard let client = known ?? (try? system.makeClient("thru", notify: nil)) else { return nil }
    let port = try? system.makePort(client: client, "thru", .universal1) {
      [unowned self, unowned system] events, _ in pass(events, ref, system)
    }
    state.withLock { state in
      state.client = client
      state.connections[ref]?.port = port
    }
    return port
  }

  /// Context: the thread of the ports.
  private func pass(_ events: MIDIEvents, _ ref: MIDIRef, _ system: MIDISystem) {
    guard case .words(_, let packets) = events,
      let parameters = state.withLock({ $0.connections[ref]?.parameters })
    else { return }
    let passed = packets.flatMap { packet in
      UniversalWords.packets(
        packet.time, parameters.words(UniversalWords.messages(packet.words)))
    }
    guard !passed.isEmpty else { return }
    for end in parameters.destinations {
      guard let found = try? system.find(end.uniqueID), !found.isSource else { continue }
      try? system.send(to: found.ref, .words(.universal1, passed))
    }
  }
}

extension MIDISystem {
  /// Makes a thru connection; with an owner, one that is kept until it is disposed.
  package func makeThru(_ owner: String?, _ parameters: ThruParameters) throws(MIDIError) -> MIDIRef
  {
    try makeThreads()
    return try thru.make(owner, parameters, self)
  }

  /// Ends a thru connection.
  package func disposeThru(_ ref: MIDIRef) throws(MIDIError) { try thru.dispose(ref, self) }

  /// The parameters of a thru connection.
  package func thruParameters(_ ref: MIDIRef) throws(MIDIError) -> ThruParameters {
    try thru.parameters(ref, self)
  }

  /// Sets the parameters of a thru connection.
  package func setThru(_ ref: MIDIRef, _ parameters: ThruParameters) throws(MIDIError) {
    try thru.set(ref, parameters, self)
  }

  /// The thru connections of an owner.
  package func findThru(_ owner: String) -> [MIDIRef] { thru.find(owner, self) }
}
