// The audio session of this process: its settings, its listeners, and its reaction when a device goes.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc
import HardwareObjects
import HostSystem
import MacSystem
import RealtimeSupport
import Synchronization

/// The one session. `state` is held for moments only, and never while a listener is called.
final class SessionState: Sendable {
  static let shared = SessionState()

  /// A listener of a property.
  @safe struct Listener: @unchecked Sendable {
    // @unchecked Sendable because it is a C function and a pointer, which the program keeps valid.
    let property: AudioSessionPropertyID
    let procedure: AudioSessionPropertyListener
    let context: UnsafeMutableRawPointer?

    func isSame(as other: Listener) -> Bool {
      unsafe property == other.property && context == other.context
        && unsafeBitCast(procedure, to: UInt.self) == unsafeBitCast(other.procedure, to: UInt.self)
    }
  }

  /// A listener of interruptions.
  @safe struct Interrupted: @unchecked Sendable {
    // @unchecked Sendable for the same reason.
    let procedure: AudioSessionInterruptionListener?
    let context: UnsafeMutableRawPointer?
  }

  struct State {
    var isInitialized = false
    var isActive = false
    var isInterrupted = false
    var category = kAudioSessionCategory_SoloAmbientSound
    var mode = kAudioSessionMode_Default
    /// Words that are kept, by property.
    var words: [UInt32: UInt32] = [:]
    var wantedRate = 0.0
    var wantedDuration: Float = 0
    var interruptionType: UInt32?
    var listeners: [Listener] = []
    var interrupted: Interrupted?
    var delivery: CallbackDelivery?
    var route = SessionRoute()
  }

  let state = Mutex(State())
  /// Posted when devices came or went.
  private let changes = RenderSignal()

  /// Begins the session.
  func begin(_ delivery: CallbackDelivery, _ interrupted: Interrupted) -> Bool {
    let isNew = state.withLock { state -> Bool in
      guard !state.isInitialized else { return false }
      state.isInitialized = true
      state.delivery = delivery
      state.interrupted = interrupted
      return true
    }
    guard isNew else { return false }
    let category = state.withLock { $0.category }
    let route = SessionRoute.present(category)
    state.withLock { $0.route = route }
    let address = AudioObjectPropertyAddress(
      mSelector: kAudioObjectPropertySelectorWildcard, mScope: kAudioObjectPropertyScopeWildcard,
      mElement: kAudioObjectPropertyElementWildcard)
    HardwareSystem.shared.listeners.add(
      PropertyListeners.Listener(
        AudioObjectID(kAudioObjectSystemObject), address,
        identity: [UInt(bitPattern: ObjectIdentifier(self).hashValue)]
      ) { _, _ in SessionState.shared.devicesChanged() })
    return true
  }

  /// Devices came, went, or others became the default. Context: the library's thread.
  private func devicesChanged() {
    changes.post()
    let (old, category) = state.withLock { ($0.route, $0.category) }
    func isAlive(_ id: AudioObjectID?) -> Bool {
      id.flatMap { HardwareSystem.shared.device($0)?.isAlive } ?? true
    }
    let isLost = !isAlive(old.output) || !isAlive(old.input)
    let new = SessionRoute.present(category)
    if isLost { interrupt() }
    if new != old {
      changeRoute(
        to: new,
        isLost
          ? kAudioSessionRouteChangeReason_OldDeviceUnavailable
          : kAudioSessionRouteChangeReason_NewDeviceAvailable)
    }
    if isLost { resumeWhenPossible() }
  }

  /// Adopts another route, and notifies the listeners of the reason.
  func changeRoute(to new: SessionRoute, _ reason: UInt32) {
    let old = state.withLock { state in
      defer { state.route = new }
      return state.route
    }
    notify(kAudioSessionProperty_AudioRouteChange) { listener in
      guard let change = SessionRoute.change(reason, from: old, to: new) else { return }
      unsafe listener.procedure(
        listener.context, listener.property,
        UInt32(MemoryLayout<UnsafeRawPointer>.size), change.pointer)
    }
    if (old.input == nil) != (new.input == nil) {
      let isAvailable = UInt32(
        HardwareSystem.shared.defaultDevice(isInput: true) == nil ? 0 : 1)
      notify(kAudioSessionProperty_AudioInputAvailable) { listener in
        var value = isAvailable
        unsafe listener.procedure(listener.context, listener.property, 4, &value)
      }
    }
  }

  private func notify(
    _ property: AudioSessionPropertyID, _ call: @escaping @Sendable (Listener) -> Void
  ) {
    let (listeners, delivery) = state.withLock { state in
      (state.listeners.filter { $0.property == property }, state.delivery)
    }
    guard let delivery else { return }
    for listener in listeners { delivery.run { call(listener) } }
  }

  /// The device of an active session is gone.
  private func interrupt() {
    let isActive = state.withLock { state -> Bool in
      guard state.isActive, !state.isInterrupted else { return false }
      (state.isActive, state.isInterrupted) = (false, true)
      return true
    }
    if isActive { notifyInterruption(kAudioSessionBeginInterruption) }
  }

  private func notifyInterruption(_ what: UInt32) {
    let (interrupted, delivery) = state.withLock { ($0.interrupted, $0.delivery) }
    guard let interrupted, let procedure = unsafe interrupted.procedure, let delivery else {
      return
    }
    delivery.run { [self] in
      let type = kAudioSessionInterruptionType_ShouldResume
      if what == kAudioSessionEndInterruption { state.withLock { $0.interruptionType = type } }
      unsafe procedure(interrupted.context, what)
      state.withLock { $0.interruptionType = nil }
    }
  }

  /// Ends an interruption as soon as there is a device for the category.
  private func resumeWhenPossible() {
    guard state.withLock({ $0.isInterrupted }) else { return }
    let thread = HostSystem.startThread { [self] in
      while state.withLock({ $0.isInterrupted }) {
        let mark = changes.mark
        if hasDevices(state.withLock { $0.category }) {
          state.withLock { $0.isInterrupted = false }
          notifyInterruption(kAudioSessionEndInterruption)
          return
        }
        // Another program that lets go of a device is no event: now and then it is tried.
        changes.wait(since: mark, nanoseconds: 500_000_000)
      }
    }
    if let thread { pthread_detach(thread) }
  }

  /// Whether the devices that a category needs exist.
  func hasDevices(_ category: UInt32) -> Bool {
    let system = HardwareSystem.shared
    let hasOutput = system.defaultDevice(isInput: false) != nil
    let hasInput = system.defaultDevice(isInput: true) != nil
    return switch category {
    case kAudioSessionCategory_RecordAudio: hasInput
    case kAudioSessionCategory_PlayAndRecord: hasInput && hasOutput
    case kAudioSessionCategory_AudioProcessing: true
    default: hasOutput
    }
  }
}
