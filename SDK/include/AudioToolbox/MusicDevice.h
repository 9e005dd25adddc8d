// Units played by notes: MIDI, and notes with parameters of their own.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MUSICDEVICE_H
#define AURICLE_MUSICDEVICE_H

#include "AUComponent.h"

struct MIDIEventList;

typedef AudioComponentInstance MusicDeviceComponent;
typedef UInt32 MusicDeviceInstrumentID;
typedef UInt32 MusicDeviceGroupID;
typedef UInt32 NoteInstanceID;

AURICLE_ENUM(SInt16) {
  kMusicDeviceMIDIEventSelect = 0x0101,
  kMusicDeviceSysExSelect = 0x0102,
  kMusicDevicePrepareInstrumentSelect = 0x0103,
  kMusicDeviceReleaseInstrumentSelect = 0x0104,
  kMusicDeviceStartNoteSelect = 0x0105,
  kMusicDeviceStopNoteSelect = 0x0106,
  kMusicDeviceMIDIEventListSelect = 0x0107,
};

// Instrument of a new note: the group's; none.
#define kMusicNoteEvent_UseGroupInstrument ((MusicDeviceInstrumentID)4294967295u)
#define kMusicNoteEvent_Unused ((MusicDeviceInstrumentID)4294967295u)

// A parameter of a note.
typedef struct NoteParamsControlValue {
  AudioUnitParameterID mID;
  AudioUnitParameterValue mValue;
} NoteParamsControlValue;

// A note without parameters: argCount is 2.
typedef struct MusicDeviceStdNoteParams {
  UInt32 argCount;
  Float32 mPitch;
  Float32 mVelocity;
} MusicDeviceStdNoteParams;

// A note: pitch as a MIDI note number, with fractions; velocity 0 to 127, with fractions. argCount
// counts both and the controls that follow; the array has argCount - 2 items.
typedef struct MusicDeviceNoteParams {
  UInt32 argCount;
  Float32 mPitch;
  Float32 mVelocity;
  NoteParamsControlValue mControls[1];
} MusicDeviceNoteParams;

typedef OSStatus (*MusicDeviceMIDIEventProc)(
    void *self, UInt32 status, UInt32 data1, UInt32 data2, UInt32 offsetSampleFrame);
typedef OSStatus (*MusicDeviceSysExProc)(void *self, const UInt8 *data, UInt32 length);
typedef OSStatus (*MusicDeviceMIDIEventListProc)(
    void *self, UInt32 offsetSampleFrame, const struct MIDIEventList *events);
typedef OSStatus (*MusicDevicePrepareInstrumentProc)(
    void *self, MusicDeviceInstrumentID instrument);
typedef OSStatus (*MusicDeviceReleaseInstrumentProc)(
    void *self, MusicDeviceInstrumentID instrument);
typedef OSStatus (*MusicDeviceStartNoteProc)(
    void *self, MusicDeviceInstrumentID instrument, MusicDeviceGroupID group,
    NoteInstanceID *note, UInt32 offsetSampleFrame, const MusicDeviceNoteParams *parameters);
typedef OSStatus (*MusicDeviceStopNoteProc)(
    void *self, MusicDeviceGroupID group, NoteInstanceID note, UInt32 offsetSampleFrame);

AURICLE_BEGIN_DECLS

// `status` holds the channel in its low four bits.
extern OSStatus MusicDeviceMIDIEvent(
    MusicDeviceComponent unit, UInt32 status, UInt32 data1, UInt32 data2,
    UInt32 offsetSampleFrame);
extern OSStatus MusicDeviceSysEx(MusicDeviceComponent unit, const UInt8 *data, UInt32 length);
extern OSStatus MusicDeviceMIDIEventList(
    MusicDeviceComponent unit, UInt32 offsetSampleFrame, const struct MIDIEventList *events);
extern OSStatus MusicDeviceStartNote(
    MusicDeviceComponent unit, MusicDeviceInstrumentID instrument, MusicDeviceGroupID group,
    NoteInstanceID *note, UInt32 offsetSampleFrame, const MusicDeviceNoteParams *parameters);
extern OSStatus MusicDeviceStopNote(
    MusicDeviceComponent unit, MusicDeviceGroupID group, NoteInstanceID note,
    UInt32 offsetSampleFrame);
extern OSStatus MusicDevicePrepareInstrument(
    MusicDeviceComponent unit, MusicDeviceInstrumentID instrument);
extern OSStatus MusicDeviceReleaseInstrument(
    MusicDeviceComponent unit, MusicDeviceInstrumentID instrument);

AURICLE_END_DECLS

#endif
