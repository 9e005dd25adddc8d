// Ports and endpoints within a process and between two systems that share a folder.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MIDIMessages
import MIDIPorts
import Synchronization
import TestSupport
import Testing

@Suite struct PortTests {
  private let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  private func system() throws -> MIDISystem {
    // A system lives as long as the process, as its threads do.
    let system = MIDISystem(try PortFolder(path: temporary("midi")))
    keptSystems.withLock { $0.append(system) }
    return system
  }

  private func bytes(_ events: MIDIEvents) -> [TimedBytes] {
    if case .bytes(let packets) = events { return packets }
    return []
  }

  @Test("Remains of a dead process are removed, also while another process holds the folder")
  func remains() throws {
    let searching = try system()
    let ports = try PortFolder(path: temporary("midi"))
    let dead = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) {
      unsafe $0.copyBytes(from: "/proc/self/fd/\(ports.descriptor)/1-dead.socket".utf8)
    }
    let isBound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(dead, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    close(dead)
    try #require(isBound && ports.names.contains("1-dead.socket"))
    try ports.locked { () throws(MIDIError) in
      #expect(searching.endpoints(areSources: true).isEmpty)
      #expect(!ports.names.contains("1-dead.socket"))
    }
  }

  @Test("A source of another system is found, connected and received, also in another protocol")
  func sources() throws {
    let (one, two) = (try system(), try system())
    let maker = try one.makeClient("maker", notify: nil)
    let source = try one.makeEndpoint(client: maker, "Keys", .bytes)
    let listener = try two.makeClient("listener", notify: nil)
    let delivered = Collected<TimedBytes>()
    let words = Collected<TimedWords>()
    let port = try two.makePort(client: listener, "in") { events, context in
      #expect(context == 42)
      delivered.add(bytes(events))
    }
    let newer = try two.makePort(client: listener, "in 2", .universal2) { events, _ in
      if case .words(.universal2, let packets) = events { words.add(packets) }
    }
    let found = try #require(two.endpoints(areSources: true).first)
    #expect(two.record(found)?.name == "Keys")
    try two.connect(port, found, context: 42)
    try two.connect(newer, found, context: 0)
    let packets = (0..<100).map { TimedBytes(UInt64($0), [0x90, UInt8($0), 1]) }
    try one.received(source, .bytes(packets))
    #expect(delivered.wait(for: 100) == packets)
    #expect(words.wait(for: 100).map(\.words[0]) == (0..<100).map { 0x4090_0000 | $0 << 8 })
    try two.disconnect(port, found)
    #expect(throws: MIDIError.noConnection) { try two.disconnect(port, found) }
    try one.received(source, .bytes(packets))
    #expect(words.wait(for: 200).count == 200 && delivered.all.count == 100)
    try one.disposeClient(maker)
    #expect(two.endpoints(areSources: true) == [])
    #expect(throws: MIDIError.endpoint) { try two.connect(port, found, context: 0) }
  }

  @Test("Sends for later arrive in the order of their times, and of the sends for one time")
  func scheduled() throws {
    let (one, two) = (try system(), try system())
    let arrived = Collected<TimedBytes>()
    let owner = try one.makeClient("owner", notify: nil)
    _ = try one.makeEndpoint(client: owner, "Synth", .bytes) { arrived.add(bytes($0)) }
    let client = try two.makeClient("client", notify: nil)
    let port = try two.makePort(client: client, "out")
    let destination = try #require(two.endpoints(areSources: false).first)
    let start = HostClock.now + 1_000_000_000
    var sent = [Bool](repeating: false, count: 100)
    for index in (0..<200).map({ $0 * 77 % 200 }) {
      // Among the two for one time, the second has velocity 2.
      let note = index / 2
      let bytes = [0x90, UInt8(note), sent[note] ? 2 : 1]
      sent[note] = true
      let packet = TimedBytes(start + UInt64(note) * 500_000, bytes)
      try two.send(port, destination, .bytes([packet]))
    }
    try two.send(port, destination, .bytes([TimedBytes(0, [0xFE])]))
    let late = TimedBytes(start + 3_600_000_000_000, [0xFF])
    try two.send(port, destination, .bytes([late]))
    let all = arrived.wait(for: 201)
    #expect(all.first?.bytes == [0xFE])
    #expect(all.dropFirst().map { Int($0.bytes[1]) } == (0..<200).map { $0 / 2 })
    #expect(all.dropFirst().map { Int($0.bytes[2]) } == (0..<200).map { $0 % 2 + 1 })
    // A message that is an hour away is forgotten by a flush, and is sent at once to a destination that wants it ahead.
    try two.flush(destination)
    try two.setProperty(destination, PropertyName.scheduleAhead, .integer(1000))
    try two.send(port, destination, .bytes([late]))
    #expect(arrived.wait(for: 202).last == late)
  }

  @Test("Properties are seen by all, unique numbers are unique and the same in the next run")
  func properties() throws {
    let (one, two) = (try system(), try system())
    let notices = Collected<MIDINotice>()
    let watcher = try two.makeClient("watcher") { notices.add($0) }
    let client = try one.makeClient("client", notify: nil)
    let source = try one.makeEndpoint(client: client, "A", .universal2)
    let other = try one.makeEndpoint(client: client, "A", .bytes)
    let number = try one.property(source, PropertyName.uniqueID)
    #expect(try one.property(other, PropertyName.uniqueID) != number)
    #expect(try one.property(source, PropertyName.protocolID) == .integer(2))
    guard case .integer(let unique) = number else { return }
    let found = try two.find(unique)
    #expect(found.isSource)
    // A double change before the first check is announced once.
    #expect(notices.wait(for: .added(found.ref, isSource: true)))
    try two.setProperty(found.ref, PropertyName.name, .text("B"))
    try two.setProperty(found.ref, "bytes", .data([0, 255]))
    #expect(try one.property(source, PropertyName.displayName) == .text("B"))
    #expect(try one.property(source, "bytes") == .data([0, 255]))
    #expect(notices.wait(for: .property(found.ref, isSource: true, "name")))
    #expect(throws: MIDIError.notUnique) {
      try one.setProperty(other, PropertyName.uniqueID, number)
    }
    #expect(throws: MIDIError.property) { try one.property(source, "nothing") }
    #expect(throws: MIDIError.object) { try one.property(9999, PropertyName.name) }
    try one.setProperty(other, PropertyName.isPrivate, .integer(1))
    #expect(two.endpoints(areSources: true) == [found.ref])
    try one.disposeEndpoint(source)
    #expect(throws: MIDIError.object) { try two.find(unique) }
    let again = try one.makeEndpoint(client: client, "A", .bytes)
    #expect(again != source)
    #expect(try one.property(again, PropertyName.uniqueID) == number)
    #expect(notices.wait(for: .removed(found.ref, isSource: true)))
    #expect(notices.wait(for: .setupChanged))
    try two.disposeClient(watcher)
  }
}

let keptSystems = Mutex<[MIDISystem]>([])
