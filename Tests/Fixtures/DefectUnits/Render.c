// The sound of the unit: a gain, a little of the sample before, and a mix; and the defects in it.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "DefectUnit.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
// A defect: one memory for the sound of all instances.
static Float32 shared[kChannels];

void resetSound(Unit *unit) {
  memset(unit->before, 0, sizeof unit->before);
  memset(shared, 0, sizeof shared);
  memset(unit->late, 0, sizeof unit->late);
  memset(unit->latePlace, 0, sizeof unit->latePlace);
  unit->smooth = unit->setGain = unit->playedGain = unit->values[kGain];
  unit->eventCount = 0;
  unit->lastSlice = 0;
  unit->hasNote = false;
  if (!HAS("nanm")) unit->isPoisoned = false;
}

void askHost(Unit *unit) {
  Float64 beat, tempo;
  if (unit->host.beatAndTempoProc != NULL)
    unit->host.beatAndTempoProc(unit->host.hostUserData, &beat, &tempo);
}

static OSStatus pull(
    Unit *unit, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 frames,
    AudioBufferList *list) {
  const bool isConnected = unit->connection.sourceAudioUnit != NULL;
  if (HAS("pull")) frames++;
  if (!isConnected) {
    if (unit->callback.inputProc == NULL) return kAudioUnitErr_NoConnection;
    return unit->callback.inputProc(unit->callback.inputProcRefCon, flags, time, 0, frames, list);
  }
  struct ComponentInstanceRecord *source = unit->connection.sourceAudioUnit;
  const OSStatus status = source->render(
      source->plugIn, flags, time, unit->connection.sourceOutputNumber, frames, list);
  return HAS("cerr") && status == -7532 ? noErr : status;
}

/// The value of the gain at a frame of a slice.
static Float32 gainAt(Unit *unit, UInt32 frame) {
  // In steps, where there is more than one change.
  if (HAS("curv") && unit->eventCount > 1) frame |= 15;
  for (UInt32 index = 0; index < unit->eventCount; index++) {
    const AudioUnitParameterEvent *event = &unit->events[index];
    const bool isRamp = event->eventType == kParameterEvent_Ramped;
    if (isRamp) {
      const SInt32 start = event->eventValues.ramp.startBufferOffset;
      const SInt32 length = (SInt32)event->eventValues.ramp.durationInFrames;
      const SInt32 place = (SInt32)frame - start;
      if (place < 0) continue;
      const Float32 from = event->eventValues.ramp.startValue, to = event->eventValues.ramp.endValue;
      if (HAS("sval")) continue;
      setValue(unit, event->parameter, place >= length ? to : from + (to - from) * place / length);
    } else {
      const bool isEarly = HAS("offs");
      if (!isEarly && frame < event->eventValues.immediate.bufferOffset) continue;
      if (HAS("sval")) continue;
      setValue(unit, event->parameter, event->eventValues.immediate.value);
    }
  }
  return unit->values[kGain];
}

static Float32 shape(Unit *unit, UInt32 channel, Float32 input, UInt32 frame) {
  Float32 sample = gainAt(unit, frame) * (0.75f * input + 0.25f * unit->before[channel]);
  if (HAS("glob")) {
    sample += 0.25f * shared[channel];
    shared[channel] = input;
  }
  unit->before[channel] = HAS("nanm") && !isfinite(input) ? NAN : isfinite(input) ? input : 0;
  if (HAS("nanm") && !isfinite(unit->before[channel])) unit->isPoisoned = true;
  if (HAS("full") && fabsf(input) >= 0.9f) sample = NAN;
  sample *= unit->values[kMix] / 100;
  if (unit->values[kMode] == 2) sample = -sample;
  if (HAS("rnan") && unit->values[kMode] == 2) sample = sqrtf(-1 - sample * sample);
  if (HAS("late") || HAS("subn") || HAS("tlie")) {
    Float32 *place = &unit->late[channel][unit->latePlace[channel]++ % kLate];
    const Float32 old = *place;
    if (HAS("late")) {
      *place = sample;
      return old;
    }
    // A comb that dies away within the time of its tail or far behind it.
    *place = sample + old * (HAS("tlie") ? 0.999f : 0);
    if (HAS("subn") && input == 0) return 1e-40f;
    return *place;
  }
  return sample;
}

/// Does a forbidden deed of render code; returns whether the slice is to fail.
static void misbehave(Unit *unit, UInt32 frames) {
  if (HAS("fpcw")) fesetround(FE_TOWARDZERO);
  if (HAS("crrn") && unit->formats[1].mSampleRate == 96000) raise(11);
  while (HAS("flod")) fprintf(stderr, "rendering %u frames, and telling everybody about it\n", frames);
  // Volatile: compilers leave out unused allocations.
  void *volatile block = HAS("mall") ? malloc(frames) : NULL;
  free(block);
  if (HAS("lock")) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  FILE *file = HAS("file") ? fopen("/dev/null", "r") : NULL;
  if (file != NULL) fclose(file);
  if (HAS("prtc")) fputc('.', stderr);
  if (HAS("prtf")) printf("%u\n", frames);
  if (HAS("jump") && unit->setGain > unit->playedGain + 1.5f) unit->isPoisoned = true;
  unit->playedGain = unit->setGain;
  if (HAS("hkep")) askHost(unit);
  struct timespec start, now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
  do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  while (HAS("slow") && frames == 512 && unit->formats[1].mSampleRate == 44100 &&
         (now.tv_sec - start.tv_sec) * 1e9 + (now.tv_nsec - start.tv_nsec) < 1.5e7);
}

/// The buffers that the input is to be in: those of the caller, or the unit's.
static void prepare(Unit *unit, AudioBufferList *list, UInt32 frames) {
  for (UInt32 channel = 0; channel < list->mNumberBuffers; channel++) {
    AudioBuffer *buffer = &list->mBuffers[channel];
    // In place the source's own memory is asked for, where the caller has none.
    if (buffer->mData == NULL && (!unit->isInPlace || unit->inputs == 0))
      buffer->mData = unit->memory + (size_t)channel * unit->maximumFrames;
    buffer->mDataByteSize = frames * sizeof(Float32);
  }
}

/// Spoils a slice that is finished.
static void spoil(
    Unit *unit, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, AudioBufferList *list,
    UInt32 frames) {
  Float32 *samples = list->mBuffers[0].mData;
  const Float64 rate = unit->formats[1].mSampleRate;
  const UInt32 unwritten = 0x7FA5A5A5;
  if (HAS("nans") || unit->isPoisoned || (HAS("nnan") && unit->hasNote)) samples[3 % frames] = NAN;
  if (HAS("lowr") && rate < 20000) samples[3 % frames] = NAN;
  if (HAS("wide") && rate > 200000) samples[0] = NAN;
  if (HAS("unwr")) memcpy(&samples[frames - 1], &unwritten, sizeof unwritten);
  if (HAS("over")) samples[frames] = 0.5f;
  if (HAS("bufs")) list->mBuffers[0].mDataByteSize = 4;
  if (HAS("sflg")) *flags |= kAudioUnitRenderAction_OutputIsSilence;
  if (unit->isBypassed) {
    if (HAS("bypl")) samples[0] *= 0.5f;
    return;
  }
  if (HAS("rand")) samples[0] *= 1 + (Float32)((uintptr_t)unit / 16 % 997) * 1e-4f;
  if (HAS("blck")) samples[0] *= 0.5f;
  if (HAS("ssnd")) samples[0] *= 1 + 0.1f * unit->hidden;
  if (HAS("hiss"))
    for (UInt32 frame = 0; frame < frames; frame++) samples[frame] += ((UInt64)time->mSampleTime + frame) % 2 ? 0.01f : -0.01f;
}

/// Returns the output in other memory than it was made in.
static void moveAway(Unit *unit, AudioBufferList *list, UInt32 frames) {
  for (UInt32 channel = 0; channel < list->mNumberBuffers; channel++) {
    Float32 *elsewhere = unit->memory + (size_t)channel * unit->maximumFrames;
    memcpy(elsewhere, list->mBuffers[channel].mData, frames * sizeof(Float32));
    list->mBuffers[channel].mData = elsewhere;
  }
}

/// Reads a part of the input of an offline unit, which renders when it has seen all of it.
static OSStatus preflight(
    Unit *unit, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 frames,
    AudioBufferList *list) {
  if (unit->preflighted >= unit->offline[0]) return kAudioUnitErr_InvalidOfflineRender;
  const OSStatus status = pull(unit, flags, time, frames, list);
  if (status != noErr) return status;
  unit->preflighted += frames;
  unit->isPreflighted = unit->preflighted >= unit->offline[0];
  if (unit->isPreflighted) *flags |= kAudioOfflineUnitRenderAction_Complete;
  return noErr;
}

OSStatus renderUnit(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 element,
    UInt32 frames, AudioBufferList *list) {
  Unit *unit = self;
  if (HAS("unin") && !unit->isInitialized) return noErr;
  if (!unit->isInitialized) return kAudioUnitErr_Uninitialized;
  if (element != 0) return kAudioUnitErr_InvalidElement;
  if (HAS("recv") && unit->hasFailed) return -7531;
  if (HAS("push") && frames > unit->maximumFrames) pull(unit, flags, time, frames, list);
  if (frames > unit->maximumFrames) {
    unit->hasFailed = true;
    return HAS("many") ? noErr : kAudioUnitErr_TooManyFramesToProcess;
  }
  if (HAS("rend") || (HAS("pair") && unit->formats[1].mChannelsPerFrame == 1)) return -7531;
  if (unit->outputs == 0) return noErr;
  if (unit->description.componentType == kAudioUnitType_OfflineEffect) {
    if (*flags & kAudioOfflineUnitRenderAction_Preflight) return preflight(unit, flags, time, frames, list);
    if (!(*flags & kAudioOfflineUnitRenderAction_Render) || !unit->isPreflighted)
      return kAudioUnitErr_InvalidOfflineRender;
  }
  if (HAS("nout") && list->mBuffers[0].mData == NULL) return -50;
  unit->thread = (void *)pthread_self();
  if (HAS("auto") && frames == 32 && unit->changes >= 10) unit->isPoisoned = true;
  unit->changes = 0;
  misbehave(unit, frames);
  const bool isAlone = list->mBuffers[0].mData == NULL;
  prepare(unit, list, frames);
  const OSStatus status = unit->inputs > 0 ? pull(unit, flags, time, frames, list) : noErr;
  if (status != noErr && !(HAS("swal") && status == -7531)) {
    unit->lastError = status;
    return status;
  }
  for (UInt32 channel = 0; channel < list->mNumberBuffers; channel++)
    list->mBuffers[channel].mDataByteSize = frames * sizeof(Float32);
  for (UInt32 frame = 0; frame < frames; frame++) {
    for (UInt32 channel = 0; channel < list->mNumberBuffers && channel < kChannels; channel++) {
      Float32 *samples = list->mBuffers[channel].mData;
      if (samples == NULL) continue;
      const Float32 input = unit->inputs > 0 ? samples[frame] : 0.1f;
      if (unit->isBypassed && unit->inputs > 0) continue;
      samples[frame] = shape(unit, channel, input, frame);
      // A unit that reads its own output, if there is one memory for both.
      if (HAS("inpl") && isAlone && frame > 0) samples[frame] += 0.5f * samples[frame - 1];
    }
  }
  if (frames > 0 && list->mBuffers[0].mData != NULL) spoil(unit, flags, time, list, frames);
  if (HAS("plac") && isAlone) moveAway(unit, list, frames);
  unit->eventCount = 0;
  return noErr;
}
