// Properties of every unit: formats, parameters, state, presets, latency.
// SPDX-License-Identifier: Apache-2.0

// A list whose length is the definition's; size 0 with `isReadable`: it is there and empty.
static struct PropertyFacts listFacts(bool exists, size_t size) {
  return (struct PropertyFacts){exists ? (UInt32)size : 0, exists, false};
}

static struct PropertyFacts factsOf(
    const struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope,
    AudioUnitElement element) {
  const struct PropertyFacts found = unitFacts(unit, property, scope, element);
  if (found.isReadable || found.isWritable) return found;
  const AuricleUnitDefinition *definition = unit->definition;
  const bool isGlobal = scope == kAudioUnitScope_Global;
  const bool isAnyBus = scope == kAudioUnitScope_Input || scope == kAudioUnitScope_Output;
  const bool isBus = scope == kAudioUnitScope_Output || (isAnyBus && hasInput(unit));
  const bool isInput = hasInput(unit) && (scope == kAudioUnitScope_Input || isGlobal);
  const struct PropertyFacts none = {0};
#define FACTS(condition, type, readable, writable) \
  ((condition) ? (struct PropertyFacts){sizeof(type), readable, writable} : none)
  switch (property) {
    case kAudioUnitProperty_ClassInfo:
    case kAudioUnitProperty_ClassInfoFromDocument: return FACTS(isGlobal, CFDictionaryRef, 1, 1);
    case kAudioUnitProperty_PresentPreset: return FACTS(isGlobal, AUPreset, 1, 1);
    case kAudioUnitProperty_FactoryPresets:
      return FACTS(isGlobal && definition->presetCount > 0, CFArrayRef, 1, 0);
    case kAudioUnitProperty_MakeConnection: return FACTS(isInput, AudioUnitConnection, 0, 1);
    case kAudioUnitProperty_SetRenderCallback: return FACTS(isInput, AURenderCallbackStruct, 0, 1);
    case kAudioUnitProperty_SampleRate: return FACTS(isBus || isGlobal, Float64, 1, 1);
    case kAudioUnitProperty_StreamFormat:
      return FACTS(isBus || isGlobal, AudioStreamBasicDescription, 1, 1);
    case kAudioUnitProperty_ElementCount: return FACTS(isAnyBus || isGlobal, UInt32, 1, 0);
    case kAudioUnitProperty_ParameterList:
      return listFacts(
          isAnyBus || isGlobal,
          isGlobal ? definition->parameterCount * sizeof(AudioUnitParameterID) : 0);
    case kAudioUnitProperty_ParameterInfo:
      return FACTS(isGlobal && definition->parameterCount > 0, AudioUnitParameterInfo, 1, 0);
    case kAudioUnitProperty_ParameterValueStrings: {
      const SInt64 place = placeOf(unit, element);
      return FACTS(
          isGlobal && place >= 0 && definition->parameters[place].valueNames != NULL, CFArrayRef, 1,
          0);
    }
    case kAudioUnitProperty_Latency:
    case kAudioUnitProperty_TailTime: return FACTS(isGlobal, Float64, 1, 0);
    case kAudioUnitProperty_SupportedNumChannels:
      return listFacts(
          isGlobal,
          (definition->channels == NULL ? 1 : definition->channelCount) * sizeof(AUChannelInfo));
    case kAudioUnitProperty_MaximumFramesPerSlice:
    case kAuricleProperty_NaNGuard:
    case kAudioUnitProperty_BypassEffect: return FACTS(isGlobal, UInt32, 1, 1);
    case kAudioUnitProperty_InPlaceProcessing: return FACTS(isGlobal, UInt32, 1, 0);
    case kMusicDeviceProperty_InstrumentCount:
      return FACTS(isGlobal && isInstrument(unit), UInt32, 1, 0);
    case kAudioUnitProperty_LastRenderError: return FACTS(isGlobal, OSStatus, 1, 0);
    default: return hostFacts(unit, property, scope);
  }
#undef FACTS
}

static OSStatus checkProperty(
    const struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope,
    AudioUnitElement element, struct PropertyFacts *facts) {
  if (scope > kAudioUnitScope_Output) return kAudioUnitErr_InvalidScope;
  *facts = factsOf(unit, property, scope, element);
  const bool isOfParameter = property == kAudioUnitProperty_ParameterInfo ||
                             property == kAudioUnitProperty_ParameterValueStrings;
  if (!facts->isReadable && !facts->isWritable) {
    // What there is on another scope is asked for in the wrong place.
    for (AudioUnitScope other = 0; other <= kAudioUnitScope_Output; other++) {
      const struct PropertyFacts elsewhere = factsOf(unit, property, other, element);
      if (elsewhere.isReadable || elsewhere.isWritable) return kAudioUnitErr_InvalidScope;
    }
    return property == kAudioUnitProperty_FastDispatch ? kAudioUnitErr_InvalidElement
                                                       : kAudioUnitErr_InvalidProperty;
  }
  if (property == kAudioUnitProperty_FastDispatch) return kAudio_NoError;  // of a selector
  if (isOfParameter)
    return placeOf(unit, element) >= 0 ? kAudio_NoError : kAudioUnitErr_InvalidParameter;
  return element == 0 ? kAudio_NoError : kAudioUnitErr_InvalidElement;
}

static OSStatus getPropertyInfo(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    UInt32 *dataSize, Boolean *isWritable) {
  struct PropertyFacts facts;
  const OSStatus status = checkProperty(self, property, scope, element, &facts);
  if (status != kAudio_NoError) return status;
  if (dataSize != NULL) *dataSize = facts.size;
  if (isWritable != NULL) *isWritable = facts.isWritable;
  return kAudio_NoError;
}

static bool isPlanarFloat(const AudioStreamBasicDescription *format) {
  struct SampleLayout layout;
  return readLayout(format, &layout) && layout.isCanonical;
}

static AudioUnitParameterInfo parameterInfo(const struct Unit *unit, UInt32 index) {
  const AuricleParameter *parameter = &unit->definition->parameters[index];
  AudioUnitParameterInfo info;
  memset(&info, 0, sizeof info);
  snprintf(info.name, sizeof info.name, "%s", parameter->name);
  info.unit = parameter->unit;
  if (parameter->unitName != NULL) info.unitName = makeText(parameter->unitName);
  info.minValue = parameter->minimum;
  info.maxValue = maximumOf(unit, index);
  info.defaultValue = parameter->initial;
  info.flags = parameter->flags | kAudioUnitParameterFlag_IsReadable;
  if (!isMeter(parameter)) info.flags |= kAudioUnitParameterFlag_IsWritable;
  if (parameter->valueNames != NULL) info.flags |= kAudioUnitParameterFlag_ValuesHaveStrings;
  return info;
}

static CFArrayRef copyValueNames(const struct Unit *unit, UInt32 index) {
  CFMutableArrayRef names = CFArrayCreateMutable(NULL, 0, &kCFTypeArrayCallBacks);
  const char *const *name = unit->definition->parameters[index].valueNames;
  for (; names != NULL && *name != NULL; name++) {
    CFStringRef text = makeText(*name);
    if (text == NULL) continue;
    CFArrayAppendValue(names, text);
    CFRelease(text);
  }
  return names;
}

// Seconds that the author tells of the present values.
static Float64 toldSeconds(
    const struct Unit *unit,
    Float64 (*seconds)(const AudioUnitParameterValue *values, Float64 sampleRate)) {
  if (seconds == NULL) return 0;
  const UInt32 count = unit->definition->parameterCount;
  AudioUnitParameterValue few[64] = {0}, *values = count <= 64 ? few : malloc(count * sizeof *values);
  if (values == NULL) return 0;
  for (UInt32 i = 0; i < count; i++) values[i] = valueAt(unit, i);
  const Float64 told = seconds(values, unit->formats[1].mSampleRate);
  if (values != few) free(values);
  return told;
}

// Lists, whose length is the definition's. False: it is none.
static bool copyList(
    const struct Unit *unit, AudioUnitPropertyID property, void *data, UInt32 size) {
  const AuricleUnitDefinition *definition = unit->definition;
  if (property == kAudioUnitProperty_ParameterList) {
    for (UInt32 i = 0; i < size / sizeof(AudioUnitParameterID); i++)
      memcpy((UInt8 *)data + i * sizeof(AudioUnitParameterID), &definition->parameters[i].id,
             sizeof(AudioUnitParameterID));
    return true;
  }
  if (property != kAudioUnitProperty_SupportedNumChannels) return false;
  const AUChannelInfo any = {.inChannels = hasInput(unit) ? -1 : 0, .outChannels = -1};
  memcpy(data, definition->channels == NULL ? &any : definition->channels, size);
  return true;
}

static OSStatus getProperty(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    void *data, UInt32 *dataSize) {
  struct Unit *unit = self;
  struct PropertyFacts facts;
  const OSStatus status = checkProperty(unit, property, scope, element, &facts);
  if (status != kAudio_NoError) return status;
  if (!facts.isReadable) return kAudioUnitErr_InvalidProperty;
  if (dataSize == NULL) return kAudio_ParamError;
  if (data == NULL) {
    *dataSize = facts.size;
    return kAudio_NoError;
  }
  if (*dataSize == 0 && facts.size > 0) return kAudio_ParamError;
  if (isHostProperty(unit, property)) return getHostProperty(unit, property, scope, data, dataSize);
  if (unitFacts(unit, property, scope, element).isReadable)
    return getUnitProperty(unit, property, scope, element, data, dataSize);
  // A part of an object is no object.
  const bool isObject = property == kAudioUnitProperty_ClassInfo ||
                        property == kAudioUnitProperty_ClassInfoFromDocument ||
                        property == kAudioUnitProperty_PresentPreset ||
                        property == kAudioUnitProperty_FactoryPresets ||
                        property == kAudioUnitProperty_ParameterValueStrings;
  if (isObject && *dataSize < facts.size) return kAudioUnitErr_InvalidPropertyValue;
  if (*dataSize > facts.size) *dataSize = facts.size;
  if (copyList(unit, property, data, *dataSize)) return kAudio_NoError;
  union {
    CFDictionaryRef state;
    CFArrayRef array;
    AUPreset preset;
    UInt32 number;
    OSStatus status;
    Float64 real;
    AudioUnitParameterInfo info;
    AudioStreamBasicDescription format;
  } value;
  memset(&value, 0, sizeof value);
  const AudioStreamBasicDescription *format = &unit->formats[scope == kAudioUnitScope_Input ? 0 : 1];
  switch (property) {
    case kAudioUnitProperty_ClassInfo:
    case kAudioUnitProperty_ClassInfoFromDocument: value.state = copyClassInfo(unit); break;
    case kAudioUnitProperty_PresentPreset:
      value.preset =
          (AUPreset){.presetNumber = unit->presetNumber, .presetName = copyPresetName(unit)};
      break;
    case kAudioUnitProperty_FactoryPresets: value.array = copyFactoryPresets(unit); break;
    case kAudioUnitProperty_ParameterValueStrings:
      value.array = copyValueNames(unit, (UInt32)placeOf(unit, element));
      break;
    case kAudioUnitProperty_SampleRate: value.real = format->mSampleRate; break;
    case kAudioUnitProperty_StreamFormat: value.format = *format; break;
    case kAudioUnitProperty_ElementCount:
      value.number = scope != kAudioUnitScope_Input || hasInput(unit);
      break;
    case kAudioUnitProperty_ParameterInfo:
      value.info = parameterInfo(unit, (UInt32)placeOf(unit, element));
      break;
    case kAudioUnitProperty_Latency:
      value.real = toldSeconds(unit, unit->definition->latencySeconds);
      break;
    case kAudioUnitProperty_TailTime:
      value.real = toldSeconds(unit, unit->definition->tailSeconds);
      break;
    case kAudioUnitProperty_MaximumFramesPerSlice: value.number = unit->maximumFrames; break;
    case kAudioUnitProperty_BypassEffect: value.number = atomic_load(&unit->isBypassed); break;
    case kAuricleProperty_NaNGuard: value.number = atomic_load(&unit->guardsNumbers); break;
    case kAudioUnitProperty_InPlaceProcessing:
      value.number = hasInput(unit) && isPlanarFloat(&unit->formats[0]) &&
                     isPlanarFloat(&unit->formats[1]) &&
                     unit->formats[0].mChannelsPerFrame == unit->formats[1].mChannelsPerFrame;
      break;
    case kAudioUnitProperty_LastRenderError:
      value.status = atomic_exchange(&unit->lastError, kAudio_NoError);
      break;
  }
  memcpy(data, &value, *dataSize);
  return kAudio_NoError;
}

// Sets a property whose value is a flag or a number of 32 bits.
static OSStatus setNumber(struct Unit *unit, AudioUnitPropertyID property, const void *data) {
  UInt32 number;
  memcpy(&number, data, sizeof number);
  switch (property) {
    case kAuricleProperty_NaNGuard: atomic_store(&unit->guardsNumbers, number != 0); break;
    case kAudioUnitProperty_BypassEffect: atomic_store(&unit->isBypassed, number != 0); break;
    default:
      if (atomic_load(&unit->isInitialized)) return kAudioUnitErr_Initialized;
      if (number < 1 || number > 1u << 24) return kAudioUnitErr_InvalidPropertyValue;
      unit->maximumFrames = number;
  }
  return kAudio_NoError;
}

static OSStatus setProperty(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    const void *data, UInt32 dataSize) {
  struct Unit *unit = self;
  struct PropertyFacts facts;
  if ((data == NULL) != (dataSize == 0)) return kAudio_ParamError;
  OSStatus status = checkProperty(unit, property, scope, element, &facts);
  if (status != kAudio_NoError) return status;
  if (!facts.isWritable) return kAudioUnitErr_PropertyNotWritable;
  if (isHostProperty(unit, property)) return setHostProperty(unit, property, scope, data, dataSize);
  if (unitFacts(unit, property, scope, element).isWritable)
    return setUnitProperty(unit, property, scope, data, dataSize);
  // Null and 0 take a value away, which none of these can do without.
  if (data == NULL) return kAudioUnitErr_InvalidPropertyValue;
  // A format may come without its last, reserved word.
  const bool isFormat = property == kAudioUnitProperty_StreamFormat;
  if (isFormat ? dataSize < 36 : dataSize != facts.size) return kAudioUnitErr_InvalidPropertyValue;
  AudioStreamBasicDescription format = unit->formats[scope == kAudioUnitScope_Input ? 0 : 1];
  CFDictionaryRef state;
  AUPreset preset;
  switch (property) {
    case kAudioUnitProperty_StreamFormat:
      memset(&format, 0, sizeof format);
      memcpy(&format, data, dataSize < sizeof format ? dataSize : sizeof format);
      return setFormat(unit, scope, &format);
    case kAudioUnitProperty_SampleRate:
      memcpy(&format.mSampleRate, data, sizeof(Float64));
      status = setFormat(unit, scope, &format);
      return status == kAudioUnitErr_FormatNotSupported ? kAudioUnitErr_InvalidPropertyValue
                                                        : status;
    case kAudioUnitProperty_MakeConnection: return connectInput(unit, data);
    case kAudioUnitProperty_SetRenderCallback: return setSource(unit, data, NULL, 0);
    case kAudioUnitProperty_ClassInfo:
    case kAudioUnitProperty_ClassInfoFromDocument:
      memcpy(&state, data, sizeof state);
      status = restoreClassInfo(unit, state);
      break;
    case kAudioUnitProperty_PresentPreset:
      memcpy(&preset, data, sizeof preset);
      status = setPresentPreset(unit, &preset);
      break;
    default:
      if (property == kAudioUnitProperty_MaximumFramesPerSlice &&
          memcmp(data, &unit->maximumFrames, sizeof(UInt32)) == 0)
        return kAudio_NoError;
      status = setNumber(unit, property, data);
  }
  if (status == kAudio_NoError) propertyChanged(unit, property, scope);
  return status;
}
