// Further properties: memory of the host's, layouts of channels, load, methods.
// SPDX-License-Identifier: Apache-2.0

enum { kLayoutHeader = 12 };  // bytes before the descriptions

static const AudioChannelLayoutTag kTags[] = {
    kAudioChannelLayoutTag_Mono,          kAudioChannelLayoutTag_Stereo,
    kAudioChannelLayoutTag_Binaural,      kAudioChannelLayoutTag_AudioUnit_4,
    kAudioChannelLayoutTag_AudioUnit_5,   kAudioChannelLayoutTag_AudioUnit_5_0,
    kAudioChannelLayoutTag_AudioUnit_6,   kAudioChannelLayoutTag_AudioUnit_6_0,
    kAudioChannelLayoutTag_AudioUnit_5_1, kAudioChannelLayoutTag_AudioUnit_7_0,
    kAudioChannelLayoutTag_AudioUnit_6_1, kAudioChannelLayoutTag_AudioUnit_8,
    kAudioChannelLayoutTag_AudioUnit_7_1};

static int sideOf(AudioUnitScope scope) { return scope == kAudioUnitScope_Input ? 0 : 1; }

static UInt32 channelsOf(const struct Unit *unit, AudioUnitScope scope) {
  return unit->formats[sideOf(scope)].mChannelsPerFrame;
}

static AudioChannelLayoutTag discreteTag(UInt32 channels) {
  return (AudioChannelLayoutTag)kAudioChannelLayoutTag_DiscreteInOrder | channels;
}

static UInt32 channelsOfLayout(const UInt8 *bytes) {
  UInt32 words[3];  // tag, bitmap, number of descriptions
  memcpy(words, bytes, sizeof words);
  if (words[0] == kAudioChannelLayoutTag_UseChannelDescriptions) return words[2];
  if (words[0] == kAudioChannelLayoutTag_UseChannelBitmap)
    return (UInt32)__builtin_popcount(words[1]);
  return words[0] & 0xFFFF;
}

// The host's layout, if it still fits; 0 bytes otherwise.
static UInt32 hostLayoutSize(const struct Unit *unit, AudioUnitScope scope) {
  const int side = sideOf(scope);
  const bool fits = unit->layoutSizes[side] > 0 &&
                    channelsOfLayout(unit->layouts[side]) == channelsOf(unit, scope);
  return fits ? unit->layoutSizes[side] : 0;
}

static struct PropertyFacts unitFacts(
    const struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope,
    AudioUnitElement element) {
  const bool isGlobal = scope == kAudioUnitScope_Global;
  const bool isBus = (scope == kAudioUnitScope_Input && hasInput(unit)) || scope == kAudioUnitScope_Output;
  struct PropertyFacts facts = {0, true, true};
  bool exists = isGlobal;
  switch (property) {
    case kAudioUnitProperty_FastDispatch:
      facts = (struct PropertyFacts){sizeof(AudioComponentMethod), true, false};
      exists = isGlobal && element < 0x8000 && unit->interface.Lookup((SInt16)element) != NULL;
      break;
    case kAudioUnitProperty_CPULoad:
      facts = (struct PropertyFacts){sizeof(Float64), true, false};
      break;
    case kAudioUnitProperty_SetExternalBuffer:
      facts = (struct PropertyFacts){sizeof(AudioUnitExternalBuffer), false, true};
      break;
    case kAudioUnitProperty_CurrentPreset: facts.size = sizeof(AUPreset); break;
    case kAudioUnitProperty_InputSamplesInOutput:
      facts.size = sizeof(AUInputSamplesInOutputCallbackStruct);
      exists = isGlobal && hasInput(unit);
      break;
    case kAudioUnitProperty_ShouldAllocateBuffer:
      facts.size = sizeof(UInt32);
      exists = isBus;
      break;
    case kAudioUnitProperty_SupportedChannelLayoutTags:
      facts = (struct PropertyFacts){sizeof kTags + sizeof(AudioChannelLayoutTag), true, false};
      exists = isBus;
      break;
    case kAudioUnitProperty_AudioChannelLayout: {
      const UInt32 size = isBus ? hostLayoutSize(unit, scope) : 0;
      facts.size = size > 0 ? size : kLayoutHeader;
      exists = isBus;
      break;
    }
    default: exists = false;
  }
  return exists ? facts : (struct PropertyFacts){0};
}

// The usual layout of a number of channels.
static AudioChannelLayoutTag usualTag(UInt32 channels) {
  switch (channels) {
    case 1: return kAudioChannelLayoutTag_Mono;
    case 2: return kAudioChannelLayoutTag_Stereo;
    case 4: return kAudioChannelLayoutTag_AudioUnit_4;
    case 5: return kAudioChannelLayoutTag_AudioUnit_5_0;
    case 6: return kAudioChannelLayoutTag_AudioUnit_5_1;
    case 7: return kAudioChannelLayoutTag_AudioUnit_6_1;
    case 8: return kAudioChannelLayoutTag_AudioUnit_7_1;
    default: return discreteTag(channels);
  }
}

// Chooses a preset of the unit's own, or says what the present settings are called.
static OSStatus setPresentPreset(struct Unit *unit, const AUPreset *preset) {
  if (preset->presetNumber >= 0) return selectFactoryPreset(unit, preset->presetNumber);
  if (preset->presetName == NULL) return kAudioUnitErr_InvalidPropertyValue;
  setPresetName(unit, preset->presetName);
  return kAudio_NoError;
}

// The name is the unit's own, until it is asked for again.
static AUPreset lendPreset(struct Unit *unit) {
  if (unit->currentName != NULL) CFRelease(unit->currentName);
  unit->currentName = copyPresetName(unit);
  return (AUPreset){.presetNumber = unit->presetNumber, .presetName = unit->currentName};
}

static OSStatus getUnitProperty(
    struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope,
    AudioUnitElement element, void *data, UInt32 *dataSize) {
  const UInt32 size = unitFacts(unit, property, scope, element).size;
  union {
    UInt8 bytes[kLayoutSize];
    AudioChannelLayoutTag tags[sizeof kTags / sizeof *kTags + 1];
    AudioComponentMethod method;
    AUInputSamplesInOutputCallbackStruct callback;
    AUPreset preset;
    Float64 real;
    UInt32 number;
  } value;
  memset(&value, 0, sizeof value);
  const bool isPart = *dataSize < size;
  switch (property) {
    case kAudioUnitProperty_FastDispatch: value.method = unit->interface.Lookup((SInt16)element); break;
    case kAudioUnitProperty_CPULoad: value.real = atomic_load(&unit->load); break;
    case kAudioUnitProperty_CurrentPreset:
      if (isPart) return kAudioUnitErr_InvalidPropertyValue;
      value.preset = lendPreset(unit);
      break;
    case kAudioUnitProperty_InputSamplesInOutput: {
      const struct SamplesListener *listener = atomic_load(&unit->samplesListener);
      if (listener != NULL) value.callback = listener->callback;
      break;
    }
    case kAudioUnitProperty_ShouldAllocateBuffer:
      value.number = !unit->lendsNoMemory[sideOf(scope)];
      break;
    case kAudioUnitProperty_SupportedChannelLayoutTags:
      memcpy(value.tags, kTags, sizeof kTags);
      value.tags[sizeof kTags / sizeof *kTags] = discreteTag(channelsOf(unit, scope));
      break;
    case kAudioUnitProperty_AudioChannelLayout:
      value.tags[0] = usualTag(channelsOf(unit, scope));
      if (hostLayoutSize(unit, scope) > 0) memcpy(value.bytes, unit->layouts[sideOf(scope)], size);
      break;
  }
  if (!isPart) *dataSize = size;
  memcpy(data, &value, *dataSize);
  return kAudio_NoError;
}

static bool acceptsTag(const struct Unit *unit, AudioUnitScope scope, AudioChannelLayoutTag tag) {
  if (tag == kAudioChannelLayoutTag_UseChannelDescriptions ||
      tag == kAudioChannelLayoutTag_UseChannelBitmap || tag == discreteTag(channelsOf(unit, scope)))
    return true;
  for (size_t i = 0; i < sizeof kTags / sizeof *kTags; i++)
    if (kTags[i] == tag) return true;
  return false;
}

static OSStatus setLayout(
    struct Unit *unit, AudioUnitScope scope, const UInt8 *data, UInt32 dataSize) {
  if (dataSize < kLayoutHeader) return kAudioUnitErr_InvalidPropertyValue;
  UInt32 words[3];
  memcpy(words, data, sizeof words);
  if (words[2] > kMaximumChannels) return kAudioUnitErr_InvalidPropertyValue;
  const UInt32 size = kLayoutHeader + words[2] * (UInt32)sizeof(AudioChannelDescription);
  if (dataSize < size || channelsOfLayout(data) != channelsOf(unit, scope) ||
      !acceptsTag(unit, scope, words[0]))
    return kAudioUnitErr_InvalidPropertyValue;
  memcpy(unit->layouts[sideOf(scope)], data, size);
  unit->layoutSizes[sideOf(scope)] = size;
  return kAudio_NoError;
}

static OSStatus setSamplesListener(
    struct Unit *unit, const AUInputSamplesInOutputCallbackStruct *callback) {
  struct SamplesListener *made = NULL;
  if (callback->inputToOutputCallback != NULL) {
    made = calloc(1, sizeof *made);
    if (made == NULL) return kAudio_MemFullError;
    made->callback = *callback;
  }
  struct SamplesListener *old = atomic_exchange(&unit->samplesListener, made);
  if (old == NULL) return kAudio_NoError;
  // A slice may be calling it: it goes when the unit renders no more.
  old->retired = unit->retiredSamples;
  unit->retiredSamples = old;
  if (!atomic_load(&unit->isInitialized)) freeSamplesListeners(unit);
  return kAudio_NoError;
}

static void freeSamplesListeners(struct Unit *unit) {
  while (unit->retiredSamples != NULL) {
    struct SamplesListener *next = unit->retiredSamples->retired;
    free(unit->retiredSamples);
    unit->retiredSamples = next;
  }
}

static OSStatus setUnitProperty(
    struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope, const void *data,
    UInt32 dataSize) {
  const UInt32 size = unitFacts(unit, property, scope, 0).size;
  const bool isLayout = property == kAudioUnitProperty_AudioChannelLayout;
  const bool isInitialized = atomic_load(&unit->isInitialized);
  union {
    UInt32 number;
    AUPreset preset;
    AudioUnitExternalBuffer buffer;
    AUInputSamplesInOutputCallbackStruct callback;
  } value;
  memset(&value, 0, sizeof value);
  // Null and 0 take a value away.
  const bool isRemovable = property != kAudioUnitProperty_CurrentPreset &&
                           property != kAudioUnitProperty_ShouldAllocateBuffer;
  if (data == NULL ? !isRemovable : !isLayout && dataSize != size)
    return kAudioUnitErr_InvalidPropertyValue;
  if (data != NULL && !isLayout) memcpy(&value, data, size);
  OSStatus status = kAudio_NoError;
  switch (property) {
    case kAudioUnitProperty_AudioChannelLayout:
      if (data == NULL) unit->layoutSizes[sideOf(scope)] = 0;
      else status = setLayout(unit, scope, data, dataSize);
      break;
    case kAudioUnitProperty_CurrentPreset:
      status = setPresentPreset(unit, &value.preset);
      break;
    case kAudioUnitProperty_ShouldAllocateBuffer:
      if (isInitialized) return kAudioUnitErr_Initialized;
      unit->lendsNoMemory[sideOf(scope)] = value.number == 0;
      break;
    case kAudioUnitProperty_SetExternalBuffer:
      if (isInitialized) return kAudioUnitErr_Initialized;
      unit->external = value.buffer;
      break;
    case kAudioUnitProperty_InputSamplesInOutput:
      status = setSamplesListener(unit, &value.callback);
      break;
  }
  if (status == kAudio_NoError) propertyChanged(unit, property, scope);
  return status;
}
