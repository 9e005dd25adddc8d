// The MIDI objects of a process: clients, ports, endpoints, by number.
// SPDX-License-Identifier: Apache-2.0

import Glibc
package import MIDIMessages
import Synchronization

/// A number of an object; never used twice in a process.
package typealias MIDIRef = UInt32

/// Everything about MIDI in a process. All functions may be called on any thread, also from callbacks.
package final class MIDISystem: Sendable {
  /// A client of the system.
  struct Client {
    var name: String
    var notify: (@Sendable (MIDINotice) -> Void)?
  }

  /// A connection of an input port.
  struct Connection {
    let slot: PortSlot
    let target: PacketTarget
  }

  /// An input or output port.
  struct Port {
    let client: MIDIRef
    var name: String
    let form: MIDIForm
    /// The procedure of an input port, called with packets and a connection's context.
    let deliver: (@Sendable (MIDIEvents, UInt) -> Void)?
    /// By the source's number.
    var connections: [MIDIRef: Connection] = [:]
  }

  /// A virtual endpoint of this process.
  struct OwnEndpoint {
    let client: MIDIRef
    let key: String
    let isSource: Bool
    let form: MIDIForm
    let deliver: (@Sendable (MIDIEvents) -> Void)?
    /// Connections that bring packets to a destination, or those of a source to a receiver.
    var slots: [PortSlot] = []
    var outlets: [PortOutlet] = []
    /// Its port of the sequencer, and the target there that passes a source's output on.
    var port: Int32?
    var mirror: PacketTarget?
  }

  struct Tables {
    var next: MIDIRef = 1
    var clients: [MIDIRef: Client] = [:]
    var ports: [MIDIRef: Port] = [:]
    var own: [MIDIRef: OwnEndpoint] = [:]
    /// Numbers of all endpoints that were ever seen.
    var refs: [String: MIDIRef] = [:]
    var keys: [MIDIRef: String] = [:]
    /// Connections to destinations, by key.
    var outlets: [String: PortOutlet] = [:]
    var isListening = false
    var isExitWatched = false

    mutating func newRef() -> MIDIRef {
      defer { next += 1 }
      return next
    }

    /// The number of an endpoint, made where it is new.
    mutating func ref(of key: String) -> MIDIRef {
      if let ref = refs[key] { return ref }
      let ref = newRef()
      refs[key] = ref
      keys[ref] = key
      return ref
    }
  }

  package let registry: PortRegistry
  let tables = Mutex(Tables())
  let sender = PortSender()
  let longMessages = SysExQueue()
  let thru = ThruConnections()
  let setup = SetupStore()
  /// The devices that clients know of; nil before there are clients.
  private let announcedSetup = Mutex<[SetupNode]?>(nil)
  /// Set once in the initializer.
  private let threads = Mutex<(PortThread, PortNotifier)?>(nil)
  private let bridge = Mutex<SequencerBridge?>(nil)

  /// Over a folder of ports, and a client of the sequencer that has no ports yet.
  package init(_ folder: PortFolder, sequencer door: (any SequencerDoor)? = nil) {
    registry = PortRegistry(folder)
    let thread = PortThread { [unowned self] greeting, descriptor in
      greet(greeting, descriptor)
    }
    let notifier = PortNotifier(registry) { [unowned self] changes in notify(changes) }
    threads.withLock { $0 = (thread, notifier) }
    if let door, let made = SequencerBridge(door, self) {
      bridge.withLock { $0 = made }
      made.start()
    }
  }

  /// The way to the sequencer, where there is one.
  var sequencer: SequencerBridge? { bridge.withLock(\.self) }

  var thread: PortThread {
    get throws(MIDIError) {
      guard let found = threads.withLock({ $0?.0 }) else { throw .unknown }
      return found
    }
  }

  private static let made = Mutex<MIDISystem?>(nil)

  /// The one of this process.
  ///
  /// - Throws: `.start` where the folder of ports cannot be used.
  package static func shared() throws(MIDIError) -> MIDISystem {
    let made = Self.made.withLock { made -> Result<MIDISystem, MIDIError> in
      if let made { return .success(made) }
      do throws(MIDIError) {
        let folder = try PortFolder(path: PortFolder.usualPath)
        let name = program.split(separator: "/").last.map(String.init) ?? "Auricle"
        let system = MIDISystem(folder, sequencer: ALSASequencer(name: name))
        made = system
        return .success(system)
      } catch {
        return .failure(error)
      }
    }
    return try made.get()
  }
}

extension MIDISystem {
  /// Makes a client.
  package func makeClient(
    _ name: String, notify: (@Sendable (MIDINotice) -> Void)?
  ) throws(MIDIError) -> MIDIRef {
    try makeThreads()
    return tables.withLock { tables in
      let ref = tables.newRef()
      tables.clients[ref] = Client(name: name, notify: notify)
      return ref
    }
  }

  /// Starts the threads, once, and the thru connections that were stored.
  func makeThreads() throws(MIDIError) {
    try thread.start()
    guard try threads.withLock(\.self)?.1.start() == true else { return }
    announcedSetup.withLock { $0 = setup.listed }
    thru.reload(self)
  }

  /// Ends a client, with its ports and endpoints.
  package func disposeClient(_ ref: MIDIRef) throws(MIDIError) {
    let found = tables.withLock { tables -> (ports: [MIDIRef], endpoints: [MIDIRef])? in
      guard tables.clients.removeValue(forKey: ref) != nil else { return nil }
      return (
        tables.ports.filter { $0.value.client == ref }.map(\.key),
        tables.own.filter { $0.value.client == ref }.map(\.key)
      )
    }
    guard let found else { throw .client }
    for port in found.ports { try? disposePort(port) }
    for endpoint in found.endpoints { try? disposeEndpoint(endpoint) }
  }

  /// Makes a port; with something to deliver to, an input port.
  package func makePort(
    client: MIDIRef, _ name: String, _ form: MIDIForm = .bytes,
    deliver: (@Sendable (MIDIEvents, UInt) -> Void)? = nil
  ) throws(MIDIError) -> MIDIRef {
    let made = tables.withLock { tables -> MIDIRef? in
      guard tables.clients[client] != nil else { return nil }
      let ref = tables.newRef()
      tables.ports[ref] = Port(client: client, name: name, form: form, deliver: deliver)
      return ref
    }
    guard let made else { throw .client }
    return made
  }

  /// Ends a port. When it returns, the port delivers nothing any more.
  package func disposePort(_ ref: MIDIRef) throws(MIDIError) {
    guard let port = tables.withLock({ $0.ports.removeValue(forKey: ref) }) else { throw .port }
    try thread.end(port.connections.values.map(\.slot))
  }

  /// Makes a virtual source, or with something to deliver to, a virtual destination.
  package func makeEndpoint(
    client: MIDIRef, _ name: String, _ form: MIDIForm,
    deliver: (@Sendable (MIDIEvents) -> Void)? = nil
  ) throws(MIDIError) -> MIDIRef {
    guard let clientName = tables.withLock({ $0.clients[client]?.name }) else { throw .client }
    try listen()
    let isSource = deliver == nil
    let key =
      String(UInt64(getpid()), radix: 36) + "-" + String(UInt64.random(in: 0...(.max)), radix: 36)
    let shown = sequencer?.makePort(name, isSource: isSource)
    let ref = tables.withLock { tables in
      let ref = tables.ref(of: key)
      tables.own[ref] = OwnEndpoint(
        client: client, key: key, isSource: isSource, form: form, deliver: deliver,
        port: shown?.port, mirror: shown?.mirror)
      return ref
    }
    var properties: [String: PropertyValue] = [PropertyName.name: .text(name)]
    if let shown, let sequencer {
      let address = SequencerAddress(sequencer.door.client, shown.port)
      properties[PropertyName.sequencerPort] = .text(address.text)
    }
    let record = EndpointRecord(
      key: key, isSource: isSource, process: registry.ownProcess, pid: Int(getpid()),
      client: clientName, made: Int(HostClock.now), form: form,
      properties: properties)
    let identity = [Self.program, clientName, name, isSource ? "source" : "destination"]
    do throws(MIDIError) {
      try registry.add(record, identity: identity.joined(separator: "\0"))
    } catch {
      tables.withLock { _ = $0.own.removeValue(forKey: ref) }
      if let shown { sequencer?.removePort(shown.port) }
      throw error
    }
    // Others know by now that it is one of Core MIDI's.
    if let shown { sequencer?.show(shown.port, of: ref, isSource: isSource, true) }
    return ref
  }

  private static let program: String = {
    var bytes = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count)
    return String(
      decoding: bytes.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }()

  /// Ends an endpoint of this process.
  package func disposeEndpoint(_ ref: MIDIRef) throws(MIDIError) {
    let own = tables.withLock { tables in
      tables.own[ref]?.client == Self.sequencerClient ? nil : tables.own.removeValue(forKey: ref)
    }
    guard let own else { throw record(ref) == nil ? .endpoint : .notPermitted }
    if let port = own.port { sequencer?.removePort(port) }
    registry.remove(own.key)
    try end(own)
  }

  /// Notifies all clients that thru connections were made or ended.
  func notifyThruChange() {
    let clients = tables.withLock { tables in
      tables.clients.sorted { $0.key < $1.key }.compactMap(\.value.notify)
    }
    for client in clients { client(.thruConnectionsChanged) }
  }

  /// Notifies all clients. Context: the notifier's thread.
  private func notify(_ changes: [EndpointChange]) {
    if changes.contains(where: \.affectsShowing) { updateShowing() }
    sequencer?.listPorts()
    thru.reload(self)
    let setupNotices = reloadSetup()
    guard !changes.isEmpty || !setupNotices.isEmpty else { return }
    let (others, clients) = tables.withLock { tables in
      (
        changes.map { $0.notice(tables.ref(of: $0.key)) },
        tables.clients.sorted { $0.key < $1.key }.compactMap(\.value.notify)
      )
    }
    let notices = setupNotices + others
    for client in clients {
      for notice in notices { client(notice) }
      client(.setupChanged)
    }
  }

  /// Reads the setup again; returns the notices for clients.
  private func reloadSetup() -> [MIDINotice] {
    setup.reread()
    let now = setup.listed
    let changes = announcedSetup.withLock { announced -> [SetupChange] in
      defer { announced = now }
      return announced == now ? [] : SetupStore.changes(from: announced ?? [], to: now)
    }
    return notices(changes)
  }
}
