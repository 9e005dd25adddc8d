// The component and its processor: buses, states, and slices with their changes and events.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "PlugIn.h"

UNKNOWN_FUNCTIONS(component)
UNKNOWN_FUNCTIONS(processor)
UNKNOWN_FUNCTIONS(requirements)

static Result initialize(void *self, void *context) {
  (void)context;
  struct PlugIn *plugIn = SELF(component, self);
  char reason[1024];
  if (plugIn->unit != NULL) return kFalse;
  plugIn->unit = makeUnit(adapterBundle(), plugIn->entry, reason, sizeof reason);
  if (plugIn->unit == NULL) return kInternalError;
  const size_t count = plugIn->unit->parameterCount + 1;
  plugIn->shown = calloc(count, sizeof *plugIn->shown);
  plugIn->processed = calloc(count, sizeof *plugIn->processed);
  plugIn->meters = calloc(count, sizeof *plugIn->meters);
  if (plugIn->shown == NULL || plugIn->processed == NULL || plugIn->meters == NULL) return kInternalError;
  for (int side = 0; side < 2; side++) plugIn->isBusActive[side][0] = true;
  showValues(plugIn);
  return kOk;
}

static Result terminate(void *self) {
  struct PlugIn *plugIn = SELF(component, self);
  freeUnit(plugIn->unit);
  plugIn->unit = NULL;
  free(plugIn->shown);
  free(plugIn->processed);
  free(plugIn->meters);
  plugIn->shown = plugIn->processed = NULL;
  plugIn->meters = NULL;
  plugIn->isActive = false;
  return kOk;
}

// It is the controller itself.
static Result getControllerClassId(void *self, char *cid) {
  (void)self;
  memset(cid, 0, 16);
  return kNotImplemented;
}

static Result setIoMode(void *self, int32_t mode) {
  (void)self, (void)mode;
  return kNotImplemented;
}

static int32_t countBuses(const struct PlugIn *plugIn, int32_t media, int32_t direction) {
  const struct Unit *unit = plugIn->unit;
  if (unit == NULL || direction < 0 || direction > 1) return 0;
  if (media == 1) return direction == 0 ? unit->takesMIDI : unit->sendsMIDI;
  return media != 0 || plugIn->entry->description.componentType == kAudioUnitType_MIDIProcessor ? 0 : (int32_t)unit->busCounts[direction];
}

static int32_t getBusCount(void *self, int32_t media, int32_t direction) { return countBuses(SELF(component, self), media, direction); }

static Result getBusInfo(void *self, int32_t media, int32_t direction, int32_t index, struct BusInfo *info) {
  struct PlugIn *plugIn = SELF(component, self);
  if (index < 0 || index >= countBuses(plugIn, media, direction)) return kInvalidArgument;
  const struct Bus *bus = &plugIn->unit->buses[direction][index];
  memset(info, 0, sizeof *info);
  info->media = media;
  info->direction = direction;
  info->channelCount = media == 1 ? kChannels : (int32_t)bus->channels;
  info->type = index > 0;
  info->flags = index == 0;
  writeWide(info->name, 128, media == 0 ? bus->name : direction == 0 ? "MIDI In" : "MIDI Out");
  return kOk;
}

static Result getRoutingInfo(void *self, struct RoutingInfo *in, struct RoutingInfo *out) {
  (void)self, (void)in, (void)out;
  return kNotImplemented;
}

static Result activateBus(void *self, int32_t media, int32_t direction, int32_t index, uint8_t state) {
  struct PlugIn *plugIn = SELF(component, self);
  if (index < 0 || index >= countBuses(plugIn, media, direction)) return kInvalidArgument;
  if (media == 0) plugIn->isBusActive[direction][index] = state != 0;
  return kOk;
}

static bool start(struct PlugIn *plugIn, const struct ProcessSetup *setup) {
  const UInt32 frames = setup->maximumFrames > 0 ? (UInt32)setup->maximumFrames : 1024;
  return startUnit(plugIn->unit, setup->sampleRate, frames, setup->mode == 2);
}

static Result setActive(void *self, uint8_t state) {
  struct PlugIn *plugIn = SELF(component, self);
  if (plugIn->unit == NULL) return kFalse;
  if (state == 0) {
    stopUnit(plugIn->unit);
    plugIn->isActive = false;
    return kOk;
  }
  plugIn->isActive = start(plugIn, &plugIn->setup);
  return plugIn->isActive ? kOk : kInternalError;
}

static Result setState(void *self, void *stream) {
  enum { kStep = 1 << 16, kMost = 1 << 28 };
  struct PlugIn *plugIn = SELF(component, self);
  const struct StreamTable *table = stream == NULL ? NULL : *(const struct StreamTable **)stream;
  char *bytes = NULL;
  size_t length = 0;
  int32_t count = 1;
  if (table == NULL || plugIn->unit == NULL) return kInvalidArgument;
  while (count > 0 && length < kMost) {
    char *grown = realloc(bytes, length + kStep);
    count = 0;
    if (grown == NULL) break;
    bytes = grown;
    if (table->read(stream, bytes + length, kStep, &count) != kOk || count < 0) count = 0;
    length += (size_t)count;
  }
  const bool isRestored = bytes != NULL && restoreState(plugIn->unit, bytes, length);
  free(bytes);
  if (!isRestored) return kFalse;
  showValues(plugIn);
  return kOk;
}

static Result getState(void *self, void *stream) {
  struct PlugIn *plugIn = SELF(component, self);
  const struct StreamTable *table = stream == NULL ? NULL : *(const struct StreamTable **)stream;
  size_t length = 0, done = 0;
  if (table == NULL || plugIn->unit == NULL) return kInvalidArgument;
  char *state = saveState(plugIn->unit, &length);
  while (state != NULL && done < length) {
    int32_t count = 0;
    if (table->write(stream, state + done, (int32_t)(length - done), &count) != kOk || count <= 0) break;
    done += (size_t)count;
  }
  free(state);
  return length > 0 && done == length ? kOk : kInternalError;
}

// ---- The processor.

// The number of channels of an arrangement; ambisonics of high orders are counts of low bits as well.
static UInt32 channelsOf(uint64_t arrangement) { return (UInt32)__builtin_popcountll(arrangement); }

static uint64_t arrangementOf(UInt32 channels) {
  static const uint64_t usual[] = {0, 0x80000, 0x3, 0x7, 0x33, 0x37, 0x3F, 0x13F, 0x63F};
  return channels <= 8 ? usual[channels] : channels >= 64 ? ~0ull : (1ull << channels) - 1;
}

static Result setBusArrangements(void *self, uint64_t *inputs, int32_t inputCount, uint64_t *outputs, int32_t outputCount) {
  struct PlugIn *plugIn = SELF(processor, self);
  struct Unit *unit = plugIn->unit;
  UInt32 before[2][kMaximumBuses], wanted[2][kMaximumBuses];
  if (unit == NULL || plugIn->isActive || inputCount > countBuses(plugIn, 0, 0) || outputCount > countBuses(plugIn, 0, 1)) return kFalse;
  for (int side = 0; side < 2; side++)
    for (UInt32 bus = 0; bus < unit->busCounts[side]; bus++) {
      const uint64_t *asked = side ? outputs : inputs;
      before[side][bus] = unit->buses[side][bus].channels;
      wanted[side][bus] = (int32_t)bus < (side ? outputCount : inputCount) ? channelsOf(asked[bus]) : before[side][bus];
    }
  if (!arrangeUnit(unit, wanted[0], wanted[1])) {
    arrangeUnit(unit, before[0], before[1]);
    return kFalse;
  }
  for (int side = 0; side < 2; side++)
    for (int32_t bus = 0; bus < (side ? outputCount : inputCount); bus++) plugIn->arrangements[side][bus] = (side ? outputs : inputs)[bus];
  return kOk;
}

static Result getBusArrangement(void *self, int32_t direction, int32_t index, uint64_t *arrangement) {
  struct PlugIn *plugIn = SELF(processor, self);
  if (index < 0 || index >= countBuses(plugIn, 0, direction)) return kInvalidArgument;
  // Speakers that a host chose, or the usual ones of their number.
  const UInt32 channels = plugIn->unit->buses[direction][index].channels;
  const uint64_t chosen = plugIn->arrangements[direction][index];
  *arrangement = channelsOf(chosen) == channels ? chosen : arrangementOf(channels);
  return kOk;
}

static Result canProcessSampleSize(void *self, int32_t size) {
  (void)self;
  return size == 0 ? kOk : kFalse;
}

static uint32_t getLatencySamples(void *self) {
  struct PlugIn *plugIn = SELF(processor, self);
  return plugIn->unit == NULL ? 0 : readLatency(plugIn->unit);
}

static uint32_t getTailSamples(void *self) {
  struct PlugIn *plugIn = SELF(processor, self);
  const double frames = plugIn->unit == NULL ? 0 : ceil(readTail(plugIn->unit, NULL) * plugIn->setup.sampleRate);
  return frames >= 4294967295.0 ? UINT32_MAX : (uint32_t)frames;
}

static Result setupProcessing(void *self, struct ProcessSetup *setup) {
  struct PlugIn *plugIn = SELF(processor, self);
  if (setup->sampleSize != 0 || plugIn->unit == NULL || plugIn->isActive || !(setup->sampleRate > 0)) return kFalse;
  // A unit that cannot run at a rate refuses it here: hosts do not expect it when they activate.
  if (setup->sampleRate != plugIn->setup.sampleRate) {
    const bool isTaken = start(plugIn, setup);
    stopUnit(plugIn->unit);
    if (!isTaken) return kFalse;
  }
  plugIn->setup = *setup;
  return kOk;
}

static Result setProcessing(void *self, uint8_t state) {
  struct PlugIn *plugIn = SELF(processor, self);
  if (!plugIn->isActive) return kFalse;
  // The way in which hosts reset a plug-in.
  if (state != 0) resetUnit(plugIn->unit);
  return kOk;
}

// A controller of MIDI, which hosts send as a parameter.
static void sendController(struct Unit *unit, UInt32 number, UInt32 frame, double value) {
  const UInt32 channel = number / kControllers, controller = number % kControllers;
  const UInt32 fine = (UInt32)(value * 16383 + 0.5);
  const UInt8 coarse = (UInt8)(value * 127 + 0.5);
  if (controller < 128) sendMessage(unit, frame, (const UInt8[]){(UInt8)(0xB0 | channel), (UInt8)controller, coarse}, 3);
  else if (controller == 128) sendMessage(unit, frame, (const UInt8[]){(UInt8)(0xD0 | channel), coarse}, 2);
  else sendMessage(unit, frame, (const UInt8[]){(UInt8)(0xE0 | channel), fine & 127, (UInt8)(fine >> 7)}, 3);
}

// A line between two points; in the plain range it is straight where the scale is.
static void changeAlong(struct PlugIn *plugIn, UInt32 place, UInt32 begin, UInt32 end, double from, double to) {
  struct Unit *unit = plugIn->unit;
  const struct Parameter *parameter = &unit->parameters[place];
  if (end <= begin + 1 || from == to || parameter->isStepped) {
    changeValue(unit, place, end, (Float32)plainValue(parameter, to));
    return;
  }
  // A line of the logarithm is a row of short lines.
  const UInt32 step = parameter->isLogarithmic ? 16 : end - begin;
  Float32 before = (Float32)plainValue(parameter, from);
  for (UInt32 frame = begin; frame < end;) {
    const UInt32 next = end - frame < step ? end : frame + step;
    const Float32 plain = (Float32)plainValue(parameter, from + (to - from) * (next - begin) / (end - begin));
    rampValue(unit, place, frame, next - frame, before, plain);
    before = plain;
    frame = next;
  }
}

static void readQueue(struct PlugIn *plugIn, void *queue, UInt32 frames) {
  const struct QueueTable *table = *(const struct QueueTable **)queue;
  const uint32_t id = table->getParameterId(queue);
  const SInt32 place = placeOfKey(plugIn->unit, id);
  const int32_t count = table->getPointCount(queue);
  UInt32 before = 0;
  for (int32_t i = 0; i < count; i++) {
    int32_t offset = 0;
    double value = 0;
    if (table->getPoint(queue, i, &offset, &value) != kOk || !isfinite(value)) continue;
    value = value < 0 ? 0 : value > 1 ? 1 : value;
    const UInt32 frame = offset < 0 || frames == 0 ? 0 : (UInt32)offset >= frames ? frames - 1 : (UInt32)offset;
    if (id == kBypassID) bypassUnit(plugIn->unit, value >= 0.5);
    if (id >= kFirstControllerID && id < kFirstControllerID + kControllers * kChannels) sendController(plugIn->unit, id - kFirstControllerID, frame, value);
    if (id == kProgramID && plugIn->unit->presetCount > 0) {
      const UInt32 program = (UInt32)(value * plugIn->unit->presetCount + 0.5);
      if (program > 0 && value != plugIn->shownProgram) choosePreset(plugIn->unit, plugIn->unit->presets[program - 1].number);
      plugIn->shownProgram = value;
    }
    if (place < 0) continue;
    const Float32 plain = (Float32)plainValue(&plugIn->unit->parameters[place], value);
    // A single point at the beginning is a knob that is turned, which glides. A slice of one frame is one of a ramp.
    if (frames == 0 || (frame == 0 && count == 1 && frames > 1)) setValue(plugIn->unit, (UInt32)place, plain);
    else if (i > 0 && value == plugIn->processed[place]) before = frame;
    else if (frame == 0) changeValue(plugIn->unit, (UInt32)place, 0, plain);
    else changeAlong(plugIn, (UInt32)place, before, frame, plugIn->processed[place], value);
    plugIn->processed[place] = value;
    before = frame;
    atomic_store(&plugIn->wantsLatency, true);
  }
}

static void readChanges(struct PlugIn *plugIn, void *changes, UInt32 frames) {
  const struct ChangesTable *table = changes == NULL ? NULL : *(const struct ChangesTable **)changes;
  const int32_t count = table == NULL ? 0 : table->getParameterCount(changes);
  for (int32_t i = 0; i < count; i++) {
    void *queue = table->getParameterData(changes, i);
    if (queue != NULL) readQueue(plugIn, queue, frames);
  }
}

static UInt8 ofSeven(float value) { return value <= 0 ? 0 : value >= 1 ? 127 : (UInt8)(value * 127 + 0.5f); }

static void readEvents(struct PlugIn *plugIn, void *events, UInt32 frames) {
  const struct EventsTable *table = events == NULL ? NULL : *(const struct EventsTable **)events;
  const int32_t count = table == NULL ? 0 : table->getEventCount(events);
  for (int32_t i = 0; i < count; i++) {
    struct Event event;
    if (table->getEvent(events, i, &event) != kOk) continue;
    const UInt32 frame = event.offset < 0 ? 0 : (UInt32)event.offset >= frames ? frames - 1 : (UInt32)event.offset;
    if (event.type == kNoteOn) {
      const UInt8 velocity = ofSeven(event.on.velocity);
      sendMessage(plugIn->unit, frame, (const UInt8[]){(UInt8)(0x90 | (event.on.channel & 15)), event.on.pitch & 127, velocity > 0 ? velocity : 1}, 3);
    } else if (event.type == kNoteOff) {
      sendMessage(plugIn->unit, frame, (const UInt8[]){(UInt8)(0x80 | (event.off.channel & 15)), event.off.pitch & 127, ofSeven(event.off.velocity)}, 3);
    } else if (event.type == kPolyPressure) {
      sendMessage(plugIn->unit, frame, (const UInt8[]){(UInt8)(0xA0 | (event.pressure.channel & 15)), event.pressure.pitch & 127, ofSeven(event.pressure.pressure)}, 3);
    } else if (event.type == kData && event.data.type == 0 && event.data.bytes != NULL) {
      sendMessage(plugIn->unit, frame, event.data.bytes, event.data.size);
    }
  }
}

static void readContext(struct Unit *unit, const struct ProcessContext *context) {
  struct Transport *transport = &unit->transport;
  transport->isValid = context != NULL;
  if (context == NULL) return;
  const bool isPlaying = context->state & kPlaying;
  transport->hasChanged = isPlaying != transport->isPlaying;
  transport->isPlaying = isPlaying;
  transport->isRecording = context->state & kRecording;
  transport->isCycling = context->state & kCycleActive;
  transport->sample = (double)context->projectSamples;
  transport->tempo = context->state & kTempoValid ? context->tempo : 120;
  transport->beat = context->state & kBeatsValid ? context->projectBeats : 0;
  transport->barBeat = context->state & kBarValid ? context->barBeats : 0;
  transport->cycleStart = context->state & kCycleValid ? context->cycleStartBeats : 0;
  transport->cycleEnd = context->state & kCycleValid ? context->cycleEndBeats : 0;
  transport->numerator = context->state & kSignatureValid ? context->numerator : 4;
  transport->denominator = context->state & kSignatureValid ? (UInt32)context->denominator : 4;
}

// Adds one message that the unit sent.
static void addEvent(void *events, const struct SentMessage *sent) {
  const struct EventsTable *table = *(const struct EventsTable **)events;
  struct Event event;
  memset(&event, 0, sizeof event);
  event.offset = (int32_t)sent->frame;
  const UInt8 kind = sent->bytes[0] & 0xF0, channel = sent->bytes[0] & 15;
  if (sent->exclusive != NULL) {
    event.type = kData;
    event.data.size = sent->count;
    event.data.bytes = sent->exclusive;
  } else if (kind == 0x90 && sent->bytes[2] > 0) {
    event.type = kNoteOn;
    event.on.channel = channel, event.on.pitch = sent->bytes[1], event.on.velocity = (float)sent->bytes[2] / 127, event.on.noteID = -1;
  } else if (kind == 0x80 || kind == 0x90) {
    event.type = kNoteOff;
    event.off.channel = channel, event.off.pitch = sent->bytes[1], event.off.velocity = (float)sent->bytes[2] / 127, event.off.noteID = -1;
  } else if (kind == 0xA0) {
    event.type = kPolyPressure;
    event.pressure.channel = channel, event.pressure.pitch = sent->bytes[1], event.pressure.pressure = (float)sent->bytes[2] / 127, event.pressure.noteID = -1;
  } else {
    event.type = kControllerOut;
    event.controller.channel = (int8_t)channel;
    event.controller.controller = kind == 0xB0 ? sent->bytes[1] : kind == 0xD0 ? 128 : kind == 0xE0 ? 129 : 130;
    event.controller.value = (int8_t)(kind == 0xB0 ? sent->bytes[2] : sent->bytes[1]);
    event.controller.value2 = (int8_t)(kind == 0xE0 ? sent->bytes[2] : 0);
  }
  table->addEvent(events, &event);
}

static void writeResults(struct PlugIn *plugIn, const struct ProcessData *data) {
  struct Unit *unit = plugIn->unit;
  for (UInt32 i = 0; i < unit->sentCount && data->outputEvents != NULL; i++) addEvent(data->outputEvents, &unit->sent[i]);
  if (data->outputChanges == NULL) return;
  const struct ChangesTable *table = *(const struct ChangesTable **)data->outputChanges;
  for (UInt32 i = 0; i < unit->parameterCount; i++) {
    const struct Parameter *parameter = &unit->parameters[i];
    if (!parameter->isMeter) continue;
    const Float32 value = readValue(unit, i);
    if (value == plugIn->meters[i]) continue;
    plugIn->meters[i] = value;
    int32_t index = 0;
    void *queue = table->addParameterData(data->outputChanges, &parameter->key, &index);
    if (queue != NULL) (*(const struct QueueTable **)queue)->addPoint(queue, 0, normalized(parameter, value), &index);
  }
}

static Result process(void *self, struct ProcessData *data) {
  struct PlugIn *plugIn = SELF(processor, self);
  struct Unit *unit = plugIn->unit;
  const Float32 *const *inputs[kMaximumBuses];
  Float32 *const *outputs[kMaximumBuses];
  if (!plugIn->isActive || data->sampleSize != 0) return kFalse;
  const UInt32 frames = data->frames > 0 ? (UInt32)data->frames : 0;
  readChanges(plugIn, data->inputChanges, frames);
  if (frames == 0) return kOk;
  readContext(unit, data->context);
  readEvents(plugIn, data->inputEvents, frames);
  for (UInt32 bus = 0; bus < unit->busCounts[0]; bus++) {
    const bool isThere = (int32_t)bus < data->inputCount && plugIn->isBusActive[0][bus] && data->inputs[bus].channels != NULL &&
                         data->inputs[bus].channelCount >= (int32_t)unit->buses[0][bus].channels;
    inputs[bus] = isThere ? (const Float32 *const *)data->inputs[bus].channels : NULL;
  }
  for (UInt32 bus = 0; bus < unit->busCounts[1]; bus++) {
    const bool isThere = (int32_t)bus < data->outputCount && data->outputs[bus].channels != NULL &&
                         data->outputs[bus].channelCount >= (int32_t)unit->buses[1][bus].channels;
    outputs[bus] = isThere ? (Float32 *const *)data->outputs[bus].channels : NULL;
    if (isThere) data->outputs[bus].silenceFlags = 0;
  }
  const bool isSound = renderUnit(unit, frames, inputs, outputs);
  writeResults(plugIn, data);
  return isSound ? kOk : kInternalError;
}

// Musical time, bars, cycle, tempo, signature, and whether the host plays.
static uint32_t getProcessContextRequirements(void *self) {
  (void)self;
  return 4 | 8 | 16 | 64 | 128 | 1024;
}

const struct ComponentTable componentTable = {componentQuery, componentAddRef, componentRelease, initialize, terminate, getControllerClassId, setIoMode,
                                              getBusCount, getBusInfo, getRoutingInfo, activateBus, setActive, setState, getState};
const struct ProcessorTable processorTable = {processorQuery, processorAddRef, processorRelease, setBusArrangements, getBusArrangement,
                                              canProcessSampleSize, getLatencySamples, setupProcessing, setProcessing, process, getTailSamples};
const struct RequirementsTable requirementsTable = {requirementsQuery, requirementsAddRef, requirementsRelease, getProcessContextRequirements};
