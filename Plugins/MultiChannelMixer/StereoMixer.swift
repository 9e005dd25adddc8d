// The stereo mixer: mono and stereo inputs with faders, pan and meters, into one stereo output.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
public import CAudioToolbox

private let volume = ParameterDefinition(
  id: kStereoMixerParam_Volume, name: "volume", unit: kAudioUnitParameterUnit_MixerFaderCurve1,
  range: 0...1, defaultValue: 1)

private let pan = ParameterDefinition(
  id: kStereoMixerParam_Pan, name: "pan", unit: kAudioUnitParameterUnit_Pan, range: 0...1,
  defaultValue: 0.5)

/// Returns the definition of one instance for hosts.
private func definition(_ settings: MixerSettings) -> UnitDefinition {
  mixerDefinition(
    settings, [ChannelCapability(1, 2), ChannelCapability(2, 2)],
    input: BusDefinition(name: "Input", isOptional: true, allowedChannelCounts: [1, 2]),
    output: BusDefinition(name: "Output", allowedChannelCounts: [2]),
    inputParameters: [volume, pan] + levelParameters,
    outputParameters: [volume] + levelParameters)
}

/// Makes one stereo mixer; the factory function of the component. Context: control.
@c(AuricleStereoMixerFactory)
public func stereoMixerFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  let settings = MixerSettings()
  return unsafe makeAudioUnit(definition(settings), description) { state, slice in
    unsafe runKernel(MultiChannelMixerKernel.self, state, slice)
  } makeKernel: { format in
    MultiChannelMixerKernel(format, settings.meters, hasFaders: true)
  }
}
