// The dynamics processor: soft compressor and downward expander, linked channels, meters.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
public import CAudioToolbox

/// What a host sees of the unit.
///
/// Core Audio gives no range for the expansion threshold; here it is −120…0 dB, and −120 dB, the
/// default, turns the expander off. The second input bus is a side chain: fed, it alone is measured.
private let definition = UnitDefinition(
  parameters: [
    ParameterDefinition(
      id: kDynamicsProcessorParam_Threshold, name: "threshold",
      unit: kAudioUnitParameterUnit_Decibels, range: -40...20, defaultValue: -20),
    ParameterDefinition(
      id: kDynamicsProcessorParam_HeadRoom, name: "headroom",
      unit: kAudioUnitParameterUnit_Decibels, range: 0.1...40, defaultValue: 5),
    ParameterDefinition(
      id: kDynamicsProcessorParam_ExpansionRatio, name: "expansion ratio",
      unit: kAudioUnitParameterUnit_Rate, range: 1...50, defaultValue: 2, isLogarithmic: true),
    ParameterDefinition(
      id: kDynamicsProcessorParam_ExpansionThreshold, name: "expansion threshold",
      unit: kAudioUnitParameterUnit_Decibels, range: -120...0, defaultValue: -120),
    ParameterDefinition(
      id: kDynamicsProcessorParam_AttackTime, name: "attack time",
      unit: kAudioUnitParameterUnit_Seconds, range: 0.0001...0.2, defaultValue: 0.001,
      isLogarithmic: true),
    ParameterDefinition(
      id: kDynamicsProcessorParam_ReleaseTime, name: "release time",
      unit: kAudioUnitParameterUnit_Seconds, range: 0.01...3, defaultValue: 0.05,
      isLogarithmic: true),
    ParameterDefinition(
      id: kDynamicsProcessorParam_OverallGain, name: "overall gain",
      unit: kAudioUnitParameterUnit_Decibels, range: -40...40, defaultValue: 0),
    ParameterDefinition(
      id: kDynamicsProcessorParam_CompressionAmount, name: "compression amount",
      unit: kAudioUnitParameterUnit_Decibels, range: 0...120, defaultValue: 0, isMeter: true
    ).plotted(updatesPerSecond: 30, seconds: 5),
    ParameterDefinition(
      id: kDynamicsProcessorParam_InputAmplitude, name: "input amplitude",
      unit: kAudioUnitParameterUnit_Decibels, range: -120...40, defaultValue: -120, isMeter: true),
    ParameterDefinition(
      id: kDynamicsProcessorParam_OutputAmplitude, name: "output amplitude",
      unit: kAudioUnitParameterUnit_Decibels, range: -120...40, defaultValue: -120, isMeter: true),
  ],
  inputs: [
    BusDefinition(name: "Input"),
    BusDefinition(name: "Side Chain", isOptional: true, allowedChannelCounts: Array(1...64)),
  ], skipsSilence: true)

/// Makes one dynamics processor; the factory function of the component. Context: control.
@c(AuricleDynamicsProcessorFactory)
public func dynamicsProcessorFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  unsafe makeAudioUnit(DynamicsProcessorKernel.self, definition, description) { state, slice in
    unsafe runKernel(DynamicsProcessorKernel.self, state, slice)
  }
}
