// Units of measure as plug-ins write them.
// SPDX-License-Identifier: Apache-2.0

internal import CAudioToolbox

/// Units of measure in texts of plug-ins.
package enum PlugInUnits {
  /// The kAudioUnitParameterUnit_… code of a text such as "Hz"; nil for others.
  package static func code(of text: String) -> UInt32? { codes[text.lowercased()] }

  private static let codes: [String: UInt32] = [
    "hz": kAudioUnitParameterUnit_Hertz, "db": kAudioUnitParameterUnit_Decibels,
    "s": kAudioUnitParameterUnit_Seconds, "sec": kAudioUnitParameterUnit_Seconds,
    "secs": kAudioUnitParameterUnit_Seconds, "seconds": kAudioUnitParameterUnit_Seconds,
    "ms": kAudioUnitParameterUnit_Milliseconds, "%": kAudioUnitParameterUnit_Percent,
    "bpm": kAudioUnitParameterUnit_BPM, "cents": kAudioUnitParameterUnit_Cents,
    "semitones": kAudioUnitParameterUnit_RelativeSemiTones,
    "octaves": kAudioUnitParameterUnit_Octaves, "degrees": kAudioUnitParameterUnit_Degrees,
    "samples": kAudioUnitParameterUnit_SampleFrames, "m": kAudioUnitParameterUnit_Meters,
  ]
}
