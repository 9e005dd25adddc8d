// The delay unit: echoes with feedback, darker at each repeat.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
public import CAudioToolbox

/// What a host sees of the unit.
private let definition = UnitDefinition(
  parameters: [
    ParameterDefinition(
      id: kDelayParam_WetDryMix, name: "wet/dry mix",
      unit: kAudioUnitParameterUnit_EqualPowerCrossfade, range: 0...100, defaultValue: 50),
    ParameterDefinition(
      id: kDelayParam_DelayTime, name: "delay time", unit: kAudioUnitParameterUnit_Seconds,
      range: 0...2, defaultValue: 1
    ).glided(),
    ParameterDefinition(
      id: kDelayParam_Feedback, name: "feedback", unit: kAudioUnitParameterUnit_Percent,
      range: -100...100, defaultValue: 50),
    ParameterDefinition(
      id: kDelayParam_LopassCutoff, name: "low-pass cutoff", unit: kAudioUnitParameterUnit_Hertz,
      range: 10...22050, defaultValue: 15000, maximumIsNyquist: true, isLogarithmic: true),
  ], skipsSilence: true)

/// Makes one delay; the factory function of the component. Context: control.
@c(AuricleDelayFactory)
public func delayFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  unsafe makeAudioUnit(DelayKernel.self, definition, description) { state, slice in
    unsafe runKernel(DelayKernel.self, state, slice)
  }
}
