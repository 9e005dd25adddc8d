// The functions of AUComponent.h about units of other programs: there are none here.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// No program can lend its output unit to another here; answers `kAudioComponentErr_NotPermitted`.
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

/// When a published unit was last used: never.
///
/// Context: any.
@c @implementation
public func AudioComponentGetLastActiveTime(_ component: AudioComponentHandle?) -> CFAbsoluteTime {
  0
}

/// There are no extensions here; answers `kAudioUnitErr_ExtensionNotFound`.
///
/// Context: control.
@c @implementation
public func AudioUnitExtensionSetComponentList(
  _ extensionName: CFStringRef?, _ components: CFArrayRef?
) -> OSStatus {
  kAudioUnitErr_ExtensionNotFound
}

/// There are no extensions here, so none has components; null.
///
/// Context: control.
@c @implementation
public func AudioUnitExtensionCopyComponentList(_ extensionName: CFStringRef?) -> CFArrayRef? {
  nil
}
