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
    try MIDIFileReport(path: path).tracks.filter { $0.notes > 0 }.map {
      SongTrack(number: $0.number, name: $0.name, noteCount: $0.notes)
    }
  }
}
