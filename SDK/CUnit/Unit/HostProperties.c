// What a host sets, and what it reads for a person: names, texts, times.
// SPDX-License-Identifier: Apache-2.0

static struct PropertyFacts hostFacts(
    const struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope) {
  const UInt32 parameterCount = unit->definition->parameterCount;
  const bool isGlobal = scope == kAudioUnitScope_Global;
  const struct PropertyFacts none = {0};
#define FACTS(condition, type, readable, writable) \
  ((condition) ? (struct PropertyFacts){sizeof(type), readable, writable} : none)
  switch (property) {
    case kAudioUnitProperty_ContextName:
    case kAudioUnitProperty_NickName: return FACTS(isGlobal, CFStringRef, 1, 1);
    case kAudioUnitProperty_ElementName:
      return FACTS(scope <= kAudioUnitScope_Output, CFStringRef, 1, 1);
    case kAudioUnitProperty_RenderQuality:
    case kAudioUnitProperty_OfflineRender: return FACTS(isGlobal, UInt32, 1, 1);
    case kAudioUnitProperty_HostCallbacks: return FACTS(isGlobal, HostCallbackInfo, 0, 1);
    case kAudioUnitProperty_AUHostIdentifier:
      return FACTS(isGlobal, AUHostVersionIdentifier, 0, 1);
    case kAudioUnitProperty_PresentationLatency:
      return FACTS(!isGlobal && scope <= kAudioUnitScope_Output, Float64, 0, 1);
    case kAudioUnitProperty_ParameterStringFromValue:
      return FACTS(isGlobal && parameterCount > 0, AudioUnitParameterStringFromValue, 1, 0);
    case kAudioUnitProperty_ParameterValueFromString:
      return FACTS(isGlobal && parameterCount > 0, AudioUnitParameterValueFromString, 1, 0);
    case kAudioUnitProperty_ParameterIDName:
      return FACTS(isGlobal && parameterCount > 0, AudioUnitParameterIDName, 1, 0);
    case kAudioUnitProperty_ParametersForOverview:
      return isGlobal && parameterCount > 0
                 ? (struct PropertyFacts){parameterCount * (UInt32)sizeof(AudioUnitParameter), 1, 0}
                 : none;
    case kAudioUnitProperty_LastRenderSampleTime: return FACTS(isGlobal, Float64, 1, 0);
    case kAudioUnitProperty_LoadedOutOfProcess: return FACTS(isGlobal, UInt32, 1, 0);
    default: return none;
  }
#undef FACTS
}

static bool isHostProperty(const struct Unit *unit, AudioUnitPropertyID property) {
  for (AudioUnitScope scope = 0; scope <= kAudioUnitScope_Output; scope++)
    if (hostFacts(unit, property, scope).size > 0) return true;
  return false;
}

// The place of a name; NULL for a property that is none.
static char *nameOf(struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope) {
  switch (property) {
    case kAudioUnitProperty_ContextName: return unit->contextName;
    case kAudioUnitProperty_NickName: return unit->nickName;
    case kAudioUnitProperty_ElementName: return unit->elementNames[scope];
    default: return NULL;
  }
}

static OSStatus getName(
    struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope, CFStringRef *name) {
  static const char *const own[] = {"Global", "Input", "Output"};
  const char *given = nameOf(unit, property, scope);
  if (given[0] == 0 && property == kAudioUnitProperty_ElementName) given = own[scope];
  *name = given[0] == 0 ? NULL : makeText(given);
  const bool isMissing = *name == NULL && property == kAudioUnitProperty_ContextName;
  return isMissing ? kAudioUnitErr_PropertyNotInUse : kAudio_NoError;
}

// The name of a value; NULL: it is a number.
static const char *nameOfValue(const struct Unit *unit, UInt32 index, Float32 value) {
  const AuricleParameter *parameter = &unit->definition->parameters[index];
  const SInt64 wanted = (SInt64)(value - parameter->minimum + 0.5f);
  if (parameter->valueNames == NULL || wanted < 0) return NULL;
  for (SInt64 i = 0; parameter->valueNames[i] != NULL; i++)
    if (i == wanted) return parameter->valueNames[i];
  return NULL;
}

static CFStringRef textOfValue(const struct Unit *unit, UInt32 index, Float32 value) {
  const AudioUnitParameterUnit measure = unit->definition->parameters[index].unit;
  const bool isWhole = measure == kAudioUnitParameterUnit_SampleFrames ||
                       measure == kAudioUnitParameterUnit_Indexed ||
                       measure == kAudioUnitParameterUnit_Boolean;
  const char *name = nameOfValue(unit, index, value);
  char digits[32];
  snprintf(digits, sizeof digits, isWhole ? "%.0f" : "%g", (double)value);
  return makeText(name != NULL ? name : digits);
}

static OSStatus valueOfText(
    const struct Unit *unit, UInt32 index, CFStringRef given, Float32 *value) {
  const AuricleParameter *parameter = &unit->definition->parameters[index];
  char text[kNameSize], *end;
  if (given == NULL || !CFStringGetCString(given, text, sizeof text, kCFStringEncodingUTF8))
    return kAudioUnitErr_InvalidParameterValue;
  for (UInt32 i = 0; parameter->valueNames != NULL && parameter->valueNames[i] != NULL; i++)
    if (strcmp(parameter->valueNames[i], text) == 0) {
      *value = parameter->minimum + (Float32)i;
      return kAudio_NoError;
    }
  const double number = strtod(text, &end);
  if (end == text || !isfinite(number)) return kAudioUnitErr_InvalidParameterValue;
  *value = bounded(unit, index, (Float32)number);
  return kAudio_NoError;
}

// Answers a question about a parameter.
static OSStatus answerQuestion(struct Unit *unit, AudioUnitPropertyID property, void *data) {
  AudioUnitParameterID parameter;  // the first word of each of them
  memcpy(&parameter, data, sizeof parameter);
  const SInt64 place = placeOf(unit, parameter);
  if (place < 0) return kAudioUnitErr_InvalidParameter;
  const UInt32 index = (UInt32)place;
  if (property == kAudioUnitProperty_ParameterStringFromValue) {
    AudioUnitParameterStringFromValue *asked = data;
    const Float32 value = asked->inValue != NULL ? *asked->inValue : valueAt(unit, index);
    asked->outString = textOfValue(unit, index, value);
    return kAudio_NoError;
  }
  if (property == kAudioUnitProperty_ParameterValueFromString) {
    AudioUnitParameterValueFromString *asked = data;
    return valueOfText(unit, index, asked->inString, &asked->outValue);
  }
  AudioUnitParameterIDName *asked = data;
  char part[kNameSize];
  snprintf(part, sizeof part, "%s", unit->definition->parameters[index].name);
  if (asked->inDesiredLength > 0 && (size_t)asked->inDesiredLength < strlen(part)) {
    size_t length = (size_t)asked->inDesiredLength;
    while (length > 0 && ((unsigned char)part[length] & 0xC0) == 0x80) length--;  // whole characters
    part[length] = 0;
  }
  asked->outName = makeText(part);
  return kAudio_NoError;
}

static OSStatus getHostProperty(
    struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope, void *data,
    UInt32 *dataSize) {
  const UInt32 size = hostFacts(unit, property, scope).size;
  // Neither a part of an object nor a question that is cut short can be answered.
  const bool isNumber = property == kAudioUnitProperty_LastRenderSampleTime;
  if (*dataSize < size && !isNumber) return kAudioUnitErr_InvalidPropertyValue;
  if (*dataSize > size) *dataSize = size;
  switch (property) {
    case kAudioUnitProperty_ContextName:
    case kAudioUnitProperty_NickName:
    case kAudioUnitProperty_ElementName: return getName(unit, property, scope, data);
    case kAudioUnitProperty_RenderQuality: memcpy(data, &unit->renderQuality, size); break;
    case kAudioUnitProperty_OfflineRender: memcpy(data, &unit->isOffline, size); break;
    case kAudioUnitProperty_LoadedOutOfProcess: memset(data, 0, size); break;
    case kAudioUnitProperty_LastRenderSampleTime: {
      const Float64 time = atomic_load(&unit->lastSampleTime);
      memcpy(data, &time, *dataSize);
      break;
    }
    case kAudioUnitProperty_ParametersForOverview:
      for (UInt32 i = 0; i < unit->definition->parameterCount; i++) {
        AudioUnitParameter parameter;
        memset(&parameter, 0, sizeof parameter);
        parameter.mAudioUnit = unit->handle;
        parameter.mParameterID = unit->definition->parameters[i].id;
        memcpy((AudioUnitParameter *)data + i, &parameter, sizeof parameter);
      }
      break;
    default: return answerQuestion(unit, property, data);
  }
  return kAudio_NoError;
}

static OSStatus setHostProperty(
    struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope, const void *data,
    UInt32 dataSize) {
  char *name = nameOf(unit, property, scope);
  UInt32 number;
  // Older hosts bring their callbacks without the last one.
  const bool isCallbacks = property == kAudioUnitProperty_HostCallbacks;
  const UInt32 least = isCallbacks ? offsetof(HostCallbackInfo, transportStateProc2)
                                   : hostFacts(unit, property, scope).size;
  // Null and 0 take a name or the callbacks away.
  if (data == NULL && name == NULL && !isCallbacks) return kAudioUnitErr_InvalidPropertyValue;
  if (data != NULL && (isCallbacks ? dataSize < least : dataSize != least))
    return kAudioUnitErr_InvalidPropertyValue;
  if (name != NULL) {
    CFStringRef given = NULL;
    char bytes[kNameSize] = {0};
    if (data != NULL) memcpy(&given, data, sizeof given);
    if (given != NULL && !CFStringGetCString(given, bytes, sizeof bytes, kCFStringEncodingUTF8))
      return kAudioUnitErr_InvalidPropertyValue;
    memcpy(name, bytes, sizeof bytes);
  }
  switch (property) {
    case kAudioUnitProperty_RenderQuality:
      memcpy(&number, data, sizeof number);
      if (number > kRenderQuality_Max) return kAudioUnitErr_InvalidPropertyValue;
      unit->renderQuality = number;
      break;
    case kAudioUnitProperty_OfflineRender:
      memcpy(&number, data, sizeof number);
      unit->isOffline = number != 0;
      break;
    case kAudioUnitProperty_PresentationLatency: {
      Float64 seconds;
      memcpy(&seconds, data, sizeof seconds);
      if (!(seconds >= 0) || isinf(seconds)) return kAudioUnitErr_InvalidPropertyValue;
      break;
    }
  }
  propertyChanged(unit, property, scope);
  return kAudio_NoError;
}
