// The sound of a unit in another process joined with the sound without it, where the process is late or gone.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "IsolatedParts.h"

/// Frames by which the sound without the unit is late.
static uint64_t dryDelay(const AuricleIsolated *unit) {
  // The sound of one that is joined behind another is late already.
  return unit->form.latencyFrames + (unit->form.isPipelined && !unit->isBehind ? unit->form.maximumFrames : 0);
}

/// The sample without the unit of a channel of output bus 0.
static inline float drySample(AuricleIsolated *unit, uint32_t channel, uint64_t frame) {
  if (!unit->form.passesInput || !unit->dry.channels) return 0;
  const uint32_t source = channel < unit->dry.channels ? channel : unit->dry.channels - 1;
  return *ringPlace(&unit->dry, source, frame - dryDelay(unit));
}

/// Begins a fade where the unit's sound breaks off: what the last frame had besides the sound without the unit goes away
/// over its frames. A unit that passes its input on leaves nothing to fade.
static void breakOff(AuricleIsolated *unit, uint32_t bus, uint32_t first, uint32_t count, uint64_t frame) {
  for (uint32_t channel = 0; channel < count; channel++)
    unit->rest[first + channel] = unit->last[first + channel] - (bus ? 0 : drySample(unit, channel, frame - 1));
  unit->fadeLeft = unit->form.fadeFrames;
  unit->part = 0;
}

/// One frame of a bus.
static void mixFrame(AuricleIsolated *unit, uint32_t bus, uint32_t first, uint32_t count, uint64_t frame,
                     uint32_t offset, bool isWet, AudioBufferList *buffers) {
  const float fade = (float)unit->form.fadeFrames;
  // Sound that is later or earlier than before breaks off as well.
  const bool hasMoved = unit->hasMoved && !offset;
  if (!isWet && (unit->wasWet || hasMoved)) breakOff(unit, bus, first, count, frame);
  unit->wasWet = isWet;
  if (isWet && unit->part < 1) unit->part = fade > 0 && unit->part + 1 / fade < 1 ? unit->part + 1 / fade : 1;
  if (!isWet) unit->part = 0;
  if (unit->fadeLeft) unit->fadeLeft--;
  const float decay = fade > 0 ? (float)unit->fadeLeft / fade : 0;
  for (uint32_t channel = 0; channel < count; channel++) {
    const float dry = bus ? 0 : drySample(unit, channel, frame);
    const float wet = outputRow(unit, first + channel)[offset];
    float sample = unit->part < 1 ? dry + (isWet ? (wet - dry) * unit->part : 0) : wet;
    if (unit->fadeLeft) sample += unit->rest[first + channel] * decay;
    unit->last[first + channel] = sample;
    if (channel < buffers->mNumberBuffers && buffers->mBuffers[channel].mData)
      ((float *)buffers->mBuffers[channel].mData)[offset] = sample;
  }
}

/// Brings the sound that a pipeline has for a slice to the rows of a bus. Returns whether the unit made all of it.
static bool bringBehind(AuricleIsolated *unit, uint32_t first, uint32_t count, uint64_t frame, uint32_t frameCount) {
  for (uint32_t channel = 0; channel < count; channel++)
    ringRead(&unit->wet, first + channel, frame, outputRow(unit, first + channel), frameCount);
  const RingParts parts = ringParts(&unit->wet, frame, frameCount);
  return !memchr(unit->isWet + parts.start, false, parts.first) && !memchr(unit->isWet, false, parts.rest);
}

void AuricleIsolatedMix(AuricleIsolated *unit, uint32_t bus, uint32_t frameCount, bool isWet,
                        AudioBufferList *buffers) {
  const uint32_t first = firstChannel(unit->form.outputChannels, bus), count = unit->form.outputChannels[bus];
  const uint64_t place = unit->position, wetPlace = place - unit->form.maximumFrames;
  const bool isWhole =
      unit->form.isPipelined ? bringBehind(unit, first, count, wetPlace, frameCount) : isWet;
  if (isWhole && unit->begun.wasWet && unit->begun.part >= 1 && !unit->begun.fadeLeft) {
    for (uint32_t channel = 0; channel < count; channel++) {
      const float *row = outputRow(unit, first + channel);
      unit->last[first + channel] = row[frameCount - 1];
      if (channel < buffers->mNumberBuffers && buffers->mBuffers[channel].mData != row)
        memcpy(buffers->mBuffers[channel].mData, row, frameCount * sizeof(float));
    }
    return;
  }
  // All buses of a slice fade alike.
  unit->part = unit->begun.part;
  unit->fadeLeft = unit->begun.fadeLeft;
  unit->wasWet = unit->begun.wasWet;
  for (uint32_t offset = 0; offset < frameCount; offset++) {
    const bool hasWet =
        unit->form.isPipelined ? unit->isWet[(wetPlace + offset) & unit->wet.mask] : isWet;
    mixFrame(unit, bus, first, count, place + offset, offset, hasWet, buffers);
  }
}
