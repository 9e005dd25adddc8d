// Components and sources made for tests.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import CAudioToolbox

/// A description of three codes.
func describe(_ triple: String, flags: UInt32 = 0, mask: UInt32 = 0) -> AudioComponentDescription {
  let codes = triple.split(separator: ":").map { part in
    part == "*" ? 0 : FourCharacterCode(String(part))?.rawValue ?? 0
  }
  return AudioComponentDescription(
    componentType: codes[0], componentSubType: codes[1], componentManufacturer: codes[2],
    componentFlags: flags, componentFlagsMask: mask)
}

/// A component that cannot be opened.
func component(
  _ triple: String, _ name: String, uri: String? = nil, flags: UInt32 = 0,
  origin: ComponentOrigin? = nil
) -> AudioComponent {
  unsafe AudioComponent(
    description: describe(triple, flags: flags), name: name, version: 0x0001_0203,
    origin: origin ?? (uri == nil ? .native : ComponentOrigin(rawValue: "lv2")),
    location: uri.map { .plugIn("/lv2/x.lv2", identifier: $0) }
      ?? .path("/components/\(name).component")
  ) { (_) throws(AuricleError) in
    throw AuricleError(.unavailable, status: -4, "\(name) is made of paper.")
  }
}

struct SampleSource: AudioComponentSource {
  var components: [AudioComponent] = []
  var problems: [ComponentProblem] = []

  func discover() -> ComponentDiscovery {
    ComponentDiscovery(components: components, problems: problems)
  }
}

/// A registry of a few effects, an instrument, and two LV2 plug-ins that share a name.
func sampleRegistry() -> AudioComponentRegistry {
  AudioComponentRegistry(sources: [
    SampleSource(components: [
      component("aufx:lpas:appl", "Auricle: Low-pass filter"),
      component("aufx:mrev:appl", "Auricle: Matrix reverb"),
      component("aumu:samp:appl", "Auricle: Sampler"),
    ]),
    SampleSource(components: [
      component(
        "aufx:Ab12:Calf", "Calf: Compressor", uri: "http://calf.example/plugins/Compressor"),
      component("aufx:Cd34:Zam_", "Zam: Compressor", uri: "urn:zam:compressor"),
      component("aufx:Ef56:Zam_", "Zam: Matrix reverb", uri: "urn:zam:reverb"),
      component("aufc:conv:appl", "Auricle: Converter", flags: kAudioComponentFlag_Unsearchable),
    ]),
  ])
}
