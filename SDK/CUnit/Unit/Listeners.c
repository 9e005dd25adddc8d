// Those who want to know when a property changes.
// SPDX-License-Identifier: Apache-2.0

static void propertyChanged(struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope) {
  for (int i = 0; i < kMaximumListeners; i++) {
    struct Listener *listener = &unit->listeners[i];
    const AudioUnitPropertyListenerProc procedure = atomic_load(&listener->procedure);
    if (procedure == NULL || atomic_load(&listener->property) != property) continue;
    void *refCon = atomic_load(&listener->refCon);
    // The place may have been given to another meanwhile.
    if (atomic_load(&listener->procedure) == procedure)
      procedure(refCon, unit->handle, property, scope, 0);
  }
}

static OSStatus addPropertyListener(
    void *self, AudioUnitPropertyID property, AudioUnitPropertyListenerProc procedure,
    void *refCon) {
  struct Unit *unit = self;
  if (procedure == NULL) return kAudio_ParamError;
  for (int i = 0; i < kMaximumListeners; i++) {
    struct Listener *place = &unit->listeners[i];
    if (atomic_load(&place->procedure) != NULL) continue;
    atomic_store(&place->property, property);
    atomic_store(&place->refCon, refCon);
    atomic_store(&place->procedure, procedure);
    return kAudio_NoError;
  }
  return kAudio_MemFullError;
}

static OSStatus removePropertyListener(
    void *self, AudioUnitPropertyID property, AudioUnitPropertyListenerProc procedure) {
  struct Unit *unit = self;
  for (int i = 0; i < kMaximumListeners; i++) {
    struct Listener *place = &unit->listeners[i];
    if (atomic_load(&place->property) == property && atomic_load(&place->procedure) == procedure)
      atomic_store(&place->procedure, NULL);
  }
  return kAudio_NoError;
}

static OSStatus removePropertyListenerWithUserData(
    void *self, AudioUnitPropertyID property, AudioUnitPropertyListenerProc procedure,
    void *refCon) {
  struct Unit *unit = self;
  for (int i = 0; i < kMaximumListeners; i++) {
    struct Listener *place = &unit->listeners[i];
    if (atomic_load(&place->property) == property &&
        atomic_load(&place->procedure) == procedure && atomic_load(&place->refCon) == refCon)
      atomic_store(&place->procedure, NULL);
  }
  return kAudio_NoError;
}
