// Buffers of callers and sources: what they must be like, the input of a slice, both conversions.
// SPDX-License-Identifier: Apache-2.0

#include <string.h>

#include "FloatControl.h"
#include "SampleDelayUnit.h"

OSStatus checkBuffers(
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

// A list over the unit's memory for planar floats.
AudioBufferList *workList(struct Unit *unit, UInt32 frameCount) {
  struct BufferList *list = &unit->works;
  list->mNumberBuffers = unit->channelCount;
  for (UInt32 i = 0; i < unit->channelCount; i++)
    list->mBuffers[i] = (AudioBuffer){
        .mNumberChannels = 1,
        .mDataByteSize = frameCount * (UInt32)sizeof(Float32),
        .mData = unit->ownBuffer + (size_t)i * unit->bufferStride};
  return (AudioBufferList *)list;
}

// Memory of the unit for one buffer of a side.
static void *memoryOf(struct Unit *unit, int side, UInt32 buffer) {
  const struct SampleLayout *layout = &unit->sides[side];
  if (layout->isCanonical) return unit->buffer + (size_t)buffer * unit->bufferStride;
  return unit->packed[side] + (size_t)buffer * unit->bufferStride * strideOf(layout);
}

// Gives output buffers their sizes, and memory to those that come without.
void ownMemory(struct Unit *unit, AudioBufferList *buffers, UInt32 frameCount) {
  const struct SampleLayout *layout = &unit->sides[1];
  for (UInt32 i = 0; i < buffers->mNumberBuffers; i++) {
    AudioBuffer *buffer = &buffers->mBuffers[i];
    if (buffer->mData == NULL) buffer->mData = memoryOf(unit, 1, i);
    buffer->mNumberChannels = layout->isPlanar ? 1 : layout->channelCount;
    buffer->mDataByteSize = frameCount * strideOf(layout);
  }
}

// Asks the source for a list.
static OSStatus ask(
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

// Gets the input into planar buffers, whatever buffers the source hands over.
OSStatus pullInput(
    struct Unit *unit, const AudioTimeStamp *timeStamp, UInt32 frameCount,
    AudioBufferList *buffers) {
  const struct Source *source = atomic_load_explicit(&unit->source, memory_order_acquire);
  if (source == NULL) return kAudioUnitErr_NoConnection;
  const struct SampleLayout *layout = &unit->sides[0];
  struct BufferList *list = &unit->inputs;
  list->mNumberBuffers = bufferCountOf(layout);
  for (UInt32 i = 0; i < list->mNumberBuffers; i++) {
    void *memory = layout->isCanonical ? buffers->mBuffers[i].mData : memoryOf(unit, 0, i);
    list->mBuffers[i] = (AudioBuffer){
        .mNumberChannels = layout->isPlanar ? 1 : layout->channelCount,
        .mDataByteSize = frameCount * strideOf(layout),
        .mData = unit->lendsNoMemory[0] ? NULL : memory};
  }
  AudioUnitRenderActionFlags flags = 0;
  const OSStatus status = ask(source, &flags, timeStamp, frameCount, (AudioBufferList *)list);
  setFloatControl(floatControlWithoutDenormals(floatControl()));
  unit->inputIsSilent = (flags & kAudioUnitRenderAction_OutputIsSilence) != 0;
  if (status != kAudio_NoError) return status;
  for (UInt32 i = 0; i < list->mNumberBuffers; i++)
    if (list->mBuffers[i].mData == NULL) return kAudio_ParamError;
  takeInput(unit, (AudioBufferList *)list, frameCount, buffers);
  return kAudio_NoError;
}

void takeInput(
    struct Unit *unit, const AudioBufferList *input, UInt32 frameCount, AudioBufferList *buffers) {
  const struct SampleLayout *layout = &unit->sides[0];
  const UInt32 wanted = frameCount * (UInt32)sizeof(Float32);
  for (UInt32 channel = 0; channel < unit->channelCount; channel++) {
    Float32 *samples = buffers->mBuffers[channel].mData;
    if (unit->inputIsSilent) {
      memset(samples, 0, wanted);
    } else if (!layout->isCanonical) {
      decodeChannel(layout, input, channel, frameCount, samples);
    } else {
      // What the source's memory does not hold is silence.
      const AudioBuffer *buffer = &input->mBuffers[channel];
      const UInt32 held = buffer->mDataByteSize < wanted ? buffer->mDataByteSize : wanted;
      if (buffer->mData != samples) memmove(samples, buffer->mData, held);
      memset((char *)samples + held, 0, wanted - held);
    }
  }
}

void giveOutput(
    struct Unit *unit, const AudioBufferList *buffers, UInt32 frameCount, AudioBufferList *output) {
  if (unit->sides[1].isCanonical) return;  // it was made there
  for (UInt32 channel = 0; channel < unit->channelCount; channel++)
    encodeChannel(
        &unit->sides[1], buffers->mBuffers[channel].mData, channel, frameCount, output);
}
