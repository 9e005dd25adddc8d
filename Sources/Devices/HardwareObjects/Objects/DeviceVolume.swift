// The volume of one side of a device: channels, all of them together, and their balance.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// Scalars from 0 to 1 go over the steps of the card evenly; decibels are the card's own.
struct DeviceVolume {
  var mixer: CardMixer
  var isInput: Bool
  var side: MixerSide
  var values: MixerValues

  private func scalar(_ step: Int) -> Float {
    let width = side.steps.upperBound - side.steps.lowerBound
    return width > 0 ? Float(step - side.steps.lowerBound) / Float(width) : 0
  }

  private func step(_ scalar: Float) -> Int {
    let width = side.steps.upperBound - side.steps.lowerBound
    let whole = scalar.isFinite ? min(max(scalar, 0), 1) : 0
    return side.steps.lowerBound + Int((whole * Float(width)).rounded())
  }

  /// The step of an element: of a channel, or the loudest of all.
  private func present(_ element: UInt32) throws(HardwareError) -> Int {
    guard let loudest = values.volumes.max() else { throw .unknownProperty }
    guard element > 0 else { return loudest }
    guard values.volumes.count > 1, element <= UInt32(values.volumes.count) else {
      throw .unknownProperty
    }
    return values.volumes[Int(element) - 1]
  }

  private func decibels(_ step: Int) throws(HardwareError) -> PropertyValue {
    guard side.decibels != nil, let found = mixer.decibels(ofStep: step, isInput: isInput) else {
      throw .unknownProperty
    }
    return .value(found)
  }

  /// The value of a property of the device.
  func property(
    _ address: AudioObjectPropertyAddress, _ qualifier: PropertyQualifier
  ) throws(HardwareError) -> PropertyValue {
    let present = try present(address.mElement)
    func asked() throws(HardwareError) -> Float {
      guard let number = PropertyValue.bytes(qualifier.bytes).loaded(as: Float.self) else {
        throw .badSize
      }
      return number
    }
    switch address.mSelector {
    case kAudioDevicePropertyVolumeScalar,
      kAudioHardwareServiceDeviceProperty_VirtualMainVolume:
      return .value(scalar(present))
    case kAudioDevicePropertyVolumeDecibels: return try decibels(present)
    case kAudioDevicePropertyVolumeScalarToDecibels: return try decibels(step(try asked()))
    case kAudioDevicePropertyVolumeDecibelsToScalar:
      guard side.decibels != nil,
        let step = mixer.step(ofDecibels: try asked(), isInput: isInput)
      else { throw .unknownProperty }
      return .value(scalar(step))
    case kAudioDevicePropertyVolumeRangeDecibels:
      guard let range = side.decibels else { throw .unknownProperty }
      return .value(
        AudioValueRange(mMinimum: Double(range.lowerBound), mMaximum: Double(range.upperBound)))
    case kAudioHardwareServiceDeviceProperty_VirtualMainBalance: return .value(try balance())
    default: throw .unknownProperty
    }
  }

  /// 0 is left, 0.5 the middle, 1 right.
  private func balance() throws(HardwareError) -> Float {
    guard values.volumes.count >= 2 else { throw .unknownProperty }
    let (left, right) = (scalar(values.volumes[0]), scalar(values.volumes[1]))
    guard max(left, right) > 0 else { return 0.5 }
    return left >= right ? 0.5 * right / left : 1 - 0.5 * left / right
  }

  /// The steps of all channels when a property is set; nil for one that stays as it is.
  func steps(
    setting address: AudioObjectPropertyAddress, to number: Float
  ) throws(HardwareError) -> [Int?] {
    let loudest = try present(0)
    let wanted: Int
    switch address.mSelector {
    case kAudioHardwareServiceDeviceProperty_VirtualMainBalance:
      guard values.volumes.count >= 2, number.isFinite else { throw .illegal }
      let place = min(max(number, 0), 1)
      var steps = [Int?](repeating: nil, count: values.volumes.count)
      steps[0] = step(scalar(loudest) * min(1, 2 * (1 - place)))
      steps[1] = step(scalar(loudest) * min(1, 2 * place))
      return steps
    case kAudioDevicePropertyVolumeDecibels:
      guard let found = mixer.step(ofDecibels: number, isInput: isInput) else {
        throw .unknownProperty
      }
      wanted = found
    default: wanted = step(number)
    }
    if address.mElement > 0 {
      _ = try present(address.mElement)
      return values.volumes.indices.map { $0 == Int(address.mElement) - 1 ? wanted : nil }
    }
    // All of them, each as much below the loudest as it was.
    let before = scalar(loudest)
    return values.volumes.map { volume in
      before > 0 ? step(scalar(wanted) * scalar(volume) / before) : wanted
    }
  }
}
