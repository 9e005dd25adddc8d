// Maps LV2's units of measure to parameter units.
// SPDX-License-Identifier: Apache-2.0

internal import CAudioToolbox

extension LV2Unit {
  /// A unit of the LV2 units vocabulary, by the last part of its URI.
  init?(wellKnown name: String) {
    if let code = LV2Unit.codes[name] {
      self.init(code: code)
    } else if let text = LV2Unit.texts[name] {
      self.init(code: kAudioUnitParameterUnit_CustomUnit, name: text)
    } else {
      return nil
    }
  }

  /// A unit that a plug-in defines: by its symbol, otherwise by the format of its values.
  init?(symbol: String?, render: String?) {
    var text = symbol.map { LV2Text.line($0) } ?? ""
    if text.isEmpty, let render { text = LV2Unit.suffix(ofFormat: render) }
    guard !text.isEmpty else { return nil }
    if let code = LV2Unit.symbols[text.lowercased()] {
      self.init(code: code)
    } else {
      self.init(code: kAudioUnitParameterUnit_CustomUnit, name: text)
    }
  }

  /// The text after the number in a format such as "%.1f dB".
  private static func suffix(ofFormat format: String) -> String {
    guard let percent = format.firstIndex(of: "%") else { return "" }
    let conversions = "diufFeEgGsxX"
    guard let end = format[percent...].dropFirst().firstIndex(where: conversions.contains) else {
      return ""
    }
    let rest = format[format.index(after: end)...]
    return LV2Text.line(String(rest)).replacing("%%", with: "%")
  }

  private static let codes: [String: UInt32] = [
    "hz": kAudioUnitParameterUnit_Hertz, "db": kAudioUnitParameterUnit_Decibels,
    "s": kAudioUnitParameterUnit_Seconds, "ms": kAudioUnitParameterUnit_Milliseconds,
    "pc": kAudioUnitParameterUnit_Percent, "bpm": kAudioUnitParameterUnit_BPM,
    "semitone12TET": kAudioUnitParameterUnit_RelativeSemiTones,
    "cent": kAudioUnitParameterUnit_Cents, "oct": kAudioUnitParameterUnit_Octaves,
    "beat": kAudioUnitParameterUnit_Beats, "degree": kAudioUnitParameterUnit_Degrees,
    "frame": kAudioUnitParameterUnit_SampleFrames, "m": kAudioUnitParameterUnit_Meters,
    "midiNote": kAudioUnitParameterUnit_MIDINoteNumber, "coef": kAudioUnitParameterUnit_Generic,
  ]

  private static let texts = [
    "bar": "bars", "cm": "cm", "inch": "in", "khz": "kHz", "km": "km", "mhz": "MHz",
    "mile": "mi", "min": "min", "mm": "mm", "midiController": "MIDI controller",
  ]

  private static let symbols: [String: UInt32] = [
    "hz": kAudioUnitParameterUnit_Hertz, "db": kAudioUnitParameterUnit_Decibels,
    "s": kAudioUnitParameterUnit_Seconds, "sec": kAudioUnitParameterUnit_Seconds,
    "ms": kAudioUnitParameterUnit_Milliseconds, "%": kAudioUnitParameterUnit_Percent,
    "bpm": kAudioUnitParameterUnit_BPM, "st": kAudioUnitParameterUnit_RelativeSemiTones,
    "semitone": kAudioUnitParameterUnit_RelativeSemiTones,
    "semitones": kAudioUnitParameterUnit_RelativeSemiTones,
    "ct": kAudioUnitParameterUnit_Cents, "cent": kAudioUnitParameterUnit_Cents,
    "cents": kAudioUnitParameterUnit_Cents, "oct": kAudioUnitParameterUnit_Octaves,
    "°": kAudioUnitParameterUnit_Degrees, "deg": kAudioUnitParameterUnit_Degrees,
    "m": kAudioUnitParameterUnit_Meters,
  ]
}
