// The matrix reverb: an early and a late room, each a network of delay lines.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
public import CAudioToolbox

/// A setting inside the rooms: a jump would click, and a ramp would only be followed late.
private func generic(
  _ id: AudioUnitParameterID, _ name: String, _ range: ClosedRange<Float>, _ value: Float
) -> ParameterDefinition {
  ParameterDefinition(
    id: id, name: name, unit: kAudioUnitParameterUnit_Generic, range: range, defaultValue: value
  ).glided()
}

/// A time inside the rooms, like the settings there.
private func seconds(
  _ id: AudioUnitParameterID, _ name: String, _ range: ClosedRange<Float>, _ value: Float
) -> ParameterDefinition {
  ParameterDefinition(
    id: id, name: name, unit: kAudioUnitParameterUnit_Seconds, range: range, defaultValue: value
  ).glided()
}

/// The room as a separate property, as hosts of Core Audio set it.
private let roomType = unsafe PropertyDefinition(
  id: kAudioUnitProperty_ReverbRoomType, size: UInt32(MemoryLayout<UInt32>.size),
  read: { instance, _, data in
    unsafe data.storeBytes(of: Room.nearest(to: instance), as: UInt32.self)
    return 0
  },
  write: { instance, _, data, size in
    guard let data = unsafe data, size == MemoryLayout<UInt32>.size else {
      return kAudioUnitErr_InvalidPropertyValue
    }
    return unsafe Room.select(data.loadUnaligned(as: UInt32.self), for: instance)
  })

/// The unit's definition for hosts.
///
/// Core Audio documents a default of 0.06 s for the small size, which lies outside the range it
/// documents for it; here the default is the greatest value of the range, 0.02 s.
private let definition = UnitDefinition(
  parameters: [
    ParameterDefinition(
      id: kReverbParam_DryWetMix, name: "dry/wet mix",
      unit: kAudioUnitParameterUnit_EqualPowerCrossfade, range: 0...100, defaultValue: 100),
    ParameterDefinition(
      id: kReverbParam_SmallLargeMix, name: "small/large mix",
      unit: kAudioUnitParameterUnit_EqualPowerCrossfade, range: 0...100, defaultValue: 50),
    seconds(kReverbParam_SmallSize, "small size", 0.005...0.02, 0.02),
    seconds(kReverbParam_LargeSize, "large size", 0.4...10, 3.07),
    seconds(kReverbParam_PreDelay, "pre-delay", 0.001...0.03, 0.025),
    seconds(kReverbParam_LargeDelay, "large delay", 0.001...0.1, 0.035),
    generic(kReverbParam_SmallDensity, "small density", 0...1, 0.28),
    generic(kReverbParam_LargeDensity, "large density", 0...1, 0.82),
    generic(kReverbParam_LargeDelayRange, "large delay range", 0...1, 0.3),
    generic(kReverbParam_SmallBrightness, "small brightness", 0.1...1, 0.96),
    generic(kReverbParam_LargeBrightness, "large brightness", 0.1...1, 0.49),
    generic(kReverbParam_SmallDelayRange, "small delay range", 0...1, 0.5),
    ParameterDefinition(
      id: kReverbParam_ModulationRate, name: "modulation rate",
      unit: kAudioUnitParameterUnit_Hertz, range: 0.001...2, defaultValue: 1
    ).glided(),
    generic(kReverbParam_ModulationDepth, "modulation depth", 0...1, 0.2),
  ],
  factoryPresets: Room.all.map { FactoryPresetDefinition(name: $0.name, values: $0.values) },
  properties: [roomType], skipsSilence: true)

/// Makes one reverb; the factory function of the component. Context: control.
@c(AuricleMatrixReverbFactory)
public func matrixReverbFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  unsafe makeAudioUnit(MatrixReverbKernel.self, definition, description) { state, slice in
    unsafe runKernel(MatrixReverbKernel.self, state, slice)
  }
}
