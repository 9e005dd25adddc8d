// Properties of the written units: their presence by scope, and reading them.
// SPDX-License-Identifier: Apache-2.0

#include <string.h>

#include "Properties.h"

enum { kGlobally = 1 << kGlobal, kAtInput = 1 << kInput, kAtOutput = 1 << kOutput };
enum { kOfInstruments = 1, kOfOutputs = 2, kOfBoth = 3 };

static const Fact kFacts[] = {
  {kClassInfo, sizeof(Object), kGlobally, kReadable | kWritable, kOfBoth},
  {kMakeConnection, sizeof(Connection), kGlobally | kAtInput, kWritable, kOfOutputs},
  {kSampleRate, 8, kGlobally | kAtInput | kAtOutput, kReadable | kWritable, kOfBoth},
  {kParameterList, 4, kGlobally | kAtInput | kAtOutput, kReadable, kOfBoth},
  {kParameterInfo, sizeof(ParameterInfo), kGlobally, kReadable, kOfBoth},
  {kStreamFormat, sizeof(Format), kGlobally | kAtInput | kAtOutput, kReadable | kWritable, kOfBoth},
  {kElementCount, 4, kGlobally | kAtInput | kAtOutput, kReadable, kOfBoth},
  {kLatency, 8, kGlobally, kReadable, kOfBoth},
  {kSupportedChannels, 4, kGlobally, kReadable, kOfBoth},
  {kMaximumFrames, 4, kGlobally, kReadable | kWritable, kOfBoth},
  {kTailTime, 8, kGlobally, kReadable, kOfBoth},
  {kBypass, 4, kGlobally, kReadable | kWritable, kOfBoth},
  {kLastError, 4, kGlobally, kReadable, kOfBoth},
  {kRenderCallback, sizeof(Callback), kGlobally | kAtInput, kWritable, kOfOutputs},
  {kContextName, sizeof(Object), kGlobally, kReadable | kWritable, kOfBoth},
  {kElementName, sizeof(Object), kAtInput | kAtOutput, kReadable | kWritable, kOfBoth},
  {kPresentPreset, sizeof(Preset), kGlobally, kReadable | kWritable, kOfBoth},
  {kOfflineRender, 4, kGlobally, kReadable | kWritable, kOfBoth},
  {kMIDIOutput, sizeof(MIDIOutput), kGlobally, kWritable, kOfInstruments},
  {kSupportsMPE, 4, kGlobally, kReadable, kOfInstruments},
  {kUnitProtocol, 4, kGlobally, kReadable, kOfInstruments},
  {kHostProtocol, 4, kGlobally, kWritable, kOfInstruments},
  {kMIDIBufferSize, 4, kGlobally, kReadable | kWritable, kOfInstruments},
  {kInstruments, 4, kGlobally, kReadable, kOfInstruments},
  {kTakesNotes, 4, kGlobally, kReadable, kOfInstruments},
  {kSoundBank, sizeof(Object), kGlobally, kReadable | kWritable, kOfInstruments},
  {kIsRunning, 4, kGlobally, kReadable, kOfOutputs},
  {kLoadFiles, sizeof(Object), kGlobally, kWritable, kOfInstruments},
  {kLoadInstrument, sizeof(InstrumentFile), kGlobally, kWritable, kOfInstruments},
};

void nameElement(Unit *unit, uint32_t scope) {
  strcpy(unit->elementNames[scope - 1], scope == kInput ? "Input" : "Output");
}

void tellListeners(Unit *unit, uint32_t id, uint32_t scope) {
  for (int i = 0; i < kMostListeners; i++) {
    const Listener found = unit->listeners[i];
    if (found.procedure != NULL && found.property == id)
      found.procedure(found.data, unit->instance, id, scope, 0);
  }
}

Status findProperty(
    const Unit *unit, uint32_t id, uint32_t scope, uint32_t element, const Fact **found) {
  const Fact *fact = NULL;
  for (size_t i = 0; i < sizeof kFacts / sizeof *kFacts; i++)
    if (kFacts[i].id == id && (kFacts[i].units & (unit->isOutput ? kOfOutputs : kOfInstruments)))
      fact = &kFacts[i];
  if (scope > kOutput) return kInvalidScope;
  // An instrument has an input scope without elements.
  const bool isNowhere = scope == kInput && !unit->isOutput && id != kElementCount;
  if (isNowhere && (fact == NULL ? id == kRenderCallback : fact->scopes & kAtInput))
    return kInvalidElement;
  if (fact == NULL) return kInvalidProperty;
  if (!(fact->scopes & 1u << scope)) return kInvalidScope;
  *found = fact;
  if (id == kParameterInfo) return element == 0 ? 0 : kInvalidParameter;
  return element == 0 ? 0 : kInvalidElement;
}

static uint32_t sizeOf(const Fact *fact, uint32_t scope) {
  return fact->id == kParameterList && scope != kGlobal ? 0 : fact->size;
}

Status getInfo(
    void *self, uint32_t id, uint32_t scope, uint32_t element, uint32_t *size,
    uint8_t *isWritable) {
  const Fact *fact = NULL;
  const Status status = findProperty(self, id, scope, element, &fact);
  if (size != NULL) *size = status == 0 ? sizeOf(fact, scope) : 0;
  if (isWritable != NULL) *isWritable = status == 0 && (fact->access & kWritable);
  return status;
}

static Status give(const void *value, uint32_t valueSize, void *data, uint32_t *size) {
  if (*size > valueSize) *size = valueSize;
  memcpy(data, value, *size);
  return 0;
}
#define GIVE(value) give(&(value), (uint32_t)sizeof(value), data, size)

Status getProperty(
    void *self, uint32_t id, uint32_t scope, uint32_t element, void *data, uint32_t *size) {
  Unit *unit = self;
  const Fact *fact = NULL;
  Status status = findProperty(unit, id, scope, element, &fact);
  if (status != 0) return status;
  if (!(fact->access & kReadable)) return kInvalidProperty;
  if (size == NULL) return kBadParameter;
  if (data == NULL) return *size = sizeOf(fact, scope), 0;
  if (*size == 0 && sizeOf(fact, scope) > 0) return kBadParameter;
  if (sizeOf(fact, scope) == 0) return *size = 0, 0;
  const Format *format = &unit->formats[scope == kInput ? 0 : 1];
  const double none = 0;
  const uint32_t no = 0, one = 1, instruments = kInstrumentCount;
  switch (id) {
    case kClassInfo: { Object state = copyState(unit); return GIVE(state); }
    case kSampleRate: return GIVE(format->rate);
    case kStreamFormat: return GIVE(*format);
    case kParameterInfo: {
      const ParameterInfo info = {
          .name = "gain", .unit = 13, .minimum = -96, .maximum = 24, .flags = 0xC2000000};
      return GIVE(info);
    }
    case kElementCount:
      return scope == kInput && !unit->isOutput ? GIVE(no) : GIVE(one);
    case kLatency:
    case kTailTime: return GIVE(none);
    case kSupportedChannels: {
      const int16_t counts[2] = {unit->isOutput ? kChannels : 0, kChannels};
      return GIVE(counts);
    }
    case kMaximumFrames: return GIVE(unit->maximumFrames);
    case kBypass: return GIVE(unit->isBypassed);
    case kOfflineRender: return GIVE(unit->isOffline);
    case kIsRunning: return GIVE(unit->isRunning);
    case kLastError:
      status = GIVE(unit->lastError);
      unit->lastError = 0;
      return status;
    case kContextName: {
      if (unit->contextName[0] == 0) return kNotInUse;
      Object text = copyText(unit->contextName);
      return GIVE(text);
    }
    case kElementName: {
      Object text = copyText(unit->elementNames[scope - 1]);
      return GIVE(text);
    }
    case kSoundBank: {
      if (unit->soundBank == NULL) return kNotInUse;
      Object url = CFRetain(unit->soundBank);
      return GIVE(url);
    }
    case kPresentPreset: {
      const Preset preset = {-1, copyText(unit->presetName)};
      return GIVE(preset);
    }
    case kMIDIBufferSize: return GIVE(unit->midiBufferSize);
    case kInstruments: return GIVE(instruments);
    case kUnitProtocol:
    case kTakesNotes: return GIVE(one);
    default: return GIVE(no);  // parameter 0, no MPE
  }
}
