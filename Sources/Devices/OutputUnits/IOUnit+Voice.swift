// The unit for voices: the properties that it has beyond those of other output units, and its two devices.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import HardwareObjects
import Synchronization
import VoiceProcessing

/// The settings of a voice unit, also while it has no processor.
struct VoiceState {
  var settings = VoiceProcessor.Settings()
  var quality: UInt32 = 127
  /// A flag and a level, kept for queries: no other sound is played that could be lowered.
  var ducking: UInt64 = 0
  /// Chosen devices: nil for the defaults.
  var output: AudioObjectID?
  var input: AudioObjectID?
  /// The reason why it could not be initialised.
  var failure = ""
}

extension IOUnit {
  /// Whether it cancels echoes.
  var isVoice: Bool { description.componentSubType == kAudioUnitSubType_VoiceProcessingIO }

  /// The properties that voice units alone have.
  static let ofVoices: Set<AudioUnitPropertyID> = [
    kAUVoiceIOProperty_BypassVoiceProcessing, kAUVoiceIOProperty_VoiceProcessingEnableAGC,
    kAUVoiceIOProperty_VoiceProcessingQuality, kAUVoiceIOProperty_MuteOutput,
    kAUVoiceIOProperty_OtherAudioDuckingConfiguration,
  ]

  /// The bytes of such a property.
  func voiceSize(_ property: AudioUnitPropertyID) -> UInt32 {
    property == kAUVoiceIOProperty_OtherAudioDuckingConfiguration ? 8 : 4
  }

  /// Stores the value of such a property.
  func voiceGet(_ property: AudioUnitPropertyID, _ data: UnsafeMutableRawPointer) {
    let voice = state.withLock { $0.voice }
    func store(_ value: UInt32) { unsafe data.storeBytes(of: value, as: UInt32.self) }
    switch property {
    case kAUVoiceIOProperty_BypassVoiceProcessing: store(voice.settings.isBypassed ? 1 : 0)
    case kAUVoiceIOProperty_VoiceProcessingEnableAGC: store(voice.settings.keepsLevel ? 1 : 0)
    case kAUVoiceIOProperty_VoiceProcessingQuality: store(voice.quality)
    case kAUVoiceIOProperty_MuteOutput: store(voice.settings.isMuted ? 1 : 0)
    default: unsafe data.storeBytes(of: voice.ducking, as: UInt64.self)
    }
  }

  /// Sets such a property; the quality is in force after the next Initialize.
  func voiceSet(
    _ property: AudioUnitPropertyID, _ data: UnsafeRawPointer?, _ size: UInt32
  ) -> OSStatus {
    guard let data = unsafe data, size == voiceSize(property) else {
      return kAudioUnitErr_InvalidPropertyValue
    }
    if property == kAUVoiceIOProperty_OtherAudioDuckingConfiguration {
      let wanted = unsafe data.loadUnaligned(as: UInt64.self)
      state.withLock { $0.voice.ducking = wanted }
    } else {
      let word = unsafe data.loadUnaligned(as: UInt32.self)
      state.withLock { state in
        switch property {
        case kAUVoiceIOProperty_BypassVoiceProcessing:
          state.voice.settings.isBypassed = word != 0
        case kAUVoiceIOProperty_VoiceProcessingEnableAGC:
          state.voice.settings.keepsLevel = word != 0
        case kAUVoiceIOProperty_VoiceProcessingQuality: state.voice.quality = min(word, 127)
        default: state.voice.settings.isMuted = word != 0
        }
      }
      applyVoice()
    }
    changed(property)
    return 0
  }

  /// Passes the settings to the processor.
  func applyVoice() {
    cycle.voice?.processor.settings = state.withLock { $0.voice.settings }
  }

  /// Makes the processor for a device; returns the status for Initialize. Context: control, while the unit
  /// does not run.
  func prepareVoice(_ device: HardwareDevice, frameCapacity: Int) -> OSStatus {
    guard isVoice else { return 0 }
    do throws(AuricleError) {
      let made = try VoiceSide(
        sampleRate: device.sampleRate, channelCount: device.channelCount(isInput: true),
        frameCapacity: frameCapacity, quality: state.withLock { $0.voice.quality })
      cycle.voice = made
      applyVoice()
      return 0
    } catch {
      state.withLock { $0.voice.failure = error.message }
      return kAudioUnitErr_FailedInitialization
    }
  }

  /// Chooses the device of a side: the two become one.
  func chooseVoiceDevice(_ id: AudioObjectID, _ element: AudioUnitElement) -> OSStatus {
    guard element <= 1 else { return kAudioUnitErr_InvalidElement }
    let system = HardwareSystem.shared
    let isInput = element == 1
    let device = id == 0 ? system.defaultDevice(isInput: isInput) : system.device(id)
    guard let device, device.isAlive, device.channelCount(isInput: isInput) > 0 else {
      return kAudioUnitErr_InvalidPropertyValue
    }
    state.withLock {
      if isInput { $0.voice.input = device.id } else { $0.voice.output = device.id }
    }
    guard let both = voiceDevice() else { return kAudioUnitErr_InvalidPropertyValue }
    return choose(both.id)
  }

  /// The device of both sides: one, or an aggregate of two.
  func voiceDevice() -> HardwareDevice? {
    let system = HardwareSystem.shared
    let voice = state.withLock { $0.voice }
    let output = voice.output.flatMap { system.device($0) } ?? system.defaultDevice(isInput: false)
    let input = voice.input.flatMap { system.device($0) }
    guard let output else { return nil }
    if let input, input !== output { return system.pair(output: output, input: input) }
    if input == nil, output.channelCount(isInput: true) == 0,
      let recorder = system.defaultDevice(isInput: true), recorder !== output
    {
      return system.pair(output: output, input: recorder)
    }
    return output
  }
}
