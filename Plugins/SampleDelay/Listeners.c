// Those who want to know when a property of the sample delay changes.
// SPDX-License-Identifier: Apache-2.0

#include "SampleDelayUnit.h"

void propertyChanged(struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope) {
  for (int i = 0; i < kMaximumListeners; i++) {
    const struct Listener *listener = &unit->listeners[i];
    if (listener->procedure != NULL && listener->property == property)
      listener->procedure(listener->refCon, unit->handle, property, scope, 0);
  }
}

OSStatus addPropertyListener(
    void *self, AudioUnitPropertyID property, AudioUnitPropertyListenerProc procedure,
    void *refCon) {
  struct Unit *unit = self;
  if (procedure == NULL) return kAudio_ParamError;
  for (int i = 0; i < kMaximumListeners; i++) {
    if (unit->listeners[i].procedure != NULL) continue;
    unit->listeners[i] = (struct Listener){property, procedure, refCon};
    return kAudio_NoError;
  }
  return kAudio_MemFullError;
}

OSStatus removePropertyListener(
    void *self, AudioUnitPropertyID property, AudioUnitPropertyListenerProc procedure) {
  struct Unit *unit = self;
  for (int i = 0; i < kMaximumListeners; i++) {
    struct Listener *place = &unit->listeners[i];
    if (place->property == property && place->procedure == procedure)
      *place = (struct Listener){0};
  }
  return kAudio_NoError;
}

OSStatus removePropertyListenerWithUserData(
    void *self, AudioUnitPropertyID property, AudioUnitPropertyListenerProc procedure,
    void *refCon) {
  struct Unit *unit = self;
  for (int i = 0; i < kMaximumListeners; i++) {
    struct Listener *place = &unit->listeners[i];
    if (place->property == property && place->procedure == procedure && place->refCon == refCon)
      *place = (struct Listener){0};
  }
  return kAudio_NoError;
}
