// One instrument of a song: the messages that it plays, and the units that receive them.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import ChainPresets
import MIDIFiles

/// An instrument of a chain that plays a song. Context: one control thread.
package final class SongPart {
  /// The name of the instrument.
  package let label: String
  private let units: [AudioUnit]
  private let events: [SongEvents.Entry]
  private var next = 0
  /// SysEx that came in parts.
  private var begun: [UInt8] = []
  private(set) var refusedMessages = 0

  /// Makes a part of the instances of a stage.
  init(_ label: String, _ units: [AudioUnit], _ events: [SongEvents.Entry]) {
    self.label = label
    self.units = units
    self.events = events
  }

  /// Lines about programs that its bank does not have.
  var notes: [String] { units.first.flatMap { SongBank($0) }?.notes(of: events) ?? [] }

  /// Seconds of what it says; 0 for one that does not speak.
  var speechSeconds: Double { units.first?.speechSeconds ?? 0 }

  /// The most messages that an instrument is sent for one slice: all units take so many.
  private static let messageLimit = 2048

  /// Frames of the next slice, of so many at most, behind which messages have to wait for a slice.
  ///
  /// Units take a SysEx for the start of a slice, and no more messages than they have room for.
  ///
  /// - Parameter splits: Whether slices may end where a SysEx comes.
  func frames(of count: Int, at place: Int, splits: Bool) -> Int {
    for (number, event) in events[next...].prefix(Self.messageLimit + 1).enumerated() {
      let frame = max(0, event.frame - place)
      guard frame < count else { return count }
      if number == Self.messageLimit { return max(frame, 1) }
      if splits, event.message.isExclusive, frame > 0 { return frame }
    }
    return count
  }

  /// Sends what is due in a slice.
  func send(_ count: Int, at place: Int) {
    var sent = 0
    while next < events.count, events[next].frame < place + count, sent < Self.messageLimit {
      send(events[next].message, atFrame: max(0, events[next].frame - place))
      next += 1
      sent += 1
    }
  }

  /// Sends a message for a frame of the next slice; a SysEx acts at its start.
  private func send(_ message: MIDIFileMessage, atFrame frame: Int) {
    do throws(AuricleError) {
      switch message {
      case .channel(let status, let first, let second):
        for unit in units { try unit.sendMIDI(status: status, first, second, atFrame: frame) }
      case .systemExclusive(let bytes):
        begun = [0xF0] + bytes
        try sendWhole()
      case .raw(let bytes):
        begun += bytes
        try sendWhole()
      case .meta: break
      }
    } catch { refusedMessages += 1 }
  }

  private func sendWhole() throws(AuricleError) {
    guard begun.last == 0xF7 else { return }
    let whole = begun
    begun = []
    guard whole.first == 0xF0 else { return }
    for unit in units { try unit.sendSystemExclusive(whole) }
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
