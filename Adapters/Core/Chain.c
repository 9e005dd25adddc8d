// The stages of a chain: made with their states, one after the other, each mixed with its input.
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Chain.h"
#include "Internal.h"

enum { kStageShift = 20, kLeastFrames = 16384 };

// The bytes of a file of the bundle; to be freed.
static char *readFile(const struct Bundle *bundle, const char *name, size_t *length) {
  char path[6000];
  snprintf(path, sizeof path, "%s/%s", bundle->folder, name);
  FILE *file = fopen(path, "rbe");
  if (file == NULL) return NULL;
  char *bytes = NULL;
  *length = 0;
  for (size_t count = 1; count > 0; *length += count) {
    char *grown = realloc(bytes, *length + 65536);
    count = grown == NULL ? 0 : fread(grown + *length, 1, 65536, file);
    if (grown != NULL) bytes = grown;
  }
  fclose(file);
  return bytes;
}

static bool makeStage(const struct Bundle *bundle, struct Chain *chain, UInt32 index, char *reason, size_t size) {
  const struct Stage *stage = &chain->stages[index];
  char cause[1024];
  size_t length = 0;
  chain->units[index] = makeUnit(bundle, &stage->entry, cause, sizeof cause);
  if (chain->units[index] == NULL) {
    snprintf(reason, size, "stage %u, %s", index + 1, cause);
    return false;
  }
  char *state = stage->state[0] != 0 ? readFile(bundle, stage->state, &length) : NULL;
  const bool isRestored = stage->state[0] == 0 || (state != NULL && restoreState(chain->units[index], state, length));
  free(state);
  if (!isRestored) snprintf(reason, size, "stage %u (%s) refuses its state", index + 1, stage->label);
  return isRestored;
}

// The parameters of the stages in their order, with the stage's label as their group.
static bool gatherParameters(struct Unit *unit) {
  struct Chain *chain = unit->chain;
  UInt32 count = 0;
  for (UInt32 i = 0; i < chain->count; i++) count += chain->units[i]->parameterCount;
  unit->parameters = calloc(count + 1, sizeof *unit->parameters);
  chain->stageOf = calloc(count + 1, sizeof *chain->stageOf);
  chain->placeOf = calloc(count + 1, sizeof *chain->placeOf);
  if (unit->parameters == NULL || chain->stageOf == NULL || chain->placeOf == NULL) return false;
  for (UInt32 i = 0; i < chain->count; i++)
    for (UInt32 place = 0; place < chain->units[i]->parameterCount; place++) {
      const struct Parameter *source = &chain->units[i]->parameters[place];
      struct Parameter *parameter = &unit->parameters[unit->parameterCount];
      *parameter = *source;
      const UInt32 key = source->key < 1u << (kStageShift - 1) ? source->key : (1u << (kStageShift - 1)) + place;
      parameter->key = (i + 1) << kStageShift | key;
      parameter->initial = readValue(chain->units[i], place);
      snprintf(parameter->symbol, sizeof parameter->symbol, "s%u_%.50s", i + 1, source->symbol);
      snprintf(parameter->name, sizeof parameter->name, "%.100s: %.140s", chain->stages[i].label, source->name);
      snprintf(parameter->group, sizeof parameter->group, "%s", chain->stages[i].label);
      chain->stageOf[unit->parameterCount] = i;
      chain->placeOf[unit->parameterCount++] = place;
    }
  return true;
}

bool arrangeChain(struct Unit *unit, UInt32 channels) {
  struct Chain *chain = unit->chain;
  for (UInt32 i = 0; i < chain->count; i++) {
    UInt32 counts[2][kMaximumBuses];
    struct Unit *stage = chain->units[i];
    for (int side = 0; side < 2; side++)
      for (UInt32 bus = 0; bus < stage->busCounts[side]; bus++) counts[side][bus] = bus == 0 ? channels : stage->buses[side][bus].channels;
    if (!arrangeUnit(stage, counts[0], counts[1])) return false;
  }
  for (int side = 0; side < 2; side++) {
    unit->buses[side][0] = (struct Bus){.channels = channels};
    snprintf(unit->buses[side][0].name, kTextSize, side ? "Output" : "Input");
  }
  return true;
}

bool makeChain(const struct Bundle *bundle, struct Unit *unit, char *reason, size_t size) {
  struct Chain *chain = calloc(1, sizeof *chain);
  unit->chain = chain;
  if (chain == NULL) return false;
  chain->count = unit->entry->stageCount;
  chain->stages = unit->entry->stages;
  chain->units = calloc(chain->count, sizeof *chain->units);
  chain->dry = calloc(chain->count, sizeof *chain->dry);
  chain->dryPlace = calloc(chain->count, sizeof *chain->dryPlace);
  if (chain->units == NULL || chain->dry == NULL || chain->dryPlace == NULL) return false;
  unit->canBypass = true;
  for (UInt32 i = 0; i < chain->count; i++) {
    if (!makeStage(bundle, chain, i, reason, size)) return false;
    unit->canBypass &= chain->units[i]->canBypass;
  }
  unit->cf = chain->units[0]->cf;
  unit->takesMIDI = chain->units[0]->takesMIDI;
  unit->isInstrument = chain->units[0]->isInstrument;
  unit->schedules = true;
  unit->busCounts[0] = chain->units[0]->busCounts[0] > 0;
  unit->busCounts[1] = 1;
  if (!arrangeChain(unit, 2) && !arrangeChain(unit, 1)) {
    snprintf(reason, size, "its stages have no number of channels in common, neither two nor one");
    return false;
  }
  return gatherParameters(unit);
}

void freeChain(struct Unit *unit) {
  struct Chain *chain = unit->chain;
  if (chain == NULL) return;
  stopChain(unit);
  for (UInt32 i = 0; i < chain->count && chain->units != NULL; i++) freeUnit(chain->units[i]);
  // The names of values are the stages'.
  unit->parameterCount = 0;
  free(chain->units);
  free(chain->stageOf);
  free(chain->placeOf);
  free(chain->dry);
  free(chain->dryPlace);
  free(chain);
  unit->chain = NULL;
}

static UInt32 channelsOf(const struct Unit *unit) { return unit->buses[1][0].channels; }

bool startChain(struct Unit *unit, bool isOffline) {
  struct Chain *chain = unit->chain;
  chain->frames = unit->maximumFrames < kLeastFrames ? kLeastFrames : unit->maximumFrames;
  chain->memory = calloc(2 * (size_t)channelsOf(unit), chain->frames * sizeof(Float32));
  bool isStarted = chain->memory != NULL;
  for (UInt32 i = 0; i < chain->count && isStarted; i++) {
    isStarted = startUnit(chain->units[i], unit->sampleRate, unit->maximumFrames, isOffline);
    if (!isStarted || chain->stages[i].mix >= 1) continue;
    // Room for a second of latency beside a slice.
    chain->dryLength = chain->frames + (UInt32)unit->sampleRate;
    chain->dry[i] = calloc(channelsOf(unit), chain->dryLength * sizeof(Float32));
    chain->dryPlace[i] = 0;
    isStarted = chain->dry[i] != NULL;
  }
  if (!isStarted) stopChain(unit);
  return isStarted;
}

void stopChain(struct Unit *unit) {
  struct Chain *chain = unit->chain;
  for (UInt32 i = 0; i < chain->count && chain->units != NULL; i++) {
    if (chain->units[i] != NULL) stopUnit(chain->units[i]);
    if (chain->dry != NULL) free(chain->dry[i]), chain->dry[i] = NULL;
  }
  free(chain->memory);
  chain->memory = NULL;
}

// Adds the input of a stage, delayed by its latency.
static bool mixDry(struct Unit *unit, UInt32 index, UInt32 frames, const Float32 *const *input, Float32 *const *output) {
  struct Chain *chain = unit->chain;
  const UInt32 delay = atomic_load(&chain->units[index]->latencyFrames), length = chain->dryLength;
  const Float32 mix = chain->stages[index].mix;
  if (delay + frames > length) return false;
  for (UInt32 channel = 0; channel < channelsOf(unit); channel++) {
    Float32 *ring = chain->dry[index] + (size_t)channel * length;
    for (UInt32 frame = 0; frame < frames; frame++) {
      const UInt32 now = (chain->dryPlace[index] + frame) % length;
      ring[now] = input == NULL || input[channel] == NULL ? 0 : input[channel][frame];
      const Float32 original = ring[(now + length - delay) % length];
      output[channel][frame] = original + (output[channel][frame] - original) * mix;
    }
  }
  chain->dryPlace[index] = (chain->dryPlace[index] + frames) % length;
  return true;
}

bool renderChain(struct Unit *unit, UInt32 frames, const Float32 *const *const *inputs, Float32 *const *const *outputs) {
  struct Chain *chain = unit->chain;
  Float32 *sets[2][kMaximumChannels];
  const UInt32 channels = channelsOf(unit);
  if (frames > chain->frames) return false;
  for (UInt32 i = 0; i < 2 * channels; i++) sets[i / channels][i % channels] = chain->memory + (size_t)i * chain->frames;
  const Float32 *const *input = inputs == NULL || unit->busCounts[0] == 0 ? NULL : inputs[0];
  for (UInt32 i = 0; i < chain->count; i++) {
    const Float32 *const *stageInputs[kMaximumBuses] = {input};
    Float32 *const *stageOutputs[kMaximumBuses] = {sets[i % 2]};
    chain->units[i]->transport = unit->transport;
    if (!renderUnit(chain->units[i], frames, stageInputs, stageOutputs)) return false;
    if (chain->dry[i] != NULL && !mixDry(unit, i, frames, input, sets[i % 2])) return false;
    input = (const Float32 *const *)sets[i % 2];
  }
  for (UInt32 channel = 0; outputs != NULL && outputs[0] != NULL && channel < channels; channel++)
    if (outputs[0][channel] != NULL) memcpy(outputs[0][channel], input[channel], frames * sizeof(Float32));
  return true;
}

UInt32 latencyOfChain(struct Unit *unit) {
  UInt32 frames = 0;
  for (UInt32 i = 0; i < unit->chain->count; i++) frames += readLatency(unit->chain->units[i]);
  return frames;
}

double tailOfChain(struct Unit *unit, bool *isKnown) {
  double seconds = 0;
  bool isAll = true;
  for (UInt32 i = 0; i < unit->chain->count; i++) {
    bool isOne = false;
    seconds += readTail(unit->chain->units[i], &isOne);
    isAll &= isOne;
  }
  if (isKnown != NULL) *isKnown = isAll;
  return seconds;
}

// A list of the stages' states, each as the text of an .aupreset.
char *saveChain(struct Unit *unit, size_t *length) {
  struct Chain *chain = unit->chain;
  const struct Foundation *cf = unit->cf;
  CFMutableArrayRef stages = cf->CFArrayCreateMutable(NULL, 0, cf->kCFTypeArrayCallBacks);
  CFMutableDictionaryRef state = cf->CFDictionaryCreateMutable(NULL, 0, cf->kCFTypeDictionaryKeyCallBacks, cf->kCFTypeDictionaryValueCallBacks);
  CFStringRef key = makeText(cf, "stages");
  bool isDone = stages != NULL && state != NULL && key != NULL;
  for (UInt32 i = 0; i < chain->count && isDone; i++) {
    size_t count = 0;
    char *text = saveState(chain->units[i], &count);
    CFDataRef data = text == NULL ? NULL : cf->CFDataCreate(NULL, (const UInt8 *)text, (CFIndex)count);
    isDone = data != NULL;
    if (isDone) cf->CFArrayAppendValue(stages, data), cf->CFRelease(data);
    free(text);
  }
  if (isDone) cf->CFDictionarySetValue(state, key, stages);
  char *bytes = isDone ? writeList(cf, state, length) : NULL;
  if (stages != NULL) cf->CFRelease(stages);
  if (state != NULL) cf->CFRelease(state);
  if (key != NULL) cf->CFRelease(key);
  return bytes;
}

bool restoreChain(struct Unit *unit, CFTypeRef state) {
  struct Chain *chain = unit->chain;
  const struct Foundation *cf = unit->cf;
  const void *keys[2], *values[2] = {NULL, NULL};
  if (cf->CFGetTypeID(state) != cf->CFDictionaryGetTypeID() || cf->CFDictionaryGetCount(state) != 1) return false;
  cf->CFDictionaryGetKeysAndValues(state, keys, values);
  CFArrayRef stages = values[0];
  if (cf->CFGetTypeID(stages) != cf->CFArrayGetTypeID() || cf->CFArrayGetCount(stages) != (CFIndex)chain->count) return false;
  for (UInt32 i = 0; i < chain->count; i++)
    if (cf->CFGetTypeID(cf->CFArrayGetValueAtIndex(stages, i)) != cf->CFDataGetTypeID()) return false;
  bool isRestored = true;
  for (UInt32 i = 0; i < chain->count; i++) {
    CFDataRef data = cf->CFArrayGetValueAtIndex(stages, i);
    isRestored &= restoreState(chain->units[i], (const char *)cf->CFDataGetBytePtr(data), (size_t)cf->CFDataGetLength(data));
  }
  return isRestored;
}
