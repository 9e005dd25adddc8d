// Connections of ports to sources, and packets on their way.
// SPDX-License-Identifier: Apache-2.0

package import MIDIMessages
import Synchronization

extension MIDISystem {
  /// Connects an input port to a source; where it is, the context is replaced.
  package func connect(_ port: MIDIRef, _ source: MIDIRef, context: UInt) throws(MIDIError) {
    guard let input = tables.withLock({ $0.ports[port] }), let deliver = input.deliver else {
      throw .port
    }
    guard let record = record(source) else { throw .endpoint }
    guard record.isSource else { throw .endpointType }
    let call: @Sendable (MIDIEvents) -> Void = { deliver($0, context) }
    if let connection = input.connections[source], !connection.slot.isClosed {
      return connection.target.replace(call)
    }
    guard let made = try reach(record, .receive(record.key)) else { throw .send }
    let target = PacketTarget(input.form, call)
    let slot = PortSlot(made, .packets(target)) { [unowned self] in
      tables.withLock { tables in
        if tables.ports[port]?.connections[source]?.slot.descriptor == made {
          tables.ports[port]?.connections[source] = nil
        }
      }
    }
    tables.withLock { tables in
      tables.ports[port]?.connections[source] = Connection(slot: slot, target: target)
    }
    try thread.add(slot)
  }

  /// Disconnects an input port from a source. When it returns, nothing of the source is delivered any more.
  package func disconnect(_ port: MIDIRef, _ source: MIDIRef) throws(MIDIError) {
    let (isInput, connection) = tables.withLock { tables in
      (
        tables.ports[port]?.deliver != nil,
        tables.ports[port]?.connections.removeValue(forKey: source)
      )
    }
    guard isInput else { throw .port }
    guard let connection else {
      guard let record = record(source) else { throw .endpoint }
      throw record.isSource ? .noConnection : .endpointType
    }
    try thread.end([connection.slot])
  }

  /// Sends packets to a destination: now, or at their times. As on a Mac a number that is no port sends nothing, and is
  /// no failure.
  package func send(_ port: MIDIRef, _ destination: MIDIRef, _ events: MIDIEvents)
    throws(MIDIError)
  {
    let output = tables.withLock { $0.ports[port] }
    guard let output else { return }
    guard output.deliver == nil else { throw .port }
    try send(to: destination, events)
  }

  /// Sends packets to a destination, without a port.
  package func send(to destination: MIDIRef, _ events: MIDIEvents) throws(MIDIError) {
    guard let record = record(destination) else { throw .endpoint }
    guard !record.isSource else { throw .endpointType }
    let outlet = try outlet(to: record)
    let now = HostClock.now
    let isAhead: Bool
    if case .integer(let ahead)? = record.properties[PropertyName.scheduleAhead] {
      isAhead = ahead != 0
    } else {
      isAhead = false
    }
    for run in runs(events, now: now) {
      if run.time > now, !isAhead {
        for message in WireMessages.encode(run.events) {
          try sender.send(message, at: run.time, key: record.key, to: outlet)
        }
      } else {
        try sender.send(WireMessages.encode(run.events), to: outlet)
      }
    }
  }

  /// Neighbours that are to be sent at the same moment; time 0 becomes now.
  private func runs(_ events: MIDIEvents, now: UInt64) -> [(time: UInt64, events: MIDIEvents)] {
    func cut<Packet>(
      _ packets: [Packet], _ time: (Packet) -> UInt64, _ made: ([Packet]) -> MIDIEvents
    ) -> [(time: UInt64, events: MIDIEvents)] {
      var runs: [(time: UInt64, packets: [Packet])] = []
      for packet in packets {
        let due = max(time(packet), now)
        if let last = runs.indices.last, runs[last].time == due {
          runs[last].packets.append(packet)
        } else {
          runs.append((due, [packet]))
        }
      }
      return runs.map { ($0.time, made($0.packets)) }
    }
    switch events {
    case .bytes(let packets):
      return cut(packets, \.time) {
        .bytes($0.map { TimedBytes($0.time == 0 ? now : $0.time, $0.bytes) })
      }
    case .words(let form, let packets):
      return cut(packets, \.time) {
        .words(form, $0.map { TimedWords($0.time == 0 ? now : $0.time, $0.words) })
      }
    }
  }

  /// The connection to a destination, made where it is the first packet.
  private func outlet(to record: EndpointRecord) throws(MIDIError) -> PortOutlet {
    let key = record.key
    if let outlet = tables.withLock({ $0.outlets[key] }) { return outlet }
    if let direct = sequencer?.outlet(key) {
      return tables.withLock { tables in
        let outlet = tables.outlets[key] ?? direct
        tables.outlets[key] = outlet
        return outlet
      }
    }
    guard let made = try reach(record, .send(key)) else { throw .send }
    let new = PortOutlet(made)
    let slot = PortSlot(made, .held) { [unowned self] in
      sender.end(new)
      tables.withLock { tables in
        if tables.outlets[key] === new { tables.outlets[key] = nil }
      }
    }
    let (outlet, isUsed) = tables.withLock { tables -> (PortOutlet, Bool) in
      if let other = tables.outlets[key] { return (other, false) }
      tables.outlets[key] = new
      return (new, true)
    }
    if !isUsed { slot.markClosed() }
    try thread.add(slot)
    return outlet
  }

  /// Passes on the output of a virtual source of this process, at once and with its times.
  package func received(_ source: MIDIRef, _ events: MIDIEvents) throws(MIDIError) {
    try thread.acceptAll()
    guard let own = tables.withLock({ $0.own[source] }), own.client != Self.sequencerClient else {
      throw record(source) == nil ? .endpoint : .notPermitted
    }
    guard own.isSource else { throw .endpointType }
    guard !events.isEmpty else { return }
    own.mirror?.receive(events)
    pass(source, events)
  }

  /// Passes a source's output to all connected ports.
  func pass(_ source: MIDIRef, _ events: MIDIEvents) {
    guard let own = tables.withLock({ $0.own[source] }), !own.outlets.isEmpty else { return }
    let messages = WireMessages.encode(events)
    for outlet in own.outlets { try? sender.send(messages, to: outlet) }
  }

  /// Forgets messages that wait for a destination; 0: for any.
  package func flush(_ destination: MIDIRef) throws(MIDIError) {
    guard destination != 0 else { return sender.flush(nil) }
    guard let record = record(destination) else { throw .endpoint }
    guard !record.isSource else { throw .endpointType }
    sender.flush(record.key)
  }
}
