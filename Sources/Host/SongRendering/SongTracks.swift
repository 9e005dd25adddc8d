// The tracks of a MIDI file that have something to play.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import AuricleHost
import MIDIFiles

/// A track of a song.
public struct SongTrack: Sendable, Equatable {
  /// Its number, from 1.
  public var number: Int
  /// Its name; nil for none.
  public var name: String?
  /// Notes in it.
  public var noteCount: Int
}

extension AuricleInstallation {
  /// The tracks of a MIDI file that have notes.
  ///
  /// - Throws: `.noInput`, `.badData`.
  ///
  /// Context: control.
  public func songTracks(_ path: String) throws -> [SongTrack] {
    let file = try MIDIFile(path: path)
    return file.tracks.enumerated().compactMap { index, track in
      let notes = track.events.count { event in
        if case .channel(let status, _, let velocity) = event.message {
          return status & 0xF0 == 0x90 && velocity > 0
        }
        return false
      }
      guard notes > 0 else { return nil }
      return SongTrack(number: index + 1, name: track.name, noteCount: notes)
    }
  }
}
