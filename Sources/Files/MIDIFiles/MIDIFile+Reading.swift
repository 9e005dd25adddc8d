// Reads MIDI files: from a path or from bytes, plain or RIFF, header and chunks of tracks.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc
import HostSystem

extension MIDIFile {
  /// The most bytes that are read as a MIDI file.
  package static let byteLimit = 256 << 20
  /// The most events that are read of one file.
  package static let eventLimit = 16 << 20

  /// Reads a file.
  ///
  /// - Parameter path: Path of the file; it begins the messages about it.
  /// - Throws: The system's failure, or the errors of `init(_:name:)`.
  package init(path: String) throws(AuricleError) {
    let file = try FileDescriptor(opening: path)
    guard let bytes = FileTransfer.readAll(file.number, limit: Self.byteLimit + 1) else {
      throw systemError(errno, "read", path)
    }
    try self.init(bytes, name: path)
  }

  /// Reads bytes.
  ///
  /// Errors of other programs are forgiven and listed in `problems`: wrong lengths and numbers of tracks, ends
  /// that are missing, running status behind other events, tempos of zero. Time and memory are bounded by the bytes.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: Its name in sentences.
  /// - Throws: `badData` for data that is no MIDI file, has no track, divides time by zero, or is too large.
  package init(_ bytes: [UInt8], name: String) throws(AuricleError) {
    func refused(_ text: String) -> AuricleError { AuricleError(.badData, "\(name): \(text)") }
    guard bytes.count <= Self.byteLimit else {
      throw refused("MIDI files of more than \(Self.byteLimit >> 20) MiB are not read")
    }
    var reader = MIDIChunkReader(bytes)
    do {
      try reader.read()
    } catch {
      throw refused(error.text)
    }
    self.init(format: reader.format, division: reader.division, tracks: reader.tracks)
    problems = reader.notes.texts
    damage = reader.notes.damaged
  }

  /// Whether bytes begin as a MIDI file does: `MThd`, or a RIFF file of type `RMID`.
  package static func isOne(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: Array("MThd".utf8))
      || bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: "RMID".utf8)
  }
}

/// The faults of a file, a bounded list.
struct MIDIProblems {
  private(set) var texts: [String] = []
  /// The texts of unreadable parts.
  private(set) var damaged: [String] = []

  mutating func damage(_ text: String) {
    if damaged.count < 16 { damaged.append(text) }
    note(text)
  }

  mutating func note(_ text: @autoclosure () -> String) {
    guard texts.count < 16 else { return }
    let text = text()
    if !texts.contains(text) { texts.append(text) }
  }
}

/// The reason why bytes are refused.
struct MIDIRefusal: Error {
  var text: String
}

/// Reads the chunks of one file.
struct MIDIChunkReader {
  private let bytes: [UInt8]
  /// The end of the MIDI file in the bytes.
  private var limit: Int
  private var place = 0
  private var stated = 0
  private(set) var format = MIDIFile.Format.single
  private(set) var division = MIDIFile.Division.ticksPerBeat(480)
  private(set) var tracks: [MIDIFileTrack] = []
  var notes = MIDIProblems()

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    limit = bytes.count
  }

  /// Reads everything.
  mutating func read() throws(MIDIRefusal) {
    try findHeader()
    try readHeader()
    var events = 0
    while let chunk = nextTrack() {
      var reader = MIDITrackReader(
        bytes, from: chunk.start, to: chunk.end, number: tracks.count + 1,
        room: MIDIFile.eventLimit - events)
      let track = try reader.read(&notes)
      if chunk.isCut, !reader.hasEnd, notes.damaged.isEmpty {
        notes.damage("track \(tracks.count + 1) is cut short at the end of the file")
      }
      events += track.events.count
      tracks.append(track)
      place = chunk.isSound && !isTrack(reader.place) ? chunk.end : reader.place
      guard tracks.count <= 0xFFFF else {
        throw MIDIRefusal(text: "it has more than 65,535 tracks")
      }
    }
    guard !tracks.isEmpty else { throw MIDIRefusal(text: "it is a MIDI file without a track") }
    if tracks.count != stated {
      notes.note("its header declares \(stated) tracks, and \(tracks.count) are present")
    }
    if format == .single, tracks.count > 1 {
      notes.note("it is of format 0 and has \(tracks.count) tracks, which are read as format 1")
      format = .together
    }
  }

  /// Moves to `MThd`, inside of a RIFF file as well.
  private mutating func findHeader() throws(MIDIRefusal) {
    if isCode("MThd", at: 0) { return }
    guard isCode("RIFF", at: 0), isCode("RMID", at: 8) else {
      let start = bytes.prefix(4).map { hexadecimal($0) }.joined(separator: " ")
      if bytes.isEmpty { throw MIDIRefusal(text: "it is no MIDI file: it is empty") }
      if let kind = FileBeginning(bytes) {
        throw MIDIRefusal(text: "it is no MIDI file, but \(kind.advice)")
      }
      throw MIDIRefusal(text: "it is no MIDI file: it begins with \(start), not with MThd")
    }
    place = 12
    while place + 8 <= bytes.count {
      let size = (0..<4).reduce(0) { $0 | Int(bytes[place + 4 + $1]) << (8 * $1) }
      if isCode("data", at: place) {
        place += 8
        guard isCode("MThd", at: place) else { break }
        // Chunks behind it, such as INFO, belong to the RIFF file.
        if size > 0 { limit = min(limit, place + size) }
        return
      }
      place += 8 + size + size & 1
    }
    throw MIDIRefusal(text: "it is a RIFF file for MIDI, and no MIDI file is in it")
  }

  private mutating func readHeader() throws(MIDIRefusal) {
    let length = number(at: place + 4, count: 4)
    guard place + 14 <= limit, length >= 6 else {
      throw MIDIRefusal(text: "its header is cut short at byte \(min(limit, place + 14))")
    }
    let kind = number(at: place + 8, count: 2)
    guard let format = MIDIFile.Format(rawValue: kind) else {
      throw MIDIRefusal(text: "it is a MIDI file of format \(kind); there are 0, 1 and 2")
    }
    self.format = format
    stated = number(at: place + 10, count: 2)
    let (high, low) = (bytes[place + 12], Int(bytes[place + 13]))
    if high < 0x80 {
      division = .ticksPerBeat(Int(high) << 8 | low)
      guard Int(high) << 8 | low > 0 else {
        throw MIDIRefusal(text: "it has 0 ticks a beat, so nothing in it has a time")
      }
    } else {
      let frames = 256 - Int(high)
      guard [24, 25, 29, 30].contains(frames), low > 0 else {
        throw MIDIRefusal(
          text: "it counts \(frames) frames a second of \(low) ticks; there are 24, 25, 29 and 30")
      }
      division = .timeCode(framesPerSecond: frames, ticksPerFrame: low)
    }
    place = length > limit - place - 8 ? place + 14 : place + 8 + length
    if length != 6 { notes.note("its header is \(length) bytes long, and not 6") }
  }

  /// Returns the next chunk of a track; others and invalid ones are skipped.
  private mutating func nextTrack() -> (start: Int, end: Int, isSound: Bool, isCut: Bool)? {
    while place + 8 <= limit {
      let length = number(at: place + 4, count: 4)
      let end = place + 8 + length
      if isTrack(place) {
        // A length that leads beyond the file, or to no chunk, is wrong: the track ends by itself.
        if end > limit {
          notes.note("track \(tracks.count + 1) is said to be longer than the file")
        }
        let isSound = end <= limit && (end + 8 > limit || isChunk(end))
        return (place + 8, isSound ? end : limit, isSound, end > limit)
      }
      if end <= limit, isChunk(place) {
        place = end
        continue
      }
      notes.note("at byte \(place) is data that is no chunk")
      place += 1
      while place + 8 <= limit, !isTrack(place) { place += 1 }
    }
    return nil
  }

  private func isTrack(_ place: Int) -> Bool { isCode("MTrk", at: place) }

  /// Four printable letters and a length.
  private func isChunk(_ place: Int) -> Bool {
    place + 8 <= bytes.count && bytes[place..<place + 4].allSatisfy { (0x20...0x7E).contains($0) }
  }

  private func isCode(_ code: StaticString, at place: Int) -> Bool {
    guard place + 4 <= bytes.count else { return false }
    return (0..<4).allSatisfy { unsafe bytes[place + $0] == code.utf8Start[$0] }
  }

  private func number(at place: Int, count: Int) -> Int {
    guard place + count <= bytes.count else { return 0 }
    return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
