// Reads the events of one track: times, running status, SysEx, meta events; damage ends it, and is reported.
// SPDX-License-Identifier: Apache-2.0

/// Reads one track.
struct MIDITrackReader {
  private let bytes: [UInt8]
  private let end: Int
  private let number: Int
  private let room: Int
  private let start: Int
  /// The position of reading, behind the track when it is done.
  private(set) var place: Int
  private var tick = 0
  private var running: UInt8 = 0
  private var isRunningOver = false
  /// Whether a meta event ended the track.
  private(set) var hasEnd = false
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

  /// The end of a track.
  private enum End: Error {
    case marked
    case damaged(String)
    case full
  }

  /// Reads to the end of the track, or to the first nonsense.
  mutating func read(_ notes: inout MIDIProblems) throws(MIDIRefusal) -> MIDIFileTrack {
    do throws(End) {
      while place < end { try readEvent(&notes) }
      notes.note("track \(number) has no end")
    } catch {
      switch error {
      case .marked: hasEnd = true
      case .full: throw MIDIRefusal(text: "it has more than \(MIDIFile.eventLimit) events")
      case .damaged(let what): notes.damage("track \(number) ends at byte \(place): \(what)")
      }
    }
    // The spare room is freed.
    return MIDIFileTrack(events: Array(events[...]), length: tick)
  }

  private mutating func readEvent(_ notes: inout MIDIProblems) throws(End) {
    let delta = try length("a time")
    guard place < end else { throw .damaged("it is cut short after a time") }
    guard events.count < room else { throw .full }
    tick += delta
    try readMessage(&notes)
  }

  /// Reads the message behind a time.
  private mutating func readMessage(_ notes: inout MIDIProblems) throws(End) {
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
        notes.note("track \(number) continues a running status across a SysEx or meta event")
        isRunningOver = false
      }
      try readChannel(&notes)
    case 0xF0, 0xF7:
      place += 1
      isRunningOver = true
      let data = try exclusive(&notes)
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
      try passSystem(first, &notes)
    }
  }

  /// Whether a byte is one of the clock, transport or sensing, which may come between any others on a wire.
  private static func isRealtime(_ byte: UInt8) -> Bool { (0xF8...0xFE).contains(byte) }

  /// Passes over a system message, which no file may hold. A time follows it, or the event that it came before.
  private mutating func passSystem(_ status: UInt8, _ notes: inout MIDIProblems) throws(End) {
    place += 1
    let count = status == 0xF2 ? 2 : status == 0xF1 || status == 0xF3 ? 1 : 0
    for _ in 0..<count where place < end && bytes[place] < 0x80 { place += 1 }
    noteSystem(&notes)
    let probe = MIDITrackProbe(bytes, end: end, running: running)
    if place < end, !probe.isSound(from: place, hasTime: true),
      probe.isSound(from: place, hasTime: false)
    {
      try readMessage(&notes)
    }
  }

  private func noteSystem(_ notes: inout MIDIProblems) {
    notes.note("track \(number) holds system messages, which are ignored")
  }

  /// The data of a SysEx, without realtime bytes that came between.
  private mutating func exclusive(_ notes: inout MIDIProblems) throws(End) -> [UInt8] {
    let data = try payload("a SysEx")
    guard data.contains(where: Self.isRealtime) else { return data }
    noteSystem(&notes)
    var kept = data.filter { !Self.isRealtime($0) }
    // The length counted too few where the bytes came in later.
    if kept.last != 0xF7, place < end, bytes[place] == 0xF7 {
      kept.append(0xF7)
      place += 1
    }
    return kept
  }

  private mutating func readChannel(_ notes: inout MIDIProblems) throws(End) {
    let count = MIDIFileMessage.dataCount(running)
    if passRealtime(count, &notes) { return }
    guard place + count <= end else { throw .damaged("a message is cut short") }
    let first = bytes[place]
    let second = count == 2 ? bytes[place + 1] : 0
    place += count
    if first | second >= 0x80 {
      notes.note("track \(number) has data above 127, of which the lower 7 bits are used")
    }
    add(.channel(status: running, first & 0x7F, second & 0x7F))
  }

  /// Reads a channel message with realtime bytes among its data; false without any, or if the rest would make no sense
  /// then.
  private mutating func passRealtime(_ count: Int, _ notes: inout MIDIProblems) -> Bool {
    guard bytes[place..<min(place + count, end)].contains(where: Self.isRealtime) else {
      return false
    }
    var data: [UInt8] = []
    var next = place
    while data.count < count, next < end {
      if !Self.isRealtime(bytes[next]) { data.append(bytes[next]) }
      next += 1
    }
    guard data.count == count, data.allSatisfy({ $0 < 0x80 }),
      MIDITrackProbe(bytes, end: end, running: running).isSound(from: next, hasTime: true)
    else { return false }
    place = next
    noteSystem(&notes)
    add(.channel(status: running, data[0], count == 2 ? data[1] : 0))
    return true
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

/// Tries whether bytes make sense as the rest of a track.
struct MIDITrackProbe {
  private let bytes: [UInt8]
  private let end: Int
  private let running: UInt8

  /// Events that are tried: more make it no surer.
  private static let mostEvents = 64

  init(_ bytes: [UInt8], end: Int, running: UInt8) {
    self.bytes = bytes
    self.end = end
    self.running = running
  }

  /// Whether events follow one another up to the end, or as many as are tried.
  ///
  /// - Parameter hasTime: Whether a time comes first.
  func isSound(from start: Int, hasTime: Bool) -> Bool {
    var (place, status) = (start, running)
    for index in 0..<Self.mostEvents {
      if place == end { return true }
      if hasTime || index > 0 {
        guard number(&place) != nil else { return false }
      }
      guard place < end else { return false }
      let first = bytes[place]
      switch first {
      case 0..<0xF0:
        if first >= 0x80 {
          status = first
          place += 1
        }
        let count = MIDIFileMessage.dataCount(status)
        guard status != 0, place + count <= end,
          bytes[place..<place + count].allSatisfy({ $0 < 0x80 })
        else { return false }
        place += count
      case 0xF0, 0xF7, 0xFF:
        if first == 0xFF, place + 1 < end, bytes[place + 1] == MIDIMetaType.endOfTrack.rawValue {
          return true
        }
        place += first == 0xFF ? 2 : 1
        guard let length = number(&place), length <= end - place else { return false }
        place += length
      default: place += 1
      }
    }
    return true
  }

  /// A number of up to four bytes, seven bits each.
  private func number(_ place: inout Int) -> Int? {
    var value = 0
    for _ in 0..<4 {
      guard place < end else { return nil }
      let byte = bytes[place]
      place += 1
      value = value << 7 | Int(byte & 0x7F)
      if byte < 0x80 { return value }
    }
    return nil
  }
}
