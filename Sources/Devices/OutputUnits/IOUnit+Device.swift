// The device of an output unit, and the device properties that it follows.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import HardwareObjects
import Synchronization

extension IOUnit {
  private var isSystem: Bool { description.componentSubType == kAudioUnitSubType_SystemOutput }

  private var systemObject: AudioObjectID { AudioObjectID(kAudioObjectSystemObject) }

  private var defaultSelector: AudioObjectPropertySelector {
    isSystem
      ? kAudioHardwarePropertyDefaultSystemOutputDevice : kAudioHardwarePropertyDefaultOutputDevice
  }

  /// The listener by which a default unit follows the default device.
  var defaultListener: PropertyListeners.Listener {
    let address = AudioObjectPropertyAddress(
      mSelector: defaultSelector, mScope: kAudioObjectPropertyScopeGlobal, mElement: 0)
    return PropertyListeners.Listener(systemObject, address, identity: [number, 3]) {
      [weak self] _, _ in self?.defaultChanged()
    }
  }

  /// Makes a default unit follow the default device.
  func watchDefault() {
    if followsDefault { HardwareSystem.shared.listeners.add(defaultListener) }
  }

  /// Binds the device that is the default now.
  func bindDefault() {
    let system = HardwareSystem.shared
    let device =
      (isVoice ? voiceDevice() : system.defaultDevice(isInput: false, isSystem: isSystem))
      ?? (followsDefault ? nil : system.defaultDevice(isInput: true))
    if let device { bind(device) }
  }

  private func defaultChanged() {
    guard let device = HardwareSystem.shared.defaultDevice(isInput: false, isSystem: isSystem)
    else { return }
    _ = move(to: device)
  }

  /// Binds a device that is not in use yet: follows its formats.
  private func bind(_ device: HardwareDevice) {
    let old = state.withLock { state -> [PropertyListeners.Listener] in
      state.device = device
      defer { state.watched = [] }
      return state.watched
    }
    for listener in old { HardwareSystem.shared.listeners.remove(listener) }
    var made: [PropertyListeners.Listener] = []
    for selector in [
      kAudioDevicePropertyIOStoppedAbnormally, kAudioDevicePropertyDeviceIsAlive,
      kAudioDevicePropertyNominalSampleRate,
    ] {
      let address = AudioObjectPropertyAddress(
        mSelector: selector, mScope: kAudioObjectPropertyScopeWildcard,
        mElement: kAudioObjectPropertyElementWildcard)
      made.append(
        PropertyListeners.Listener(device.id, address, identity: [number, 4]) {
          [weak self] _, address in self?.deviceChanged(device, address)
        })
    }
    // Properties that a host listens to through the unit.
    let any = AudioObjectPropertyAddress(
      mSelector: kAudioObjectPropertySelectorWildcard, mScope: kAudioObjectPropertyScopeWildcard,
      mElement: kAudioObjectPropertyElementWildcard)
    made.append(
      PropertyListeners.Listener(device.id, any, identity: [number, 5]) { [weak self] _, address in
        self?.postDeviceChange(address)
      })
    for listener in made { HardwareSystem.shared.listeners.add(listener) }
    state.withLock { $0.watched = made }
    adoptFormats(of: device)
  }

  /// Posts a change of the device as one of the unit: that of the whole device on both elements, too.
  private func postDeviceChange(_ address: AudioObjectPropertyAddress) {
    changed(address.mSelector, unitScope(address.mScope), AudioUnitElement(address.mElement))
    guard address.mScope == kAudioObjectPropertyScopeGlobal else { return }
    changed(address.mSelector, kAudioUnitScope_Input, 0)
    if !followsDefault { changed(address.mSelector, kAudioUnitScope_Output, 1) }
  }

  private func deviceChanged(_ device: HardwareDevice, _ address: AudioObjectPropertyAddress) {
    switch address.mSelector {
    case kAudioDevicePropertyNominalSampleRate: _ = move(to: device)
    case kAudioDevicePropertyDeviceIsAlive where device.isAlive: break
    default: deviceEnded()
    }
  }

  /// Sets the device's format on both halves; the client's too while no host chose one.
  func adoptFormats(of device: HardwareDevice) {
    let isFirst = state.withLock { state in
      defer { state.isBound = true }
      return !state.isBound
    }
    for half in [output, input] where device.channelCount(isInput: half.isInput) > 0 {
      let format = device.virtualFormat(isInput: half.isInput)
      half.set(kAudioUnitProperty_StreamFormat, half.deviceScope, value: format)
      guard isFirst else { continue }
      var client = half.format(half.clientScope)
      client.mSampleRate = format.mSampleRate
      half.set(kAudioUnitProperty_StreamFormat, half.clientScope, value: client)
    }
  }

  /// Chooses a device by its number; 0 is the default.
  ///
  /// - Returns: `kAudioUnitErr_InvalidPropertyValue` for a number that is no device, or one without a side in use.
  func choose(_ id: AudioObjectID) -> OSStatus {
    guard !followsDefault else { return kAudioUnitErr_PropertyNotWritable }
    let system = HardwareSystem.shared
    guard let device = id == 0 ? system.defaultDevice(isInput: false) : system.device(id),
      device.isAlive
    else { return kAudioUnitErr_InvalidPropertyValue }
    let (hasOutput, hasInput) = state.withLock { ($0.hasOutput, $0.hasInput) }
    let hasSide =
      (hasOutput && device.channelCount(isInput: false) > 0)
      || (hasInput && device.channelCount(isInput: true) > 0)
    guard hasSide else { return kAudioUnitErr_InvalidPropertyValue }
    state.withLock { $0.isChosen = true }
    return move(to: device)
  }

  /// Goes over to a device, or to another format of the same; a running unit keeps running there.
  private func move(to device: HardwareDevice) -> OSStatus {
    let status = transport.withLock { _ -> OSStatus in
      // A host is its device meanwhile.
      guard state.withLock({ $0.node.binding }) == nil else { return 0 }
      let (old, isInitialized) = state.withLock { ($0.device, $0.isInitialized) }
      let rate = device.virtualFormat(isInput: false).mSampleRate
      let isSame = old === device && output.format(output.deviceScope).mSampleRate == rate
      guard !isSame else { return 0 }
      state.withLock { $0.heldChanges = [] }
      let isRunning = state.withLock { $0.isRunning }
      if isRunning { old?.stop(number: number) }
      if isInitialized {
        output.uninitialize()
        input.uninitialize()
      }
      bind(device)
      if old !== device { changed(kAudioOutputUnitProperty_CurrentDevice) }
      changed(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0)
      if !followsDefault { changed(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1) }
      return isInitialized ? goOn(on: device, wasRunning: isRunning) : 0
    }
    postHeldChanges()
    return status
  }

  /// Prepares an initialized unit for its new device, and runs on it where it ran before. Context: under `transport`.
  private func goOn(on device: HardwareDevice, wasRunning: Bool) -> OSStatus {
    let awaitsDevice = state.withLock { $0.awaitsDevice }
    var status = prepareHalves(device)
    if status == 0, wasRunning || awaitsDevice { status = run(on: device) }
    state.withLock {
      $0.isRunning = status == 0 && (wasRunning || awaitsDevice)
      if status == 0 { $0.awaitsDevice = false }
    }
    if status == 0, awaitsDevice { changed(kAudioOutputUnitProperty_IsRunning) }
    return status
  }
}

/// The scope of a unit for one of a device.
private func unitScope(_ scope: AudioObjectPropertyScope) -> AudioUnitScope {
  switch scope {
  case kAudioObjectPropertyScopeInput: kAudioUnitScope_Input
  case kAudioObjectPropertyScopeOutput: kAudioUnitScope_Output
  default: kAudioUnitScope_Global
  }
}
