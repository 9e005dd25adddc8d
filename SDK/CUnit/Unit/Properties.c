// Properties: which there are, on which scopes, and their values; formats.
// SPDX-License-Identifier: Apache-2.0

enum { kGlobal = 1, kInput = 2, kOutput = 4, kBuses = kInput | kOutput, kEvery = kGlobal | kBuses };

// The permitted accesses to a property, and the condition for the unit to have it.
enum {
  kRead = 1,
  kWrite = 2,
  kWhole = 4,          // a part of it is worth nothing
  kNull = 8,           // null and 0 remove it
  kParameter = 16,     // the element is a parameter
  kFed = 32,           // of units with an input
  kAnyInput = 64,      // a generator has it on its input scope as well
  kPresets = 128,      // of units with presets of their own
  kInstrument = 256,   // of instruments
  kSet = kRead | kWrite
};

static const struct Property {
  AudioUnitPropertyID id;
  UInt16 scopes, access;
  UInt32 size, least;  // bytes; for settable ones the least
} kProperties[] = {
#define ROW(name, scopes, access, type) {kAudioUnitProperty_##name, scopes, access, sizeof(type), sizeof(type)}
    ROW(ClassInfo, kGlobal, kSet | kWhole, CFDictionaryRef),
    ROW(MakeConnection, kGlobal | kInput, kWrite | kFed, AudioUnitConnection),
    ROW(SampleRate, kEvery, kSet, Float64),
    ROW(ParameterList, kEvery, kRead | kAnyInput, AudioUnitParameterID),
    ROW(ParameterInfo, kGlobal, kRead | kParameter, AudioUnitParameterInfo),
    {kAudioUnitProperty_StreamFormat, kEvery, kSet, sizeof(AudioStreamBasicDescription),
     offsetof(AudioStreamBasicDescription, mReserved)},
    ROW(ElementCount, kEvery, kRead | kAnyInput, UInt32),
    ROW(Latency, kGlobal, kRead, Float64),
    ROW(SupportedNumChannels, kGlobal, kRead, AUChannelInfo),
    ROW(MaximumFramesPerSlice, kGlobal, kSet, UInt32),
    ROW(ParameterValueStrings, kGlobal, kRead | kWhole | kParameter, CFArrayRef),
    ROW(AudioChannelLayout, kBuses, kRead, UInt32[3]),
    ROW(TailTime, kGlobal, kRead, Float64),
    ROW(BypassEffect, kGlobal, kSet, UInt32),
    ROW(LastRenderError, kGlobal, kRead, OSStatus),
    ROW(SetRenderCallback, kGlobal | kInput, kWrite | kFed, AURenderCallbackStruct),
    ROW(FactoryPresets, kGlobal, kRead | kWhole | kPresets, CFArrayRef),
    ROW(ContextName, kGlobal, kSet | kWhole | kNull, CFStringRef),
    ROW(InPlaceProcessing, kGlobal, kRead, UInt32),
    ROW(SupportedChannelLayoutTags, kBuses, kRead, AudioChannelLayoutTag),
    ROW(PresentPreset, kGlobal, kSet | kWhole, AUPreset),
    {kMusicDeviceProperty_InstrumentCount, kGlobal, kRead | kInstrument, sizeof(UInt32), 0},
#undef ROW
};

// A value of any of them.
union Value {
  CFTypeRef object;
  AUPreset preset;
  AudioUnitConnection connection;
  AURenderCallbackStruct callback;
  AudioUnitParameterInfo info;
  AudioStreamBasicDescription format;
  UInt32 layout[3];  // tag, bitmap, number of descriptions
  UInt32 number;
  OSStatus status;
  Float64 real;
};

static OSStatus findProperty(
    const struct Unit *unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element,
    const struct Property **found) {
  const AuricleUnitDefinition *definition = unit->definition;
  const int needs = (hasInput(unit) ? 0 : kFed) | (definition->presetCount > 0 ? 0 : kPresets) |
                    (definition->receivesMIDI && !hasInput(unit) ? 0 : kInstrument);
  const struct Property *row = kProperties, *end = row + sizeof kProperties / sizeof *kProperties;
  if (scope > kAudioUnitScope_Output) return kAudioUnitErr_InvalidScope;
  while (row < end && row->id != id) row++;
  if (row == end || (row->access & needs)) return kAudioUnitErr_InvalidProperty;
  *found = row;
  const bool isThere = scope != kAudioUnitScope_Input || hasInput(unit) || (row->access & kAnyInput);
  if (!isThere || !(row->scopes & 1 << scope)) return kAudioUnitErr_InvalidScope;
  if (!(row->access & kParameter)) return element == 0 ? kAudio_NoError : kAudioUnitErr_InvalidElement;
  const SInt64 place = placeOf(unit, element);
  if (place < 0) return kAudioUnitErr_InvalidParameter;
  return id == kAudioUnitProperty_ParameterValueStrings && definition->parameters[place].valueNames == NULL
             ? kAudioUnitErr_InvalidProperty
             : kAudio_NoError;
}

// Lists are as long as the definition's.
static UInt32 sizeOf(const struct Unit *unit, const struct Property *row, AudioUnitScope scope) {
  const AuricleUnitDefinition *definition = unit->definition;
  if (row->id == kAudioUnitProperty_ParameterList)
    return scope == kAudioUnitScope_Global ? definition->parameterCount * row->size : 0;
  if (row->id == kAudioUnitProperty_SupportedNumChannels && definition->channels != NULL)
    return definition->channelCount * row->size;
  return row->size;
}

static OSStatus getPropertyInfo(
    void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element,
    UInt32 *dataSize, Boolean *isWritable) {
  const struct Property *row;
  const OSStatus status = findProperty(self, id, scope, element, &row);
  if (status != kAudio_NoError) return status;
  if (dataSize != NULL) *dataSize = sizeOf(self, row, scope);
  if (isWritable != NULL) *isWritable = (row->access & kWrite) != 0;
  return kAudio_NoError;
}

static AudioStreamBasicDescription planarFormat(Float64 sampleRate, UInt32 channelCount) {
  return (AudioStreamBasicDescription){
      .mSampleRate = sampleRate,
      .mFormatID = kAudioFormatLinearPCM,
      .mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      .mBytesPerPacket = sizeof(Float32),
      .mFramesPerPacket = 1,
      .mBytesPerFrame = sizeof(Float32),
      .mChannelsPerFrame = channelCount,
      .mBitsPerChannel = 8 * sizeof(Float32)};
}

// Accepts planar floats of this machine alone, as Apple's base classes do. Sizes may be left at 0.
static OSStatus setFormat(
    struct Unit *unit, AudioUnitScope scope, const AudioStreamBasicDescription *format) {
  AudioStreamBasicDescription *present = &unit->formats[scope != kAudioUnitScope_Input];
  const AudioStreamBasicDescription wanted = planarFormat(format->mSampleRate, format->mChannelsPerFrame);
  const UInt32 channels = format->mChannelsPerFrame, flags = wanted.mFormatFlags;
  const UInt32 needed = channels == 1 ? flags & ~(UInt32)kAudioFormatFlagIsNonInterleaved : flags;
  if (format->mFormatID != wanted.mFormatID || (format->mFormatFlags & needed) != needed ||
      (format->mFormatFlags & ~flags) != 0 || format->mBitsPerChannel != wanted.mBitsPerChannel ||
      format->mFramesPerPacket > 1 || format->mBytesPerFrame % 4 != 0 || format->mBytesPerFrame > 4 ||
      channels < 1 || channels > kMaximumChannels || !(format->mSampleRate >= 1) ||
      format->mSampleRate > 3072000)
    return kAudioUnitErr_FormatNotSupported;
  if (present->mSampleRate == wanted.mSampleRate && present->mChannelsPerFrame == channels)
    return kAudio_NoError;
  if (atomic_load(&unit->isInitialized)) return kAudioUnitErr_Initialized;
  *present = wanted;
  propertyChanged(unit, kAudioUnitProperty_StreamFormat, scope);
  return kAudio_NoError;
}

// Returns the seconds that the author reports for the present values.
static Float64 toldSeconds(
    const struct Unit *unit,
    Float64 (*seconds)(const AudioUnitParameterValue *values, Float64 sampleRate)) {
  const UInt32 count = unit->definition->parameterCount;
  AudioUnitParameterValue *values = seconds == NULL ? NULL : malloc((count + 1) * sizeof *values);
  if (values == NULL) return 0;
  for (UInt32 i = 0; i < count; i++) values[i] = valueAt(unit, i);
  const Float64 told = seconds(values, unit->formats[1].mSampleRate);
  free(values);
  return told;
}

// The usual layout of a number of channels.
static AudioChannelLayoutTag usualTag(UInt32 channels) {
  static const AudioChannelLayoutTag usual[] = {
      [1] = kAudioChannelLayoutTag_Mono,           [2] = kAudioChannelLayoutTag_Stereo,
      [4] = kAudioChannelLayoutTag_AudioUnit_4,    [5] = kAudioChannelLayoutTag_AudioUnit_5_0,
      [6] = kAudioChannelLayoutTag_AudioUnit_5_1,  [7] = kAudioChannelLayoutTag_AudioUnit_6_1,
      [8] = kAudioChannelLayoutTag_AudioUnit_7_1};
  return channels <= 8 && usual[channels] != 0 ? usual[channels]
                                               : kAudioChannelLayoutTag_DiscreteInOrder | channels;
}

// The value of a property that is no list.
static OSStatus readValue(
    struct Unit *unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element,
    union Value *value) {
  const AudioStreamBasicDescription *format = &unit->formats[scope != kAudioUnitScope_Input];
  switch (id) {
    case kAudioUnitProperty_ClassInfo: value->object = copyClassInfo(unit); break;
    case kAudioUnitProperty_PresentPreset:
      value->preset = (AUPreset){.presetNumber = unit->presetNumber, .presetName = copyPresetName(unit)};
      break;
    case kAudioUnitProperty_FactoryPresets: value->object = copyFactoryPresets(unit); break;
    case kAudioUnitProperty_ParameterValueStrings:
      value->object = copyValueNames(unit, (UInt32)placeOf(unit, element));
      break;
    case kAudioUnitProperty_ParameterInfo:
      value->info = parameterInfo(unit, (UInt32)placeOf(unit, element));
      break;
    case kAudioUnitProperty_SampleRate: value->real = format->mSampleRate; break;
    case kAudioUnitProperty_StreamFormat: value->format = *format; break;
    case kAudioUnitProperty_SupportedChannelLayoutTags:
    case kAudioUnitProperty_AudioChannelLayout: value->layout[0] = usualTag(format->mChannelsPerFrame); break;
    case kAudioUnitProperty_ElementCount:
      value->number = scope != kAudioUnitScope_Input || hasInput(unit);
      break;
    case kAudioUnitProperty_Latency: value->real = toldSeconds(unit, unit->definition->latencySeconds); break;
    case kAudioUnitProperty_TailTime: value->real = toldSeconds(unit, unit->definition->tailSeconds); break;
    case kAudioUnitProperty_MaximumFramesPerSlice: value->number = unit->maximumFrames; break;
    case kAudioUnitProperty_BypassEffect: value->number = atomic_load(&unit->isBypassed); break;
    case kAudioUnitProperty_InPlaceProcessing:
      value->number = hasInput(unit) && unit->formats[0].mChannelsPerFrame == unit->formats[1].mChannelsPerFrame;
      break;
    case kAudioUnitProperty_LastRenderError:
      value->status = atomic_exchange(&unit->lastError, kAudio_NoError);
      break;
    case kAudioUnitProperty_ContextName:
      if (unit->contextName == NULL) return kAudioUnitErr_PropertyNotInUse;
      value->object = CFRetain(unit->contextName);
  }
  return kAudio_NoError;
}

static OSStatus getProperty(
    void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, void *data,
    UInt32 *dataSize) {
  const struct Unit *unit = self;
  const AuricleUnitDefinition *definition = unit->definition;
  const struct Property *row;
  OSStatus status = findProperty(unit, id, scope, element, &row);
  if (status != kAudio_NoError) return status;
  if (!(row->access & kRead)) return kAudioUnitErr_InvalidProperty;
  const UInt32 size = sizeOf(unit, row, scope);
  if (dataSize == NULL || (data != NULL && *dataSize == 0 && size > 0)) return kAudio_ParamError;
  if (data != NULL && *dataSize < size && (row->access & kWhole)) return kAudioUnitErr_InvalidPropertyValue;
  if (data == NULL || *dataSize > size) *dataSize = size;
  if (data == NULL) return kAudio_NoError;
  const AUChannelInfo any = {.inChannels = hasInput(unit) ? -1 : 0, .outChannels = -1};
  union Value value;
  memset(&value, 0, sizeof value);
  if (id == kAudioUnitProperty_ParameterList) {
    for (UInt32 i = 0; i < *dataSize / row->size; i++)
      memcpy((UInt8 *)data + i * row->size, &definition->parameters[i].id, row->size);
  } else if (id == kAudioUnitProperty_SupportedNumChannels) {
    memcpy(data, definition->channels == NULL ? &any : definition->channels, *dataSize);
  } else {
    status = readValue(self, id, scope, element, &value);
    if (status == kAudio_NoError) memcpy(data, &value, *dataSize);
  }
  return status;
}

static OSStatus setProperty(
    void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element,
    const void *data, UInt32 dataSize) {
  struct Unit *unit = self;
  const struct Property *row;
  union Value value;
  if ((data == NULL) != (dataSize == 0)) return kAudio_ParamError;
  OSStatus status = findProperty(unit, id, scope, element, &row);
  if (status != kAudio_NoError) return status;
  if (!(row->access & kWrite)) return kAudioUnitErr_PropertyNotWritable;
  const bool isExact = row->least == row->size;
  if (data == NULL ? !(row->access & kNull) : isExact ? dataSize != row->size : dataSize < row->least)
    return kAudioUnitErr_InvalidPropertyValue;
  memset(&value, 0, sizeof value);
  if (data != NULL) memcpy(&value, data, dataSize < row->size ? dataSize : row->size);
  AudioStreamBasicDescription format = unit->formats[scope != kAudioUnitScope_Input];
  switch (id) {
    case kAudioUnitProperty_StreamFormat: return setFormat(unit, scope, &value.format);
    case kAudioUnitProperty_SampleRate:
      format.mSampleRate = value.real;
      status = setFormat(unit, scope, &format);
      return status == kAudioUnitErr_FormatNotSupported ? kAudioUnitErr_InvalidPropertyValue : status;
    case kAudioUnitProperty_MakeConnection: return connectInput(unit, &value.connection);
    case kAudioUnitProperty_SetRenderCallback: return setCallback(unit, &value.callback);
    case kAudioUnitProperty_ClassInfo: status = restoreClassInfo(unit, value.object); break;
    case kAudioUnitProperty_PresentPreset: status = setPresentPreset(unit, &value.preset); break;
    case kAudioUnitProperty_BypassEffect: atomic_store(&unit->isBypassed, value.number != 0); break;
    case kAudioUnitProperty_MaximumFramesPerSlice:
      if (value.number == unit->maximumFrames) return kAudio_NoError;
      if (atomic_load(&unit->isInitialized)) return kAudioUnitErr_Initialized;
      if (value.number < 1 || value.number > 1u << 24) return kAudioUnitErr_InvalidPropertyValue;
      unit->maximumFrames = value.number;
      break;
    case kAudioUnitProperty_ContextName: status = keepName(&unit->contextName, value.object); break;
  }
  if (status == kAudio_NoError) propertyChanged(unit, id, scope);
  return status;
}
