// Parameters of the table: values, and changes within a slice.
// SPDX-License-Identifier: Apache-2.0

// The place of a parameter in the table; -1: there is none.
static SInt64 placeOf(const struct Unit *unit, AudioUnitParameterID id) {
  for (UInt32 i = 0; i < unit->definition->parameterCount; i++)
    if (unit->definition->parameters[i].id == id) return i;
  return -1;
}

static bool isMeter(const AuricleParameter *parameter) {
  return parameter->flags & kAudioUnitParameterFlag_MeterReadOnly;
}

static OSStatus findParameter(
    const struct Unit *unit, AudioUnitParameterID parameter, AudioUnitScope scope,
    AudioUnitElement element, UInt32 *index) {
  if (scope != kAudioUnitScope_Global) return kAudioUnitErr_InvalidScope;
  if (element != 0) return kAudioUnitErr_InvalidElement;
  const SInt64 place = placeOf(unit, parameter);
  if (place < 0) return kAudioUnitErr_InvalidParameter;
  *index = (UInt32)place;
  return kAudio_NoError;
}

static Float32 maximumOf(const struct Unit *unit, UInt32 index) {
  const AuricleParameter *parameter = &unit->definition->parameters[index];
  return parameter->maximumSeconds > 0
             ? (Float32)(parameter->maximumSeconds * unit->formats[1].mSampleRate)
             : parameter->maximum;
}

// Brings a value into the range at the present sample rate; that of a choice becomes whole.
static Float32 bounded(const struct Unit *unit, UInt32 index, Float32 value) {
  const AuricleParameter *parameter = &unit->definition->parameters[index];
  const Float32 greatest = maximumOf(unit, index);
  if (parameter->unit == kAudioUnitParameterUnit_Indexed ||
      parameter->unit == kAudioUnitParameterUnit_Boolean)
    value = floorf(value + 0.5f);
  return value < parameter->minimum ? parameter->minimum : value > greatest ? greatest : value;
}

static Float32 valueAt(const struct Unit *unit, UInt32 index) {
  return atomic_load_explicit(&unit->values[index], memory_order_relaxed);
}

static void setValue(struct Unit *unit, UInt32 index, Float32 value) {
  atomic_store_explicit(&unit->values[index], value, memory_order_relaxed);
}

static OSStatus getParameter(
    void *self, AudioUnitParameterID parameter, AudioUnitScope scope, AudioUnitElement element,
    AudioUnitParameterValue *value) {
  struct Unit *unit = self;
  UInt32 index;
  const OSStatus status = findParameter(unit, parameter, scope, element, &index);
  if (status != kAudio_NoError) return status;
  if (value == NULL) return kAudio_ParamError;
  *value = valueAt(unit, index);
  return kAudio_NoError;
}

static OSStatus setParameter(
    void *self, AudioUnitParameterID parameter, AudioUnitScope scope, AudioUnitElement element,
    AudioUnitParameterValue value, UInt32 bufferOffset) {
  (void)bufferOffset;  // the change is heard from the start of the next slice
  struct Unit *unit = self;
  UInt32 index;
  const OSStatus status = findParameter(unit, parameter, scope, element, &index);
  if (status != kAudio_NoError) return status;
  if (isMeter(&unit->definition->parameters[index])) return kAudioUnitErr_InvalidParameter;
  if (!isfinite(value)) return kAudioUnitErr_InvalidParameterValue;
  setValue(unit, index, bounded(unit, index, value));
  return kAudio_NoError;
}

// Makes an event of a host's, or tells what is wrong with it.
static OSStatus makeEvent(
    const struct Unit *unit, const AudioUnitParameterEvent *event, struct Event *made) {
  UInt32 index;
  const OSStatus status =
      findParameter(unit, event->parameter, event->scope, event->element, &index);
  if (status != kAudio_NoError) return status;
  if (isMeter(&unit->definition->parameters[index])) return kAudioUnitErr_InvalidParameter;
  if (event->eventType == kParameterEvent_Immediate) {
    const Float32 value = event->eventValues.immediate.value;
    if (!isfinite(value)) return kAudioUnitErr_InvalidParameterValue;
    *made = (struct Event){
        .index = index,
        .start = event->eventValues.immediate.bufferOffset,
        .to = bounded(unit, index, value)};
    return kAudio_NoError;
  }
  if (event->eventType != kParameterEvent_Ramped) return kAudio_ParamError;
  const Float32 from = event->eventValues.ramp.startValue, to = event->eventValues.ramp.endValue;
  if (!isfinite(from) || !isfinite(to)) return kAudioUnitErr_InvalidParameterValue;
  *made = (struct Event){
      .index = index,
      .start = event->eventValues.ramp.startBufferOffset,
      .duration = event->eventValues.ramp.durationInFrames,
      .from = bounded(unit, index, from),
      .to = bounded(unit, index, to)};
  return kAudio_NoError;
}

// Takes all events or none, in the order of frames.
static OSStatus scheduleParameters(
    void *self, const AudioUnitParameterEvent *events, UInt32 eventCount) {
  struct Unit *unit = self;
  struct Event made;
  if (events == NULL && eventCount > 0) return kAudio_ParamError;
  if (eventCount > kMaximumEvents - unit->eventCount) return kAudio_MemFullError;
  for (UInt32 i = 0; i < eventCount; i++) {
    const OSStatus status = makeEvent(unit, &events[i], &made);
    if (status != kAudio_NoError) return status;
  }
  for (UInt32 i = 0; i < eventCount; i++) {
    makeEvent(unit, &events[i], &made);
    UInt32 place = unit->eventCount++;
    while (place > 0 && unit->events[place - 1].start > made.start) {
      unit->events[place] = unit->events[place - 1];
      place--;
    }
    unit->events[place] = made;
  }
  return kAudio_NoError;
}
