// Opens and closes a library fifty times, with listeners and threads alive, and ends with it closed.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <AudioToolbox/AudioToolbox.h>
#include <CoreAudio/CoreAudio.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURNS 50

static OSStatus changed(AudioObjectID object, UInt32 count, const AudioObjectPropertyAddress *addresses, void *data) {
  (void)object, (void)count, (void)addresses, (void)data;
  return 0;
}

static void filled(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
  OSStatus (*enqueue)(AudioQueueRef, AudioQueueBufferRef, UInt32, const AudioStreamPacketDescription *) = data;
  memset(buffer->mAudioData, 0, buffer->mAudioDataBytesCapacity);
  buffer->mAudioDataByteSize = buffer->mAudioDataBytesCapacity;
  enqueue(queue, buffer, 0, NULL);
}

// A listener, a queue that plays, and a unit: all stay when the library is closed.
static int useToolbox(void *library) {
  __typeof__(AudioObjectAddPropertyListener) *listen = dlsym(library, "AudioObjectAddPropertyListener");
  __typeof__(AudioComponentFindNext) *find = dlsym(library, "AudioComponentFindNext");
  __typeof__(AudioComponentInstanceNew) *open = dlsym(library, "AudioComponentInstanceNew");
  __typeof__(AudioQueueNewOutput) *new = dlsym(library, "AudioQueueNewOutput");
  __typeof__(AudioQueueAllocateBuffer) *allocate = dlsym(library, "AudioQueueAllocateBuffer");
  __typeof__(AudioQueueEnqueueBuffer) *enqueue = dlsym(library, "AudioQueueEnqueueBuffer");
  __typeof__(AudioQueueStart) *start = dlsym(library, "AudioQueueStart");
  if (!listen || !find || !open || !new || !allocate || !enqueue || !start) return 1;
  AudioObjectPropertyAddress devices = {kAudioHardwarePropertyDevices, kAudioObjectPropertyScopeGlobal, 0};
  if (listen(kAudioObjectSystemObject, &devices, changed, NULL) != 0) return 2;
  AudioComponentDescription any = {0};
  AudioComponent component = find(NULL, &any);
  AudioComponentInstance unit = NULL;
  if (component && open(component, &unit) != 0) return 3;
  AudioStreamBasicDescription format = {48000, kAudioFormatLinearPCM,
    kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, 4, 1, 4, 2, 16, 0};
  AudioQueueRef queue = NULL;
  AudioQueueBufferRef buffer = NULL;
  if (new(&format, filled, (void *)enqueue, NULL, NULL, 0, &queue) != 0) return 4;
  if (allocate(queue, 4800, &buffer) != 0) return 5;
  filled((void *)enqueue, queue, buffer);
  return start(queue, NULL) == 0 ? 0 : 6;
}

// A unit of a library of units.
static int useUnit(void *library, const char *name, AudioComponentDescription description) {
  AudioComponentFactoryFunction factory = (AudioComponentFactoryFunction)dlsym(library, name);
  if (!factory) return 1;
  AudioComponentPlugInInterface *unit = factory(&description);
  if (!unit) return 2;
  if (unit->Open(unit, (AudioComponentInstance)unit) != 0) return 3;
  OSStatus (*initialize)(void *) = (OSStatus(*)(void *))unit->Lookup(kAudioUnitInitializeSelect);
  if (initialize) (void)initialize(unit);
  return 0;
}

int main(int count, char **words) {
  for (int turn = 0; turn < TURNS; turn++) {
    void *library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
    int failure = 0;
    if (count == 2 && turn < 3 && dlsym(library, "AudioQueueNewOutput")) failure = useToolbox(library);
    if (count == 4) {
      AudioComponentDescription description = {0};
      const char *codes = words[3];
      OSType *fields[] = {
        &description.componentType, &description.componentSubType, &description.componentManufacturer};
      for (int field = 0; field < 3; field++)
        for (int letter = 0; letter < 4; letter++)
          *fields[field] = *fields[field] << 8 | (unsigned char)codes[field * 5 + letter];
      failure = useUnit(library, words[2], description);
    }
    if (failure) return fprintf(stderr, "turn %d: step %d failed\n", turn, failure), 1;
    dlclose(library);
    if (!dlopen(words[1], RTLD_NOLOAD | RTLD_NOW)) return fprintf(stderr, "turn %d: it was unloaded\n", turn), 1;
  }
  puts("closed");
  return 0;
}
