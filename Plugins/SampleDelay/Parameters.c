// The sample delay's parameter: values, and changes within a slice.
// SPDX-License-Identifier: Apache-2.0

#include <math.h>

#include "SampleDelayUnit.h"

static OSStatus check(
    AudioUnitParameterID parameter, AudioUnitScope scope, AudioUnitElement element) {
  if (scope != kAudioUnitScope_Global) return kAudioUnitErr_InvalidScope;
  if (element != 0) return kAudioUnitErr_InvalidElement;
  return parameter == kSampleDelayParam_DelayFrames ? kAudio_NoError
                                                    : kAudioUnitErr_InvalidParameter;
}

// Brings a value into the range at the present sample rate.
static Float32 bounded(const struct Unit *unit, Float32 value) {
  const Float32 greatest = (Float32)unit->formats[1].mSampleRate;
  return value < 0 ? 0 : value > greatest ? greatest : value;
}

OSStatus getParameter(
    void *self, AudioUnitParameterID parameter, AudioUnitScope scope, AudioUnitElement element,
    AudioUnitParameterValue *value) {
  struct Unit *unit = self;
  const OSStatus status = check(parameter, scope, element);
  if (status != kAudio_NoError) return status;
  if (value == NULL) return kAudio_ParamError;
  *value = atomic_load_explicit(&unit->delayFrames, memory_order_relaxed);
  return kAudio_NoError;
}

OSStatus setParameter(
    void *self, AudioUnitParameterID parameter, AudioUnitScope scope, AudioUnitElement element,
    AudioUnitParameterValue value, UInt32 bufferOffset) {
  (void)bufferOffset;  // the change is heard from the start of the next slice
  struct Unit *unit = self;
  const OSStatus status = check(parameter, scope, element);
  if (status != kAudio_NoError) return status;
  if (!isfinite(value)) return kAudioUnitErr_InvalidParameterValue;
  atomic_store_explicit(&unit->delayFrames, bounded(unit, value), memory_order_relaxed);
  return kAudio_NoError;
}

// Makes an event of a host's, or tells what is wrong with it.
static OSStatus make(
    const struct Unit *unit, const AudioUnitParameterEvent *event, struct Event *made) {
  const OSStatus status = check(event->parameter, event->scope, event->element);
  if (status != kAudio_NoError) return status;
  if (event->eventType == kParameterEvent_Immediate) {
    const Float32 value = event->eventValues.immediate.value;
    if (!isfinite(value)) return kAudioUnitErr_InvalidParameterValue;
    *made = (struct Event){
        .start = event->eventValues.immediate.bufferOffset, .to = bounded(unit, value)};
    return kAudio_NoError;
  }
  if (event->eventType != kParameterEvent_Ramped) return kAudio_ParamError;
  const Float32 from = event->eventValues.ramp.startValue, to = event->eventValues.ramp.endValue;
  if (!isfinite(from) || !isfinite(to)) return kAudioUnitErr_InvalidParameterValue;
  *made = (struct Event){
      .start = event->eventValues.ramp.startBufferOffset,
      .duration = event->eventValues.ramp.durationInFrames,
      .from = bounded(unit, from),
      .to = bounded(unit, to)};
  return kAudio_NoError;
}

// Takes all events or none, in the order of frames.
OSStatus scheduleParameters(
    void *self, const AudioUnitParameterEvent *events, UInt32 eventCount) {
  struct Unit *unit = self;
  struct Event made;
  if (events == NULL && eventCount > 0) return kAudio_ParamError;
  if (eventCount > kMaximumEvents - unit->eventCount) return kAudio_MemFullError;
  for (UInt32 i = 0; i < eventCount; i++) {
    const OSStatus status = make(unit, &events[i], &made);
    if (status != kAudio_NoError) return status;
  }
  for (UInt32 i = 0; i < eventCount; i++) {
    make(unit, &events[i], &made);
    UInt32 place = unit->eventCount++;
    while (place > 0 && unit->events[place - 1].start > made.start) {
      unit->events[place] = unit->events[place - 1];
      place--;
    }
    unit->events[place] = made;
  }
  return kAudio_NoError;
}
