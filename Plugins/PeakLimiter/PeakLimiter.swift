// The peak limiter: look-ahead, linked channels, never a sample above full scale.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
public import CAudioToolbox

/// What a host sees of the unit.
private let definition = UnitDefinition(
  parameters: [
    ParameterDefinition(
      id: kLimiterParam_AttackTime, name: "attack time", unit: kAudioUnitParameterUnit_Seconds,
      range: 0.001...0.03, defaultValue: 0.012, isLogarithmic: true, isNonRealtime: true),
    ParameterDefinition(
      id: kLimiterParam_DecayTime, name: "decay time", unit: kAudioUnitParameterUnit_Seconds,
      range: 0.001...0.06, defaultValue: 0.024, isLogarithmic: true),
    ParameterDefinition(
      id: kLimiterParam_PreGain, name: "pre-gain", unit: kAudioUnitParameterUnit_Decibels,
      range: -40...40, defaultValue: 0),
  ], skipsSilence: true)

/// Makes one peak limiter; the factory function of the component. Context: control.
@c(AuriclePeakLimiterFactory)
public func peakLimiterFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  unsafe makeAudioUnit(PeakLimiterKernel.self, definition, description) { state, slice in
    unsafe runKernel(PeakLimiterKernel.self, state, slice)
  }
}
