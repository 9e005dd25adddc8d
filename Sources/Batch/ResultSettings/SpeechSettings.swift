// Settings of speech, where the inputs of a run are texts.
// SPDX-License-Identifier: Apache-2.0

import HostSystem

/// The settings of the unit that speaks; nil leaves the unit's own.
public struct SpeechSettings: Sendable, Equatable {
  /// A language, a name or an identifier, with a variant behind `+`.
  public var voice: String?
  /// Words a minute, 80 to 450.
  public var rate: Double?
  /// 0 to 100; 50 is usual.
  public var pitch: Double?
  /// Decibels.
  public var volume: Double?

  /// Leaves the unit's own settings.
  public init() {}

  var json: JSONValue {
    .members([
      ("voice", voice.map(JSONValue.string)), ("rate", rate.map(JSONValue.init)),
      ("pitch", pitch.map(JSONValue.init)), ("volume", volume.map(JSONValue.init)),
    ])
  }

  init(json: JSONValue) {
    voice = json["voice"]?.text
    rate = json["rate"]?.number
    pitch = json["pitch"]?.number
    volume = json["volume"]?.number
  }
}
