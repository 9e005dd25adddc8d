// Names and values of parameters: units of measure, names of values, ranges, messages about bad ones.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import ChainPresets
import Testing

/// A made-up unit with one parameter of every kind.
enum SomeParameters {
  static func make(
    _ id: UInt32, _ name: String, _ unit: AudioUnitParameterUnit, _ range: ClosedRange<Float>,
    symbol: String? = nil, unitName: String? = nil, names: [String]? = nil,
    points: [(value: Float, name: String)]? = nil, isMeter: Bool = false
  ) -> UnitParameter {
    UnitParameter(
      id: id, name: name, symbol: symbol, unit: unit, unitName: unitName,
      minimum: range.lowerBound, maximum: range.upperBound, defaultValue: range.lowerBound,
      flags: isMeter ? 0x4000_8000 : 0xC000_0000, valueNames: names, valuePoints: points)
  }

  static let all: [UnitParameter] = [
    make(0, "cutoff frequency", kAudioUnitParameterUnit_Hertz, 10...22050),
    make(1, "resonance", kAudioUnitParameterUnit_Decibels, -20...40),
    make(2, "attack time", kAudioUnitParameterUnit_Seconds, 0.0001...0.2),
    make(3, "delay", kAudioUnitParameterUnit_Milliseconds, 0...2000),
    make(4, "wet/dry mix", kAudioUnitParameterUnit_EqualPowerCrossfade, 0...100),
    make(5, "density", kAudioUnitParameterUnit_Generic, 0...1),
    make(6, "feedback", kAudioUnitParameterUnit_Percent, -100...100),
    make(7, "amount", kAudioUnitParameterUnit_Percent, 0...1),
    make(8, "expansion ratio", kAudioUnitParameterUnit_Rate, 1...50),
    make(9, "pitch", kAudioUnitParameterUnit_Cents, -2400...2400),
    make(10, "transpose", kAudioUnitParameterUnit_RelativeSemiTones, -24...24),
    make(11, "width", kAudioUnitParameterUnit_Octaves, 0.05...4),
    make(12, "gain", kAudioUnitParameterUnit_LinearGain, 0...4),
    make(13, "on", kAudioUnitParameterUnit_Boolean, 0...1, symbol: "enabled"),
    make(14, "mode", kAudioUnitParameterUnit_Indexed, 0...2, names: ["Low Pass", "Band", "High"]),
    make(15, "tempo", kAudioUnitParameterUnit_BPM, 20...300),
    make(16, "frames", kAudioUnitParameterUnit_SampleFrames, 0...1000),
    make(17, "Level In", kAudioUnitParameterUnit_Decibels, -60...0, symbol: "gain_in"),
    make(18, "Level", kAudioUnitParameterUnit_Decibels, -60...0, symbol: "level_left"),
    make(19, "Level", kAudioUnitParameterUnit_Decibels, -60...0, symbol: "level_right"),
    make(20, "meter", kAudioUnitParameterUnit_Decibels, -60...0, isMeter: true),
    make(21, "speed", kAudioUnitParameterUnit_CustomUnit, 0...10, unitName: "m/s"),
    make(
      22, "slope", kAudioUnitParameterUnit_Generic, 0...48, symbol: "slp",
      points: [(12, "12dB/oct"), (24, "24dB/oct"), (48, "48dB/oct")]),
    make(23, "phase", kAudioUnitParameterUnit_Degrees, 0...360),
    make(24, "threshold", kAudioUnitParameterUnit_Generic, 0.1...1),
    make(25, "switch", kAudioUnitParameterUnit_Indexed, 0...1, names: ["Off", "On"]),
    make(26, "steps", kAudioUnitParameterUnit_Indexed, 0...9),
    make(27, "makeup", kAudioUnitParameterUnit_CustomUnit, 0...10, unitName: "G"),
  ]

  static func set(_ assignment: String) throws -> (id: UInt32, value: Float) {
    let found = try ParameterSetting(assignment: assignment).resolved(among: all)
    return (found.id, found.value)
  }
}

@Suite struct ParameterSettingTests {
  @Test(arguments: [
    ("cutoff frequency=80", 0, 80), ("cutoff frequency=80 Hz", 0, 80), ("0=80hz", 0, 80),
    ("cutoff frequency=1.5 kHz", 0, 1500), ("CUTOFF_FREQUENCY = 2KHZ", 0, 2000),
    ("cutoff-frequency=+1e3", 0, 1000), ("cutofffrequency=10", 0, 10),
    ("resonance=-6dB", 1, -6), ("resonance=\u{2212}6 dB", 1, -6), ("Resonance=.5", 1, 0.5),
    ("attack time=6 ms", 2, 0.006), ("attack time=0.0001", 2, 0.0001),
    ("attack time=200ms", 2, 0.2),
    ("attack time=500 µs", 2, 0.0005), ("delay=0.5 s", 3, 500), ("delay=20 ms", 3, 20),
    ("wet/dry mix=28 %", 4, 28), ("wet/dry mix=28", 4, 28), ("density=60 %", 5, 0.6),
    ("density=0.6", 5, 0.6), ("feedback=-9 %", 6, -9), ("amount=25 %", 7, 0.25),
    ("amount=0.25", 7, 0.25), ("expansion ratio=4:1", 8, 4), ("expansion ratio=4", 8, 4),
    ("expansion ratio=2.5x", 8, 2.5), ("pitch=2 st", 9, 200), ("pitch=1 oct", 9, 1200),
    ("pitch=50 cents", 9, 50), ("transpose=700 cents", 10, 7), ("transpose=7 semitones", 10, 7),
    ("width=600 cents", 11, 0.5), ("width=1 octave", 11, 1), ("gain=1.5", 12, 1.5),
    ("gain=0 dB", 12, 1), ("gain=-20 dB", 12, 0.1), ("gain=6.0206 dB", 12, 2),
    ("on=true", 13, 1), ("on=false", 13, 0), ("enabled=1", 13, 1),
    ("mode=Low Pass", 14, 0), ("mode=low pass", 14, 0), ("mode=low_pass", 14, 0),
    ("mode=HIGH", 14, 2), ("mode=1", 14, 1), ("tempo=120 bpm", 15, 120),
    ("frames=64 samples", 16, 64), ("gain_in=-3", 17, -3), ("level in=-3 dB", 17, -3),
    ("level_left=-3", 18, -3), ("19=-3", 19, -3), ("speed=3 m/s", 21, 3), ("speed=3", 21, 3),
    ("slope=24dB/oct", 22, 24), ("slope=24 db/oct", 22, 24), ("slp=24", 22, 24),
    ("slope=36", 22, 36),
    ("phase=90°", 23, 90), ("phase=90 deg", 23, 90), ("threshold=0.1", 24, 0.1),
    ("threshold=10 %", 24, 0.1), ("switch=on", 25, 1), ("switch=Off", 25, 0),
    ("switch=true", 25, 1),
    ("steps=4", 26, 4), ("makeup=-20 dB", 27, 0.1), ("makeup=2", 27, 2), ("makeup=2 G", 27, 2),
  ])
  func values(assignment: String, id: UInt32, value: Float) throws {
    let found = try SomeParameters.set(assignment)
    #expect(found.id == id)
    #expect(abs(found.value - value) <= abs(value) * 1e-6)
  }

  @Test(arguments: [
    (
      "cutoff frequency=200000",
      "200000 Hz is above the maximum 22050 Hz of 'cutoff frequency', "
        + "which goes from 10 Hz to 22050 Hz"
    ),
    (
      "cutoff frequency=30 kHz",
      "30 kHz is above the maximum 22050 Hz of 'cutoff frequency', "
        + "which goes from 10 Hz to 22050 Hz"
    ),
    (
      "resonance=-20.001",
      "-20.001 dB is below the minimum -20 dB of 'resonance', which goes from "
        + "-20 dB to 40 dB"
    ),
    ("cutoff frequency=80 dB", "'cutoff frequency' is measured in Hz, not as '80 dB'"),
    ("resonance=3 Hz", "'resonance' is measured in dB, not as '3 Hz'"),
    ("delay=3 quarks", "'delay' is measured in ms, not as '3 quarks'"),
    ("density=3 Hz", "'density' is a plain number without a unit, not '3 Hz'"),
    ("cutoff frequency=high", "'cutoff frequency' takes a number such as 10 Hz, not 'high'"),
    ("cutoff frequency=nan", "'cutoff frequency' takes a number such as 10 Hz, not 'nan'"),
    ("cutoff frequency=1e999", "'cutoff frequency' takes a number such as 10 Hz, not '1e999'"),
    ("cutoff frequency=0x10", "'cutoff frequency' is measured in Hz, not as '0x10'"),
    ("resonance=3,5", "'3,5' is not a number; write a point, not a comma"),
    ("on=yes", "'on' is either true or false, written so, not 'yes'"),
    ("on=2", "2 is above the maximum true of 'on', which goes from false to true"),
    ("mode=9", "9 is above the maximum 2 (High) of 'mode', which goes from Low Pass to High"),
    ("on=maybe", "'on' is true or false, not 'maybe'"),
    ("mode=Hgih", "'mode' has no value 'Hgih'; did you mean 'High'?"),
    ("mode=Notch", "'mode' has no value 'Notch'; it is 'Low Pass', 'Band' or 'High'"),
    ("mode=1.5", "'mode' is a choice and takes a whole number, not 1.5"),
    ("mode=1 Hz", "'mode' is a choice and has no unit of measure"),
    ("steps=true", "'steps' takes a number such as 0, not 'true'"),
    ("meter=-3", "'meter' is a meter and cannot be set"),
    (
      "cutof frequency=1",
      "there is no parameter 'cutof frequency'; did you mean "
        + "'cutoff frequency'?"
    ),
    ("frequency=1", "there is no parameter 'frequency'; did you mean 'cutoff frequency'?"),
    (
      "level=-3",
      "'level' is the name of 2 parameters; give the id: 18 ('Level', symbol "
        + "'level_left') or 19 ('Level', symbol 'level_right')"
    ),
    (
      "99=1",
      "there is no parameter with the id 99; the ids are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, "
        + "11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22 and 23 …"
    ),
    ("gain", "'gain' has no '='; write NAME=VALUE, such as \"threshold=-20 dB\""),
    ("=3", "'=3' has no name before the '='"), ("gain=", "'gain=' has no value after the '='"),
  ])
  func refusals(assignment: String, message: String) throws {
    let error = try #require(throws: PresetErrors.self) { try SomeParameters.set(assignment) }
    #expect(error.description == "error: " + message)
    #expect(error.category == .usage)
  }

  @Test func aUnitWithoutParametersSaysSo() throws {
    let setting = try ParameterSetting(assignment: "gain=3")
    let error = try #require(throws: PresetErrors.self) { try setting.resolved(among: []) }
    #expect(error.description == "error: there is no parameter 'gain'; the unit has no parameters")
  }

  @Test func symbolsThatOnlySomeHaveAreExact() throws {
    let parameters = [
      SomeParameters.make(0, "gain", kAudioUnitParameterUnit_Decibels, -60...0, symbol: "out"),
      SomeParameters.make(1, "Input", kAudioUnitParameterUnit_Decibels, -60...0, symbol: "gain"),
    ]
    let bySymbol = try ParameterSetting(assignment: "gain=-1").resolved(among: parameters)
    #expect(bySymbol.id == 1)
    #expect(throws: PresetErrors.self) {
      try ParameterSetting(assignment: "Gain=-1").resolved(among: parameters)
    }
  }

  @Test func valuesAreShownWithTheirUnits() {
    let shown = SomeParameters.all.map { $0.text(for: $0.maximum) }
    #expect(shown[0] == "22050 Hz")
    #expect(shown[4] == "100 %")
    #expect(shown[5] == "1")
    #expect(shown[13] == "true")
    #expect(shown[14] == "High")
    #expect(SomeParameters.all[2].rangeText == "0.0001 s to 0.2 s")
  }
}
