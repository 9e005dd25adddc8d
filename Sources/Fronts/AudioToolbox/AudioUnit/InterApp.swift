// The functions of AUComponent.h about units of other programs, which do not exist here.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// Publishing output units is not supported; returns `kAudioComponentErr_NotPermitted`.
///
/// Context: control.
@c @implementation
public func AudioOutputUnitPublish(
  _ description: UnsafePointer<AudioComponentDescription>?, _ name: CFStringRef?,
  _ version: UInt32, _ unit: AudioUnitHandle?
) -> OSStatus {
  guard unsafe description != nil, unsafe name != nil, unsafe Instance(unit) != nil else {
    return kAudio_ParamError
  }
  return kAudioComponentErr_NotPermitted
}

/// Returns when a published unit was last used: never.
///
/// Context: any.
@c @implementation
public func AudioComponentGetLastActiveTime(_ component: AudioComponentHandle?) -> CFAbsoluteTime {
  0
}

/// There are no extensions; returns `kAudioUnitErr_ExtensionNotFound`.
///
/// Context: control.
@c @implementation
public func AudioUnitExtensionSetComponentList(
  _ extensionName: CFStringRef?, _ components: CFArrayRef?
) -> OSStatus {
  kAudioUnitErr_ExtensionNotFound
}

/// There are no extensions; returns null.
///
/// Context: control.
@c @implementation
public func AudioUnitExtensionCopyComponentList(_ extensionName: CFStringRef?) -> CFArrayRef? {
  nil
}
