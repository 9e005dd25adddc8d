// The properties of a mixer in space that its render code reads, for each input.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// What is kept of an input.
enum SpatialField: Int {
  case algorithm, flags, curve, mode, reference, maximum, attenuation

  /// Fields of an input.
  static var stride: Int { @_noLocks get { 7 } }
  /// Place of the output type, behind the inputs.
  static var outputType: Int { @_noLocks get { 256 * 7 } }
}

/// The settings of one instance, seen by the render thread.
final class SpatialSettings: Sendable {
  /// The most inputs of a mixer.
  static let maximumInputCount = 256
  /// Settings by input and field, then the output type; lives as long as this.
  let values = ParameterStore(count: SpatialField.outputType + 1)

  /// Makes the settings of a fresh instance. Context: control.
  init() {
    for bus in 0..<Self.maximumInputCount {
      let first = bus * SpatialField.stride
      values.setValue(5, at: first + SpatialField.flags.rawValue)
      values.setValue(1, at: first + SpatialField.reference.rawValue)
      values.setValue(100, at: first + SpatialField.maximum.rawValue)
      values.setValue(40, at: first + SpatialField.attenuation.rawValue)
    }
    values.setValue(Float(kSpatialMixerOutputType_ExternalSpeakers), at: SpatialField.outputType)
  }

  deinit { values.deallocate() }

  /// A property of an input that is one number out of some.
  func number(
    _ id: AudioUnitPropertyID, _ field: SpatialField, isValid: @escaping @Sendable (UInt32) -> Bool
  ) -> PropertyDefinition {
    number(id, kAudioUnitScope_Input, isValid: isValid) {
      Int($0) * SpatialField.stride + field.rawValue
    }
  }

  /// The property `kAudioUnitProperty_SpatialMixerOutputType`.
  func outputTypeProperty() -> PropertyDefinition {
    number(
      kAudioUnitProperty_SpatialMixerOutputType, kAudioUnitScope_Global,
      isValid: { (1...3).contains($0) }, place: { _ in SpatialField.outputType })
  }

  private func number(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope,
    isValid: @escaping @Sendable (UInt32) -> Bool,
    place: @escaping @Sendable (AudioUnitElement) -> Int
  ) -> PropertyDefinition {
    unsafe PropertyDefinition(
      id: id, scope: scope, size: 4,
      read: { [values] _, element, data in
        unsafe data.storeBytes(of: UInt32(values.value(at: place(element))), as: UInt32.self)
        return 0
      },
      write: { [values] _, element, data, size in
        guard let data = unsafe data, size == 4 else { return kAudioUnitErr_InvalidPropertyValue }
        let number = unsafe data.loadUnaligned(as: UInt32.self)
        guard isValid(number) else { return kAudioUnitErr_InvalidPropertyValue }
        values.setValue(Float(number), at: place(element))
        return 0
      })
  }

  /// The property `kAudioUnitProperty_SpatialMixerDistanceParams` of an input.
  func distanceProperty() -> PropertyDefinition {
    unsafe PropertyDefinition(
      id: kAudioUnitProperty_SpatialMixerDistanceParams, scope: kAudioUnitScope_Input,
      size: UInt32(MemoryLayout<MixerDistanceParams>.size),
      read: { [values] _, element, data in
        func value(_ field: SpatialField) -> Float {
          values.value(at: Int(element) * SpatialField.stride + field.rawValue)
        }
        let distances = MixerDistanceParams(
          mReferenceDistance: value(.reference), mMaxDistance: value(.maximum),
          mMaxAttenuation: value(.attenuation))
        unsafe data.storeBytes(of: distances, as: MixerDistanceParams.self)
        return 0
      },
      write: { [values] _, element, data, size in
        guard let data = unsafe data, Int(size) == MemoryLayout<MixerDistanceParams>.size else {
          return kAudioUnitErr_InvalidPropertyValue
        }
        let wanted = unsafe data.loadUnaligned(as: MixerDistanceParams.self)
        guard wanted.mReferenceDistance > 0, wanted.mMaxDistance.isFinite,
          wanted.mMaxDistance >= wanted.mReferenceDistance, wanted.mMaxAttenuation.isFinite,
          wanted.mMaxAttenuation >= 0
        else { return kAudioUnitErr_InvalidPropertyValue }
        let first = Int(element) * SpatialField.stride
        values.setValue(wanted.mReferenceDistance, at: first + SpatialField.reference.rawValue)
        values.setValue(wanted.mMaxDistance, at: first + SpatialField.maximum.rawValue)
        values.setValue(wanted.mMaxAttenuation, at: first + SpatialField.attenuation.rawValue)
        return 0
      })
  }
}
