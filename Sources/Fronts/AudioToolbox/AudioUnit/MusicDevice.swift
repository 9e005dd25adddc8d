// The functions of MusicDevice.h: MIDI and notes for a unit.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// Sends a unit a MIDI message of up to three bytes, for a frame of the next slice.
///
/// Context: render.
@c @implementation
public func MusicDeviceMIDIEvent(
  _ unit: MusicDeviceComponent?, _ status: UInt32, _ data1: UInt32, _ data2: UInt32,
  _ offsetSampleFrame: UInt32
) -> OSStatus {
  guard let unit = unsafe Instance(unit) else { return kAudio_ParamError }
  guard
    let method = unsafe unit.method(
      kMusicDeviceMIDIEventSelect, as: MusicDeviceMIDIEventProc.self)
  else { return kAudio_UnimplementedError }
  return unsafe method(unit.plugIn, status, data1, data2, offsetSampleFrame)
}

/// Sends a unit a system exclusive message.
///
/// Context: render.
@c @implementation
public func MusicDeviceSysEx(
  _ unit: MusicDeviceComponent?, _ data: UnsafePointer<UInt8>?, _ length: UInt32
) -> OSStatus {
  guard let unit = unsafe Instance(unit), unsafe data != nil || length == 0 else {
    return kAudio_ParamError
  }
  guard let method = unsafe unit.method(kMusicDeviceSysExSelect, as: MusicDeviceSysExProc.self)
  else { return kAudio_UnimplementedError }
  return unsafe method(unit.plugIn, data, length)
}

/// Sends a unit universal MIDI packets, for a frame of the next slice.
///
/// Context: render.
@c @implementation
public func MusicDeviceMIDIEventList(
  _ unit: MusicDeviceComponent?, _ offsetSampleFrame: UInt32,
  _ events: UnsafePointer<MIDIEventList>?
) -> OSStatus {
  guard let unit = unsafe Instance(unit), unsafe events != nil else { return kAudio_ParamError }
  guard
    let method = unsafe unit.method(
      kMusicDeviceMIDIEventListSelect, as: MusicDeviceMIDIEventListProc.self)
  else { return kAudio_UnimplementedError }
  return unsafe method(unit.plugIn, offsetSampleFrame, events)
}

/// Starts a note, and returns an id to stop it by.
///
/// Context: render.
@c @implementation
public func MusicDeviceStartNote(
  _ unit: MusicDeviceComponent?, _ instrument: MusicDeviceInstrumentID,
  _ group: MusicDeviceGroupID, _ note: UnsafeMutablePointer<NoteInstanceID>?,
  _ offsetSampleFrame: UInt32, _ parameters: UnsafePointer<MusicDeviceNoteParams>?
) -> OSStatus {
  guard let unit = unsafe Instance(unit), unsafe note != nil, unsafe parameters != nil else {
    return kAudio_ParamError
  }
  guard
    let method = unsafe unit.method(
      kMusicDeviceStartNoteSelect, as: MusicDeviceStartNoteProc.self)
  else { return kAudio_UnimplementedError }
  return unsafe method(unit.plugIn, instrument, group, note, offsetSampleFrame, parameters)
}

/// Stops a note.
///
/// Context: render.
@c @implementation
public func MusicDeviceStopNote(
  _ unit: MusicDeviceComponent?, _ group: MusicDeviceGroupID, _ note: NoteInstanceID,
  _ offsetSampleFrame: UInt32
) -> OSStatus {
  guard let unit = unsafe Instance(unit) else { return kAudio_ParamError }
  guard
    let method = unsafe unit.method(kMusicDeviceStopNoteSelect, as: MusicDeviceStopNoteProc.self)
  else { return kAudio_UnimplementedError }
  return unsafe method(unit.plugIn, group, note, offsetSampleFrame)
}

/// Loads an instrument.
///
/// Context: control.
@c @implementation
public func MusicDevicePrepareInstrument(
  _ unit: MusicDeviceComponent?, _ instrument: MusicDeviceInstrumentID
) -> OSStatus {
  guard let unit = unsafe Instance(unit) else { return kAudio_ParamError }
  guard
    let method = unsafe unit.method(
      kMusicDevicePrepareInstrumentSelect, as: MusicDevicePrepareInstrumentProc.self)
  else { return kAudio_UnimplementedError }
  return unsafe method(unit.plugIn, instrument)
}

/// Releases an instrument.
///
/// Context: control.
@c @implementation
public func MusicDeviceReleaseInstrument(
  _ unit: MusicDeviceComponent?, _ instrument: MusicDeviceInstrumentID
) -> OSStatus {
  guard let unit = unsafe Instance(unit) else { return kAudio_ParamError }
  guard
    let method = unsafe unit.method(
      kMusicDeviceReleaseInstrumentSelect, as: MusicDeviceReleaseInstrumentProc.self)
  else { return kAudio_UnimplementedError }
  return unsafe method(unit.plugIn, instrument)
}
