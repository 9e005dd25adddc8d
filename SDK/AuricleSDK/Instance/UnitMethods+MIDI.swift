// The C functions behind the selectors of units that are played: MIDI, notes, instruments.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Synchronization

/// Returns the MIDI input of an initialised unit, or an error.
@_noLocks private func midiInput(
  _ plugIn: UnsafeMutableRawPointer?, _ status: inout OSStatus
) -> MIDIInput? {
  guard let plugIn = unsafe plugIn else {
    status = kAudio_ParamError
    return nil
  }
  let record = unsafe plugIn.assumingMemoryBound(to: UnitRecord.self)
  guard let midi = unsafe record.pointee.midi else {
    status = kAudio_UnimplementedError
    return nil
  }
  guard unsafe record.pointee.render.pointee.isInitialized.load(ordering: .acquiring) else {
    status = kAudioUnitErr_Uninitialized
    return nil
  }
  status = 0
  return midi
}

let midiEventMethod: MusicDeviceMIDIEventProc = { plugIn, status, data1, data2, offset in
  unsafe sendMIDIEvent(plugIn, ShortMIDIMessage(status, data1, data2), status, offset)
}

@_noLocks private func sendMIDIEvent(
  _ plugIn: UnsafeMutableRawPointer?, _ message: ShortMIDIMessage, _ status: UInt32,
  _ offset: UInt32
) -> OSStatus {
  var result: OSStatus = 0
  guard let midi = unsafe midiInput(plugIn, &result) else { return result }
  guard status <= 0xFF else { return kAudio_ParamError }
  return midi.send(message, offset: offset)
}

let sysExMethod: MusicDeviceSysExProc = { plugIn, data, length in
  unsafe sendSysEx(plugIn, data, length)
}

@_noLocks private func sendSysEx(
  _ plugIn: UnsafeMutableRawPointer?, _ data: UnsafePointer<UInt8>?, _ length: UInt32
) -> OSStatus {
  var result: OSStatus = 0
  guard let midi = unsafe midiInput(plugIn, &result) else { return result }
  guard length > 0 else { return 0 }
  guard let data = unsafe data, unsafe data[0] == 0xF0 else { return kAudio_ParamError }
  return unsafe midi.send(data, count: Int(length), offset: 0)
}

let midiEventListMethod: MusicDeviceMIDIEventListProc = { plugIn, offset, list in
  unsafe sendEventList(plugIn, offset, list)
}

@_noLocks private func sendEventList(
  _ plugIn: UnsafeMutableRawPointer?, _ offset: UInt32, _ list: UnsafePointer<MIDIEventList>?
) -> OSStatus {
  var result: OSStatus = 0
  guard let midi = unsafe midiInput(plugIn, &result) else { return result }
  guard let list = unsafe list else { return kAudio_ParamError }
  return unsafe midi.send(list, offset: offset)
}

let startNoteMethod: MusicDeviceStartNoteProc = {
  plugIn, instrument, group, note, offset, parameters in
  unsafe startNote(plugIn, group, note, offset, parameters)
}

/// Starts a note as a MIDI message: its group is the channel; fractions are rounded.
@_noLocks private func startNote(
  _ plugIn: UnsafeMutableRawPointer?, _ group: MusicDeviceGroupID,
  _ note: UnsafeMutablePointer<NoteInstanceID>?, _ offset: UInt32,
  _ parameters: UnsafePointer<MusicDeviceNoteParams>?
) -> OSStatus {
  var result: OSStatus = 0
  guard let midi = unsafe midiInput(plugIn, &result) else { return result }
  guard let note = unsafe note, let parameters = unsafe UnsafeRawPointer(parameters),
    // Not every note has room for controls: only argCount values may be read.
    unsafe parameters.load(as: UInt32.self) >= 2
  else { return kAudio_ParamError }
  let pitch = unsafe parameters.load(fromByteOffset: 4, as: Float32.self)
  let velocity = unsafe parameters.load(fromByteOffset: 8, as: Float32.self)
  guard pitch >= 0, pitch < 127.5, velocity >= 0, velocity < 127.5 else { return kAudio_ParamError }
  guard unsafe groupExists(plugIn, group) else { return kAudioUnitErr_InvalidElement }
  let key = UInt32(pitch + 0.5)
  let strength = max(UInt32(velocity + 0.5), 1)
  // The id contains all that stopping the note needs; the serial number makes it unique.
  let number = midi.nextSerial() << 11 | group << 7 | key
  let status: OSStatus
  if unsafe receivesNumbers(plugIn) {
    status = sendNumbered(
      midi,
      NumberedNote(
        isStart: true, channel: Int(group), number: Int32(number & 0x7FFF_FFFF), key: pitch,
        velocity: max(velocity, 1) / 127), offset)
  } else {
    status = midi.send(ShortMIDIMessage(0x90 | group, key, strength), offset: offset)
  }
  if status == 0 { unsafe note.pointee = number }
  return status
}

let stopNoteMethod: MusicDeviceStopNoteProc = { plugIn, group, note, offset in
  unsafe stopNote(plugIn, group, note, offset)
}

@_noLocks private func stopNote(
  _ plugIn: UnsafeMutableRawPointer?, _ group: MusicDeviceGroupID, _ note: NoteInstanceID,
  _ offset: UInt32
) -> OSStatus {
  var result: OSStatus = 0
  guard let midi = unsafe midiInput(plugIn, &result) else { return result }
  guard unsafe groupExists(plugIn, group) else { return kAudioUnitErr_InvalidElement }
  guard unsafe receivesNumbers(plugIn) else {
    return midi.send(ShortMIDIMessage(0x80 | group, note & 0x7F, 0), offset: offset)
  }
  return sendNumbered(
    midi,
    NumberedNote(
      isStart: false, channel: Int(group), number: Int32(note & 0x7FFF_FFFF), key: 0, velocity: 0),
    offset)
}

/// Returns whether the unit plays notes by their numbers.
@_noLocks private func receivesNumbers(_ plugIn: UnsafeMutableRawPointer?) -> Bool {
  guard let plugIn = unsafe plugIn else { return false }
  return unsafe plugIn.assumingMemoryBound(to: UnitRecord.self).pointee.receivesNoteNumbers
}

@_noLocks private func sendNumbered(
  _ midi: MIDIInput, _ note: NumberedNote, _ offset: UInt32
) -> OSStatus {
  var bytes: (UInt64, UInt64) = (0, 0)
  unsafe note.write(&bytes)
  return unsafe midi.send(&bytes, count: NumberedNote.byteCount, offset: offset)
}

/// Returns whether a group exists and is a MIDI channel.
@_noLocks private func groupExists(
  _ plugIn: UnsafeMutableRawPointer?, _ group: MusicDeviceGroupID
) -> Bool {
  guard group < 16, let plugIn = unsafe plugIn else { return false }
  let table = unsafe plugIn.assumingMemoryBound(to: UnitRecord.self).pointee.table
  let count = table.elementCount(kAudioUnitScope_Group)
  return count < 0 || Int(group) < count
}

/// Loading an instrument: a unit of this SDK has all of its instruments loaded.
let prepareInstrumentMethod: MusicDevicePrepareInstrumentProc = { plugIn, _ in
  unsafe plugIn == nil ? kAudio_ParamError : 0
}

let releaseInstrumentMethod: MusicDeviceReleaseInstrumentProc = { plugIn, _ in
  unsafe plugIn == nil ? kAudio_ParamError : 0
}
