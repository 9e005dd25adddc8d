// The functions that a unit calls: its sources, observers of renders, listeners of properties.
// SPDX-License-Identifier: Apache-2.0

// Puts a hook in force, NULL for none; the old one is freed when nothing can be rendering with it.
static void replaceHook(struct Unit *unit, _Atomic(struct Hook *) *place, struct Hook *made) {
  struct Hook *old = atomic_exchange(place, made);
  if (old == NULL || !atomic_load(&unit->isInitialized)) {
    free(old);
    return;
  }
  old->retired = unit->retired;
  unit->retired = old;
}

static void freeRetired(struct Unit *unit) {
  while (unit->retired != NULL) {
    struct Hook *next = unit->retired->retired;
    free(unit->retired);
    unit->retired = next;
  }
}

static OSStatus setHook(struct Unit *unit, _Atomic(struct Hook *) *place, struct Hook hook) {
  struct Hook *made = malloc(sizeof *made);
  if (made == NULL) return kAudio_MemFullError;
  *made = hook;
  replaceHook(unit, place, made);
  return kAudio_NoError;
}

static OSStatus addHook(struct Unit *unit, _Atomic(struct Hook *) *places, struct Hook hook) {
  if (hook.procedure == NULL) return kAudio_ParamError;
  for (int i = 0; i < kMaximumHooks; i++)
    if (atomic_load(&places[i]) == NULL) return setHook(unit, &places[i], hook);
  return kAudio_MemFullError;
}

static OSStatus removeHooks(
    struct Unit *unit, _Atomic(struct Hook *) *places, struct Hook like, bool hasRefCon) {
  for (int i = 0; i < kMaximumHooks; i++) {
    const struct Hook *hook = atomic_load(&places[i]);
    if (hook != NULL && hook->procedure == like.procedure && hook->number == like.number &&
        (!hasRefCon || hook->refCon == like.refCon))
      replaceHook(unit, &places[i], NULL);
  }
  return kAudio_NoError;
}

static void propertyChanged(struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope) {
  for (int i = 0; i < kMaximumHooks; i++) {
    const struct Hook *listener = atomic_load(&unit->listeners[i]);
    if (listener != NULL && listener->number == property)
      ((AudioUnitPropertyListenerProc)listener->procedure)(
          listener->refCon, unit->handle, property, scope, 0);
  }
}

#define LISTENER (struct Hook){.procedure = (void (*)(void))procedure, .refCon = refCon, .number = property}

static OSStatus addPropertyListener(
    void *self, AudioUnitPropertyID property, AudioUnitPropertyListenerProc procedure, void *refCon) {
  return addHook(self, ((struct Unit *)self)->listeners, LISTENER);
}

static OSStatus removePropertyListenerWithUserData(
    void *self, AudioUnitPropertyID property, AudioUnitPropertyListenerProc procedure, void *refCon) {
  return removeHooks(self, ((struct Unit *)self)->listeners, LISTENER, true);
}

static OSStatus removePropertyListener(
    void *self, AudioUnitPropertyID property, AudioUnitPropertyListenerProc procedure) {
  void *refCon = NULL;
  return removeHooks(self, ((struct Unit *)self)->listeners, LISTENER, false);
}
#undef LISTENER

static OSStatus addRenderNotify(void *self, AURenderCallback procedure, void *refCon) {
  return addHook(
      self, ((struct Unit *)self)->observers,
      (struct Hook){.procedure = (void (*)(void))procedure, .refCon = refCon});
}

static OSStatus removeRenderNotify(void *self, AURenderCallback procedure, void *refCon) {
  return removeHooks(
      self, ((struct Unit *)self)->observers,
      (struct Hook){.procedure = (void (*)(void))procedure, .refCon = refCon}, true);
}

static OSStatus setCallback(struct Unit *unit, const AURenderCallbackStruct *callback) {
  if (callback->inputProc == NULL) {
    replaceHook(unit, &unit->source, NULL);
    return kAudio_NoError;
  }
  return setHook(
      unit, &unit->source,
      (struct Hook){
          .procedure = (void (*)(void))callback->inputProc, .refCon = callback->inputProcRefCon});
}

static OSStatus setFormat(
    struct Unit *unit, AudioUnitScope scope, const AudioStreamBasicDescription *format);

// Connects an output of a unit; the input adopts its format if it reports one.
static OSStatus connectInput(struct Unit *unit, const AudioUnitConnection *connection) {
  const struct ComponentInstanceRecord *record = connection->sourceAudioUnit;
  if (connection->destInputNumber != 0) return kAudioUnitErr_InvalidElement;
  if (record == NULL) return setCallback(unit, &(AURenderCallbackStruct){0});
  if (record->magic != kAuricleInstanceMagic) return kAudio_ParamError;
  if (record->getProperty != NULL && record->plugIn != NULL) {
    AudioStreamBasicDescription format = {0};
    UInt32 size = sizeof format;
    OSStatus status = record->getProperty(
        record->plugIn, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output,
        connection->sourceOutputNumber, &format, &size);
    if (status == kAudio_NoError) status = setFormat(unit, kAudioUnitScope_Input, &format);
    if (status != kAudio_NoError) return status;
  }
  return setHook(
      unit, &unit->source,
      (struct Hook){.unit = connection->sourceAudioUnit, .number = connection->sourceOutputNumber});
}
