// Units that other programs may play through: commands, MIDI and transport between programs.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

extension UnitProperty {
  /// Rows of the properties of output units between programs.
  ///
  /// Programs cannot share units here, so an output unit has no peer. It reports that, stores the values
  /// that a host sets for one, and accepts no commands for it.
  static let ofRemotes: [AudioUnitPropertyID: UnitProperty] = unsafe [
    kAudioUnitProperty_IsInterAppConnected: .value(
      .global, UInt32.self, exists: isOutput, get: { _ in 0 }),
    kAudioUnitProperty_PeerURL: nothing(MemoryLayout<CFURLRef?>.size),
    kAudioOutputUnitProperty_NodeComponentDescription: nothing(
      MemoryLayout<AudioComponentDescription>.size),
    kAudioOutputUnitProperty_HostReceivesRemoteControlEvents: .value(
      .global, UInt32.self, exists: isOutput, get: { _ in 0 }),
    kAudioOutputUnitProperty_HostTransportState: .value(
      .global, UInt32.self, exists: isOutput, get: { _ in 0 }),
    kAudioOutputUnitProperty_RemoteControlToHost: .value(
      .global, UInt32.self, exists: isOutput,
      set: { _, command in
        // 1: play and pause, 2: record, 3: back to the start.
        (1...3).contains(command)
          ? kAudioUnitErr_NoConnection : kAudioUnitErr_InvalidPropertyValue
      }),
    kAudioOutputUnitProperty_MIDICallbacks: .value(
      .global, AudioOutputUnitMIDICallbacks.self, exists: isOutput,
      get: { unsafe $0.unit.settings.midiCallbacks ?? AudioOutputUnitMIDICallbacks() },
      set: { place, callbacks in
        unsafe place.unit.settings.midiCallbacks = unsafe callbacks
        place.changed(kAudioOutputUnitProperty_MIDICallbacks)
        return 0
      },
      remove: { place in
        unsafe place.unit.settings.midiCallbacks = nil
        place.changed(kAudioOutputUnitProperty_MIDICallbacks)
        return 0
      }),
    kAudioUnitProperty_RemoteControlEventListener: UnitProperty(
      .global,
      info: { place in
        isOutput(place)
          ? PropertyInfo(size: pointerSize, isWritable: true)
          : .error(kAudioUnitErr_InvalidProperty)
      },
      read: { place, data, _ in
        unsafe place.unit.store(place.unit.settings.remoteListener?.pointer, data)
      },
      write: { place, data, size in
        guard size == pointerSize else { return kAudioUnitErr_InvalidPropertyValue }
        let supplied = unsafe data.loadUnaligned(as: UnsafeRawPointer?.self)
        let block = unsafe HostBlock(supplied)
        guard unsafe block != nil || supplied == nil else { return kAudio_UnimplementedError }
        place.unit.settings.remoteListener = block
        place.changed(kAudioUnitProperty_RemoteControlEventListener)
        return 0
      },
      remove: { place in
        place.unit.settings.remoteListener = nil
        place.changed(kAudioUnitProperty_RemoteControlEventListener)
        return 0
      }),
  ]

  private static let isOutput: @Sendable (PropertyPlace) -> Bool = {
    $0.unit.description.componentType == kAudioUnitType_Output
  }

  /// Returns a property of output units that is not in use.
  private static func nothing(_ size: Int) -> UnitProperty {
    unsafe UnitProperty(
      .global,
      info: {
        isOutput($0) ? PropertyInfo(size: UInt32(size)) : .error(kAudioUnitErr_InvalidProperty)
      },
      read: { _, _, _ in kAudioUnitErr_PropertyNotInUse })
  }
}
