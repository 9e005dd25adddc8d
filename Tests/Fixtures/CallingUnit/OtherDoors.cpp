// The same unit as a music effect, which is played as well, and as an output, which is started.
// SPDX-License-Identifier: Apache-2.0

#include "CallingUnit.hpp"
#include "Door.hpp"

namespace calling {

static Unit *of(void *self) { return static_cast<Unit *>(self); }

// Calls a method of the notes, of a unit that is initialised.
template <typename... Parameters, typename... Arguments>
static OSStatus play(void *self, OSStatus (Notes::*method)(Parameters...), Arguments... arguments) {
  Unit *unit = of(self);
  return unit->isInitialized ? (unit->notes.*method)(arguments...) : kAudioUnitErr_Uninitialized;
}

static OSStatus midiEvent(void *self, UInt32 status, UInt32 first, UInt32 second, UInt32 frame) {
  return play(self, &Notes::message, status, first, second, frame);
}

static OSStatus sysEx(void *self, const UInt8 *bytes, UInt32 count) {
  return play(self, &Notes::systemExclusive, bytes, count);
}

static OSStatus eventList(void *self, UInt32 frame, const MIDIEventList *list) {
  Unit *unit = of(self);
  if (!list) return kAudio_ParamError;
  return unit->isInitialized ? unit->notes.packets(frame, *list) : kAudioUnitErr_Uninitialized;
}

static OSStatus startNote(
    void *self, MusicDeviceInstrumentID instrument, MusicDeviceGroupID group, NoteInstanceID *note,
    UInt32 frame, const MusicDeviceNoteParams *parameters) {
  return play(self, &Notes::start, instrument, group, note, frame, parameters);
}

static OSStatus stopNote(
    void *self, MusicDeviceGroupID group, NoteInstanceID note, UInt32 frame) {
  return play(self, &Notes::stop, group, note, frame);
}

static OSStatus prepareOrRelease(void *, MusicDeviceInstrumentID instrument) {
  if (instrument >= kInstrumentCount) return kAudioUnitErr_IllegalInstrument;
  return noErr;  // all are ready
}

static OSStatus setRunning(void *self, bool isRunning) {
  Unit *unit = of(self);
  if (isRunning && !unit->isInitialized) return kAudioUnitErr_Uninitialized;
  if (unit->isRunning.exchange(isRunning) != isRunning)
    unit->changed(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0);
  return noErr;
}

static OSStatus start(void *self) { return setRunning(self, true); }

static OSStatus stop(void *self) { return setRunning(self, false); }

static OSStatus uninitialize(void *self) {
  stop(self);
  return uninitializeUnit(self);
}

static AudioComponentMethod lookUpMusicEffect(SInt16 selector) {
  switch (selector) {
    case kMusicDeviceMIDIEventSelect: return erased(midiEvent);
    case kMusicDeviceSysExSelect: return erased(sysEx);
    case kMusicDevicePrepareInstrumentSelect:
    case kMusicDeviceReleaseInstrumentSelect: return erased(prepareOrRelease);
    case kMusicDeviceStartNoteSelect: return erased(startNote);
    case kMusicDeviceStopNoteSelect: return erased(stopNote);
    case kMusicDeviceMIDIEventListSelect: return erased(eventList);
    default: return lookUp(selector);
  }
}

static AudioComponentMethod lookUpOutput(SInt16 selector) {
  switch (selector) {
    case kAudioUnitUninitializeSelect: return erased(uninitialize);
    case kAudioUnitProcessSelect: return nullptr;  // an output pulls
    case kAudioOutputUnitStartSelect: return erased(start);
    case kAudioOutputUnitStopSelect: return erased(stop);
    default: return lookUp(selector);
  }
}

}  // namespace calling

extern "C" __attribute__((visibility("default"))) AudioComponentPlugInInterface *
CallingMusicEffectFactory(const AudioComponentDescription *) {
  return calling::make(calling::Kind::musicEffect, calling::lookUpMusicEffect);
}

extern "C" __attribute__((visibility("default"))) AudioComponentPlugInInterface *
CallingOutputFactory(const AudioComponentDescription *) {
  return calling::make(calling::Kind::output, calling::lookUpOutput);
}
