// The functions of AudioServices.h.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import MacSystem
import Synchronization

/// The sounds of this process, by number.
private struct KnownSounds {
  var sounds: [SystemSoundID: SystemSound] = [:]
  var next: SystemSoundID = 1

  mutating func keep(_ sound: SystemSound) -> SystemSoundID {
    // The numbers that need no file are left out.
    if next == kSystemSoundID_FlashScreen { next = kSystemSoundID_UserPreferredAlert + 1 }
    defer { next += 1 }
    sounds[next] = sound
    return next
  }
}

private let known = Mutex(KnownSounds())

private func sound(_ id: SystemSoundID) -> SystemSound? {
  if id == kSystemSoundID_UserPreferredAlert { return InterfaceSounds.alert }
  return known.withLock { $0.sounds[id] }
}

/// Reads a sound.
///
/// - Returns: -1500 for a file that cannot be read, -1502 for one of more than 30 seconds, -50.
///
/// Context: control.
@c @implementation
public func AudioServicesCreateSystemSoundID(
  _ fileURL: CFURLRef?, _ outSound: UnsafeMutablePointer<SystemSoundID>?
) -> OSStatus {
  guard let fileURL = unsafe fileURL, let outSound = unsafe outSound else {
    return kAudio_ParamError
  }
  do throws(SoundFailure) {
    let made = try unsafe SystemSound(fileURL)
    unsafe outSound.pointee = known.withLock { $0.keep(made) }
    return noErr
  } catch {
    return error.status
  }
}

/// Removes a sound; if it still plays, it ends.
///
/// - Returns: -1500 for a number that is no sound.
///
/// Context: control.
@c @implementation
public func AudioServicesDisposeSystemSoundID(_ id: SystemSoundID) -> OSStatus {
  guard let old = known.withLock({ $0.sounds.removeValue(forKey: id) }) else {
    return kAudioServicesSystemSoundUnspecifiedError
  }
  old.state.withLock { $0.isDisposed = true }
  old.setCompletion(nil)
  return noErr
}

private func play(_ id: SystemSoundID, _ completion: (@Sendable () -> Void)? = nil) {
  let found = sound(id)
  let isWanted = found?.state.withLock { !$0.isInterfaceSound } ?? false || InterfaceSounds.areOn
  if found == nil, completion == nil { return }
  SoundPlayer.shared.play(isWanted ? found : nil, completion: completion)
}

/// Plays a sound on the device for alerts, and returns at once.
///
/// Context: any but a device's thread.
@c @implementation
public func AudioServicesPlaySystemSound(_ id: SystemSoundID) { play(id) }

/// Plays a sound as an alert: here the two are the same.
///
/// Context: any but a device's thread.
@c @implementation
public func AudioServicesPlayAlertSound(_ id: SystemSoundID) { play(id) }

// The declarations are hidden from Swift: `@c` cannot check a signature with a block.

private func play(_ id: SystemSoundID, _ block: UnsafeRawPointer?) {
  typealias Function = @convention(c) (UnsafeMutableRawPointer?) -> Void
  guard let block = unsafe Block(block) else { return play(id) }
  play(id) { unsafe block.function(as: Function.self)(block.pointer) }
}

/// Plays a sound, and calls a block after its end.
///
/// Context: any but a device's thread. The corresponding Core Audio function is
/// `AudioServicesPlaySystemSoundWithCompletion`.
@_cdecl("AudioServicesPlaySystemSoundWithCompletion")
public func playSystemSound(_ id: SystemSoundID, _ completion: UnsafeRawPointer?) {
  unsafe play(id, completion)
}

/// Plays a sound as an alert, and calls a block after its end.
///
/// Context: any but a device's thread. The corresponding Core Audio function is
/// `AudioServicesPlayAlertSoundWithCompletion`.
@_cdecl("AudioServicesPlayAlertSoundWithCompletion")
public func playAlertSound(_ id: SystemSoundID, _ completion: UnsafeRawPointer?) {
  unsafe play(id, completion)
}

/// Plays a sound, and calls a block after its end; a device of two channels has no details to go by.
///
/// Context: any but a device's thread. The corresponding Core Audio function is
/// `AudioServicesPlaySystemSoundWithDetails`.
@_cdecl("AudioServicesPlaySystemSoundWithDetails")
public func playSystemSound(
  _ id: SystemSoundID, _ details: UnsafeRawPointer?, _ completion: UnsafeRawPointer?
) {
  unsafe play(id, completion)
}

/// Plays a sound as an alert, and calls a block after its end.
///
/// Context: any but a device's thread. The corresponding Core Audio function is
/// `AudioServicesPlayAlertSoundWithDetails`.
@_cdecl("AudioServicesPlayAlertSoundWithDetails")
public func playAlertSound(
  _ id: SystemSoundID, _ details: UnsafeRawPointer?, _ completion: UnsafeRawPointer?
) {
  unsafe play(id, completion)
}

/// Has a procedure called on a run loop each time a sound has ended; one a sound.
///
/// - Returns: -1500 for a number that is no sound, -50.
///
/// Context: control.
@c @implementation
public func AudioServicesAddSystemSoundCompletion(
  _ id: SystemSoundID, _ loop: CFRunLoopRef?, _ mode: CFStringRef?,
  _ completion: AudioServicesSystemSoundCompletionProc?, _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let completion = unsafe completion else { return kAudio_ParamError }
  guard let found = sound(id), let loop = unsafe loop ?? CFRunLoopGetMain() else {
    return kAudioServicesSystemSoundUnspecifiedError
  }
  let procedure = unsafe Procedure(id: id, completion: completion, clientData: clientData)
  found.setCompletion(
    SystemSound.Completion(
      call: { unsafe procedure.completion(procedure.id, procedure.clientData) },
      delivery: unsafe CallbackDelivery(loop, mode ?? kCFRunLoopDefaultMode)))
  return noErr
}

/// A procedure of a program's with its data, which the program keeps valid.
@safe private struct Procedure: @unchecked Sendable {
  let id: SystemSoundID
  let completion: AudioServicesSystemSoundCompletionProc
  let clientData: UnsafeMutableRawPointer?
}

/// Has nobody called any more when a sound has ended.
///
/// Context: control.
@c @implementation
public func AudioServicesRemoveSystemSoundCompletion(_ id: SystemSoundID) {
  sound(id)?.setCompletion(nil)
}

// MARK: Properties

/// The sound that a specifier names.
private func sound(
  _ property: AudioServicesPropertyID, _ size: UInt32, _ specifier: UnsafeRawPointer?
) throws(SoundFailure) -> SystemSound {
  guard
    [kAudioServicesPropertyIsUISound, kAudioServicesPropertyCompletePlaybackIfAppDies].contains(
      property)
  else { throw SoundFailure(status: kAudioServicesUnsupportedPropertyError) }
  guard size == 4, let specifier = unsafe specifier else {
    throw SoundFailure(status: kAudioServicesBadSpecifierSizeError)
  }
  let id = unsafe specifier.loadUnaligned(as: SystemSoundID.self)
  guard let found = sound(id) else {
    throw SoundFailure(status: kAudioServicesSystemSoundUnspecifiedError)
  }
  return found
}

/// The size of a property, and whether it can be set.
///
/// - Returns: `pty?`, `!spc`, -1500.
///
/// Context: any.
@c @implementation
public func AudioServicesGetPropertyInfo(
  _ property: AudioServicesPropertyID, _ specifierSize: UInt32, _ specifier: UnsafeRawPointer?,
  _ outSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  do throws(SoundFailure) {
    _ = try unsafe sound(property, specifierSize, specifier)
    unsafe outSize?.pointee = 4
    unsafe outWritable?.pointee = true
    return noErr
  } catch {
    return error.status
  }
}

/// The value of a property; without memory for it, its size.
///
/// - Returns: `pty?`, `!spc`, `!siz`, -1500.
///
/// Context: any.
@c @implementation
public func AudioServicesGetProperty(
  _ property: AudioServicesPropertyID, _ specifierSize: UInt32, _ specifier: UnsafeRawPointer?,
  _ ioSize: UnsafeMutablePointer<UInt32>?, _ outData: UnsafeMutableRawPointer?
) -> OSStatus {
  do throws(SoundFailure) {
    let found = try unsafe sound(property, specifierSize, specifier)
    guard let ioSize = unsafe ioSize else { return kAudio_ParamError }
    if let outData = unsafe outData {
      guard unsafe ioSize.pointee >= 4 else { return kAudioServicesBadPropertySizeError }
      let isSet = found.state.withLock {
        property == kAudioServicesPropertyIsUISound ? $0.isInterfaceSound : $0.completesAtExit
      }
      unsafe outData.storeBytes(of: isSet ? 1 : 0, as: UInt32.self)
    }
    unsafe ioSize.pointee = 4
    return noErr
  } catch {
    return error.status
  }
}

/// Sets a property.
///
/// - Returns: `pty?`, `!spc`, `!siz`, -1500.
///
/// Context: any.
@c @implementation
public func AudioServicesSetProperty(
  _ property: AudioServicesPropertyID, _ specifierSize: UInt32, _ specifier: UnsafeRawPointer?,
  _ size: UInt32, _ data: UnsafeRawPointer?
) -> OSStatus {
  do throws(SoundFailure) {
    let found = try unsafe sound(property, specifierSize, specifier)
    guard size == 4, let data = unsafe data else { return kAudioServicesBadPropertySizeError }
    let isSet = unsafe data.loadUnaligned(as: UInt32.self) != 0
    found.state.withLock {
      if property == kAudioServicesPropertyIsUISound {
        $0.isInterfaceSound = isSet
      } else {
        $0.completesAtExit = isSet
      }
    }
    return noErr
  } catch {
    return error.status
  }
}
