// Rendering of slices of any length, with changes of values and messages at their frames.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "Chain.h"
#include "Internal.h"

typedef OSStatus (*MessageMethod)(void *self, UInt32 status, UInt32 data1, UInt32 data2, UInt32 offset);
typedef OSStatus (*ExclusiveMethod)(void *self, const UInt8 *data, UInt32 length);

static AudioUnitParameterEvent *addEvent(struct Unit *unit, UInt32 index) {
  const struct Parameter *parameter = &unit->parameters[index];
  if (unit->eventCount == kSliceEvents || parameter->isMeter) return NULL;
  AudioUnitParameterEvent *event = &unit->events[unit->eventCount++];
  memset(event, 0, sizeof *event);
  event->scope = parameter->scope;
  event->element = parameter->element;
  event->parameter = parameter->id;
  return event;
}

void changeValue(struct Unit *unit, UInt32 index, UInt32 frame, Float32 value) {
  unit = ownerOf(unit, &index);
  AudioUnitParameterEvent *event = addEvent(unit, index);
  if (event == NULL) return;
  event->eventType = kParameterEvent_Immediate;
  event->eventValues.immediate.bufferOffset = frame;
  event->eventValues.immediate.value = boundedValue(&unit->parameters[index], value);
}

void rampValue(struct Unit *unit, UInt32 index, UInt32 frame, UInt32 duration, Float32 from, Float32 to) {
  unit = ownerOf(unit, &index);
  const struct Parameter *parameter = &unit->parameters[index];
  const bool isRamp = duration > 1 && !parameter->isStepped && (parameter->flags & kAudioUnitParameterFlag_CanRamp) && unit->schedules;
  if (!isRamp) {
    // Points as dense as a host's, the last exact.
    enum { kStep = 16 };
    for (UInt32 done = kStep; !parameter->isStepped && done < duration; done += kStep)
      changeValue(unit, index, frame + done, from + (to - from) * (Float32)done / (Float32)duration);
    changeValue(unit, index, frame + duration, to);
    return;
  }
  AudioUnitParameterEvent *event = addEvent(unit, index);
  if (event == NULL) return;
  event->eventType = kParameterEvent_Ramped;
  event->eventValues.ramp.startBufferOffset = (SInt32)frame;
  event->eventValues.ramp.durationInFrames = duration;
  event->eventValues.ramp.startValue = boundedValue(parameter, from);
  event->eventValues.ramp.endValue = boundedValue(parameter, to);
}

// Messages of a slice longer than a piece wait in the unit, which counts frames from the piece that is next.
void sendMessage(struct Unit *unit, UInt32 frame, const UInt8 *bytes, UInt32 count) {
  if (unit->chain != NULL) unit = unit->chain->units[0];
  if (!unit->takesMIDI || !unit->isStarted || count == 0) return;
  if (bytes[0] == 0xF0) {
    ExclusiveMethod method = (ExclusiveMethod)methodOf(unit, kMusicDeviceSysExSelect);
    if (method != NULL) method(unit->plugIn, bytes, count);
    return;
  }
  MessageMethod method = (MessageMethod)methodOf(unit, kMusicDeviceMIDIEventSelect);
  if (method != NULL) method(unit->plugIn, bytes[0], count > 1 ? bytes[1] : 0, count > 2 ? bytes[2] : 0, frame);
}

// The frame of an event's beginning.
static UInt32 frameOf(const AudioUnitParameterEvent *event) {
  return event->eventType == kParameterEvent_Ramped ? (UInt32)event->eventValues.ramp.startBufferOffset
                                                    : event->eventValues.immediate.bufferOffset;
}

// Sorts events by frame; those of one frame stay in order.
static void sortEvents(struct Unit *unit) {
  for (UInt32 i = 1; i < unit->eventCount; i++) {
    const AudioUnitParameterEvent event = unit->events[i];
    UInt32 place = i;
    for (; place > 0 && frameOf(&unit->events[place - 1]) > frameOf(&event); place--) unit->events[place] = unit->events[place - 1];
    unit->events[place] = event;
  }
}

// Hands the events of a piece to the unit, and returns the piece's length: a unit that schedules nothing is rendered
// from event to event.
static UInt32 passEvents(struct Unit *unit, UInt32 begin, UInt32 frames) {
  AudioUnitParameterEvent due[64];
  UInt32 count = 0;
  for (; unit->dueCount < unit->eventCount; unit->dueCount++) {
    const AudioUnitParameterEvent *event = &unit->events[unit->dueCount];
    const UInt32 frame = frameOf(event);
    if (frame >= begin + frames) break;
    if (!unit->schedules) {
      if (frame > begin) return frame - begin;
      unit->record.setParameter(
          unit->plugIn, event->parameter, event->scope, event->element, event->eventValues.immediate.value, 0);
      continue;
    }
    due[count] = *event;
    if (event->eventType == kParameterEvent_Ramped) due[count].eventValues.ramp.startBufferOffset -= (SInt32)begin;
    else due[count].eventValues.immediate.bufferOffset -= begin;
    if (++count < sizeof due / sizeof *due) continue;
    unit->record.scheduleParameters(unit->plugIn, due, count);
    count = 0;
  }
  if (count > 0) unit->record.scheduleParameters(unit->plugIn, due, count);
  return frames;
}

// Continues a ramp beyond a piece in the next one.
static void continueRamps(struct Unit *unit, UInt32 end) {
  for (UInt32 i = 0; i < unit->dueCount; i++) {
    AudioUnitParameterEvent event = unit->events[i];
    if (event.eventType != kParameterEvent_Ramped) continue;
    const UInt32 begin = (UInt32)event.eventValues.ramp.startBufferOffset, duration = event.eventValues.ramp.durationInFrames;
    if (begin + duration <= end || begin >= end) continue;
    event.eventValues.ramp.startBufferOffset = (SInt32)begin - (SInt32)end;
    unit->record.scheduleParameters(unit->plugIn, &event, 1);
  }
}

// Whether a side chain has ever carried a signal: a unit whose side chain is not connected works without it, and most
// hosts hand over silence then.
static bool carriesSignal(const Float32 *const *channels, UInt32 count, UInt32 frames) {
  for (UInt32 i = 0; i < count; i++)
    for (UInt32 frame = 0; channels[i] != NULL && frame < frames; frame++)
      if (channels[i][frame] != 0) return true;
  return false;
}

// Copies the input of a piece: a host may use one memory for input and output.
static void copyInputs(struct Unit *unit, UInt32 begin, UInt32 frames, const Float32 *const *const *inputs) {
  Float32 *place = unit->scratch + unit->maximumFrames;
  for (UInt32 bus = 0; bus < unit->busCounts[0]; bus++) {
    const Float32 *const *channels = inputs == NULL ? NULL : inputs[bus];
    const UInt32 count = unit->buses[0][bus].channels;
    unit->inputs[bus] = channels == NULL ? NULL : unit->inputChannels[bus];
    for (UInt32 i = 0; i < count; i++, place += unit->maximumFrames) {
      unit->inputChannels[bus][i] = place;
      if (channels == NULL || channels[i] == NULL) memset(place, 0, frames * sizeof *place);
      else memcpy(place, channels[i] + begin, frames * sizeof *place);
    }
  }
}

static bool renderPiece(struct Unit *unit, UInt32 begin, UInt32 frames, Float32 *const *const *outputs) {
  const AudioTimeStamp stamp = {.mSampleTime = unit->sampleTime, .mFlags = kAudioTimeStampSampleTimeValid};
  const UInt32 busCount = unit->busCounts[1] > 0 ? unit->busCounts[1] : 1;
  unit->sliceFrames = frames;
  unit->inputOffset = begin;
  for (UInt32 bus = 0; bus < busCount; bus++) {
    AudioUnitRenderActionFlags flags = 0;
    const UInt32 channels = unit->buses[1][bus].channels;
    AudioBufferList *list = (AudioBufferList *)(void *)&unit->list;
    list->mNumberBuffers = channels;
    for (UInt32 i = 0; i < channels; i++) {
      Float32 *target = outputs == NULL || outputs[bus] == NULL || outputs[bus][i] == NULL ? NULL : outputs[bus][i] + begin;
      unit->list.mBuffers[i] = (AudioBuffer){1, frames * (UInt32)sizeof(Float32), target};
    }
    unit->lastStatus = unit->record.render(unit->plugIn, &flags, &stamp, bus, frames, list);
    if (unit->lastStatus != kAudio_NoError) return false;
    for (UInt32 i = 0; i < channels; i++) {
      Float32 *target = outputs == NULL || outputs[bus] == NULL || outputs[bus][i] == NULL ? NULL : outputs[bus][i] + begin;
      if (target != NULL && unit->list.mBuffers[i].mData != target) memmove(target, unit->list.mBuffers[i].mData, frames * sizeof *target);
    }
  }
  unit->sampleTime += frames;
  return true;
}

static void silence(const struct Unit *unit, UInt32 frames, Float32 *const *const *outputs) {
  for (UInt32 bus = 0; outputs != NULL && bus < unit->busCounts[1]; bus++)
    for (UInt32 i = 0; outputs[bus] != NULL && i < unit->buses[1][bus].channels; i++)
      if (outputs[bus][i] != NULL) memset(outputs[bus][i], 0, frames * sizeof(Float32));
}

bool renderUnit(struct Unit *unit, UInt32 frames, const Float32 *const *const *inputs, Float32 *const *const *outputs) {
  if (unit->chain != NULL) {
    const bool isDone = unit->isStarted && renderChain(unit, frames, inputs, outputs);
    if (!isDone) silence(unit, frames, outputs);
    return isDone;
  }
  bool isSound = unit->isStarted && unit->record.render != NULL;
  unit->sentCount = unit->dueCount = 0;
  sortEvents(unit);
  for (UInt32 bus = 1; isSound && inputs != NULL && bus < unit->busCounts[0]; bus++)
    if (!unit->isFed[bus] && inputs[bus] != NULL && carriesSignal(inputs[bus], unit->buses[0][bus].channels, frames)) feedBus(unit, bus);
  for (UInt32 begin = 0; isSound && begin < frames;) {
    UInt32 piece = frames - begin < unit->maximumFrames ? frames - begin : unit->maximumFrames;
    if (begin > 0 && unit->schedules) continueRamps(unit, begin);
    piece = passEvents(unit, begin, piece);
    copyInputs(unit, begin, piece, inputs);
    isSound = renderPiece(unit, begin, piece, outputs);
    begin += piece;
  }
  unit->eventCount = 0;
  if (!isSound) silence(unit, frames, outputs);
  return isSound;
}
