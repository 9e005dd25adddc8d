// Requests about a unit that this process runs for its host: each becomes a call of the unit.
// SPDX-License-Identifier: Apache-2.0
#include <Auricle/AuricleProperties.h>
#include <AudioToolbox/AudioComponent.h>
#include <AudioToolbox/MusicDevice.h>
#include <CoreFoundation/CoreFoundation.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "EventQueue.h"
#include "IsolatedPlugIn.h"
#include "PropertyValues.h"
#include "ServedUnit.h"

enum { mostValueBytes = 1 << 24 };

struct AuricleServedCalls {
  AudioComponentPlugInInterface *plugIn;
  AudioUnitInitializeProc initialize, uninitialize;
  AudioUnitGetPropertyInfoProc getPropertyInfo;
  AudioUnitGetPropertyProc getProperty;
  AudioUnitSetPropertyProc setProperty;
  AudioUnitAddPropertyListenerProc addListener;
  AudioUnitGetParameterProc getParameter;
  AudioUnitSetParameterProc setParameter;
  AudioUnitScheduleParametersProc scheduleParameters;
  AudioUnitResetProc reset;
  AudioUnitRenderProc render;
  MusicDeviceMIDIEventProc midiEvent;
  MusicDeviceSysExProc sysEx;
  MusicDeviceStartNoteProc startNote;
  MusicDeviceStopNoteProc stopNote;
  AuricleServedReports reports;
  /// Whether the latency is another one than was last read on the control side.
  atomic_bool hasNewLatency;
  /// The unit that renders; NULL for none.
  void *served;
  /// Bit b: input bus b has a source.
  uint64_t sources;
  /// The properties that are reported.
  uint32_t watched[256];
  uint32_t watchedCount;
};

/// Whether this thread serves a request: its reports go at once, in front of the reply.
static _Thread_local bool isInRequest;

static void *find(AudioComponentPlugInInterface *plugIn, SInt16 selector) {
  return plugIn->Lookup ? (void *)plugIn->Lookup(selector) : NULL;
}

AuricleServedCalls *AuricleServedCallsMake(void *plugIn) {
  AuricleServedCalls *calls = calloc(1, sizeof *calls);
  if (!calls) return NULL;
  calls->plugIn = plugIn;
  calls->initialize = (AudioUnitInitializeProc)find(plugIn, kAudioUnitInitializeSelect);
  calls->uninitialize = (AudioUnitUninitializeProc)find(plugIn, kAudioUnitUninitializeSelect);
  calls->getPropertyInfo = (AudioUnitGetPropertyInfoProc)find(plugIn, kAudioUnitGetPropertyInfoSelect);
  calls->getProperty = (AudioUnitGetPropertyProc)find(plugIn, kAudioUnitGetPropertySelect);
  calls->setProperty = (AudioUnitSetPropertyProc)find(plugIn, kAudioUnitSetPropertySelect);
  calls->addListener = (AudioUnitAddPropertyListenerProc)find(plugIn, kAudioUnitAddPropertyListenerSelect);
  calls->getParameter = (AudioUnitGetParameterProc)find(plugIn, kAudioUnitGetParameterSelect);
  calls->setParameter = (AudioUnitSetParameterProc)find(plugIn, kAudioUnitSetParameterSelect);
  calls->scheduleParameters = (AudioUnitScheduleParametersProc)find(plugIn, kAudioUnitScheduleParametersSelect);
  calls->reset = (AudioUnitResetProc)find(plugIn, kAudioUnitResetSelect);
  calls->render = (AudioUnitRenderProc)find(plugIn, kAudioUnitRenderSelect);
  calls->midiEvent = (MusicDeviceMIDIEventProc)find(plugIn, kMusicDeviceMIDIEventSelect);
  calls->sysEx = (MusicDeviceSysExProc)find(plugIn, kMusicDeviceSysExSelect);
  calls->startNote = (MusicDeviceStartNoteProc)find(plugIn, kMusicDeviceStartNoteSelect);
  calls->stopNote = (MusicDeviceStopNoteProc)find(plugIn, kMusicDeviceStopNoteSelect);
  return calls;
}

void AuricleServedCallsFree(AuricleServedCalls *calls) { free(calls); }

uint32_t AuricleServedSelectors(const AuricleServedCalls *calls) {
  return (calls->midiEvent ? 1 : 0) | (calls->startNote && calls->stopNote ? 2 : 0) |
         (calls->scheduleParameters ? 4 : 0);
}

int32_t AuricleServedInitialize(AuricleServedCalls *calls) {
  if (!calls->initialize) return kAudio_UnimplementedError;
  isInRequest = true;
  const int32_t status = calls->initialize(calls->plugIn);
  isInRequest = false;
  return status;
}

// Buses.

static int32_t get(const AuricleServedCalls *calls, AudioUnitPropertyID property, AudioUnitScope scope,
                   AudioUnitElement element, void *data, UInt32 size) {
  if (!calls->getProperty) return kAudio_UnimplementedError;
  UInt32 there = size;
  const int32_t status = calls->getProperty(calls->plugIn, property, scope, element, data, &there);
  return status ? status : there == size ? 0 : kAudioUnitErr_InvalidPropertyValue;
}

static int32_t describeScope(const AuricleServedCalls *calls, AudioUnitScope scope, uint32_t *count,
                             uint32_t *channels, double *sampleRate) {
  UInt32 buses = 0;
  if (get(calls, kAudioUnitProperty_ElementCount, scope, 0, &buses, sizeof buses)) {
    AudioStreamBasicDescription format;
    while (buses < AuricleMostIsolatedBuses &&
           !get(calls, kAudioUnitProperty_StreamFormat, scope, buses, &format, sizeof format))
      buses++;
  }
  if (buses > AuricleMostIsolatedBuses) return kAudioUnitErr_FormatNotSupported;
  *count = buses;
  for (uint32_t bus = 0; bus < buses; bus++) {
    AudioStreamBasicDescription format = {0};
    const int32_t status =
        get(calls, kAudioUnitProperty_StreamFormat, scope, bus, &format, sizeof format);
    if (status) return status;
    const bool isPlanarFloat = format.mFormatFlags & kAudioFormatFlagIsFloat && format.mBitsPerChannel == 32 &&
                               (format.mFormatFlags & kAudioFormatFlagIsNonInterleaved || format.mChannelsPerFrame < 2);
    if (!isPlanarFloat && format.mChannelsPerFrame) return kAudioUnitErr_FormatNotSupported;
    channels[bus] = format.mChannelsPerFrame;
    if (*sampleRate <= 0 || scope == kAudioUnitScope_Output) *sampleRate = format.mSampleRate;
  }
  return 0;
}

int32_t AuricleServedDescribe(const AuricleServedCalls *calls, void *into, double *sampleRate) {
  AuricleServedForm *form = into;
  *sampleRate = 0;
  form->plugIn = calls->plugIn;
  form->render = (void *)calls->render;
  form->setParameter = (void *)calls->setParameter;
  form->scheduleParameters = (void *)calls->scheduleParameters;
  form->hasNewLatency = &calls->hasNewLatency;
  form->midiEvent = (void *)calls->midiEvent;
  form->sysEx = (void *)calls->sysEx;
  UInt32 frames = 0;
  if (get(calls, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &frames, sizeof frames) ||
      !frames)
    frames = 1156;
  form->maximumFrames = frames;
  int32_t status = describeScope(calls, kAudioUnitScope_Input, &form->inputBuses, form->inputChannels, sampleRate);
  if (!status)
    status = describeScope(calls, kAudioUnitScope_Output, &form->outputBuses, form->outputChannels, sampleRate);
  return status;
}

/// Has inputs with a source come from the host.
static int32_t connectSources(AuricleServedCalls *calls, uint64_t sources) {
  const uint64_t wanted = calls->served ? sources : 0, before = calls->sources;
  for (UInt32 bus = 0; calls->setProperty && bus < AuricleMostIsolatedBuses; bus++) {
    const bool isThere = wanted >> bus & 1;
    // One that has had none is left alone: some units take every number for that of their only input.
    if (!isThere && !(before >> bus & 1)) continue;
    AURenderCallbackStruct input = {isThere ? (AURenderCallback)AuricleServedInput() : NULL,
                                    isThere ? calls->served : NULL};
    calls->setProperty(calls->plugIn, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, bus, &input,
                       sizeof input);
  }
  calls->sources = wanted;
  return 0;
}

void AuricleServedConnect(AuricleServedCalls *calls, void *served, uint64_t sources) {
  if (!calls->setProperty) return;
  calls->served = served;
  connectSources(calls, sources);
  AUMIDIOutputCallbackStruct output = {served ? (AUMIDIOutputCallback)AuricleServedMIDIOutput() : NULL, served};
  calls->setProperty(calls->plugIn, kAudioUnitProperty_MIDIOutputCallback, kAudioUnitScope_Global, 0, &output,
                     sizeof output);
  HostCallbackInfo song = {0};
  if (served) AuricleServedHostCallbacks(served, &song);
  calls->setProperty(calls->plugIn, kAudioUnitProperty_HostCallbacks, kAudioUnitScope_Global, 0, &song, sizeof song);
}

// Requests.

typedef struct {
  uint32_t property, scope, element;
} Place;

static Place readPlace(ByteReader *reader) {
  Place place;
  AuricleReadBytes(reader, &place, sizeof place);
  return place;
}

static int32_t propertyInfo(AuricleServedCalls *calls, ByteReader *reader, AuricleLinkBytes *reply) {
  const Place place = readPlace(reader);
  UInt32 size = 0;
  Boolean writable = 0;
  if (AuricleShapeOf(place.property) == shapeRefused) return kAudioUnitErr_InvalidProperty;
  const int32_t status = calls->getPropertyInfo ? calls->getPropertyInfo(calls->plugIn, place.property, place.scope,
                                                                         place.element, &size, &writable)
                                                : kAudio_UnimplementedError;
  AuricleLinkBytesAdd(reply, &size, sizeof size);
  AuricleLinkBytesAdd(reply, &writable, 1);
  return status;
}

/// Fills in the part of a value that a get reads; the object in it, which the caller releases.
static CFTypeRef readQuestion(ByteReader *reader, AudioUnitPropertyID property, uint8_t *data, UInt32 size,
                              Float32 *value) {
  switch (AuricleShapeOf(property)) {
    case shapeName: AuricleReadBytes(reader, data, 8); return NULL;
    case shapeStringFromValue: {
      AudioUnitParameterStringFromValue *question = (void *)data;
      uint8_t hasValue = 0;
      AuricleReadBytes(reader, &question->inParamID, 4);
      AuricleReadBytes(reader, &hasValue, 1);
      AuricleReadBytes(reader, value, 4);
      question->inValue = hasValue ? value : NULL;
      return NULL;
    }
    case shapeValueFromString: {
      AudioUnitParameterValueFromString *question = (void *)data;
      AuricleReadBytes(reader, &question->inParamID, 4);
      return question->inString = AuricleReadObject(reader, 0);
    }
    case shapeRaw: AuricleReadBytes(reader, data, size < reader->left ? size : reader->left); return NULL;
    default: return NULL;
  }
}

static int32_t getValue(AuricleServedCalls *calls, ByteReader *reader, AuricleLinkBytes *reply) {
  const Place place = readPlace(reader);
  UInt32 size = 0;
  AuricleReadBytes(reader, &size, sizeof size);
  if (reader->hasFailed || size > mostValueBytes || AuricleShapeOf(place.property) == shapeRefused)
    return kAudioUnitErr_InvalidProperty;
  if (!calls->getProperty) return kAudio_UnimplementedError;
  uint8_t *data = calloc(1, size + 256);
  if (!data) return kAudio_MemFullError;
  Float32 value = 0;
  CFTypeRef object = readQuestion(reader, place.property, data, size, &value);
  const int32_t status = calls->getProperty(calls->plugIn, place.property, place.scope, place.element, data, &size);
  if (!status) AuricleWriteValue(reply, place.property, data, size, true);
  if (object) CFRelease(object);
  free(data);
  return status;
}

static int32_t set(AuricleServedCalls *calls, Place place, const void *data, UInt32 size) {
  return calls->setProperty(calls->plugIn, place.property, place.scope, place.element, data, size);
}

static int32_t setRaw(AuricleServedCalls *calls, Place place, ByteReader *reader) {
  const uint32_t count = AuricleReadCount(reader);
  if (reader->hasFailed) return kAudioUnitErr_InvalidPropertyValue;
  // Values lie where their numbers may.
  void *copy = malloc(count + 16);
  if (!copy) return kAudio_MemFullError;
  AuricleReadBytes(reader, copy, count);
  const int32_t status = set(calls, place, copy, count);
  free(copy);
  return status;
}

static int32_t setValue(AuricleServedCalls *calls, ByteReader *reader) {
  const Place place = readPlace(reader);
  char isThere = 0;
  AuricleReadBytes(reader, &isThere, 1);
  if (reader->hasFailed || !calls->setProperty) return kAudioUnitErr_InvalidProperty;
  if (!isThere) return set(calls, place, NULL, 0);
  int32_t status = kAudioUnitErr_InvalidProperty;
  CFTypeRef object = NULL;
  switch (AuricleShapeOf(place.property)) {
    case shapeObject:
      object = AuricleReadObject(reader, 0);
      status = set(calls, place, &object, sizeof object);
      break;
    case shapePreset: {
      AUPreset preset = {0};
      AuricleReadBytes(reader, &preset.presetNumber, 4);
      preset.presetName = object = AuricleReadObject(reader, 0);
      status = set(calls, place, &preset, sizeof preset);
      break;
    }
    case shapeHost: {
      AUHostVersionIdentifier host = {0};
      AuricleReadBytes(reader, &host.hostVersion, sizeof host.hostVersion);
      host.hostName = object = AuricleReadObject(reader, 0);
      status = set(calls, place, &host, sizeof host);
      break;
    }
    case shapeRaw: return setRaw(calls, place, reader);
    default: break;
  }
  if (object) CFRelease(object);
  return status;
}

static int32_t parameter(AuricleServedCalls *calls, ByteReader *reader, AuricleLinkBytes *reply, bool sets) {
  uint32_t id = 0, scope = 0, element = 0, offset = 0;
  Float32 value = 0;
  AuricleReadBytes(reader, &id, 4);
  AuricleReadBytes(reader, &scope, 4);
  AuricleReadBytes(reader, &element, 4);
  if (!sets) {
    if (!calls->getParameter) return kAudio_UnimplementedError;
    const int32_t status = calls->getParameter(calls->plugIn, id, scope, element, &value);
    AuricleLinkBytesAdd(reply, &value, sizeof value);
    return status;
  }
  AuricleReadBytes(reader, &value, 4);
  AuricleReadBytes(reader, &offset, 4);
  if (reader->hasFailed || !calls->setParameter) return kAudio_UnimplementedError;
  return calls->setParameter(calls->plugIn, id, scope, element, value, offset);
}

static int32_t note(AuricleServedCalls *calls, ByteReader *reader, AuricleLinkBytes *reply, bool starts) {
  uint32_t words[3] = {0};
  AuricleReadBytes(reader, words, sizeof words);
  if (!starts) return calls->stopNote ? calls->stopNote(calls->plugIn, words[0], words[1], words[2]) : -4;
  union {
    MusicDeviceNoteParams parameters;
    uint8_t bytes[1024];
  } given = {0};
  const uint32_t size = AuricleReadCount(reader);
  if (reader->hasFailed || size > sizeof given || size < 12 || !calls->startNote) return kAudio_ParamError;
  AuricleReadBytes(reader, &given, size);
  if (given.parameters.argCount > 64) return kAudio_ParamError;
  NoteInstanceID number = 0;
  const int32_t status =
      calls->startNote(calls->plugIn, words[0], words[1], &number, words[2], &given.parameters);
  AuricleLinkBytesAdd(reply, &number, sizeof number);
  return status;
}

static void changed(void *context, AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope,
                    AudioUnitElement element) {
  (void)unit;
  AuricleServedCalls *calls = context;
  const AuricleServedReports *reports = &calls->reports;
  if (property == kAudioUnitProperty_Latency) atomic_store(&calls->hasNewLatency, true);
  if (isInRequest && reports->send) return reports->send(reports->context, property, scope, element);
  // It may be the thread that renders, which waits for nobody.
  const AuricleLinkEvent event = {.kind = reports->number, .id = property, .scope = scope, .element = element};
  if (!reports->queue || !AuricleEventQueueAdd(reports->queue, &event)) return;
  const uint8_t stroke = 1;
  const ssize_t written = write(reports->bell, &stroke, 1);
  (void)written;
}

static int32_t listen(AuricleServedCalls *calls, ByteReader *reader) {
  uint32_t property = 0;
  AuricleReadBytes(reader, &property, sizeof property);
  if (!calls->addListener) return kAudio_UnimplementedError;
  for (uint32_t index = 0; index < calls->watchedCount; index++)
    if (calls->watched[index] == property) return 0;
  if (calls->watchedCount == sizeof calls->watched / sizeof *calls->watched) return kAudio_MemFullError;
  calls->watched[calls->watchedCount++] = property;
  return calls->addListener(calls->plugIn, property, changed, calls);
}

void AuricleServedSetReports(AuricleServedCalls *calls, AuricleServedReports reports) {
  calls->reports = reports;
  const uint32_t latency = kAudioUnitProperty_Latency;
  ByteReader reader = {(const uint8_t *)&latency, sizeof latency, false};
  listen(calls, &reader);
}

static int32_t call(AuricleServedCalls *calls, uint16_t kind, ByteReader *reader, AuricleLinkBytes *reply) {
  switch (kind) {
    case kAuricleUnitRequest_Uninitialize:
      return calls->uninitialize ? calls->uninitialize(calls->plugIn) : kAudio_UnimplementedError;
    case kAuricleUnitRequest_PropertyInfo: return propertyInfo(calls, reader, reply);
    case kAuricleUnitRequest_GetProperty: return getValue(calls, reader, reply);
    case kAuricleUnitRequest_SetProperty: return setValue(calls, reader);
    case kAuricleUnitRequest_GetParameter: return parameter(calls, reader, reply, false);
    case kAuricleUnitRequest_SetParameter: return parameter(calls, reader, reply, true);
    case kAuricleUnitRequest_Reset: {
      uint32_t place[2] = {0};
      AuricleReadBytes(reader, place, sizeof place);
      return calls->reset ? calls->reset(calls->plugIn, place[0], place[1]) : kAudio_UnimplementedError;
    }
    case kAuricleUnitRequest_StartNote: return note(calls, reader, reply, true);
    case kAuricleUnitRequest_StopNote: return note(calls, reader, reply, false);
    case kAuricleUnitRequest_Listen: return listen(calls, reader);
    case kAuricleUnitRequest_Sources: {
      uint64_t sources = 0;
      AuricleReadBytes(reader, &sources, sizeof sources);
      return connectSources(calls, sources);
    }
    default: return kAudio_UnimplementedError;
  }
}

void AuricleServedCall(AuricleServedCalls *calls, uint16_t kind, const uint8_t *bytes, size_t count,
                       AuricleLinkBytes *reply) {
  ByteReader reader = {bytes, count, false};
  AuricleLinkBytes rest = {0};
  isInRequest = true;
  const int32_t status = call(calls, kind, &reader, &rest);
  isInRequest = false;
  double latency = 0;
  atomic_store(&calls->hasNewLatency, false);
  get(calls, kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0, &latency, sizeof latency);
  AuricleLinkBytesAdd(reply, &status, sizeof status);
  AuricleLinkBytesAdd(reply, &latency, sizeof latency);
  AuricleLinkBytesAdd(reply, rest.bytes, rest.count);
  AuricleLinkBytesFree(&rest);
}
