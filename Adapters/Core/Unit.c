// Making a unit, its buses, and its life between Initialize and Uninitialize.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Chain.h"
#include "Internal.h"

AudioComponentMethod methodOf(struct Unit *unit, SInt16 selector) {
  return unit->plugIn == NULL ? NULL : unit->plugIn->Lookup(selector);
}

OSStatus getProperty(
    struct Unit *unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, void *data, UInt32 *size) {
  return unit->record.getProperty == NULL ? kAudio_UnimplementedError
                                          : unit->record.getProperty(unit->plugIn, id, scope, element, data, size);
}

OSStatus setProperty(
    struct Unit *unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, const void *data, UInt32 size) {
  return unit->record.setProperty == NULL ? kAudio_UnimplementedError
                                          : unit->record.setProperty(unit->plugIn, id, scope, element, data, size);
}

bool hasProperty(struct Unit *unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, UInt32 *size) {
  UInt32 found = 0;
  Boolean isWritable = false;
  const bool isThere = unit->record.getPropertyInfo != NULL &&
                       unit->record.getPropertyInfo(unit->plugIn, id, scope, element, &found, &isWritable) == kAudio_NoError;
  if (size != NULL) *size = isThere ? found : 0;
  return isThere;
}

void copyText(const struct Foundation *cf, CFStringRef string, char *text, size_t size) {
  CFIndex used = 0;
  text[0] = 0;
  if (string == NULL || cf->CFGetTypeID(string) != cf->CFStringGetTypeID()) return;
  const CFRange all = {0, cf->CFStringGetLength(string)};
  cf->CFStringGetBytes(string, all, kCFStringEncodingUTF8, '?', false, (UInt8 *)text, (CFIndex)size - 1, &used);
  text[used] = 0;
  for (char *place = text; *place != 0; place++)
    if ((unsigned char)*place < 0x20 || *place == 0x7F) *place = ' ';
}

CFStringRef makeText(const struct Foundation *cf, const char *text) {
  return cf->CFStringCreateWithBytes(NULL, (const UInt8 *)text, (CFIndex)strlen(text), kCFStringEncodingUTF8, false);
}

bool readText(struct Unit *unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, char *text, size_t size) {
  CFStringRef string = NULL;
  UInt32 length = sizeof string;
  text[0] = 0;
  if (getProperty(unit, id, scope, element, &string, &length) != kAudio_NoError || string == NULL) return false;
  copyText(unit->cf, string, text, size);
  unit->cf->CFRelease(string);
  return text[0] != 0;
}

// ---- Buses.

bool readFormat(struct Unit *unit, bool isOutput, UInt32 bus, AudioStreamBasicDescription *format) {
  UInt32 size = sizeof *format;
  memset(format, 0, sizeof *format);
  return getProperty(
             unit, kAudioUnitProperty_StreamFormat, isOutput ? kAudioUnitScope_Output : kAudioUnitScope_Input, bus, format,
             &size) == kAudio_NoError;
}

static bool setFormat(struct Unit *unit, bool isOutput, UInt32 bus, double sampleRate, UInt32 channels) {
  const AudioStreamBasicDescription format = {
      .mSampleRate = sampleRate,
      .mFormatID = kAudioFormatLinearPCM,
      .mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      .mBytesPerPacket = sizeof(Float32),
      .mFramesPerPacket = 1,
      .mBytesPerFrame = sizeof(Float32),
      .mChannelsPerFrame = channels,
      .mBitsPerChannel = 8 * sizeof(Float32)};
  return setProperty(
             unit, kAudioUnitProperty_StreamFormat, isOutput ? kAudioUnitScope_Output : kAudioUnitScope_Input, bus, &format,
             sizeof format) == kAudio_NoError;
}

// Whether a rule of SupportedNumChannels allows two numbers: -1 and -1 any that are the same, -1 and -2 any, a number
// below -2 so many in all.
static bool allows(AUChannelInfo rule, UInt32 inputs, UInt32 outputs) {
  if (rule.inChannels == -1 && rule.outChannels == -1) return inputs == outputs;
  const bool fitsIn = rule.inChannels < -2 ? inputs <= (UInt32)-rule.inChannels : rule.inChannels < 0 || (UInt32)rule.inChannels == inputs;
  const bool fitsOut = rule.outChannels < -2 ? outputs <= (UInt32)-rule.outChannels : rule.outChannels < 0 || (UInt32)rule.outChannels == outputs;
  return fitsIn && fitsOut;
}

bool supportsChannels(struct Unit *unit, UInt32 inputs, UInt32 outputs) {
  AUChannelInfo rules[64];
  UInt32 size = sizeof rules;
  if (inputs > kMaximumChannels || outputs > kMaximumChannels) return false;
  if (unit->chain != NULL) return inputs == outputs || unit->busCounts[0] == 0;
  if (getProperty(unit, kAudioUnitProperty_SupportedNumChannels, kAudioUnitScope_Global, 0, rules, &size) != kAudio_NoError)
    return unit->busCounts[0] == 0 || inputs == outputs;
  for (UInt32 i = 0; i < size / sizeof *rules; i++)
    if (allows(rules[i], inputs, outputs)) return true;
  return false;
}

static UInt32 countElements(struct Unit *unit, AudioUnitScope scope) {
  UInt32 count = 0, size = sizeof count;
  if (getProperty(unit, kAudioUnitProperty_ElementCount, scope, 0, &count, &size) != kAudio_NoError) return 0;
  return count > kMaximumBuses ? kMaximumBuses : count;
}

// The names and channels of the buses as they are.
static void readBuses(struct Unit *unit) {
  for (int side = 0; side < 2; side++)
    for (UInt32 bus = 0; bus < unit->busCounts[side]; bus++) {
      struct Bus *known = &unit->buses[side][bus];
      AudioStreamBasicDescription format;
      known->channels = readFormat(unit, side == 1, bus, &format) ? format.mChannelsPerFrame : 0;
      known->isSideChain = side == 0 && bus > 0;
      if (readText(unit, kAudioUnitProperty_ElementName, side ? kAudioUnitScope_Output : kAudioUnitScope_Input, bus, known->name, sizeof known->name))
        continue;
      const char *kind = side == 1 ? "Output" : bus == 0 ? "Input" : "Side Chain";
      const UInt32 number = known->isSideChain ? bus : bus + 1;
      if (number == 1) snprintf(known->name, sizeof known->name, "%s", kind);
      else snprintf(known->name, sizeof known->name, "%s %u", kind, number);
    }
}

bool arrangeUnit(struct Unit *unit, const UInt32 *inputs, const UInt32 *outputs) {
  if (unit->chain != NULL)
    return (unit->busCounts[0] == 0 || inputs[0] == outputs[0]) && outputs[0] > 0 && outputs[0] <= kMaximumChannels && arrangeChain(unit, outputs[0]);
  const UInt32 *wanted[] = {inputs, outputs};
  const UInt32 mainIn = unit->busCounts[0] > 0 ? inputs[0] : 0, mainOut = unit->busCounts[1] > 0 ? outputs[0] : 0;
  bool isDone = supportsChannels(unit, mainIn, mainOut);
  for (int side = 0; side < 2 && isDone; side++)
    for (UInt32 bus = 0; bus < unit->busCounts[side] && isDone; bus++) {
      AudioStreamBasicDescription format;
      isDone = wanted[side][bus] > 0 && wanted[side][bus] <= kMaximumChannels && readFormat(unit, side == 1, bus, &format) &&
               (format.mChannelsPerFrame == wanted[side][bus] ||
                setFormat(unit, side == 1, bus, format.mSampleRate, wanted[side][bus]));
    }
  readBuses(unit);
  return isDone;
}

// Chooses stereo if the unit has it, then mono; else the arrangement at opening.
static void chooseFirstArrangement(struct Unit *unit) {
  static const UInt32 choices[][2] = {{2, 2}, {1, 2}, {1, 1}};
  UInt32 counts[2][kMaximumBuses];
  for (int side = 0; side < 2; side++)
    for (UInt32 bus = 0; bus < unit->busCounts[side]; bus++) counts[side][bus] = unit->buses[side][bus].channels;
  for (int i = 0; i < 3; i++) {
    const UInt32 in = unit->busCounts[0] > 0 ? choices[i][0] : 0;
    if (!supportsChannels(unit, in, choices[i][1])) continue;
    if (unit->busCounts[0] > 0) counts[0][0] = in;
    if (unit->busCounts[1] > 0) counts[1][0] = choices[i][1];
    if (arrangeUnit(unit, counts[0], counts[1])) return;
  }
}

// ---- The unit's access to the host.

static OSStatus beatAndTempo(void *host, Float64 *beat, Float64 *tempo) {
  const struct Transport *transport = &((struct Unit *)host)->transport;
  if (!transport->isValid) return kAudioUnitErr_CannotDoInCurrentContext;
  if (beat != NULL) *beat = transport->beat;
  if (tempo != NULL) *tempo = transport->tempo;
  return kAudio_NoError;
}

static OSStatus timeLocation(void *host, UInt32 *toNextBeat, Float32 *numerator, UInt32 *denominator, Float64 *downBeat) {
  const struct Unit *unit = host;
  const struct Transport *transport = &unit->transport;
  if (!transport->isValid) return kAudioUnitErr_CannotDoInCurrentContext;
  const double left = ceil(transport->beat) - transport->beat;
  if (toNextBeat != NULL) *toNextBeat = transport->tempo > 0 ? (UInt32)(left * 60 / transport->tempo * unit->sampleRate) : 0;
  if (numerator != NULL) *numerator = (Float32)transport->numerator;
  if (denominator != NULL) *denominator = transport->denominator;
  if (downBeat != NULL) *downBeat = transport->barBeat;
  return kAudio_NoError;
}

static OSStatus transportState2(
    void *host, Boolean *isPlaying, Boolean *isRecording, Boolean *hasChanged, Float64 *sample, Boolean *isCycling,
    Float64 *cycleStart, Float64 *cycleEnd) {
  const struct Transport *transport = &((struct Unit *)host)->transport;
  if (!transport->isValid) return kAudioUnitErr_CannotDoInCurrentContext;
  if (isPlaying != NULL) *isPlaying = transport->isPlaying;
  if (isRecording != NULL) *isRecording = transport->isRecording;
  if (hasChanged != NULL) *hasChanged = transport->hasChanged;
  if (sample != NULL) *sample = transport->sample;
  if (isCycling != NULL) *isCycling = transport->isCycling;
  if (cycleStart != NULL) *cycleStart = transport->cycleStart;
  if (cycleEnd != NULL) *cycleEnd = transport->cycleEnd;
  return kAudio_NoError;
}

static OSStatus transportState(
    void *host, Boolean *isPlaying, Boolean *hasChanged, Float64 *sample, Boolean *isCycling, Float64 *cycleStart,
    Float64 *cycleEnd) {
  return transportState2(host, isPlaying, NULL, hasChanged, sample, isCycling, cycleStart, cycleEnd);
}

// Passes the input of a bus that the unit asks for in a slice. It was copied before from the host's buffers.
static OSStatus provideInput(
    void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus, UInt32 frames,
    AudioBufferList *list) {
  struct Unit *unit = context;
  (void)stamp;
  if (bus >= unit->busCounts[0] || frames > unit->sliceFrames) return kAudio_ParamError;
  const Float32 *const *channels = unit->inputs[bus];
  for (UInt32 i = 0; i < list->mNumberBuffers; i++) {
    AudioBuffer *buffer = &list->mBuffers[i];
    const Float32 *source = channels == NULL || i >= unit->buses[0][bus].channels ? NULL : channels[i];
    if (buffer->mData == NULL && source != NULL) buffer->mData = (void *)source;
    else if (buffer->mData == NULL) buffer->mData = unit->scratch, memset(unit->scratch, 0, frames * sizeof(Float32));
    else if (source != NULL) memmove(buffer->mData, source, frames * sizeof(Float32));
    else memset(buffer->mData, 0, frames * sizeof(Float32));
    buffer->mDataByteSize = frames * (UInt32)sizeof(Float32);
  }
  if (channels == NULL && flags != NULL) *flags |= kAudioUnitRenderAction_OutputIsSilence;
  return kAudio_NoError;
}

void feedBus(struct Unit *unit, UInt32 bus) {
  const AURenderCallbackStruct source = {provideInput, unit};
  unit->isFed[bus] =
      setProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, bus, &source, sizeof source) == kAudio_NoError;
}

// Stores the unit's messages; the bytes are of its memory until the next slice.
static OSStatus collectMIDI(void *context, const AudioTimeStamp *stamp, UInt32 output, const struct MIDIPacketList *packets) {
  struct Unit *unit = context;
  (void)stamp;
  const MIDIPacket *packet = packets->packet;
  for (UInt32 i = 0; i < packets->numPackets; i++) {
    for (UInt32 place = 0; place < packet->length && unit->sentCount < kSliceEvents;) {
      const UInt8 *bytes = packet->data + place, kind = bytes[0] & 0xF0;
      UInt32 count = packet->length - place;
      struct SentMessage *sent = &unit->sent[unit->sentCount];
      *sent = (struct SentMessage){.frame = (UInt32)packet->timeStamp + unit->inputOffset, .output = output};
      if (bytes[0] >= 0xF0) sent->exclusive = bytes;
      else if (count > (kind == 0xC0 || kind == 0xD0 ? 2u : 3u)) count = kind == 0xC0 || kind == 0xD0 ? 2 : 3;
      if (sent->exclusive == NULL) memcpy(sent->bytes, bytes, count);
      sent->count = count;
      unit->sentCount += 1;
      place += count;
    }
    packet = MIDIPacketNext(packet);
  }
  return kAudio_NoError;
}

// ---- Life.

static void fillRecord(struct Unit *unit) {
  const struct Entry *entry = unit->entry;
  unit->component = (struct OpaqueAudioComponent){
      .magic = kAuricleComponentMagic,
      .recordSize = sizeof unit->component,
      .description = entry->description,
      .version = entry->version,
      .name = entry->name};
  unit->record = (struct ComponentInstanceRecord){
      .magic = kAuricleInstanceMagic,
      .recordSize = sizeof unit->record,
      .component = &unit->component,
      .plugIn = unit->plugIn,
      .render = (AudioUnitRenderProc)methodOf(unit, kAudioUnitRenderSelect),
      .getProperty = (AudioUnitGetPropertyProc)methodOf(unit, kAudioUnitGetPropertySelect),
      .setProperty = (AudioUnitSetPropertyProc)methodOf(unit, kAudioUnitSetPropertySelect),
      .getPropertyInfo = (AudioUnitGetPropertyInfoProc)methodOf(unit, kAudioUnitGetPropertyInfoSelect),
      .getParameter = (AudioUnitGetParameterProc)methodOf(unit, kAudioUnitGetParameterSelect),
      .setParameter = (AudioUnitSetParameterProc)methodOf(unit, kAudioUnitSetParameterSelect),
      .reset = (AudioUnitResetProc)methodOf(unit, kAudioUnitResetSelect),
      .process = (AudioUnitProcessProc)methodOf(unit, kAudioUnitProcessSelect),
      .scheduleParameters = (AudioUnitScheduleParametersProc)methodOf(unit, kAudioUnitScheduleParametersSelect)};
}

static void readPresets(struct Unit *unit) {
  CFArrayRef array = NULL;
  UInt32 size = sizeof array;
  if (getProperty(unit, kAudioUnitProperty_FactoryPresets, kAudioUnitScope_Global, 0, &array, &size) != kAudio_NoError || array == NULL)
    return;
  const CFIndex count = unit->cf->CFArrayGetCount(array);
  unit->presets = calloc((size_t)count + 1, sizeof *unit->presets);
  for (CFIndex i = 0; i < count && unit->presets != NULL; i++) {
    const AUPreset *preset = unit->cf->CFArrayGetValueAtIndex(array, i);
    char name[kTextSize];
    if (preset == NULL) continue;
    copyText(unit->cf, preset->presetName, name, sizeof name);
    if (name[0] == 0) snprintf(name, sizeof name, "Preset %d", preset->presetNumber + 1);
    unit->presets[unit->presetCount++] = (struct Preset){preset->presetNumber, strdup(name)};
  }
  unit->cf->CFRelease(array);
}

static void installHost(struct Unit *unit) {
  const HostCallbackInfo host = {unit, beatAndTempo, timeLocation, transportState, transportState2};
  setProperty(unit, kAudioUnitProperty_HostCallbacks, kAudioUnitScope_Global, 0, &host, sizeof host);
  if (unit->busCounts[0] > 0) feedBus(unit, 0);
  UInt32 size;
  unit->sendsMIDI = hasProperty(unit, kAudioUnitProperty_MIDIOutputCallback, kAudioUnitScope_Global, 0, &size);
  const AUMIDIOutputCallbackStruct sink = {collectMIDI, unit};
  if (unit->sendsMIDI) setProperty(unit, kAudioUnitProperty_MIDIOutputCallback, kAudioUnitScope_Global, 0, &sink, sizeof sink);
}

// Refuses units whose sound is set by properties that no host of plug-ins has.
static bool isPlayable(struct Unit *unit, char *reason, size_t size) {
  static const AudioUnitPropertyID properties[] = {
      kAudioUnitProperty_ScheduledFileIDs, kAudioUnitProperty_ScheduleAudioSlice, kAuricleProperty_SpeechVoices};
  for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
    UInt32 ignored;
    if (!hasProperty(unit, properties[i], kAudioUnitScope_Global, 0, &ignored)) continue;
    snprintf(reason, size, "its sound is set by properties (files, slices or a text), which hosts of plug-ins do not set");
    return false;
  }
  return true;
}

static bool openInstance(const struct Bundle *bundle, struct Unit *unit, char *reason, size_t size) {
  AudioComponentFactoryFunction factory;
  if (!openBinary(bundle, unit->entry, &factory, &unit->cf, reason, size)) return false;
  AudioComponentDescription description = unit->entry->description;
  unit->plugIn = factory(&description);
  if (unit->plugIn == NULL) {
    snprintf(reason, size, "its factory function %s made no instance", unit->entry->factory);
    return false;
  }
  fillRecord(unit);
  const OSStatus status = unit->plugIn->Open(unit->plugIn, &unit->record);
  if (status != kAudio_NoError) {
    unit->plugIn = NULL;  // it has freed itself
    snprintf(reason, size, "it refused to open, with error %d", (int)status);
  }
  return unit->plugIn != NULL;
}

// Called on the thread that renders, too: it only notes.
static void noteLatency(void *userData, AudioUnit handle, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element) {
  (void)handle, (void)id, (void)scope, (void)element;
  atomic_store(&((struct Unit *)userData)->hasNewLatency, true);
}

typedef OSStatus (*ListenMethod)(void *self, AudioUnitPropertyID id, AudioUnitPropertyListenerProc procedure, void *userData);

static void watchLatency(struct Unit *unit) {
  ListenMethod method = (ListenMethod)methodOf(unit, kAudioUnitAddPropertyListenerSelect);
  if (method != NULL) method(unit->plugIn, kAudioUnitProperty_Latency, noteLatency, unit);
}

static struct Unit *openUnit(const struct Bundle *bundle, const struct Entry *entry, char *reason, size_t size) {
  struct Unit *unit = calloc(1, sizeof *unit);
  snprintf(reason, size, "memory is full");
  if (unit == NULL) return NULL;
  unit->entry = entry;
  if (entry->stageCount > 0) {
    if (makeChain(bundle, unit, reason, size)) return unit;
    freeUnit(unit);
    return NULL;
  }
  if (!openInstance(bundle, unit, reason, size) || !isPlayable(unit, reason, size)) {
    freeUnit(unit);
    return NULL;
  }
  const OSType type = entry->description.componentType;
  unit->isInstrument = type == kAudioUnitType_MusicDevice;
  unit->takesMIDI = methodOf(unit, kMusicDeviceMIDIEventSelect) != NULL;
  unit->schedules = unit->record.scheduleParameters != NULL;
  unit->busCounts[0] = unit->isInstrument || type == kAudioUnitType_Generator ? 0 : countElements(unit, kAudioUnitScope_Input);
  unit->busCounts[1] = countElements(unit, kAudioUnitScope_Output);
  // A MIDI processor has a bus for its host's sake alone.
  if (type == kAudioUnitType_MIDIProcessor) unit->busCounts[0] = 0;
  UInt32 ignored;
  unit->canBypass = unit->busCounts[0] > 0 && hasProperty(unit, kAudioUnitProperty_BypassEffect, kAudioUnitScope_Global, 0, &ignored);
  readBuses(unit);
  chooseFirstArrangement(unit);
  installHost(unit);
  watchLatency(unit);
  readPresets(unit);
  if (describeParameters(unit, reason, size)) return unit;
  freeUnit(unit);
  return NULL;
}

struct Unit *makeUnit(const struct Bundle *bundle, const struct Entry *entry, char *reason, size_t size) {
  char cause[kTextSize + 512];
  struct Unit *unit = openUnit(bundle, entry, cause, sizeof cause);
  if (unit == NULL) snprintf(reason, size, "%s: %s", entry->name, cause);
  return unit;
}

void freeUnit(struct Unit *unit) {
  if (unit == NULL) return;
  freeChain(unit);
  if (unit->plugIn != NULL) {
    stopUnit(unit);
    unit->plugIn->Close(unit->plugIn);
  }
  freeParameters(unit);
  for (UInt32 i = 0; i < unit->presetCount; i++) free(unit->presets[i].name);
  free(unit->presets);
  free(unit);
}

typedef OSStatus (*PlainMethod)(void *self);

bool startUnit(struct Unit *unit, double sampleRate, UInt32 maximumFrames, bool isOffline) {
  stopUnit(unit);
  UInt32 frames = maximumFrames < kPieceFrames ? kPieceFrames : maximumFrames;
  const UInt32 offline = isOffline;
  unit->sampleRate = sampleRate;
  unit->maximumFrames = frames;
  if (unit->chain != NULL) {
    unit->isStarted = startChain(unit, isOffline);
    if (unit->isStarted) readLatency(unit);
    return unit->isStarted;
  }
  UInt32 channels = 1;
  bool isReady = setProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &frames, sizeof frames) == kAudio_NoError;
  setProperty(unit, kAudioUnitProperty_OfflineRender, kAudioUnitScope_Global, 0, &offline, sizeof offline);
  for (int side = 0; side < 2 && isReady; side++)
    for (UInt32 bus = 0; bus < unit->busCounts[side] && isReady; bus++) {
      isReady = setFormat(unit, side == 1, bus, sampleRate, unit->buses[side][bus].channels);
      if (side == 0) channels += unit->buses[side][bus].channels;
    }
  unit->scratch = isReady ? calloc(channels, (size_t)frames * sizeof(Float32)) : NULL;
  PlainMethod initialize = (PlainMethod)methodOf(unit, kAudioUnitInitializeSelect);
  unit->isStarted = unit->scratch != NULL && initialize != NULL && initialize(unit->plugIn) == kAudio_NoError;
  if (!unit->isStarted) {
    free(unit->scratch);
    unit->scratch = NULL;
    return false;
  }
  unit->sampleTime = 0;
  unit->eventCount = unit->sentCount = 0;
  readLatency(unit);
  return true;
}

void stopUnit(struct Unit *unit) {
  if (!unit->isStarted) return;
  if (unit->chain != NULL) stopChain(unit);
  PlainMethod uninitialize = (PlainMethod)methodOf(unit, kAudioUnitUninitializeSelect);
  if (uninitialize != NULL) uninitialize(unit->plugIn);
  unit->isStarted = false;
  free(unit->scratch);
  unit->scratch = NULL;
}

void resetUnit(struct Unit *unit) {
  for (UInt32 i = 0; unit->chain != NULL && i < unit->chain->count; i++) resetUnit(unit->chain->units[i]);
  if (unit->record.reset != NULL) unit->record.reset(unit->plugIn, kAudioUnitScope_Global, 0);
  unit->eventCount = 0;
}

bool hasNewLatency(struct Unit *unit) {
  bool isNew = atomic_load(&unit->hasNewLatency);
  for (UInt32 i = 0; unit->chain != NULL && i < unit->chain->count; i++) isNew |= hasNewLatency(unit->chain->units[i]);
  return isNew;
}

UInt32 readLatency(struct Unit *unit) {
  Float64 seconds = 0;
  UInt32 size = sizeof seconds;
  atomic_store(&unit->hasNewLatency, false);
  if (unit->chain != NULL) {
    atomic_store(&unit->latencyFrames, latencyOfChain(unit));
    return atomic_load(&unit->latencyFrames);
  }
  if (getProperty(unit, kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0, &seconds, &size) != kAudio_NoError) seconds = 0;
  const double frames = seconds * unit->sampleRate;
  const UInt32 whole = frames > 0 && frames < 1e9 ? (UInt32)(frames + 0.5) : 0;
  atomic_store(&unit->latencyFrames, whole);
  return whole;
}

double readTail(struct Unit *unit, bool *isKnown) {
  if (unit->chain != NULL) return tailOfChain(unit, isKnown);
  Float64 seconds = 0;
  UInt32 size = sizeof seconds;
  const bool isThere = getProperty(unit, kAudioUnitProperty_TailTime, kAudioUnitScope_Global, 0, &seconds, &size) == kAudio_NoError;
  if (isKnown != NULL) *isKnown = isThere;
  return isThere && seconds > 0 ? seconds : 0;
}

bool isBypassed(struct Unit *unit) {
  if (unit->chain != NULL) unit = unit->chain->units[0];
  UInt32 isOn = 0, size = sizeof isOn;
  return getProperty(unit, kAudioUnitProperty_BypassEffect, kAudioUnitScope_Global, 0, &isOn, &size) == kAudio_NoError && isOn != 0;
}

void bypassUnit(struct Unit *unit, bool isOn) {
  const UInt32 value = isOn;
  for (UInt32 i = 0; unit->chain != NULL && i < unit->chain->count; i++) bypassUnit(unit->chain->units[i], isOn);
  if (unit->canBypass) setProperty(unit, kAudioUnitProperty_BypassEffect, kAudioUnitScope_Global, 0, &value, sizeof value);
}

bool choosePreset(struct Unit *unit, SInt32 number) {
  for (UInt32 i = 0; i < unit->presetCount; i++) {
    if (unit->presets[i].number != number) continue;
    AUPreset preset = {number, makeText(unit->cf, unit->presets[i].name)};
    const OSStatus status = setProperty(unit, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, &preset, sizeof preset);
    if (preset.presetName != NULL) unit->cf->CFRelease(preset.presetName);
    return status == kAudio_NoError;
  }
  return false;
}
