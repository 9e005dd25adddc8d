// Listeners of changes: their events, and the notices that wait for them.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import Synchronization

/// Notifies a program of changes of parameters and properties, at most once in an interval.
///
/// With an interval of 0 the handler is called at once, on the thread that makes the change;
/// otherwise changes are kept and delivered as `delivery` says. Only changes through `EventCenter`,
/// or reports of a unit on its properties, are received: setting a parameter of a unit alone
/// notifies nobody. The corresponding Core Audio type is `AUEventListenerRef`.
///
/// Context: any thread but a render thread.
@safe public final class EventListener: Sendable {
  /// Called for each event: the object it was registered with, the event, when it happened
  /// (nanoseconds of the monotonic clock), and the parameter's value (0 for other events).
  public typealias Handler =
    @Sendable (
      _ object: UnsafeMutableRawPointer?, _ event: UnitEvent, _ hostTime: UInt64, _ value: Float
    ) -> Void

  /// An event that is listened to, and its object.
  private struct Registration: Hashable {
    var object: UInt
    var event: UnitEvent
  }

  /// A notice that waits.
  private struct Queued {
    var registration: Registration
    var hostTime: UInt64
    var value: Float
  }

  private struct State {
    var registrations: [Registration] = []
    var queue: [Queued] = []
    var isScheduled = false
    var isDisposed = false
    var lastDelivery: UInt64 = 0
  }

  /// Least time between deliveries, in nanoseconds.
  private let interval: UInt64
  /// Changes of one parameter closer than this, in nanoseconds, are reported as one: the last.
  private let granularity: UInt64
  private let delivery: EventDelivery
  private let handler: Handler
  private let state = Mutex(State())

  /// Makes a listener and enters it with the centre; `dispose` removes it again.
  ///
  /// - Parameters:
  ///   - interval: Least time between deliveries (s); 0: at once.
  ///   - granularity: Changes of one parameter closer than this (s) are reported as one; infinite:
  ///     always the last only.
  ///   - delivery: The place where the handler is called, if not at once.
  public init(
    interval: Double, granularity: Double, delivery: EventDelivery, handler: @escaping Handler
  ) {
    self.interval = Self.nanoseconds(interval)
    self.granularity = Self.nanoseconds(granularity)
    self.delivery = delivery
    unsafe self.handler = unsafe handler
    EventCenter.enter(self)
    if self.interval > 0 { delivery.prepare(for: address) }
  }

  /// The address of this listener outside of Swift.
  public var address: UInt { unsafe UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

  /// Stops everything; waiting notices are dropped. The handler may call it.
  public func dispose() {
    let events = state.withLock { state in
      state.isDisposed = true
      state.queue = []
      defer { state.registrations = [] }
      return state.registrations.map(\.event)
    }
    delivery.cancel()
    for event in Set(events) { stopFollowing(event) }
    EventCenter.leave(self)
  }

  /// Listens to an event; `object` comes back with it. Doing so twice is doing so once.
  ///
  /// - Returns: 0; `kAudio_ParamError` for the id of all parameters, which is for notices only; the
  ///   unit's own answer where it cannot report its properties.
  public func add(_ event: UnitEvent, object: UnsafeMutableRawPointer?) -> OSStatus {
    guard event.kind == .propertyChange || event.id != UnitEvent.anyParameter else {
      return kAudio_ParamError
    }
    let registration = Registration(object: UInt(bitPattern: object), event: event)
    let (isNew, isFollowed) = state.withLock { state in
      if state.isDisposed || state.registrations.contains(registration) { return (false, true) }
      let isFollowed = state.registrations.contains { $0.event.sharesProperty(with: event) }
      state.registrations.append(registration)
      return (true, isFollowed)
    }
    guard isNew, event.kind == .propertyChange, !isFollowed else { return 0 }
    let status = event.listen(address)
    if status != 0 { state.withLock { $0.registrations.removeAll { $0 == registration } } }
    return status
  }

  /// Listens no more; its waiting notices are dropped. An event without a listener is no error.
  public func remove(_ event: UnitEvent, object: UnsafeMutableRawPointer?) -> OSStatus {
    let registration = Registration(object: UInt(bitPattern: object), event: event)
    let wasThere = state.withLock { state in
      let before = state.registrations.count
      state.registrations.removeAll { $0 == registration }
      state.queue.removeAll { $0.registration == registration }
      return state.registrations.count < before
    }
    if wasThere { stopFollowing(event) }
    return 0
  }

  /// Removes the listener from a property that nothing here listens to any more.
  private func stopFollowing(_ event: UnitEvent) {
    guard event.kind == .propertyChange else { return }
    let isFollowed = state.withLock { state in
      state.registrations.contains { $0.event.sharesProperty(with: event) }
    }
    if !isFollowed { event.stopListening(address) }
  }

  /// Forgets a unit that goes away.
  func forget(unitAddress: UInt) {
    state.withLock { state in
      state.registrations.removeAll { $0.event.unitAddress == unitAddress }
      state.queue.removeAll { $0.registration.event.unitAddress == unitAddress }
    }
  }

  /// Receives an event that happened; `exceptFor` names the object that is not notified, nil none.
  func receive(_ event: UnitEvent, hostTime: UInt64, except: (_ object: UInt) -> Bool) {
    let matching = state.withLock { state in
      state.registrations.filter { $0.event.matches(event) && !except($0.object) }
    }
    for registration in matching {
      let value = registration.event.currentValue
      if interval == 0 {
        guard isRegistered(registration) else { continue }
        unsafe handler(
          UnsafeMutableRawPointer(bitPattern: registration.object), registration.event, hostTime,
          value)
      } else {
        enqueue(Queued(registration: registration, hostTime: hostTime, value: value))
      }
    }
  }

  /// Puts an event behind the others; a change of a value may replace an earlier one.
  private func enqueue(_ queued: Queued) {
    let wait: UInt64? = state.withLock { state in
      guard !state.isDisposed else { return nil }
      let event = queued.registration.event
      let earlier = state.queue.lastIndex {
        $0.registration.object == queued.registration.object
          && $0.registration.event.isAboutTheSame(as: event)
      }
      if let earlier, state.queue[earlier].registration.event.kind == event.kind {
        switch event.kind {
        case .valueChange:
          if queued.hostTime - min(queued.hostTime, state.queue[earlier].hostTime) < granularity {
            state.queue.remove(at: earlier)
          }
        case .propertyChange: state.queue.remove(at: earlier)
        case .beginGesture, .endGesture: break
        }
      }
      state.queue.append(queued)
      guard !state.isScheduled else { return nil }
      state.isScheduled = true
      let due = state.lastDelivery == 0 ? 0 : state.lastDelivery + interval
      return due > queued.hostTime ? due - queued.hostTime : 0
    }
    if let wait { delivery.schedule(after: Double(wait) / 1e9, for: address) }
  }

  /// Delivers waiting notices. Called by the delivery.
  func deliver() {
    let queue = state.withLock { state in
      state.isScheduled = false
      state.lastDelivery = EventCenter.hostTime()
      defer { state.queue = [] }
      return state.queue
    }
    for queued in queue {
      guard isRegistered(queued.registration) else { continue }
      unsafe handler(
        UnsafeMutableRawPointer(bitPattern: queued.registration.object),
        queued.registration.event, queued.hostTime, queued.value)
    }
  }

  /// Whether a handler that was called meanwhile has not removed it, or everything.
  private func isRegistered(_ registration: Registration) -> Bool {
    state.withLock { $0.registrations.contains(registration) }
  }

  private static func nanoseconds(_ seconds: Double) -> UInt64 {
    guard seconds > 0 else { return 0 }
    return seconds < 1e9 ? UInt64(seconds * 1e9) : 1_000_000_000_000_000_000
  }
}

extension UnitEvent {
  /// Whether both are about one parameter, or one property.
  func isAboutTheSame(as other: UnitEvent) -> Bool {
    (kind == .propertyChange) == (other.kind == .propertyChange)
      && unitAddress == other.unitAddress && id == other.id && scope == other.scope
      && element == other.element
  }

  /// Whether the unit reports both through one listener.
  func sharesProperty(with other: UnitEvent) -> Bool {
    kind == .propertyChange && other.kind == .propertyChange && unitAddress == other.unitAddress
      && id == other.id
  }

  /// Adds a listener of this property to the unit.
  func listen(_ address: UInt) -> OSStatus {
    guard let plugIn = unsafe unit?.pointee.plugIn, let lookup = unsafe plugIn.pointee.Lookup,
      let method = unsafe lookup(Int16(kAudioUnitAddPropertyListenerSelect))
    else { return kAudio_UnimplementedError }
    let add = unsafe unsafeBitCast(method, to: AudioUnitAddPropertyListenerProc.self)
    return unsafe add(
      plugIn, id, EventCenter.propertyChanged, UnsafeMutableRawPointer(bitPattern: address))
  }

  /// Removes a listener of this property from the unit.
  func stopListening(_ address: UInt) {
    guard let plugIn = unsafe unit?.pointee.plugIn, let lookup = unsafe plugIn.pointee.Lookup,
      let method = unsafe lookup(Int16(kAudioUnitRemovePropertyListenerWithUserDataSelect))
    else { return }
    let remove = unsafe unsafeBitCast(
      method, to: AudioUnitRemovePropertyListenerWithUserDataProc.self)
    _ = unsafe remove(
      plugIn, id, EventCenter.propertyChanged, UnsafeMutableRawPointer(bitPattern: address))
  }
}
