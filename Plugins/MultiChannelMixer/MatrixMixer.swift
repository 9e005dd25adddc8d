// The matrix mixer: every channel of every input into every channel of every output.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
public import CAudioToolbox

/// The most channels on a side, and the most buses.
var matrixSize: ChannelMatrix {
  @_noLocks get { ChannelMatrix(maximumInputs: 128, maximumOutputs: 128) }
}

/// A volume is 0 until it is set, as programs written for the matrix mixer expect.
private let volume = ParameterDefinition(
  id: kMatrixMixerParam_Volume, name: "volume", unit: kAudioUnitParameterUnit_LinearGain,
  range: 0...1, defaultValue: 0)

private let enable = ParameterDefinition(
  id: kMatrixMixerParam_Enable, name: "enable", unit: kAudioUnitParameterUnit_Boolean,
  range: 0...1, defaultValue: 1)

private func meter(
  _ id: AudioUnitParameterID, _ name: String, isLinear: Bool = false
) -> ParameterDefinition {
  ParameterDefinition(
    id: id, name: name,
    unit: isLinear ? kAudioUnitParameterUnit_LinearGain : kAudioUnitParameterUnit_Decibels,
    range: isLinear ? 0...1000 : -120...60, defaultValue: isLinear ? 0 : -120, isMeter: true)
}

/// Parameters of a channel, in the order the kernel counts them; the switch is that of a bus.
private let channelParameters = [
  volume, enable,
  meter(kMatrixMixerParam_PreAveragePower, "pre average power"),
  meter(kMatrixMixerParam_PrePeakHoldLevel, "pre peak hold level"),
  meter(kMatrixMixerParam_PostAveragePower, "post average power"),
  meter(kMatrixMixerParam_PostPeakHoldLevel, "post peak hold level"),
  meter(kMatrixMixerParam_PreAveragePowerLinear, "pre average power, linear", isLinear: true),
  meter(kMatrixMixerParam_PrePeakHoldLevelLinear, "pre peak hold level, linear", isLinear: true),
  meter(kMatrixMixerParam_PostAveragePowerLinear, "post average power, linear", isLinear: true),
  meter(kMatrixMixerParam_PostPeakHoldLevelLinear, "post peak hold level, linear", isLinear: true),
]

/// Returns the definition of one instance for hosts.
private func definition(_ settings: MixerSettings) -> UnitDefinition {
  var definition = UnitDefinition(
    parameters: [volume],
    channelCapabilities: [
      ChannelCapability(
        -Int16(matrixSize.maximumInputs), -Int16(matrixSize.maximumOutputs))
    ],
    inputs: [BusDefinition(name: "Input", isOptional: true)],
    outputs: [BusDefinition(name: "Output")],
    properties: [
      settings.meteringOfAll(), settings.meteringProperty(kAudioUnitScope_Input),
      settings.meteringProperty(kAudioUnitScope_Output), MatrixLevels.dimensions,
      MatrixLevels.levels,
    ], processesInPlace: false)
  definition.inputParameters = channelParameters
  definition.outputParameters = channelParameters
  definition.inputElementCounts = 1...matrixSize.maximumInputs
  definition.outputElementCounts = 1...matrixSize.maximumOutputs
  definition.channelMatrix = matrixSize
  definition.kernelPullsInputs = true
  return definition
}

/// Makes one matrix mixer; the factory function of the component. Context: control.
@c(AuricleMatrixMixerFactory)
public func matrixMixerFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  let settings = MixerSettings(outputCount: matrixSize.maximumOutputs)
  return unsafe makeAudioUnit(definition(settings), description) { state, slice in
    unsafe runKernel(MatrixMixerKernel.self, state, slice)
  } makeKernel: { format in
    MatrixMixerKernel(format, settings.meters)
  }
}
