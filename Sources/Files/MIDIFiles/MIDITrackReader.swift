// Reads the events of one track: times, running status, SysEx, meta events; damage ends it, and is told.
// SPDX-License-Identifier: Apache-2.0

/// Reads one track.
struct MIDITrackReader {
  private let bytes: [UInt8]
  private let end: Int
  private let number: Int
  private let room: Int
  private let start: Int
  /// Where reading stands, behind the track when it is done.
  private(set) var place: Int
  private var tick = 0
  private var running: UInt8 = 0
  private var isRunningOver = false
  private var events: [MIDIFileEvent] = []

  /// A reader of a part of a file, for a track of a number from 1, and not more events than there is room for.
  init(_ bytes: [UInt8], from start: Int, to end: Int, number: Int, room: Int) {
    self.bytes = bytes
    self.start = start
    self.end = end
    self.number = number
    self.room = room
    place = start
  }

  /// What ends a track.
  private enum End: Error {
    case marked
    case damaged(String)
    case full
  }

  /// Reads to the end of the track, or to what makes no sense.
  mutating func read(_ notes: inout MIDIProblems) throws(MIDIRefusal) -> MIDIFileTrack {
    do throws(End) {
      while place < end { try readEvent(&notes) }
      notes.note("track \(number) has no end")
    } catch {
      switch error {
      case .marked: break
      case .full: throw MIDIRefusal(text: "it has more than \(MIDIFile.eventLimit) events")
      case .damaged(let what): notes.note("track \(number) ends at byte \(place): \(what)")
      }
    }
    // The room that is left over is given back.
    return MIDIFileTrack(events: Array(events[...]), length: tick)
  }

  private mutating func readEvent(_ notes: inout MIDIProblems) throws(End) {
    let delta = try length("a time")
    guard place < end else { throw .damaged("it is cut short behind a time") }
    guard events.count < room else { throw .full }
    tick += delta
    let first = bytes[place]
    switch first {
    case 0x80..<0xF0:
      place += 1
      running = first
      isRunningOver = false
      try readChannel(&notes)
    case 0..<0x80:
      guard running != 0 else { throw .damaged("data without a status") }
      if isRunningOver {
        notes.note("track \(number) goes on with a status from before a SysEx or meta event")
        isRunningOver = false
      }
      try readChannel(&notes)
    case 0xF0, 0xF7:
      place += 1
      isRunningOver = true
      let data = try payload("a SysEx")
      add(first == 0xF0 ? .systemExclusive(data) : .raw(data))
    case 0xFF:
      place += 1
      guard place < end else { throw .damaged("a meta event without a type") }
      let type = bytes[place]
      place += 1
      isRunningOver = true
      let data = try payload("a meta event")
      if type == MIDIMetaType.endOfTrack.rawValue { throw .marked }
      if type == MIDIMetaType.tempo.rawValue, data.count != 3 || data.allSatisfy({ $0 == 0 }) {
        notes.note("track \(number) has a tempo that is none, which changes nothing")
      }
      add(.meta(type, data))
    default:
      throw .damaged("status \(first), which no file may hold")
    }
  }

  private mutating func readChannel(_ notes: inout MIDIProblems) throws(End) {
    let count = MIDIFileMessage.dataCount(running)
    guard place + count <= end else { throw .damaged("a message is cut short") }
    let first = bytes[place]
    let second = count == 2 ? bytes[place + 1] : 0
    place += count
    if first | second >= 0x80 {
      notes.note("track \(number) has data above 127, of which the lower 7 bits are taken")
    }
    add(.channel(status: running, first & 0x7F, second & 0x7F))
  }

  private mutating func add(_ message: MIDIFileMessage) {
    events.append(MIDIFileEvent(tick: tick, message))
  }

  /// A number of up to four bytes, seven bits each.
  private mutating func length(_ what: String) throws(End) -> Int {
    var value = 0
    for _ in 0..<4 {
      guard place < end else { throw .damaged("\(what) is cut short") }
      let byte = bytes[place]
      place += 1
      value = value << 7 | Int(byte & 0x7F)
      if byte < 0x80 { return value }
    }
    throw .damaged("\(what) has more than four bytes")
  }

  private mutating func payload(_ what: String) throws(End) -> [UInt8] {
    let count = try length("the length of \(what)")
    guard count <= end - place else { throw .damaged("\(what) is cut short") }
    defer { place += count }
    return Array(bytes[place..<place + count])
  }
}
