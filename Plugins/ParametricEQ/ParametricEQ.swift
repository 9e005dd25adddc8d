// The parametric equaliser: one bell with centre frequency, Q and gain.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
public import CAudioToolbox

/// What a host sees of the unit.
private let definition = UnitDefinition(
  parameters: [
    ParameterDefinition(
      id: kParametricEQParam_CenterFreq, name: "center frequency",
      unit: kAudioUnitParameterUnit_Hertz, range: 20...22050, defaultValue: 2000,
      maximumIsNyquist: true, isLogarithmic: true),
    ParameterDefinition(
      id: kParametricEQParam_Q, name: "Q", unit: kAudioUnitParameterUnit_Generic,
      range: 0.1...20, defaultValue: 1, isLogarithmic: true),
    ParameterDefinition(
      id: kParametricEQParam_Gain, name: "gain", unit: kAudioUnitParameterUnit_Decibels,
      range: -20...20, defaultValue: 0),
  ],
  skipsSilence: true,
  frequencyResponse: { ParametricEQKernel.magnitude(of: $0, atFrequency: $1) })

/// Makes one parametric equaliser; the factory function of the component. Context: control.
@c(AuricleParametricEQFactory)
public func parametricEQFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  unsafe makeAudioUnit(ParametricEQKernel.self, definition, description) { state, slice in
    unsafe runKernel(ParametricEQKernel.self, state, slice)
  }
}
