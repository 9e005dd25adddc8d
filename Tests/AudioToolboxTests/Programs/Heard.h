// The record of a listener's calls, and a unit to listen to.
// SPDX-License-Identifier: Apache-2.0
#ifndef HEARD_H
#define HEARD_H

#include <AudioToolbox/AudioToolbox.h>
#include <CoreFoundation/CoreFoundation.h>
#include <stdio.h>

static int failures;
#define CHECK(what)                                                   \
  do {                                                                \
    if (!(what)) {                                                    \
      printf("line %d: not so: %s\n", __LINE__, #what);               \
      failures++;                                                     \
    }                                                                 \
  } while (0)

enum { kMost = 64 };
struct Heard {
  void *object;
  UInt32 type, id, scope;
  UInt64 time;
  Float32 value;
};
static struct Heard heard[kMost];
static int count;
static AUParameterListenerRef toDispose;

static void note(void *object, UInt32 type, UInt32 id, UInt32 scope, UInt64 time, Float32 value) {
  if (count < kMost) heard[count] = (struct Heard){object, type, id, scope, time, value};
  count++;
}

static void onParameter(
    void *userData, void *object, const AudioUnitParameter *parameter, Float32 value) {
  CHECK(userData == &count);
  note(object, 0, parameter->mParameterID, parameter->mScope, 0, value);
  if (toDispose != NULL) CHECK(AUListenerDispose(toDispose) == noErr);
  toDispose = NULL;
}

static void onEvent(
    void *userData, void *object, const AudioUnitEvent *event, UInt64 time, Float32 value) {
  CHECK(userData == &count);
  if (event->mEventType == kAudioUnitEvent_PropertyChange)
    note(object, event->mEventType, event->mArgument.mProperty.mPropertyID,
         event->mArgument.mProperty.mScope, time, value);
  else
    note(object, event->mEventType, event->mArgument.mParameter.mParameterID,
         event->mArgument.mParameter.mScope, time, value);
}

static AudioUnit openUnit(OSType subtype) {
  AudioComponentDescription wanted = {kAudioUnitType_Effect, subtype, kAudioUnitManufacturer_Apple, 0, 0};
  AudioComponent component = AudioComponentFindNext(NULL, &wanted);
  AudioUnit unit = NULL;
  CHECK(AudioComponentInstanceNew(component, &unit) == noErr);
  return unit;
}

#endif
