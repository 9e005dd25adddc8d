// The life of the unit, its parameters and its notes, and the defects in these.
// SPDX-License-Identifier: Apache-2.0
//
// Build: cc -shared -fPIC -O1 -I SDK/include *.c -lm -lpthread
#define _GNU_SOURCE
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "DefectUnit.h"

static int initializedCount;

static void *sleepForEver(void *argument) {
  for (;;) pause();
  return argument;
}

static OSStatus openUnit(void *self, AudioComponentInstance instance) {
  Unit *unit = self;
  (void)instance;
  if (HAS("oerr")) return -50;
  if (HAS("thrd")) {
    pthread_t thread;
    pthread_create(&thread, NULL, sleepForEver, NULL);
  }
  void *volatile block = HAS("leak") ? calloc(1, 4096) : NULL;
  (void)block;
  return noErr;
}

static void *crashSoon(void *argument) {
  // Late, on purpose: the unit is closed meanwhile.
  usleep(150000);
  raise(11);
  return argument;
}

static OSStatus closeUnit(void *self) {
  Unit *unit = self;
  static bool isCrashing;
  if (HAS("crla") && !isCrashing) {
    isCrashing = true;
    pthread_t thread;
    pthread_create(&thread, NULL, crashSoon, NULL);
  }
  if (unit->presetName != NULL) CFRelease(unit->presetName);
  for (int name = 0; name < 2; name++)
    if (unit->names[name] != NULL) CFRelease(unit->names[name]);
  free(unit->memory);
  free(unit);
  return noErr;
}

static OSStatus initialize(void *self) {
  Unit *unit = self;
  const UInt32 channels = unit->formats[1].mChannelsPerFrame;
  const Float64 rate = unit->formats[1].mSampleRate;
  if (unit->isInitialized) return noErr;
  if (HAS("crsh")) raise(11);
  if (HAS("hang")) sleepForEver(NULL);
  if (HAS("auth")) return kAudioUnitErr_Unauthorized;
  if (HAS("ierr")) return kAudioUnitErr_FailedInitialization;
  if (HAS("twic") && initializedCount > 0) return kAudioUnitErr_FailedInitialization;
  if (HAS("r96k") && rate == 96000) return kAudioUnitErr_FormatNotSupported;
  if (HAS("chan") && channels == 3) return kAudioUnitErr_FormatNotSupported;
  if (HAS("locl")) setlocale(LC_NUMERIC, "C.UTF-8");
  if (HAS("umsk")) umask(0);
  if (HAS("clfd")) close(0);
  while (HAS("eatm")) {
    void *volatile block = malloc(1 << 24);
    if (block != NULL) memset(block, 1, 1 << 24);
  }
  if (HAS("pini")) setValue(unit, kGain, 0.5f);
  // No unit makes one number of channels of another, but where it says so.
  if (unit->inputs > 0 && unit->formats[0].mChannelsPerFrame != channels)
    return kAudioUnitErr_FormatNotSupported;
  unit->memory = calloc((size_t)channels * unit->maximumFrames + 16, sizeof(Float32));
  if (unit->memory == NULL) return kAudioUnitErr_FailedInitialization;
  unit->isInitialized = true;
  initializedCount++;
  unit->isPoisoned = false;
  resetSound(unit);
  return noErr;
}

static OSStatus uninitialize(void *self) {
  Unit *unit = self;
  if (unit->isInitialized) initializedCount--;
  free(unit->memory);
  unit->memory = NULL;
  unit->isInitialized = false;
  unit->isPreflighted = false;
  unit->preflighted = 0;
  return noErr;
}

static OSStatus reset(void *self, AudioUnitScope scope, AudioUnitElement element) {
  Unit *unit = self;
  (void)scope, (void)element;
  if (HAS("reer")) return -50;
  if (HAS("exit")) exit(3);
  unit->isPreflighted = false;
  unit->preflighted = 0;
  if (HAS("prst")) setValue(unit, kGain, 0.5f);
  if (HAS("hout")) askHost(unit);
  if (!HAS("rset")) resetSound(unit);
  return noErr;
}

// ---- Parameters.

void setValue(Unit *unit, UInt32 id, Float32 value) { unit->values[id] = value; }

static OSStatus getParameter(
    void *self, AudioUnitParameterID id, AudioUnitScope scope, AudioUnitElement element,
    AudioUnitParameterValue *value) {
  Unit *unit = self;
  (void)element;
  if (scope != kAudioUnitScope_Global) return kAudioUnitErr_InvalidScope;
  if (id >= kParameters) return kAudioUnitErr_InvalidParameter;
  *value = unit->values[id];
  if (HAS("pnan") && id == kGain && *value == 2) *value = NAN;
  return noErr;
}

static OSStatus setParameter(
    void *self, AudioUnitParameterID id, AudioUnitScope scope, AudioUnitElement element,
    AudioUnitParameterValue value, UInt32 offset) {
  Unit *unit = self;
  (void)element, (void)offset;
  if (scope != kAudioUnitScope_Global) return kAudioUnitErr_InvalidScope;
  if (id >= kParameters) return kAudioUnitErr_InvalidParameter;
  if (HAS("pset") && id == kGain && value == 2) return kAudioUnitErr_InvalidParameterValue;
  if (HAS("keep") && id == kMix) value /= 2;
  if (HAS("meta") && id == kGain) setValue(unit, kMix, value == 1 ? 100 : 50);
  // A value that comes from another thread than the one that renders.
  if (HAS("thrc") && unit->thread != NULL && unit->thread != (void *)pthread_self())
    unit->isPoisoned = true;
  setValue(unit, id, value);
  if (id == kGain) unit->setGain = value;
  unit->changes++;
  unit->hidden++;
  return noErr;
}

static OSStatus schedule(void *self, const AudioUnitParameterEvent *events, UInt32 count) {
  Unit *unit = self;
  if (HAS("schd")) return kAudioUnitErr_InvalidParameter;
  for (UInt32 index = 0; index < count; index++) {
    if (events[index].parameter >= kParameters) return kAudioUnitErr_InvalidParameter;
    if (unit->eventCount == kEvents) return kAudioUnitErr_InvalidParameter;
    unit->events[unit->eventCount++] = events[index];
  }
  return noErr;
}

// ---- Notes.

static OSStatus midiEvent(void *self, UInt32 status, UInt32 first, UInt32 second, UInt32 offset) {
  Unit *unit = self;
  (void)first, (void)offset;
  unit->hasNote = (status & 0xF0) == 0x90 && second > 0;
  return HAS("nerr") ? -7531 : noErr;
}

static OSStatus sysEx(void *self, const UInt8 *bytes, UInt32 count) {
  (void)self, (void)bytes, (void)count;
  return noErr;
}

// ---- The way in.

static AudioComponentMethod lookUp(SInt16 selector) {
  switch (selector) {
    case kAudioUnitInitializeSelect: return (AudioComponentMethod)initialize;
    case kAudioUnitUninitializeSelect: return (AudioComponentMethod)uninitialize;
    case kAudioUnitResetSelect: return (AudioComponentMethod)reset;
    case kAudioUnitGetPropertyInfoSelect: return (AudioComponentMethod)getInfo;
    case kAudioUnitGetPropertySelect: return (AudioComponentMethod)getProperty;
    case kAudioUnitSetPropertySelect: return (AudioComponentMethod)setProperty;
    case kAudioUnitGetParameterSelect: return (AudioComponentMethod)getParameter;
    case kAudioUnitSetParameterSelect: return (AudioComponentMethod)setParameter;
    case kAudioUnitScheduleParametersSelect: return (AudioComponentMethod)schedule;
    case kAudioUnitRenderSelect: return (AudioComponentMethod)renderUnit;
    default: return NULL;
  }
}

static AudioComponentMethod lookUpWithNotes(SInt16 selector) {
  switch (selector) {
    case kMusicDeviceMIDIEventSelect: return (AudioComponentMethod)midiEvent;
    case kMusicDeviceSysExSelect: return (AudioComponentMethod)sysEx;
    default: return lookUp(selector);
  }
}

static AudioStreamBasicDescription format(Float64 rate, UInt32 channels) {
  return (AudioStreamBasicDescription){
    .mSampleRate = rate, .mFormatID = kAudioFormatLinearPCM, .mFormatFlags = 0x29,
    .mBytesPerPacket = 4, .mFramesPerPacket = 1, .mBytesPerFrame = 4,
    .mChannelsPerFrame = channels, .mBitsPerChannel = 32,
  };
}

__attribute__((visibility("default"))) AudioComponentPlugInInterface *DefectUnitFactory(
    const AudioComponentDescription *description) {
  Unit *unit = calloc(1, sizeof *unit);
  if (unit == NULL || description == NULL) return NULL;
  unit->description = *description;
  unit->defect = description->componentSubType;
  if (HAS("umld")) umask(0);
  if (HAS("onul")) {
    free(unit);
    return NULL;
  }
  const OSType type = description->componentType;
  const bool hasNotes = type == kAudioUnitType_MusicEffect || type == kAudioUnitType_MIDIProcessor;
  const bool takesNotes = HAS("midi") || (hasNotes && !HAS("nono"));
  unit->interface = (AudioComponentPlugInInterface){
    openUnit, closeUnit, takesNotes ? lookUpWithNotes : lookUp, NULL,
  };
  unit->outputs = type == kAudioUnitType_MIDIProcessor ? 0 : 1;
  unit->inputs = type == kAudioUnitType_Generator ? 0 : unit->outputs;
  unit->formats[0] = unit->formats[1] = format(HAS("fs48") ? 48000 : 44100, 2);
  unit->maximumFrames = 1156;
  unit->isInPlace = 1;
  unit->values[kGain] = HAS("frsh") ? 0.5f : 1;
  unit->values[kMix] = 100;
  unit->preset = -1;
  unit->presetName = HAS("pcon")
      ? CFSTR("Untitled") : CFStringCreateWithCString(NULL, "Untitled", kCFStringEncodingUTF8);
  return &unit->interface;
}
