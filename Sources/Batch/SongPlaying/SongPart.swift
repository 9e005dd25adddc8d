// The messages of one instrument or music effect of a song, on their way to its units.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
package import AudioUnits
import CAudioToolbox
import MIDIFiles
import PlugInGuard

/// An instrument or a music effect at work. Context: one control thread.
struct SongPart {
  /// Its name in messages.
  let label: String
  /// Its instances; none where it is bypassed.
  private let units: [AudioUnit]
  private let events: [SongEvents.Entry]
  private var next = 0
  /// SysEx that came in parts.
  private var begun: [UInt8] = []
  private(set) var refusedMessages = 0

  /// The most messages that an instrument is sent for one piece of a slice: all units accept so many.
  private static let messageLimit = 2048

  /// - Parameter speaks: Whether it speaks a text, and gets no notes.
  /// - Throws: `.usage` for a unit that accepts no notes.
  init(
    _ label: String, _ units: [AudioUnit], _ events: [SongEvents.Entry], speaks: Bool
  ) throws(AuricleError) {
    guard speaks || units.allSatisfy(\.acceptsMIDI) else {
      throw AuricleError(
        .usage,
        "\(label) takes no notes: name an instrument first (auricle list aumu), and effects after it"
      )
    }
    (self.label, self.units, self.events) = (label, units, events)
  }

  /// Lines about the parts that it left out at loading, and about programs that its bank does not have.
  var notes: [String] {
    guard let unit = units.first else { return [] }
    return unit.loadNotes.map { "\(label): \($0)" } + (SongBank(unit)?.notes(of: events) ?? [])
  }

  /// Seconds of its speech; 0 for one that does not speak.
  var speechSeconds: Double { units.first?.speechSeconds ?? 0 }

  /// The end of a piece of a slice.
  ///
  /// A SysEx begins a piece, since units apply it from the start of a slice. Messages beyond a unit's limit wait
  /// for the next piece, of one frame or more.
  func pieceEnd(from start: Int, to end: Int) -> Int {
    var count = 0
    for event in events[next...] {
      guard event.frame < end else { break }
      if event.message.isExclusive, event.frame > start { return event.frame }
      if count == Self.messageLimit { return max(event.frame, start + 1) }
      count += 1
    }
    return end
  }

  /// Sends the messages of the piece of a slice that is rendered next.
  mutating func send(from start: Int, to end: Int) {
    // A crash is that of the instrument.
    if let unit = units.first { Heartbeat.enter(.render, unit: unit.workNumber) }
    var count = 0
    while next < events.count, events[next].frame < end, count < Self.messageLimit {
      send(events[next].message, atFrame: max(0, events[next].frame - start))
      next += 1
      count += 1
    }
  }

  /// Sends a message for a frame of the piece; a SysEx acts at its start.
  private mutating func send(_ message: MIDIFileMessage, atFrame frame: Int) {
    do throws(AuricleError) {
      switch message {
      case .channel(let status, let first, let second):
        for unit in units { try unit.sendMIDI(status: status, first, second, atFrame: frame) }
      case .systemExclusive(let bytes): try sendExclusive([0xF0] + bytes)
      case .raw(let bytes): try sendExclusive(begun + bytes)
      case .meta: break
      }
    } catch { refusedMessages += 1 }
  }

  /// Sends a SysEx, or keeps its beginning.
  private mutating func sendExclusive(_ bytes: [UInt8]) throws(AuricleError) {
    begun = bytes.last == 0xF7 ? [] : bytes
    guard bytes.last == 0xF7, bytes.first == 0xF0 else { return }
    for unit in units { try unit.sendSystemExclusive(bytes) }
  }
}

extension AudioUnit {
  /// Whether it receives the notes that a chain plays: an instrument, an effect or a processor of music.
  package var playsNotes: Bool {
    [kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect, kAudioUnitType_MIDIProcessor]
      .contains(description.componentType) && acceptsMIDI
  }
}

extension MIDIFileMessage {
  /// Whether it is a SysEx, or a part of one.
  fileprivate var isExclusive: Bool {
    switch self {
    case .systemExclusive, .raw: true
    case .channel, .meta: false
    }
  }
}
