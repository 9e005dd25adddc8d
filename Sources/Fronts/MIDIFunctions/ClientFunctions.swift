// The functions of MIDIServices.h that make clients, and the notices for them.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox
import MIDIPorts
import MacSystem
import Synchronization

/// The run loop of the first client of the process.
private let firstLoop = Mutex<CallbackDelivery?>(nil)

private func delivery() -> CallbackDelivery? {
  firstLoop.withLock { delivery in
    if delivery == nil, let loop = unsafe CFRunLoopGetCurrent() {
      delivery = unsafe CallbackDelivery(loop, nil)
    }
    return delivery
  }
}

/// Makes a client.
///
/// Its function is called on the run loop that was current when the process made its first client.
///
/// - Returns: -50 for a null name or result; -10839 where the folder of ports cannot be used.
///
/// Context: control.
@c @implementation
public func MIDIClientCreate(
  _ name: CFStringRef?, _ notifyProc: MIDINotifyProc?, _ notifyRefCon: UnsafeMutableRawPointer?,
  _ outClient: UnsafeMutablePointer<MIDIClientRef>?
) -> OSStatus {
  unsafe make(outClient) { system throws(MIDIError) in
    let name = try unsafe text(name)
    let loop = delivery()
    guard let notifyProc = unsafe notifyProc, let loop else {
      return try system.makeClient(name, notify: nil)
    }
    let context = unsafe ForeignPointer(notifyRefCon)
    return try system.makeClient(name) { notice in
      loop.run { unsafe withMessage(notice) { unsafe notifyProc($0, context.pointer) } }
    }
  }
}

// The declaration is hidden from Swift: `@c` cannot check a signature with a block.

/// Makes a client whose block is called on a thread of the library.
///
/// - Returns: As `MIDIClientCreate`.
///
/// Context: control. The corresponding Core MIDI function is `MIDIClientCreateWithBlock`.
@_cdecl("MIDIClientCreateWithBlock")
public func clientCreateWithBlock(
  _ name: CFStringRef?, _ outClient: UnsafeMutablePointer<MIDIClientRef>?,
  _ notifyBlock: UnsafeRawPointer?
) -> OSStatus {
  typealias Function =
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<MIDINotification>?) -> Void
  return unsafe make(outClient) { system throws(MIDIError) in
    let name = try unsafe text(name)
    _ = delivery()
    guard let block = unsafe Block(notifyBlock) else {
      return try system.makeClient(name, notify: nil)
    }
    return try system.makeClient(name) { notice in
      unsafe withMessage(notice) { unsafe block.function(as: Function.self)(block.pointer, $0) }
    }
  }
}

/// Ends a client, with its ports and virtual endpoints.
///
/// - Returns: -10830 for another object.
///
/// Context: control.
@c @implementation
public func MIDIClientDispose(_ client: MIDIClientRef) -> OSStatus {
  status { () throws(MIDIError) in try MIDISystem.shared().disposeClient(client) }
}

/// Searches endpoints again.
///
/// - Returns: -10839 where the folder of ports cannot be used.
///
/// Context: control.
@c @implementation
public func MIDIRestart() -> OSStatus {
  status { () throws(MIDIError) in try MIDISystem.shared().registry.reread() }
}

private func type(isSource: Bool) -> MIDIObjectType {
  isSource ? kMIDIObjectType_Source : kMIDIObjectType_Destination
}

/// A notice as C programs see it, for the time of a call.
private func withMessage(
  _ notice: MIDINotice, _ body: (UnsafePointer<MIDINotification>) -> Void
) {
  func call<Message>(_ message: Message) {
    unsafe withUnsafePointer(to: message) { pointer in
      unsafe pointer.withMemoryRebound(to: MIDINotification.self, capacity: 1) { unsafe body($0) }
    }
  }
  func size<Message>(_ type: Message.Type) -> UInt32 { UInt32(MemoryLayout<Message>.size) }
  func moved(_ id: MIDINotificationMessageID, _ object: MIDIObject) {
    call(
      MIDIObjectAddRemoveNotification(
        messageID: id, messageSize: size(MIDIObjectAddRemoveNotification.self),
        parent: object.parent, parentType: object.parentType, child: object.ref,
        childType: object.type))
  }
  func changed(_ ref: MIDIRef, _ type: MIDIObjectType, _ name: String) {
    unsafe withCFString(name) { name in
      unsafe call(
        MIDIObjectPropertyChangeNotification(
          messageID: kMIDIMsgPropertyChanged,
          messageSize: size(MIDIObjectPropertyChangeNotification.self), object: ref,
          objectType: type, propertyName: name))
    }
  }
  func endpoint(_ ref: MIDIRef, _ isSource: Bool) -> MIDIObject {
    MIDIObject(
      ref: ref, type: type(isSource: isSource), parent: 0, parentType: kMIDIObjectType_Other)
  }
  switch notice {
  case .setupChanged: call(MIDINotification(messageID: kMIDIMsgSetupChanged, messageSize: 8))
  case .thruConnectionsChanged:
    call(MIDINotification(messageID: kMIDIMsgThruConnectionsChanged, messageSize: 8))
  case .added(let ref, let isSource): moved(kMIDIMsgObjectAdded, endpoint(ref, isSource))
  case .removed(let ref, let isSource): moved(kMIDIMsgObjectRemoved, endpoint(ref, isSource))
  case .objectAdded(let object): moved(kMIDIMsgObjectAdded, object)
  case .objectRemoved(let object): moved(kMIDIMsgObjectRemoved, object)
  case .objectProperty(let object, let name): changed(object.ref, object.type, name)
  case .property(let ref, let isSource, let name): changed(ref, type(isSource: isSource), name)
  }
}
