// An instrument of a preset that plays songs: its channels and tracks, its settings, and the effects behind it.
// SPDX-License-Identifier: Apache-2.0

/// One of the instruments that share a song.
public struct InstrumentEntry: Sendable, Equatable {
  /// The channels that may be named.
  public static let channelRange = 1...16
  /// The tracks that may be named.
  public static let trackRange = 1...65_535
  /// The most instruments of a preset.
  public static let maximumCount = 64

  /// The instrument, its preset and its settings.
  public var unit: UnitEntry
  /// The MIDI channels that it plays, from 1; empty for all.
  public var channels: [Int] = []
  /// The tracks that it plays, from 1; empty for all.
  public var tracks: [Int] = []
  /// The effects behind it.
  public var effects: [ChainEntry] = []

  /// Makes an instrument that plays everything.
  ///
  /// Context: any.
  public init(unit: UnitEntry) { self.unit = unit }

  /// Whether it names neither channels nor tracks: it then plays all notes that no other instrument names.
  ///
  /// Context: any.
  public var playsTheRest: Bool { channels.isEmpty && tracks.isEmpty }
}

extension ChainPreset {
  /// The preset of a part: an instrument alone, the effects behind it, or those behind all.
  package func part(_ entries: [ChainEntry]) -> ChainPreset {
    var part = ChainPreset(name: name)
    part.source = source
    part.entries = entries
    return part
  }
}
