// One slice: the schedule, the author's function, bypass, silence.
// SPDX-License-Identifier: Apache-2.0

// Makes the author's code process some frames, from `first` on.
static void processFrames(struct Unit *unit, UInt32 first, UInt32 count) {
  const AuricleUnitDefinition *definition = unit->definition;
  for (UInt32 i = 0; i < unit->input.count; i++)
    unit->sliceInput.samples[i] = unit->input.samples[i] + first;
  for (UInt32 i = 0; i < unit->output.count; i++)
    unit->sliceOutput.samples[i] = unit->output.samples[i] + first;
  for (UInt32 i = 0; i < definition->parameterCount; i++) unit->sliceValues[i] = valueAt(unit, i);
  const AuricleSlice slice = {
      .frameCount = count,
      .inputCount = unit->input.count,
      .outputCount = unit->output.count,
      .inputs = unit->sliceInput.samples,
      .outputs = unit->sliceOutput.samples,
      .values = unit->sliceValues,
      .sampleRate = unit->formats[1].mSampleRate,
      .messages = unit->sliceMessages,
      .messageCount = unit->sliceMessageCount};
  definition->process(unit->state, &slice);
  for (UInt32 i = 0; i < definition->parameterCount; i++)
    if (isMeter(&definition->parameters[i])) setValue(unit, i, unit->sliceValues[i]);
}

static Float32 rampedValue(const struct Event *event, SInt64 frame) {
  if (frame >= event->start + event->duration) return event->to;
  const Float64 part = (Float64)(frame - event->start) / (Float64)event->duration;
  return (Float32)(event->from + ((Float64)event->to - event->from) * part);
}

// Starts the events that are due at a frame; returns the place of the next one.
static UInt32 startEvents(struct Unit *unit, UInt32 next, SInt64 frame) {
  for (; next < unit->eventCount && unit->events[next].start <= frame; next++) {
    const struct Event *event = &unit->events[next];
    const SInt64 end = event->start + event->duration;
    if (event->start < 0 && end <= 0) continue;  // outside of the slice
    unit->ramps[event->index] = end > frame ? event : NULL;
    if (end <= frame) setValue(unit, event->index, event->to);
  }
  return next;
}

// Sets the values of ramps at a frame; returns the frame up to which nothing changes. A parameter that
// cannot ramp has no values between: it keeps the old one until the ramp ends, or another event or the
// slice does.
static SInt64 followRamps(struct Unit *unit, SInt64 frame, SInt64 limit) {
  for (UInt32 i = 0; i < unit->definition->parameterCount; i++) {
    const struct Event *ramp = unit->ramps[i];
    if (ramp == NULL) continue;
    const SInt64 end = ramp->start + ramp->duration;
    const bool isSmooth = unit->definition->parameters[i].flags & kAudioUnitParameterFlag_CanRamp;
    if (isSmooth || frame >= end) setValue(unit, i, rampedValue(ramp, frame));
    if (frame >= end) unit->ramps[i] = NULL;
    else if (isSmooth) limit = frame + 1;
    else if (end < limit) limit = end;
  }
  return limit;
}

// Processes the slice, cut where a scheduled change happens or a message is due; changes outside of the slice
// are dropped.
static void processSlice(struct Unit *unit, UInt32 frameCount) {
  if (unit->eventCount == 0 && !hasMessages(unit, frameCount)) {
    processFrames(unit, 0, frameCount);
    return;
  }
  memset(unit->ramps, 0, sizeof *unit->ramps * unit->definition->parameterCount);
  UInt32 next = 0;
  for (SInt64 frame = 0, limit; frame < frameCount; frame = limit) {
    next = startEvents(unit, next, frame);
    limit = frameCount;
    if (next < unit->eventCount && unit->events[next].start < limit) limit = unit->events[next].start;
    limit = dueMessages(unit, frame, followRamps(unit, frame, limit));
    processFrames(unit, (UInt32)frame, (UInt32)(limit - frame));
  }
  // A ramp that the end of the slice cuts short is left where it is then.
  for (UInt32 i = 0; i < unit->definition->parameterCount; i++)
    if (unit->ramps[i] != NULL) setValue(unit, i, rampedValue(unit->ramps[i], frameCount));
}

// Keeps the input for the dry signal; outputs without an input get silence.
static void keepDry(struct Unit *unit, UInt32 frameCount) {
  for (UInt32 channel = 0; channel < unit->output.count; channel++) {
    Float32 *dry = unit->dry + (size_t)channel * unit->stride;
    const UInt32 last = unit->input.count - 1;
    if (unit->input.count == 0) memset(dry, 0, frameCount * sizeof *dry);
    else memcpy(dry, unit->input.samples[channel < last ? channel : last], frameCount * sizeof *dry);
  }
}

// Fades between the processed and the dry signal over 10 ms.
static void mixDry(struct Unit *unit, UInt32 frameCount, Float32 target) {
  const Float32 step = (Float32)(1 / fmax(1, unit->formats[1].mSampleRate * 0.01));
  Float32 part = unit->dryPart;
  for (UInt32 channel = 0; channel < unit->output.count; channel++) {
    Float32 *audio = unit->output.samples[channel];
    const Float32 *dry = unit->dry + (size_t)channel * unit->stride;
    part = unit->dryPart;
    for (UInt32 i = 0; i < frameCount; i++) {
      part = part < target ? fminf(target, part + step) : fmaxf(target, part - step);
      audio[i] = part == 1 ? dry[i] : audio[i] + (dry[i] - audio[i]) * part;
    }
  }
  unit->dryPart = part;
}

static void runSlice(struct Unit *unit, UInt32 frameCount) {
  const Float32 target = atomic_load_explicit(&unit->isBypassed, memory_order_relaxed);
  gatherMessages(unit);
  const bool isPlayed = hasMessages(unit, frameCount);
  unit->outputIsSilent = unit->inputIsSilent && !isPlayed && unit->silentFrames >= unit->restFrames &&
                         unit->eventCount == 0;
  if (!unit->inputIsSilent || isPlayed) unit->silentFrames = 0;
  else if (unit->silentFrames < unit->restFrames) unit->silentFrames += frameCount;
  if (unit->outputIsSilent) {
    for (UInt32 channel = 0; channel < unit->output.count; channel++)
      memset(unit->output.samples[channel], 0, frameCount * sizeof(Float32));
    unit->dryPart = target;
  } else {
    const bool hearsDry = target > 0 || unit->dryPart > 0;
    if (hearsDry) keepDry(unit, frameCount);
    processSlice(unit, frameCount);
    if (hearsDry) mixDry(unit, frameCount, target);
  }
  finishMessages(unit, frameCount);
  unit->eventCount = 0;
}
