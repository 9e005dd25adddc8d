// Volume, mute and source of a device, by the mixer of its card.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import CAudioToolbox
import Glibc
import Synchronization

extension HardwareDevice {
  /// The mixer of a device, opened when it is first asked for.
  struct Mixing {
    var isAsked = false
    var mixer: CardMixer?
  }

  /// The class of control that a property of the device is of; nil for other properties.
  static func kind(of selector: AudioObjectPropertySelector) -> AudioClassID? {
    switch selector {
    case kAudioDevicePropertyVolumeScalar, kAudioDevicePropertyVolumeDecibels,
      kAudioDevicePropertyVolumeRangeDecibels, kAudioDevicePropertyVolumeScalarToDecibels,
      kAudioDevicePropertyVolumeDecibelsToScalar,
      kAudioHardwareServiceDeviceProperty_VirtualMainVolume,
      kAudioHardwareServiceDeviceProperty_VirtualMainBalance:
      kAudioLevelControlClassID
    case kAudioDevicePropertyMute: kAudioBooleanControlClassID
    case kAudioDevicePropertyDataSource, kAudioDevicePropertyDataSources,
      kAudioDevicePropertyDataSourceNameForIDCFString, kAudioDevicePropertyDataSourceNameForID,
      kAudioDevicePropertyDataSourceKindForID:
      kAudioSelectorControlClassID
    default: nil
    }
  }

  /// Properties of controls that can be set through the device.
  static let settableOfControls: Set<UInt32> = [
    kAudioDevicePropertyVolumeScalar, kAudioDevicePropertyVolumeDecibels, kAudioDevicePropertyMute,
    kAudioDevicePropertyDataSource, kAudioHardwareServiceDeviceProperty_VirtualMainVolume,
    kAudioHardwareServiceDeviceProperty_VirtualMainBalance,
  ]

  /// The mixer of its card; nil where there is none. Context: control.
  func mixer() -> CardMixer? {
    guard isAlive, composition == nil,
      let control = try? DeviceKinds.device(named: listing.name).mixerControl
    else { return nil }
    return mixing.withLock { mixing in
      if !mixing.isAsked {
        mixing.isAsked = true
        mixing.mixer = CardMixer(control: control) {
          [weak self] isInput, old, new in self?.mixerChanged(isInput, old, new)
        }
      }
      return mixing.mixer
    }
  }

  /// Closes the mixer, as the card is gone.
  func closeMixer() {
    mixing.withLock { mixing in
      mixing.mixer?.close()
      mixing.mixer = nil
    }
  }

  /// The controls of a scope.
  func controls(_ scope: AudioObjectPropertyScope) -> [DeviceControl] {
    guard let mixer = mixer() else { return [] }
    var found: [DeviceControl] = []
    for isInput in [false, true] where isInput ? listing.hasInput : listing.hasOutput {
      let other = isInput ? kAudioObjectPropertyScopeOutput : kAudioObjectPropertyScopeInput
      guard scope != other else { continue }
      let side = mixer.side(isInput: isInput)
      if side.channelCount > 0 {
        let elements = side.channelCount == 1 ? 0...0 : 0...UInt32(side.channelCount)
        found += elements.map { DeviceControl(isInput: isInput, kind: .volume(element: $0)) }
      }
      if side.hasSwitch { found.append(DeviceControl(isInput: isInput, kind: .mute)) }
      if !side.sources.isEmpty { found.append(DeviceControl(isInput: isInput, kind: .source)) }
    }
    return found
  }

  /// The number of a control's object.
  func id(of control: DeviceControl) -> AudioObjectID { id + 3 + control.place }

  /// The value of a control by a property of the device; nil for a property of something else.
  func controlProperty(
    _ address: AudioObjectPropertyAddress, _ qualifier: PropertyQualifier
  ) throws(HardwareError) -> PropertyValue? {
    guard let kind = Self.kind(of: address.mSelector) else { return nil }
    let isInput = address.mScope == kAudioObjectPropertyScopeInput
    guard isInput ? listing.hasInput : listing.hasOutput, let mixer = mixer(),
      let values = mixer.values(isInput: isInput)
    else { throw .unknownProperty }
    let side = mixer.side(isInput: isInput)
    switch kind {
    case kAudioBooleanControlClassID:
      guard side.hasSwitch, address.mElement == 0 else { throw .unknownProperty }
      return .value(UInt32(values.isOn ? 0 : 1))
    case kAudioSelectorControlClassID:
      guard !side.sources.isEmpty, address.mElement == 0 else { throw .unknownProperty }
      return try sourceProperty(address.mSelector, side, values, qualifier)
    default:
      let volume = DeviceVolume(mixer: mixer, isInput: isInput, side: side, values: values)
      return try volume.property(address, qualifier)
    }
  }

  private func sourceProperty(
    _ selector: UInt32, _ side: MixerSide, _ values: MixerValues, _ qualifier: PropertyQualifier
  ) throws(HardwareError) -> PropertyValue {
    switch selector {
    case kAudioDevicePropertyDataSource: return .value(UInt32(values.source + 1))
    case kAudioDevicePropertyDataSources:
      return .values((1...UInt32(side.sources.count)).map(\.self))
    default:
      guard let asked = PropertyValue.bytes(qualifier.bytes).loaded(as: UInt32.self) else {
        throw .badSize
      }
      guard side.sources.indices.contains(Int(asked) - 1) else { throw .illegal }
      let name = side.sources[Int(asked) - 1]
      return switch selector {
      case kAudioDevicePropertyDataSourceNameForIDCFString: .text(name)
      case kAudioDevicePropertyDataSourceNameForID: .cString(name)
      // Any of them can be chosen, and none has a separate kind.
      default: .value(UInt32(0))
      }
    }
  }

  /// Sets a control by a property of the device; the mixer's notice reaches the listeners.
  func setControl(
    _ address: AudioObjectPropertyAddress, _ value: PropertyValue
  ) throws(HardwareError) {
    let isInput = address.mScope == kAudioObjectPropertyScopeInput
    guard let mixer = mixer(), let values = mixer.values(isInput: isInput) else {
      throw .unknownProperty
    }
    let side = mixer.side(isInput: isInput)
    let isDone: Bool
    switch Self.kind(of: address.mSelector) {
    case kAudioBooleanControlClassID:
      guard let isMuted = value.loaded(as: UInt32.self) else { throw .badSize }
      isDone = mixer.setSwitch(isMuted == 0, isInput: isInput)
    case kAudioSelectorControlClassID:
      guard let item = value.loaded(as: UInt32.self) else { throw .badSize }
      guard side.sources.indices.contains(Int(item) - 1) else { throw .illegal }
      isDone = mixer.setSource(Int(item) - 1, isInput: isInput)
    default:
      guard let number = value.loaded(as: Float.self) else { throw .badSize }
      let volume = DeviceVolume(mixer: mixer, isInput: isInput, side: side, values: values)
      isDone = mixer.setVolumes(try volume.steps(setting: address, to: number), isInput: isInput)
    }
    guard isDone else { throw .init(kAudioHardwareUnspecifiedError) }
  }

  /// Notifies of values that have changed. Context: the mixer's thread.
  private func mixerChanged(_ isInput: Bool, _ old: MixerValues, _ new: MixerValues) {
    var changed: [DeviceControl.Kind] = []
    if old.volumes != new.volumes {
      changed.append(.volume(element: 0))
      for (channel, step) in new.volumes.enumerated() where step != old.volumes[channel] {
        changed.append(.volume(element: UInt32(channel) + 1))
      }
    }
    if old.isOn != new.isOn { changed.append(.mute) }
    if old.source != new.source { changed.append(.source) }
    for kind in changed {
      let control = DeviceControl(isInput: isInput, kind: kind)
      for selector in control.valueSelectors {
        system.listeners.changed(id(of: control), selector)
        guard let address = control.address(selector) else { continue }
        system.listeners.changed(id, address.mSelector, address.mScope, address.mElement)
      }
      guard kind == .volume(element: 0) else { continue }
      for selector in [
        kAudioHardwareServiceDeviceProperty_VirtualMainVolume,
        kAudioHardwareServiceDeviceProperty_VirtualMainBalance,
      ] { system.listeners.changed(id, selector, control.scope) }
    }
  }

  /// The value of a property of a control's own object.
  func controlObjectProperty(
    _ control: DeviceControl, _ address: AudioObjectPropertyAddress,
    _ qualifier: PropertyQualifier
  ) throws(HardwareError) -> PropertyValue {
    switch address.mSelector {
    case kAudioObjectPropertyBaseClass: return .value(control.baseClassID)
    case kAudioObjectPropertyClass: return .value(control.classID)
    case kAudioObjectPropertyOwner: return .value(id)
    case kAudioObjectPropertyName: return .text(control.name)
    case kAudioObjectPropertyOwnedObjects, kAudioObjectPropertyControlList:
      return .values([UInt32]())
    case kAudioControlPropertyScope: return .value(control.scope)
    case kAudioControlPropertyElement: return .value(control.element)
    default:
      guard let behind = control.address(address.mSelector),
        let value = try controlProperty(behind, qualifier)
      else { throw .unknownProperty }
      return value
    }
  }
}
