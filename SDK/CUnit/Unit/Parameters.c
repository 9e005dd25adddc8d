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

static Float32 valueAt(const struct Unit *unit, UInt32 index) {
  return atomic_load_explicit(&unit->values[index], memory_order_relaxed);
}

static void setValue(struct Unit *unit, UInt32 index, Float32 value) {
  atomic_store_explicit(&unit->values[index], value, memory_order_relaxed);
}

// Brings a value into the range at the present sample rate; that of a choice becomes whole.
static Float32 bounded(const struct Unit *unit, UInt32 index, Float32 value) {
  const AuricleParameter *parameter = &unit->definition->parameters[index];
  const Float32 greatest = maximumOf(unit, index);
  if (parameter->unit == kAudioUnitParameterUnit_Indexed || parameter->unit == kAudioUnitParameterUnit_Boolean)
    value = floorf(value + 0.5f);
  return value < parameter->minimum ? parameter->minimum : value > greatest ? greatest : value;
}

static OSStatus getParameter(
    void *self, AudioUnitParameterID parameter, AudioUnitScope scope, AudioUnitElement element,
    AudioUnitParameterValue *value) {
  UInt32 index;
  const OSStatus status = findParameter(self, parameter, scope, element, &index);
  if (status != kAudio_NoError) return status;
  if (value == NULL) return kAudio_ParamError;
  *value = valueAt(self, index);
  return kAudio_NoError;
}

// Finds a parameter that can be set, and checks a value for it.
static OSStatus findSettable(
    const struct Unit *unit, AudioUnitParameterID parameter, AudioUnitScope scope,
    AudioUnitElement element, Float32 value, UInt32 *index) {
  const OSStatus status = findParameter(unit, parameter, scope, element, index);
  if (status != kAudio_NoError) return status;
  if (isMeter(&unit->definition->parameters[*index])) return kAudioUnitErr_InvalidParameter;
  return isfinite(value) ? kAudio_NoError : kAudioUnitErr_InvalidParameterValue;
}

// The offset is ignored: the change is audible from the start of the next slice.
static OSStatus setParameter(
    void *self, AudioUnitParameterID parameter, AudioUnitScope scope, AudioUnitElement element,
    AudioUnitParameterValue value, UInt32 bufferOffset) {
  (void)bufferOffset;
  UInt32 index;
  const OSStatus status = findSettable(self, parameter, scope, element, value, &index);
  if (status == kAudio_NoError) setValue(self, index, bounded(self, index, value));
  return status;
}

// Makes an event of a host's, or returns the error in it.
static OSStatus makeEvent(
    const struct Unit *unit, const AudioUnitParameterEvent *event, struct Event *made) {
  const bool isRamp = event->eventType == kParameterEvent_Ramped;
  if (!isRamp && event->eventType != kParameterEvent_Immediate) return kAudio_ParamError;
  const Float32 to = isRamp ? event->eventValues.ramp.endValue : event->eventValues.immediate.value;
  const Float32 from = isRamp ? event->eventValues.ramp.startValue : to;
  const OSStatus status = findSettable(
      unit, event->parameter, event->scope, event->element, isfinite(from) ? to : from, &made->index);
  if (status != kAudio_NoError) return status;
  made->start = isRamp ? event->eventValues.ramp.startBufferOffset
                       : (SInt64)event->eventValues.immediate.bufferOffset;
  made->duration = isRamp ? event->eventValues.ramp.durationInFrames : 0;
  made->from = bounded(unit, made->index, from);
  made->to = bounded(unit, made->index, to);
  return kAudio_NoError;
}

// Accepts all events or none, in the order of frames.
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
    for (; place > 0 && unit->events[place - 1].start > made.start; place--)
      unit->events[place] = unit->events[place - 1];
    unit->events[place] = made;
  }
  return kAudio_NoError;
}

static AudioUnitParameterInfo parameterInfo(const struct Unit *unit, UInt32 index) {
  const AuricleParameter *parameter = &unit->definition->parameters[index];
  AudioUnitParameterInfo info = {
      .unit = parameter->unit,
      .minValue = parameter->minimum,
      .maxValue = maximumOf(unit, index),
      .defaultValue = parameter->initial,
      .flags = parameter->flags | kAudioUnitParameterFlag_IsReadable};
  snprintf(info.name, sizeof info.name, "%s", parameter->name);
  if (parameter->unitName != NULL) info.unitName = makeText(parameter->unitName);
  if (!isMeter(parameter)) info.flags |= kAudioUnitParameterFlag_IsWritable;
  if (parameter->valueNames != NULL) info.flags |= kAudioUnitParameterFlag_ValuesHaveStrings;
  return info;
}

static CFArrayRef copyValueNames(const struct Unit *unit, UInt32 index) {
  CFMutableArrayRef names = CFArrayCreateMutable(NULL, 0, &kCFTypeArrayCallBacks);
  const char *const *name = unit->definition->parameters[index].valueNames;
  for (; names != NULL && *name != NULL; name++) {
    CFStringRef text = makeText(*name);
    if (text == NULL) continue;
    CFArrayAppendValue(names, text);
    CFRelease(text);
  }
  return names;
}
