// A clock's connections to Core MIDI: its messages to followers, and those of the clock that it follows.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc
import HostSystem
import MIDIMessages
import MIDIPorts
import SyncClocks
import Synchronization

/// The client of a clock, made when it is needed.
final class ClockLink: Sendable {
  private struct State {
    var client: MIDIRef = 0
    var port: MIDIRef = 0
    var source: MIDIRef = 0
    var isRunning = false
  }
  private let state = Mutex(State())
  /// The time ahead at which messages are handed over (ns), and the time between two checks (µs).
  private static let (ahead, pause): (UInt64, UInt32) = (20_000_000, 5000)

  /// Connects to a source in place of the one before; 0 for none.
  func follow(_ source: MIDIRef, _ clock: KeptClock) throws(ClockFailure) {
    do throws(MIDIError) {
      let system = try MIDISystem.shared()
      var state = state.withLock(\.self)
      if state.client == 0 {
        state.client = try system.makeClient("Core Audio Clock", notify: nil)
        state.port = try system.makePort(client: state.client, "sync") { [weak clock] events, _ in
          guard let clock, case .bytes(let packets) = events else { return }
          for packet in packets {
            clock.receive(packet.bytes, at: packet.time == 0 ? HostClock.now : packet.time)
          }
        }
      }
      if state.source != 0 { try? system.disconnect(state.port, state.source) }
      state.source = 0
      let (client, port) = (state.client, state.port)
      self.state.withLock { ($0.client, $0.port, $0.source) = (client, port, 0) }
      guard source != 0 else { return }
      try system.connect(port, source, context: 0)
      self.state.withLock { $0.source = source }
    } catch { throw ClockFailure(kCAClock_InvalidSyncSourceError) }
  }

  /// Lets go of Core MIDI.
  func end() {
    let client = state.withLock(\.client)
    if client != 0 { try? MIDISystem.shared().disposeClient(client) }
  }

  /// Sends a message to destinations; one that is gone is passed over.
  static func send(_ bytes: [UInt8], at time: UInt64, to destinations: [MIDIRef]) {
    guard !destinations.isEmpty, let system = try? MIDISystem.shared() else { return }
    for destination in destinations {
      try? system.send(to: destination, .bytes([TimedBytes(time, bytes)]))
    }
  }

  /// Has a thread serve a clock while it runs.
  func run(_ clock: KeptClock) {
    let starts = state.withLock { state -> Bool in
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard starts else { return }
    let thread = startThread { [self, weak clock] in
      // The time is what it waits for: messages follow the clock.
      while let clock, clock.advance(to: HostClock.now + Self.ahead) { usleep(Self.pause) }
      state.withLock { $0.isRunning = false }
      // It may have been started again while this ended.
      if let clock, clock.settings.withLock(\.clock.isRunning) { run(clock) }
    }
    if let thread { pthread_detach(thread) } else { state.withLock { $0.isRunning = false } }
  }
}

extension KeptClock {
  /// Sends messages that are due before a moment; false where the clock does not run any more.
  func advance(to end: UInt64) -> Bool {
    let now = HostClock.now
    var messages: [(message: ClockLeader.Message, destinations: [MIDIRef])] = []
    var runs = false
    try? change { settings throws(ClockFailure) in
      runs = settings.clock.isRunning
      guard runs else { return [] }
      // Time code that does not come any more ends the clock after a while.
      let longestGap = UInt64(settings.freewheel * 1e9)
      if settings.syncMode == kCAClockSyncMode_MTCTransport, let last = settings.last,
        now > last.time, now - last.time > longestGap
      {
        settings.clock.stop(at: last.time)
        runs = false
        return [.message(kCAClockMessage_Stopped)]
      }
      if !settings.clockDestinations.isEmpty {
        let clock = settings.clock
        messages += settings.leader.ticks(clock, before: end).map {
          ($0, settings.clockDestinations)
        }
      }
      if !settings.codeDestinations.isEmpty {
        let clock = settings.clock
        messages += settings.leader.quarterFrames(clock, before: end).map {
          ($0, settings.codeDestinations)
        }
      }
      return []
    }
    for (message, destinations) in messages {
      ClockLink.send(message.bytes, at: message.time, to: destinations)
    }
    return runs
  }

  /// Starts at a moment, and notifies followers.
  func start(at time: UInt64) throws(ClockFailure) {
    var messages: [UInt8] = []
    var destinations: [MIDIRef] = []
    try change { settings throws(ClockFailure) in
      guard !settings.clock.isRunning else { return [] }
      settings.clock.start(at: time)
      messages = settings.leader.start(settings.clock, sendsPlace: settings.sendsPlace)
      destinations = settings.clockDestinations
      return [.message(kCAClockMessage_Started)]
    }
    if !messages.isEmpty { ClockLink.send(messages, at: time, to: destinations) }
    link.run(self)
  }

  /// Stops at a moment, and notifies followers.
  func stop(at time: UInt64) throws(ClockFailure) {
    var destinations: [MIDIRef] = []
    try change { settings throws(ClockFailure) in
      guard settings.clock.isRunning else { return [] }
      settings.clock.stop(at: time)
      destinations = settings.clockDestinations
      return [.message(kCAClockMessage_Stopped)]
    }
    ClockLink.send([0xFC], at: time, to: destinations)
  }

  /// Follows bytes that came at a moment.
  func receive(_ bytes: [UInt8], at time: UInt64) {
    let events = settings.withLock { $0.follower.read(bytes) }
    for event in events {
      var starts = false
      try? change { settings throws(ClockFailure) in
        let wasRunning = settings.clock.isRunning
        let news = settings.apply(event, at: time)
        starts = settings.clock.isRunning && !wasRunning
        return news
      }
      if starts { link.run(self) }
    }
  }
}
