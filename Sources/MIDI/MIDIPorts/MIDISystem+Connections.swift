// The connections to the endpoints of this process.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

extension MIDISystem {
  /// Opens this process's socket, once.
  func listen() throws(MIDIError) {
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

  /// Assigns a connection its duty. Context: the thread, and senders.
  func greet(_ greeting: Greeting, _ descriptor: Int32) -> PortSlot? {
    let slot = duty(of: greeting, descriptor)
    if case .receive(let key) = greeting, slot != nil { updateConnection(of: key) }
    return slot
  }

  /// Connects a port of the sequencer while its endpoint is connected.
  private func updateConnection(of key: String) {
    guard let sequencer, let ref = tables.withLock({ $0.refs[key] }) else { return }
    sequencer.updateConnection(of: ref)
  }

  private func duty(of greeting: Greeting, _ descriptor: Int32) -> PortSlot? {
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
          updateConnection(of: key)
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

  /// Ends the connections of an endpoint. When it returns, nothing is delivered any more.
  func end(_ own: OwnEndpoint) throws(MIDIError) {
    for outlet in own.outlets { sender.end(outlet) }
    try thread.end(own.slots)
  }

  /// A connection to the process of an endpoint, which may be this one; nil where it is gone.
  func reach(_ record: EndpointRecord, _ greeting: Greeting) throws(MIDIError) -> Int32? {
    guard record.process == registry.ownProcess else {
      return PortSocket.connect(registry.folder.descriptor, record.process, greeting.bytes)
    }
    guard let (near, far) = PortSocket.pair() else { return nil }
    guard let slot = greet(greeting, far) else {
      close(near)
      close(far)
      return nil
    }
    try thread.add(slot)
    return near
  }
}
