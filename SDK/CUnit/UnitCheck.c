// Renders a unit under a sanitizer: a program for authors, built with clang -fsanitize=realtime or =thread.
// SPDX-License-Identifier: Apache-2.0
//
//   unit-check BINARY FACTORY TYPE:SUBTYPE:MANUFACTURER
//
// The sanitizer's interceptors of malloc, locks, files and sleep hold for the unit's library too, with any
// compiler options. Each call that it makes while it renders is reported with its stack, and ends the program
// with 43.
//
// It runs the unit with all rights of the author, as a debugger does; units of others belong into `auricle validate`.
//
// Under ThreadSanitizer, which the unit's library has to be built with, too, another thread sets parameters while the
// unit renders: memory that both use without care is reported with both stacks, and the program ends with 66.

#include <Auricle/AuricleInstance.h>
#include <AudioToolbox/AudioToolbox.h>
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((weak)) void __rtsan_realtime_enter(void);
__attribute__((weak)) void __rtsan_realtime_exit(void);

#if defined(__SANITIZE_THREAD__)
#define WATCHES_THREADS 1
#elif defined(__has_feature)
#define WATCHES_THREADS __has_feature(thread_sanitizer)
#else
#define WATCHES_THREADS 0
#endif

enum { kMaximumFrames = 512, kMaximumChannels = 8, kSlices = 400 };

static float inputs[kMaximumChannels][kMaximumFrames], outputs[kMaximumChannels][kMaximumFrames];
static UInt32 inputCount, outputCount, seed = 1;

struct List {
  UInt32 mNumberBuffers;
  AudioBuffer mBuffers[kMaximumChannels];
};

static float noise(void) {
  seed = seed * 1664525u + 1013904223u;
  return (float)(seed >> 8) / (1u << 24) - 0.5f;
}

static OSStatus supplyInput(
    void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
  (void)refCon, (void)flags, (void)stamp, (void)bus;
  for (UInt32 i = 0; i < list->mNumberBuffers; i++) {
    if (list->mBuffers[i].mData == NULL) list->mBuffers[i].mData = inputs[i % kMaximumChannels];
    memcpy(list->mBuffers[i].mData, inputs[i % kMaximumChannels], frames * sizeof(float));
  }
  return kAudio_NoError;
}

static int fail(const char *what, int status) {
  fprintf(stderr, "unit-check: %s (%d)\n", what, status);
  return 1;
}

static OSType code(const char *text) {
  return (OSType)(UInt8)text[0] << 24 | (OSType)(UInt8)text[1] << 16 | (OSType)(UInt8)text[2] << 8 |
         (OSType)(UInt8)text[3];
}

#define LOOK_UP(selector, type) ((type)plugIn->Lookup(selector))

// Makes the records that a host makes, and opens the unit.
static AudioComponentPlugInInterface *openUnit(
    AudioComponentFactoryFunction factory, const AudioComponentDescription *description,
    struct ComponentInstanceRecord *record) {
  static struct OpaqueAudioComponent component;
  component = (struct OpaqueAudioComponent){
      .magic = kAuricleComponentMagic,
      .recordSize = sizeof component,
      .description = *description,
      .name = "unit-check"};
  AudioComponentPlugInInterface *plugIn = factory(description);
  if (plugIn == NULL) return NULL;
  *record = (struct ComponentInstanceRecord){
      .magic = kAuricleInstanceMagic,
      .recordSize = sizeof *record,
      .component = &component,
      .plugIn = plugIn,
      .render = LOOK_UP(kAudioUnitRenderSelect, AudioUnitRenderProc),
      .getProperty = LOOK_UP(kAudioUnitGetPropertySelect, AudioUnitGetPropertyProc),
      .setProperty = LOOK_UP(kAudioUnitSetPropertySelect, AudioUnitSetPropertyProc),
      .getPropertyInfo = LOOK_UP(kAudioUnitGetPropertyInfoSelect, AudioUnitGetPropertyInfoProc),
      .getParameter = LOOK_UP(kAudioUnitGetParameterSelect, AudioUnitGetParameterProc),
      .setParameter = LOOK_UP(kAudioUnitSetParameterSelect, AudioUnitSetParameterProc),
      .reset = LOOK_UP(kAudioUnitResetSelect, AudioUnitResetProc),
      .process = LOOK_UP(kAudioUnitProcessSelect, AudioUnitProcessProc),
      .scheduleParameters =
          LOOK_UP(kAudioUnitScheduleParametersSelect, AudioUnitScheduleParametersProc)};
  return plugIn->Open(plugIn, record) == kAudio_NoError ? plugIn : NULL;
}

static UInt32 channelsOf(const struct ComponentInstanceRecord *record, AudioUnitScope scope) {
  AudioStreamBasicDescription format;
  UInt32 size = sizeof format;
  if (record->getProperty(
          record->plugIn, kAudioUnitProperty_StreamFormat, scope, 0, &format, &size) != 0)
    return 0;
  return format.mChannelsPerFrame;
}

static OSStatus prepare(const struct ComponentInstanceRecord *record) {
  const UInt32 maximum = kMaximumFrames;
  const AURenderCallbackStruct callback = {supplyInput, NULL};
  inputCount = channelsOf(record, kAudioUnitScope_Input);
  outputCount = channelsOf(record, kAudioUnitScope_Output);
  if (outputCount == 0 || outputCount > kMaximumChannels || inputCount > kMaximumChannels)
    return kAudioUnitErr_FormatNotSupported;
  OSStatus status = record->setProperty(
      record->plugIn, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &maximum,
      sizeof maximum);
  if (status == kAudio_NoError && inputCount > 0)
    status = record->setProperty(
        record->plugIn, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
        sizeof callback);
  return status;
}

// The parameters of the global scope that can be set, with their ranges.
static UInt32 readParameters(
    const struct ComponentInstanceRecord *record, AudioUnitParameterID *ids,
    AudioUnitParameterInfo *infos, UInt32 most) {
  AudioUnitParameterID all[1024];
  UInt32 size = sizeof all, count = 0;
  if (record->getProperty(
          record->plugIn, kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0, all, &size))
    return 0;
  for (UInt32 i = 0; i < size / sizeof *all && count < most; i++) {
    UInt32 infoSize = sizeof *infos;
    if (record->getProperty(
            record->plugIn, kAudioUnitProperty_ParameterInfo, kAudioUnitScope_Global, all[i],
            &infos[count], &infoSize) ||
        !(infos[count].flags & kAudioUnitParameterFlag_IsWritable))
      continue;
    ids[count++] = all[i];
  }
  return count;
}

static OSStatus renderOnce(const struct ComponentInstanceRecord *record, UInt32 frames, double time) {
  struct List list = {.mNumberBuffers = outputCount};
  AudioUnitRenderActionFlags flags = 0;
  AudioTimeStamp stamp;
  memset(&stamp, 0, sizeof stamp);
  stamp.mSampleTime = time;
  stamp.mFlags = kAudioTimeStampSampleTimeValid;
  for (UInt32 i = 0; i < outputCount; i++)
    list.mBuffers[i] = (AudioBuffer){
        .mNumberChannels = 1, .mDataByteSize = frames * sizeof(float), .mData = outputs[i]};
  if (__rtsan_realtime_enter) __rtsan_realtime_enter();
  const OSStatus status = record->render(
      record->plugIn, &flags, &stamp, 0, frames, (AudioBufferList *)&list);
  if (__rtsan_realtime_exit) __rtsan_realtime_exit();
  return status;
}

// Parameters that another thread sets until it is stopped.
struct Setter {
  const struct ComponentInstanceRecord *record;
  const AudioUnitParameterID *ids;
  const AudioUnitParameterInfo *infos;
  UInt32 count;
  atomic_bool isOver;
};

static void *setParameters(void *argument) {
  struct Setter *setter = argument;
  unsigned state = 1;
  while (!atomic_load(&setter->isOver))
    for (UInt32 i = 0; i < setter->count; i++) {
      const AudioUnitParameterInfo *info = &setter->infos[i];
      const float part = (float)rand_r(&state) / (float)RAND_MAX;
      setter->record->setParameter(
          setter->record->plugIn, setter->ids[i], kAudioUnitScope_Global, 0,
          info->minValue + part * (info->maxValue - info->minValue), 0);
    }
  return NULL;
}

// Slices of many lengths while parameters change, notes are played and the unit is reset.
static int run(const struct ComponentInstanceRecord *record, bool takesNotes) {
  static AudioUnitParameterID ids[256];
  static AudioUnitParameterInfo infos[256];
  const UInt32 count = readParameters(record, ids, infos, 256);
  AudioComponentPlugInInterface *plugIn = record->plugIn;
  MusicDeviceMIDIEventProc play =
      takesNotes ? LOOK_UP(kMusicDeviceMIDIEventSelect, MusicDeviceMIDIEventProc) : NULL;
  struct Setter setter = {.record = record, .ids = ids, .infos = infos, .count = count};
  pthread_t thread;
  if (WATCHES_THREADS && pthread_create(&thread, NULL, setParameters, &setter) != 0)
    return fail("no thread can be started", 0);
  double time = 0;
  int result = 0;
  for (UInt32 slice = 0; slice < kSlices && result == 0; slice++) {
    const UInt32 frames = 1 + slice * 37 % kMaximumFrames;
    for (UInt32 channel = 0; channel < kMaximumChannels; channel++)
      for (UInt32 i = 0; i < frames; i++) inputs[channel][i] = slice % 50 < 40 ? noise() : 0;
    for (UInt32 i = 0; i < count && !WATCHES_THREADS; i++) {
      const float part = noise() + 0.5f;
      const float value = infos[i].minValue + part * (infos[i].maxValue - infos[i].minValue);
      if (__rtsan_realtime_enter) __rtsan_realtime_enter();
      record->setParameter(plugIn, ids[i], kAudioUnitScope_Global, 0, value, 0);
      if (__rtsan_realtime_exit) __rtsan_realtime_exit();
    }
    if (__rtsan_realtime_enter) __rtsan_realtime_enter();
    if (play != NULL) play(plugIn, slice % 8 < 6 ? 0x90 : 0x80, 40 + slice % 48, 100, 0);
    if (__rtsan_realtime_exit) __rtsan_realtime_exit();
    const OSStatus status = renderOnce(record, frames, time);
    if (status != kAudio_NoError) result = fail("the unit did not render", status);
    time += frames;
    if (slice == kSlices / 2) record->reset(plugIn, kAudioUnitScope_Global, 0);
  }
  atomic_store(&setter.isOver, true);
  if (WATCHES_THREADS) pthread_join(thread, NULL);
  return result;
}

int main(int argc, char **argv) {
  if (argc != 4 || strlen(argv[3]) != 14) {
    fprintf(stderr, "usage: unit-check BINARY FACTORY TYPE:SUBTYPE:MANUFACTURER\n");
    return 64;
  }
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == NULL) return fail(dlerror(), 0);
  AudioComponentFactoryFunction factory = NULL;
  *(void **)&factory = dlsym(library, argv[2]);
  if (factory == NULL) return fail("the binary has no such factory function", 0);
  const AudioComponentDescription description = {
      .componentType = code(argv[3]),
      .componentSubType = code(argv[3] + 5),
      .componentManufacturer = code(argv[3] + 10)};
  struct ComponentInstanceRecord record;
  AudioComponentPlugInInterface *plugIn = openUnit(factory, &description, &record);
  if (plugIn == NULL) return fail("the unit cannot be opened", 0);
  OSStatus status = prepare(&record);
  if (status == kAudio_NoError)
    status = LOOK_UP(kAudioUnitInitializeSelect, AudioUnitInitializeProc)(plugIn);
  if (status != kAudio_NoError) return fail("the unit cannot be initialized", status);
  const OSType type = description.componentType;
  const int result =
      run(&record, type == kAudioUnitType_MusicDevice || type == kAudioUnitType_MusicEffect);
  LOOK_UP(kAudioUnitUninitializeSelect, AudioUnitUninitializeProc)(plugIn);
  plugIn->Close(plugIn);
  if (result == 0)
    printf(
        "%s: %d slices rendered, %s\n", argv[3], kSlices,
        WATCHES_THREADS          ? "while another thread set parameters"
        : __rtsan_realtime_enter ? "nothing that may block was called"
                                 : "NOT watched: build this program with clang -fsanitize=realtime");
  return result;
}
