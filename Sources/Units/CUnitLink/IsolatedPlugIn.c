// The interface of a unit that runs in another process: each call of its host becomes a request, an event or a slice.
// SPDX-License-Identifier: Apache-2.0
#include "IsolatedPlugIn.h"

#include <Auricle/AuricleProperties.h>
#include <Auricle/AuricleInstance.h>
#include <AudioToolbox/AudioComponent.h>
#include <AudioToolbox/MusicDevice.h>
#include <CoreFoundation/CoreFoundation.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "PropertyValues.h"

enum { mostParameters = 4096, mostNotifications = 32 };

/// A parameter whose value is known: its key, 0 for none, and the bits of its value.
typedef struct {
  atomic_ullong key;
  atomic_uint value;
  /// The number of the change that it was set by.
  atomic_uint change;
} KeptParameter;

typedef struct Listener {
  struct Listener *next;
  AudioUnitPropertyID property;
  AudioUnitPropertyListenerProc procedure;
  void *context;
} Listener;

typedef struct {
  _Atomic(AURenderCallback) callback;
  _Atomic(void *) context;
} Notification;

struct AuricleIsolatedPlugIn {
  AudioComponentPlugInInterface interface;
  AudioComponentInstance instance;
  AuricleIsolated *render;
  uint32_t number;
  AuricleIsolatedOwner owner;
  atomic_bool isInitialized;
  atomic_int lastError;
  /// Values that the host set, and those that the unit answered last.
  KeptParameter parameters[mostParameters], answers[mostParameters];
  atomic_uint changes, answerCount, programs;
  Notification notifications[mostNotifications];
  pthread_mutex_t lock;
  Listener *listeners;
  /// Memory that the host reads as long as the unit lives.
  void **kept;
  size_t keptCount;
};

// Requests.

static void add32(AuricleLinkBytes *bytes, uint32_t value) { AuricleLinkBytesAdd(bytes, &value, sizeof value); }

static AuricleLinkBytes begin(const AuricleIsolatedPlugIn *self) {
  AuricleLinkBytes bytes = {0};
  add32(&bytes, self->number);
  return bytes;
}

/// Sends a request, which it frees; the status of its reply, whose rest is left in `reply`.
static int32_t send(AuricleIsolatedPlugIn *self, uint16_t kind, AuricleLinkBytes *request, AuricleLinkBytes *reply,
                    ByteReader *rest) {
  int32_t status = kAudio_MemFullError;
  if (!request->hasFailed)
    status = self->owner.transact(self->owner.context, kind, request->bytes, request->count, reply);
  AuricleLinkBytesFree(request);
  *rest = (ByteReader){reply->bytes, reply->count, false};
  if (status) return status;
  double latency = 0;
  AuricleReadBytes(rest, &status, sizeof status);
  AuricleReadBytes(rest, &latency, sizeof latency);
  if (rest->hasFailed) return kAudioComponentErr_InstanceInvalidated;
  AuricleIsolatedNoteLatency(self->render, latency);
  return status;
}

/// Sends a request whose reply is a status.
static int32_t tell(AuricleIsolatedPlugIn *self, uint16_t kind, AuricleLinkBytes *request) {
  AuricleLinkBytes reply = {0};
  ByteReader rest;
  const int32_t status = send(self, kind, request, &reply, &rest);
  AuricleLinkBytesFree(&reply);
  return status;
}

// Parameters that the host set.

static uint64_t keyOf(AudioUnitParameterID id, AudioUnitScope scope, AudioUnitElement element) {
  return 1ull << 63 | (uint64_t)(scope & 0x7F) << 56 | (uint64_t)(element & 0xFFFFFF) << 32 | id;
}

static uint32_t placeOf(uint64_t key) { return (uint32_t)(key * 0x9E3779B97F4A7C15ull >> 40); }

/// Keeps a value; the number of its change is the next of `changes`.
static void keepValue(KeptParameter *table, atomic_uint *changes, uint64_t key, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint32_t place = placeOf(key);
  for (uint32_t tries = 0; tries < mostParameters; tries++, place++) {
    KeptParameter *kept = &table[place % mostParameters];
    unsigned long long found = atomic_load(&kept->key);
    if (!found && atomic_compare_exchange_strong(&kept->key, &found, key)) found = key;
    if (found != key) continue;
    atomic_store(&kept->value, bits);
    atomic_store(&kept->change, atomic_fetch_add(changes, 1) + 1);
    return;
  }
}

/// Whether a table has a value, which it returns in `value`.
static bool findValue(KeptParameter *table, uint64_t key, float *value) {
  uint32_t place = placeOf(key);
  for (uint32_t tries = 0; tries < mostParameters; tries++, place++) {
    const KeptParameter *kept = &table[place % mostParameters];
    const unsigned long long found = atomic_load(&kept->key);
    if (!found) return false;
    if (found != key) continue;
    const uint32_t bits = atomic_load(&kept->value);
    memcpy(value, &bits, sizeof *value);
    return true;
  }
  return false;
}

static void keepParameter(AuricleIsolatedPlugIn *self, AudioUnitParameterID id, AudioUnitScope scope,
                          AudioUnitElement element, float value) {
  keepValue(self->parameters, &self->changes, keyOf(id, scope, element), value);
}

static void forgetParameters(AuricleIsolatedPlugIn *self) {
  for (uint32_t place = 0; place < mostParameters; place++) {
    atomic_store(&self->parameters[place].key, 0);
    atomic_store(&self->answers[place].key, 0);
  }
}

/// Adds a request to others, behind its count of bytes; frees it.
static void append(AuricleLinkBytes *requests, AuricleLinkBytes *request) {
  add32(requests, (uint32_t)request->count);
  AuricleLinkBytesAdd(requests, request->bytes, request->count);
  AuricleLinkBytesFree(request);
}

static AuricleLinkBytes parameterRequest(const AuricleIsolatedPlugIn *self, AudioUnitParameterID id,
                                         AudioUnitScope scope, AudioUnitElement element, float value,
                                         uint32_t offset) {
  AuricleLinkBytes request = begin(self);
  add32(&request, id);
  add32(&request, scope);
  add32(&request, element);
  AuricleLinkBytesAdd(&request, &value, sizeof value);
  add32(&request, offset);
  return request;
}

uint32_t AuricleIsolatedPlugInChanges(const AuricleIsolatedPlugIn *self) {
  return atomic_load(&((AuricleIsolatedPlugIn *)(uintptr_t)self)->changes);
}

uint32_t AuricleIsolatedPlugInPrograms(const AuricleIsolatedPlugIn *self) {
  return atomic_load(&((AuricleIsolatedPlugIn *)(uintptr_t)self)->programs);
}

void *AuricleIsolatedPlugInInstance(const AuricleIsolatedPlugIn *self) { return self->instance; }

void AuricleIsolatedPlugInParameters(AuricleIsolatedPlugIn *self, uint32_t changes, AuricleLinkBytes *requests) {
  for (uint32_t place = 0; place < mostParameters; place++) {
    const uint64_t key = atomic_load(&self->parameters[place].key);
    if (!key || (changes && (int32_t)(atomic_load(&self->parameters[place].change) - changes) <= 0)) continue;
    const uint32_t bits = atomic_load(&self->parameters[place].value);
    float value;
    memcpy(&value, &bits, sizeof value);
    AuricleLinkBytes request =
        parameterRequest(self, (uint32_t)key, key >> 56 & 0x7F, key >> 32 & 0xFFFFFF, value, 0);
    append(requests, &request);
  }
}

static OSStatus sendParameter(AuricleIsolatedPlugIn *self, AudioUnitParameterID id, AudioUnitScope scope,
                              AudioUnitElement element, float value, uint32_t offset) {
  AuricleLinkBytes request = parameterRequest(self, id, scope, element, value, offset);
  return tell(self, kAuricleUnitRequest_SetParameter, &request);
}

static OSStatus setParameter(void *plugIn, AudioUnitParameterID id, AudioUnitScope scope, AudioUnitElement element,
                             AudioUnitParameterValue value, UInt32 offset) {
  AuricleIsolatedPlugIn *self = plugIn;
  if (AuricleIsolatedIsInvalid(self->render)) return kAudioComponentErr_InstanceInvalidated;
  if (!atomic_load(&self->isInitialized)) {
    const OSStatus status = sendParameter(self, id, scope, element, value, offset);
    if (!status) keepParameter(self, id, scope, element, value);
    return status;
  }
  keepParameter(self, id, scope, element, value);
  const AuricleLinkEvent event = {.kind = kAuricleLinkEvent_Parameter,
                                  .frame = offset,
                                  .id = id,
                                  .scope = scope,
                                  .element = element,
                                  .value = value};
  // One that finds no room is kept for the unit's next beginning all the same.
  AuricleIsolatedAddEvent(self->render, &event);
  return 0;
}

static OSStatus scheduleParameters(void *plugIn, const AudioUnitParameterEvent *events, UInt32 count) {
  AuricleIsolatedPlugIn *self = plugIn;
  if (!events && count) return kAudio_ParamError;
  if (AuricleIsolatedIsInvalid(self->render)) return kAudioComponentErr_InstanceInvalidated;
  for (UInt32 index = 0; index < count; index++) {
    const AudioUnitParameterEvent *given = &events[index];
    const bool isImmediate = given->eventType == kParameterEvent_Immediate;
    if (isImmediate && !atomic_load(&self->isInitialized)) {
      setParameter(plugIn, given->parameter, given->scope, given->element, given->eventValues.immediate.value, 0);
      continue;
    }
    AuricleLinkEvent event = {.kind = isImmediate ? kAuricleLinkEvent_Scheduled : kAuricleLinkEvent_Ramp,
                              .id = given->parameter,
                              .scope = given->scope,
                              .element = given->element};
    if (isImmediate) {
      event.frame = given->eventValues.immediate.bufferOffset;
      event.value = event.endValue = given->eventValues.immediate.value;
    } else {
      event.frame = (uint32_t)given->eventValues.ramp.startBufferOffset;
      event.duration = given->eventValues.ramp.durationInFrames;
      event.value = given->eventValues.ramp.startValue;
      event.endValue = given->eventValues.ramp.endValue;
    }
    keepParameter(self, given->parameter, given->scope, given->element, event.endValue);
    AuricleIsolatedAddEvent(self->render, &event);
  }
  return 0;
}

/// Sends the parameters that no slice has, so that the unit answers with them in place. What has a frame keeps it, and those
/// behind it wait.
static void flush(AuricleIsolatedPlugIn *self) {
  AuricleLinkEvent event;
  while (AuricleIsolatedRemoveParameter(self->render, &event))
    sendParameter(self, event.id, event.scope, event.element, event.value, event.frame);
}

static OSStatus getParameter(void *plugIn, AudioUnitParameterID id, AudioUnitScope scope, AudioUnitElement element,
                             AudioUnitParameterValue *value) {
  AuricleIsolatedPlugIn *self = plugIn;
  if (!value) return kAudio_ParamError;
  flush(self);
  AuricleLinkBytes request = begin(self), reply = {0};
  add32(&request, id);
  add32(&request, scope);
  add32(&request, element);
  ByteReader rest;
  const int32_t status = send(self, kAuricleUnitRequest_GetParameter, &request, &reply, &rest);
  const uint64_t key = keyOf(id, scope, element);
  if (!status) {
    AuricleReadBytes(&rest, value, sizeof *value);
    if (!rest.hasFailed) keepValue(self->answers, &self->answerCount, key, *value);
  }
  AuricleLinkBytesFree(&reply);
  if (status != kAudioComponentErr_InstanceInvalidated || AuricleIsolatedIsInvalid(self->render)) return status;
  // Between two processes, the value is the one that the next one begins with.
  return findValue(self->parameters, key, value) || findValue(self->answers, key, value) ? 0 : status;
}

// Properties.

static AuricleLinkBytes propertyRequest(const AuricleIsolatedPlugIn *self, AudioUnitPropertyID property,
                                        AudioUnitScope scope, AudioUnitElement element) {
  AuricleLinkBytes request = begin(self);
  add32(&request, property);
  add32(&request, scope);
  add32(&request, element);
  return request;
}

static OSStatus answerInfo(UInt32 *size, Boolean *isWritable, uint32_t bytes, bool writable) {
  if (size) *size = bytes;
  if (isWritable) *isWritable = writable;
  return 0;
}

/// Whether a property of the global scope is this process's.
static bool isAnsweredHere(AudioUnitPropertyID property) {
  switch (property) {
    case kAudioUnitProperty_LoadedOutOfProcess:
    case kAudioUnitProperty_LastRenderError:
    case kAudioUnitProperty_Latency:
    case kAudioUnitProperty_HostCallbacks:
    case kAudioUnitProperty_OfflineRender: return true;
    default: return false;
  }
}

static OSStatus getPropertyInfo(void *plugIn, AudioUnitPropertyID property, AudioUnitScope scope,
                                AudioUnitElement element, UInt32 *size, Boolean *isWritable) {
  AuricleIsolatedPlugIn *self = plugIn;
  if (AuricleIsolatedIsInvalid(self->render)) return kAudioComponentErr_InstanceInvalidated;
  if (isAnsweredHere(property) && scope != kAudioUnitScope_Global) return kAudioUnitErr_InvalidScope;
  switch (property) {
    case kAudioUnitProperty_LoadedOutOfProcess:
    case kAudioUnitProperty_LastRenderError: return answerInfo(size, isWritable, 4, false);
    case kAudioUnitProperty_Latency: return answerInfo(size, isWritable, 8, false);
    case kAudioUnitProperty_HostCallbacks: return answerInfo(size, isWritable, sizeof(HostCallbackInfo), true);
    case kAudioUnitProperty_OfflineRender: return answerInfo(size, isWritable, 4, true);
    default: break;
  }
  if (AuricleShapeOf(property) == shapeRefused) return kAudioUnitErr_InvalidProperty;
  AuricleLinkBytes request = propertyRequest(self, property, scope, element), reply = {0};
  ByteReader rest;
  const int32_t status = send(self, kAuricleUnitRequest_PropertyInfo, &request, &reply, &rest);
  uint32_t bytes = 0;
  uint8_t writable = 0;
  AuricleReadBytes(&rest, &bytes, sizeof bytes);
  AuricleReadBytes(&rest, &writable, 1);
  AuricleLinkBytesFree(&reply);
  return status ? status : answerInfo(size, isWritable, bytes, writable);
}

/// Keeps memory as long as the unit; NULL without memory.
static void *keep(AuricleIsolatedPlugIn *self, size_t bytes) {
  pthread_mutex_lock(&self->lock);
  void **grown = realloc(self->kept, (self->keptCount + 1) * sizeof *grown);
  void *made = grown ? calloc(1, bytes) : NULL;
  if (grown) self->kept = grown;
  if (made) self->kept[self->keptCount++] = made;
  pthread_mutex_unlock(&self->lock);
  return made;
}

static OSStatus readPresets(AuricleIsolatedPlugIn *self, ByteReader *reader, void *data) {
  uint32_t count = 0;
  AuricleReadBytes(reader, &count, sizeof count);
  if (count > reader->left / 4) return kAudioUnitErr_InvalidPropertyValue;
  AUPreset *presets = keep(self, (count + 1) * sizeof *presets);
  if (!presets) return kAudio_MemFullError;
  CFMutableArrayRef array = CFArrayCreateMutable(NULL, count, NULL);
  for (uint32_t index = 0; array && index < count && !reader->hasFailed; index++) {
    AuricleReadBytes(reader, &presets[index].presetNumber, 4);
    presets[index].presetName = AuricleReadObject(reader, 0);
    CFArrayAppendValue(array, &presets[index]);
  }
  *(CFArrayRef *)data = array;
  return array ? 0 : kAudio_MemFullError;
}

static OSStatus readPoints(ByteReader *reader, void *data, UInt32 *size) {
  uint32_t count = 0;
  AuricleReadBytes(reader, &count, sizeof count);
  const uint32_t room = (uint32_t)(*size / sizeof(AuricleValuePoint));
  AuricleValuePoint *points = data;
  uint32_t done = 0;
  for (uint32_t index = 0; index < count && !reader->hasFailed; index++) {
    AuricleValuePoint point;
    AuricleReadBytes(reader, &point.value, sizeof point.value);
    point.name = AuricleReadObject(reader, 0);
    if (done < room) {
      points[done++] = point;
    } else if (point.name) {
      CFRelease(point.name);
    }
  }
  *size = (UInt32)(done * sizeof(AuricleValuePoint));
  return 0;
}

static OSStatus readInfo(ByteReader *reader, void *data) {
  AudioUnitParameterInfo *info = data;
  AuricleReadBytes(reader, info, sizeof *info);
  info->name[sizeof info->name - 1] = 0;
  info->cfNameString = AuricleReadObject(reader, 0);
  info->unitName = AuricleReadObject(reader, 0);
  const uint32_t hasName = kAudioUnitParameterFlag_HasCFNameString;
  info->flags = info->cfNameString ? info->flags | hasName : info->flags & ~hasName;
  if (info->cfNameString || info->unitName) info->flags |= kAudioUnitParameterFlag_CFNameRelease;
  return 0;
}

/// Reads the value of a reply into the host's memory.
static OSStatus readValue(AuricleIsolatedPlugIn *self, AudioUnitPropertyID property, ByteReader *reader, void *data,
                          UInt32 *size) {
  char isThere = 0;
  AuricleReadBytes(reader, &isThere, 1);
  if (!isThere) return kAudioUnitErr_InvalidPropertyValue;
  const PropertyShape shape = AuricleShapeOf(property);
  static const uint32_t sizes[] = {
      [shapeObject] = sizeof(CFTypeRef),
      [shapeParameterInfo] = sizeof(AudioUnitParameterInfo),
      [shapePreset] = sizeof(AUPreset),
      [shapePresets] = sizeof(CFArrayRef),
      [shapeName] = sizeof(AudioUnitParameterNameInfo),
      [shapeStringFromValue] = sizeof(AudioUnitParameterStringFromValue),
      [shapeValueFromString] = sizeof(AudioUnitParameterValueFromString),
      [shapeHost] = sizeof(AUHostVersionIdentifier),
      [shapePoints] = 0,
      [shapeRaw] = 0,
      [shapeRefused] = 0,
  };
  if (*size < sizes[shape]) return kAudioUnitErr_InvalidPropertyValue;
  if (sizes[shape]) *size = sizes[shape];
  switch (shape) {
    case shapeObject: *(CFTypeRef *)data = AuricleReadObject(reader, 0); return 0;
    case shapeParameterInfo: return readInfo(reader, data);
    case shapePreset: {
      AUPreset *preset = data;
      AuricleReadBytes(reader, &preset->presetNumber, 4);
      preset->presetName = AuricleReadObject(reader, 0);
      return 0;
    }
    case shapePresets: return readPresets(self, reader, data);
    case shapeName: ((AudioUnitParameterNameInfo *)data)->outName = AuricleReadObject(reader, 0); return 0;
    case shapeStringFromValue:
      ((AudioUnitParameterStringFromValue *)data)->outString = AuricleReadObject(reader, 0);
      return 0;
    case shapeValueFromString:
      AuricleReadBytes(reader, &((AudioUnitParameterValueFromString *)data)->outValue, sizeof(Float32));
      return 0;
    case shapePoints: return readPoints(reader, data, size);
    case shapeRaw: {
      const uint32_t count = AuricleReadCount(reader);
      if (reader->hasFailed || count > *size) return kAudioUnitErr_InvalidPropertyValue;
      AuricleReadBytes(reader, data, count);
      *size = count;
      return 0;
    }
    case shapeHost:
    case shapeRefused: break;
  }
  return kAudioUnitErr_InvalidProperty;
}

static OSStatus answerValue(void *data, UInt32 *size, const void *value, uint32_t bytes) {
  if (*size < bytes) return kAudioUnitErr_InvalidPropertyValue;
  memcpy(data, value, bytes);
  *size = bytes;
  return 0;
}

/// Asks for the latency, which every reply brings.
static void readLatency(AuricleIsolatedPlugIn *self) {
  AuricleLinkBytes request = propertyRequest(self, kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0);
  tell(self, kAuricleUnitRequest_PropertyInfo, &request);
}

static OSStatus getProperty(void *plugIn, AudioUnitPropertyID property, AudioUnitScope scope,
                            AudioUnitElement element, void *data, UInt32 *size) {
  AuricleIsolatedPlugIn *self = plugIn;
  if (!size) return kAudio_ParamError;
  if (!data) return getPropertyInfo(plugIn, property, scope, element, size, NULL);
  if (AuricleIsolatedIsInvalid(self->render)) return kAudioComponentErr_InstanceInvalidated;
  if (isAnsweredHere(property) && scope != kAudioUnitScope_Global) return kAudioUnitErr_InvalidScope;
  if (property == kAudioUnitProperty_Latency) {
    if (AuricleIsolatedRemoveNewLatency(self->render)) readLatency(self);
    const Float64 latency = AuricleIsolatedWholeLatency(self->render);
    return answerValue(data, size, &latency, sizeof latency);
  }
  const UInt32 one = 1;
  if (property == kAudioUnitProperty_LoadedOutOfProcess) return answerValue(data, size, &one, sizeof one);
  if (property == kAudioUnitProperty_LastRenderError) {
    const OSStatus error = atomic_exchange(&self->lastError, 0);
    return answerValue(data, size, &error, sizeof error);
  }
  if (AuricleShapeOf(property) == shapeRefused) return kAudioUnitErr_InvalidProperty;
  flush(self);
  AuricleLinkBytes request = propertyRequest(self, property, scope, element), reply = {0};
  AuricleWriteQuestion(&request, property, data, *size);
  ByteReader rest;
  int32_t status = send(self, kAuricleUnitRequest_GetProperty, &request, &reply, &rest);
  if (!status) status = readValue(self, property, &rest, data, size);
  AuricleLinkBytesFree(&reply);
  return status;
}

/// Sets a property that is about functions and other units of this process; -1 for other properties.
static OSStatus setHere(AuricleIsolatedPlugIn *self, AudioUnitPropertyID property, AudioUnitElement element,
                        const void *data, UInt32 size) {
  switch (property) {
    case kAudioUnitProperty_SetRenderCallback: {
      if (!data || size < sizeof(AURenderCallbackStruct)) return kAudioUnitErr_InvalidPropertyValue;
      const AURenderCallbackStruct *source = data;
      const bool isSet = AuricleIsolatedSetCallback(self->render, element, (void *)source->inputProc,
                                                    source->inputProcRefCon);
      return isSet ? 0 : kAudioUnitErr_InvalidElement;
    }
    case kAudioUnitProperty_MakeConnection: {
      if (!data || size < sizeof(AudioUnitConnection)) return kAudioUnitErr_InvalidPropertyValue;
      const AudioUnitConnection *connection = data;
      const struct ComponentInstanceRecord *source = connection->sourceAudioUnit;
      const bool isSet = source ? AuricleIsolatedConnect(self->render, element, (void *)source->render, source->plugIn,
                                                         connection->sourceOutputNumber)
                                : AuricleIsolatedSetCallback(self->render, element, NULL, NULL);
      return isSet ? 0 : kAudioUnitErr_InvalidElement;
    }
    case kAudioUnitProperty_HostCallbacks: {
      HostCallbackInfo info = {0};
      if (data) memcpy(&info, data, size < sizeof info ? size : sizeof info);
      AuricleIsolatedSetHostCallbacks(self->render, data ? &info : NULL);
      return 0;
    }
    case kAudioUnitProperty_MIDIOutputCallback: {
      AUMIDIOutputCallbackStruct output = {0};
      if (data && size >= sizeof output) memcpy(&output, data, sizeof output);
      AuricleIsolatedSetMIDIOutput(self->render, (void *)output.midiOutputCallback, output.userData);
      return 0;
    }
    default: return -1;
  }
}

/// Says which inputs have sources, where the unit renders.
static void tellSources(AuricleIsolatedPlugIn *self) {
  if (!atomic_load(&self->isInitialized)) return;
  AuricleLinkBytes request = begin(self);
  const uint64_t sources = AuricleIsolatedSources(self->render);
  AuricleLinkBytesAdd(&request, &sources, sizeof sources);
  tell(self, kAuricleUnitRequest_Sources, &request);
}

static OSStatus setProperty(void *plugIn, AudioUnitPropertyID property, AudioUnitScope scope,
                            AudioUnitElement element, const void *data, UInt32 size) {
  AuricleIsolatedPlugIn *self = plugIn;
  const uint64_t sources = AuricleIsolatedSources(self->render);
  if (AuricleIsolatedIsInvalid(self->render)) return kAudioComponentErr_InstanceInvalidated;
  const OSStatus here = setHere(self, property, element, data, size);
  if (sources != AuricleIsolatedSources(self->render)) tellSources(self);
  if (here != -1) return here;
  if (AuricleShapeOf(property) == shapeRefused) return kAudioUnitErr_InvalidProperty;
  if (property == kAudioUnitProperty_OfflineRender && data && size >= 4)
    AuricleIsolatedSetOffline(self->render, *(const UInt32 *)data != 0);
  flush(self);
  AuricleLinkBytes request = propertyRequest(self, property, scope, element), copy = {0};
  AuricleWriteValue(&request, property, data, size, false);
  AuricleLinkBytesAdd(&copy, request.bytes, request.count);
  const int32_t status = tell(self, kAuricleUnitRequest_SetProperty, &request);
  if (!status) {
    // What it brings comes in place of values from before.
    if (AuricleIsolatedPropertyIsState(property)) forgetParameters(self);
    self->owner.noteProperty(self->owner.context, copy.bytes, copy.count);
  }
  AuricleLinkBytesFree(&copy);
  return status;
}

// Listeners.

static OSStatus addListener(void *plugIn, AudioUnitPropertyID property, AudioUnitPropertyListenerProc procedure,
                            void *context) {
  AuricleIsolatedPlugIn *self = plugIn;
  Listener *made = malloc(sizeof *made);
  if (!made) return kAudio_MemFullError;
  pthread_mutex_lock(&self->lock);
  *made = (Listener){self->listeners, property, procedure, context};
  self->listeners = made;
  pthread_mutex_unlock(&self->lock);
  AuricleLinkBytes request = begin(self);
  add32(&request, property);
  tell(self, kAuricleUnitRequest_Listen, &request);
  return 0;
}

static OSStatus removeListener(void *plugIn, AudioUnitPropertyID property, AudioUnitPropertyListenerProc procedure,
                               void *context) {
  AuricleIsolatedPlugIn *self = plugIn;
  pthread_mutex_lock(&self->lock);
  for (Listener **place = &self->listeners; *place;) {
    Listener *found = *place;
    if (found->property == property && found->procedure == procedure && found->context == context) {
      *place = found->next;
      free(found);
    } else {
      place = &found->next;
    }
  }
  pthread_mutex_unlock(&self->lock);
  return 0;
}

void AuricleIsolatedPlugInListeners(AuricleIsolatedPlugIn *self, AuricleLinkBytes *requests) {
  pthread_mutex_lock(&self->lock);
  for (const Listener *listener = self->listeners; listener; listener = listener->next) {
    AuricleLinkBytes request = begin(self);
    add32(&request, listener->property);
    append(requests, &request);
  }
  pthread_mutex_unlock(&self->lock);
}

void AuricleIsolatedPlugInCallListeners(AuricleIsolatedPlugIn *self, uint32_t property, uint32_t scope, uint32_t element) {
  if (property == kAudioUnitProperty_Latency) AuricleIsolatedNoteNewLatency(self->render);
  Listener called[64];
  size_t count = 0;
  pthread_mutex_lock(&self->lock);
  for (const Listener *listener = self->listeners; listener && count < 64; listener = listener->next)
    if (listener->property == property) called[count++] = *listener;
  pthread_mutex_unlock(&self->lock);
  for (size_t index = 0; index < count; index++)
    called[index].procedure(called[index].context, self->instance, property, scope, element);
}

// Rendering.

static void notify(AuricleIsolatedPlugIn *self, AudioUnitRenderActionFlags flag, AudioUnitRenderActionFlags *flags,
                   const AudioTimeStamp *stamp, UInt32 bus, UInt32 frameCount, AudioBufferList *buffers) {
  for (size_t index = 0; index < mostNotifications; index++) {
    AURenderCallback callback = atomic_load(&self->notifications[index].callback);
    if (!callback) continue;
    AudioUnitRenderActionFlags said = (flags ? *flags : 0) | flag;
    callback(atomic_load(&self->notifications[index].context), &said, stamp, bus, frameCount, buffers);
  }
}

static OSStatus render(void *plugIn, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus,
                       UInt32 frameCount, AudioBufferList *buffers) {
  AuricleIsolatedPlugIn *self = plugIn;
  if (!stamp || !buffers) return kAudio_ParamError;
  if (AuricleIsolatedIsInvalid(self->render)) return kAudioComponentErr_InstanceInvalidated;
  notify(self, kAudioUnitRenderAction_PreRender, flags, stamp, bus, frameCount, buffers);
  const OSStatus status = atomic_load(&self->isInitialized)
                              ? AuricleIsolatedRender(self->render, flags, stamp, bus, frameCount, buffers)
                              : kAudioUnitErr_Uninitialized;
  if (status) atomic_store(&self->lastError, status);
  const AudioUnitRenderActionFlags after =
      kAudioUnitRenderAction_PostRender | (status ? kAudioUnitRenderAction_PostRenderError : 0);
  notify(self, after, flags, stamp, bus, frameCount, buffers);
  return status;
}

static OSStatus addNotification(void *plugIn, AURenderCallback callback, void *context) {
  AuricleIsolatedPlugIn *self = plugIn;
  for (size_t index = 0; index < mostNotifications; index++) {
    if (atomic_load(&self->notifications[index].callback)) continue;
    atomic_store(&self->notifications[index].context, context);
    atomic_store(&self->notifications[index].callback, callback);
    return 0;
  }
  return kAudio_MemFullError;
}

static OSStatus removeNotification(void *plugIn, AURenderCallback callback, void *context) {
  AuricleIsolatedPlugIn *self = plugIn;
  for (size_t index = 0; index < mostNotifications; index++) {
    Notification *found = &self->notifications[index];
    if (atomic_load(&found->callback) == callback && atomic_load(&found->context) == context)
      atomic_store(&found->callback, NULL);
  }
  return 0;
}

static OSStatus reset(void *plugIn, AudioUnitScope scope, AudioUnitElement element) {
  AuricleIsolatedPlugIn *self = plugIn;
  flush(self);
  AuricleLinkBytes request = begin(self);
  add32(&request, scope);
  add32(&request, element);
  const int32_t status = tell(self, kAuricleUnitRequest_Reset, &request);
  AuricleIsolatedReset(self->render);
  return status;
}

// Notes.

static OSStatus midiEvent(void *plugIn, UInt32 status, UInt32 first, UInt32 second, UInt32 offset) {
  AuricleIsolatedPlugIn *self = plugIn;
  if (AuricleIsolatedIsInvalid(self->render)) return kAudioComponentErr_InstanceInvalidated;
  if (!atomic_load(&self->isInitialized)) return kAudioUnitErr_Uninitialized;
  if ((status & 0xF0) == 0xC0) atomic_fetch_add(&self->programs, 1);
  const AuricleLinkEvent event = {.kind = kAuricleLinkEvent_MIDI,
                                  .frame = offset,
                                  .message = {(uint8_t)status, (uint8_t)first, (uint8_t)second, 3}};
  return AuricleIsolatedAddEvent(self->render, &event) ? 0 : kAudio_MemFullError;
}

static OSStatus systemExclusive(void *plugIn, const UInt8 *bytes, UInt32 count) {
  AuricleIsolatedPlugIn *self = plugIn;
  if (!bytes && count) return kAudio_ParamError;
  if (AuricleIsolatedIsInvalid(self->render)) return kAudioComponentErr_InstanceInvalidated;
  atomic_fetch_add(&self->programs, 1);
  return AuricleIsolatedAddSysEx(self->render, bytes, count) ? 0 : kAudio_MemFullError;
}

static OSStatus startNote(void *plugIn, MusicDeviceInstrumentID instrument, MusicDeviceGroupID group,
                          NoteInstanceID *note, UInt32 offset, const MusicDeviceNoteParams *parameters) {
  AuricleIsolatedPlugIn *self = plugIn;
  if (!parameters || !note) return kAudio_ParamError;
  AuricleLinkBytes request = begin(self), reply = {0};
  add32(&request, instrument);
  add32(&request, group);
  add32(&request, offset);
  const uint32_t size = parameters->argCount > 0 && parameters->argCount < 64
                            ? 4 + 4 * 2 + 8 * (parameters->argCount - 2 > 62 ? 0 : parameters->argCount - 2)
                            : 12;
  add32(&request, size);
  AuricleLinkBytesAdd(&request, parameters, size);
  ByteReader rest;
  const int32_t status = send(self, kAuricleUnitRequest_StartNote, &request, &reply, &rest);
  uint32_t number = 0;
  AuricleReadBytes(&rest, &number, sizeof number);
  if (!status) *note = number;
  AuricleLinkBytesFree(&reply);
  return status;
}

static OSStatus stopNote(void *plugIn, MusicDeviceGroupID group, NoteInstanceID note, UInt32 offset) {
  AuricleIsolatedPlugIn *self = plugIn;
  AuricleLinkBytes request = begin(self);
  add32(&request, group);
  add32(&request, note);
  add32(&request, offset);
  return tell(self, kAuricleUnitRequest_StopNote, &request);
}

// Life.

static OSStatus initialize(void *plugIn) {
  AuricleIsolatedPlugIn *self = plugIn;
  if (AuricleIsolatedIsInvalid(self->render)) return kAudioComponentErr_InstanceInvalidated;
  if (atomic_load(&self->isInitialized)) return 0;
  const int32_t status = self->owner.initialize(self->owner.context);
  if (!status) atomic_store(&self->isInitialized, true);
  return status;
}

static OSStatus uninitialize(void *plugIn) {
  AuricleIsolatedPlugIn *self = plugIn;
  if (!atomic_exchange(&self->isInitialized, false)) return 0;
  return self->owner.uninitialize(self->owner.context);
}

static OSStatus openUnit(void *plugIn, AudioComponentInstance instance) {
  ((AuricleIsolatedPlugIn *)plugIn)->instance = instance;
  return 0;
}

static OSStatus closeUnit(void *plugIn) {
  AuricleIsolatedPlugIn *self = plugIn;
  self->owner.close(self->owner.context);
  return 0;
}

static AudioComponentMethod lookUp(SInt16 selector, uint32_t selectors) {
#define METHOD(function) ((AudioComponentMethod)(void *)(function))
  switch (selector) {
    case kAudioUnitInitializeSelect: return METHOD(initialize);
    case kAudioUnitUninitializeSelect: return METHOD(uninitialize);
    case kAudioUnitGetPropertyInfoSelect: return METHOD(getPropertyInfo);
    case kAudioUnitGetPropertySelect: return METHOD(getProperty);
    case kAudioUnitSetPropertySelect: return METHOD(setProperty);
    case kAudioUnitGetParameterSelect: return METHOD(getParameter);
    case kAudioUnitSetParameterSelect: return METHOD(setParameter);
    case kAudioUnitResetSelect: return METHOD(reset);
    case kAudioUnitAddPropertyListenerSelect: return METHOD(addListener);
    case kAudioUnitRemovePropertyListenerWithUserDataSelect: return METHOD(removeListener);
    case kAudioUnitRenderSelect: return METHOD(render);
    case kAudioUnitAddRenderNotifySelect: return METHOD(addNotification);
    case kAudioUnitRemoveRenderNotifySelect: return METHOD(removeNotification);
    case kAudioUnitScheduleParametersSelect: return selectors & 4 ? METHOD(scheduleParameters) : NULL;
    case kMusicDeviceMIDIEventSelect: return selectors & 1 ? METHOD(midiEvent) : NULL;
    case kMusicDeviceSysExSelect: return selectors & 1 ? METHOD(systemExclusive) : NULL;
    case kMusicDeviceStartNoteSelect: return selectors & 2 ? METHOD(startNote) : NULL;
    case kMusicDeviceStopNoteSelect: return selectors & 2 ? METHOD(stopNote) : NULL;
    default: return NULL;
  }
#undef METHOD
}

// Lookup has no unit: one for each set of selectors.
static AudioComponentMethod lookUp0(SInt16 selector) { return lookUp(selector, 0); }
static AudioComponentMethod lookUp1(SInt16 selector) { return lookUp(selector, 1); }
static AudioComponentMethod lookUp3(SInt16 selector) { return lookUp(selector, 3); }
static AudioComponentMethod lookUp4(SInt16 selector) { return lookUp(selector, 4); }
static AudioComponentMethod lookUp5(SInt16 selector) { return lookUp(selector, 5); }
static AudioComponentMethod lookUp7(SInt16 selector) { return lookUp(selector, 7); }

AuricleIsolatedPlugIn *AuricleIsolatedPlugInMake(AuricleIsolated *render, uint32_t number, uint32_t selectors,
                                                 AuricleIsolatedOwner owner) {
  AuricleIsolatedPlugIn *self = calloc(1, sizeof *self);
  if (!self) return NULL;
  AudioComponentMethod (*const all[])(SInt16) = {lookUp0, lookUp1, lookUp3, lookUp3,
                                                 lookUp4, lookUp5, lookUp7, lookUp7};
  self->interface = (AudioComponentPlugInInterface){openUnit, closeUnit, all[selectors & 7], NULL};
  self->render = render;
  self->number = number;
  self->owner = owner;
  pthread_mutex_init(&self->lock, NULL);
  return self;
}

void AuricleIsolatedPlugInFree(AuricleIsolatedPlugIn *self) {
  while (self->listeners) {
    Listener *next = self->listeners->next;
    free(self->listeners);
    self->listeners = next;
  }
  for (size_t index = 0; index < self->keptCount; index++) free(self->kept[index]);
  free(self->kept);
  pthread_mutex_destroy(&self->lock);
  free(self);
}

void AuricleIsolatedPlugInSetInitialized(AuricleIsolatedPlugIn *self, bool isInitialized) {
  atomic_store(&self->isInitialized, isInitialized);
}
