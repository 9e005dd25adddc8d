// The controls of a device as separate objects, and the property of the device behind each selector.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// One control of a device.
struct DeviceControl: Equatable {
  /// The value that a control sets.
  enum Kind: Equatable {
    /// The volume of an element: 0 is all channels.
    case volume(element: UInt32)
    case mute
    case source
  }

  var isInput: Bool
  var kind: Kind

  /// The numbers of objects for a side's controls: of all channels, of each, mute and source.
  private static let ofSide = MixerSide.mostChannels + 3
  /// The numbers of objects for the controls of a device.
  static let numberCount = UInt32(2 * ofSide)

  /// The number among those of the device.
  var place: UInt32 {
    let first = isInput ? UInt32(Self.ofSide) : 0
    return switch kind {
    case .volume(let element): first + element
    case .mute: first + UInt32(MixerSide.mostChannels) + 1
    case .source: first + UInt32(MixerSide.mostChannels) + 2
    }
  }

  /// Its side as the scope of a property.
  var scope: AudioObjectPropertyScope {
    isInput ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput
  }

  /// The element that it is of.
  var element: UInt32 { if case .volume(let element) = kind { element } else { 0 } }

  /// Its class.
  var classID: AudioClassID {
    switch kind {
    case .volume: kAudioVolumeControlClassID
    case .mute: kAudioMuteControlClassID
    case .source: kAudioDataSourceControlClassID
    }
  }

  /// The class of its class.
  var baseClassID: AudioClassID {
    switch kind {
    case .volume: kAudioLevelControlClassID
    case .mute: kAudioBooleanControlClassID
    case .source: kAudioSelectorControlClassID
    }
  }

  /// The name of the control.
  var name: String {
    switch kind {
    case .volume: "Volume"
    case .mute: "Mute"
    case .source: "Source"
    }
  }

  /// The properties of the device behind those of the control.
  private static let ofDevice: [AudioObjectPropertySelector: AudioObjectPropertySelector] = [
    kAudioLevelControlPropertyScalarValue: kAudioDevicePropertyVolumeScalar,
    kAudioLevelControlPropertyDecibelValue: kAudioDevicePropertyVolumeDecibels,
    kAudioLevelControlPropertyDecibelRange: kAudioDevicePropertyVolumeRangeDecibels,
    kAudioLevelControlPropertyConvertScalarToDecibels:
      kAudioDevicePropertyVolumeScalarToDecibels,
    kAudioLevelControlPropertyConvertDecibelsToScalar:
      kAudioDevicePropertyVolumeDecibelsToScalar,
    kAudioBooleanControlPropertyValue: kAudioDevicePropertyMute,
    kAudioSelectorControlPropertyCurrentItem: kAudioDevicePropertyDataSource,
    kAudioSelectorControlPropertyAvailableItems: kAudioDevicePropertyDataSources,
    kAudioSelectorControlPropertyItemName: kAudioDevicePropertyDataSourceNameForIDCFString,
    kAudioSelectorControlPropertyItemKind: kAudioDevicePropertyDataSourceKindForID,
  ]

  /// The address of the device's property behind one of the control's; nil for one that it has not.
  func address(_ selector: AudioObjectPropertySelector) -> AudioObjectPropertyAddress? {
    guard let behind = Self.ofDevice[selector], HardwareDevice.kind(of: behind) == baseClassID
    else { return nil }
    return AudioObjectPropertyAddress(mSelector: behind, mScope: scope, mElement: element)
  }

  /// The selector of its value, which listeners receive.
  var valueSelectors: [AudioObjectPropertySelector] {
    switch kind {
    case .volume:
      [kAudioLevelControlPropertyScalarValue, kAudioLevelControlPropertyDecibelValue]
    case .mute: [kAudioBooleanControlPropertyValue]
    case .source: [kAudioSelectorControlPropertyCurrentItem]
    }
  }

  /// Properties of controls that can be set.
  static let settable: Set<AudioObjectPropertySelector> = [
    kAudioLevelControlPropertyScalarValue, kAudioLevelControlPropertyDecibelValue,
    kAudioBooleanControlPropertyValue, kAudioSelectorControlPropertyCurrentItem,
  ]
}
