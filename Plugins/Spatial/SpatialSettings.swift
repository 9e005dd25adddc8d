// The properties of a mixer in space that its render code reads, for each input.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// A stored setting of an input.
enum SpatialField: Int {
  case algorithm, flags, curve, mode, reference, maximum, attenuation

  /// The place of this of an input.
  @_noLocks func place(_ bus: Int) -> Int { bus * Self.stride + rawValue }

  /// Fields of an input.
  private static var stride: Int { @_noLocks get { 7 } }
  /// Place of the output type, behind the inputs.
  static var outputType: Int { @_noLocks get { 256 * 7 } }
  /// Place of the switch of the reverb.
  static var usesReverb: Int { @_noLocks get { 256 * 7 + 1 } }
}

/// The settings of one instance, seen by the render thread.
final class SpatialSettings: Sendable {
  /// The most inputs of a mixer.
  static let maximumInputCount = 256
  /// Settings by input and field, then the output type and the switch of the reverb; lives as long as this.
  let values = ParameterStore(count: SpatialField.usesReverb + 1)
  /// The measured head, if one is in use.
  let shelf = HeadShelf()
  /// The reverb inside; nil where there is no memory for it.
  let reverb = SpatialReverb()

  /// Makes the settings of a fresh instance. Context: control.
  init() {
    for bus in 0..<Self.maximumInputCount {
      values.setValue(5, at: SpatialField.flags.place(bus))
      values.setValue(1, at: SpatialField.reference.place(bus))
      values.setValue(100, at: SpatialField.maximum.place(bus))
      values.setValue(40, at: SpatialField.attenuation.place(bus))
    }
    values.setValue(Float(kSpatialMixerOutputType_ExternalSpeakers), at: SpatialField.outputType)
  }

  deinit { values.deallocate() }

  /// A property of an input that is one number out of some.
  func number(
    _ id: AudioUnitPropertyID, _ field: SpatialField, isValid: @escaping @Sendable (UInt32) -> Bool
  ) -> PropertyDefinition {
    number(id, kAudioUnitScope_Input, isValid: isValid) {
      field.place(Int($0))
    }
  }

  /// A bit of an input's flags as a switch, such as `kAudioUnitProperty_DopplerShift`.
  func flagProperty(_ id: AudioUnitPropertyID, _ flag: UInt32) -> PropertyDefinition {
    unsafe PropertyDefinition(
      id: id, scope: kAudioUnitScope_Input, size: 4,
      read: { [values] _, element, data in
        let flags = UInt32(values.value(at: SpatialField.flags.place(Int(element))))
        unsafe data.storeBytes(of: flags & flag != 0 ? 1 : 0, as: UInt32.self)
        return 0
      },
      write: { [values] _, element, data, size in
        guard let data = unsafe data, size == 4 else { return kAudioUnitErr_InvalidPropertyValue }
        let place = SpatialField.flags.place(Int(element))
        let others = UInt32(values.value(at: place)) & ~flag
        let isOn = unsafe data.loadUnaligned(as: UInt32.self) != 0
        values.setValue(Float(others | (isOn ? flag : 0)), at: place)
        return 0
      })
  }

  /// One number of `kAudioUnitProperty_SpatialMixerDistanceParams` of an input; the longest distance is not below the
  /// reference.
  func distanceNumber(_ field: SpatialField) -> PropertyDefinition {
    unsafe PropertyDefinition(
      id: kAudioUnitProperty_SpatialMixerDistanceParams, scope: kAudioUnitScope_Input, size: 4,
      read: { [values] _, element, data in
        unsafe data.storeBytes(of: values.value(at: field.place(Int(element))), as: Float.self)
        return 0
      },
      write: { [values] unit, element, data, size in
        guard let data = unsafe data, size == 4 else { return kAudioUnitErr_InvalidPropertyValue }
        let wanted = unsafe data.loadUnaligned(as: Float.self)
        func value(_ other: SpatialField) -> Float {
          other == field ? wanted : values.value(at: other.place(Int(element)))
        }
        guard value(.maximum) >= value(.reference) else {
          return unit.refuse(
            kAudioUnitErr_InvalidPropertyValue,
            "the longest distance (\(value(.maximum)) m) is below the reference (\(value(.reference)) m): set the "
              + "other first")
        }
        values.setValue(wanted, at: field.place(Int(element)))
        return 0
      })
  }

  /// The switch of the reverb, `kAudioUnitProperty_UsesInternalReverb`.
  func reverbSwitch() -> PropertyDefinition {
    number(
      kAudioUnitProperty_UsesInternalReverb, kAudioUnitScope_Global, isValid: { $0 <= 1 },
      place: { _ in SpatialField.usesReverb })
  }

  /// The room of the reverb: `kAudioUnitProperty_ReverbRoomType`, or `kAudioUnitProperty_ReverbPreset`.
  func roomProperty(_ id: AudioUnitPropertyID) -> PropertyDefinition {
    unsafe PropertyDefinition(
      id: id, size: 4,
      read: { [reverb] _, _, data in
        unsafe data.storeBytes(of: reverb?.room ?? 0, as: UInt32.self)
        return 0
      },
      write: { [reverb] unit, _, data, size in
        guard let data = unsafe data, size == 4, let reverb else {
          return kAudioUnitErr_InvalidPropertyValue
        }
        let status = unsafe reverb.setRoom(data.loadUnaligned(as: UInt32.self))
        return status == 0
          ? 0 : unit.refuse(status, "a room of the reverb is a UInt32 from 0 to 12")
      })
  }

  /// Whether any of so many inputs is rendered through a measured head.
  func needsMeasuredHead(inputCount: Int) -> Bool {
    (0..<inputCount).contains { SpatialRoute.isMeasured(SpatialRoute.algorithm(values, $0)) }
  }

  /// Puts a measured head in place if a new setting needs it; returns a status.
  private func prepare(
    _ id: AudioUnitPropertyID, _ number: UInt32, for unit: UnitInstance
  ) -> OSStatus {
    let isChosen =
      id == kAudioUnitProperty_SpatializationAlgorithm && SpatialRoute.isMeasured(number)
    let isForHeadphones =
      id == kAudioUnitProperty_SpatialMixerOutputType
      && number == kSpatialMixerOutputType_Headphones
      && (0..<Self.maximumInputCount).contains {
        UInt32(values.value(at: SpatialField.algorithm.place($0)))
          == kSpatializationAlgorithm_UseOutputType
      }
    let isLeftToOutput =
      id == kAudioUnitProperty_SpatializationAlgorithm
      && number == kSpatializationAlgorithm_UseOutputType
      && UInt32(values.value(at: SpatialField.outputType)) == kSpatialMixerOutputType_Headphones
    guard isChosen || isForHeadphones || isLeftToOutput else { return 0 }
    do throws(UnitRefusal) {
      try shelf.fill()
      return 0
    } catch {
      return unit.refuse(error.status, error.reason)
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
      write: { [self] unit, element, data, size in
        guard let data = unsafe data, size == 4 else { return kAudioUnitErr_InvalidPropertyValue }
        let number = unsafe data.loadUnaligned(as: UInt32.self)
        guard isValid(number) else { return kAudioUnitErr_InvalidPropertyValue }
        let status = prepare(id, number, for: unit)
        guard status == 0 else { return status }
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
          values.value(at: field.place(Int(element)))
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
        let bus = Int(element)
        values.setValue(wanted.mReferenceDistance, at: SpatialField.reference.place(bus))
        values.setValue(wanted.mMaxDistance, at: SpatialField.maximum.place(bus))
        values.setValue(wanted.mMaxAttenuation, at: SpatialField.attenuation.place(bus))
        return 0
      })
  }
}
