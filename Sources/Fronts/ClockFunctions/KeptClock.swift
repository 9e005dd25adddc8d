// A clock that C code has a handle of: its state, its listeners, and the clocks that it follows and leads.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import MIDIPorts
import MacSystem
import SyncClocks
import Synchronization

/// A status of clock functions.
struct ClockFailure: Error {
  let status: OSStatus

  init(_ status: OSStatus) { self.status = status }

  static var parameter: ClockFailure { ClockFailure(OSStatus(paramErr)) }
}

/// A listener of a clock's changes.
@safe struct ClockListener: Equatable, @unchecked Sendable {
  // @unchecked Sendable because C code keeps both valid, and has them called on any thread.
  let call: CAClockListenerProc
  let userData: UInt

  static func == (left: Self, right: Self) -> Bool {
    unsafe unsafeBitCast(left.call, to: UInt.self) == unsafeBitCast(right.call, to: UInt.self)
      && left.userData == right.userData
  }
}

/// The settings of a clock.
struct ClockSettings {
  var clock = ClockState()
  var syncMode = kCAClockSyncMode_Internal
  /// The source that is followed; 0 for none.
  var source: MIDIRef = 0
  var clockDestinations: [MIDIRef] = []
  var codeDestinations: [MIDIRef] = []
  /// Seconds that it goes on without time code.
  var freewheel = 1.0
  var sendsPlace = true
  /// The name that C code set; retained.
  var name: UInt = 0
  var isArmed = false
  var leader = ClockLeader()
  var follower = ClockFollower()
  /// Ticks since the start of the clock that is followed, in beats from 0; when the last of them or time code came, and where
  /// that was (s).
  var tick = 0
  var last: (time: UInt64, seconds: Double)?
  var listeners: [ClockListener] = []

  /// Whether it follows another.
  var isLed: Bool { syncMode != kCAClockSyncMode_Internal }
}

/// A clock.
///
/// @unchecked Sendable because its settings are under a lock.
@safe final class KeptClock: @unchecked Sendable {
  let settings = Mutex(ClockSettings())
  let link = ClockLink()

  /// The handle for C code.
  var handle: UInt { unsafe UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

  deinit {
    let name = settings.withLock(\.name)
    if let object = unsafe UnsafeRawPointer(bitPattern: name) { unsafe CFRelease(object) }
  }

  /// Changes the settings, then notifies the listeners.
  func change(
    _ body: (inout ClockSettings) throws(ClockFailure) -> [ClockNews]
  ) throws(ClockFailure) {
    let (news, listeners) = try settings.withLock { settings throws(ClockFailure) in
      let news = try body(&settings)
      return (news, settings.listeners)
    }
    for item in news {
      for listener in listeners {
        let userData = unsafe UnsafeMutableRawPointer(bitPattern: listener.userData)
        var property = item.property
        if item.message == kCAClockMessage_PropertyChanged {
          unsafe listener.call(userData, item.message, &property)
        } else {
          unsafe listener.call(userData, item.message, nil)
        }
      }
    }
  }

  /// All clocks of this process, by handle. A handle is found in a table, never dereferenced.
  static let all = Mutex<[UInt: KeptClock]>([:])

  /// Has clocks printed by `CAShow`; once.
  static let areShown: Void = ShownObjects.add { address in
    all.withLock { $0[address] } == nil ? nil : "CAClock 0x\(String(address, radix: 16))"
  }
}

/// The news for listeners.
struct ClockNews {
  let message: CAClockMessage
  var property: CAClockPropertyID = 0

  static func message(_ message: CAClockMessage) -> ClockNews { ClockNews(message: message) }
  static func property(_ property: CAClockPropertyID) -> ClockNews {
    ClockNews(message: kCAClockMessage_PropertyChanged, property: property)
  }
}

/// Calls a body with the clock of a handle, and converts errors to a status.
func withClock(
  _ handle: CAClockRef?, _ body: (KeptClock) throws(ClockFailure) -> Void
) -> OSStatus {
  let found = KeptClock.all.withLock { $0[UInt(bitPattern: handle)] }
  guard let found else { return OSStatus(paramErr) }
  do throws(ClockFailure) {
    try body(found)
    return noErr
  } catch {
    return error.status
  }
}

/// Writes a value where a program wants it.
func store<Value>(
  _ value: Value, _ result: UnsafeMutablePointer<Value>?
) throws(ClockFailure) {
  guard let result = unsafe result else { throw .parameter }
  unsafe result.pointee = value
}
