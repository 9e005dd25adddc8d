// The properties of the audio session.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import CAudioToolbox
import HardwareObjects
import Synchronization

/// A value of a property: bytes, or an object that the caller gets a reference to.
enum SessionValue {
  case word(UInt32)
  case float(Float)
  case double(Double)
  case object(OwnedObject)
}

extension SessionState {
  /// Properties that are words which are kept, and the categories that have them; nil for all.
  private static let kept: [UInt32: [UInt32]?] = [
    kAudioSessionProperty_OtherMixableAudioShouldDuck: nil,
    kAudioSessionProperty_OverrideCategoryMixWithOthers: [
      kAudioSessionCategory_PlayAndRecord, kAudioSessionCategory_MediaPlayback,
    ],
    kAudioSessionProperty_OverrideCategoryDefaultToSpeaker: [kAudioSessionCategory_PlayAndRecord],
    kAudioSessionProperty_OverrideCategoryEnableBluetoothInput: [
      kAudioSessionCategory_PlayAndRecord, kAudioSessionCategory_RecordAudio,
    ],
  ]

  private static let categories: Set<UInt32> = [
    kAudioSessionCategory_AmbientSound, kAudioSessionCategory_SoloAmbientSound,
    kAudioSessionCategory_MediaPlayback, kAudioSessionCategory_RecordAudio,
    kAudioSessionCategory_PlayAndRecord, kAudioSessionCategory_AudioProcessing,
    kAudioSessionCategory_UserInterfaceSoundEffects, kAudioSessionCategory_LiveAudio,
  ]

  private static let modes: Set<UInt32> = [
    kAudioSessionMode_Default, kAudioSessionMode_VoiceChat, kAudioSessionMode_VideoRecording,
    kAudioSessionMode_Measurement, kAudioSessionMode_GameChat,
  ]

  private func device(isInput: Bool) -> HardwareDevice? {
    HardwareSystem.shared.defaultDevice(isInput: isInput)
  }

  private func latency(isInput: Bool) -> Float {
    guard let device = device(isInput: isInput) else { return 0 }
    let scope = isInput ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput
    let frames = [kAudioDevicePropertyLatency, kAudioDevicePropertySafetyOffset].map { selector in
      let address = AudioObjectPropertyAddress(mSelector: selector, mScope: scope, mElement: 0)
      let found = try? HardwareSystem.shared.property(device.id, address)
      return found?.loaded(as: UInt32.self) ?? 0
    }.reduce(device.periodFrames, +)
    return Float(Double(frames) / device.sampleRate)
  }

  /// The value of a property.
  ///
  /// - Throws: `pty?` for an unknown one, or one for listeners alone.
  func value(_ property: AudioSessionPropertyID) throws(SoundFailure) -> SessionValue {
    let present = state.withLock { ($0.category, $0.mode, $0.words, $0.interruptionType) }
    if Self.kept[property] != nil { return .word(present.2[property] ?? 0) }
    switch property {
    case kAudioSessionProperty_PreferredHardwareSampleRate:
      return .double(state.withLock { $0.wantedRate })
    case kAudioSessionProperty_PreferredHardwareIOBufferDuration:
      return .float(state.withLock { $0.wantedDuration })
    case kAudioSessionProperty_AudioCategory: return .word(present.0)
    case kAudioSessionProperty_Mode: return .word(present.1)
    case kAudioSessionProperty_InterruptionType:
      guard let type = present.3 else { throw Self.unsupported }
      return .word(type)
    case kAudioSessionProperty_OtherAudioIsPlaying:
      return .word(device(isInput: false)?.listing.holder == nil ? 0 : 1)
    case kAudioSessionProperty_AudioInputAvailable:
      return .word(device(isInput: true) == nil ? 0 : 1)
    case kAudioSessionProperty_InputGainAvailable: return .word(0)
    case kAudioSessionProperty_InputGainScalar: return .float(1)
    case kAudioSessionProperty_AudioRoute, kAudioSessionProperty_AudioRouteDescription,
      kAudioSessionProperty_InputSources, kAudioSessionProperty_OutputDestinations,
      kAudioSessionProperty_InputSource, kAudioSessionProperty_OutputDestination:
      guard let made = object(property, present.0) else { throw Self.unsupported }
      return .object(made)
    default: return try hardwareValue(property)
    }
  }

  static let unsupported = SoundFailure(status: kAudioSessionUnsupportedPropertyError)

  private func object(_ property: AudioSessionPropertyID, _ category: UInt32) -> OwnedObject? {
    let route = SessionRoute.present(category)
    switch property {
    case kAudioSessionProperty_AudioRoute: return .text(route.name)
    case kAudioSessionProperty_AudioRouteDescription: return route.description()
    case kAudioSessionProperty_InputSources: return SessionRoute.choices(isInput: true)
    case kAudioSessionProperty_OutputDestinations: return SessionRoute.choices(isInput: false)
    case kAudioSessionProperty_InputSource:
      return device(isInput: true).flatMap { .number(Int32(bitPattern: $0.id)) }
    default: return device(isInput: false).flatMap { .number(Int32(bitPattern: $0.id)) }
    }
  }

  /// The settings of the default devices.
  private func hardwareValue(
    _ property: AudioSessionPropertyID
  ) throws(SoundFailure) -> SessionValue {
    let (output, input) = (device(isInput: false), device(isInput: true))
    let main = output ?? input
    switch property {
    case kAudioSessionProperty_CurrentHardwareSampleRate: return .double(main?.sampleRate ?? 0)
    case kAudioSessionProperty_CurrentHardwareInputNumberChannels:
      return .word(UInt32(input?.channelCount(isInput: true) ?? 0))
    case kAudioSessionProperty_CurrentHardwareOutputNumberChannels:
      return .word(UInt32(output?.channelCount(isInput: false) ?? 0))
    case kAudioSessionProperty_CurrentHardwareOutputVolume: return .float(1)
    case kAudioSessionProperty_CurrentHardwareInputLatency: return .float(latency(isInput: true))
    case kAudioSessionProperty_CurrentHardwareOutputLatency: return .float(latency(isInput: false))
    case kAudioSessionProperty_CurrentHardwareIOBufferDuration:
      return .float(main.map { Float(Double($0.periodFrames) / $0.sampleRate) } ?? 0)
    default: throw Self.unsupported
    }
  }

  // MARK: Setting

  /// Sets a word.
  ///
  /// - Throws: `pty?` for one that cannot be set, or a value that makes no sense; `!cat` for a word that the
  ///   category has no use for.
  func set(_ property: AudioSessionPropertyID, _ word: UInt32) throws(SoundFailure) {
    let category = state.withLock { $0.category }
    if let allowed = Self.kept[property] {
      guard allowed?.contains(category) ?? true else {
        throw SoundFailure(status: kAudioSessionIncompatibleCategory)
      }
      return state.withLock { $0.words[property] = word == 0 ? 0 : 1 }
    }
    switch property {
    case kAudioSessionProperty_AudioCategory:
      guard Self.categories.contains(word) else { throw Self.unsupported }
      let isNew = state.withLock { state -> Bool in
        defer { state.category = word }
        // An override holds for one category.
        if state.category != word {
          for entry in Self.kept where entry.value != nil {
            state.words[entry.key] = nil
          }
        }
        return state.category != word
      }
      if isNew {
        changeRoute(
          to: SessionRoute.present(word), kAudioSessionRouteChangeReason_CategoryChange)
      }
    case kAudioSessionProperty_Mode:
      guard Self.modes.contains(word) else { throw Self.unsupported }
      state.withLock { $0.mode = word }
    case kAudioSessionProperty_OverrideAudioRoute:
      guard category == kAudioSessionCategory_PlayAndRecord else {
        throw SoundFailure(status: kAudioSessionIncompatibleCategory)
      }
      guard
        [kAudioSessionOverrideAudioRoute_None, kAudioSessionOverrideAudioRoute_Speaker].contains(
          word)
      else { throw Self.unsupported }
      changeRoute(to: SessionRoute.present(category), kAudioSessionRouteChangeReason_Override)
    default: throw Self.unsupported
    }
  }

  /// Makes the device of a number of `InputSources` or `OutputDestinations` the default.
  func choose(_ number: Int32, isInput: Bool) throws(SoundFailure) {
    let address = AudioObjectPropertyAddress(
      mSelector: isInput
        ? kAudioHardwarePropertyDefaultInputDevice : kAudioHardwarePropertyDefaultOutputDevice,
      mScope: kAudioObjectPropertyScopeGlobal, mElement: 0)
    do throws(HardwareError) {
      try HardwareSystem.shared.setProperty(
        AudioObjectID(kAudioObjectSystemObject), address, .value(UInt32(bitPattern: number)))
    } catch { throw Self.unsupported }
  }

  /// Sets the devices to the wishes, as near as they can.
  func applyWishes() {
    let (rate, duration) = state.withLock { ($0.wantedRate, $0.wantedDuration) }
    for device in [device(isInput: false), device(isInput: true)].compactMap(\.self) {
      func set(_ selector: UInt32, _ value: PropertyValue) {
        let address = AudioObjectPropertyAddress(
          mSelector: selector, mScope: kAudioObjectPropertyScopeGlobal, mElement: 0)
        try? HardwareSystem.shared.setProperty(device.id, address, value)
      }
      if rate > 0 { set(kAudioDevicePropertyNominalSampleRate, .value(rate)) }
      if duration > 0 {
        let frames = (Double(duration) * device.sampleRate).rounded()
        set(kAudioDevicePropertyBufferFrameSize, .value(UInt32(min(max(frames, 1), 65_536))))
      }
    }
  }
}
