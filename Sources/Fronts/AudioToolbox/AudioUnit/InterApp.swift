// The functions of AUComponent.h about units of other programs: publishing, and the icon of the host.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox
import PublishedUnits

/// Publishes an output unit as a component, which other programs open; it ends with the unit, or with this process.
///
/// Returns `kAudioUnitErr_InvalidElement` for a unit that is not `rioc`. Returns `kAudio_ParamError` for a description that no
/// program can publish, and where the installed entry of the component has another name or version.
///
/// Context: control.
@c @implementation
public func AudioOutputUnitPublish(
  _ description: UnsafePointer<AudioComponentDescription>?, _ name: CFStringRef?,
  _ version: UInt32, _ unit: AudioUnitHandle?
) -> OSStatus {
  guard let description = unsafe description?.pointee, let name = unsafe String(cfString: name),
    unsafe Instance(unit) != nil
  else { return kAudio_ParamError }
  guard let published = PublishedUnits.unit(handle: UInt(bitPattern: unit)) else {
    return kAudioUnitErr_InvalidElement
  }
  do throws(AuricleError) {
    try NodeServer.shared.publish(
      ProgramEntry(description, name: name, version: version), published)
    return 0
  } catch {
    return error.status != 0 ? error.status : kAudioComponentErr_NotPermitted
  }
}

/// Returns the bytes of the icon of the host that plays a published unit, a PNG file; null without a host or an icon.
///
/// They belong to the library, and stay as long as the process. A host names its icon in `AURICLE_HOST_ICON`.
///
/// Context: control.
@c
public func AudioOutputUnitGetHostIcon(_ unit: AudioUnitHandle?, _ pointSize: Float) -> CFDataRef? {
  guard let published = PublishedUnits.unit(handle: UInt(bitPattern: unit)),
    let icon = published.hostIcon, let path = ProgramIcon.path(of: [icon], width: pointSize)
  else { return nil }
  return unsafe ProgramIcon.keptData(of: path)
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
