// Listeners of changes of properties, called on a thread of the library.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox
import Glibc
import HostSystem
import Synchronization

/// The listeners of all objects, and the thread that calls them one after another.
package final class PropertyListeners: Sendable {
  /// One listener; equal where object, address and identity are.
  package struct Listener: Sendable {
    /// The object.
    package var object: AudioObjectID
    /// The property, perhaps with wildcards.
    package var selector, scope, element: UInt32
    /// The identity beside those: of a procedure, its address and that of its data.
    package var identity: [UInt]
    /// Calls it.
    package var call: @Sendable (AudioObjectID, AudioObjectPropertyAddress) -> Void

    /// Describes one.
    package init(
      _ object: AudioObjectID, _ address: AudioObjectPropertyAddress, identity: [UInt],
      call: @escaping @Sendable (AudioObjectID, AudioObjectPropertyAddress) -> Void
    ) {
      self.object = object
      selector = address.mSelector
      scope = address.mScope
      element = address.mElement
      self.identity = identity
      self.call = call
    }

    /// Whether it is called for a change, which may be one of all scopes and elements.
    func matches(_ object: AudioObjectID, _ address: AudioObjectPropertyAddress) -> Bool {
      let anySelector = kAudioObjectPropertySelectorWildcard
      let anyScope = kAudioObjectPropertyScopeWildcard
      let anyElement = kAudioObjectPropertyElementWildcard
      return self.object == object && (selector == address.mSelector || selector == anySelector)
        && (scope == address.mScope || scope == anyScope || address.mScope == anyScope)
        && (element == address.mElement || element == anyElement || address.mElement == anyElement)
    }

    /// Returns the address for its call: of a change of all scopes and elements, the ones that it was set
    /// for.
    func address(of change: AudioObjectPropertyAddress) -> AudioObjectPropertyAddress {
      var address = change
      if change.mScope == kAudioObjectPropertyScopeWildcard {
        let isAny = scope == kAudioObjectPropertyScopeWildcard
        address.mScope = isAny ? kAudioObjectPropertyScopeGlobal : scope
      }
      if change.mElement == kAudioObjectPropertyElementWildcard {
        address.mElement = element == kAudioObjectPropertyElementWildcard ? 0 : element
      }
      return address
    }

    func isSame(as other: Listener) -> Bool {
      object == other.object && selector == other.selector && scope == other.scope
        && element == other.element && identity == other.identity
    }
  }

  private struct State {
    var listeners: [Listener] = []
    var pending: [(AudioObjectID, AudioObjectPropertyAddress)] = []
    var isRunning = false
    var onAdd: (@Sendable (Listener) -> Void)?
  }

  private let state = Mutex(State())

  /// No listeners.
  package init() {}

  /// Sets a function that is called, on the caller's thread, for each new listener.
  func setOnAdd(_ body: @escaping @Sendable (Listener) -> Void) {
    state.withLock { $0.onAdd = body }
  }

  /// Adds one; one that is there already stays as it is.
  package func add(_ listener: Listener) {
    let onAdd = state.withLock { state in
      if !state.listeners.contains(where: { $0.isSame(as: listener) }) {
        state.listeners.append(listener)
      }
      return state.onAdd
    }
    onAdd?(listener)
  }

  /// Removes one; one that is not there is none.
  package func remove(_ listener: Listener) {
    state.withLock { $0.listeners.removeAll { $0.isSame(as: listener) } }
  }

  /// Calls listeners soon, on the library's thread: the ones of a scope and an element, or of all.
  ///
  /// Context: any thread.
  package func changed(
    _ object: AudioObjectID, _ selector: UInt32,
    _ scope: UInt32 = kAudioObjectPropertyScopeWildcard,
    _ element: UInt32 = kAudioObjectPropertyElementWildcard
  ) {
    let address = AudioObjectPropertyAddress(mSelector: selector, mScope: scope, mElement: element)
    let starts = state.withLock { state -> Bool in
      guard state.listeners.contains(where: { $0.matches(object, address) }) else { return false }
      state.pending.append((object, address))
      guard !state.isRunning else { return false }
      state.isRunning = true
      return true
    }
    if starts { startThread() }
  }

  /// Starts the thread, which lives as long as notices wait.
  private func startThread() {
    guard let thread = HostSystem.startThread({ self.notifyAll() }) else { return notifyAll() }
    pthread_detach(thread)
  }

  private func notifyAll() {
    while true {
      let next = state.withLock {
        state -> ([Listener], AudioObjectID, AudioObjectPropertyAddress)? in
        guard !state.pending.isEmpty else {
          state.isRunning = false
          return nil
        }
        let (object, address) = state.pending.removeFirst()
        return (state.listeners.filter { $0.matches(object, address) }, object, address)
      }
      guard let (listeners, object, address) = next else { return }
      // No lock is held: listeners may call any function.
      for listener in listeners { listener.call(object, listener.address(of: address)) }
    }
  }
}
