// Starting and stopping an output unit.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import AudioTypes
import CAudioToolbox
import HardwareObjects
import Synchronization

extension IOUnit {
  /// Starts the device; the first render comes soon, on the device's thread.
  ///
  /// Context: control, outside of every lock.
  func start() -> OSStatus {
    if state.withLock({ $0.isLoosened }) {
      let status = initialize()
      guard status == 0 else { return status }
    }
    let (status, isChanged): (OSStatus, Bool) = transport.withLock { _ in
      let (isInitialized, isRunning, device) = state.withLock {
        ($0.isInitialized, $0.isRunning, $0.device)
      }
      guard isInitialized else { return (kAudioUnitErr_Uninitialized, false) }
      guard !isRunning else { return (0, false) }
      if let binding = state.withLock({ $0.node.binding }) {
        cycle.begin()
        state.withLock { $0.isRunning = true }
        binding.open()
        return (0, true)
      }
      guard let device else { return (kAudioUnitErr_FailedInitialization, false) }
      let status = run(on: device)
      if status == 0 { state.withLock { $0.isRunning = true } }
      return (status, status == 0)
    }
    if isChanged { changed(kAudioOutputUnitProperty_IsRunning) }
    return status
  }

  /// The sides of the device that it uses.
  private var sides: DeviceSides {
    let (hasOutput, hasInput) = state.withLock { ($0.hasOutput, $0.hasInput) }
    var sides: DeviceSides = []
    if hasOutput { sides.insert(.output) }
    if hasInput { sides.insert(.input) }
    return sides
  }

  /// Starts its client on a device. Context: under `transport`.
  func run(on device: HardwareDevice) -> OSStatus {
    cycle.begin()
    do throws(AuricleError) {
      try device.start(cycle.client(number: number), sides: sides)
      return 0
    } catch {
      if error.status != 0 { return error.status }
      return switch error.category {
      case .noPermission: kAudioDevicePermissionsError
      case .temporary: kAudioHardwareNotReadyError
      case .badData: kAudioDeviceUnsupportedFormatError
      default: kAudioHardwareUnspecifiedError
      }
    }
  }

  /// Stops; when it returns on another thread than the device's, nothing renders any more.
  ///
  /// Context: any but under a lock that a render waits for.
  func stop() -> OSStatus {
    let wasRunning = transport.withLock { _ -> Bool in
      let (isRunning, device) = state.withLock { state in
        defer { (state.isRunning, state.awaitsDevice) = (false, false) }
        return (state.isRunning, state.device)
      }
      guard isRunning else { return false }
      if let binding = state.withLock({ $0.node.binding }) {
        binding.shut()
        return true
      }
      device?.stop(number: number)
      return true
    }
    if wasRunning { changed(kAudioOutputUnitProperty_IsRunning) }
    return 0
  }

  /// The device has stopped by itself. Context: the listeners' thread.
  func deviceEnded() {
    let wasRunning = state.withLock { state in
      guard state.node.binding == nil else { return false }
      defer { state.isRunning = false }
      if state.isRunning { state.awaitsDevice = followsDefault }
      return state.isRunning
    }
    if wasRunning { changed(kAudioOutputUnitProperty_IsRunning) }
  }

  // MARK: Listeners

  /// Notifies the listeners of a property.
  func changed(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) {
    let listeners = state.withLock { state -> [UnitListener] in
      guard state.heldChanges == nil else {
        state.heldChanges?.append(
          PropertyChange(property: property, scope: scope, element: element))
        return []
      }
      return state.listeners.filter { $0.property == property }
    }
    guard let handle = unsafe handle else { return }
    for listener in listeners {
      unsafe listener.procedure(listener.context, handle, property, scope, element)
    }
  }

  /// Adds a listener, and has the halves report changes of the property.
  func addListener(_ listener: UnitListener) {
    let isFirst = state.withLock { state -> Bool in
      defer { state.listeners.append(listener) }
      return !state.listeners.contains { $0.property == listener.property }
    }
    guard isFirst, listener.property <= 0xFFFF, !Self.own.contains(listener.property),
      !(isRemote && Self.ofNodes.contains(listener.property))
    else {
      return
    }
    for half in [output, input] {
      let add = unsafe half.method(
        kAudioUnitAddPropertyListenerSelect, AudioUnitAddPropertyListenerProc.self)
      let ofOutput: AudioUnitPropertyListenerProc = { context, _, property, scope, _ in
        unsafe IOUnit.of(context)?.changed(property, scope, 0)
      }
      // Changes in the global scope are posted by the output's half alone.
      let ofInput: AudioUnitPropertyListenerProc = { context, _, property, scope, _ in
        guard scope != kAudioUnitScope_Global else { return }
        unsafe IOUnit.of(context)?.changed(property, scope, 1)
      }
      _ = unsafe add?(
        half.object, listener.property, half.isInput ? ofInput : ofOutput,
        Unmanaged.passUnretained(self).toOpaque())
    }
  }

  /// Removes listeners of a property by their function and, where present, their data.
  func removeListeners(
    _ property: AudioUnitPropertyID, _ procedure: AudioUnitPropertyListenerProc,
    _ matches: (UnsafeMutableRawPointer?) -> Bool
  ) {
    let address = unsafe unsafeBitCast(procedure, to: UInt.self)
    state.withLock { state in
      state.listeners.removeAll {
        unsafe $0.property == property && unsafeBitCast($0.procedure, to: UInt.self) == address
          && matches($0.context)
      }
    }
  }

  /// The unit behind a pointer that it passed to a client.
  static func of(_ context: UnsafeMutableRawPointer?) -> IOUnit? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<IOUnit>.fromOpaque(context).takeUnretainedValue()
  }
}
