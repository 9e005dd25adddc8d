// A text to be said: what is asked of the unit that speaks, and the chain that it becomes.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
public import AudioTypes
public import AudioUnits
public import AuricleHost
import ChainPresets

/// A text and how it is said; nil leaves what the unit has.
public struct SpokenText: Sendable {
  /// The unit that speaks.
  static let unit = "augn:ttsp:appl"

  /// The text.
  public var text: String
  /// A language, a name or an identifier, with a variant behind `+`.
  public var voice: String?
  /// Words a minute, 80 to 450.
  public var rate: Double?
  /// 0 to 100; 50 is usual.
  public var pitch: Double?
  /// Decibels.
  public var volume: Double?

  /// Asks for a text.
  public init(_ text: String) { self.text = text }

  /// The chain of the voice and the effects behind it.
  ///
  /// - Throws: `.usage` for a preset of instruments.
  func preset(before effects: ChainPreset) throws(AuricleError) -> ChainPreset {
    guard effects.instruments.isEmpty else {
      throw AuricleError(
        .usage, "the preset plays instruments: behind a voice stands one that has 'units'")
    }
    var entry = UnitEntry(unit: Self.unit)
    func set(_ name: String, _ value: String?) {
      guard let value else { return }
      entry.parameters.append(ParameterSetting(name: Located(name), value: Located(value)))
    }
    set("text", text)
    set("voice", voice)
    set("rate", rate.map { "\($0)" })
    set("pitch", pitch.map { "\($0)" })
    set("volume", volume.map { "\($0)" })
    var chain = effects
    chain.entries.insert(.unit(entry), at: 0)
    return chain
  }
}

extension AuricleInstallation {
  /// The voices of the unit that speaks.
  ///
  /// - Throws: `.unavailable` with the reason where it, or what it speaks by, is not installed.
  ///
  /// Context: control; the plug-in runs in this process.
  public func speechVoices() throws(AuricleError) -> [SpeechVoice] {
    try host.makeRegistry().resolve(SpokenText.unit).instantiate().speechVoices()
  }

  /// Refuses a voice that is not there.
  ///
  /// - Throws: `.usage`, with the names that are near; as `speechVoices` does.
  ///
  /// Context: control; the plug-in runs in this process.
  public func checkVoice(_ voice: String) throws(AuricleError) {
    let voices = try speechVoices()
    let wanted = voice.prefix { $0 != "+" }.lowercased()
    let languages = voices.flatMap(\.languages)
    let names = languages + voices.map(\.identifier) + voices.map(\.name)
    guard !names.contains(where: { $0.lowercased() == wanted }) else { return }
    throw AuricleError(
      .usage,
      "there is no voice '\(voice)'\(suggestion(for: wanted, in: names)) (auricle say --list-voices lists them)"
    )
  }
}
