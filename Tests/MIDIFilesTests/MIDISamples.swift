// MIDI files for tests: bytes by hand, and files of random events.
// SPDX-License-Identifier: Apache-2.0

import MIDIFiles
import TestSupport

/// A file of chunks of tracks, with a header that fits.
func smf(
  format: UInt8 = 1, division: [UInt8] = [0x01, 0xE0], count: UInt16? = nil, _ tracks: [[UInt8]]
) -> [UInt8] {
  let count = count ?? UInt16(tracks.count)
  return Array("MThd".utf8) + [0, 0, 0, 6, 0, format, UInt8(count >> 8), UInt8(count & 255)]
    + division + tracks.flatMap { chunk($0) }
}

/// Makes a chunk of a track, with its true length or another one in its header.
func chunk(_ bytes: [UInt8], length: UInt32? = nil) -> [UInt8] {
  let length = length ?? UInt32(bytes.count)
  return Array("MTrk".utf8) + [24, 16, 8, 0].map { UInt8(length >> $0 & 255) } + bytes
}

/// The end of a track.
let trackEnd: [UInt8] = [0, 0xFF, 0x2F, 0]

/// A file of random events of every kind.
func randomFile(_ random: inout SeededGenerator) -> MIDIFile {
  let format = MIDIFile.Format(rawValue: Int.random(in: 0...2, using: &random)) ?? .single
  let division: MIDIFile.Division =
    Bool.random(using: &random)
    ? .ticksPerBeat(Int.random(in: 1...32767, using: &random))
    : .timeCode(
      framesPerSecond: [24, 25, 29, 30].randomElement(using: &random) ?? 25,
      ticksPerFrame: Int.random(in: 1...255, using: &random))
  let count = format == .single ? 1 : Int.random(in: 1...5, using: &random)
  let tracks = (0..<count).map { _ in
    var tick = 0
    let events = (0..<Int.random(in: 0...30, using: &random)).map { _ in
      tick += Int.random(in: 0...(1 << Int.random(in: 0...27, using: &random)), using: &random)
      return MIDIFileEvent(tick: tick, randomMessage(&random))
    }
    return MIDIFileTrack(events: events, length: tick + Int.random(in: 0...1000, using: &random))
  }
  return MIDIFile(format: format, division: division, tracks: tracks)
}

private func randomMessage(_ random: inout SeededGenerator) -> MIDIFileMessage {
  func byte(_ range: ClosedRange<UInt8>) -> UInt8 { .random(in: range, using: &random) }
  let data = (0..<Int.random(in: 0...200, using: &random)).map { _ in byte(0...127) }
  switch Int.random(in: 0...9, using: &random) {
  case 0: return .systemExclusive(data + [0xF7])
  case 1: return .raw(data)
  case 2: return .meta(0x51, [byte(0...255), byte(0...255), byte(0...255)])
  case 3: return .meta(byte(0...0x2E), data)
  default:
    let status = byte(0x80...0xEF)
    return .channel(
      status: status, byte(0...127), status & 0xE0 == 0xC0 ? 0 : byte(0...127))
  }
}
