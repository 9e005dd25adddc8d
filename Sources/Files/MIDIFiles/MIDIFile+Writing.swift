// Writes MIDI files, so that reading them again returns the same.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes

extension MIDIFile {
  /// The bytes of the file, with running status, and an end to each track.
  ///
  /// - Throws: `badData` for contents that a file cannot hold: a track too few or too many, time that runs backwards or leaps by
  ///   more than 268,435,455 ticks, an invalid status.
  package func encoded() throws(AuricleError) -> [UInt8] {
    func refused(_ text: String) -> AuricleError {
      AuricleError(.badData, "cannot write a MIDI file: \(text)")
    }
    guard (1...0xFFFF).contains(tracks.count), format != .single || tracks.count == 1 else {
      throw refused("format \(format.rawValue) cannot hold \(tracks.count) tracks")
    }
    var bytes = Array("MThd".utf8) + MIDIBytes.big(6, 4)
    bytes += MIDIBytes.big(format.rawValue, 2) + MIDIBytes.big(tracks.count, 2)
    switch division {
    case .ticksPerBeat(let ticks):
      guard (1...0x7FFF).contains(ticks) else { throw refused("\(ticks) ticks a beat") }
      bytes += MIDIBytes.big(ticks, 2)
    case .timeCode(let frames, let ticks):
      guard [24, 25, 29, 30].contains(frames), (1...255).contains(ticks) else {
        throw refused("\(frames) frames a second of \(ticks) ticks")
      }
      bytes += [UInt8(256 - frames), UInt8(ticks)]
    }
    for (index, track) in tracks.enumerated() {
      var writer = MIDITrackWriter()
      do {
        try writer.write(track)
      } catch {
        throw refused("track \(index + 1) has \(error.text)")
      }
      bytes += Array("MTrk".utf8) + MIDIBytes.big(writer.bytes.count, 4) + writer.bytes
    }
    return bytes
  }
}

/// Numbers as they are in a file.
enum MIDIBytes {
  /// A number of so many bytes, the highest first.
  static func big(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// The largest number of four times seven bits.
  static let most = 0x0FFF_FFFF
}

/// Writes the events of one track.
private struct MIDITrackWriter {
  private(set) var bytes: [UInt8] = []
  private var running: UInt8 = 0
  private var tick = 0

  mutating func write(_ track: MIDIFileTrack) throws(MIDIRefusal) {
    bytes.reserveCapacity(track.events.count * 4 + 4)
    for event in track.events {
      try go(to: event.tick)
      try add(event.message)
    }
    try go(to: track.length)
    bytes += [0xFF, MIDIMetaType.endOfTrack.rawValue, 0]
    guard bytes.count <= Int(UInt32.max) else { throw MIDIRefusal(text: "more than 4 GiB") }
  }

  private mutating func go(to next: Int) throws(MIDIRefusal) {
    guard next >= tick else { throw MIDIRefusal(text: "time that runs backwards, to tick \(next)") }
    guard next - tick <= MIDIBytes.most else {
      throw MIDIRefusal(text: "a leap of more than \(MIDIBytes.most) ticks, to tick \(next)")
    }
    number(next - tick)
    tick = next
  }

  private mutating func add(_ message: MIDIFileMessage) throws(MIDIRefusal) {
    switch message {
    case .channel(let status, let first, let second):
      guard (0x80..<0xF0).contains(status), first | second < 0x80 else {
        throw MIDIRefusal(text: "a message of status \(status) that is none")
      }
      if status != running { bytes.append(status) }
      running = status
      bytes.append(first)
      if MIDIFileMessage.dataCount(status) == 2 { bytes.append(second) }
    case .systemExclusive(let data): try add([0xF0], data)
    case .raw(let data): try add([0xF7], data)
    case .meta(let type, let data):
      guard type != MIDIMetaType.endOfTrack.rawValue else {
        throw MIDIRefusal(text: "a meta event of type \(type), which a file cannot hold")
      }
      try add([0xFF, type], data)
    }
  }

  private mutating func add(_ start: [UInt8], _ data: [UInt8]) throws(MIDIRefusal) {
    guard data.count <= MIDIBytes.most else {
      throw MIDIRefusal(text: "an event of \(data.count) bytes")
    }
    running = 0
    bytes += start
    number(data.count)
    bytes += data
  }

  private mutating func number(_ value: Int) {
    for shift in [21, 14, 7] where value >> shift > 0 {
      bytes.append(UInt8(value >> shift & 0x7F) | 0x80)
    }
    bytes.append(UInt8(value & 0x7F))
  }
}
