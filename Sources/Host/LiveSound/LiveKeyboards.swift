// The MIDI sources that play a live chain: their messages, the receivers of these, and the end of an unplugged one's notes.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import MIDIMessages
import MIDIPorts
import Synchronization
import Workers

/// Connections to sources of Core MIDI.
///
/// Messages come on the thread of the ports, news on the notifier's; control polls both.
final class LiveKeyboards: Sendable {
  private struct Keyboard {
    var ref: MIDIRef
    let name: String
    let uniqueID: Int32
    var isThere = true
    var played = PlayedState()
    /// A SysEx message of which a part came.
    var exclusive: [UInt8] = []
  }

  private struct State {
    var keyboards: [Keyboard] = []
    /// Controllers that do not go to the units.
    var mapped: Set<ControllerName> = []
    var isLearning = false
    /// The newest values of such controllers, each in the order in which it first moved.
    var moved: [(name: ControllerName, value: UInt8)] = []
    var lines: [String] = []
    /// The notes and controls that all of them hold.
    var played = PlayedState()
  }

  /// Readable while there are lines, or controllers that moved.
  let news: WakeUpPipe
  private let system: MIDISystem
  private let notes: LiveNotes
  private let state = Mutex(State())
  private let objects = Mutex<(client: MIDIRef, port: MIDIRef)>((0, 0))

  /// Connects to sources, by names as `auricle midi list` shows them.
  ///
  /// - Throws: `.unavailable` for one that is not there, `.usage` for a name of several.
  init(_ names: [String], _ notes: LiveNotes) throws(AuricleError) {
    news = try WakeUpPipe()
    system = try MIDISystem.forPeople()
    self.notes = notes
    do throws(MIDIError) {
      let client = try system.makeClient("auricle live") { [weak self] in self?.spatialize($0) }
      let port = try system.makePort(client: client, "keyboards", .universal1) {
        [weak self] events, place in self?.consume(events, from: Int(place))
      }
      objects.withLock { $0 = (client, port) }
    } catch { throw PortFolder.refusal(error) }
    for name in names {
      let (ref, record) = try system.endpoint(named: name, isSource: true)
      let place = state.withLock { state -> Int? in
        guard !state.keyboards.contains(where: { $0.ref == ref }) else { return nil }
        state.keyboards.append(
          Keyboard(ref: ref, name: record.name, uniqueID: record.uniqueID))
        return state.keyboards.count - 1
      }
      guard let place else { continue }
      do throws(MIDIError) { try connect(ref, place) } catch {
        throw AuricleError(
          .unavailable, status: error.status, "the MIDI source \(record.name) does not answer")
      }
    }
  }

  private func connect(_ ref: MIDIRef, _ place: Int) throws(MIDIError) {
    try system.connect(objects.withLock(\.port), ref, context: UInt(place))
  }

  /// Lets go of the sources. When it returns, nothing comes any more.
  func end() { try? system.disposeClient(objects.withLock(\.client)) }

  // MARK: Control

  /// Sets which controllers are for control, and whether any is that is not among them.
  func use(_ mapping: LiveMapping) {
    let names = Set(mapping.names.compactMap { try? ControllerName($0) })
    state.withLock { ($0.mapped, $0.isLearning) = (names, mapping.isLearning) }
  }

  /// Messages for which there was no room since the last call.
  func removeLostCount() -> Int { notes.lost.exchange(0, ordering: .relaxed) }

  /// The controllers that moved since the last call.
  func drainMoved() -> [(name: ControllerName, value: UInt8)] {
    state.withLock { state in
      defer { state.moved = [] }
      return state.moved
    }
  }

  /// The lines for the user since the last call.
  func drainLines() -> [String] {
    state.withLock { state in
      defer { state.lines = [] }
      return state.lines
    }
  }

  /// The messages that bring a chain to the state of the channels.
  var settings: [[UInt8]] { state.withLock { $0.played.settings } }

  /// Sends the state of the channels to the chains that play.
  func resendSettings() {
    state.withLock { state in
      for message in state.played.settings { notes.send(message, time: 0) }
    }
  }

  /// Ends everything that sounds.
  func silence() {
    state.withLock { state in
      var messages = state.played.endings
      for channel in UInt8(0)..<16 {
        messages += [[0xB0 | channel, 123, 0], [0xB0 | channel, 120, 0]]
      }
      for message in messages {
        state.played.follow(message)
        notes.send(message, time: 0)
      }
      for place in state.keyboards.indices { state.keyboards[place].played = PlayedState() }
    }
  }

  // MARK: Messages

  private func consume(_ events: MIDIEvents, from place: Int) {
    guard case .words(_, let packets) = events else { return }
    state.withLock { state in
      for packet in packets {
        let time = packet.time == 0 ? HostClock.now : packet.time
        for message in UniversalWords.messages(packet.words) {
          consume(Array(message), time, place, &state)
        }
      }
      if !state.moved.isEmpty || !state.lines.isEmpty { news.wakeUp() }
    }
  }

  private func consume(_ words: [UInt32], _ time: UInt64, _ place: Int, _ state: inout State) {
    let status = UInt8(words[0] >> 16 & 0xFF)
    switch words[0] >> 28 {
    case 2:
      let bytes = [status, UInt8(words[0] >> 8 & 0x7F), UInt8(words[0] & 0x7F)]
      let isShort = (0xC0...0xDF).contains(status)
      guard !isForControl(bytes, &state) else { return }
      play(isShort ? Array(bytes[..<2]) : bytes, time, place, &state)
    case 3:
      let kind = status >> 4
      if kind < 2 { state.keyboards[place].exclusive = [0xF0] }
      guard !state.keyboards[place].exclusive.isEmpty else { return }
      state.keyboards[place].exclusive += UniversalWords.exclusive(words)
      if state.keyboards[place].exclusive.count >= LiveNotes.longest {
        state.keyboards[place].exclusive = []
        state.lines.append(
          "\(state.keyboards[place].name) sent a SysEx message of more than \(LiveNotes.longest) bytes: it is left out"
        )
      } else if kind == 0 || kind == 3 {
        notes.send(state.keyboards[place].exclusive + [0xF7], time: time)
        state.keyboards[place].exclusive = []
      }
    default: break
    }
  }

  /// Keeps a message of a controller that moves a parameter, or may be learnt.
  private func isForControl(_ bytes: [UInt8], _ state: inout State) -> Bool {
    let isProgram = bytes[0] >> 4 == 0xC
    guard isProgram || bytes[0] >> 4 == 0xB else { return false }
    let name = ControllerName(
      channel: Int(bytes[0] & 0xF) + 1, number: Int(bytes[1]), isProgram: isProgram)
    var general = name
    general.channel = nil
    // Messages about the mode of a channel are no controllers.
    let isLearnt = state.isLearning && !isProgram && bytes[1] < 120
    guard state.mapped.contains(name) || state.mapped.contains(general) || isLearnt else {
      return false
    }
    state.moved.removeAll { $0.name == name }
    state.moved.append((name, isProgram ? 0 : bytes[2]))
    return true
  }

  private func play(_ bytes: [UInt8], _ time: UInt64, _ place: Int, _ state: inout State) {
    state.keyboards[place].played.follow(bytes)
    state.played.follow(bytes)
    notes.send(bytes, time: time)
  }

  // MARK: Sources that come and go

  private func spatialize(_ notice: MIDINotice) {
    switch notice {
    case .removed(let ref, _): state.withLock { lose(ref, &$0) }
    case .added(let ref, true): find(ref)
    default: break
    }
  }

  /// Ends the notes of a source that is gone.
  private func lose(_ ref: MIDIRef, _ state: inout State) {
    guard let place = state.keyboards.firstIndex(where: { $0.ref == ref && $0.isThere }) else {
      return
    }
    let count = state.keyboards[place].played.heldCount
    for message in state.keyboards[place].played.endings { play(message, 0, place, &state) }
    state.keyboards[place].played = PlayedState()
    state.keyboards[place].isThere = false
    let ended =
      count == 0
      ? "" : ": \(count) \(count == 1 ? "note that it held is" : "notes that it held are") ended"
    state.lines.append("\(state.keyboards[place].name) is gone\(ended)")
    news.wakeUp()
  }

  /// Connects to a source that is back.
  private func find(_ ref: MIDIRef) {
    guard let record = system.record(ref) else { return }
    let place = state.withLock { state -> Int? in
      let place = state.keyboards.firstIndex {
        !$0.isThere && ($0.uniqueID == record.uniqueID || $0.name == record.name)
      }
      guard let place else { return nil }
      state.keyboards[place].ref = ref
      state.keyboards[place].isThere = true
      return place
    }
    guard let place else { return }
    let isConnected = (try? connect(ref, place)) != nil
    state.withLock { state in
      state.keyboards[place].isThere = isConnected
      if isConnected { state.lines.append("\(record.name) is back") }
    }
    news.wakeUp()
  }
}
