// A parameter's unit of measurement, the curve of its control, and its group.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// The unit of measurement of a parameter, by which hosts show and read its values.
///
/// ```swift
/// @Parameter(1, "time", 0...2, default: 0.5, unit: .seconds) var time: Float
/// @Parameter(2, "slope", 0...48, default: 12, unit: .custom("dB/octave")) var slope: Float
/// ```
///
/// The corresponding Core Audio codes are `kAudioUnitParameterUnit_…`.
public struct ParameterUnit: Sendable {
  /// The code of Core Audio.
  public var code: AudioUnitParameterUnit
  /// The text of a unit that Core Audio has no code for.
  public var name: String?

  /// A unit by its code.
  public init(code: AudioUnitParameterUnit) { self.code = code }

  /// Returns a unit that Core Audio has no code for, by the text that is shown, such as "LUFS".
  public static func custom(_ name: String) -> ParameterUnit {
    var unit = ParameterUnit(code: kAudioUnitParameterUnit_CustomUnit)
    unit.name = name
    return unit
  }

  /// No unit.
  public static let generic = ParameterUnit(code: kAudioUnitParameterUnit_Generic)
  /// Per cent.
  public static let percent = ParameterUnit(code: kAudioUnitParameterUnit_Percent)
  /// Seconds.
  public static let seconds = ParameterUnit(code: kAudioUnitParameterUnit_Seconds)
  /// Milliseconds.
  public static let milliseconds = ParameterUnit(code: kAudioUnitParameterUnit_Milliseconds)
  /// Frames.
  public static let frames = ParameterUnit(code: kAudioUnitParameterUnit_SampleFrames)
  /// Degrees of phase, −180 to 180.
  public static let phase = ParameterUnit(code: kAudioUnitParameterUnit_Phase)
  /// A factor of speed.
  public static let rate = ParameterUnit(code: kAudioUnitParameterUnit_Rate)
  /// Hertz.
  public static let hertz = ParameterUnit(code: kAudioUnitParameterUnit_Hertz)
  /// Hundredths of a semitone.
  public static let cents = ParameterUnit(code: kAudioUnitParameterUnit_Cents)
  /// Semitones.
  public static let semitones = ParameterUnit(code: kAudioUnitParameterUnit_RelativeSemiTones)
  /// A key, 0 to 127.
  public static let note = ParameterUnit(code: kAudioUnitParameterUnit_MIDINoteNumber)
  /// A MIDI controller, 0 to 127.
  public static let controller = ParameterUnit(code: kAudioUnitParameterUnit_MIDIController)
  /// Decibels.
  public static let decibels = ParameterUnit(code: kAudioUnitParameterUnit_Decibels)
  /// A factor of amplitude.
  public static let linearGain = ParameterUnit(code: kAudioUnitParameterUnit_LinearGain)
  /// Degrees.
  public static let degrees = ParameterUnit(code: kAudioUnitParameterUnit_Degrees)
  /// Per cent of a crossfade of equal power.
  public static let equalPowerCrossfade = ParameterUnit(
    code: kAudioUnitParameterUnit_EqualPowerCrossfade)
  /// From −1, left, to 1, right.
  public static let pan = ParameterUnit(code: kAudioUnitParameterUnit_Pan)
  /// Metres.
  public static let meters = ParameterUnit(code: kAudioUnitParameterUnit_Meters)
  /// Octaves.
  public static let octaves = ParameterUnit(code: kAudioUnitParameterUnit_Octaves)
  /// Beats a minute.
  public static let beatsPerMinute = ParameterUnit(code: kAudioUnitParameterUnit_BPM)
  /// Beats.
  public static let beats = ParameterUnit(code: kAudioUnitParameterUnit_Beats)
  /// A ratio.
  public static let ratio = ParameterUnit(code: kAudioUnitParameterUnit_Ratio)
}

/// The curve by which a control shows the range of a parameter.
///
/// `.logarithmic` suits frequencies and times, `.linear` suits decibels and per cent. Values, presets and ramps
/// stay linear: the curve is for display alone.
///
/// The corresponding Core Audio flags are `kAudioUnitParameterFlag_Display…`.
public enum ParameterCurve: Sendable {
  case linear, logarithmic, exponential, squared, squareRoot, cubed, cubeRoot

  /// The flags of Core Audio.
  var display: AudioUnitParameterOptions {
    switch self {
    case .linear: 0
    case .logarithmic: kAudioUnitParameterFlag_DisplayLogarithmic
    case .exponential: kAudioUnitParameterFlag_DisplayExponential
    case .squared: kAudioUnitParameterFlag_DisplaySquared
    case .squareRoot: kAudioUnitParameterFlag_DisplaySquareRoot
    case .cubed: kAudioUnitParameterFlag_DisplayCubed
    case .cubeRoot: kAudioUnitParameterFlag_DisplayCubeRoot
    }
  }
}

/// Further traits of a parameter.
///
/// ```swift
/// @Parameter(
///   1, "frequency", 20...22050, default: 1000, unit: .hertz, curve: .logarithmic,
///   options: [.upToNyquist, .glides])
/// var frequency: Float
/// ```
public struct ParameterOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// Makes a set of its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The greatest value is half the sample rate, independent of the declared range.
  public static let upToNyquist = ParameterOptions(rawValue: 1)
  /// Range and default are multiplied by the sample rate: 0.5 is half of it in Hz.
  public static let timesSampleRate = ParameterOptions(rawValue: 2)
  /// Changes should be avoided while rendering, for example since the latency follows them.
  public static let notWhileRendering = ParameterOptions(rawValue: 4)
  /// For experts; a host may hide it at first.
  public static let expert = ParameterOptions(rawValue: 8)
  /// Left out of saved states and presets, such as a trigger.
  public static let notSaved = ParameterOptions(rawValue: 16)
  /// The kernel goes to each new value in its own time: a host is not offered ramps.
  public static let glides = ParameterOptions(rawValue: 32)
}

/// A group that parameters are shown in.
///
/// In the `init()` of a `ParameterSet`:
///
/// ```swift
/// let clump = Clump(1, "envelope")
/// _attack = Parameter(1, "attack", 0.001...2, default: 0.01, unit: .seconds, clump: clump)
/// _release = Parameter(2, "release", 0.01...5, default: 0.3, unit: .seconds, clump: clump)
/// ```
///
/// The corresponding Core Audio word is clump, and the property `kAudioUnitProperty_ParameterClumpName`.
public struct Clump: Sendable {
  /// The number of the group, from 1.
  public var id: UInt32
  /// The name that is shown.
  public var name: String

  /// Declares a group; id is 1 or more.
  public init(_ id: UInt32, _ name: String) {
    self.id = id
    self.name = name
  }
}
