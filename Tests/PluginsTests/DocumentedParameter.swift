// The documented parameters of the units that ParameterTableTests has no whole tables of.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// One documented parameter: id, scopes, unit, range, default; nil where none is documented.
///
/// Two defaults are left open on purpose. That of the new time pitch's pitch is documented as a cent beside the pitch
/// that came in. Those of the 3D mixer's limits would silence everything.
struct DocumentedParameter {
  let id: AudioUnitParameterID
  let scopes: [AudioUnitScope]
  let unit: AudioUnitParameterUnit
  let minimum: Float?
  let maximum: Float?
  let value: Float?
  let isReadOnly: Bool

  private static let units: [Substring: AudioUnitParameterUnit] = [
    "cents": kAudioUnitParameterUnit_Cents,
    "crossfade": kAudioUnitParameterUnit_EqualPowerCrossfade,
    "decibels": kAudioUnitParameterUnit_Decibels, "degrees": kAudioUnitParameterUnit_Degrees,
    "fader": kAudioUnitParameterUnit_MixerFaderCurve1, "gain": kAudioUnitParameterUnit_LinearGain,
    "hertz": kAudioUnitParameterUnit_Hertz, "index": kAudioUnitParameterUnit_Indexed,
    "meters": kAudioUnitParameterUnit_Meters, "milliseconds": kAudioUnitParameterUnit_Milliseconds,
    "number": kAudioUnitParameterUnit_Generic, "octaves": kAudioUnitParameterUnit_Octaves,
    "pan": kAudioUnitParameterUnit_Pan, "percent": kAudioUnitParameterUnit_Percent,
    "rate": kAudioUnitParameterUnit_Rate, "seconds": kAudioUnitParameterUnit_Seconds,
    "semitones": kAudioUnitParameterUnit_RelativeSemiTones,
    "switch": kAudioUnitParameterUnit_Boolean,
  ]

  /// Reads a line: "ID SCOPE UNIT MINIMUM MAXIMUM DEFAULT", then "read-only" where it is.
  init?(_ line: Substring) {
    let words = line.split(separator: " ")
    guard words.count >= 6, let id = UInt32(words[0]), let unit = Self.units[words[2]] else {
      return nil
    }
    self.id = id
    self.unit = unit
    let input = kAudioUnitScope_Input, output = kAudioUnitScope_Output
    scopes =
      words[1] == "both"
      ? [input, output] : [words[1] == "input" ? input : kAudioUnitScope_Global]
    let numbers = words[3..<6].map { $0 == "half" ? 22_050 : Float($0) }
    (minimum, maximum, value) = (numbers[0], numbers[1], numbers[2])
    isReadOnly = words.count > 6
  }

  /// The parameters of a unit.
  static func all(of unit: String) -> [DocumentedParameter] {
    (tables[unit] ?? "").split(separator: "\n").compactMap { DocumentedParameter($0) }
  }

  /// The level meters of each bus of a mixer.
  private static let levels = """
    1000 both decibels - - - read-only
    2000 both decibels - - - read-only
    3000 both decibels - - - read-only
    4000 both decibels - - - read-only
    """

  /// Parameters by unit, one a line. "half" is half of the 44,100 Hz that a fresh unit has.
  static let tables: [String: String] = [
    "aufx:bpas:appl": """
    0 global hertz 20 half 5000
    1 global cents 100 12000 600
    """,
    "aufx:hshf:appl": """
    0 global hertz 10000 half 10000
    1 global decibels -40 40 0
    """,
    "aufx:lshf:appl": """
    0 global hertz 10 200 80
    1 global decibels -40 40 0
    """,
    "aufx:nbeq:appl": """
    0 global decibels -96 24 0
    1000 global switch 0 1 1
    2000 global index 0 10 0
    3000 global hertz 20 half 1000
    4000 global decibels -96 24 0
    5000 global octaves 0.05 5 0.5
    """,
    "aufx:filt:appl": """
    0 global index 0 1 0
    1 global hertz 10 half 100
    2 global decibels -18 18 0
    3 global hertz 10 half 100
    4 global decibels -18 18 0
    5 global octaves 0.05 3 2
    6 global hertz 10 half 100
    7 global decibels -18 18 0
    8 global octaves 0.05 3 2
    9 global hertz 10 half 100
    10 global decibels -18 18 0
    11 global octaves 0.05 3 2
    12 global index 0 1 0
    13 global hertz 10 half 100
    14 global decibels -18 18 0
    """,
    "aufx:mcmp:appl": """
    0 global decibels -40 40 0
    1 global decibels -40 40 0
    2 global hertz 20 half 120
    3 global hertz 20 half 700
    4 global hertz 20 half 3000
    5 global decibels -100 0 -22
    6 global decibels -100 0 -32
    7 global decibels -100 0 -33
    8 global decibels -100 0 -36
    9 global decibels 0.1 40 5
    10 global decibels 0.1 40 12
    11 global decibels 0.1 40 5
    12 global decibels 0.1 40 7.5
    13 global seconds 0.001 0.2 0.08
    14 global seconds 0.01 3 0.12
    15 global decibels -20 20 0
    16 global decibels -20 20 0
    17 global decibels -20 20 0
    18 global decibels -20 20 0
    1000 global decibels 0 20 - read-only
    2000 global decibels 0 20 - read-only
    3000 global decibels 0 20 - read-only
    4000 global decibels 0 20 - read-only
    5000 global decibels -120 20 - read-only
    6000 global decibels -120 20 - read-only
    7000 global decibels -120 20 - read-only
    8000 global decibels -120 20 - read-only
    9000 global decibels -120 20 - read-only
    10000 global decibels -120 20 - read-only
    11000 global decibels -120 20 - read-only
    12000 global decibels -120 20 - read-only
    """,
    "aufx:dist:appl": """
    0 global milliseconds 0.1 500 0.1
    1 global rate 0.1 50 1
    2 global percent 0 100 50
    3 global percent 0 100 -
    4 global percent 0 100 0
    5 global percent 0 100 50
    6 global gain 0 1 1
    7 global gain 0 20 0
    8 global gain 0 20 0
    9 global percent 0 100 50
    10 global hertz 0.5 8000 100
    11 global hertz 0.5 8000 100
    12 global percent 0 100 50
    13 global percent 0 100 0
    14 global decibels -80 20 -6
    15 global percent 0 100 50
    """,
    "aufx:rogr:appl": """
    0 global decibels -80 0 -6
    1 global milliseconds 0 1000 1000
    2 global decibels -80 0 -6
    3 global milliseconds 0 1000 1000
    4 global index 0 2 2
    5 global index 0 2 0
    6 global decibels -80 20 -6
    """,
    "aufx:rvb2:appl": """
    0 global crossfade 0 100 100
    1 global decibels -20 20 0
    2 global seconds 0.0001 1 0.008
    3 global seconds 0.0001 1 0.05
    4 global seconds 0.001 20 1
    5 global seconds 0.001 20 0.5
    6 global number 1 1000 -
    """,
    "aufc:vari:appl": """
    0 global rate 0.25 4 1
    1 global cents -2400 2400 0
    """,
    "aufc:nutp:appl": """
    0 global rate 0.03125 32 1
    1 global cents -2400 2400 -
    4 global number 3 32 8
    6 global switch 0 1 1
    7 global switch 0 1 1
    """,
    "aumu:samp:appl": """
    900 global decibels -90 12 0
    901 global semitones -24 24 0
    902 global cents -99 99 0
    903 global pan -1 1 0
    """,
    "aumu:dls :appl": """
    0 global cents -1200 1200 0
    1 global decibels -120 40 0
    2 global decibels -120 40 0
    """,
    "aupn:vbas:appl": """
    0 global gain 0 1 1
    1 global degrees -180 180 0
    2 global degrees -90 90 0
    3 global number 0 1 1
    4 global meters 0.01 1000 1
    5 global meters 0.01 1000 1
    """,
    "aumx:3dem:appl": """
    0 input degrees -180 180 0
    1 input degrees -90 90 0
    2 input meters 0 10000 0
    3 both decibels -120 20 0
    4 input rate 0.5 2 1
    5 input switch 0 1 1
    6 input gain 0 10 0
    7 input gain 0 10 10
    8 input percent 0 100 30
    9 global decibels -40 40 0
    10 input decibels -100 0 0
    11 input decibels -100 0 0
    14 global hertz 10 20000 800
    15 global octaves 0.05 4 3
    16 global decibels -18 18 0
    17 global index 0 10 0
    18 global switch 0 1 1
    19 global degrees -180 180 0
    20 global degrees -90 90 0
    21 global degrees -180 180 0
    """,
    "aumx:3dmx:appl": """
    0 input degrees -180 180 0
    1 input degrees -90 90 0
    2 input meters 0 10000 0
    3 both decibels -120 20 0
    4 input rate 0.5 2 -
    5 input percent 0 100 -
    6 global decibels -40 40 -
    7 input decibels -100 0 -
    8 input decibels -100 0 -
    9 both decibels -120 20 -
    10 both decibels -120 20 -
    20 input switch 0 1 -
    21 both decibels -120 20 -
    22 both decibels -120 20 -
    23 input percent 0 100 -
    24 global decibels -40 40 -
    25 input decibels -100 0 -
    26 input decibels -100 0 -
    \(levels)
    """,
    "aumx:mcmx:appl": """
    0 input gain 0 1 1
    1 input switch 0 1 1
    2 input pan -1 1 0
    \(levels)
    """,
    "aumx:smxr:appl": """
    0 both fader 0 1 1
    1 input pan 0 1 0.5
    \(levels)
    """,
  ]
}
