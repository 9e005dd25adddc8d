// A small, sound unit in C, with a place in it for each of many defects: the subtype of its description names the one.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_DEFECT_UNIT_H
#define AURICLE_DEFECT_UNIT_H

#include <AudioToolbox/AudioToolbox.h>
#include <Auricle/AuricleInstance.h>
#include <CoreFoundation/CoreFoundation.h>
#include <stdbool.h>

#define HIDDEN __attribute__((visibility("hidden")))
/// Whether the unit at hand has the defect of a subtype.
#define HAS(text) (unit->defect == CODE(text))
#define CODE(text) \
  ((OSType)(text)[0] << 24 | (OSType)(text)[1] << 16 | (OSType)(text)[2] << 8 | (OSType)(text)[3])

enum {
  kChannels = 8, kEvents = 64, kGain = 0, kMode = 1, kMix = 2, kParameters = 3, kLate = 64,
  kNone = 1,  // no special answer
};

typedef struct {
  AudioComponentPlugInInterface interface;  // first: a pointer to it is a pointer to the unit
  AudioComponentDescription description;
  OSType defect;
  AudioStreamBasicDescription formats[2];
  UInt32 maximumFrames, isBypassed, isInPlace, isOffline, inputs, outputs, lastSlice;
  bool isInitialized, hasFailed, hasNote, isPoisoned, isPreflighted;
  UInt64 offline[3], preflighted;  // sizes of input and output, and start; frames that were examined
  AUMIDIOutputCallbackStruct midiOutput;
  OSStatus lastError;
  Float32 values[kParameters], setGain, playedGain, smooth, before[kChannels], late[kChannels][kLate];
  unsigned latePlace[kChannels], hidden, changes;
  AURenderCallbackStruct callback;
  AudioUnitConnection connection;
  HostCallbackInfo host;
  AudioUnitParameterEvent events[kEvents];
  UInt32 eventCount;
  SInt32 preset;
  CFStringRef presetName, names[2];
  Float32 *memory;
  void *thread;
} Unit;

HIDDEN OSStatus getInfo(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    UInt32 *size, Boolean *isWritable);
HIDDEN OSStatus getProperty(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    void *data, UInt32 *size);
HIDDEN OSStatus setProperty(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    const void *data, UInt32 size);
HIDDEN OSStatus describeParameter(Unit *unit, UInt32 id, AudioUnitParameterInfo *info);
HIDDEN void setValue(Unit *unit, UInt32 id, Float32 value);
HIDDEN CFDictionaryRef copyState(Unit *unit);
HIDDEN OSStatus restoreState(Unit *unit, CFDictionaryRef state);
HIDDEN CFArrayRef copyPresets(Unit *unit);
HIDDEN OSStatus choosePreset(Unit *unit, const AUPreset *preset);
HIDDEN OSStatus renderUnit(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 element,
    UInt32 frames, AudioBufferList *list);
HIDDEN void resetSound(Unit *unit);
HIDDEN void askHost(Unit *unit);

#endif
