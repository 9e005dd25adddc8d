// The selectors that a unit implements, by its type.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// Returns a method without its type, as `Lookup` returns it; a host casts it back by its selector.
func erased<Method>(_ method: Method) -> AudioComponentMethod {
  unsafe unsafeBitCast(method, to: AudioComponentMethod.self)
}

/// The selectors of a type of unit beyond the common ones.
@safe struct UnitFamily {
  /// Whether it receives MIDI.
  let acceptsMIDI: Bool
  /// The function that finds its methods.
  let lookUp: @convention(c) (Int16) -> AudioComponentMethod?

  init(_ type: OSType) {
    switch type {
    case kAudioUnitType_MusicDevice, kAudioUnitType_RemoteInstrument:
      acceptsMIDI = true
      unsafe lookUp = unsafe lookUpInstrumentMethod
    case kAudioUnitType_MusicEffect, kAudioUnitType_RemoteMusicEffect, kAudioUnitType_MIDIProcessor:
      acceptsMIDI = true
      unsafe lookUp = unsafe lookUpMusicEffectMethod
    case kAudioUnitType_Generator, kAudioUnitType_RemoteGenerator:
      acceptsMIDI = false
      unsafe lookUp = unsafe lookUpMethod
    case kAudioUnitType_Output:
      acceptsMIDI = false
      unsafe lookUp = unsafe lookUpOutputMethod
    default:
      acceptsMIDI = false
      unsafe lookUp = unsafe lookUpEffectMethod
    }
  }
}

/// Methods of units that can process the caller's buffers.
private func lookUpEffectMethod(_ selector: Int16) -> AudioComponentMethod? {
  switch selector {
  case kAudioUnitComplexRenderSelect: unsafe erased(complexRenderMethod)
  case kAudioUnitProcessSelect: unsafe erased(processMethod)
  case kAudioUnitProcessMultipleSelect: unsafe erased(processMultipleMethod)
  default: unsafe lookUpMethod(selector)
  }
}

/// Methods of units with a clock of their own.
private func lookUpOutputMethod(_ selector: Int16) -> AudioComponentMethod? {
  switch selector {
  case kAudioOutputUnitStartSelect: unsafe erased(outputStartMethod)
  case kAudioOutputUnitStopSelect: unsafe erased(outputStopMethod)
  default: unsafe lookUpMethod(selector)
  }
}

/// Methods of units that receive MIDI.
private func lookUpMIDIMethod(_ selector: Int16) -> AudioComponentMethod? {
  switch selector {
  case kMusicDeviceMIDIEventSelect: unsafe erased(midiEventMethod)
  case kMusicDeviceSysExSelect: unsafe erased(sysExMethod)
  case kMusicDeviceMIDIEventListSelect: unsafe erased(midiEventListMethod)
  default: unsafe lookUpMethod(selector)
  }
}

private func lookUpMusicEffectMethod(_ selector: Int16) -> AudioComponentMethod? {
  switch selector {
  case kMusicDeviceMIDIEventSelect, kMusicDeviceSysExSelect, kMusicDeviceMIDIEventListSelect:
    unsafe lookUpMIDIMethod(selector)
  default: unsafe lookUpEffectMethod(selector)
  }
}

private func lookUpInstrumentMethod(_ selector: Int16) -> AudioComponentMethod? {
  switch selector {
  case kMusicDeviceStartNoteSelect: unsafe erased(startNoteMethod)
  case kMusicDeviceStopNoteSelect: unsafe erased(stopNoteMethod)
  case kMusicDevicePrepareInstrumentSelect: unsafe erased(prepareInstrumentMethod)
  case kMusicDeviceReleaseInstrumentSelect: unsafe erased(releaseInstrumentMethod)
  default: unsafe lookUpMIDIMethod(selector)
  }
}
