// The functions of AudioHardware.h that ask audio objects for properties, and set them.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox
import HardwareObjects

/// Prints an object and its identity to standard output.
///
/// Context: control.
@c @implementation
public func AudioObjectShow(_ object: AudioObjectID) {
  let system = HardwareSystem.shared
  func text(_ selector: UInt32) -> String {
    guard let value = try? system.property(object, HardwareCalls.global(selector)),
      case .text(let text) = value
    else { return "?" }
    return text
  }
  guard
    let value = try? system.property(object, HardwareCalls.global(kAudioObjectPropertyClass)),
    let code = value.loaded(as: UInt32.self)
  else { return print("AudioObject \(object): there is none of this number") }
  let isDevice = code == kAudioDeviceClassID
  let uid = isDevice ? ", UID \(text(kAudioDevicePropertyDeviceUID))" : ""
  print(
    "AudioObject \(object): '\(FourCharacterCode(rawValue: code))', \(text(kAudioObjectPropertyName))\(uid)"
  )
}

/// Whether an object has a property.
///
/// Context: control.
@c @implementation
public func AudioObjectHasProperty(
  _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?
) -> Bool {
  let status = HardwareCalls.status { () throws(HardwareError) in
    try HardwareSystem.shared.requireProperty(object, unsafe HardwareCalls.address(address))
  }
  return status == noErr
}

/// Whether a property can be set.
///
/// Context: control.
@c @implementation
public func AudioObjectIsPropertySettable(
  _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
  _ outIsSettable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  HardwareCalls.status { () throws(HardwareError) in
    let address = try unsafe HardwareCalls.address(address)
    guard let outIsSettable = unsafe outIsSettable else { throw .illegal }
    let isSettable = try HardwareSystem.shared.isSettable(object, address)
    unsafe outIsSettable.pointee = isSettable
  }
}

/// Returns the size of a property's value.
///
/// Context: control.
@c @implementation
public func AudioObjectGetPropertyDataSize(
  _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
  _ qualifierSize: UInt32, _ qualifier: UnsafeRawPointer?, _ outSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  HardwareCalls.status { () throws(HardwareError) in
    let address = try unsafe HardwareCalls.address(address)
    guard let outSize = unsafe outSize else { throw .illegal }
    if HardwareCalls.translations.contains(address.mSelector) {
      unsafe outSize.pointee = UInt32(MemoryLayout<AudioValueTranslation>.size)
      return
    }
    if address.mSelector == kAudioPlugInCreateAggregateDevice {
      unsafe outSize.pointee = UInt32(MemoryLayout<AudioObjectID>.size)
      return
    }
    let supplied = unsafe HardwareCalls.qualifier(address.mSelector, qualifierSize, qualifier)
    let value: PropertyValue
    do throws(HardwareError) {
      value = try HardwareSystem.shared.property(object, address, supplied)
    } catch {
      guard error == .badSize, unsafe qualifier == nil else { throw error }
      value = .value(UInt32(0))
    }
    unsafe outSize.pointee = UInt32(value.byteCount)
  }
}

/// Copies the value of a property.
///
/// - Returns: `!siz` where there is no room; of a list, as many whole items as there is room for. Strings are the
///   caller's to release.
///
/// Context: control.
@c @implementation
public func AudioObjectGetPropertyData(
  _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
  _ qualifierSize: UInt32, _ qualifier: UnsafeRawPointer?, _ ioSize: UnsafeMutablePointer<UInt32>?,
  _ outData: UnsafeMutableRawPointer?
) -> OSStatus {
  HardwareCalls.status { () throws(HardwareError) in
    let address = try unsafe HardwareCalls.address(address)
    guard let ioSize = unsafe ioSize, let outData = unsafe outData else { throw .illegal }
    if HardwareCalls.translations.contains(address.mSelector) {
      return try unsafe translate(object, address, ioSize, outData)
    }
    if HardwareCalls.questions.contains(address.mSelector) {
      return try unsafe answer(object, address, ioSize, outData)
    }
    if address.mSelector == kAudioPlugInDestroyAggregateDevice {
      guard unsafe ioSize.pointee >= 4 else { throw .badSize }
      return try HardwareSystem.shared.destroyAggregate(
        unsafe outData.loadUnaligned(as: AudioObjectID.self))
    }
    if address.mSelector == kAudioDevicePropertyIOProcStreamUsage {
      return try unsafe IORegistrations.shared.readStreamUsage(object, address, ioSize, outData)
    }
    var supplied = unsafe HardwareCalls.qualifier(address.mSelector, qualifierSize, qualifier)
    if HardwareCalls.conversions.contains(address.mSelector) {
      guard unsafe ioSize.pointee >= 4 else { throw .badSize }
      supplied.bytes = unsafe Array(UnsafeRawBufferPointer(start: outData, count: 4))
    }
    let value = try HardwareSystem.shared.property(object, address, supplied)
    try unsafe HardwareCalls.copy(
      value, itemSize: HardwareCalls.itemSize(address.mSelector), ioSize, outData)
  }
}

/// Answers a question that points at the room for its answer.
private func translate(
  _ object: AudioObjectID, _ address: AudioObjectPropertyAddress,
  _ ioSize: UnsafeMutablePointer<UInt32>, _ outData: UnsafeMutableRawPointer
) throws(HardwareError) {
  guard unsafe Int(ioSize.pointee) >= MemoryLayout<AudioValueTranslation>.size else {
    throw .badSize
  }
  var translation = unsafe outData.loadUnaligned(as: AudioValueTranslation.self)
  let isText = HardwareCalls.textTranslations.contains(address.mSelector)
  guard let input = unsafe translation.mInputData, let output = unsafe translation.mOutputData,
    unsafe translation.mInputDataSize >= (isText ? 8 : 4)
  else { throw .badSize }
  var qualifier = PropertyQualifier()
  if isText {
    let string = unsafe input.loadUnaligned(as: CFStringRef?.self)
    qualifier.text = unsafe HardwareCalls.text(string)
  } else {
    qualifier.bytes = unsafe Array(UnsafeRawBufferPointer(start: input, count: 4))
  }
  let value = try HardwareSystem.shared.property(object, address, qualifier)
  var size = unsafe translation.mOutputDataSize
  try unsafe HardwareCalls.copy(value, itemSize: 0, &size, output)
  unsafe translation.mOutputDataSize = size
  unsafe outData.storeBytes(of: translation, as: AudioValueTranslation.self)
}

/// Says whether a device can have a format, or which is the nearest.
private func answer(
  _ object: AudioObjectID, _ address: AudioObjectPropertyAddress,
  _ ioSize: UnsafeMutablePointer<UInt32>, _ outData: UnsafeMutableRawPointer
) throws(HardwareError) {
  let size = MemoryLayout<AudioStreamBasicDescription>.size
  guard unsafe Int(ioSize.pointee) >= size else { throw .badSize }
  let asked = unsafe outData.loadUnaligned(as: AudioStreamBasicDescription.self)
  let value = try HardwareSystem.shared.property(object, address)
  guard let present = value.loaded(as: AudioStreamBasicDescription.self) else { throw .badSize }
  let isSupported =
    [
      kAudioDevicePropertyStreamFormatSupported, kAudioStreamPropertyPhysicalFormatSupported,
    ].contains(address.mSelector)
  if isSupported {
    let isSame =
      asked.mFormatID == present.mFormatID
      && asked.mChannelsPerFrame == present.mChannelsPerFrame
      && asked.mBitsPerChannel == present.mBitsPerChannel
    guard isSame else { throw .init(kAudioDeviceUnsupportedFormatError) }
    return
  }
  unsafe outData.storeBytes(of: present, as: AudioStreamBasicDescription.self)
  unsafe ioSize.pointee = UInt32(size)
}

/// Sets a property. Values that a device needs time for are there when a listener is called.
///
/// Context: control.
@c @implementation
public func AudioObjectSetPropertyData(
  _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
  _ qualifierSize: UInt32, _ qualifier: UnsafeRawPointer?, _ size: UInt32, _ data: UnsafeRawPointer?
) -> OSStatus {
  HardwareCalls.status { () throws(HardwareError) in
    let address = try unsafe HardwareCalls.address(address)
    if address.mSelector == kAudioDevicePropertyIOProcStreamUsage {
      return try unsafe IORegistrations.shared.setStreamUsage(
        object, isInput: address.mScope == kAudioObjectPropertyScopeInput, size, data)
    }
    let value = try unsafe HardwareCalls.value(size, data)
    try HardwareSystem.shared.setProperty(object, address, value)
    guard address.mSelector == kAudioDevicePropertyHogMode, let data = unsafe data else { return }
    // The new owner is returned in place of the wish.
    let owner = try HardwareSystem.shared.property(object, address).loaded(as: Int32.self) ?? -1
    unsafe UnsafeMutableRawPointer(mutating: data).storeBytes(of: owner, as: Int32.self)
  }
}
