// The mixers in space: the spatial mixer, and its older form, the 3D mixer.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
public import CAudioToolbox

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

/// Parameters of an input, in the order `SpatialSource` reads them.
private func inputParameters(enable: AudioUnitParameterID) -> [ParameterDefinition] {
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
  ]
}

/// What the two have in common.
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
  definition.kernelPullsInputs = true
  return definition
}

private func properties(
  _ settings: SpatialSettings, algorithms: ClosedRange<UInt32>, flags: UInt32
) -> [PropertyDefinition] {
  [
    settings.number(
      kAudioUnitProperty_SpatializationAlgorithm, .algorithm, isValid: algorithms.contains),
    settings.number(
      kAudioUnitProperty_SpatialMixerRenderingFlags, .flags, isValid: { $0 & ~flags == 0 }),
    settings.number(
      kAudioUnitProperty_SpatialMixerAttenuationCurve, .curve, isValid: { $0 <= 3 }),
    settings.distanceProperty(),
  ]
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
    ],
    inputParameters(enable: kSpatialMixerParam_Enable) + [
      limit(kSpatialMixerParam_MinGain, "least gain", 0),
      limit(kSpatialMixerParam_MaxGain, "greatest gain", 10),
    ],
    properties(
      settings, algorithms: 0...kSpatializationAlgorithm_UseOutputType,
      flags: kSpatialMixerRenderingFlags_InterAuralDelay
        | kSpatialMixerRenderingFlags_DistanceAttenuation) + [
        settings.number(
          kAudioUnitProperty_SpatialMixerSourceMode, .mode,
          isValid: { $0 <= kSpatialMixerSourceMode_AmbienceBed }),
        settings.outputTypeProperty(),
      ])
  return unsafe makeAudioUnit(made, description) { state, slice in
    unsafe runKernel(SpatialMixerKernel.self, state, slice)
  } makeKernel: { format in
    SpatialMixerKernel(format, settings.values, isSpatialMixer: true)
  }
}

/// Makes one 3D mixer; the factory function of the component. Context: control.
@c(Auricle3DMixerFactory)
public func mixer3DFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  let settings = SpatialSettings()
  let made = definition(
    [], inputParameters(enable: k3DMixerParam_BusEnable),
    properties(
      settings, algorithms: 0...kSpatializationAlgorithm_StereoPassThrough,
      flags: k3DMixerRenderingFlags_InterAuralDelay
        | k3DMixerRenderingFlags_DistanceAttenuation
        | k3DMixerRenderingFlags_LinearDistanceAttenuation))
  return unsafe makeAudioUnit(made, description) { state, slice in
    unsafe runKernel(SpatialMixerKernel.self, state, slice)
  } makeKernel: { format in
    SpatialMixerKernel(format, settings.values, isSpatialMixer: false)
  }
}
