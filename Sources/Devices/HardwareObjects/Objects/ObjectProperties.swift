// Properties of objects: the one way to read, to set and to be notified.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// The qualifier of a question, for the properties that need one.
package struct PropertyQualifier: Sendable {
  /// A text, where the caller passed a string of Core Foundation.
  package var text: String?
  /// The bytes as they were passed.
  package var bytes: [UInt8] = []

  /// Nothing.
  package init() {}
}

extension HardwareSystem {
  /// The value of a property.
  ///
  /// - Throws: `kAudioHardwareBadObjectError`, `kAudioHardwareUnknownPropertyError`, or the property's error.
  ///
  /// Context: control. The corresponding Core Audio function is `AudioObjectGetPropertyData`.
  package func property(
    _ object: AudioObjectID, _ address: AudioObjectPropertyAddress,
    _ qualifier: PropertyQualifier = PropertyQualifier()
  ) throws(HardwareError) -> PropertyValue {
    if object == kAudioObjectSystemObject { return try systemProperty(address, qualifier) }
    if let device = device(object) {
      guard device.isAlive || address.mSelector == kAudioDevicePropertyDeviceIsAlive else {
        throw .badObject
      }
      return try device.property(address, qualifier)
    }
    if let (device, isInput) = stream(object) {
      guard device.isAlive else { throw .badObject }
      return try device.streamProperty(address, isInput: isInput)
    }
    if let (device, control) = control(object) {
      return try device.controlObjectProperty(control, address, qualifier)
    }
    if object == Self.plugIn { return try plugInProperty(address.mSelector, qualifier) }
    if let (device, index) = part(object) {
      return try device.partProperty(index, address, qualifier)
    }
    throw .badObject
  }

  /// Throws unless a property exists, also for one that needs a qualifier.
  ///
  /// - Throws: As `property`.
  package func requireProperty(
    _ object: AudioObjectID, _ address: AudioObjectPropertyAddress
  ) throws(HardwareError) {
    do throws(HardwareError) { _ = try property(object, address) } catch {
      guard error == .badSize else { throw error }
    }
  }

  /// Whether a property can be set.
  ///
  /// - Throws: As `property`.
  package func isSettable(
    _ object: AudioObjectID, _ address: AudioObjectPropertyAddress
  ) throws(HardwareError) -> Bool {
    if address.mSelector != kAudioHardwarePropertyRunLoop {
      try requireProperty(object, address)
    }
    if object == kAudioObjectSystemObject { return Self.settable.contains(address.mSelector) }
    if HardwareDevice.settableOfAggregates.contains(address.mSelector) { return true }
    if device(object) != nil {
      return HardwareDevice.settable.contains(address.mSelector)
        || HardwareDevice.settableOfControls.contains(address.mSelector)
    }
    return (control(object) != nil ? DeviceControl.settable : HardwareDevice.settableOfStreams)
      .contains(address.mSelector)
  }

  /// Sets a property.
  ///
  /// - Throws: As `property`; `kAudioHardwareUnsupportedOperationError` for one that cannot be set,
  ///   `kAudioHardwareBadPropertySizeError`.
  ///
  /// Context: control, outside of clients. The corresponding Core Audio function is
  /// `AudioObjectSetPropertyData`.
  package func setProperty(
    _ object: AudioObjectID, _ address: AudioObjectPropertyAddress, _ value: PropertyValue
  ) throws(HardwareError) {
    guard try isSettable(object, address) else { throw .unsupported }
    if object == kAudioObjectSystemObject { return try setSystemProperty(address, value) }
    if let device = device(object) { return try device.setProperty(address, value) }
    if let (device, isInput) = stream(object) {
      try device.setStreamProperty(address, value, isInput: isInput)
    } else if let (device, control) = control(object),
      let behind = control.address(address.mSelector)
    {
      try device.setControl(behind, value)
    } else if let (device, index) = part(object) {
      try device.setPartProperty(index, address, value)
    }
  }

  private static let settable: Set<UInt32> = [
    kAudioHardwarePropertyDefaultOutputDevice, kAudioHardwarePropertyDefaultInputDevice,
    kAudioHardwarePropertyDefaultSystemOutputDevice, kAudioHardwarePropertyRunLoop,
    kAudioHardwarePropertySleepingIsAllowed, kAudioHardwarePropertyUnloadingIsAllowed,
    kAudioHardwarePropertyHogModeIsAllowed, kAudioHardwarePropertyPowerHint,
    kAudioHardwarePropertyUserIDChanged,
  ]

  private func systemProperty(
    _ address: AudioObjectPropertyAddress, _ qualifier: PropertyQualifier
  ) throws(HardwareError) -> PropertyValue {
    let none = UInt32(kAudioObjectUnknown)
    switch address.mSelector {
    case kAudioObjectPropertyBaseClass: return .value(kAudioObjectClassID)
    case kAudioObjectPropertyClass: return .value(kAudioSystemObjectClassID)
    case kAudioObjectPropertyOwner: return .value(none)
    case kAudioObjectPropertyName: return .text("Auricle")
    case kAudioObjectPropertyManufacturer: return .text("Auricle")
    case kAudioHardwarePropertyDevices, kAudioObjectPropertyOwnedObjects:
      return .values(devices().map(\.id))
    case kAudioHardwarePropertyDefaultOutputDevice:
      return .value(defaultDevice(isInput: false)?.id ?? none)
    case kAudioHardwarePropertyDefaultSystemOutputDevice:
      return .value(defaultDevice(isInput: false, isSystem: true)?.id ?? none)
    case kAudioHardwarePropertyDefaultInputDevice:
      return .value(defaultDevice(isInput: true)?.id ?? none)
    case kAudioHardwarePropertyTranslateUIDToDevice, kAudioHardwarePropertyDeviceForUID:
      guard let uid = qualifier.text else { throw .badSize }
      return .value(devices().first { $0.uid == uid }?.id ?? none)
    case kAudioHardwarePropertyPlugInList: return .values([Self.plugIn])
    case kAudioHardwarePropertyTransportManagerList,
      kAudioHardwarePropertyBoxList, kAudioHardwarePropertyClockDeviceList,
      kAudioHardwarePropertyTapList, kAudioHardwarePropertyProcessObjectList,
      kAudioObjectPropertyControlList:
      return .values([UInt32]())
    case kAudioHardwarePropertyTranslateBundleIDToPlugIn, kAudioHardwarePropertyPlugInForBundleID:
      return .value(plugIn(named: qualifier.text))
    case kAudioHardwarePropertyTranslateBundleIDToTransportManager,
      kAudioHardwarePropertyTranslateUIDToBox, kAudioHardwarePropertyTranslateUIDToClockDevice,
      kAudioHardwarePropertyTranslatePIDToProcessObject, kAudioHardwarePropertyTranslateUIDToTap:
      return .value(none)
    case kAudioHardwarePropertyMixStereoToMono, kAudioHardwarePropertyIsInitingOrExiting,
      kAudioHardwarePropertyServiceRestarted, kAudioHardwarePropertyProcessInputMute:
      return .value(UInt32(0))
    case kAudioHardwarePropertyProcessIsMain, kAudioHardwarePropertyProcessIsMaster,
      kAudioHardwarePropertyUserSessionIsActiveOrHeadless, kAudioHardwarePropertyProcessIsAudible:
      return .value(UInt32(1))
    case kAudioHardwarePropertySleepingIsAllowed, kAudioHardwarePropertyUnloadingIsAllowed,
      kAudioHardwarePropertyHogModeIsAllowed:
      return .value(word(address.mSelector, 1))
    case kAudioHardwarePropertyPowerHint, kAudioHardwarePropertyUserIDChanged:
      return .value(word(address.mSelector, 0))
    case kAudioHardwarePropertyRunLoop: return .value(UInt(0))
    default: throw .unknownProperty
    }
  }

  private func setSystemProperty(
    _ address: AudioObjectPropertyAddress, _ value: PropertyValue
  ) throws(HardwareError) {
    // The run loop has no effect: notices come on a thread of the library's.
    if address.mSelector == kAudioHardwarePropertyRunLoop { return }
    guard let word = value.loaded(as: UInt32.self) else { throw .badSize }
    switch address.mSelector {
    case kAudioHardwarePropertyDefaultOutputDevice, kAudioHardwarePropertyDefaultInputDevice,
      kAudioHardwarePropertyDefaultSystemOutputDevice:
      try choose(word, address.mSelector)
    default: setWord(address.mSelector, word)
    }
  }
}
