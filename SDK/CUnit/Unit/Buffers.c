// Buffers of callers and sources: what they must be like, the input of a slice, both conversions.
// SPDX-License-Identifier: Apache-2.0

static OSStatus checkBuffers(
    const struct SampleLayout *layout, const AudioBufferList *buffers, UInt32 frameCount,
    bool mayBeNull) {
  if (buffers == NULL || buffers->mNumberBuffers != bufferCountOf(layout)) return kAudio_ParamError;
  for (UInt32 i = 0; i < buffers->mNumberBuffers; i++) {
    const AudioBuffer *buffer = &buffers->mBuffers[i];
    if (buffer->mData == NULL ? !mayBeNull : buffer->mDataByteSize < frameCount * strideOf(layout))
      return kAudio_ParamError;
  }
  return kAudio_NoError;
}

// Memory of the unit for one buffer of a side.
static void *memoryOf(struct Unit *unit, int side, UInt32 buffer) {
  const struct SampleLayout *layout = &unit->sides[side];
  if (!layout->isCanonical)
    return unit->packed[side] + (size_t)buffer * unit->bufferStride * strideOf(layout);
  Float32 *memory = side == 0 && !isInPlace(unit) ? unit->inputMemory : unit->buffer;
  return memory + (size_t)buffer * unit->bufferStride;
}

// Gives output buffers their sizes, and memory to those that come without.
static void ownMemory(struct Unit *unit, AudioBufferList *buffers, UInt32 frameCount) {
  const struct SampleLayout *layout = &unit->sides[1];
  for (UInt32 i = 0; i < buffers->mNumberBuffers; i++) {
    AudioBuffer *buffer = &buffers->mBuffers[i];
    if (buffer->mData == NULL) buffer->mData = memoryOf(unit, 1, i);
    buffer->mNumberChannels = layout->isPlanar ? 1 : layout->channelCount;
    buffer->mDataByteSize = frameCount * strideOf(layout);
  }
}

// Says where the planar floats of the slice lie: where the caller wants them, if it wants such.
static void placeChannels(struct Unit *unit, const AudioBufferList *output) {
  for (UInt32 i = 0; i < unit->output.count; i++)
    unit->output.samples[i] = unit->sides[1].isCanonical
                                  ? (Float32 *)output->mBuffers[i].mData
                                  : unit->ownBuffer + (size_t)i * unit->bufferStride;
  for (UInt32 i = 0; i < unit->input.count; i++)
    unit->input.samples[i] = isInPlace(unit)
                                 ? unit->output.samples[i]
                                 : unit->inputMemory + (size_t)i * unit->bufferStride;
}

// Puts the samples of a list where `process` reads them.
static void readInput(struct Unit *unit, const AudioBufferList *list, UInt32 frameCount) {
  const struct SampleLayout *layout = &unit->sides[0];
  const UInt32 wanted = frameCount * (UInt32)sizeof(Float32);
  for (UInt32 channel = 0; channel < unit->input.count; channel++) {
    Float32 *samples = unit->input.samples[channel];
    if (unit->inputIsSilent) {
      memset(samples, 0, wanted);
    } else if (!layout->isCanonical) {
      decodeChannel(layout, list, channel, frameCount, samples);
    } else {
      // What the source's memory does not hold is silence.
      const AudioBuffer *buffer = &list->mBuffers[channel];
      const UInt32 held = buffer->mDataByteSize < wanted ? buffer->mDataByteSize : wanted;
      if (buffer->mData != samples) memmove(samples, buffer->mData, held);
      memset((char *)samples + held, 0, wanted - held);
    }
  }
}

// Asks the source for a list.
static OSStatus askSource(
    const struct Source *source, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 frameCount, AudioBufferList *list) {
  if (source->unit == NULL)
    return source->callback.inputProc(
        source->callback.inputProcRefCon, flags, timeStamp, 0, frameCount, list);
  struct ComponentInstanceRecord *record = source->unit;
  if (record->render == NULL) return kAudio_UnimplementedError;
  return record->render(
      record->plugIn, flags, timeStamp, source->unitOutput, frameCount, list);
}

// Gets the input, whatever buffers the source hands over.
static OSStatus pullInput(struct Unit *unit, const AudioTimeStamp *timeStamp, UInt32 frameCount) {
  unit->inputIsSilent = false;
  if (!hasInput(unit)) return kAudio_NoError;
  const struct Source *source = atomic_load_explicit(&unit->source, memory_order_acquire);
  if (source == NULL) return kAudioUnitErr_NoConnection;
  const struct SampleLayout *layout = &unit->sides[0];
  struct BufferList *list = &unit->inputList;
  list->mNumberBuffers = bufferCountOf(layout);
  for (UInt32 i = 0; i < list->mNumberBuffers; i++) {
    void *memory = layout->isCanonical ? (void *)unit->input.samples[i] : memoryOf(unit, 0, i);
    list->mBuffers[i] = (AudioBuffer){
        .mNumberChannels = layout->isPlanar ? 1 : layout->channelCount,
        .mDataByteSize = frameCount * strideOf(layout),
        .mData = unit->lendsNoMemory[0] ? NULL : memory};
  }
  AudioUnitRenderActionFlags flags = 0;
  const OSStatus status = askSource(source, &flags, timeStamp, frameCount, (AudioBufferList *)list);
  setFloatControl(floatControlWithoutDenormals(floatControl()));
  unit->inputIsSilent = (flags & kAudioUnitRenderAction_OutputIsSilence) != 0;
  if (status != kAudio_NoError) return status;
  for (UInt32 i = 0; i < list->mNumberBuffers; i++)
    if (list->mBuffers[i].mData == NULL) return kAudio_ParamError;
  readInput(unit, (AudioBufferList *)list, frameCount);
  return kAudio_NoError;
}

// Puts the result into a caller's list, where it was not made there.
static void writeOutput(struct Unit *unit, UInt32 frameCount, AudioBufferList *output) {
  if (unit->sides[1].isCanonical) return;
  for (UInt32 channel = 0; channel < unit->output.count; channel++)
    encodeChannel(&unit->sides[1], unit->output.samples[channel], channel, frameCount, output);
}
