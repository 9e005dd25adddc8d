// Rendering: buffers of callers and sources, checks, cycles, observers.
// SPDX-License-Identifier: Apache-2.0

static OSStatus checkBuffers(
    UInt32 channelCount, const AudioBufferList *buffers, UInt32 frameCount, bool mayBeNull) {
  if (buffers == NULL || buffers->mNumberBuffers != channelCount) return kAudio_ParamError;
  for (UInt32 i = 0; i < channelCount; i++) {
    const AudioBuffer *buffer = &buffers->mBuffers[i];
    if (buffer->mData == NULL ? !mayBeNull : buffer->mDataByteSize < frameCount * sizeof(Float32))
      return kAudio_ParamError;
  }
  return kAudio_NoError;
}

// Sets the sizes of output buffers, and provides memory to the ones without; records the places of the
// channels.
static void placeChannels(struct Unit *unit, AudioBufferList *output, UInt32 frameCount) {
  for (UInt32 i = 0; i < unit->output.count; i++) {
    AudioBuffer *buffer = &output->mBuffers[i];
    if (buffer->mData == NULL) buffer->mData = unit->memory + (size_t)i * unit->stride;
    buffer->mNumberChannels = 1;
    buffer->mDataByteSize = frameCount * (UInt32)sizeof(Float32);
    unit->output.samples[i] = buffer->mData;
  }
  const Float32 *behind = unit->memory + (size_t)unit->output.count * unit->stride;
  for (UInt32 i = 0; i < unit->input.count; i++)
    unit->input.samples[i] =
        isInPlace(unit) ? unit->output.samples[i] : (Float32 *)behind + (size_t)i * unit->stride;
}

// Puts the samples of a list where `process` reads them; frames beyond the list's memory are silence.
static void readInput(struct Unit *unit, const AudioBuffer *buffers, UInt32 frameCount) {
  const UInt32 wanted = frameCount * (UInt32)sizeof(Float32);
  for (UInt32 i = 0; i < unit->input.count; i++) {
    const UInt32 size = unit->inputIsSilent ? 0 : buffers[i].mDataByteSize;
    const UInt32 held = size < wanted ? size : wanted;
    if (buffers[i].mData != unit->input.samples[i])
      memmove(unit->input.samples[i], buffers[i].mData, held);
    memset((char *)unit->input.samples[i] + held, 0, wanted - held);
  }
}

// Asks the source for a list.
static OSStatus askSource(
    const struct Hook *source, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 frameCount, AudioBufferList *list) {
  const struct ComponentInstanceRecord *record = source->unit;
  if (record == NULL)
    return ((AURenderCallback)source->procedure)(source->refCon, flags, timeStamp, 0, frameCount, list);
  return record->render == NULL
             ? kAudio_UnimplementedError
             : record->render(record->plugIn, flags, timeStamp, source->number, frameCount, list);
}

// Pulls the input into any buffers of the source.
static OSStatus pullInput(struct Unit *unit, const AudioTimeStamp *timeStamp, UInt32 frameCount) {
  unit->inputIsSilent = false;
  if (!hasInput(unit)) return kAudio_NoError;
  const struct Hook *source = atomic_load_explicit(&unit->source, memory_order_acquire);
  if (source == NULL) return kAudioUnitErr_NoConnection;
  AudioBuffer *buffers = unit->inputList.mBuffers;
  unit->inputList.mNumberBuffers = unit->input.count;
  for (UInt32 i = 0; i < unit->input.count; i++)
    buffers[i] = (AudioBuffer){1, frameCount * (UInt32)sizeof(Float32), unit->input.samples[i]};
  AudioUnitRenderActionFlags flags = 0;
  const OSStatus status =
      askSource(source, &flags, timeStamp, frameCount, (AudioBufferList *)(void *)&unit->inputList);
  setFloatControl(floatControl() | kNoDenormals);
  unit->inputIsSilent = (flags & kAudioUnitRenderAction_OutputIsSilence) != 0;
  if (status != kAudio_NoError) return status;
  for (UInt32 i = 0; i < unit->input.count; i++)
    if (buffers[i].mData == NULL) return kAudio_ParamError;
  readInput(unit, buffers, frameCount);
  return kAudio_NoError;
}

static void notifyObservers(
    struct Unit *unit, AudioUnitRenderActionFlags phase, const AudioUnitRenderActionFlags *flags,
    const AudioTimeStamp *timeStamp, UInt32 frameCount, AudioBufferList *buffers) {
  for (int i = 0; i < kMaximumHooks; i++) {
    const struct Hook *observer = atomic_load_explicit(&unit->observers[i], memory_order_acquire);
    if (observer == NULL) continue;
    AudioUnitRenderActionFlags seen = (flags != NULL ? *flags : 0) | phase;
    ((AURenderCallback)observer->procedure)(observer->refCon, &seen, timeStamp, 0, frameCount, buffers);
  }
}

// Sets in a caller's flags whether the output is silent.
static void reportSilence(const struct Unit *unit, AudioUnitRenderActionFlags *flags) {
  if (flags == NULL) return;
  *flags &= ~(AudioUnitRenderActionFlags)kAudioUnitRenderAction_OutputIsSilence;
  if (unit->outputIsSilent) *flags |= kAudioUnitRenderAction_OutputIsSilence;
}

// Reports an error once, until the host has read it.
static OSStatus finish(struct Unit *unit, OSStatus status) {
  if (status != kAudio_NoError && atomic_exchange(&unit->lastError, status) == kAudio_NoError)
    propertyChanged(unit, kAudioUnitProperty_LastRenderError, kAudioUnitScope_Global);
  return status;
}

static OSStatus checkCall(const struct Unit *unit, const AudioTimeStamp *timeStamp, UInt32 frameCount) {
  if (!atomic_load(&unit->isInitialized)) return kAudioUnitErr_Uninitialized;
  if (timeStamp == NULL) return kAudio_ParamError;
  return frameCount > unit->maximumFrames ? kAudioUnitErr_TooManyFramesToProcess : kAudio_NoError;
}

static OSStatus renderUnit(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 outputElement, UInt32 frameCount, AudioBufferList *buffers) {
  struct Unit *unit = self;
  OSStatus status = checkCall(unit, timeStamp, frameCount);
  if (status == kAudio_NoError && outputElement != 0) status = kAudioUnitErr_InvalidElement;
  if (status == kAudio_NoError) status = checkBuffers(unit->output.count, buffers, frameCount, true);
  // A unit whose source pulls it in turn would never come to an end.
  if (status == kAudio_NoError && unit->isRendering) status = kAudioUnitErr_CannotDoInCurrentContext;
  if (status != kAudio_NoError) return finish(unit, status);
  unit->isRendering = true;
  const uint64_t before = floatControl();
  setFloatControl(before | kNoDenormals);
  notifyObservers(unit, kAudioUnitRenderAction_PreRender, flags, timeStamp, frameCount, buffers);
  placeChannels(unit, buffers, frameCount);
  // A cycle is rendered once, however often it is asked for.
  const bool isTimed = (timeStamp->mFlags & kAudioTimeStampSampleTimeValid) != 0;
  if (!(unit->hasRendered && isTimed && timeStamp->mSampleTime == unit->lastSampleTime) && frameCount > 0) {
    status = pullInput(unit, timeStamp, frameCount);
    if (status == kAudio_NoError) runSlice(unit, frameCount);
    unit->hasRendered = status == kAudio_NoError && isTimed;
    unit->lastSampleTime = timeStamp->mSampleTime;
  }
  unit->eventCount = 0;
  AudioUnitRenderActionFlags phase = kAudioUnitRenderAction_PostRender;
  if (status == kAudio_NoError) reportSilence(unit, flags);
  else phase |= kAudioUnitRenderAction_PostRenderError;
  notifyObservers(unit, phase, flags, timeStamp, frameCount, buffers);
  setFloatControl(before);
  unit->isRendering = false;
  return finish(unit, status);
}

// Processes a list of the caller's in place.
static OSStatus processUnit(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 frameCount, AudioBufferList *buffers) {
  struct Unit *unit = self;
  OSStatus status = checkCall(unit, timeStamp, frameCount);
  if (status == kAudio_NoError && hasInput(unit) && !isInPlace(unit)) status = kAudioUnitErr_FormatNotSupported;
  if (status == kAudio_NoError) status = checkBuffers(unit->output.count, buffers, frameCount, false);
  if (status != kAudio_NoError || frameCount == 0) return finish(unit, status);
  const uint64_t before = floatControl();
  setFloatControl(before | kNoDenormals);
  unit->inputIsSilent = flags != NULL && (*flags & kAudioUnitRenderAction_OutputIsSilence) != 0;
  unit->hasRendered = false;  // the next render is another cycle at any time stamp
  placeChannels(unit, buffers, frameCount);
  readInput(unit, buffers->mBuffers, frameCount);
  runSlice(unit, frameCount);
  reportSilence(unit, flags);
  setFloatControl(before);
  return kAudio_NoError;
}
