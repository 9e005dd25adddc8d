// The functions of CFNotificationCenter.h, which the Core Foundation of the toolchain does not have.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox
import Synchronization

/// The local notification centre of this process.
enum LocalNotifications {
  /// An observer's function: the centre, the observer, the name, the object, the user info.
  typealias Callback =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, CFStringRef?, UnsafeRawPointer?,
      CFDictionaryRef?
    ) -> Void

  /// An observer, its name and object, and the address of its function.
  private struct Observer: Sendable {
    var observer: UInt
    var name: String?
    var object: UInt
    var callback: UInt
  }

  private static let observers = Mutex<[Observer]>([])

  /// The centre as an object that programs may retain and release.
  private static let center = unsafe UInt(bitPattern: makeCFString("local notification center"))

  /// The centre as programs have it.
  static var handle: UnsafeMutableRawPointer? { unsafe UnsafeMutableRawPointer(bitPattern: center) }

  /// Adds an observer.
  static func add(
    _ observer: UnsafeRawPointer?, _ name: String?, _ object: UnsafeRawPointer?,
    _ callback: UnsafeRawPointer
  ) {
    let made = Observer(
      observer: UInt(bitPattern: observer), name: name, object: UInt(bitPattern: object),
      callback: UInt(bitPattern: callback))
    observers.withLock { $0.append(made) }
  }

  /// Removes what an observer observes: for a name and an object, or for all of nil.
  static func remove(_ observer: UnsafeRawPointer?, _ name: String?, _ object: UnsafeRawPointer?) {
    let (wanted, place) = (UInt(bitPattern: observer), UInt(bitPattern: object))
    observers.withLock { all in
      all.removeAll {
        $0.observer == wanted && (name == nil || $0.name == name)
          && (place == 0 || $0.object == place)
      }
    }
  }

  /// Calls the observers of a name and an object, on this thread.
  static func post(_ name: String, _ object: UnsafeRawPointer?, _ info: CFDictionaryRef?) {
    let place = UInt(bitPattern: object)
    let found = observers.withLock { all in
      all.filter { ($0.name == nil || $0.name == name) && ($0.object == 0 || $0.object == place) }
    }
    guard !found.isEmpty else { return }
    unsafe withCFString(name) { text in
      for entry in found {
        let callback = unsafe unsafeBitCast(entry.callback, to: Callback.self)
        unsafe callback(
          handle, UnsafeMutableRawPointer(bitPattern: entry.observer), text, object, info)
      }
    }
  }
}

/// Returns the centre of this process, which never goes away.
///
/// Context: any. The corresponding Core Foundation function is `CFNotificationCenterGetLocalCenter`.
@_cdecl("CFNotificationCenterGetLocalCenter")
public func localNotificationCenter() -> UnsafeMutableRawPointer? {
  unsafe LocalNotifications.handle
}

/// Has a function called whenever a name is posted with an object; NULL is every name, or every object.
///
/// Context: any. The corresponding Core Foundation function is `CFNotificationCenterAddObserver`.
@_cdecl("CFNotificationCenterAddObserver")
public func addNotificationObserver(
  _ center: UnsafeMutableRawPointer?, _ observer: UnsafeRawPointer?,
  _ callback: UnsafeRawPointer?, _ name: CFStringRef?, _ object: UnsafeRawPointer?,
  _ behavior: Int
) {
  guard let callback = unsafe callback, unsafe name != nil || object != nil else { return }
  unsafe LocalNotifications.add(observer, String(cfString: name), object, callback)
}

/// Has an observer's functions called no more for a name and an object; NULL is every name, or every object.
///
/// Context: any. The corresponding Core Foundation function is `CFNotificationCenterRemoveObserver`.
@_cdecl("CFNotificationCenterRemoveObserver")
public func removeNotificationObserver(
  _ center: UnsafeMutableRawPointer?, _ observer: UnsafeRawPointer?, _ name: CFStringRef?,
  _ object: UnsafeRawPointer?
) {
  unsafe LocalNotifications.remove(observer, String(cfString: name), object)
}

/// Has none of an observer's functions called any more.
///
/// Context: any. The corresponding Core Foundation function is `CFNotificationCenterRemoveEveryObserver`.
@_cdecl("CFNotificationCenterRemoveEveryObserver")
public func removeEveryNotificationObserver(
  _ center: UnsafeMutableRawPointer?, _ observer: UnsafeRawPointer?
) {
  unsafe LocalNotifications.remove(observer, nil, nil)
}

/// Calls the observers of a name and an object before this returns.
///
/// Context: any but render. The corresponding Core Foundation function is `CFNotificationCenterPostNotification`.
@_cdecl("CFNotificationCenterPostNotification")
public func postNotification(
  _ center: UnsafeMutableRawPointer?, _ name: CFStringRef?, _ object: UnsafeRawPointer?,
  _ userInfo: CFDictionaryRef?, _ deliverImmediately: UInt8
) {
  guard let name = unsafe String(cfString: name) else { return }
  unsafe LocalNotifications.post(name, object, userInfo)
}

/// Calls the observers of a name and an object before this returns; there is nothing to choose.
///
/// Context: any but render. The corresponding Core Foundation function is `CFNotificationCenterPostNotificationWithOptions`.
@_cdecl("CFNotificationCenterPostNotificationWithOptions")
public func postNotification(
  _ center: UnsafeMutableRawPointer?, _ name: CFStringRef?, _ object: UnsafeRawPointer?,
  _ userInfo: CFDictionaryRef?, _ options: UInt
) {
  guard let name = unsafe String(cfString: name) else { return }
  unsafe LocalNotifications.post(name, object, userInfo)
}
