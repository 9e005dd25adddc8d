// Sound of the written units: notes, or an input, times a gain whose changes have their frames.
// SPDX-License-Identifier: Apache-2.0

#include <math.h>
#include <string.h>

#include "Unit.h"

static const float kLeast = -96, kGreatest = 24;

static Status failed(Unit *unit, Status status) {
  if (status != 0 && unit->lastError == 0) {
    unit->lastError = status;
    tellListeners(unit, 22, kGlobal);
  }
  return status;
}

static Status check(const Unit *unit, const Stamp *stamp, uint32_t frames, const List *list) {
  if (!unit->isInitialized) return kUninitialized;
  if (stamp == NULL || list == NULL) return kBadParameter;
  if (frames > unit->maximumFrames) return kTooManyFrames;
  if (list->count != kChannels) return kBadParameter;
  for (uint32_t i = 0; i < list->count; i++)
    if (list->buffers[i].data != NULL && list->buffers[i].byteSize < frames * sizeof(float))
      return kBadParameter;
  return 0;
}

static void observe(
    Unit *unit, uint32_t flags, const Stamp *stamp, uint32_t frames, List *list) {
  for (int i = 0; i < kMostListeners; i++) {
    uint32_t seen = flags;
    const Callback *found = &unit->observers[i];
    if (found->procedure != NULL) found->procedure(found->data, &seen, stamp, 0, frames, list);
  }
}

static Status pull(Unit *unit, uint32_t *flags, const Stamp *stamp, uint32_t frames, List *list) {
  List input = *list;
  Status status = kNoConnection;
  *flags = 0;
  if (unit->input.procedure != NULL)
    status = unit->input.procedure(unit->input.data, flags, stamp, 0, frames, &input);
  else if (unit->connection.source != NULL)
    status = AudioUnitRender(
        unit->connection.source, flags, stamp, unit->connection.output, frames, &input);
  for (uint32_t i = 0; status == 0 && i < input.count; i++) {
    const Buffer *from = &input.buffers[i];
    if (from->data == NULL || from->byteSize < frames * sizeof(float)) return kBadParameter;
    if (from->data != list->buffers[i].data)
      memcpy(list->buffers[i].data, from->data, frames * sizeof(float));
  }
  return status;
}

// The gain at a frame: the last change that has begun says it.
static float gainAt(Unit *unit, int32_t frame) {
  for (uint32_t i = 0; i < unit->changeCount && unit->changes[i].start <= frame; i++) {
    const Change *change = &unit->changes[i];
    const int64_t into = (int64_t)frame - change->start;
    unit->gain = into >= change->duration
                     ? change->to
                     : change->from + (change->to - change->from) * (float)into /
                                          (float)change->duration;
  }
  return powf(10, unit->gain / 20);
}

static Status renderOnce(
    Unit *unit, uint32_t *flags, const Stamp *stamp, uint32_t frames, List *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    Buffer *buffer = &list->buffers[i];
    buffer->channels = 1;
    buffer->byteSize = frames * (uint32_t)sizeof(float);
    if (buffer->data == NULL) buffer->data = unit->memory + (size_t)i * unit->maximumFrames;
  }
  if (unit->hasRendered && unit->lastTime == stamp->sampleTime) return 0;
  if (!unit->isOutput) addNotes(unit, stamp, list, frames);
  const Status status = unit->isOutput ? pull(unit, flags, stamp, frames, list) : 0;
  unit->hasRendered = status == 0;
  unit->lastTime = stamp->sampleTime;
  for (uint32_t frame = 0; status == 0 && frame < frames; frame++) {
    const float gain = gainAt(unit, (int32_t)frame);
    for (uint32_t i = 0; !unit->isBypassed && i < list->count; i++)
      ((float *)list->buffers[i].data)[frame] *= gain;
  }
  return status;
}

Status render(
    void *self, uint32_t *flags, const Stamp *stamp, uint32_t bus, uint32_t frames, List *list) {
  Unit *unit = self;
  uint32_t none = 0;
  if (flags == NULL) flags = &none;
  if (bus != 0 && unit->isInitialized) return failed(unit, kInvalidElement);
  Status status = check(unit, stamp, frames, list);
  if (status == 0 && unit->isRendering) status = kBusy;
  if (status == 0 && (*flags & kPreflight)) status = kInvalidOfflineRender;  // it has no such pass
  if (status != 0) return failed(unit, status);
  unit->isRendering = true;
  observe(unit, *flags | kPreRender, stamp, frames, list);
  uint32_t told = 0;
  status = renderOnce(unit, &told, stamp, frames, list);
  *flags = (*flags & ~(uint32_t)kSilence) | (status == 0 ? told & kSilence : 0);
  observe(unit, *flags | kPostRender | (status != 0 ? kRenderError : 0), stamp, frames, list);
  unit->isRendering = false;
  unit->changeCount = 0;
  return failed(unit, status);
}

static Status checkParameter(uint32_t id, uint32_t scope, uint32_t element) {
  if (scope != kGlobal) return kInvalidScope;
  if (element != 0) return kInvalidElement;
  return id == 0 ? 0 : kInvalidParameter;
}

static float bounded(float value) { return fminf(fmaxf(value, kLeast), kGreatest); }

Status getParameter(void *self, uint32_t id, uint32_t scope, uint32_t element, float *value) {
  const Status status = checkParameter(id, scope, element);
  if (status != 0) return status;
  if (value == NULL) return kBadParameter;
  *value = ((Unit *)self)->gain;
  return 0;
}

Status setParameter(
    void *self, uint32_t id, uint32_t scope, uint32_t element, float value, uint32_t frame) {
  (void)frame;
  const Status status = checkParameter(id, scope, element);
  if (status != 0) return status;
  if (!isfinite(value)) return kInvalidParameterValue;
  ((Unit *)self)->gain = bounded(value);
  return 0;
}

Status schedule(void *self, const ParameterEvent *events, uint32_t count) {
  Unit *unit = self;
  if (events == NULL && count > 0) return kBadParameter;
  if (count > kMostEvents - unit->changeCount) return kNoMemory;
  for (uint32_t i = 0; i < count; i++) {
    const ParameterEvent *event = &events[i];
    const Status status = checkParameter(event->parameter, event->scope, event->element);
    if (status != 0) return status;
    const bool isRamp = event->type == 2;
    if (!isRamp && event->type != 1) return kBadParameter;
    const float to = isRamp ? event->values.ramp.to : event->values.immediate.value;
    const float from = isRamp ? event->values.ramp.from : to;
    if (!isfinite(from) || !isfinite(to)) return kInvalidParameterValue;
    Change made = {isRamp ? event->values.ramp.start : (int32_t)event->values.immediate.offset,
                   isRamp ? event->values.ramp.duration : 0, bounded(from), bounded(to)};
    uint32_t place = unit->changeCount++;
    for (; place > 0 && unit->changes[place - 1].start > made.start; place--)
      unit->changes[place] = unit->changes[place - 1];
    unit->changes[place] = made;
  }
  return 0;
}
