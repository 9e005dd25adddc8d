// The chain that says texts: the unit that speaks, and the effects behind it.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import ChainPresets
package import ResultSettings

extension SpeechSettings {
  /// The unit that speaks.
  package static let unit = "augn:ttsp:appl"

  /// The chain of the voice and the effects behind it. The first setting is the text, which each input has its own of.
  ///
  /// - Throws: `.usage` for a preset of instruments.
  package func preset(before effects: ChainPreset) throws(AuricleError) -> ChainPreset {
    guard effects.instruments.isEmpty else {
      throw AuricleError(
        .usage, "the preset plays instruments: a voice needs a preset with 'units'")
    }
    var entry = UnitEntry(unit: Self.unit)
    func set(_ name: String, _ value: String?) {
      guard let value else { return }
      entry.parameters.append(ParameterSetting(name: Located(name), value: Located(value)))
    }
    set("text", "-")
    set("voice", voice)
    set("rate", rate.map { "\($0)" })
    set("pitch", pitch.map { "\($0)" })
    set("volume", volume.map { "\($0)" })
    var chain = effects
    chain.entries.insert(.unit(entry), at: 0)
    return chain
  }
}
