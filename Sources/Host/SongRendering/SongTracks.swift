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

  /// A number, and the part of a name that the name of a file can have. Context: any.
  public static func fileName(number: Int, name: String) -> String {
    let number = (number < 10 ? "0" : "") + "\(number)"
    let words = name.map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()
    let short = words.split(separator: "-").joined(separator: "-").prefix(40)
    return short.isEmpty ? number : "\(number)-\(short)"
  }
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
