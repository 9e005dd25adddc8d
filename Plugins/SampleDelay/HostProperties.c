// What a host tells the sample delay, and what it reads of it for a person: names, texts, times.
// SPDX-License-Identifier: Apache-2.0

#include <CoreFoundation/CoreFoundation.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "SampleDelayUnit.h"

struct PropertyFacts hostFacts(AudioUnitPropertyID property, AudioUnitScope scope) {
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
      return FACTS(isGlobal, AudioUnitParameterStringFromValue, 1, 0);
    case kAudioUnitProperty_ParameterValueFromString:
      return FACTS(isGlobal, AudioUnitParameterValueFromString, 1, 0);
    case kAudioUnitProperty_ParameterIDName: return FACTS(isGlobal, AudioUnitParameterIDName, 1, 0);
    case kAudioUnitProperty_ParametersForOverview: return FACTS(isGlobal, AudioUnitParameter, 1, 0);
    case kAudioUnitProperty_LastRenderSampleTime: return FACTS(isGlobal, Float64, 1, 0);
    case kAudioUnitProperty_LoadedOutOfProcess: return FACTS(isGlobal, UInt32, 1, 0);
    default: return none;
  }
#undef FACTS
}

bool isHostProperty(AudioUnitPropertyID property) {
  for (AudioUnitScope scope = 0; scope <= kAudioUnitScope_Output; scope++)
    if (hostFacts(property, scope).size > 0) return true;
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

static CFStringRef text(const char *bytes) {
  return CFStringCreateWithCString(NULL, bytes, kCFStringEncodingUTF8);
}

static OSStatus getName(
    struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope, CFStringRef *name) {
  static const char *const own[] = {"Global", "Input", "Output"};
  const char *given = nameOf(unit, property, scope);
  if (given[0] == 0 && property == kAudioUnitProperty_ElementName) given = own[scope];
  *name = given[0] == 0 ? NULL : text(given);
  const bool isMissing = *name == NULL && property == kAudioUnitProperty_ContextName;
  return isMissing ? kAudioUnitErr_PropertyNotInUse : kAudio_NoError;
}

// Answers a question about the parameter.
static OSStatus answer(struct Unit *unit, AudioUnitPropertyID property, void *data) {
  AudioUnitParameterID parameter;  // the first word of each of them
  memcpy(&parameter, data, sizeof parameter);
  if (parameter != kSampleDelayParam_DelayFrames) return kAudioUnitErr_InvalidParameter;
  if (property == kAudioUnitProperty_ParameterStringFromValue) {
    AudioUnitParameterStringFromValue *asked = data;
    char digits[32];
    const Float32 value =
        asked->inValue != NULL ? *asked->inValue : atomic_load(&unit->delayFrames);
    snprintf(digits, sizeof digits, "%.0f", (double)value);
    asked->outString = text(digits);
    return kAudio_NoError;
  }
  if (property == kAudioUnitProperty_ParameterValueFromString) {
    AudioUnitParameterValueFromString *asked = data;
    char digits[32], *end;
    if (asked->inString == NULL ||
        !CFStringGetCString(asked->inString, digits, sizeof digits, kCFStringEncodingUTF8))
      return kAudioUnitErr_InvalidParameterValue;
    const double value = strtod(digits, &end);
    if (end == digits || !isfinite(value)) return kAudioUnitErr_InvalidParameterValue;
    const Float64 greatest = unit->formats[1].mSampleRate;
    asked->outValue = (Float32)(value < 0 ? 0 : value > greatest ? greatest : value);
    return kAudio_NoError;
  }
  AudioUnitParameterIDName *asked = data;
  const char *const name = "delay frames";
  const SInt32 whole = (SInt32)strlen(name);
  const SInt32 wanted = asked->inDesiredLength;
  char part[16] = {0};
  memcpy(part, name, (size_t)(wanted > 0 && wanted < whole ? wanted : whole));
  asked->outName = text(part);
  return kAudio_NoError;
}

OSStatus getHostProperty(
    struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope, void *data,
    UInt32 *dataSize) {
  const UInt32 size = hostFacts(property, scope).size;
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
    case kAudioUnitProperty_ParametersForOverview: {
      AudioUnitParameter parameter;
      memset(&parameter, 0, sizeof parameter);
      parameter.mAudioUnit = unit->handle;
      parameter.mParameterID = kSampleDelayParam_DelayFrames;
      memcpy(data, &parameter, size);
      break;
    }
    default: return answer(unit, property, data);
  }
  return kAudio_NoError;
}

OSStatus setHostProperty(
    struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope, const void *data,
    UInt32 dataSize) {
  char *name = nameOf(unit, property, scope);
  UInt32 number;
  // Older hosts bring their callbacks without the last one.
  const bool isCallbacks = property == kAudioUnitProperty_HostCallbacks;
  const UInt32 least = isCallbacks ? offsetof(HostCallbackInfo, transportStateProc2)
                                   : hostFacts(property, scope).size;
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
      unit->renderQuality = number;  // a delay of whole frames has but one quality
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
