// The functions of Components.h: audio components under the Component Manager's names.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox
import Synchronization

/// Storage of components for their instances, by the instances' addresses.
private let storages = Mutex<[UInt: UInt]>([:])

/// The next component that matches; null when there is none.
///
/// Context: control.
@c @implementation
public func FindNextComponent(
  _ component: ComponentReference?, _ description: UnsafeMutablePointer<ComponentDescription>?
) -> ComponentReference? {
  guard let description = unsafe description?.pointee else { return nil }
  var wanted = AudioComponentDescription(description)
  return unsafe ComponentReference(
    AudioComponentFindNext(AudioComponentHandle(component), &wanted))
}

/// Counts the components that match.
///
/// Context: control.
@c @implementation
public func CountComponents(_ description: UnsafeMutablePointer<ComponentDescription>?) -> Int {
  guard let description = unsafe description?.pointee else { return 0 }
  var wanted = AudioComponentDescription(description)
  return unsafe Int(AudioComponentCount(&wanted))
}

/// Opens an instance; null when that fails.
///
/// Context: control.
@c @implementation
public func OpenComponent(_ component: ComponentReference?) -> ComponentInstance? {
  var instance: ComponentInstance?
  return unsafe OpenAComponent(component, &instance) == 0 ? unsafe instance : nil
}

/// Opens an instance; `CloseComponent` closes it.
///
/// - Returns: 0; the result of the unit's Open, where 16 bits hold it, else -3000, "no such component".
///
/// Context: control.
@c @implementation
public func OpenAComponent(
  _ component: ComponentReference?, _ instance: UnsafeMutablePointer<ComponentInstance?>?
) -> OSErr {
  unsafe narrow(AudioComponentInstanceNew(AudioComponentHandle(component), instance))
}

/// Closes an instance that `OpenAComponent` opened.
///
/// Context: control.
@c @implementation
public func CloseComponent(_ instance: ComponentInstance?) -> OSErr {
  unsafe narrow(AudioComponentInstanceDispose(instance))
}

/// Returns the description of a component, or of an instance's. Texts stay as they are.
///
/// Context: any.
@c @implementation
public func GetComponentInfo(
  _ component: ComponentReference?, _ description: UnsafeMutablePointer<ComponentDescription>?,
  _ name: MemoryHandle?, _ info: MemoryHandle?, _ icon: MemoryHandle?
) -> OSErr {
  let instance = unsafe ComponentInstance(component)
  let found =
    unsafe AudioComponentInstanceGetComponent(instance) ?? AudioComponentHandle(component)
  var newer = AudioComponentDescription()
  let status = unsafe AudioComponentGetDescription(found, &newer)
  guard status == noErr else { return narrow(status) }
  unsafe description?.pointee = ComponentDescription(newer)
  return 0
}

/// The version of an instance's component, 0xMMMMmmbb; 0 for a bad handle.
///
/// Context: any.
@c @implementation
public func GetComponentVersion(_ instance: ComponentInstance?) -> ComponentResult {
  var version: UInt32 = 0
  guard
    unsafe AudioComponentGetVersion(AudioComponentInstanceGetComponent(instance), &version)
      == noErr
  else { return 0 }
  return ComponentResult(bitPattern: version)
}

/// The storage of a component for an instance; null before it was set.
///
/// Context: control.
@c @implementation
public func GetComponentInstanceStorage(_ instance: ComponentInstance?) -> MemoryHandle? {
  let key = UInt(bitPattern: instance)
  return unsafe MemoryHandle(bitPattern: storages.withLock { $0[key] } ?? 0)
}

/// Stores a value that a component wants to find again with each call for an instance; null removes it.
///
/// Context: control.
@c @implementation
public func SetComponentInstanceStorage(_ instance: ComponentInstance?, _ storage: MemoryHandle?) {
  let key = UInt(bitPattern: instance)
  let value = unsafe storage.map { UInt(bitPattern: $0) }
  storages.withLock { $0[key] = value }
}

/// Answers null: a program's own components are registered by `AudioComponentRegister`.
///
/// Context: any.
@c @implementation
public func RegisterComponent(
  _ description: UnsafeMutablePointer<ComponentDescription>?, _ entry: ComponentRoutineUPP?,
  _ global: Int16, _ name: MemoryHandle?, _ info: MemoryHandle?, _ icon: MemoryHandle?
) -> ComponentReference? {
  nil
}

/// Answers `unimpErr`: the order in which components are found is fixed.
///
/// Context: any.
@c @implementation
public func SetDefaultComponent(_ component: ComponentReference?, _ flags: Int16) -> OSErr {
  OSErr(unimpErr)
}

/// A status in 16 bits.
private func narrow(_ status: OSStatus) -> OSErr {
  OSErr(exactly: status) ?? OSErr(invalidComponentID)
}

extension AudioComponentDescription {
  init(_ older: ComponentDescription) {
    self.init(
      componentType: older.componentType, componentSubType: older.componentSubType,
      componentManufacturer: older.componentManufacturer, componentFlags: older.componentFlags,
      componentFlagsMask: older.componentFlagsMask)
  }
}

extension ComponentDescription {
  init(_ newer: AudioComponentDescription) {
    self.init(
      componentType: newer.componentType, componentSubType: newer.componentSubType,
      componentManufacturer: newer.componentManufacturer, componentFlags: newer.componentFlags,
      componentFlagsMask: newer.componentFlagsMask)
  }
}
