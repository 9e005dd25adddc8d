// The multichannel mixer: any number of inputs with volume, pan, a switch and meters.
// SPDX-License-Identifier: Apache-2.0

package import AuricleSDK
public import CAudioToolbox

/// Channels of an element that have meters of their own.
let meteredChannelCount = 8

/// The parameters of an input or output element, in the order the kernel counts them.
private let elementParameters: [ParameterDefinition] = {
  var volume = ParameterDefinition(
    id: kMultiChannelMixerParam_Volume, name: "volume", unit: kAudioUnitParameterUnit_LinearGain,
    range: 0...1, defaultValue: 1)
  volume.isRampedByKernel = true
  return [
    volume,
    ParameterDefinition(
      id: kMultiChannelMixerParam_Enable, name: "enable", unit: kAudioUnitParameterUnit_Boolean,
      range: 0...1, defaultValue: 1),
    ParameterDefinition(
      id: kMultiChannelMixerParam_Pan, name: "pan", unit: kAudioUnitParameterUnit_Pan,
      range: -1...1, defaultValue: 0),
  ]
    + levelParameters
}()

/// The meters of an element, whose ids are the same in all mixers that have them.
package let levelParameters =
  meters(kMultiChannelMixerParam_PreAveragePower, "pre average power")
  + meters(kMultiChannelMixerParam_PrePeakHoldLevel, "pre peak hold level")
  + meters(kMultiChannelMixerParam_PostAveragePower, "post average power")
  + meters(kMultiChannelMixerParam_PostPeakHoldLevel, "post peak hold level")

private func meters(_ first: AudioUnitParameterID, _ name: String) -> [ParameterDefinition] {
  (0..<meteredChannelCount).map { channel in
    ParameterDefinition(
      id: first + AudioUnitParameterID(channel), name: "\(name), channel \(channel + 1)",
      unit: kAudioUnitParameterUnit_Decibels, range: -120...60, defaultValue: -120, isMeter: true)
  }
}

/// Returns the definition of a mixer of eight inputs, or the passed number, into one output.
func mixerDefinition(
  _ settings: MixerSettings, _ capabilities: [ChannelCapability], input: BusDefinition,
  output: BusDefinition, inputParameters: [ParameterDefinition],
  outputParameters: [ParameterDefinition]
) -> UnitDefinition {
  var definition = UnitDefinition(
    parameters: [], channelCapabilities: capabilities,
    inputs: (1...8).map { number in
      var bus = input
      bus.name = "\(input.name) \(number)"
      return bus
    },
    outputs: [output],
    properties: [
      settings.meteringProperty(kAudioUnitScope_Input),
      settings.meteringProperty(kAudioUnitScope_Output), settings.clippingProperty(),
    ], processesInPlace: false)
  definition.inputParameters = inputParameters
  definition.outputParameters = outputParameters
  definition.inputElementCounts = 1...MixerSettings.maximumInputCount
  definition.kernelPullsInputs = true
  return definition
}

/// Returns the definition of one instance for hosts.
private func definition(_ settings: MixerSettings) -> UnitDefinition {
  mixerDefinition(
    settings, [ChannelCapability(-1, -2)], input: BusDefinition(name: "Input", isOptional: true),
    output: BusDefinition(name: "Output"), inputParameters: elementParameters,
    outputParameters: elementParameters)
}

/// Makes one mixer; the factory function of the component. Context: control.
@c(AuricleMultiChannelMixerFactory)
public func multiChannelMixerFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  let settings = MixerSettings()
  return unsafe makeAudioUnit(definition(settings), description) { state, slice in
    unsafe runKernel(MultiChannelMixerKernel.self, state, slice)
  } makeKernel: { format in
    MultiChannelMixerKernel(format, settings.meters)
  }
}
