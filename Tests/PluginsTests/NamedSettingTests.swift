// Settings of units that are no parameters: their names, values and refusals.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import TestSupport
import Testing

@Suite("Named settings") struct NamedSettingTests {
  @Test("each has a name, its values and the value of a fresh instance")
  func lists() throws {
    let wanted: [(String, [String])] = [
      ("lpas", ["design"]), ("hpas", ["design"]), ("pmeq", ["design"]), ("bpas", ["design"]),
      ("lshf", ["design"]), ("hshf", ["design"]), ("greq", ["design"]), ("ipeq", ["design"]),
      ("filt", ["design"]), ("nbeq", ["design", "bands"]), ("dcmp", ["look-ahead"]),
      ("lmtr", ["true-peak"]), ("dely", []),
    ]
    for (subtype, symbols) in wanted {
      let unit = try Shipped.open(subtype)
      #expect(unit.textProperties.map(\.symbol) == symbols, "\(subtype)")
      let values = unit.textValues
      for setting in unit.textProperties {
        let parameter = try #require(setting.parameter)
        #expect(values[setting.symbol].flatMap(Float.init) == parameter.defaultValue, "\(subtype)")
      }
    }
  }

  /// Properties that every unit has for its host, not for a person.
  private static let ofHosts: Set<AudioUnitPropertyID> = [
    0, 1, 2, 6, 8, 14, 15, 19, 21, 23, 25, 26, 27, 28, 29, 30, 36, 37, 40, 46, 49, 50, 51, 54, 100,
    kAuricleProperty_NaNGuard, kAuricleProperty_DenormalsAreOff, kAuricleProperty_TextProperties,
  ]

  /// Properties with the names that they are set by.
  private static let named: [AudioUnitPropertyID: [String]] = [
    kAuricleProperty_LookAhead: ["look-ahead"], kAuricleProperty_TruePeak: ["true-peak"],
    kAuricleProperty_FilterDesign: ["design"], kAUNBandEQProperty_NumberOfBands: ["bands"],
    kAudioUnitProperty_SpatializationAlgorithm: ["algorithm"],
    kAudioUnitProperty_SpatialMixerAttenuationCurve: ["attenuation"],
    kAudioUnitProperty_SpatialMixerRenderingFlags: ["inter-aural-delay", "distance-attenuation"],
    kAudioUnitProperty_SpatialMixerDistanceParams: [
      "reference-distance", "longest-distance", "most-attenuation",
    ],
    kAudioUnitProperty_DopplerShift: ["doppler"],
    kAudioUnitProperty_UsesInternalReverb: ["reverb"],
    kAudioUnitProperty_SpatialMixerSourceMode: ["source-mode"],
    kAudioUnitProperty_SpatialMixerOutputType: ["output-type"],
  ]

  /// The room of a mixer in space, which has a name; meters, and distances as a curve of points.
  private static let ofScenes: Set<AudioUnitPropertyID> = [10, 11, 1005, 3007, 3012]

  /// Subtypes whose further properties are no settings of a chain, and the reason.
  private static let others: [String: String] = [
    "conv": "the complexity of its conversion is that of a host's chain",
    "genr": "it renders for a host in non-real time", "defr": "frames of a host's pulls, read once",
    "mcmx": "meters and levels of a host's mixer", "smxr": "meters and levels of a host's mixer",
    "mxmx": "meters and levels of a host's mixer", "nsnd": "its settings have names of their own",
    "nrcv": "its settings have names of their own", "sspl": "slices of sound from a program",
    "afpl": "files and regions from a program", "dls ": "banks have a name, the rest is MIDI",
    "msyn": "banks have a name, the rest is MIDI",
    "samp": "instruments have a name, the rest is MIDI",
    "ttsp": "voice and text have names, the rest is of a program", "mspl": "layouts of a host",
    "tmpt": "lengths of an offline host", "vari": "lengths of an offline host",
    "mrev": "its room is in the factory presets", "rvb2": "its room is in the factory presets",
  ]

  @Test("every property that can be set has a name, or is one of a host")
  func everyProperty() throws {
    let all = try Shipped.registry.get().components.map(\.triple)
    #expect(all.count > 30)
    for triple in all where triple.hasSuffix(":appl") && !triple.hasPrefix("auou") {
      let subtype = String(triple.dropFirst(5).prefix(4))
      guard Self.others[subtype] == nil, let unit = try? Shipped.open(name: triple) else {
        continue
      }
      let symbols = Set(unit.textProperties.map(\.symbol))
      for id in (0...4200).map(AudioUnitPropertyID.init) + (64_000...64_100) {
        guard !Self.ofHosts.contains(id),
          [kAudioUnitScope_Global, kAudioUnitScope_Input].contains(where: { scope in
            (try? unit.propertyInfo(id, scope: scope))?.isWritable == true
          }), !(Self.named[id].map(symbols.isSuperset) ?? Self.ofScenes.contains(id))
        else { continue }
        Issue.record("property \(id) of \(triple) has no name")
      }
    }
  }

  @Test("a setting and the property behind it are one")
  func properties() throws {
    let limiter = try Shipped.open("lmtr")
    try limiter.setText("true-peak", "1")
    #expect(try limiter.property(kAuricleProperty_TruePeak, as: UInt32.self) == 1)
    let dynamics = try Shipped.open("dcmp")
    try dynamics.setText("look-ahead", "0.003")
    #expect(try dynamics.property(kAuricleProperty_LookAhead, as: Double.self) == 0.003)
    try dynamics.setProperty(kAuricleProperty_LookAhead, 0.01)
    #expect(dynamics.textValues == ["look-ahead": "0.01"])
    let equalizer = try Shipped.open("nbeq")
    try equalizer.setText("bands", "16")
    try equalizer.setText("design", "0")
    #expect(try equalizer.property(kAUNBandEQProperty_NumberOfBands, as: UInt32.self) == 16)
    #expect(try equalizer.property(kAuricleProperty_FilterDesign, as: UInt32.self) == 0)
    for (unit, name, value) in [
      (limiter, "true-peak", "2"), (dynamics, "look-ahead", "0.2"), (equalizer, "bands", "2.5"),
      (equalizer, "design", "matched"), (dynamics, "look-ahead", "soon"),
      (dynamics, "nothing", "1"),
    ] {
      #expect(throws: AuricleError.self) { try unit.setText(name, value) }
    }
    #expect(dynamics.textValues == ["look-ahead": "0.01"])
  }
}
