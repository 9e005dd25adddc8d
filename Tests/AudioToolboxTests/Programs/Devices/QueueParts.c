// A queue of two constant channels, 0.5 and -0.25, and one feature of queues beside their buffers.
// SPDX-License-Identifier: Apache-2.0
//
// usage: QueueParts levels|bypass|channels|time|start|offline|error|siphon|tap|offlineTap
#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../Await.h"
#include "Check.h"

enum { bufferFrames = 1024, bufferCount = 8 };

static AudioQueueRef queue;
static _Atomic int givenBack, ended, errors, goesOn;

static void giveBack(void *data, AudioQueueRef from, AudioQueueBufferRef buffer) {
  (void)data;
  atomic_fetch_add(&givenBack, 1);
  post();
  if (!atomic_load(&goesOn)) return;
  OSStatus status = AudioQueueEnqueueBuffer(from, buffer, 0, NULL);
  // The end of the queue accepts none.
  if (atomic_load(&goesOn)) CHECK(status);
}

static void heard(void *data, AudioQueueRef from, AudioQueuePropertyID property) {
  (void)data;
  UInt32 word = 1, size = sizeof word;
  CHECK(AudioQueueGetProperty(from, property, &word, &size));
  if (property == kAudioQueueProperty_ConverterError) atomic_store(&errors, word != 0 ? 1 : -1);
  if (property == kAudioQueueProperty_IsRunning && !word) atomic_store(&ended, 1);
  post();
}

static AudioStreamBasicDescription floats(void) {
  AudioStreamBasicDescription format = {
      48000, kAudioFormatLinearPCM, kAudioFormatFlagsNativeFloatPacked, 8, 1, 8, 2, 32, 0};
  return format;
}

static void make(AudioStreamBasicDescription format) {
  CHECK(AudioQueueNewOutput(&format, giveBack, NULL, NULL, NULL, 0, &queue));
  CHECK(AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, heard, NULL));
}

static void fill(int count) {
  for (int index = 0; index < count; index++) {
    AudioQueueBufferRef buffer;
    CHECK(AudioQueueAllocateBuffer(queue, bufferFrames * 8, &buffer));
    float *samples = buffer->mAudioData;
    for (int frame = 0; frame < bufferFrames; frame++) {
      samples[2 * frame] = 0.5f;
      samples[2 * frame + 1] = -0.25f;
    }
    buffer->mAudioDataByteSize = bufferFrames * 8;
    CHECK(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
  }
}

static void waitForEnd(void) {
  CHECK(AudioQueueStop(queue, false));
  AWAIT(atomic_load(&ended));
}

static OSStatus set(AudioQueuePropertyID property, UInt32 word) {
  return AudioQueueSetProperty(queue, property, &word, sizeof word);
}

// Reads the meters, and returns whether they have the levels of the sound.
static int areLoud(AudioQueueLevelMeterState found[2], AudioQueueLevelMeterState decibels[2]) {
  UInt32 size = 2 * sizeof *found;
  CHECK(AudioQueueGetProperty(queue, kAudioQueueProperty_CurrentLevelMeter, found, &size));
  CHECK(AudioQueueGetProperty(queue, kAudioQueueProperty_CurrentLevelMeterDB, decibels, &size));
  return found[0].mAveragePower >= 0.495 && found[1].mAveragePower >= 0.245 && decibels[0].mAveragePower >= -6.1 &&
      decibels[1].mAveragePower >= -12.1;
}

// Reads the meters of the playback: of the last slice, so they are read while there is sound.
static void levels(void) {
  AudioQueueLevelMeterState found[2], decibels[2];
  UInt32 size = sizeof found;
  printf("off %d\n", (int)AudioQueueGetProperty(queue, kAudioQueueProperty_CurrentLevelMeter, found, &size));
  CHECK(set(kAudioQueueProperty_EnableLevelMetering, 1));
  atomic_store(&goesOn, 1);
  fill(bufferCount);
  CHECK(AudioQueueStart(queue, NULL));
  AWAIT(areLoud(found, decibels));
  atomic_store(&goesOn, 0);
  printf("levels %.2f %.2f, %.2f %.2f\n", found[0].mAveragePower, found[0].mPeakPower, found[1].mAveragePower,
      found[1].mPeakPower);
  printf("decibels %.1f %.1f\n", decibels[0].mPeakPower, decibels[1].mPeakPower);
}

static long renderAll(AudioQueueBufferRef capture) {
  AudioTimeStamp time = {.mFlags = kAudioTimeStampSampleTimeValid};
  long frames = 0;
  for (;;) {
    CHECK(AudioQueueOfflineRender(queue, &time, capture, bufferFrames));
    if (capture->mAudioDataByteSize == 0) return frames;
    frames += capture->mAudioDataByteSize / 8;
    time.mSampleTime = frames;
  }
}

// Twice the speed, but passed over.
static void bypass(void) {
  AudioStreamBasicDescription format = floats();
  AudioQueueBufferRef capture;
  CHECK(set(kAudioQueueProperty_EnableTimePitch, 1));
  CHECK(AudioQueueSetParameter(queue, kAudioQueueParam_PlayRate, 2));
  CHECK(set(kAudioQueueProperty_TimePitchBypass, 1));
  CHECK(AudioQueueAllocateBuffer(queue, bufferFrames * 8, &capture));
  CHECK(AudioQueueSetOfflineRenderFormat(queue, &format, NULL));
  fill(bufferCount);
  CHECK(AudioQueueStart(queue, NULL));
  printf("frames %ld\n", renderAll(capture));
}

static void channels(void) {
  AudioQueueChannelAssignment swapped[2] = {{NULL, 2}, {NULL, 1}}, none[2] = {{NULL, 0}, {NULL, 1}};
  AudioQueueChannelAssignment elsewhere[2] = {{CFSTR("nowhere"), 1}, {CFSTR("nowhere"), 2}};
  printf("size %d, number %d, device %d\n",
      (int)AudioQueueSetProperty(queue, kAudioQueueProperty_ChannelAssignments, swapped, sizeof swapped[0]),
      (int)AudioQueueSetProperty(queue, kAudioQueueProperty_ChannelAssignments, none, sizeof none),
      (int)AudioQueueSetProperty(queue, kAudioQueueProperty_ChannelAssignments, elsewhere, sizeof elsewhere));
  CHECK(AudioQueueSetProperty(queue, kAudioQueueProperty_ChannelAssignments, swapped, sizeof swapped));
  fill(bufferCount);
  CHECK(AudioQueueStart(queue, NULL));
  printf("running %d\n",
      (int)AudioQueueSetProperty(queue, kAudioQueueProperty_ChannelAssignments, swapped, sizeof swapped));
  waitForEnd();
  AudioChannelLayout layout = {.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo}, found = {0};
  UInt32 size = sizeof found;
  int early = (int)AudioQueueGetProperty(queue, kAudioQueueProperty_ChannelLayout, &found, &size);
  int small = (int)AudioQueueSetProperty(queue, kAudioQueueProperty_ChannelLayout, &layout, 4);
  CHECK(AudioQueueSetProperty(queue, kAudioQueueProperty_ChannelLayout, &layout, sizeof layout));
  size = sizeof found;
  CHECK(AudioQueueGetProperty(queue, kAudioQueueProperty_ChannelLayout, &found, &size));
  printf("no layout %d, short %d, same %d\n", early, small, memcmp(&found, &layout, sizeof found) == 0);
}

static double timeOn(AudioQueueTimelineRef timeline, AudioTimeStamp *time, Boolean *isBroken) {
  CHECK(AudioQueueGetCurrentTime(queue, timeline, time, isBroken));
  return time->mSampleTime;
}

static void timelines(void) {
  AudioQueueTimelineRef timeline;
  AudioTimeStamp time;
  Boolean first = 1, second = 1;
  CHECK(AudioQueueCreateTimeline(queue, &timeline));
  printf("stopped %d\n", (int)AudioQueueGetCurrentTime(queue, timeline, &time, &first));
  atomic_store(&goesOn, 1);
  fill(bufferCount);
  CHECK(AudioQueueStart(queue, NULL));
  AWAIT(timeOn(timeline, &time, &first) >= bufferFrames);
  CHECK(AudioQueueGetCurrentTime(queue, timeline, &time, &second));
  atomic_store(&goesOn, 0);
  printf("frames %d, breaks %d %d\n", time.mFlags == kAudioTimeStampSampleTimeValid, first, second);
  int other = (int)AudioQueueDisposeTimeline(queue, (AudioQueueTimelineRef)&time);
  printf("another timeline %d, own %d\n", other, (int)AudioQueueDisposeTimeline(queue, timeline));
}

static void start(void) {
  UInt32 primed = 0;
  fill(bufferCount);
  CHECK(AudioQueuePrime(queue, 2000, &primed));
  printf("primed %u\n", primed);
  AudioTimeStamp time = {.mSampleTime = 4800, .mFlags = kAudioTimeStampSampleTimeValid};
  CHECK(AudioQueueStart(queue, &time));
  waitForEnd();
}

static void offline(void) {
  AudioStreamBasicDescription format = {48000, kAudioFormatLinearPCM,
      kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, 4, 1, 4, 2, 16, 0};
  AudioTimeStamp time = {.mFlags = kAudioTimeStampSampleTimeValid};
  AudioQueueBufferRef capture;
  AudioQueueBuffer foreign = {0};
  CHECK(AudioQueueAllocateBuffer(queue, 4096 * 4, &capture));
  fill(bufferCount);
  int device = (int)AudioQueueOfflineRender(queue, &time, capture, 0);
  CHECK(AudioQueueSetOfflineRenderFormat(queue, &format, NULL));
  int stopped = (int)AudioQueueOfflineRender(queue, &time, capture, 0);
  CHECK(AudioQueueStart(queue, NULL));
  printf("device %d, stopped %d, foreign %d\n", device, stopped,
      (int)AudioQueueOfflineRender(queue, &time, &foreign, 64));
  CHECK(AudioQueueOfflineRender(queue, &time, capture, 0));
  UInt32 none = capture->mAudioDataByteSize;
  CHECK(AudioQueueOfflineRender(queue, &time, capture, 4096));
  UInt32 frames = capture->mAudioDataByteSize / 4;
  SInt16 *samples = capture->mAudioData;
  SInt16 left = samples[0], right = samples[2 * frames - 1];
  CHECK(AudioQueueOfflineRender(queue, &time, capture, 4096));
  CHECK(AudioQueueOfflineRender(queue, &time, capture, 4096));
  printf("first %u, frames %u, %d %d, end %u\n", none, frames, left, right, capture->mAudioDataByteSize);
}

// Bytes that are no packet of the format.
static void error(void) {
  AudioStreamBasicDescription format = {48000, kAudioFormatMPEG4AAC, 0, 0, 1024, 0, 2, 0, 0};
  make(format);
  CHECK(AudioQueueAddPropertyListener(queue, kAudioQueueProperty_ConverterError, heard, NULL));
  AudioQueueBufferRef buffer;
  CHECK(AudioQueueAllocateBufferWithPacketDescriptions(queue, 512, 1, &buffer));
  memset(buffer->mAudioData, 0xFF, 512);
  buffer->mAudioDataByteSize = 512;
  AudioStreamPacketDescription packet = {0, 0, 512};
  CHECK(AudioQueueEnqueueBuffer(queue, buffer, 1, &packet));
  CHECK(AudioQueueStart(queue, NULL));
  AWAIT(atomic_load(&errors));
  UInt32 status = 0, size = sizeof status;
  CHECK(AudioQueueGetProperty(queue, kAudioQueueProperty_ConverterError, &status, &size));
  printf("told %d, error %d\n", atomic_load(&errors), status != 0);
}

typedef struct Tap {
  int isSiphon, starts, wrong;
  double next;
  float loudest;
} Tap;

static void process(void *data, AudioQueueProcessingTapRef reference, UInt32 frames, AudioTimeStamp *time,
    AudioQueueProcessingTapFlags *flags, UInt32 *made, AudioBufferList *list) {
  Tap *tap = data;
  if (*flags & kAudioQueueProcessingTap_StartOfStream) tap->starts += 1;
  if (time->mSampleTime != tap->next) tap->wrong += 1;
  tap->next = time->mSampleTime + frames;
  if (!tap->isSiphon) {
    CHECK(AudioQueueProcessingTapGetSourceAudio(reference, frames, time, flags, made, list));
    Float64 start = 0;
    UInt32 count = 0;
    CHECK(AudioQueueProcessingTapGetQueueTime(reference, &start, &count));
    if (start != time->mSampleTime) tap->wrong += 1;
  }
  float *samples = list->mBuffers[0].mData;
  for (UInt32 index = 0; index < 2 * *made; index++) {
    if (fabsf(samples[index]) > tap->loudest) tap->loudest = fabsf(samples[index]);
    if (!tap->isSiphon) samples[index] *= 0.5f;
  }
}

static void taps(int isSiphon, int isOffline) {
  Tap tap = {.isSiphon = isSiphon};
  AudioQueueProcessingTapRef reference, second;
  AudioStreamBasicDescription format;
  UInt32 most = 0;
  AudioQueueProcessingTapFlags flags =
      kAudioQueueProcessingTap_PreEffects | (isSiphon ? (UInt32)kAudioQueueProcessingTap_Siphon : 0);
  CHECK(AudioQueueProcessingTapNew(queue, process, &tap, flags, &most, &format, &reference));
  AudioBufferList list = {.mNumberBuffers = 1};
  printf("second %d, outside %d\n",
      (int)AudioQueueProcessingTapNew(queue, process, &tap, flags, &most, &format, &second),
      (int)AudioQueueProcessingTapGetSourceAudio(reference, 1, NULL, NULL, NULL, &list));
  AudioQueueBufferRef capture;
  CHECK(AudioQueueAllocateBuffer(queue, bufferFrames * 8, &capture));
  format = floats();
  if (isOffline) CHECK(AudioQueueSetOfflineRenderFormat(queue, &format, NULL));
  fill(bufferCount);
  CHECK(AudioQueueStart(queue, NULL));
  if (isOffline) {
    CHECK(AudioQueueStop(queue, false));
    long frames = renderAll(capture);
    printf("frames %ld, last %.2f\n", frames, ((float *)capture->mAudioData)[2 * bufferFrames - 2]);
  } else {
    waitForEnd();
  }
  printf("start %d, steady %d, loudest %.2f\n", tap.starts, tap.wrong == 0, tap.loudest);
  CHECK(AudioQueueProcessingTapDispose(reference));
}

int main(int argc, char **argv) {
  const char *part = argc > 1 ? argv[1] : "";
  if (strcmp(part, "error") != 0) make(floats());
  if (strcmp(part, "levels") == 0) levels();
  if (strcmp(part, "bypass") == 0) bypass();
  if (strcmp(part, "channels") == 0) channels();
  if (strcmp(part, "time") == 0) timelines();
  if (strcmp(part, "start") == 0) start();
  if (strcmp(part, "offline") == 0) offline();
  if (strcmp(part, "error") == 0) error();
  if (strcmp(part, "siphon") == 0) taps(1, 0);
  if (strcmp(part, "tap") == 0) taps(0, 0);
  if (strcmp(part, "offlineTap") == 0) taps(0, 1);
  CHECK(AudioQueueDispose(queue, true));
  return 0;
}
