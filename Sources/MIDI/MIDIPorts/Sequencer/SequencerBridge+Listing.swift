// Ports of other clients of the sequencer as devices, entities and endpoints.
// SPDX-License-Identifier: Apache-2.0

import MIDIMessages
import Synchronization

extension SequencerBridge {
  /// Lists the ports of all clients, and makes endpoints of the new ones.
  ///
  /// Context: the bridge's thread, and that of the notifier.
  func listPorts() {
    listing.withLock { _ in
      let present = Dictionary(
        uniqueKeysWithValues: otherPorts().map { ($0.address, $0) })
      let before = state.withLock(\.others)
      let gone = before.filter { present[$0.key] != $0.value }
      guard !gone.isEmpty || present.count > before.count else { return }
      endNotes { gone[$0.from] != nil }
      let (left, ended) = state.withLock { state in
        (
          gone.keys.compactMap { state.sources.removeValue(forKey: $0) },
          state.destinations.filter { gone[$0.value] != nil }.map(\.key)
        )
      }
      state.withLock { state in
        for key in ended { state.destinations[key] = nil }
        state.others = present
        state.name(present.values.sorted { $0.address < $1.address })
      }
      for ref in left { system.abandonSource(ref) }
      for key in ended { system.abandonDestination(key) }
      show(present.values.sorted { $0.address < $1.address })
    }
  }

  /// The ports of clients that are not programs with Core MIDI of this user: the folder of ports
  /// has those.
  private func otherPorts() -> [SequencerPort] {
    let known = Set(
      system.registry.endpoints().compactMap { record -> String? in
        guard record.process != system.registry.ownProcess,
          case .text(let address)? = record.properties[PropertyName.sequencerPort]
        else { return nil }
        return address
      })
    return door.ports().filter { port in
      port.address.client != 0 && port.address.client != door.client
        && !known.contains(port.address.text)
    }
  }

  /// Makes the objects of ports; existing ones stay unchanged.
  private func show(_ ports: [SequencerPort]) {
    var devices: [SetupNode] = []
    var records: [EndpointRecord] = []
    for port in ports {
      guard let named = state.withLock({ $0.clients[port.address.client] }) else { continue }
      let device = ["sequencer", named.name, "\(named.number)"].joined(separator: "\0")
      let entity = [device, "\(port.address.port)", port.name].joined(separator: "\0")
      if devices.last?.key != device { devices.append(node(.device, device, named.name)) }
      var node = node(.entity, entity, port.name)
      let sides = [(port.isReadable, true), (port.isWritable, false)]
      for (_, isSource) in sides.filter(\.0) {
        let key = entity + (isSource ? "\0source" : "\0destination")
        node.children.append(
          SetupNode(
            key: key, isSource ? .source : .destination,
            properties: [PropertyName.name: .text(port.name)]))
        records.append(record(key, port, isSource))
      }
      devices[devices.count - 1].children.append(node)
    }
    system.setup.setPresent(devices)
    system.registry.setLocal(records)
  }

  /// The record of an endpoint: the earlier one, where it was there.
  private func record(_ key: String, _ port: SequencerPort, _ isSource: Bool) -> EndpointRecord {
    state.withLock { state in
      if isSource {
        if state.sources[port.address] == nil {
          state.sources[port.address] = system.adoptSource(key)
        }
      } else {
        state.destinations[key] = port.address
      }
    }
    return system.registry.localRecord(key)
      ?? EndpointRecord(
        key: key, isSource: isSource, process: system.registry.ownProcess, pid: 0,
        client: port.clientName, made: Int(HostClock.now), form: .bytes,
        properties: [
          PropertyName.name: .text(port.name),
          PropertyName.sequencerPort: .text(port.address.text),
          PropertyName.uniqueID: .integer(system.registry.freeNumber(of: key)),
        ])
  }

  private func node(_ kind: SetupKind, _ key: String, _ name: String) -> SetupNode {
    if let known = system.setup.path(to: key).first {
      return SetupNode(key: key, kind, properties: known.properties)
    }
    var properties: [String: PropertyValue] = [
      PropertyName.name: .text(name),
      PropertyName.uniqueID: .integer(PortRegistry.number(of: key)),
    ]
    if kind == .device {
      properties[PropertyName.offline] = .integer(0)
      properties["model"] = .text(name)
      properties["driver"] = .text("ALSA sequencer")
    }
    return SetupNode(key: key, kind, properties: properties)
  }
}

extension SequencerBridge.State {
  /// Numbers clients of one name, which keep their numbers while they are there.
  fileprivate mutating func name(_ ports: [SequencerPort]) {
    let names = Dictionary(ports.map { ($0.address.client, $0.clientName) }) { first, _ in first }
    clients = clients.filter { names[$0.key] == $0.value.name }
    for (client, name) in names.sorted(by: { $0.key < $1.key }) where clients[client] == nil {
      let used = Set(clients.values.filter { $0.name == name }.map(\.number))
      let number = (1...).first { !used.contains($0) } ?? 1
      clients[client] = SequencerBridge.Named(name: name, number: number)
    }
  }
}
