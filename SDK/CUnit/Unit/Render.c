// Rendering: checks, cycles, observers, lists of a caller.
// SPDX-License-Identifier: Apache-2.0

static void notifyObservers(
    struct Unit *unit, AudioUnitRenderActionFlags phase, const AudioUnitRenderActionFlags *flags,
    const AudioTimeStamp *timeStamp, UInt32 frameCount, AudioBufferList *buffers) {
  for (int i = 0; i < kMaximumListeners; i++) {
    const struct Notify *observer =
        atomic_load_explicit(&unit->notifies[i], memory_order_acquire);
    if (observer == NULL) continue;
    AudioUnitRenderActionFlags seen = (flags != NULL ? *flags : 0) | phase;
    observer->procedure(observer->refCon, &seen, timeStamp, 0, frameCount, buffers);
  }
}

// Reports which input the output was made of, where the host wants to know.
static void reportInputSamples(
    struct Unit *unit, const AudioTimeStamp *timeStamp, UInt32 frameCount) {
  const struct SamplesListener *listener =
      atomic_load_explicit(&unit->samplesListener, memory_order_acquire);
  if (listener == NULL) return;
  listener->callback.inputToOutputCallback(
      listener->callback.userData, timeStamp, timeStamp->mSampleTime, frameCount);
  setFloatControl(floatControlWithoutDenormals(floatControl()));
}

static UInt64 nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (UInt64)now.tv_sec * 1000000000u + (UInt64)now.tv_nsec;
}

// One slice of sixty-four is measured; 0 for the others.
static UInt64 beginMeasuring(struct Unit *unit) {
  if (unit->slicesUntilMeasured > 0) {
    unit->slicesUntilMeasured -= 1;
    return 0;
  }
  unit->slicesUntilMeasured = 63;
  return nanoseconds();
}

static void endMeasuring(struct Unit *unit, UInt64 begun, UInt32 frameCount) {
  if (begun == 0) return;
  const Float64 spent = (Float64)(nanoseconds() - begun) * 1e-9;
  const Float32 present = (Float32)(spent * unit->formats[1].mSampleRate / frameCount);
  const Float32 before = atomic_load_explicit(&unit->load, memory_order_relaxed);
  atomic_store_explicit(
      &unit->load, before == 0 ? present : before + (present - before) * 0.25f,
      memory_order_relaxed);
}

// Says in a caller's flags whether the output is silent.
static void reportSilence(const struct Unit *unit, AudioUnitRenderActionFlags *flags) {
  if (flags == NULL) return;
  *flags &= ~(AudioUnitRenderActionFlags)kAudioUnitRenderAction_OutputIsSilence;
  if (unit->outputIsSilent) *flags |= kAudioUnitRenderAction_OutputIsSilence;
}

static OSStatus finish(struct Unit *unit, OSStatus status) {
  // Told once, until the host has read it.
  if (status != kAudio_NoError &&
      atomic_exchange(&unit->lastError, status) == kAudio_NoError)
    propertyChanged(unit, kAudioUnitProperty_LastRenderError, kAudioUnitScope_Global);
  return status;
}

static OSStatus renderUnit(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 outputElement, UInt32 frameCount, AudioBufferList *buffers) {
  struct Unit *unit = self;
  if (!atomic_load(&unit->isInitialized)) return finish(unit, kAudioUnitErr_Uninitialized);
  if (timeStamp == NULL) return finish(unit, kAudio_ParamError);
  if (outputElement != 0) return finish(unit, kAudioUnitErr_InvalidElement);
  if (frameCount > unit->maximumFrames) return finish(unit, kAudioUnitErr_TooManyFramesToProcess);
  OSStatus status =
      checkBuffers(&unit->sides[1], buffers, frameCount, !unit->lendsNoMemory[1]);
  if (status != kAudio_NoError) return finish(unit, status);
  // A unit whose source pulls it in turn would never come to an end.
  if (unit->isRendering) return finish(unit, kAudioUnitErr_CannotDoInCurrentContext);
  unit->isRendering = true;
  const FloatControl before = floatControl();
  setFloatControl(floatControlWithoutDenormals(before));
  notifyObservers(unit, kAudioUnitRenderAction_PreRender, flags, timeStamp, frameCount, buffers);
  ownMemory(unit, buffers, frameCount);
  // A cycle is rendered once, however often it is asked for.
  const bool isTimed = (timeStamp->mFlags & kAudioTimeStampSampleTimeValid) != 0;
  const bool isRepeated =
      unit->hasRendered && isTimed && timeStamp->mSampleTime == unit->lastSampleTime;
  if (!isRepeated && frameCount > 0) {
    const UInt64 begun = beginMeasuring(unit);
    placeChannels(unit, buffers);
    status = pullInput(unit, timeStamp, frameCount);
    if (status == kAudio_NoError) status = runSlice(unit, frameCount);
    if (status == kAudio_NoError || status == kAuricleErr_NotFinite)
      writeOutput(unit, frameCount, buffers);
    endMeasuring(unit, begun, frameCount);
    if (status == kAudio_NoError) reportInputSamples(unit, timeStamp, frameCount);
    unit->hasRendered = status == kAudio_NoError && isTimed;
    unit->lastSampleTime = timeStamp->mSampleTime;
  }
  unit->eventCount = 0;
  if (status == kAudio_NoError) reportSilence(unit, flags);
  notifyObservers(
      unit,
      status == kAudio_NoError
          ? kAudioUnitRenderAction_PostRender
          : kAudioUnitRenderAction_PostRender | kAudioUnitRenderAction_PostRenderError,
      flags, timeStamp, frameCount, buffers);
  setFloatControl(before);
  unit->isRendering = false;
  return finish(unit, status);
}

// Processes one list of a caller's into another, which may be the same.
static OSStatus processBuffers(
    struct Unit *unit, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 frameCount, const AudioBufferList *input, AudioBufferList *output) {
  const FloatControl before = floatControl();
  setFloatControl(floatControlWithoutDenormals(before));
  unit->inputIsSilent =
      flags != NULL && (*flags & kAudioUnitRenderAction_OutputIsSilence) != 0;
  unit->hasRendered = false;  // what is rendered next is another cycle, whatever its time
  OSStatus status = kAudio_NoError;
  if (frameCount > 0) {
    placeChannels(unit, output);
    readInput(unit, input, frameCount);
    status = runSlice(unit, frameCount);
    if (status == kAudio_NoError || status == kAuricleErr_NotFinite)
      writeOutput(unit, frameCount, output);
    if (status == kAudio_NoError) reportInputSamples(unit, timeStamp, frameCount);
    unit->lastSampleTime = timeStamp->mSampleTime;
    reportSilence(unit, flags);
  }
  unit->eventCount = 0;
  setFloatControl(before);
  return finish(unit, status);
}

// What holds whatever a caller promises of its buffers.
static OSStatus checkState(const struct Unit *unit, UInt32 frameCount) {
  if (!atomic_load(&unit->isInitialized)) return kAudioUnitErr_Uninitialized;
  return frameCount > unit->maximumFrames ? kAudioUnitErr_TooManyFramesToProcess : kAudio_NoError;
}

static bool promises(const AudioUnitRenderActionFlags *flags) {
  return flags != NULL && (*flags & kAudioUnitRenderAction_DoNotCheckRenderArgs) != 0;
}

static OSStatus processUnit(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 frameCount, AudioBufferList *buffers) {
  struct Unit *unit = self;
  OSStatus status = checkState(unit, frameCount);
  if (status == kAudio_NoError && (timeStamp == NULL || buffers == NULL))
    status = kAudio_ParamError;
  // In place, what comes out lies as what went in.
  if (status == kAudio_NoError && hasInput(unit) &&
      memcmp(&unit->formats[0], &unit->formats[1], sizeof unit->formats[0]) != 0)
    status = kAudioUnitErr_FormatNotSupported;
  if (status == kAudio_NoError && !promises(flags))
    status = checkBuffers(&unit->sides[1], buffers, frameCount, false);
  if (status != kAudio_NoError) return finish(unit, status);
  return processBuffers(unit, flags, timeStamp, frameCount, buffers, buffers);
}

static OSStatus processLists(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 frameCount, UInt32 inputCount, const AudioBufferList **inputs, UInt32 outputCount,
    AudioBufferList **outputs) {
  struct Unit *unit = self;
  OSStatus status = checkState(unit, frameCount);
  if (status == kAudio_NoError &&
      (timeStamp == NULL || inputCount != hasInput(unit) || outputCount != 1 || outputs == NULL ||
       outputs[0] == NULL || (hasInput(unit) && (inputs == NULL || inputs[0] == NULL))))
    status = kAudio_ParamError;
  if (status == kAudio_NoError && !promises(flags)) {
    if (hasInput(unit)) status = checkBuffers(&unit->sides[0], inputs[0], frameCount, false);
    if (status == kAudio_NoError)
      status = checkBuffers(&unit->sides[1], outputs[0], frameCount, !unit->lendsNoMemory[1]);
  }
  if (status != kAudio_NoError) return finish(unit, status);
  ownMemory(unit, outputs[0], frameCount);
  return processBuffers(unit, flags, timeStamp, frameCount, hasInput(unit) ? inputs[0] : NULL, outputs[0]);
}

static OSStatus renderPackets(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 outputElement, UInt32 packetCount, UInt32 *producedPacketCount,
    AudioStreamPacketDescription *packets, AudioBufferList *buffers, void *metadata,
    UInt32 *metadataSize) {
  (void)packets;  // packets of linear PCM are frames, and need no description
  (void)metadata;
  if (producedPacketCount == NULL) return kAudio_ParamError;
  if (metadataSize != NULL) *metadataSize = 0;
  const OSStatus status =
      renderUnit(self, flags, timeStamp, outputElement, packetCount, buffers);
  *producedPacketCount = status == kAudio_NoError ? packetCount : 0;
  return status;
}

static OSStatus addRenderNotify(void *self, AURenderCallback procedure, void *refCon) {
  struct Unit *unit = self;
  if (procedure == NULL) return kAudio_ParamError;
  for (int i = 0; i < kMaximumListeners; i++) {
    if (atomic_load_explicit(&unit->notifies[i], memory_order_relaxed) != NULL) continue;
    struct Notify *made = malloc(sizeof *made);
    if (made == NULL) return kAudio_MemFullError;
    *made = (struct Notify){.procedure = procedure, .refCon = refCon};
    atomic_store_explicit(&unit->notifies[i], made, memory_order_release);
    return kAudio_NoError;
  }
  return kAudio_MemFullError;
}

static OSStatus removeRenderNotify(void *self, AURenderCallback procedure, void *refCon) {
  struct Unit *unit = self;
  for (int i = 0; i < kMaximumListeners; i++) {
    struct Notify *found = atomic_load_explicit(&unit->notifies[i], memory_order_relaxed);
    if (found == NULL || found->procedure != procedure || found->refCon != refCon) continue;
    atomic_store_explicit(&unit->notifies[i], NULL, memory_order_release);
    // A slice may be using it: it goes when the unit renders no more.
    found->retired = unit->retiredNotifies;
    unit->retiredNotifies = found;
  }
  return kAudio_NoError;
}
