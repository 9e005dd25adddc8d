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

// Adds an event in the order of frames.
static void add(struct Unit *unit, UInt32 frame, Float32 value) {
  if (unit->eventCount == kMaximumEvents) return;
  UInt32 place = unit->eventCount++;
  while (place > 0 && unit->events[place - 1].frame > frame) {
    unit->events[place] = unit->events[place - 1];
    place--;
  }
  unit->events[place] = (struct Event){.frame = frame, .value = bounded(unit, value)};
}

OSStatus scheduleParameters(
    void *self, const AudioUnitParameterEvent *events, UInt32 eventCount) {
  struct Unit *unit = self;
  if (events == NULL && eventCount > 0) return kAudio_ParamError;
  for (UInt32 i = 0; i < eventCount; i++) {
    const AudioUnitParameterEvent *event = &events[i];
    const OSStatus status = check(event->parameter, event->scope, event->element);
    if (status != kAudio_NoError) return status;
    if (event->eventType == kParameterEvent_Immediate) {
      if (!isfinite(event->eventValues.immediate.value)) return kAudioUnitErr_InvalidParameterValue;
      add(unit, event->eventValues.immediate.bufferOffset, event->eventValues.immediate.value);
    } else if (event->eventType == kParameterEvent_Ramped) {
      // A delay of whole frames has no values between: the old one until the end of the ramp.
      const SInt64 end = (SInt64)event->eventValues.ramp.startBufferOffset +
                         (SInt64)event->eventValues.ramp.durationInFrames;
      if (!isfinite(event->eventValues.ramp.endValue)) return kAudioUnitErr_InvalidParameterValue;
      add(unit, end < 0 ? 0 : (UInt32)end, event->eventValues.ramp.endValue);
    } else {
      return kAudio_ParamError;
    }
  }
  return kAudio_NoError;
}
