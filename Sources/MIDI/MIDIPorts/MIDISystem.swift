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
    /// Of an input port: what is called with packets and a connection's context.
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
    /// Connections that bring packets to a destination, or take those of a source.
    var slots: [PortSlot] = []
    var outlets: [PortOutlet] = []
  }

  struct Tables {
    var next: MIDIRef = 1
    var clients: [MIDIRef: Client] = [:]
    var ports: [MIDIRef: Port] = [:]
    var own: [MIDIRef: OwnEndpoint] = [:]
    /// Of all endpoints that were ever seen.
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
  private let toldSetup = Mutex<[SetupNode]?>(nil)
  /// Set once in the initializer.
  private let threads = Mutex<(PortThread, PortNotifier)?>(nil)

  /// Over a folder of ports.
  package init(_ folder: PortFolder) {
    registry = PortRegistry(folder)
    let thread = PortThread { [unowned self] greeting, descriptor in
      greet(greeting, descriptor)
    }
    let notifier = PortNotifier(registry) { [unowned self] changes in tell(changes) }
    threads.withLock { $0 = (thread, notifier) }
  }

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
        let system = MIDISystem(try PortFolder(path: PortFolder.usualPath))
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

  /// Starts the threads, once, and what is kept of thru connections.
  func makeThreads() throws(MIDIError) {
    try thread.start()
    guard try threads.withLock(\.self)?.1.start() == true else { return }
    toldSetup.withLock { $0 = setup.kept }
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
    let ref = tables.withLock { tables in
      let ref = tables.ref(of: key)
      tables.own[ref] = OwnEndpoint(
        client: client, key: key, isSource: isSource, form: form, deliver: deliver)
      return ref
    }
    let record = EndpointRecord(
      key: key, isSource: isSource, process: registry.ownProcess, pid: Int(getpid()),
      client: clientName, made: Int(HostClock.now), form: form,
      properties: [PropertyName.name: .text(name)])
    let identity = [Self.program, clientName, name, isSource ? "source" : "destination"]
    do throws(MIDIError) {
      try registry.add(record, identity: identity.joined(separator: "\0"))
    } catch {
      tables.withLock { _ = $0.own.removeValue(forKey: ref) }
      throw error
    }
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
    let (own, isKnown) = tables.withLock { ($0.own.removeValue(forKey: ref), $0.keys[ref]) }
    guard let own else {
      throw isKnown.flatMap(registry.endpoint) == nil ? .endpoint : .notPermitted
    }
    registry.remove(own.key)
    for outlet in own.outlets { sender.end(outlet) }
    try thread.end(own.slots)
  }

  /// Opens this process's socket, once.
  private func listen() throws(MIDIError) {
    let (isNew, watchesExit) = tables.withLock { tables in
      defer { (tables.isListening, tables.isExitWatched) = (true, true) }
      return (!tables.isListening, !tables.isExitWatched)
    }
    guard isNew else { return }
    guard let made = PortSocket.listen(registry.folder.descriptor, registry.ownProcess) else {
      tables.withLock { $0.isListening = false }
      throw .start
    }
    try thread.listen(made)
    if watchesExit { ProcessEnd.leave(self) }
  }

  /// Gives a connection its duty. Context: the thread, and those who send.
  private func greet(_ greeting: Greeting, _ descriptor: Int32) -> PortSlot? {
    switch greeting {
    case .watch: return PortSlot(descriptor, .held)
    case .send(let key):
      return tables.withLock { tables in
        guard let ref = tables.refs[key], let own = tables.own[ref], let deliver = own.deliver
        else { return nil }
        let slot = PortSlot(descriptor, .packets(PacketTarget(own.form, deliver))) {
          [unowned self] in forget(descriptor, of: ref)
        }
        tables.own[ref]?.slots.append(slot)
        return slot
      }
    case .receive(let key):
      return tables.withLock { tables in
        guard let ref = tables.refs[key], tables.own[ref]?.isSource == true else { return nil }
        let outlet = PortOutlet(descriptor)
        let slot = PortSlot(descriptor, .held) { [unowned self] in
          sender.end(outlet)
          forget(descriptor, of: ref)
        }
        tables.own[ref]?.slots.append(slot)
        tables.own[ref]?.outlets.append(outlet)
        return slot
      }
    }
  }

  private func forget(_ descriptor: Int32, of ref: MIDIRef) {
    tables.withLock { tables in
      tables.own[ref]?.slots.removeAll { $0.descriptor == descriptor }
      tables.own[ref]?.outlets.removeAll { $0.descriptor == descriptor }
    }
  }

  /// Tells all clients that thru connections were made or ended.
  func tellThruChange() {
    let clients = tables.withLock { tables in
      tables.clients.sorted { $0.key < $1.key }.compactMap(\.value.notify)
    }
    for client in clients { client(.thruConnectionsChanged) }
  }

  /// Tells all clients. Context: the notifier's thread.
  private func tell(_ changes: [EndpointChange]) {
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

  /// Reads the setup again; what clients are told of it.
  private func reloadSetup() -> [MIDINotice] {
    setup.reread()
    let now = setup.kept
    let changes = toldSetup.withLock { told -> [SetupChange] in
      defer { told = now }
      return told == now ? [] : SetupStore.changes(from: told ?? [], to: now)
    }
    return notices(changes)
  }
}
