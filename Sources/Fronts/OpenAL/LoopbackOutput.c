// OpenAL Soft's loopback device, played by the default output unit.
// SPDX-License-Identifier: Apache-2.0
//
// The unit's library is found when the first device is opened: among the program's linked libraries, by the
// loader, beside this library, or in the folder above.

#define _GNU_SOURCE
#include "LoopbackOutput.h"

#include <AudioToolbox/AudioToolbox.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The constants of the extension ALC_SOFT_loopback.
enum {
  FORMAT_CHANNELS = 0x1990,
  FORMAT_TYPE = 0x1991,
  STEREO = 0x1501,
  FLOATS = 0x1406,
};

typedef struct Output {
  struct Output *next;
  ALCdevice *device;
  AudioUnit unit;
  int isPlaying;
  ALCint rate;
} Output;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Output *outputs;
static ALCdevice *(*openLoopback)(const ALCchar *);
static void (*renderSamples)(ALCdevice *, ALCvoid *, ALCsizei);

static struct {
  AudioComponent (*find)(AudioComponent, const AudioComponentDescription *);
  OSStatus (*make)(AudioComponent, AudioComponentInstance *);
  OSStatus (*dispose)(AudioComponentInstance);
  OSStatus (*set)(
      AudioUnit, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement, const void *, UInt32);
  OSStatus (*initialize)(AudioUnit);
  OSStatus (*start)(AudioUnit);
  OSStatus (*stop)(AudioUnit);
} toolbox;

static void *openToolbox(void) {
  if (dlsym(RTLD_DEFAULT, "AudioOutputUnitStart")) return RTLD_DEFAULT;
  void *library = dlopen("libAudioToolbox.so", RTLD_NOW | RTLD_LOCAL);
  Dl_info own;
  if (library || !dladdr((void *)&openToolbox, &own) || !own.dli_fname) return library;
  const char *places[] = {"/libAudioToolbox.so", "/../libAudioToolbox.so"};
  const char *slash = strrchr(own.dli_fname, '/');
  for (int i = 0; i < 2 && slash && !library; ++i) {
    char path[4096];
    int length = (int)(slash - own.dli_fname);
    if (snprintf(path, sizeof path, "%.*s%s", length, own.dli_fname, places[i]) < (int)sizeof path)
      library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  }
  return library;
}

/// Whether all functions were found. Context: under the lock.
static int findFunctions(void *openALSoft) {
  static int isKnown, isThere;
  if (isKnown) return isThere;
  isKnown = 1;
  openLoopback = (ALCdevice * (*)(const ALCchar *)) dlsym(openALSoft, "alcLoopbackOpenDeviceSOFT");
  renderSamples = (void (*)(ALCdevice *, ALCvoid *, ALCsizei))dlsym(openALSoft, "alcRenderSamplesSOFT");
  if (!openLoopback || !renderSamples) return 0;
  void *library = openToolbox();
  struct {
    const char *name;
    void **slot;
  } wanted[] = {
      {"AudioComponentFindNext", (void **)&toolbox.find},
      {"AudioComponentInstanceNew", (void **)&toolbox.make},
      {"AudioComponentInstanceDispose", (void **)&toolbox.dispose},
      {"AudioUnitSetProperty", (void **)&toolbox.set},
      {"AudioUnitInitialize", (void **)&toolbox.initialize},
      {"AudioOutputUnitStart", (void **)&toolbox.start},
      {"AudioOutputUnitStop", (void **)&toolbox.stop},
  };
  isThere = 1;
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
    *wanted[i].slot = dlsym(library, wanted[i].name);
    isThere = isThere && *wanted[i].slot;
  }
  return isThere;
}

static OSStatus render(
    void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *buffers) {
  (void)flags, (void)time, (void)bus;
  Output *output = refCon;
  renderSamples(output->device, buffers->mBuffers[0].mData, (ALCsizei)frames);
  return noErr;
}

static OSStatus setFormat(Output *output, ALCint rate) {
  AudioStreamBasicDescription format = {
      rate, kAudioFormatLinearPCM, kAudioFormatFlagsNativeFloatPacked, 8, 1, 8, 2, 32, 0};
  output->rate = rate;
  return toolbox.set(
      output->unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof format);
}

/// Makes the unit of an output; 0 where there is no device for it.
static int makeUnit(Output *output) {
  AudioComponentDescription wanted = {
      kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput, kAudioUnitManufacturer_Apple, 0, 0};
  AudioComponent component = toolbox.find(NULL, &wanted);
  if (!component || toolbox.make(component, &output->unit) != noErr) return 0;
  AURenderCallbackStruct callback = {render, output};
  if (setFormat(output, 44100) == noErr
      && toolbox.set(
             output->unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
             sizeof callback) == noErr
      && toolbox.initialize(output->unit) == noErr)
    return 1;
  toolbox.dispose(output->unit);
  return 0;
}

ALCdevice *AuricleLoopbackOpen(void *openALSoft) {
  pthread_mutex_lock(&lock);
  Output *output = findFunctions(openALSoft) ? calloc(1, sizeof *output) : NULL;
  if (output && !makeUnit(output)) {
    free(output);
    output = NULL;
  }
  if (output && !(output->device = openLoopback(NULL))) {
    toolbox.dispose(output->unit);
    free(output);
    output = NULL;
  }
  if (output) {
    output->next = outputs;
    outputs = output;
  }
  pthread_mutex_unlock(&lock);
  return output ? output->device : NULL;
}

/// The output of a device; null for another device. Context: under the lock.
static Output *outputOf(const ALCdevice *device) {
  Output *output = outputs;
  while (output && output->device != device) output = output->next;
  return output;
}

int AuricleLoopbackHas(const ALCdevice *device) {
  pthread_mutex_lock(&lock);
  int isThere = device && outputOf(device);
  pthread_mutex_unlock(&lock);
  return isThere;
}

int AuricleLoopbackAttributes(ALCint *attributes, int count) {
  int hasRate = 0;
  for (int i = 0; i < count; i += 2) hasRate |= attributes[i] == ALC_FREQUENCY;
  const ALCint format[] = {FORMAT_CHANNELS, STEREO, FORMAT_TYPE, FLOATS, ALC_FREQUENCY, 44100};
  int added = hasRate ? 4 : 6;
  memcpy(attributes + count, format, (size_t)added * sizeof *format);
  return count + added;
}

void AuricleLoopbackPlay(ALCdevice *device, ALCint rate) {
  pthread_mutex_lock(&lock);
  Output *output = outputOf(device);
  if (output && rate > 0 && rate != output->rate) setFormat(output, rate);
  if (output && !output->isPlaying) output->isPlaying = toolbox.start(output->unit) == noErr;
  pthread_mutex_unlock(&lock);
}

void AuricleLoopbackClose(const ALCdevice *device) {
  pthread_mutex_lock(&lock);
  Output **place = &outputs;
  while (*place && (*place)->device != device) place = &(*place)->next;
  Output *output = *place;
  if (output) *place = output->next;
  pthread_mutex_unlock(&lock);
  if (!output) return;
  // The unit renders no more when it is stopped; the device is closed after that.
  toolbox.stop(output->unit);
  toolbox.dispose(output->unit);
  free(output);
}
