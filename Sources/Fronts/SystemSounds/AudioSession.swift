// The functions of AudioSession.h.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import MacSystem
import Synchronization

private func call(_ body: (SessionState) throws(SoundFailure) -> Void) -> OSStatus {
  let session = SessionState.shared
  guard session.state.withLock({ $0.isInitialized }) else { return kAudioSessionNotInitialized }
  do throws(SoundFailure) {
    try body(session)
    return noErr
  } catch {
    return error.status
  }
}

/// Begins the session of this process.
///
/// - Returns: `init` for a second call.
///
/// Context: control.
@c @implementation
public func AudioSessionInitialize(
  _ loop: CFRunLoopRef?, _ mode: CFStringRef?, _ listener: AudioSessionInterruptionListener?,
  _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let loop = unsafe loop ?? CFRunLoopGetMain() else {
    return kAudioSessionInitializationError
  }
  if SessionState.shared.state.withLock({ $0.isInitialized }) {
    return kAudioSessionAlreadyInitialized
  }
  let delivery = unsafe CallbackDelivery(loop, mode ?? kCFRunLoopDefaultMode)
  let interrupted = unsafe SessionState.Interrupted(procedure: listener, context: clientData)
  return SessionState.shared.begin(delivery, interrupted) ? noErr : kAudioSessionAlreadyInitialized
}

/// Makes the session active, or not.
///
/// - Returns: `nohw` where the category needs a device that is not there.
///
/// Context: control.
@c @implementation
public func AudioSessionSetActive(_ active: Bool) -> OSStatus {
  AudioSessionSetActiveWithFlags(active, 0)
}

/// Makes the session active, or not. There is nobody else to notify.
///
/// - Returns: `nohw` where the category needs a device that is not there.
///
/// Context: control.
@c @implementation
public func AudioSessionSetActiveWithFlags(_ active: Bool, _ flags: UInt32) -> OSStatus {
  call { (session) throws(SoundFailure) in
    let category = session.state.withLock { $0.category }
    if active, !session.hasDevices(category) {
      throw SoundFailure(status: kAudioServicesNoHardwareError)
    }
    session.state.withLock {
      $0.isActive = active
      if active { $0.isInterrupted = false }
    }
    if active { session.applyWishes() }
  }
}

/// The value of a property. The caller owns objects.
///
/// - Returns: `pty?`, `!siz` for too little room.
///
/// Context: control.
@c @implementation
public func AudioSessionGetProperty(
  _ property: AudioSessionPropertyID, _ ioSize: UnsafeMutablePointer<UInt32>?,
  _ outData: UnsafeMutableRawPointer?
) -> OSStatus {
  call { (session) throws(SoundFailure) in
    guard let ioSize = unsafe ioSize, let outData = unsafe outData else {
      throw SoundFailure(status: kAudio_ParamError)
    }
    func store<Value: BitwiseCopyable>(_ value: Value) throws(SoundFailure) {
      let size = UInt32(MemoryLayout<Value>.size)
      guard unsafe ioSize.pointee >= size else {
        throw SoundFailure(status: kAudioSessionBadPropertySizeError)
      }
      unsafe outData.storeBytes(of: value, as: Value.self)
      unsafe ioSize.pointee = size
    }
    switch try session.value(property) {
    case .word(let word): try store(word)
    case .float(let number): try store(number)
    case .double(let number): try store(number)
    case .object(let object):
      guard unsafe ioSize.pointee >= UInt32(MemoryLayout<UInt>.size) else {
        throw SoundFailure(status: kAudioSessionBadPropertySizeError)
      }
      try unsafe store(UInt(bitPattern: object.retained()))
    }
  }
}

/// The size of a property's value.
///
/// - Returns: `pty?`, -50.
///
/// Context: control.
@c @implementation
public func AudioSessionGetPropertySize(
  _ property: AudioSessionPropertyID, _ outSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  call { (session) throws(SoundFailure) in
    guard let outSize = unsafe outSize else { throw SoundFailure(status: kAudio_ParamError) }
    switch try session.value(property) {
    case .word, .float: unsafe outSize.pointee = 4
    case .double, .object: unsafe outSize.pointee = 8
    }
  }
}

/// Sets a property.
///
/// - Returns: `pty?` for one that cannot be set, or a value that makes no sense; `!siz`; `!cat` for a
///   property that the category has no use for.
///
/// Context: control.
@c @implementation
public func AudioSessionSetProperty(
  _ property: AudioSessionPropertyID, _ size: UInt32, _ data: UnsafeRawPointer?
) -> OSStatus {
  call { (session) throws(SoundFailure) in
    guard let data = unsafe data else { throw SoundFailure(status: kAudio_ParamError) }
    func loaded<Value: BitwiseCopyable>(as type: Value.Type) throws(SoundFailure) -> Value {
      guard size == UInt32(MemoryLayout<Value>.size) else {
        throw SoundFailure(status: kAudioSessionBadPropertySizeError)
      }
      return unsafe data.loadUnaligned(as: type)
    }
    switch property {
    case kAudioSessionProperty_PreferredHardwareSampleRate:
      let rate = try loaded(as: Double.self)
      guard rate.isFinite, rate >= 0 else { throw SessionState.unsupported }
      session.state.withLock { $0.wantedRate = rate }
      if session.state.withLock({ $0.isActive }) { session.applyWishes() }
    case kAudioSessionProperty_PreferredHardwareIOBufferDuration:
      let duration = try loaded(as: Float.self)
      guard duration.isFinite, duration >= 0 else { throw SessionState.unsupported }
      session.state.withLock { $0.wantedDuration = duration }
      if session.state.withLock({ $0.isActive }) { session.applyWishes() }
    case kAudioSessionProperty_InputSource, kAudioSessionProperty_OutputDestination:
      let bits = try loaded(as: UInt.self)
      var number: Int32 = 0
      guard let object = unsafe CFNumberRef(bitPattern: bits),
        unsafe CFNumberGetValue(object, CFNumberType(kCFNumberSInt32Type), &number)
      else { throw SessionState.unsupported }
      try session.choose(number, isInput: property == kAudioSessionProperty_InputSource)
    default: try session.set(property, try loaded(as: UInt32.self))
    }
  }
}

/// Removes the listener that is the same, and adds it anew where that is wanted.
private func replace(
  _ property: AudioSessionPropertyID, _ procedure: AudioSessionPropertyListener?,
  _ context: UnsafeMutableRawPointer?, adds: Bool
) -> OSStatus {
  call { (session) throws(SoundFailure) in
    guard let procedure = unsafe procedure else { throw SoundFailure(status: kAudio_ParamError) }
    let made = unsafe SessionState.Listener(
      property: property, procedure: procedure, context: context)
    session.state.withLock { state in
      state.listeners.removeAll { $0.isSame(as: made) }
      if adds { state.listeners.append(made) }
    }
  }
}

/// Adds a listener of a property; the same one with the same data is there once.
///
/// - Returns: -50.
///
/// Context: control.
@c @implementation
public func AudioSessionAddPropertyListener(
  _ property: AudioSessionPropertyID, _ listener: AudioSessionPropertyListener?,
  _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
  unsafe replace(property, listener, clientData, adds: true)
}

/// Removes the listeners of a property that have no data.
///
/// Context: control.
@c @implementation
public func AudioSessionRemovePropertyListener(_ property: AudioSessionPropertyID) -> OSStatus {
  call { (session) throws(SoundFailure) in
    session.state.withLock { state in
      state.listeners.removeAll { unsafe $0.property == property && $0.context == nil }
    }
  }
}

/// Removes one listener of a property.
///
/// - Returns: -50.
///
/// Context: control.
@c @implementation
public func AudioSessionRemovePropertyListenerWithUserData(
  _ property: AudioSessionPropertyID, _ listener: AudioSessionPropertyListener?,
  _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
  unsafe replace(property, listener, clientData, adds: false)
}
