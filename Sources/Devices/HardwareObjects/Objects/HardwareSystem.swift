// The system object: all devices of this process, by their numbers.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
package import CAudioToolbox
import RealtimeSupport
import Synchronization

/// Devices and streams as Core Audio numbers them.
package final class HardwareSystem: Sendable {
  /// The one of this process.
  package static let shared = HardwareSystem()

  /// The listeners of changes.
  package let listeners = PropertyListeners()

  private struct State {
    var devices: [HardwareDevice] = []
    var nextID: AudioObjectID = HardwareSystem.plugIn + 1
    var isListed = false
    var listTime: UInt64 = 0
    var chosenOutput: AudioObjectID?
    var chosenInput: AudioObjectID?
    var chosenSystem: AudioObjectID?
    var words: [UInt32: UInt32] = [:]
    /// Whether a thread watches for devices.
    var isWatched = false
    /// The default devices of the last notice, by their properties.
    var announcedDefaults: [UInt32: AudioObjectID] = [:]
  }

  private let state = Mutex(State())

  /// Nothing is listed yet.
  package init() {
    listeners.setOnAdd { [weak self] in self?.watch(for: $0) }
  }

  /// Somebody listens: devices are watched from now on, and the mixer whose control it is. Context: control.
  private func watch(for listener: PropertyListeners.Listener) {
    if HardwareDevice.kind(of: listener.selector) != nil { _ = device(listener.object)?.mixer() }
    let isFirst = state.withLock { state in
      defer { state.isWatched = true }
      return !state.isWatched
    }
    guard isFirst else { return }
    // Changes are reported against the present devices.
    _ = devices()
    if !DeviceWatch.start({ [weak self] in self?.list() }) {
      state.withLock { $0.isWatched = false }
    }
  }

  /// The devices that are there now, without those of sound servers that do not run, unless that is the default one.
  /// Context: control.
  package func devices() -> [HardwareDevice] {
    let now = RenderClock.nanoseconds()
    let isFresh = state.withLock { $0.isListed && now &- $0.listTime < 1_000_000_000 }
    if !isFresh { list() }
    return state.withLock { $0.devices.filter(\.isAlive) }.filter { !$0.isUnserved }
  }

  /// Lists anew: devices that are there already keep their numbers. Notifies of changed devices
  /// where there are any, or one was lost before.
  func list(afterLoss: Bool = false) {
    let listings = DeviceListing.all()
    let (isChanged, gone) = state.withLock { state -> (Bool, [HardwareDevice]) in
      let wasListed = state.isListed
      state.isListed = true
      state.listTime = RenderClock.nanoseconds()
      var isChanged = false
      for listing in listings
      where !state.devices.contains(where: { $0.isAlive && $0.listing.name == listing.name }) {
        state.devices.append(HardwareDevice(listing, system: self, firstID: state.nextID))
        state.nextID += HardwareDevice.numberCount
        isChanged = wasListed
      }
      let gone = state.devices.filter { device in
        device.isAlive && !device.isRunning
          && device.listing.kind != HardwareDevice.aggregateKind
          && !listings.contains { $0.name == device.listing.name }
      }
      return (isChanged || !gone.isEmpty, gone)
    }
    for device in gone { device.die() }
    for device in state.withLock({ $0.devices }) { device.askAnew() }
    if isChanged || afterLoss { devicesChanged() } else { _ = changedDefaults() }
  }

  /// Adds a device that is in no list of the system's.
  func add(_ listing: DeviceListing) -> HardwareDevice {
    state.withLock { state in
      let made = HardwareDevice(listing, system: self, firstID: state.nextID)
      state.nextID += HardwareDevice.numberCount
      state.devices.append(made)
      return made
    }
  }

  /// A number that no object has.
  func freshID() -> AudioObjectID {
    state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
  }

  /// Notifies that devices came or went.
  func devicesChanged() {
    let system = AudioObjectID(kAudioObjectSystemObject)
    listeners.changed(system, kAudioHardwarePropertyDevices)
    for selector in changedDefaults() { listeners.changed(system, selector) }
  }

  /// The properties of default devices that differ from the last notice.
  private func changedDefaults() -> [UInt32] {
    let present = [
      kAudioHardwarePropertyDefaultOutputDevice: defaultDevice(isInput: false)?.id,
      kAudioHardwarePropertyDefaultInputDevice: defaultDevice(isInput: true)?.id,
      kAudioHardwarePropertyDefaultSystemOutputDevice:
        defaultDevice(isInput: false, isSystem: true)?.id,
    ].mapValues { $0 ?? AudioObjectID(kAudioObjectUnknown) }
    return state.withLock { state in
      defer { state.announcedDefaults = present }
      return present.keys.filter { present[$0] != state.announcedDefaults[$0] }.sorted()
    }
  }

  /// The device, also one that is gone, of a number; nil for none.
  package func device(_ id: AudioObjectID) -> HardwareDevice? {
    if !state.withLock({ $0.isListed }) { list() }
    return state.withLock { $0.devices.first { $0.id == id } }
  }

  /// The device that a stream belongs to, and whether it is its input; nil for none.
  package func stream(_ id: AudioObjectID) -> (device: HardwareDevice, isInput: Bool)? {
    if !state.withLock({ $0.isListed }) { list() }
    return state.withLock { state in
      for device in state.devices {
        if device.outputStream == id { return (device, false) }
        if device.inputStream == id { return (device, true) }
      }
      return nil
    }
  }

  /// The device and the control of a number; nil for none.
  func control(_ id: AudioObjectID) -> (device: HardwareDevice, control: DeviceControl)? {
    let owner = state.withLock { state in
      state.devices.first { $0.id < id && id - $0.id < HardwareDevice.numberCount }
    }
    guard let owner, owner.isAlive else { return nil }
    let all = owner.controls(kAudioObjectPropertyScopeGlobal)
    return all.first { owner.id(of: $0) == id }.map { (owner, $0) }
  }

  /// Whether there is an object of a number. Context: control.
  package func hasObject(_ id: AudioObjectID) -> Bool {
    id == kAudioObjectSystemObject || id == Self.plugIn || device(id) != nil || stream(id) != nil
      || control(id) != nil || part(id) != nil
  }

  /// The device of a name or a UID; nil for none.
  package func device(named name: String) -> HardwareDevice? {
    devices().first { $0.listing.name == name || $0.uid == name }
  }

  /// The default device of a side; nil where there is none. Context: control.
  package func defaultDevice(isInput: Bool, isSystem: Bool = false) -> HardwareDevice? {
    let all = devices().filter { isInput ? $0.listing.hasInput : $0.listing.hasOutput }
    let chosen = state.withLock {
      isInput ? $0.chosenInput : isSystem ? $0.chosenSystem ?? $0.chosenOutput : $0.chosenOutput
    }
    return all.first { $0.id == chosen } ?? all.first { $0.listing.isDefault }
      ?? all.first { $0.listing.kind == "card" } ?? all.first
  }

  /// Chooses the default device of a side, for this process.
  func choose(_ id: AudioObjectID, _ selector: UInt32) throws(HardwareError) {
    guard let device = device(id), device.isAlive else { throw .badDevice }
    let isInput = selector == kAudioHardwarePropertyDefaultInputDevice
    guard isInput ? device.listing.hasInput : device.listing.hasOutput else { throw .illegal }
    state.withLock { state in
      switch selector {
      case kAudioHardwarePropertyDefaultInputDevice: state.chosenInput = id
      case kAudioHardwarePropertyDefaultOutputDevice: state.chosenOutput = id
      default: state.chosenSystem = id
      }
    }
    listeners.changed(AudioObjectID(kAudioObjectSystemObject), selector)
  }

  /// A word that is only kept.
  func word(_ selector: UInt32, _ usual: UInt32) -> UInt32 {
    state.withLock { $0.words[selector] ?? usual }
  }

  /// Keeps a word.
  func setWord(_ selector: UInt32, _ value: UInt32) {
    state.withLock { $0.words[selector] = value }
    listeners.changed(AudioObjectID(kAudioObjectSystemObject), selector)
  }

  /// Stops everything. Context: control.
  package func unload() {
    for device in state.withLock({ $0.devices }) { device.stopAll() }
  }
}
