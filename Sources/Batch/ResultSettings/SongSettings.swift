// Settings of the rendering of MIDI files, and of texts, where a run is one of songs.
// SPDX-License-Identifier: Apache-2.0

import HostSystem

/// The instruments that play MIDI files.
///
/// The longest time that they ring on behind a song is `JobSettings.tailLimits.maximum`.
public struct SongSettings: Sendable, Equatable {
  /// Frames a second (Hz).
  public var sampleRate = 48_000.0
  /// Channels, 1 or 2.
  public var channelCount = 2
  /// The sound bank of the first instrument, by an absolute path; nil leaves the instrument's own.
  public var bank: String?
  /// The instruments of the preset, where each gets a separate file beside the mix; empty for the mix alone.
  public var stems: [String] = []
  /// The speech settings of inputs, which are then texts; nil for MIDI files.
  public var speech: SpeechSettings?
  /// The longest song in seconds; nil for that of `SongLimits`.
  public var longestSeconds: Double?

  /// Stereo at 48 kHz, with the banks that the instruments have.
  public init() {}
}

extension SongSettings {
  /// The settings as JSON.
  var json: JSONValue {
    .members([
      ("sampleRate", JSONValue(sampleRate)), ("channels", JSONValue(channelCount)),
      ("bank", bank.map(JSONValue.string)),
      ("stems", stems.isEmpty ? nil : .array(stems.map(JSONValue.string))),
      ("speech", speech?.json), ("longest", longestSeconds.map(JSONValue.init)),
    ])
  }

  /// Reads settings; nil when one is malformed.
  init?(json: JSONValue) {
    guard let rate = json["sampleRate"]?.number, (1...1e6).contains(rate),
      let count = json["channels"]?.integer, (1...2).contains(count)
    else { return nil }
    (sampleRate, channelCount, bank) = (rate, count, json["bank"]?.text)
    stems = json["stems"]?.elements?.compactMap(\.text) ?? []
    speech = json["speech"].map(SpeechSettings.init(json:))
    longestSeconds = json["longest"]?.number
  }
}
