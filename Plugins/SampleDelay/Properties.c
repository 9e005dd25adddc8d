// Properties of the sample delay.
// SPDX-License-Identifier: Apache-2.0

#include <Auricle/AuricleProperties.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "SampleDelayUnit.h"

static struct PropertyFacts factsOf(
    const struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope,
    AudioUnitElement element) {
  const struct PropertyFacts found = unitFacts(unit, property, scope, element);
  if (found.isReadable || found.isWritable) return found;
  const bool isGlobal = scope == kAudioUnitScope_Global;
  const bool isBus = scope == kAudioUnitScope_Input || scope == kAudioUnitScope_Output;
  const bool isInput = scope == kAudioUnitScope_Input || isGlobal;
  const struct PropertyFacts none = {0};
#define FACTS(condition, type, readable, writable) \
  ((condition) ? (struct PropertyFacts){sizeof(type), readable, writable} : none)
  switch (property) {
    case kAudioUnitProperty_ClassInfo:
    case kAudioUnitProperty_ClassInfoFromDocument: return FACTS(isGlobal, CFDictionaryRef, 1, 1);
    case kAudioUnitProperty_PresentPreset: return FACTS(isGlobal, AUPreset, 1, 1);
    case kAudioUnitProperty_MakeConnection: return FACTS(isInput, AudioUnitConnection, 0, 1);
    case kAudioUnitProperty_SetRenderCallback: return FACTS(isInput, AURenderCallbackStruct, 0, 1);
    case kAudioUnitProperty_SampleRate: return FACTS(isBus || isGlobal, Float64, 1, 1);
    case kAudioUnitProperty_StreamFormat:
      return FACTS(isBus || isGlobal, AudioStreamBasicDescription, 1, 1);
    case kAudioUnitProperty_ElementCount: return FACTS(isBus || isGlobal, UInt32, 1, 0);
    case kAudioUnitProperty_ParameterList:
      return isGlobal ? (struct PropertyFacts){sizeof(AudioUnitParameterID), 1, 0}
             : isBus  ? (struct PropertyFacts){0, 1, 0}
                      : none;
    case kAudioUnitProperty_ParameterInfo: return FACTS(isGlobal, AudioUnitParameterInfo, 1, 0);
    case kAudioUnitProperty_Latency:
    case kAudioUnitProperty_TailTime: return FACTS(isGlobal, Float64, 1, 0);
    case kAudioUnitProperty_SupportedNumChannels: return FACTS(isGlobal, AUChannelInfo, 1, 0);
    case kAudioUnitProperty_MaximumFramesPerSlice:
    case kAuricleProperty_NaNGuard:
    case kAudioUnitProperty_BypassEffect: return FACTS(isGlobal, UInt32, 1, 1);
    case kAudioUnitProperty_InPlaceProcessing: return FACTS(isGlobal, UInt32, 1, 0);
    case kAudioUnitProperty_LastRenderError: return FACTS(isGlobal, OSStatus, 1, 0);
    default: return hostFacts(property, scope);
  }
#undef FACTS
}

static OSStatus check(
    const struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope,
    AudioUnitElement element, struct PropertyFacts *facts) {
  if (scope > kAudioUnitScope_Output) return kAudioUnitErr_InvalidScope;
  *facts = factsOf(unit, property, scope, element);
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
  if (property == kAudioUnitProperty_ParameterInfo)  // its element is a parameter
    return element == kSampleDelayParam_DelayFrames ? kAudio_NoError
                                                    : kAudioUnitErr_InvalidParameter;
  return element == 0 ? kAudio_NoError : kAudioUnitErr_InvalidElement;
}

OSStatus getPropertyInfo(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    UInt32 *dataSize, Boolean *isWritable) {
  struct PropertyFacts facts;
  const OSStatus status = check(self, property, scope, element, &facts);
  if (status != kAudio_NoError) return status;
  if (dataSize != NULL) *dataSize = facts.size;
  if (isWritable != NULL) *isWritable = facts.isWritable;
  return kAudio_NoError;
}

static bool isPlanarFloat(const AudioStreamBasicDescription *format) {
  struct SampleLayout layout;
  return readLayout(format, &layout) && layout.isCanonical;
}

static AudioUnitParameterInfo parameterInfo(const struct Unit *unit) {
  return (AudioUnitParameterInfo){
      .name = "delay frames",
      .unit = kAudioUnitParameterUnit_SampleFrames,
      .minValue = 0,
      .maxValue = (Float32)unit->formats[1].mSampleRate,
      .defaultValue = 0,
      .flags = kAudioUnitParameterFlag_IsReadable | kAudioUnitParameterFlag_IsWritable};
}

OSStatus getProperty(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    void *data, UInt32 *dataSize) {
  struct Unit *unit = self;
  struct PropertyFacts facts;
  const OSStatus status = check(unit, property, scope, element, &facts);
  if (status != kAudio_NoError) return status;
  if (!facts.isReadable) return kAudioUnitErr_InvalidProperty;
  if (dataSize == NULL) return kAudio_ParamError;
  if (data == NULL) {
    *dataSize = facts.size;
    return kAudio_NoError;
  }
  if (*dataSize == 0 && facts.size > 0) return kAudio_ParamError;
  if (isHostProperty(property)) return getHostProperty(unit, property, scope, data, dataSize);
  if (unitFacts(unit, property, scope, element).isReadable)
    return getUnitProperty(unit, property, scope, element, data, dataSize);
  // A part of an object is no object.
  const bool isObject =
      property == kAudioUnitProperty_ClassInfo ||
      property == kAudioUnitProperty_ClassInfoFromDocument ||
      property == kAudioUnitProperty_PresentPreset;
  if (isObject && *dataSize < facts.size) return kAudioUnitErr_InvalidPropertyValue;
  union {
    CFDictionaryRef state;
    AUPreset preset;
    UInt32 number;
    OSStatus status;
    Float64 real;
    AUChannelInfo channels;
    AudioUnitParameterInfo info;
    AudioStreamBasicDescription format;
  } value;
  memset(&value, 0, sizeof value);
  const AudioStreamBasicDescription *format = &unit->formats[scope == kAudioUnitScope_Input ? 0 : 1];
  switch (property) {
    case kAudioUnitProperty_ClassInfo:
    case kAudioUnitProperty_ClassInfoFromDocument: value.state = copyClassInfo(unit); break;
    case kAudioUnitProperty_PresentPreset:
      value.preset = (AUPreset){.presetNumber = -1, .presetName = copyPresetName(unit)};
      break;
    case kAudioUnitProperty_SampleRate: value.real = format->mSampleRate; break;
    case kAudioUnitProperty_StreamFormat: value.format = *format; break;
    case kAudioUnitProperty_ElementCount: value.number = 1; break;
    case kAudioUnitProperty_ParameterList: value.number = kSampleDelayParam_DelayFrames; break;
    case kAudioUnitProperty_ParameterInfo: value.info = parameterInfo(unit); break;
    case kAudioUnitProperty_Latency: value.real = 0; break;
    case kAudioUnitProperty_TailTime:
      value.real = round(atomic_load(&unit->delayFrames)) / unit->formats[1].mSampleRate;
      break;
    case kAudioUnitProperty_SupportedNumChannels:
      value.channels = (AUChannelInfo){.inChannels = -1, .outChannels = -1};
      break;
    case kAudioUnitProperty_MaximumFramesPerSlice: value.number = unit->maximumFrames; break;
    case kAudioUnitProperty_BypassEffect: value.number = atomic_load(&unit->isBypassed); break;
    case kAuricleProperty_NaNGuard: value.number = atomic_load(&unit->guardsNumbers); break;
    case kAudioUnitProperty_InPlaceProcessing:
      value.number = isPlanarFloat(&unit->formats[0]) && isPlanarFloat(&unit->formats[1]);
      break;
    case kAudioUnitProperty_LastRenderError:
      value.status = atomic_exchange(&unit->lastError, kAudio_NoError);
      break;
  }
  if (*dataSize > facts.size) *dataSize = facts.size;
  memcpy(data, &value, *dataSize);
  return kAudio_NoError;
}

OSStatus setProperty(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    const void *data, UInt32 dataSize) {
  struct Unit *unit = self;
  struct PropertyFacts facts;
  if ((data == NULL) != (dataSize == 0)) return kAudio_ParamError;
  const OSStatus status = check(unit, property, scope, element, &facts);
  if (status != kAudio_NoError) return status;
  if (!facts.isWritable) return kAudioUnitErr_PropertyNotWritable;
  if (isHostProperty(property)) return setHostProperty(unit, property, scope, data, dataSize);
  if (unitFacts(unit, property, scope, element).isWritable)
    return setUnitProperty(unit, property, scope, data, dataSize);
  // Null and 0 take a value away, which none of these can do without.
  if (data == NULL) return kAudioUnitErr_InvalidPropertyValue;
  // A format may come without its last, reserved word.
  const bool isFormat = property == kAudioUnitProperty_StreamFormat;
  if (isFormat ? dataSize < 36 : dataSize != facts.size) return kAudioUnitErr_InvalidPropertyValue;
  if (isFormat) {
    AudioStreamBasicDescription format;
    memset(&format, 0, sizeof format);
    memcpy(&format, data, dataSize < sizeof format ? dataSize : sizeof format);
    return setFormat(unit, scope, &format);
  }
  switch (property) {
    case kAudioUnitProperty_SampleRate: {
      AudioStreamBasicDescription format = unit->formats[scope == kAudioUnitScope_Input ? 0 : 1];
      memcpy(&format.mSampleRate, data, sizeof(Float64));
      const OSStatus taken = setFormat(unit, scope, &format);
      return taken == kAudioUnitErr_FormatNotSupported ? kAudioUnitErr_InvalidPropertyValue : taken;
    }
    case kAudioUnitProperty_MaximumFramesPerSlice: {
      UInt32 frames;
      memcpy(&frames, data, sizeof frames);
      if (frames == unit->maximumFrames) return kAudio_NoError;
      if (atomic_load(&unit->isInitialized)) return kAudioUnitErr_Initialized;
      if (frames < 1 || frames > 1u << 24) return kAudioUnitErr_InvalidPropertyValue;
      unit->maximumFrames = frames;
      break;
    }
    case kAuricleProperty_NaNGuard: {
      UInt32 flag;
      memcpy(&flag, data, sizeof flag);
      atomic_store(&unit->guardsNumbers, flag != 0);
      break;
    }
    case kAudioUnitProperty_BypassEffect: {
      UInt32 flag;
      memcpy(&flag, data, sizeof flag);
      atomic_store(&unit->isBypassed, flag != 0);
      break;
    }
    case kAudioUnitProperty_ClassInfo:
    case kAudioUnitProperty_ClassInfoFromDocument: {
      CFDictionaryRef state;
      memcpy(&state, data, sizeof state);
      const OSStatus restored = restoreClassInfo(unit, state);
      if (restored != kAudio_NoError) return restored;
      break;
    }
    case kAudioUnitProperty_PresentPreset: {
      AUPreset preset;
      memcpy(&preset, data, sizeof preset);
      if (preset.presetNumber >= 0 || preset.presetName == NULL)
        return kAudioUnitErr_InvalidPropertyValue;
      setPresetName(unit, preset.presetName);
      break;
    }
    case kAudioUnitProperty_MakeConnection: return connectInput(unit, data);
    case kAudioUnitProperty_SetRenderCallback: return setSource(unit, data, NULL, 0);
  }
  propertyChanged(unit, property, scope);
  return kAudio_NoError;
}
