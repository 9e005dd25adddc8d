// A program that plays through a unit of another program, and computes the same sound itself.
// SPDX-License-Identifier: Apache-2.0
//
// usage: Host KIND SLICES [goes | on | holds FILE]
// Prints what it found. "goes": ends by SIGKILL in the middle. "on": goes on where the program ends. "holds": makes FILE.held
// when it has the unit, and keeps it until FILE is there.
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "../Await.h"
#include "../AwaitFile.h"
#include "../Devices/Check.h"
#include "NeighbourSound.h"

static long frame;
static double beat;
static Boolean isPlaying, isChanged;
static atomic_int events, changes;

static float input(long place, int channel) { return (float)((place * 7 + channel * 31) % 200) / 200 - 0.5f; }

static OSStatus source(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                       UInt32 frames, AudioBufferList *buffers) {
  (void)refCon, (void)flags, (void)bus;
  for (UInt32 index = 0; index < buffers->mNumberBuffers; index++)
    for (UInt32 at = 0; at < frames; at++)
      ((float *)buffers->mBuffers[index].mData)[at] = input((long)time->mSampleTime + at, (int)index);
  return noErr;
}

static OSStatus beatAndTempo(void *data, Float64 *outBeat, Float64 *tempo) {
  (void)data;
  *outBeat = beat;
  *tempo = 120;
  return noErr;
}

static OSStatus transport(void *data, Boolean *playing, Boolean *recording, Boolean *changed, Float64 *sample,
                          Boolean *cycling, Float64 *start, Float64 *end) {
  (void)data;
  *playing = isPlaying;
  *recording = *cycling = false;
  *changed = isChanged;
  *sample = (Float64)frame;
  *start = *end = 0;
  return noErr;
}

static void received(void *block, UInt32 event) {
  (void)block;
  if (event == kAudioUnitRemoteControlEvent_TogglePlayPause) events++;
  post();
}

static void changed(void *refCon, AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope,
                    AudioUnitElement element) {
  (void)refCon, (void)unit, (void)property, (void)scope, (void)element;
  changes++;
  post();
}

static int connected(AudioUnit unit) {
  UInt32 value = 9, size = sizeof value;
  OSStatus status = AudioUnitGetProperty(unit, kAudioUnitProperty_IsInterAppConnected, kAudioUnitScope_Global, 0, &value,
                                         &size);
  return status ? (int)status : (int)value;
}

static int prepare(AudioUnit unit, const char *kind) {
  AudioStreamBasicDescription format = soundFormat(48000);
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, sizeof format));
  if (hasInput(kind)) {
    CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof format));
    AURenderCallbackStruct callback = {source, NULL};
    CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
                               sizeof callback));
  }
  UInt32 one = 1;
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_OfflineRender, kAudioUnitScope_Global, 0, &one, sizeof one));
  HostCallbackInfo callbacks = {NULL, beatAndTempo, NULL, NULL, transport};
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_HostCallbacks, kAudioUnitScope_Global, 0, &callbacks,
                             sizeof callbacks));
  static const EventBlock block = {NULL, blockIsGlobal, 0, received, NULL};
  const void *pointer = &block;
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_RemoteControlEventListener, kAudioUnitScope_Global, 0, &pointer,
                             sizeof pointer));
  CHECK(AudioUnitAddPropertyListener(unit, kAudioUnitProperty_IsInterAppConnected, changed, NULL));
  return 0;
}

/// Sends notes and a SysEx message, to the unit and to the sound that is compared.
static int play(AudioUnit unit, Sound *sound, long slice, UInt32 frames) {
  static const UInt8 bytes[] = {0xF0, 0x7D, 1, 2, 3, 0xF7};
  if (slice == 2) {
    CHECK(MusicDeviceSysEx(unit, bytes, sizeof bytes));
    sound->sysExBytes += sizeof bytes;
  }
  if (slice % 3 == 0) {
    const UInt32 place = (UInt32)(slice * 13) % frames;
    CHECK(MusicDeviceMIDIEvent(unit, 0x90, 60 + (UInt32)slice % 20, 100, place));
    soundMessage(sound, 0x90, 60 + (UInt32)slice % 20, 100, place);
  } else if (slice % 3 == 2) {
    CHECK(MusicDeviceMIDIEvent(unit, 0x80, 60, 0, frames / 2));
    soundMessage(sound, 0x80, 60, 0, frames / 2);
  }
  return 0;
}

/// Keeps the unit until a file is there.
static void hold(const char *path) {
  char held[4096];
  snprintf(held, sizeof held, "%s.held", path);
  FILE *file = fopen(held, "w");
  if (file) fclose(file);
  awaitFile(path);
}

int main(int argc, char **argv) {
  if (argc < 3) return 64;
  const char *kind = argv[1];
  const long slices = atol(argv[2]);
  const int goes = argc > 3 && strcmp(argv[3], "goes") == 0, goesOn = argc > 3 && strcmp(argv[3], "on") == 0;
  const int holds = argc > 4 && strcmp(argv[3], "holds") == 0;
  AudioComponentDescription description = soundDescription(kind);
  AudioComponent component = AudioComponentFindNext(NULL, &description);
  if (!component) {
    printf("not found\n");
    return 1;
  }
  UInt32 version = 0;
  CHECK(AudioComponentGetVersion(component, &version));
  printf("found %x\n", version);
  AudioUnit unit;
  CHECK(AudioComponentInstanceNew(component, &unit));
  if (prepare(unit, kind)) return 1;
  const int before = connected(unit);
  const int isPeer = hasPeer(unit, "Node") || hasPeer(unit, "Hostile");
  CHECK(AudioUnitInitialize(unit));
  printf("connected %d %d, peer %d\n", before, connected(unit), isPeer);
  if (holds) hold(argv[4]);

  static float made[2][1024], wanted[2][1024];
  Sound sound = {0};
  long differences = 0, loud = 0, errors = 0, silentFrames = 0, strange = 0;
  for (long slice = 0; slice < slices; slice++) {
    if (goes && slice == slices / 2) raise(SIGKILL);
    const UInt32 frames = 64 + (UInt32)(slice * 37) % 449;
    const Boolean plays = slice >= 3 && slice < slices - 3;
    isChanged = plays != isPlaying;
    isPlaying = plays;
    if (hasNotes(kind) && play(unit, &sound, slice, frames)) return 1;
    struct {
      AudioBufferList list;
      AudioBuffer second;
    } buffers = {.list.mNumberBuffers = 2};
    for (int channel = 0; channel < 2; channel++) {
      memset(made[channel], 0x55, sizeof made[channel]);
      buffers.list.mBuffers[channel] = (AudioBuffer){1, frames * 4, made[channel]};
      for (UInt32 at = 0; at < frames; at++) wanted[channel][at] = input(frame + at, channel);
    }
    AudioUnitRenderActionFlags flags = 0;
    AudioTimeStamp time = {.mSampleTime = (Float64)frame, .mFlags = kAudioTimeStampSampleTimeValid};
    if (AudioUnitRender(unit, &flags, &time, 0, frames, &buffers.list) != noErr) errors++;
    soundRender(&sound, wanted[0], wanted[1], frames, hasInput(kind), hasSong(kind), isPlaying ? beat : 0);
    for (UInt32 at = 0; at < frames; at++) {
      differences += made[0][at] != wanted[0][at] || made[1][at] != wanted[1][at];
      loud += made[0][at] != 0 || made[1][at] != 0;
      strange += !isfinite(made[0][at]) || !isfinite(made[1][at]);
      silentFrames = made[0][at] == 0 && made[1][at] == 0 ? silentFrames + 1 : 0;
    }
    frame += frames;
    beat += isPlaying ? frames / 24000.0 : 0;
  }
  AWAIT(events != 0 || goesOn);
  if (goesOn) {
    AWAIT(connected(unit) == 0);
    AWAIT(changes >= 2);
    printf("errors %ld, strange %ld, heard %d, silent at the end %d, connected %d, told %d\n", errors, strange, loud > 0,
           silentFrames > 480, connected(unit), changes >= 2);
    CHECK(AudioUnitUninitialize(unit));
    printf("again %d\n", (int)AudioUnitInitialize(unit));
  } else {
    printf("errors %ld, differences %ld, heard %d, events %d, told %d\n", errors, differences, loud > 0, events > 0,
           (int)changes);
    UInt32 event = kAudioUnitRemoteControlEvent_ToggleRecord;
    CHECK(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_RemoteControlToHost, kAudioUnitScope_Global, 0, &event,
                               sizeof event));
    CHECK(AudioUnitUninitialize(unit));
    printf("connected %d, active %d\n", connected(unit), AudioComponentGetLastActiveTime(component) > 0);
  }
  CHECK(AudioComponentInstanceDispose(unit));
  return 0;
}
