// Endpoints over a sequencer that is no kernel's: connecting, playing and removing by others.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MIDIMessages
import MIDIPorts
import Synchronization
import TestSupport
import Testing

@Suite struct SequencerTests {
  private let temporary: TemporaryFolder
  private let changes = Changes()
  private let hub: PretendedSequencer

  init() throws {
    temporary = try TemporaryFolder()
    hub = PretendedSequencer(changes)
  }

  private func system(_ folder: String = "midi") throws -> MIDISystem {
    let system = MIDISystem(
      try PortFolder(path: temporary(folder)), sequencer: hub.client("program"))
    keptSystems.withLock { $0.append(system) }
    return system
  }

  private func collect(_ delivered: Collected<[UInt8]>) -> @Sendable (MIDIEvents) -> Void {
    { events in
      if case .bytes(let packets) = events { delivered.add(packets.map(\.bytes)) }
    }
  }

  @Test(
    "A keyboard is a device, keeps its number when it is plugged again, and its notes end when it is pulled"
  )
  func keyboard() throws {
    let system = try system()
    let notices = Collected<MIDINotice>(changes)
    let client = try system.makeClient("listener") { notices.add($0) }
    var keys = hub.client("Keystation")
    var port = try #require(keys.makePort("MIDI 1", .link))
    keys.show(port, .link, true)
    #expect(changes.wait { system.endpoints(areSources: true).count == 1 })
    let source = try #require(system.endpoints(areSources: true).first)
    let number = try system.property(source, PropertyName.uniqueID)
    let entity = try system.parent(source, .entity)
    let device = try system.parent(entity, .device)
    #expect(system.devices(areExternal: false).last == device)
    #expect(system.children(entity, .destination) == system.endpoints(areSources: false))
    #expect(try system.property(device, PropertyName.name) == .text("Keystation"))
    #expect(try system.property(source, PropertyName.displayName) == .text("Keystation MIDI 1"))
    #expect(try system.property(source, PropertyName.offline) == .integer(0))
    #expect(try system.property(source, "model") == .text("Keystation"))
    #expect(notices.wait(for: .added(source, isSource: true)))

    let delivered = Collected<[UInt8]>()
    let consume = collect(delivered)
    let input = try system.makePort(client: client, "in") { events, _ in consume(events) }
    #expect(!keys.isConnected(port))
    try system.connect(input, source, context: 0)
    #expect(keys.isConnected(port))
    let played: [[UInt8]] = [
      [0x90, 60, 100], [0x90, 64, 100], [0x80, 60, 0], [0xF0, 1, 2, 0xF7],
    ]
    for message in played { keys.send(message, from: port, to: nil) }
    #expect(delivered.wait(for: 4) == played)
    #expect(throws: MIDIError.notPermitted) { try system.disposeEndpoint(source) }
    #expect(throws: MIDIError.notPermitted) {
      try system.received(source, .bytes([TimedBytes(0, [0xFE])]))
    }
    keys.pull()
    #expect(delivered.wait(for: 5).last == [0x80, 64, 64])
    #expect(changes.wait { system.endpoints(areSources: true).isEmpty })
    #expect(notices.wait(for: .removed(source, isSource: true)))
    #expect(system.record(source) == nil)

    keys = hub.client("Keystation")
    port = try #require(keys.makePort("MIDI 1", .link))
    keys.show(port, .link, true)
    #expect(changes.wait { system.endpoints(areSources: true) == [source] })
    #expect(try system.property(source, PropertyName.uniqueID) == number)
    let other = try self.system("another")
    let same = try #require(other.endpoints(areSources: true).first)
    #expect(try other.property(same, PropertyName.uniqueID) == number)
    try system.connect(input, source, context: 0)
    try system.disconnect(input, source)
    #expect(changes.wait { !keys.isConnected(port) })
  }

  @Test("Programs of the sequencer reach virtual endpoints, which programs with Core MIDI see once")
  func virtualEndpoints() throws {
    let (one, two) = (try system(), try system())
    let owner = try one.makeClient("synth", notify: nil)
    let arrived = Collected<[UInt8]>()
    let source = try one.makeEndpoint(client: owner, "Synth out", .universal2)
    let destination = try one.makeEndpoint(
      client: owner, "Synth in", .bytes, deliver: collect(arrived))
    #expect(two.endpoints(areSources: true).count == 1)
    #expect(two.endpoints(areSources: false).count == 1)
    let raw = hub.client("raw")
    let (ears, mouth) = (
      try #require(raw.makePort("ears", .destination)), try #require(raw.makePort("mouth", .source))
    )
    let shown = raw.ports().filter { $0.name.hasPrefix("Synth") }
    let out = try #require(shown.filter(\.isReadable).first)
    let input = try #require(shown.filter(\.isWritable).first)
    #expect(out.name == "Synth out" && input.name == "Synth in" && shown.count == 2)
    raw.connect(out.address, at: ears, true)
    try one.received(source, .words(.universal2, [TimedWords(0, [0x4090_3C00, 0x8000_0000])]))
    #expect(raw.messages(1) == [[0x90, 60, 64]])
    raw.open(input.address, for: mouth)
    raw.send([0x91, 50, 1], from: mouth, to: input.address)
    #expect(arrived.wait(for: 1) == [[0x91, 50, 1]])
    raw.pull()
    #expect(arrived.wait(for: 2).last == [0x81, 50, 64])

    let watcher = hub.client("watcher")
    try one.setProperty(destination, PropertyName.isPrivate, .integer(1))
    #expect(changes.wait { !watcher.ports().contains { $0.name == "Synth in" } })
    try one.disposeClient(owner)
    #expect(!watcher.ports().contains { $0.name.hasPrefix("Synth") })
  }

  @Test("An endpoint that became private before the notifier saw it is hidden")
  func privateAtOnce() throws {
    let system = try system()
    let (gate, begun) = (DispatchSemaphore(value: 0), Collected<MIDINotice>())
    let owner = try system.makeClient("synth") { notice in
      begun.add(notice)
      gate.wait()
      gate.signal()
    }
    _ = try system.makeEndpoint(client: owner, "Synth out", .bytes)
    begun.wait(for: 1)
    let hidden = try system.makeEndpoint(client: owner, "Synth in", .bytes) { _ in }
    try system.setProperty(hidden, PropertyName.isPrivate, .integer(1))
    gate.signal()
    let watcher = hub.client("watcher")
    #expect(changes.wait { watcher.ports().map(\.name) == ["Synth out"] })
    try system.disposeClient(owner)
  }

  @Test(
    "A port of the sequencer receives long messages in pieces, and later ones in their order"
  )
  func sending() throws {
    let system = try system()
    let client = try system.makeClient("player") { _ in changes.post() }
    let raw = hub.client("raw")
    let ears = try #require(raw.makePort("ears", .destination))
    raw.show(ears, .destination, true)
    #expect(changes.wait { system.endpoints(areSources: false).count == 1 })
    let destination = try #require(system.endpoints(areSources: false).first)
    let port = try system.makePort(client: client, "out")
    let long = [0xF0] + (0..<70_000).map { UInt8($0 % 128) } + [0xF7]
    let later = HostClock.now + 50_000_000
    try system.send(port, destination, .bytes([TimedBytes(later, [0x90, 1, 1])]))
    for piece in [Array(long[..<50_000]), Array(long[50_000...])] {
      try system.send(port, destination, .bytes([TimedBytes(0, piece)]))
    }
    let words: [UInt32] = [0x2090_0203]
    try system.send(port, destination, .words(.universal1, [TimedWords(later + 1, words)]))
    let messages = raw.messages(4)
    #expect(Array(messages.prefix(2).joined()) == long)
    #expect(messages.suffix(2) == [[0x90, 1, 1], [0x90, 2, 3]])
    raw.pull()
    #expect(changes.wait { system.endpoints(areSources: false).isEmpty })
    #expect(throws: MIDIError.endpoint) {
      try system.send(port, destination, .bytes([TimedBytes(0, [0xFE])]))
    }
  }
}
