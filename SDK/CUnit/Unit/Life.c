// Making a unit, its methods, and its life between Initialize and Uninitialize.
// SPDX-License-Identifier: Apache-2.0

static OSStatus initializeUnit(void *self);
static OSStatus resetUnit(void *self, AudioUnitScope scope, AudioUnitElement element);

static OSStatus openUnit(void *self, AudioComponentInstance handle) {
  ((struct Unit *)self)->handle = handle;
  return kAudio_NoError;
}

static void freeUnit(struct Unit *unit) {
  free(atomic_load(&unit->source));
  for (int i = 0; i < kMaximumListeners; i++) free(atomic_load(&unit->notifies[i]));
  free(atomic_load(&unit->samplesListener));
  if (unit->currentName != NULL) CFRelease(unit->currentName);
  for (UInt32 i = 0; unit->factoryPresets != NULL && i < unit->definition->presetCount; i++)
    if (unit->factoryPresets[i].presetName != NULL) CFRelease(unit->factoryPresets[i].presetName);
  free(unit->factoryPresets);
  free(unit->state);
  free((void *)unit->values);
  free(unit->sliceValues);
  free(unit->ramps);
  free(unit->notes);
  free(unit);
}

static OSStatus closeUnit(void *self) {
  uninitializeUnit(self);
  freeUnit(self);
  return kAudio_NoError;
}

// Whether a rule of a table of channels allows these numbers: -1 and -1 stand for any that are the same, -1
// and -2 for any, a number for itself.
static bool allowsChannels(AUChannelInfo rule, UInt32 inputs, UInt32 outputs) {
  if (rule.inChannels == -1 && rule.outChannels == -1) return inputs == outputs;
  return (rule.inChannels < 0 || (UInt32)rule.inChannels == inputs) &&
         (rule.outChannels < 0 || (UInt32)rule.outChannels == outputs);
}

static bool supportsChannels(const struct Unit *unit, UInt32 inputs, UInt32 outputs) {
  const AuricleUnitDefinition *definition = unit->definition;
  if (definition->channels == NULL) return !hasInput(unit) || inputs == outputs;
  for (UInt32 i = 0; i < definition->channelCount; i++)
    if (allowsChannels(definition->channels[i], inputs, outputs)) return true;
  return false;
}

static AudioComponentMethod lookUpMethod(SInt16 selector) {
  switch (selector) {
    case kAudioUnitInitializeSelect: return (AudioComponentMethod)initializeUnit;
    case kAudioUnitUninitializeSelect: return (AudioComponentMethod)uninitializeUnit;
    case kAudioUnitGetPropertyInfoSelect: return (AudioComponentMethod)getPropertyInfo;
    case kAudioUnitGetPropertySelect: return (AudioComponentMethod)getProperty;
    case kAudioUnitSetPropertySelect: return (AudioComponentMethod)setProperty;
    case kAudioUnitGetParameterSelect: return (AudioComponentMethod)getParameter;
    case kAudioUnitSetParameterSelect: return (AudioComponentMethod)setParameter;
    case kAudioUnitResetSelect: return (AudioComponentMethod)resetUnit;
    case kAudioUnitAddPropertyListenerSelect: return (AudioComponentMethod)addPropertyListener;
    case kAudioUnitRemovePropertyListenerSelect:
      return (AudioComponentMethod)removePropertyListener;
    case kAudioUnitRemovePropertyListenerWithUserDataSelect:
      return (AudioComponentMethod)removePropertyListenerWithUserData;
    case kAudioUnitRenderSelect: return (AudioComponentMethod)renderUnit;
    case kAudioUnitAddRenderNotifySelect: return (AudioComponentMethod)addRenderNotify;
    case kAudioUnitRemoveRenderNotifySelect: return (AudioComponentMethod)removeRenderNotify;
    case kAudioUnitScheduleParametersSelect: return (AudioComponentMethod)scheduleParameters;
    case kAudioUnitProcessSelect: return (AudioComponentMethod)processUnit;
    case kAudioUnitProcessMultipleSelect: return (AudioComponentMethod)processLists;
    case kAudioUnitComplexRenderSelect: return (AudioComponentMethod)renderPackets;
    default: return NULL;
  }
}

// Channels of a side before a host sets a format: stereo where that is allowed.
static UInt32 firstChannels(const AuricleUnitDefinition *definition, int side) {
  const AUChannelInfo *channels = definition->channels;
  for (UInt32 i = 0; i < definition->channelCount && channels != NULL; i++)
    if (allowsChannels(channels[i], definition->isGenerator ? 0 : 2, 2)) return 2;
  if (channels == NULL || definition->channelCount == 0) return 2;
  const SInt16 first = side == 0 ? channels[0].inChannels : channels[0].outChannels;
  return first > 0 ? (UInt32)first : 2;
}

AudioComponentPlugInInterface *AuricleMakeUnit(
    const AuricleUnitDefinition *definition, const AudioComponentDescription *description) {
  const UInt32 count = definition->parameterCount;
  struct Unit *unit = calloc(1, sizeof *unit);
  if (unit == NULL) return NULL;
  unit->definition = definition;
  unit->state = calloc(1, definition->stateSize + 1);
  unit->values = calloc(count + 1, sizeof *unit->values);
  unit->sliceValues = calloc(count + 1, sizeof *unit->sliceValues);
  unit->ramps = calloc(count + 1, sizeof *unit->ramps);
  unit->notes = definition->receivesMIDI ? makeNotes() : NULL;
  if (unit->state == NULL || unit->values == NULL || unit->sliceValues == NULL ||
      unit->ramps == NULL || (definition->receivesMIDI && unit->notes == NULL)) {
    freeUnit(unit);
    return NULL;
  }
  if (description != NULL) unit->description = *description;
  unit->interface = (AudioComponentPlugInInterface){
      .Open = openUnit,
      .Close = closeUnit,
      .Lookup = isInstrument(unit)         ? lookUpInstrumentMethod
                : definition->receivesMIDI ? lookUpPlayedMethod
                                           : lookUpMethod};
  unit->maximumFrames = 1156;
  unit->renderQuality = kRenderQuality_Max;
  unit->presetNumber = -1;
  atomic_store(&unit->lastSampleTime, -1);
  for (int side = 0; side < 2; side++)
    unit->formats[side] = (AudioStreamBasicDescription){
        .mSampleRate = 44100,
        .mFormatID = kAudioFormatLinearPCM,
        .mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
        .mBytesPerPacket = sizeof(Float32),
        .mFramesPerPacket = 1,
        .mBytesPerFrame = sizeof(Float32),
        .mChannelsPerFrame = firstChannels(definition, side),
        .mBitsPerChannel = 8 * sizeof(Float32)};
  for (UInt32 i = 0; i < count; i++)
    setValue(unit, i, bounded(unit, i, definition->parameters[i].initial));
  return &unit->interface;
}

// Forgets the past.
static void forgetPast(struct Unit *unit) {
  if (unit->definition->reset != NULL) unit->definition->reset(unit->state);
  unit->hasRendered = false;
  unit->eventCount = 0;
  unit->silentFrames = 0;
  forgetMessages(unit);
}

// Memory for what callers bring none for, and for samples that are no planar floats.
static bool allocateBuffers(struct Unit *unit) {
  enum { kAlignment = 16 };
  const UInt32 stride = (unit->maximumFrames + kAlignment - 1) / kAlignment * kAlignment;
  const size_t size = (size_t)stride * unit->output.count * sizeof(Float32);
  bool isWhole = true;
  unit->bufferStride = stride;
  unit->ownBuffer = calloc(1, size);
  unit->dry = calloc((size_t)unit->maximumFrames * unit->output.count, sizeof(Float32));
  if (unit->ownBuffer == NULL || unit->dry == NULL) return false;
  if (unit->input.count > 0 && unit->input.count != unit->output.count) {
    unit->inputMemory = calloc(unit->input.count, stride * sizeof(Float32));
    isWhole = unit->inputMemory != NULL;
  }
  for (int side = hasInput(unit) ? 0 : 1; side < 2; side++) {
    const struct SampleLayout *layout = &unit->sides[side];
    readLayout(&unit->formats[side], &unit->sides[side]);
    if (layout->isCanonical) continue;
    unit->packed[side] = calloc(stride, (size_t)layout->byteCount * layout->channelCount);
    isWhole = isWhole && unit->packed[side] != NULL;
  }
  const bool isLent = unit->external.buffer != NULL && unit->external.size >= size;
  unit->buffer = isLent ? (Float32 *)(void *)unit->external.buffer : unit->ownBuffer;
  return isWhole;
}

static OSStatus startState(struct Unit *unit) {
  const AuricleRenderFormat format = {
      .sampleRate = unit->formats[1].mSampleRate,
      .inputCount = unit->input.count,
      .outputCount = unit->output.count,
      .maximumFrames = unit->maximumFrames};
  unit->isStarted = true;
  return unit->definition->start == NULL ? kAudio_NoError
                                         : unit->definition->start(unit->state, &format);
}

static OSStatus initializeUnit(void *self) {
  struct Unit *unit = self;
  if (atomic_load(&unit->isInitialized)) return kAudio_NoError;
  const AudioStreamBasicDescription *input = &unit->formats[0], *output = &unit->formats[1];
  const UInt32 inputs = hasInput(unit) ? input->mChannelsPerFrame : 0;
  if (!supportsChannels(unit, inputs, output->mChannelsPerFrame) ||
      (hasInput(unit) && input->mSampleRate != output->mSampleRate))
    return kAudioUnitErr_FormatNotSupported;
  // Sizes of buffers are told in 32 bits.
  if ((UInt64)unit->maximumFrames * output->mChannelsPerFrame > 1u << 28 ||
      (UInt64)unit->maximumFrames * inputs > 1u << 28)
    return kAudio_MemFullError;
  // The rate may have become lower since values were set, and with it their range.
  for (UInt32 i = 0; i < unit->definition->parameterCount; i++)
    setValue(unit, i, bounded(unit, i, valueAt(unit, i)));
  unit->input.count = inputs;
  unit->output.count = output->mChannelsPerFrame;
  unit->dryPart = atomic_load(&unit->isBypassed) ? 1 : 0;
  const Float64 rest = unit->definition->restSeconds * output->mSampleRate;
  unit->restFrames = rest > 0 && rest < 4e9 ? (UInt32)ceil(rest) : UINT32_MAX;
  const OSStatus status = allocateBuffers(unit) ? startState(unit) : kAudio_MemFullError;
  if (status != kAudio_NoError) {
    uninitializeUnit(unit);
    return status;
  }
  forgetPast(unit);
  atomic_store(&unit->isInitialized, true);
  return kAudio_NoError;
}

static OSStatus uninitializeUnit(void *self) {
  struct Unit *unit = self;
  atomic_store(&unit->isInitialized, false);
  if (unit->isStarted && unit->definition->stop != NULL) unit->definition->stop(unit->state);
  unit->isStarted = false;
  free(unit->inputMemory);
  free(unit->ownBuffer);
  free(unit->dry);
  unit->inputMemory = unit->buffer = unit->ownBuffer = unit->dry = NULL;
  for (int side = 0; side < 2; side++) {
    free(unit->packed[side]);
    unit->packed[side] = NULL;
  }
  freeSamplesListeners(unit);
  while (unit->retired != NULL) {
    struct Source *next = unit->retired->retired;
    free(unit->retired);
    unit->retired = next;
  }
  while (unit->retiredNotifies != NULL) {
    struct Notify *next = unit->retiredNotifies->retired;
    free(unit->retiredNotifies);
    unit->retiredNotifies = next;
  }
  return kAudio_NoError;
}

static OSStatus resetUnit(void *self, AudioUnitScope scope, AudioUnitElement element) {
  struct Unit *unit = self;
  if (scope > kAudioUnitScope_Output) return kAudioUnitErr_InvalidScope;
  if (element != 0) return kAudioUnitErr_InvalidElement;
  if (atomic_load(&unit->isInitialized)) forgetPast(unit);
  return kAudio_NoError;
}
