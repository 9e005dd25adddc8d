// All listeners of this process, and their notification.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import Glibc
import Synchronization

/// The centre of changes: it knows every listener, by its address.
///
/// Context: any thread but a render thread.
public enum EventCenter {
  private static let listeners = Mutex<[UInt: EventListener]>([:])

  static func enter(_ listener: EventListener) {
    listeners.withLock { $0[listener.address] = listener }
  }

  static func leave(_ listener: EventListener) {
    // Released outside of the lock: its end may be the end of more.
    _ = listeners.withLock { $0.removeValue(forKey: listener.address) }
  }

  /// The listener of an address; nil for one that was disposed of, and for any other number.
  public static func listener(at address: UInt) -> EventListener? {
    listeners.withLock { $0[address] }
  }

  /// Removes a unit that goes away from all listeners.
  static func forget(_ unit: UnsafeMutablePointer<ComponentInstanceRecord>) {
    let address = UInt(bitPattern: unit)
    for listener in all() { listener.forget(unitAddress: address) }
  }

  private static func all() -> [EventListener] {
    listeners.withLock { Array($0.values) }
  }

  /// Notifies all listeners of an event.
  ///
  /// - Parameters:
  ///   - sender: The listener that made the change and is not notified.
  ///   - sendingObject: The object of the sender that is not notified; nil: none of its objects.
  ///
  /// The corresponding Core Audio functions are `AUEventListenerNotify` and
  /// `AUParameterListenerNotify`.
  public static func notify(
    _ event: UnitEvent, sender: EventListener? = nil,
    sendingObject: UnsafeMutableRawPointer? = nil
  ) {
    let now = hostTime()
    let object = UInt(bitPattern: sendingObject)
    for listener in all() {
      listener.receive(event, hostTime: now) {
        listener === sender && (object == 0 || $0 == object)
      }
    }
  }

  /// Sets a parameter and notifies all listeners but the sender.
  ///
  /// - Returns: The unit's status; nothing is notified of a change that failed.
  ///
  /// The corresponding Core Audio function is `AUParameterSet`.
  public static func setParameter(
    _ parameter: UnitEvent, _ value: Float, bufferOffset: UInt32 = 0,
    sender: EventListener? = nil, sendingObject: UnsafeMutableRawPointer? = nil
  ) -> OSStatus {
    guard parameter.kind == .valueChange, let unit = unsafe parameter.unit,
      let plugIn = unsafe unit.pointee.plugIn
    else { return kAudio_ParamError }
    guard let set = unsafe unit.pointee.setParameter else { return kAudio_UnimplementedError }
    let status = unsafe set(
      plugIn, parameter.id, parameter.scope, parameter.element, value, bufferOffset)
    guard status == 0 else { return status }
    unsafe notify(parameter, sender: sender, sendingObject: sendingObject)
    return 0
  }

  /// Nanoseconds of the monotonic clock: the host time of events.
  static func hostTime() -> UInt64 {
    var now = timespec()
    guard unsafe clock_gettime(CLOCK_MONOTONIC, &now) == 0 else { return 0 }
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
  }

  /// The procedure that units call when a property changes; the pointer is a listener's address.
  static let propertyChanged: AudioUnitPropertyListenerProc = {
    address, unit, property, scope, element in
    guard let unit = unsafe unit, let listener = listener(at: UInt(bitPattern: address)) else {
      return
    }
    let event = unsafe UnitEvent(
      .propertyChange, of: unit, id: property, scope: scope, element: element)
    listener.receive(event, hostTime: hostTime()) { _ in false }
  }
}
