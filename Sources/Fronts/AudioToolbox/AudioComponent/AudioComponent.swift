// The functions of AudioComponent.h: finding, describing, opening and registering components.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
public import CAudioToolbox
import RealtimeSupport

/// Returns the next component that matches; null when there is none, or when the description is null.
///
/// Context: control.
@c @implementation
public func AudioComponentFindNext(
  _ component: AudioComponentHandle?, _ description: UnsafePointer<AudioComponentDescription>?
) -> AudioComponentHandle? {
  guard let wanted = unsafe description?.pointee else { return nil }
  if unsafe component == nil { Toolbox.refreshPrograms(matching: wanted) }
  var previous: AudioComponent?
  if unsafe component != nil {
    previous = unsafe Toolbox.component(component)
    guard previous != nil else { return nil }
  }
  return unsafe Toolbox.registry.findNext(after: previous, matching: wanted)?.record
}

/// Returns the number of components that match; 0 when the description is null.
///
/// Context: control.
@c @implementation
public func AudioComponentCount(_ description: UnsafePointer<AudioComponentDescription>?) -> UInt32
{
  guard let wanted = unsafe description?.pointee else { return 0 }
  Toolbox.refreshPrograms(matching: wanted)
  return UInt32(clamping: Toolbox.registry.count(matching: wanted))
}

/// Returns the name, "Maker: Unit", which the caller releases.
///
/// A unit that macOS has as well carries that name behind its own, in parentheses: programs search
/// it.
///
/// Context: control.
@c @implementation
public func AudioComponentCopyName(
  _ component: AudioComponentHandle?, _ name: UnsafeMutablePointer<CFStringRef?>?
) -> OSStatus {
  guard let record = unsafe Toolbox.componentRecord(component), let name = unsafe name,
    let text = unsafe record.pointee.name
  else { return kAudio_ParamError }
  var whole = unsafe String(cString: text)
  if let mac = unsafe MacNames.name(of: record.pointee.description.triple) { whole += " (\(mac))" }
  guard let string = unsafe CFStringCreateWithCString(nil, whole, kCFStringEncodingUTF8) else {
    return kAudio_MemFullError
  }
  unsafe name.pointee = unsafe string
  return noErr
}

/// Returns type, subtype, manufacturer and flags.
///
/// Context: any.
@c @implementation
public func AudioComponentGetDescription(
  _ component: AudioComponentHandle?,
  _ description: UnsafeMutablePointer<AudioComponentDescription>?
) -> OSStatus {
  guard let record = unsafe Toolbox.componentRecord(component),
    let description = unsafe description
  else { return kAudio_ParamError }
  unsafe description.pointee = unsafe record.pointee.description
  return noErr
}

/// Returns the version, 0xMMMMmmbb.
///
/// Context: any.
@c @implementation
public func AudioComponentGetVersion(
  _ component: AudioComponentHandle?, _ version: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  guard let record = unsafe Toolbox.componentRecord(component), let version = unsafe version else {
    return kAudio_ParamError
  }
  unsafe version.pointee = unsafe record.pointee.version
  return noErr
}

/// Opens an instance; `AudioComponentInstanceDispose` closes it.
///
/// Returns the status of the unit's Open, or `kAudioUnitErr_FailedInitialization` if its binary or factory is
/// missing or fails.
///
/// Context: control.
@c @implementation
public func AudioComponentInstanceNew(
  _ component: AudioComponentHandle?,
  _ instance: UnsafeMutablePointer<AudioComponentInstance?>?
) -> OSStatus {
  guard let instance = unsafe instance else { return kAudio_ParamError }
  unsafe instance.pointee = nil
  guard let found = unsafe Toolbox.component(component) else { return kAudio_ParamError }
  do throws(AuricleError) {
    unsafe instance.pointee = unsafe Toolbox.keep(try found.instantiate())
    return noErr
  } catch {
    return error.statusForC
  }
}

/// Closes an instance that `AudioComponentInstanceNew` opened.
///
/// Context: control.
@c @implementation
public func AudioComponentInstanceDispose(_ instance: AudioComponentInstance?) -> OSStatus {
  guard let instance = unsafe instance else { return kAudio_ParamError }
  return unsafe Toolbox.dispose(instance) ? noErr : kAudio_ParamError
}

/// Returns the component of an instance; null for a bad handle. Works within a unit's Open.
///
/// Context: any.
@c @implementation
public func AudioComponentInstanceGetComponent(
  _ instance: AudioComponentInstance?
) -> AudioComponentHandle? {
  unsafe Instance(instance)?.component
}

/// Returns whether an instance implements a selector.
///
/// Context: control.
@c @implementation
public func AudioComponentInstanceCanDo(
  _ instance: AudioComponentInstance?, _ selector: Int16
) -> Bool {
  unsafe Instance(instance)?.answers(selector) ?? false
}

/// Registers a component of this process; null when its description is in use or incomplete.
///
/// Context: control.
@c @implementation
public func AudioComponentRegister(
  _ description: UnsafePointer<AudioComponentDescription>?, _ name: CFStringRef?,
  _ version: UInt32, _ factory: AudioComponentFactoryFunction?
) -> AudioComponentHandle? {
  guard let description = unsafe description?.pointee, let factory = unsafe factory,
    let name = unsafe String(cfString: name)
  else { return nil }
  let component = try? unsafe Toolbox.registry.register(
    description: description, name: name, version: version, factory: factory)
  return unsafe component?.record
}

/// Components have no configuration files here; returns `kAudio_UnimplementedError`.
///
/// Context: any.
@c @implementation
public func AudioComponentCopyConfigurationInfo(
  _ component: AudioComponentHandle?, _ configuration: UnsafeMutablePointer<CFDictionaryRef?>?
) -> OSStatus {
  guard let configuration = unsafe configuration,
    unsafe Toolbox.componentRecord(component) != nil
  else { return kAudio_ParamError }
  unsafe configuration.pointee = nil
  return kAudio_UnimplementedError
}
