// Common parts of the functions of audio objects: addresses, values into a caller's memory, texts as strings.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import HardwareObjects

/// Calls of C programs to the objects of this process.
enum HardwareCalls {
  /// Runs a call; returns the status that it throws.
  static func status(_ body: () throws(HardwareError) -> Void) -> OSStatus {
    do throws(HardwareError) {
      try body()
      return noErr
    } catch {
      return error.status
    }
  }

  /// The address that a caller points at.
  static func address(
    _ pointer: UnsafePointer<AudioObjectPropertyAddress>?
  ) throws(HardwareError) -> AudioObjectPropertyAddress {
    guard let pointer = unsafe pointer else { throw .illegal }
    return unsafe pointer.pointee
  }

  /// The global address of a property.
  static func global(_ selector: UInt32) -> AudioObjectPropertyAddress {
    AudioObjectPropertyAddress(
      mSelector: selector, mScope: kAudioObjectPropertyScopeGlobal, mElement: 0)
  }

  /// The qualifier of a question: a string of Core Foundation where the property needs one.
  static func qualifier(
    _ selector: UInt32, _ size: UInt32, _ data: UnsafeRawPointer?
  ) -> PropertyQualifier {
    var qualifier = PropertyQualifier()
    guard let data = unsafe data, size > 0, size <= 1 << 16 else { return qualifier }
    if wantsText.contains(selector), size == 8 {
      let string = unsafe data.loadUnaligned(as: CFStringRef?.self)
      qualifier.text = unsafe text(string)
    } else {
      qualifier.bytes = unsafe Array(UnsafeRawBufferPointer(start: data, count: Int(size)))
    }
    return qualifier
  }

  private static let wantsText: Set<UInt32> = [
    kAudioHardwarePropertyTranslateUIDToDevice, kAudioHardwarePropertyTranslateBundleIDToPlugIn,
    kAudioHardwarePropertyTranslateBundleIDToTransportManager,
    kAudioHardwarePropertyTranslateUIDToBox, kAudioHardwarePropertyTranslateUIDToClockDevice,
    kAudioHardwarePropertyTranslateUIDToTap,
  ]

  /// Properties whose memory holds a question and points at the room for its answer.
  static let translations: Set<UInt32> = [
    kAudioHardwarePropertyDeviceForUID, kAudioHardwarePropertyPlugInForBundleID,
    kAudioDevicePropertyDataSourceNameForIDCFString, kAudioDevicePropertyDataSourceNameForID,
    kAudioDevicePropertyDataSourceKindForID,
  ]

  /// Those of them whose question is a string.
  static let textTranslations: Set<UInt32> = [
    kAudioHardwarePropertyDeviceForUID, kAudioHardwarePropertyPlugInForBundleID,
  ]

  /// Properties whose memory holds a number that is replaced by another for it.
  static let conversions: Set<UInt32> = [
    kAudioDevicePropertyVolumeScalarToDecibels, kAudioDevicePropertyVolumeDecibelsToScalar,
    kAudioLevelControlPropertyConvertScalarToDecibels,
    kAudioLevelControlPropertyConvertDecibelsToScalar,
  ]

  /// Properties whose memory holds the question.
  static let questions: Set<UInt32> = [
    kAudioDevicePropertyStreamFormatSupported, kAudioDevicePropertyStreamFormatMatch,
    kAudioStreamPropertyPhysicalFormatSupported, kAudioStreamPropertyPhysicalFormatMatch,
  ]

  /// The text of a string; nil for another object.
  static func text(_ string: CFStringRef?) -> String? {
    guard let string = unsafe string else { return nil }
    return unsafe CFObjects.text(UnsafeRawPointer(string))
  }

  /// Copies a value to a caller's memory; of a list as many whole items as there is room for.
  static func copy(
    _ value: PropertyValue, itemSize: Int, _ ioSize: UnsafeMutablePointer<UInt32>,
    _ target: UnsafeMutableRawPointer
  ) throws(HardwareError) {
    let room = unsafe Int(ioSize.pointee)
    guard case .bytes(let bytes) = value else {
      guard room >= value.byteCount else { throw .badSize }
      unsafe target.storeBytes(of: value.makeObject() ?? 0, as: UInt.self)
      unsafe ioSize.pointee = UInt32(value.byteCount)
      return
    }
    var count = bytes.count
    if room < count {
      guard itemSize > 0, itemSize < count, room >= itemSize else { throw .badSize }
      count = room / itemSize * itemSize
    }
    unsafe bytes.withUnsafeBytes { source in
      guard count > 0, let start = source.baseAddress else { return }
      unsafe target.copyMemory(from: start, byteCount: count)
    }
    unsafe ioSize.pointee = UInt32(count)
  }

  /// Bytes of an item of a list; 0 for a property that is whole or nothing.
  static func itemSize(_ selector: UInt32) -> Int {
    switch selector {
    case kAudioHardwarePropertyDevices, kAudioDevicePropertyStreams,
      kAudioObjectPropertyOwnedObjects, kAudioDevicePropertyRelatedDevices,
      kAudioObjectPropertyControlList, kAudioDevicePropertyPreferredChannelsForStereo,
      kAudioDevicePropertyDataSources, kAudioSelectorControlPropertyAvailableItems,
      kAudioAggregateDevicePropertyActiveSubDeviceList, kAudioPlugInPropertyDeviceList,
      kAudioHardwarePropertyPlugInList:
      4
    case kAudioDevicePropertyAvailableNominalSampleRates: 16
    case kAudioStreamPropertyAvailableVirtualFormats,
      kAudioStreamPropertyAvailablePhysicalFormats:
      MemoryLayout<AudioStreamRangedDescription>.size
    case kAudioDevicePropertyStreamFormats, kAudioStreamPropertyPhysicalFormats:
      MemoryLayout<AudioStreamBasicDescription>.size
    default: 0
    }
  }

  /// The bytes that a property is set to.
  static func value(
    _ size: UInt32, _ data: UnsafeRawPointer?
  ) throws(HardwareError) -> PropertyValue {
    guard let data = unsafe data, size > 0, size <= 1 << 20 else { throw .illegal }
    return unsafe .bytes(Array(UnsafeRawBufferPointer(start: data, count: Int(size))))
  }
}
