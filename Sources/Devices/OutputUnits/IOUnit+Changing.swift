// Changes of an output unit that is initialized or runs: its halves are prepared anew around them.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import HardwareObjects
import Synchronization

extension IOUnit {
  /// Makes a change that the halves accept only before they are initialized.
  ///
  /// A unit that runs is not called meanwhile, while its device keeps running. A stopped unit may be impossible to
  /// prepare after the change, as between the steps of choosing a device: then its next start prepares it.
  ///
  /// - Returns: `kAudioUnitErr_CannotDoInCurrentContext` in a call of its device.
  ///
  /// Context: control, outside of every lock.
  func reprepare(_ change: () -> OSStatus) -> OSStatus {
    let status = transport.withLock { _ -> OSStatus in
      let (isInitialized, isRunning, device) = state.withLock {
        ($0.isInitialized, $0.isRunning, $0.device)
      }
      if isInitialized, isRunning, let binding = state.withLock({ $0.node.binding }) {
        return make(change, for: binding)
      }
      guard isInitialized, device != nil || state.withLock({ $0.node.binding }) != nil else {
        return change()
      }
      guard isRunning, let device else { return prepareAgain(change, mayWait: true) }
      var status = kAudioUnitErr_CannotDoInCurrentContext
      _ = device.suspend(cycle.client(number: number)) {
        status = prepareAgain(change, mayWait: false)
      }
      guard !state.withLock({ $0.isInitialized }) else { return status }
      state.withLock { $0.isRunning = false }
      device.stop(number: number)
      return status
    }
    postHeldChanges()
    return status
  }

  /// Makes a change while no slice of the host is rendered. Context: under `transport`.
  private func make(_ change: () -> OSStatus, for binding: HostBinding) -> OSStatus {
    guard !binding.shut() else {
      binding.open()
      return kAudioUnitErr_CannotDoInCurrentContext
    }
    let status = prepareAgain(change, mayWait: false)
    if state.withLock({ $0.isInitialized }) {
      binding.open()
    } else {
      state.withLock { $0.isRunning = false }
    }
    return status
  }

  /// Releases the halves, makes a change, and prepares them. Context: under `transport`, while nothing renders.
  private func prepareAgain(_ change: () -> OSStatus, mayWait: Bool) -> OSStatus {
    output.uninitialize()
    input.uninitialize()
    state.withLock {
      $0.isInitialized = false
      $0.heldChanges = []
    }
    let status = change()
    let prepared = prepare()
    guard prepared != 0 else { return status }
    guard mayWait else { return status == 0 ? prepared : status }
    state.withLock { $0.isLoosened = true }
    return status
  }

  /// Posts the changes that were held back, each once. Context: outside of every lock.
  func postHeldChanges() {
    let changes = state.withLock { state -> [PropertyChange] in
      defer { state.heldChanges = nil }
      return state.heldChanges ?? []
    }
    for (index, change) in changes.enumerated() where !changes[..<index].contains(change) {
      changed(change.property, change.scope, change.element)
    }
  }
}
