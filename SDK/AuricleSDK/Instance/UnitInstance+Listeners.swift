// Property listeners and render observers of an instance.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import Synchronization

extension UnitInstance {
  func addPropertyListener(
    _ property: AudioUnitPropertyID, _ procedure: AudioUnitPropertyListenerProc,
    _ userData: UnsafeMutableRawPointer?
  ) -> OSStatus {
    locked {
      unsafe propertyListeners.append(
        PropertyListener(property: property, procedure: procedure, userData: userData))
      if RenderState.changesWhileRendering(property) { publishListeners() }
      return 0
    }
  }

  /// Removes listeners with a procedure; with `matchUserData` only those with that user data.
  func removePropertyListener(
    _ property: AudioUnitPropertyID, _ procedure: AudioUnitPropertyListenerProc,
    _ userData: UnsafeMutableRawPointer?, matchUserData: Bool
  ) -> OSStatus {
    locked {
      let address = unsafe unsafeBitCast(procedure, to: UInt.self)
      propertyListeners.removeAll {
        unsafe $0.property == property && unsafeBitCast($0.procedure, to: UInt.self) == address
          && (!matchUserData || $0.userData == userData)
      }
      if RenderState.changesWhileRendering(property) { publishListeners() }
      return 0
    }
  }

  /// Publishes the listeners to the render thread; the old list is freed once no render can see it.
  private func publishListeners() {
    let wanted = propertyListeners.filter { RenderState.changesWhileRendering($0.property) }
    var made: UnsafeMutablePointer<ChangeListenerList>?
    if !wanted.isEmpty {
      let entries = UnsafeMutablePointer<PropertyListener>.allocate(capacity: wanted.count)
      for (index, listener) in wanted.enumerated() {
        unsafe (entries + index).initialize(to: listener)
      }
      let list = UnsafeMutablePointer<ChangeListenerList>.allocate(capacity: 1)
      unsafe list.initialize(
        to: ChangeListenerList(count: wanted.count, entries: entries, handle: handle))
      unsafe made = list
    }
    let old = unsafe render.pointee.changeListeners.exchange(
      made, ordering: .acquiringAndReleasing)
    if let old = unsafe old { unsafe retiredListeners.append(old) }
  }

  /// Notifies the listeners that a property changed, on this thread. Context: control.
  ///
  /// ```swift
  /// unit.propertyChanged(kAudioUnitProperty_Latency)
  /// ```
  ///
  /// - Parameters:
  ///   - property: The property, of Core Audio or of the unit.
  ///   - scope: The scope of the property, the global one by default.
  ///   - element: The element.
  public func propertyChanged(
    _ property: AudioUnitPropertyID, scope: AudioUnitScope = 0, element: AudioUnitElement = 0
  ) {
    let listeners = locked { propertyListeners.filter { $0.property == property } }
    guard let handle = unsafe handle else { return }
    for listener in listeners {
      // A previous listener may have removed this one.
      guard locked({ propertyListeners.contains { $0.isSame(as: listener) } }) else { continue }
      unsafe listener.procedure(listener.userData, handle, property, scope, element)
    }
  }

  func addRenderNotify(_ callback: AURenderCallback, _ refCon: UnsafeMutableRawPointer?) -> OSStatus
  {
    locked {
      unsafe notifies.append(RenderNotify(callback: callback, refCon: refCon))
      publishNotifies()
      return 0
    }
  }

  func removeRenderNotify(
    _ callback: AURenderCallback, _ refCon: UnsafeMutableRawPointer?
  ) -> OSStatus {
    locked {
      let address = unsafe unsafeBitCast(callback, to: UInt.self)
      notifies.removeAll {
        unsafe unsafeBitCast($0.callback, to: UInt.self) == address && $0.refCon == refCon
      }
      publishNotifies()
      return 0
    }
  }

  /// Publishes a new list to the render thread; the old one is freed once no render can see it.
  private func publishNotifies() {
    var made: UnsafeMutablePointer<RenderNotifyList>?
    if !notifies.isEmpty {
      let entries = UnsafeMutablePointer<RenderNotify>.allocate(capacity: notifies.count)
      for (index, notify) in notifies.enumerated() {
        unsafe (entries + index).initialize(to: notify)
      }
      let list = UnsafeMutablePointer<RenderNotifyList>.allocate(capacity: 1)
      unsafe list.initialize(to: RenderNotifyList(count: notifies.count, entries: entries))
      unsafe made = list
    }
    if let old = unsafe render.pointee.notifies.exchange(made, ordering: .acquiringAndReleasing) {
      unsafe retiredNotifies.append(old)
    }
    unsafe render.pointee.updateFastPaths()
  }
}
