// The mixers in space: the spatial mixer, and its older form, the 3D mixer.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
public import CAudioToolbox
import MultiChannelMixer

private func degrees(
  _ id: AudioUnitParameterID, _ name: String, _ most: Float
) -> ParameterDefinition {
  ParameterDefinition(
    id: id, name: name, unit: kAudioUnitParameterUnit_Degrees, range: -most...most,
    defaultValue: 0)
}

private let gain = ParameterDefinition(
  id: kSpatialMixerParam_Gain, name: "gain", unit: kAudioUnitParameterUnit_Decibels,
  range: -120...20, defaultValue: 0)

private func percent(
  _ id: AudioUnitParameterID, _ value: Float, _ name: String = "reverb blend"
) -> ParameterDefinition {
  ParameterDefinition(
    id: id, name: name, unit: kAudioUnitParameterUnit_Percent, range: 0...100,
    defaultValue: value)
}

private func dulling(_ id: AudioUnitParameterID, _ name: String) -> ParameterDefinition {
  ParameterDefinition(
    id: id, name: name, unit: kAudioUnitParameterUnit_Decibels, range: -100...0, defaultValue: 0)
}

private func reverbGain(
  _ id: AudioUnitParameterID, _ name: String = "reverb gain"
) -> ParameterDefinition {
  ParameterDefinition(
    id: id, name: name, unit: kAudioUnitParameterUnit_Decibels, range: -40...40,
    defaultValue: 0)
}

/// Parameters of an input, in the order of `SourceValues.Name`.
private func inputParameters(
  enable: AudioUnitParameterID, limits: [ParameterDefinition], blend: ParameterDefinition,
  occlusion: AudioUnitParameterID, obstruction: AudioUnitParameterID
) -> [ParameterDefinition] {
  [
    degrees(kSpatialMixerParam_Azimuth, "azimuth", 180),
    degrees(kSpatialMixerParam_Elevation, "elevation", 90),
    ParameterDefinition(
      id: kSpatialMixerParam_Distance, name: "distance", unit: kAudioUnitParameterUnit_Meters,
      range: 0...10_000, defaultValue: 0),
    gain,
    ParameterDefinition(
      id: enable, name: "enable", unit: kAudioUnitParameterUnit_Boolean, range: 0...1,
      defaultValue: 1),
  ] + limits + [
    ParameterDefinition(
      id: kSpatialMixerParam_PlaybackRate, name: "playback rate",
      unit: kAudioUnitParameterUnit_Rate, range: 0.5...2, defaultValue: 1),
    blend, dulling(occlusion, "occlusion"), dulling(obstruction, "obstruction"),
  ]
}

/// The filter behind the reverb, in the order that the kernel reads it.
private let filterParameters = [
  ParameterDefinition(
    id: kReverbParam_FilterFrequency, name: "reverb filter frequency",
    unit: kAudioUnitParameterUnit_Hertz, range: 10...20_000, defaultValue: 800,
    isLogarithmic: true),
  ParameterDefinition(
    id: kReverbParam_FilterBandwidth, name: "reverb filter bandwidth",
    unit: kAudioUnitParameterUnit_Octaves, range: 0.05...4, defaultValue: 3),
  ParameterDefinition(
    id: kReverbParam_FilterGain, name: "reverb filter gain",
    unit: kAudioUnitParameterUnit_Decibels, range: -18...18, defaultValue: 0),
  ParameterDefinition(
    id: kReverbParam_FilterType, name: "reverb filter type",
    unit: kAudioUnitParameterUnit_Indexed, range: 0...10, defaultValue: 0),
  ParameterDefinition(
    id: kReverbParam_FilterEnable, name: "reverb filter enable",
    unit: kAudioUnitParameterUnit_Boolean, range: 0...1, defaultValue: 1),
]

/// Returns the common definition of the two.
private func definition(
  _ global: [ParameterDefinition], _ input: [ParameterDefinition],
  _ properties: [PropertyDefinition]
) -> UnitDefinition {
  let counts = Set(SpeakerLayout.tags.map { Int16($0 & 0xFFFF) }).sorted()
  var output = BusDefinition(name: "Output")
  output.layoutTags = SpeakerLayout.tags
  var definition = UnitDefinition(
    parameters: global,
    channelCapabilities: [1, 2].flatMap { (channels: Int16) in
      counts.map { ChannelCapability(channels, $0) }
    },
    inputs: (1...8).map {
      BusDefinition(
        name: "Input \($0)", channelCount: 1, isOptional: true, allowedChannelCounts: [1, 2])
    },
    outputs: [output], properties: properties, processesInPlace: false)
  definition.inputParameters = input
  definition.outputParameters = [gain]
  definition.inputElementCounts = 1...SpatialSettings.maximumInputCount
  // Sound through a head is late, and the kind of head may change.
  definition.maximumLatencySeconds = 0.01
  definition.kernelPullsInputs = true
  return definition
}

/// The names of `kSpatializationAlgorithm_EqualPowerPanning` and so on.
private let algorithmNames = [
  "equal power", "spherical head", "measured head", "sound field", "vectors", "stereo passes",
  "measured head, high quality", "by the output type",
]

/// The names of `kReverbRoomType_SmallRoom` and so on.
private let roomNames = [
  "small room", "medium room", "large room", "medium hall", "large hall", "plate",
  "medium chamber", "large chamber", "cathedral", "large room 2", "medium hall 2",
  "medium hall 3", "large hall 2",
]

/// The bits of the flags that a mixer has as switches; the Doppler shift has its property.
private func flagNames(_ settings: SpatialSettings, _ flags: UInt32) -> [NamedProperty] {
  let names: [(UInt32, String, String)] = [
    (k3DMixerRenderingFlags_InterAuralDelay, "inter-aural-delay", "delay between the ears"),
    (k3DMixerRenderingFlags_DistanceAttenuation, "distance-attenuation", "attenuation by distance"),
    (
      k3DMixerRenderingFlags_LinearDistanceAttenuation, "linear-attenuation",
      "linear attenuation by distance"
    ),
    (k3DMixerRenderingFlags_ConstantReverbBlend, "constant-blend", "same reverb at any distance"),
  ]
  return names.filter { flags & $0.0 != 0 }.map { flag, symbol, name in
    // A fresh instance has delay and attenuation.
    NamedProperty(
      symbol: symbol, name: name, values: [], initial: 5 & flag == 0 ? 0 : 1, isWhole: false,
      property: settings.flagProperty(kAudioUnitProperty_SpatialMixerRenderingFlags, flag))
  }
}

/// The distances of an input as numbers.
private func distanceNames(_ settings: SpatialSettings) -> [NamedProperty] {
  func named(
    _ symbol: String, _ name: String, _ field: SpatialField, _ range: ClosedRange<Float>,
    _ unit: AudioUnitParameterUnit, _ initial: Float
  ) -> NamedProperty {
    NamedProperty(
      symbol: symbol, name: name, values: [], range: (range, unit, initial), isWhole: false,
      property: settings.distanceNumber(field))
  }
  let (meters, decibels) = (kAudioUnitParameterUnit_Meters, kAudioUnitParameterUnit_Decibels)
  return [
    named("reference-distance", "reference distance", .reference, 0.001...10_000, meters, 1),
    named("longest-distance", "longest distance", .maximum, 0.001...1_000_000, meters, 100),
    named("most-attenuation", "most attenuation", .attenuation, 0...120, decibels, 40),
  ]
}

private func properties(
  _ settings: SpatialSettings, algorithms: ClosedRange<UInt32>, flags: UInt32,
  room: AudioUnitPropertyID, _ more: [NamedProperty] = []
) -> [PropertyDefinition] {
  let named =
    [
      NamedProperty(
        symbol: "algorithm", name: "algorithm",
        values: Array(algorithmNames[...Int(algorithms.upperBound)]),
        property: settings.number(
          kAudioUnitProperty_SpatializationAlgorithm, .algorithm, isValid: algorithms.contains)),
      NamedProperty(
        symbol: "attenuation", name: "attenuation curve",
        values: ["power", "exponential", "inverse", "linear"],
        property: settings.number(
          kAudioUnitProperty_SpatialMixerAttenuationCurve, .curve, isValid: { $0 <= 3 })),
      NamedProperty(
        symbol: "reverb", name: "reverb", values: [], property: settings.reverbSwitch()),
      NamedProperty(
        symbol: "room", name: "room", values: roomNames, initial: kReverbRoomType_MediumHall2,
        property: settings.roomProperty(room)),
    ] + more + flagNames(settings, flags) + distanceNames(settings)
  return [
    settings.number(
      kAudioUnitProperty_SpatialMixerRenderingFlags, .flags, isValid: { $0 & ~flags == 0 }),
    settings.distanceProperty(),
  ] + named.definitions
}

/// Makes one spatial mixer; the factory function of the component. Context: control.
@c(AuricleSpatialMixerFactory)
public func spatialMixerFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  let settings = SpatialSettings()
  func limit(_ id: AudioUnitParameterID, _ name: String, _ value: Float) -> ParameterDefinition {
    ParameterDefinition(
      id: id, name: name, unit: kAudioUnitParameterUnit_LinearGain, range: 0...10,
      defaultValue: value)
  }
  let made = definition(
    [
      degrees(kSpatialMixerParam_HeadYaw, "head yaw", 180),
      degrees(kSpatialMixerParam_HeadPitch, "head pitch", 90),
      degrees(kSpatialMixerParam_HeadRoll, "head roll", 180),
      reverbGain(kSpatialMixerParam_GlobalReverbGain),
    ] + filterParameters,
    inputParameters(
      enable: kSpatialMixerParam_Enable,
      limits: [
        limit(kSpatialMixerParam_MinGain, "least gain", 0),
        limit(kSpatialMixerParam_MaxGain, "greatest gain", 10),
      ], blend: percent(kSpatialMixerParam_ReverbBlend, 30),
      occlusion: kSpatialMixerParam_OcclusionAttenuation,
      obstruction: kSpatialMixerParam_ObstructionAttenuation),
    properties(
      settings, algorithms: 0...kSpatializationAlgorithm_UseOutputType,
      flags: kSpatialMixerRenderingFlags_InterAuralDelay
        | kSpatialMixerRenderingFlags_DistanceAttenuation,
      room: kAudioUnitProperty_ReverbRoomType,
      [
        NamedProperty(
          symbol: "source-mode", name: "source mode",
          values: ["in space if mono", "passes", "one point", "bed"],
          property: settings.number(
            kAudioUnitProperty_SpatialMixerSourceMode, .mode,
            isValid: { $0 <= kSpatialMixerSourceMode_AmbienceBed })),
        NamedProperty(
          symbol: "output-type", name: "output type",
          values: ["headphones", "built-in speakers", "external speakers"],
          first: kSpatialMixerOutputType_Headphones,
          initial: kSpatialMixerOutputType_ExternalSpeakers,
          property: settings.outputTypeProperty()),
      ]))
  return unsafe makeAudioUnit(made, description) { state, slice in
    unsafe runKernel(SpatialMixerKernel.self, state, slice)
  } makeKernel: { (format) throws(UnitRefusal) in
    try SpatialMixerKernel(format, settings, MixerSettings.unmetered, isSpatialMixer: true)
  }
}

/// Makes one 3D mixer; the factory function of the component. Context: control.
///
/// Core Audio documents a default of 0 dB for the least and the greatest gain, with which no gain could be audible;
/// here the defaults are the ends of their range. Parameters 21 to 26 duplicate 5 to 10 and act beside them: the
/// tighter limit, the larger blend, the sum of the decibels.
@c(Auricle3DMixerFactory)
public func mixer3DFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  let settings = SpatialSettings()
  let metering = MixerSettings()
  func limit(_ id: AudioUnitParameterID, _ name: String, _ value: Float) -> ParameterDefinition {
    ParameterDefinition(
      id: id, name: name, unit: kAudioUnitParameterUnit_Decibels, range: -120...20,
      defaultValue: value)
  }
  let limits = [
    limit(k3DMixerParam_MinGain, "least gain", -120),
    limit(k3DMixerParam_MaxGain, "greatest gain", 20),
  ]
  let limitsAgain = [
    limit(k3DMixerParam_MinGainInDecibels, "least gain in decibels", -120),
    limit(k3DMixerParam_MaxGainInDecibels, "greatest gain in decibels", 20),
  ]
  let again =
    limitsAgain + [
      percent(k3DMixerParam_DryWetReverbBlend, 0, "dry/wet reverb blend"),
      dulling(k3DMixerParam_OcclusionAttenuationInDecibels, "occlusion in decibels"),
      dulling(k3DMixerParam_ObstructionAttenuationInDecibels, "obstruction in decibels"),
    ]
  var made = definition(
    [
      reverbGain(k3DMixerParam_GlobalReverbGain),
      reverbGain(k3DMixerParam_GlobalReverbGainInDecibels, "reverb gain in decibels"),
    ],
    inputParameters(
      enable: k3DMixerParam_BusEnable, limits: limits,
      blend: percent(k3DMixerParam_ReverbBlend, 0),
      occlusion: k3DMixerParam_OcclusionAttenuation,
      obstruction: k3DMixerParam_ObstructionAttenuation) + again + levelParameters,
    properties(
      settings, algorithms: 0...kSpatializationAlgorithm_StereoPassThrough,
      flags: k3DMixerRenderingFlags_InterAuralDelay | k3DMixerRenderingFlags_DopplerShift
        | k3DMixerRenderingFlags_DistanceAttenuation
        | k3DMixerRenderingFlags_LinearDistanceAttenuation
        | k3DMixerRenderingFlags_ConstantReverbBlend,
      room: kAudioUnitProperty_ReverbPreset,
      [
        NamedProperty(
          symbol: "doppler", name: "Doppler shift", values: [],
          property: settings.flagProperty(
            kAudioUnitProperty_DopplerShift, k3DMixerRenderingFlags_DopplerShift))
      ]) + [
        metering.meteringProperty(kAudioUnitScope_Input),
        metering.meteringProperty(kAudioUnitScope_Output),
      ])
  made.outputParameters = [gain] + limits + limitsAgain + levelParameters
  return unsafe makeAudioUnit(made, description) { state, slice in
    unsafe runKernel(SpatialMixerKernel.self, state, slice)
  } makeKernel: { (format) throws(UnitRefusal) in
    try SpatialMixerKernel(format, settings, metering.meters, isSpatialMixer: false)
  }
}
