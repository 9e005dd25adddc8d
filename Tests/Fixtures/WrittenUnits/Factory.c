// The ways into the written units: factories, life, selectors.
// SPDX-License-Identifier: Apache-2.0

#include <stdlib.h>
#include <string.h>

#include "Unit.h"

static Status openUnit(void *self, void *instance) {
  Unit *unit = self;
  unit->instance = instance;
  void *component = AudioComponentInstanceGetComponent(instance);
  const Status status =
      component ? AudioComponentGetDescription(component, &unit->description) : kInvalidElement;
  if (status != 0) free(unit);  // a unit that fails to open frees itself
  return status;
}

static Status closeUnit(void *self) {
  Unit *unit = self;
  if (unit->soundBank != NULL) CFRelease(unit->soundBank);
  free(unit->memory);
  free(unit);
  return 0;
}

static Status reset(void *self, uint32_t scope, uint32_t element) {
  Unit *unit = self;
  if (scope > kOutput) return kInvalidScope;
  if (element != 0 || (scope == kInput && !unit->isOutput)) return kInvalidElement;
  unit->hasRendered = false;
  unit->changeCount = 0;
  forgetNotes(unit);
  return 0;
}

static Status initialize(void *self) {
  Unit *unit = self;
  if (unit->isInitialized) return 0;
  if (unit->formats[0].rate != unit->formats[1].rate && unit->isOutput) return kFormatNotSupported;
  if (strcmp(unit->contextName, "unlicensed") == 0) return kUnauthorized;
  if (unit->formats[1].rate > 192000) return kFailedInitialization;  // it has no table for that
  unit->memory = calloc((size_t)unit->maximumFrames * kChannels, sizeof(float));
  if (unit->memory == NULL) return kNoMemory;
  unit->isInitialized = true;
  return reset(unit, kGlobal, 0);
}

static Status setRunning(Unit *unit, uint32_t isRunning) {
  if (unit->isRunning == isRunning) return 0;
  unit->isRunning = isRunning;
  tellListeners(unit, 2001, kGlobal);
  return 0;
}

static Status uninitialize(void *self) {
  Unit *unit = self;
  setRunning(unit, 0);
  free(unit->memory);
  unit->memory = NULL;
  unit->isInitialized = false;
  return 0;
}

static Status start(void *self) {
  return ((Unit *)self)->isInitialized ? setRunning(self, 1) : kUninitialized;
}

static Status stop(void *self) { return setRunning(self, 0); }

static Status addListener(void *self, uint32_t id, PropertyListener procedure, void *data) {
  Unit *unit = self;
  for (int i = 0; i < kMostListeners; i++)
    if (unit->listeners[i].procedure == NULL)
      return unit->listeners[i] = (Listener){id, procedure, data}, 0;
  return kNoMemory;
}

static void removeListeners(
    Unit *unit, uint32_t id, PropertyListener procedure, bool ofAnyData, void *data) {
  for (int i = 0; i < kMostListeners; i++) {
    const Listener *found = &unit->listeners[i];
    if (found->property == id && found->procedure == procedure && (ofAnyData || found->data == data))
      unit->listeners[i] = (Listener){0};
  }
}

static Status removeListener(void *self, uint32_t id, PropertyListener procedure) {
  removeListeners(self, id, procedure, true, NULL);
  return 0;
}

static Status removeListenerWithData(
    void *self, uint32_t id, PropertyListener procedure, void *data) {
  removeListeners(self, id, procedure, false, data);
  return 0;
}

static Status addObserver(void *self, RenderCallback procedure, void *data) {
  Unit *unit = self;
  for (int i = 0; i < kMostListeners; i++)
    if (unit->observers[i].procedure == NULL)
      return unit->observers[i] = (Callback){procedure, data}, 0;
  return kNoMemory;
}

static Status removeObserver(void *self, RenderCallback procedure, void *data) {
  Unit *unit = self;
  for (int i = 0; i < kMostListeners; i++)
    if (unit->observers[i].procedure == procedure && unit->observers[i].data == data)
      unit->observers[i] = (Callback){0};
  return 0;
}

static Method lookUp(int16_t selector) {
  switch (selector) {
    case 1: return (Method)initialize;
    case 2: return (Method)uninitialize;
    case 3: return (Method)getInfo;
    case 4: return (Method)getProperty;
    case 5: return (Method)setProperty;
    case 6: return (Method)getParameter;
    case 7: return (Method)setParameter;
    case 9: return (Method)reset;
    case 10: return (Method)addListener;
    case 11: return (Method)removeListener;
    case 14: return (Method)render;
    case 15: return (Method)addObserver;
    case 16: return (Method)removeObserver;
    case 17: return (Method)schedule;
    case 18: return (Method)removeListenerWithData;
    default: return NULL;
  }
}

static Method lookUpInstrument(int16_t selector) {
  switch (selector) {
    case 0x101: return (Method)midiEvent;
    case 0x102: return (Method)sysEx;
    case 0x103: return (Method)prepareInstrument;
    case 0x104: return (Method)releaseInstrument;
    case 0x105: return (Method)startNote;
    case 0x106: return (Method)stopNote;
    case 0x107: return (Method)eventList;
    default: return lookUp(selector);
  }
}

static Method lookUpOutput(int16_t selector) {
  switch (selector) {
    case 0x201: return (Method)start;
    case 0x202: return (Method)stop;
    default: return lookUp(selector);
  }
}

static PlugIn *make(bool isOutput) {
  Unit *unit = calloc(1, sizeof *unit);
  if (unit == NULL) return NULL;
  unit->plugIn = (PlugIn){openUnit, closeUnit, isOutput ? lookUpOutput : lookUpInstrument, NULL};
  unit->isOutput = isOutput;
  unit->maximumFrames = 1156;
  unit->level = 1;
  unit->midiBufferSize = kMostMIDI;
  unit->hostProtocol = 1;
  for (int i = 0; i < kInstrumentCount; i++) unit->instrumentLevels[i] = 1.0f / (float)(i + 1);
  strcpy(unit->presetName, "Untitled");
  nameElement(unit, kInput);
  nameElement(unit, kOutput);
  // Planar native floats: 'lpcm', packed and float and not interleaved.
  for (int side = 0; side < 2; side++)
    unit->formats[side] = (Format){44100, 0x6C70636D, 0x29, 4, 1, 4, kChannels, 32, 0};
  return &unit->plugIn;
}

__attribute__((visibility("default"))) PlugIn *WrittenInstrumentFactory(const Description *asked) {
  (void)asked;
  return make(false);
}

__attribute__((visibility("default"))) PlugIn *WrittenOutputFactory(const Description *asked) {
  (void)asked;
  return make(true);
}
