// Which instrument of a band plays which message of a song.
// SPDX-License-Identifier: Apache-2.0

import ChainPresets
import MIDIFiles

/// The messages of each instrument.
struct SongRouting {
  /// By the instruments' places.
  private(set) var parts: [[SongEvents.Entry]]
  /// Lines about notes that nobody plays.
  private(set) var notes: [String] = []

  /// Routes each message to every instrument that names its channel and its track. The rest goes to
  /// instruments that name neither. A message without a channel goes by its track.
  init(_ entries: [SongEvents.Entry], to instruments: [InstrumentEntry]) {
    parts = instruments.map { _ in [] }
    var unheard: [Int: Int] = [:]
    for entry in entries {
      var channel: Int?
      var isNote = false
      if case .channel(let status, _, let second) = entry.message {
        channel = Int(status & 0xF) + 1
        isNote = status >> 4 == 0x9 && second > 0
      }
      func names(_ instrument: InstrumentEntry) -> Bool {
        let isChannel =
          channel.map { instrument.channels.isEmpty || instrument.channels.contains($0) } ?? true
        let isTrack =
          entry.track.map { instrument.tracks.isEmpty || instrument.tracks.contains($0) } ?? true
        return isChannel && isTrack
      }
      var isPlayed = false
      for (place, instrument) in instruments.enumerated()
      where !instrument.playsTheRest && names(instrument) {
        parts[place].append(entry)
        isPlayed = true
      }
      // Events of the whole song are for all.
      for (place, instrument) in instruments.enumerated()
      where instrument.playsTheRest && (!isPlayed || channel == nil || entry.track == nil) {
        parts[place].append(entry)
        isPlayed = true
      }
      if isNote, !isPlayed, let channel { unheard[channel, default: 0] += 1 }
    }
    notes = unheard.keys.sorted().map { channel in
      let count = unheard[channel] ?? 0
      return "\(count) \(count == 1 ? "note" : "notes") of channel \(channel) "
        + "\(count == 1 ? "is" : "are") not played: no instrument names it"
    }
  }
}
