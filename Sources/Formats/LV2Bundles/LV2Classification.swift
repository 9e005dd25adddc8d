// Maps classes and ports to component types and tags.
// SPDX-License-Identifier: Apache-2.0

internal import CAudioToolbox

extension LV2PluginRecord {
  /// The component type the plug-in is listed under.
  ///
  /// - Parameter kinds: Its `classTags`.
  package func componentType(_ kinds: [String]) -> UInt32 {
    if kinds.contains("Instrument") { return kAudioUnitType_MusicDevice }
    let hasAudioIn = ports.audioIn > 0
    let hasAudioOut = ports.audioOut > 0
    if hasAudioIn && hasAudioOut {
      if kinds.contains("Mixer") { return kAudioUnitType_Mixer }
      if kinds.contains("Converter") { return kAudioUnitType_FormatConverter }
      return ports.midiIn > 0 ? kAudioUnitType_MusicEffect : kAudioUnitType_Effect
    }
    if hasAudioIn { return kAudioUnitType_Effect }
    if hasAudioOut {
      let isGenerator = kinds.contains("Generator") || ports.midiIn == 0
      return isGenerator ? kAudioUnitType_Generator : kAudioUnitType_MusicDevice
    }
    // Without audio: a plug-in with events is a MIDI processor, others make control signals.
    let handlesEvents = ports.atomIn > 0 || ports.atomOut > 0 || kinds.contains("MIDI")
    return handlesEvents ? kAudioUnitType_MIDIProcessor : kAudioUnitType_Generator
  }

  /// The component version: 0xMMMMmmbb, from LV2's minor and micro versions.
  package var componentVersion: UInt32 {
    UInt32(minorVersion) << 16 | UInt32(min(microVersion, 255)) << 8
      | (microVersion > 255 ? 255 : 0)
  }

  /// Names of the plug-in's classes and their superclasses, the most general first.
  package var classTags: [String] {
    var tags: [String] = []
    for uri in classes {
      for tag in Self.lineages[uri] ?? Self.lineage(ofClass: uri) where !tags.contains(tag) {
        tags.append(tag)
      }
    }
    return tags
  }

  /// The lineages of the classes of the LV2 core, by their URIs.
  private static let lineages = Dictionary(
    uniqueKeysWithValues: classNames.map {
      let uri = "\(LV2Names.core)\($0)Plugin"
      return (uri, lineage(ofClass: uri))
    })

  private static func lineage(ofClass uri: String) -> [String] {
    guard uri.hasPrefix(LV2Names.core), uri.hasSuffix("Plugin") else { return [] }
    return lineage(of: String(uri.dropFirst(LV2Names.core.count).dropLast("Plugin".count)))
  }

  /// A class after its superclasses.
  private static func lineage(of name: String) -> [String] {
    guard !name.isEmpty else { return [] }
    return parents[name].map { lineage(of: $0) + [name] } ?? [name]
  }

  /// The names of all classes of the LV2 core, without "Plugin".
  package static let classNames = Set(parents.keys).union(parents.values)
    .union(["Delay", "MIDI", "Reverb", "Simulator", "Spatial"])

  /// The subclasses of the LV2 core.
  private static let parents = [
    "Instrument": "Generator", "Oscillator": "Generator", "Constant": "Generator",
    "Converter": "Utility", "Analyser": "Utility", "Function": "Utility", "Mixer": "Utility",
    "Amplifier": "Dynamics", "Compressor": "Dynamics", "Envelope": "Dynamics",
    "Expander": "Dynamics", "Gate": "Dynamics", "Limiter": "Dynamics",
    "Chorus": "Modulator", "Flanger": "Modulator", "Phaser": "Modulator",
    "Allpass": "Filter", "Bandpass": "Filter", "Comb": "Filter", "EQ": "Filter",
    "Highpass": "Filter", "Lowpass": "Filter", "MultiEQ": "EQ", "ParaEQ": "EQ",
    "Pitch": "Spectral", "Waveshaper": "Distortion",
  ]
}
