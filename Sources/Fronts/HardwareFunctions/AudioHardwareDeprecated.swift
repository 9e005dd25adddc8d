// The older functions for the system object, devices and streams: each is one for audio objects.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// The address of a property of a device's side.
func oldAddress(_ property: UInt32, _ channel: UInt32, _ isInput: Bool)
  -> AudioObjectPropertyAddress
{
  AudioObjectPropertyAddress(
    mSelector: property,
    mScope: isInput ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput,
    mElement: channel)
}

/// The address of a property without a side.
func oldAddress(_ property: UInt32, _ channel: UInt32 = 0) -> AudioObjectPropertyAddress {
  AudioObjectPropertyAddress(
    mSelector: property, mScope: kAudioObjectPropertyScopeGlobal, mElement: channel)
}

private let systemObject = AudioObjectID(kAudioObjectSystemObject)

/// Size and writability of a property.
private func info(
  _ object: AudioObjectID, _ address: AudioObjectPropertyAddress,
  _ outSize: UnsafeMutablePointer<UInt32>?, _ outIsWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  var address = address
  var size: UInt32 = 0
  var isWritable = false
  let status = unsafe AudioObjectGetPropertyDataSize(object, &address, 0, nil, &size)
  guard status == noErr else { return status }
  unsafe outSize?.pointee = size
  _ = unsafe AudioObjectIsPropertySettable(object, &address, &isWritable)
  unsafe outIsWritable?.pointee = isWritable
  return noErr
}

/// The size of a property of the system object, as `AudioObjectGetPropertyDataSize`. Context:
/// control.
@c @implementation
public func AudioHardwareGetPropertyInfo(
  _ property: UInt32,
  _ outSize: UnsafeMutablePointer<UInt32>?, _ outIsWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  unsafe info(systemObject, oldAddress(property), outSize, outIsWritable)
}

/// The value of a property of the system object, as `AudioObjectGetPropertyData`. Context: control.
@c @implementation
public func AudioHardwareGetProperty(
  _ property: UInt32,
  _ ioSize: UnsafeMutablePointer<UInt32>?, _ outData: UnsafeMutableRawPointer?
) -> OSStatus {
  var address = oldAddress(property)
  return unsafe AudioObjectGetPropertyData(systemObject, &address, 0, nil, ioSize, outData)
}

/// Sets a property of the system object at once, as `AudioObjectSetPropertyData`. Context: control.
@c @implementation
public func AudioHardwareSetProperty(
  _ property: UInt32, _ size: UInt32, _ data: UnsafeRawPointer?
) -> OSStatus {
  var address = oldAddress(property)
  return unsafe AudioObjectSetPropertyData(systemObject, &address, 0, nil, size, data)
}

/// The size of a property of a device's side, as `AudioObjectGetPropertyDataSize`. Context:
/// control.
@c @implementation
public func AudioDeviceGetPropertyInfo(
  _ device: AudioObjectID, _ channel: UInt32, _ isInput: Bool, _ property: UInt32,
  _ outSize: UnsafeMutablePointer<UInt32>?, _ outIsWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  unsafe info(device, oldAddress(property, channel, isInput), outSize, outIsWritable)
}

/// The value of a property of a device's side, as `AudioObjectGetPropertyData`. Context: control.
@c @implementation
public func AudioDeviceGetProperty(
  _ device: AudioObjectID, _ channel: UInt32, _ isInput: Bool, _ property: UInt32,
  _ ioSize: UnsafeMutablePointer<UInt32>?, _ outData: UnsafeMutableRawPointer?
) -> OSStatus {
  var address = oldAddress(property, channel, isInput)
  return unsafe AudioObjectGetPropertyData(device, &address, 0, nil, ioSize, outData)
}

/// Sets a property of a device's side at once, as `AudioObjectSetPropertyData`. Context: control.
@c @implementation
public func AudioDeviceSetProperty(
  _ device: AudioObjectID, _ when: UnsafePointer<AudioTimeStamp>?, _ channel: UInt32,
  _ isInput: Bool, _ property: UInt32, _ size: UInt32, _ data: UnsafeRawPointer?
) -> OSStatus {
  var address = oldAddress(property, channel, isInput)
  return unsafe AudioObjectSetPropertyData(device, &address, 0, nil, size, data)
}

/// The size of a property of a stream, as `AudioObjectGetPropertyDataSize`. Context: control.
@c @implementation
public func AudioStreamGetPropertyInfo(
  _ stream: AudioObjectID, _ channel: UInt32, _ property: UInt32,
  _ outSize: UnsafeMutablePointer<UInt32>?, _ outIsWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  unsafe info(stream, oldAddress(property, channel), outSize, outIsWritable)
}

/// The value of a property of a stream, as `AudioObjectGetPropertyData`. Context: control.
@c @implementation
public func AudioStreamGetProperty(
  _ stream: AudioObjectID, _ channel: UInt32, _ property: UInt32,
  _ ioSize: UnsafeMutablePointer<UInt32>?, _ outData: UnsafeMutableRawPointer?
) -> OSStatus {
  var address = oldAddress(property, channel)
  return unsafe AudioObjectGetPropertyData(stream, &address, 0, nil, ioSize, outData)
}

/// Sets a property of a stream at once, as `AudioObjectSetPropertyData`. Context: control.
@c @implementation
public func AudioStreamSetProperty(
  _ stream: AudioObjectID, _ when: UnsafePointer<AudioTimeStamp>?, _ channel: UInt32,
  _ property: UInt32, _ size: UInt32, _ data: UnsafeRawPointer?
) -> OSStatus {
  var address = oldAddress(property, channel)
  return unsafe AudioObjectSetPropertyData(stream, &address, 0, nil, size, data)
}
