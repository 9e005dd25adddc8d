// The functions of CoreAudioClock.h that make clocks, and run them.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox
import MIDIMessages
import MIDIPorts
import SyncClocks
import Synchronization

/// Makes a clock, which is stopped at 0.
///
/// - Returns: -50 for a null pointer, and for flags.
///
/// Context: control.
@c @implementation
public func CAClockNew(
  _ reservedFlags: UInt32, _ outClock: UnsafeMutablePointer<CAClockRef?>?
) -> OSStatus {
  guard reservedFlags == 0, let out = unsafe outClock else { return OSStatus(paramErr) }
  _ = KeptClock.areShown
  let made = KeptClock()
  KeptClock.all.withLock { $0[made.handle] = made }
  unsafe out.pointee = unsafe CAClockRef(bitPattern: made.handle)
  return noErr
}

/// Ends a clock.
///
/// - Returns: -50 for another object.
///
/// Context: control.
@c @implementation
public func CAClockDispose(_ clock: CAClockRef?) -> OSStatus {
  let gone = KeptClock.all.withLock { $0.removeValue(forKey: UInt(bitPattern: clock)) }
  guard let gone else { return OSStatus(paramErr) }
  try? gone.stop(at: HostClock.now)
  gone.link.end()
  return noErr
}

private func listener(
  _ call: CAClockListenerProc?, _ userData: UnsafeMutableRawPointer?
) throws(ClockFailure) -> ClockListener {
  guard let call = unsafe call else { throw .parameter }
  return unsafe ClockListener(call: call, userData: UInt(bitPattern: userData))
}

/// Adds a listener of a clock's changes.
///
/// - Returns: -50 for another object, and for a null function.
///
/// Context: control.
@c @implementation
public func CAClockAddListener(
  _ clock: CAClockRef?, _ listenerProc: CAClockListenerProc?, _ userData: UnsafeMutableRawPointer?
) -> OSStatus {
  unsafe withClock(clock) { kept throws(ClockFailure) in
    let new = try unsafe listener(listenerProc, userData)
    kept.settings.withLock { settings in
      if !settings.listeners.contains(new) { settings.listeners.append(new) }
    }
  }
}

/// Removes a listener.
///
/// - Returns: -50 for another object, and for a function that is no listener.
///
/// Context: control.
@c @implementation
public func CAClockRemoveListener(
  _ clock: CAClockRef?, _ listenerProc: CAClockListenerProc?, _ userData: UnsafeMutableRawPointer?
) -> OSStatus {
  unsafe withClock(clock) { kept throws(ClockFailure) in
    let old = try unsafe listener(listenerProc, userData)
    let isKnown = kept.settings.withLock { settings -> Bool in
      let count = settings.listeners.count
      settings.listeners.removeAll { $0 == old }
      return settings.listeners.count < count
    }
    if !isKnown { throw .parameter }
  }
}

/// Starts a clock; one that follows another waits for the other's start.
///
/// - Returns: -50 for another object.
///
/// Context: control.
@c @implementation
public func CAClockStart(_ clock: CAClockRef?) -> OSStatus {
  unsafe withClock(clock) { kept throws(ClockFailure) in
    if kept.settings.withLock(\.isLed) { return try arm(kept, true) }
    try kept.start(at: HostClock.now)
  }
}

/// Stops a clock.
///
/// - Returns: -50 for another object.
///
/// Context: control.
@c @implementation
public func CAClockStop(_ clock: CAClockRef?) -> OSStatus {
  unsafe withClock(clock) { kept throws(ClockFailure) in try kept.stop(at: HostClock.now) }
}

private func arm(_ kept: KeptClock, _ isArmed: Bool) throws(ClockFailure) {
  try kept.change { settings throws(ClockFailure) in
    guard settings.isArmed != isArmed else { return [] }
    settings.isArmed = isArmed
    return [.message(isArmed ? kCAClockMessage_Armed : kCAClockMessage_Disarmed)]
  }
}

/// Has a clock that follows another start when that does.
///
/// - Returns: -50 for another object.
///
/// Context: control.
@c @implementation
public func CAClockArm(_ clock: CAClockRef?) -> OSStatus {
  unsafe withClock(clock) { kept throws(ClockFailure) in try arm(kept, true) }
}

/// Cancels a start that waits.
///
/// - Returns: -50 for another object.
///
/// Context: control.
@c @implementation
public func CAClockDisarm(_ clock: CAClockRef?) -> OSStatus {
  unsafe withClock(clock) { kept throws(ClockFailure) in try arm(kept, false) }
}

/// Sets the rate of a clock, relative to its tempos.
///
/// - Returns: -66806 for a rate that is not above 0, and at most 100; -50 for another object.
///
/// Context: control.
@c @implementation
public func CAClockSetPlayRate(_ clock: CAClockRef?, _ rate: Double) -> OSStatus {
  unsafe withClock(clock) { kept throws(ClockFailure) in
    guard rate > 0, rate <= 100 else { throw ClockFailure(kCAClock_InvalidPlayRateError) }
    kept.settings.withLock { $0.clock.setRate(rate, at: HostClock.now) }
  }
}

/// The rate of a clock, relative to its tempos.
///
/// - Returns: -50 for another object, and for a null pointer.
///
/// Context: control.
@c @implementation
public func CAClockGetPlayRate(
  _ clock: CAClockRef?, _ outRate: UnsafeMutablePointer<Double>?
) -> OSStatus {
  unsafe withClock(clock) { kept throws(ClockFailure) in
    try unsafe store(kept.settings.withLock(\.clock.rate), outRate)
  }
}

/// Follows messages that a program received itself.
///
/// - Returns: -50 for another object, and for a null list.
///
/// Context: any but a device's thread.
@c @implementation
public func CAClockParseMIDI(
  _ clock: CAClockRef?, _ list: UnsafePointer<MIDIPacketList>?
) -> OSStatus {
  unsafe withClock(clock) { kept throws(ClockFailure) in
    guard let list = unsafe list else { throw .parameter }
    for packet in unsafe PacketMemory.bytes(list) {
      kept.receive(packet.bytes, at: packet.time == 0 ? HostClock.now : packet.time)
    }
  }
}
