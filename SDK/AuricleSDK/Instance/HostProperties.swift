// The properties in which a host describes itself and the unit's use.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

extension UnitProperty {
  /// Rows of the properties that a host sets.
  static let ofHosts: [AudioUnitPropertyID: UnitProperty] = unsafe [
    kAudioUnitProperty_ContextName: text(
      kAudioUnitProperty_ContextName, \.contextName, missing: kAudioUnitErr_PropertyNotInUse),
    kAudioUnitProperty_NickName: text(
      kAudioUnitProperty_NickName, \.nickName, missing: 0),
    kAudioUnitProperty_AUHostIdentifier: .value(
      .global, AUHostVersionIdentifier.self,
      set: { place, identifier in
        place.unit.settings.hostName = unsafe String(cfString: identifier.hostName)
        place.unit.settings.hostVersion = unsafe identifier.hostVersion
        place.changed(kAudioUnitProperty_AUHostIdentifier)
        return 0
      }),
    kAudioUnitProperty_HostCallbacks: callback(kAudioUnitProperty_HostCallbacks),
    kAudioUnitProperty_MIDIOutputCallback: callback(kAudioUnitProperty_MIDIOutputCallback),
    kAudioUnitProperty_MIDIOutputCallbackInfo: callback(kAudioUnitProperty_MIDIOutputCallbackInfo),
    kMusicDeviceProperty_InstrumentCount: callback(kMusicDeviceProperty_InstrumentCount),
    kMusicDeviceProperty_SupportsStartStopNote: callback(
      kMusicDeviceProperty_SupportsStartStopNote),
    kAudioOutputUnitProperty_IsRunning: callback(kAudioOutputUnitProperty_IsRunning),
    kAuricleProperty_NaNGuard: callback(kAuricleProperty_NaNGuard),
  ]

  /// Makes a property that render code shares.
  private static func callback(_ id: AudioUnitPropertyID) -> UnitProperty {
    unsafe UnitProperty(
      .global,
      info: { $0.unit.hostPropertyInfo(id) ?? .error(kAudioUnitErr_InvalidProperty) },
      read: { place, data, _ in unsafe place.unit.readHostProperty(id, data) },
      write: { place, data, size in
        let status =
          unsafe place.unit.writeHostProperty(id, data, size) ?? kAudioUnitErr_PropertyNotWritable
        if status == 0 { place.changed(id) }
        return status
      },
      remove: { place in
        let status =
          unsafe place.unit.writeHostProperty(id, nil, 0) ?? kAudioUnitErr_InvalidPropertyValue
        if status == 0 { place.changed(id) }
        return status
      })
  }

  /// Makes a property of a text that a host sets and removes; without one, reading returns null and `missing`.
  private static func text(
    _ id: AudioUnitPropertyID, _ path: any WritableKeyPath<UnitSettings, String?> & Sendable,
    missing: OSStatus
  ) -> UnitProperty {
    unsafe UnitProperty(
      .global, info: { _ in PropertyInfo(size: pointerSize, isWritable: true) },
      read: { place, data, _ in
        let text = place.unit.settings[keyPath: path]
        unsafe data.storeBytes(of: text.flatMap { unsafe makeCFString($0) }, as: CFStringRef?.self)
        return text == nil ? missing : 0
      },
      write: { place, data, size in
        guard size == pointerSize else { return kAudioUnitErr_InvalidPropertyValue }
        let text = unsafe data.loadUnaligned(as: CFStringRef?.self)
        place.unit.settings[keyPath: path] = unsafe String(cfString: text)
        place.changed(id)
        return 0
      },
      remove: { place in
        place.unit.settings[keyPath: path] = nil
        place.changed(id)
        return 0
      })
  }
}
