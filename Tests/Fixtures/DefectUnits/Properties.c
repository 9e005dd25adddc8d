// The properties of the unit, and the defects in their values.
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "DefectUnit.h"

/// Properties that are missing, by the defect.
static bool lacks(Unit *unit, AudioUnitPropertyID property) {
  switch (property) {
    case kAudioUnitProperty_LastRenderError: return HAS("nolr");
    case kAudioUnitProperty_PresentPreset: return HAS("nopp");
    case kAudioUnitProperty_SetRenderCallback: return HAS("norc");
    case kAudioUnitProperty_MakeConnection: return HAS("nomc");
    case kAudioUnitProperty_TailTime: return HAS("tail");
    default: return false;
  }
}

/// Properties that are there in units with a defect alone; 0 for none.
static UInt32 sizeOfDefect(Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope) {
  switch (property) {
    case kAudioUnitProperty_CocoaUI:
      return HAS("view") ? sizeof(AudioUnitCocoaViewInfo) : HAS("vcls") ? sizeof(CFURLRef) : 0;
    case kAudioUnitProperty_IconLocation: return HAS("icon") ? sizeof(CFURLRef) : 0;
    case kAudioUnitProperty_MIDIOutputCallbackInfo:
      return HAS("mido") || unit->outputs == 0 ? sizeof(CFArrayRef) : 0;
    case kAudioUnitProperty_AllParameterMIDIMappings: return HAS("maps") ? 31 : HAS("mmap") ? 32 : 0;
    case kAudioUnitProperty_PresentationLatency: return HAS("prlt") && scope == 2 ? 8 : 0;
    case kAudioUnitProperty_AudioChannelLayout:
      return (HAS("layt") || HAS("lset")) && scope == 2 ? 12 : 0;
    case kAudioUnitProperty_SupportedChannelLayoutTags: return HAS("lset") && scope == 2 ? 4 : 0;
    case 0x7FFF0000: return HAS("knwn") ? 4 : 0;
    default: return 0;
  }
}

static UInt32 globalSize(Unit *unit, AudioUnitPropertyID property, UInt32 element, Boolean *isWritable) {
  switch (property) {
    case kAudioUnitProperty_MaximumFramesPerSlice:
    case kAudioUnitProperty_BypassEffect:
    case kAudioUnitProperty_InPlaceProcessing:
    case kAudioUnitProperty_OfflineRender: *isWritable = 1; return sizeof(UInt32);
    case kAudioUnitProperty_ClassInfo: *isWritable = 1; return sizeof(CFDictionaryRef);
    case kAudioUnitProperty_PresentPreset: *isWritable = 1; return sizeof(AUPreset);
    case kAudioUnitProperty_AddParameterMIDIMapping:
      *isWritable = 1;
      return HAS("mmap") ? sizeof(AUParameterMIDIMapping) : 0;
    case kAudioUnitProperty_HostCallbacks: *isWritable = 1; return sizeof(HostCallbackInfo);
    case kAudioUnitProperty_ContextName:
    case kAudioUnitProperty_NickName: *isWritable = 1; return sizeof(CFStringRef);
    case kAudioUnitProperty_LastRenderError: return sizeof(OSStatus);
    case kAudioUnitProperty_Latency:
    case kAudioUnitProperty_TailTime: return sizeof(Float64);
    case kAudioUnitProperty_SupportedNumChannels:
      if (unit->outputs == 0) return 0;
      return unit->inputs == 0 ? 4 : HAS("mono") ? 4 : HAS("chan") ? 32 : 28;
    case kAudioUnitProperty_FactoryPresets: return sizeof(CFArrayRef);
    case kAudioUnitProperty_ParameterList: return (HAS("dupl") || HAS("pinf") ? 4 : 3) * 4;
    case kAudioUnitProperty_ParameterInfo:
      return element < kParameters ? sizeof(AudioUnitParameterInfo) : 0;
    case kAudioUnitProperty_ParameterValueStrings: return element == kMode ? sizeof(CFArrayRef) : 0;
    case kAudioUnitProperty_ParameterStringFromValue: return sizeof(AudioUnitParameterStringFromValue);
    case kAudioUnitProperty_ParameterValueFromString: return sizeof(AudioUnitParameterValueFromString);
    case kAudioUnitProperty_ParameterClumpName:
      return HAS("clmp") ? 0 : sizeof(AudioUnitParameterIDName);
    default: return 0;
  }
}

/// Returns sizes of properties of offline units, and of units that send notes.
static UInt32 sizeOfType(Unit *unit, AudioUnitPropertyID property, Boolean *isWritable) {
  const bool isOffline = unit->description.componentType == kAudioUnitType_OfflineEffect;
  *isWritable = property != kAudioUnitOfflineProperty_PreflightRequirements &&
                property != kAudioUnitOfflineProperty_OutputSize;
  switch (property) {
    case kAudioUnitOfflineProperty_InputSize:
    case kAudioUnitOfflineProperty_OutputSize:
    case kAudioUnitOfflineProperty_StartOffset: return isOffline ? sizeof(UInt64) : 0;
    case kAudioUnitOfflineProperty_PreflightRequirements: return isOffline ? sizeof(UInt32) : 0;
    case kAudioUnitProperty_MIDIOutputCallback:
      return unit->outputs == 0 ? sizeof(AUMIDIOutputCallbackStruct) : 0;
    default: return 0;
  }
}

static UInt32 sizeOf(
    Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope, UInt32 element,
    Boolean *isWritable) {
  *isWritable = 0;
  if (lacks(unit, property)) return 0;
  const UInt32 ofDefect = sizeOfDefect(unit, property, scope);
  // A layout that may be set, and is refused then.
  if (HAS("lset") && property == kAudioUnitProperty_AudioChannelLayout) *isWritable = 1;
  if (ofDefect > 0) return ofDefect;
  if (property == kAudioUnitProperty_ElementCount) return scope <= 2 ? sizeof(UInt32) : 0;
  if (scope == kAudioUnitScope_Global) {
    const UInt32 ofType = sizeOfType(unit, property, isWritable);
    if (ofType > 0) return ofType;
    *isWritable = 0;
    return globalSize(unit, property, element, isWritable);
  }
  const UInt32 count = scope == kAudioUnitScope_Input ? unit->inputs : unit->outputs;
  if (scope > kAudioUnitScope_Output || element >= count) return 0;
  *isWritable = 1;
  switch (property) {
    case kAudioUnitProperty_StreamFormat: return sizeof(AudioStreamBasicDescription);
    case kAudioUnitProperty_SampleRate: return sizeof(Float64);
    case kAudioUnitProperty_SetRenderCallback: return sizeof(AURenderCallbackStruct);
    case kAudioUnitProperty_MakeConnection: return sizeof(AudioUnitConnection);
    default: return 0;
  }
}

OSStatus getInfo(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    UInt32 *size, Boolean *isWritable) {
  Boolean writable = 0;
  const UInt32 bytes = sizeOf(self, property, scope, element, &writable);
  if (size != NULL) *size = bytes;
  if (isWritable != NULL) *isWritable = writable;
  return bytes > 0 ? noErr : kAudioUnitErr_InvalidProperty;
}

/// Returns the values of units with a defect; kNone for all else.
static OSStatus getDefect(Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope, void *data) {
  const UInt32 tag = HAS("lset") ? kAudioChannelLayoutTag_Stereo : kAudioChannelLayoutTag_Mono;
  const UInt32 layout[3] = {tag, 0, 0};
  const void *names[] = {HAS("mido") ? CFSTR("") : CFSTR("Out")};
  switch (property) {
    case kAudioUnitProperty_CocoaUI:
      if (HAS("vcls"))
        *(CFURLRef *)data = CFURLCreateWithFileSystemPath(NULL, CFSTR("/"), kCFURLPOSIXPathStyle, true);
      else
        *(AudioUnitCocoaViewInfo *)data = (AudioUnitCocoaViewInfo){NULL, {CFSTR("View")}};
      return noErr;
    case kAudioUnitProperty_IconLocation: *(CFStringRef *)data = CFSTR("/icon.png"); return noErr;
    case kAudioUnitProperty_MIDIOutputCallbackInfo:
      *(CFArrayRef *)data = CFArrayCreate(NULL, names, 1, &kCFTypeArrayCallBacks);
      return noErr;
    case kAudioUnitProperty_AudioChannelLayout: memcpy(data, layout, sizeof layout); return noErr;
    case kAudioUnitProperty_SupportedChannelLayoutTags: memcpy(data, &tag, sizeof tag); return noErr;
    case kAudioUnitProperty_AllParameterMIDIMappings: memset(data, 0, HAS("mmap") ? 32 : 31); return noErr;
    case kAudioUnitProperty_PresentationLatency: memset(data, 0, 8); return noErr;
    case 0x7FFF0000: memset(data, 0, 4); return noErr;
    case kAudioUnitProperty_StreamFormat:
      return HAS("fnon") && scope == kAudioUnitScope_Output ? -50 : kNone;
    case kAudioUnitProperty_ClassInfo:
      if (HAS("noci")) return -50;
      if (!HAS("ciar")) return kNone;
      *(CFArrayRef *)data = CFArrayCreate(NULL, names, 1, &kCFTypeArrayCallBacks);
      return noErr;
    case kAudioUnitProperty_NickName:
      if (!HAS("nick")) return kNone;
      *(CFStringRef *)data = CFSTR("another");
      return noErr;
    case kAudioUnitProperty_OfflineRender:
      if (!HAS("offl")) return kNone;
      *(UInt32 *)data = 0;
      return noErr;
    default: return kNone;
  }
}

static OSStatus getTexts(Unit *unit, AudioUnitPropertyID property, void *data) {
  char text[32] = "";
  if (property == kAudioUnitProperty_ParameterStringFromValue) {
    AudioUnitParameterStringFromValue *request = data;
    const Float32 value = request->inValue ? *request->inValue : unit->values[request->inParamID];
    if (!HAS("vnon")) snprintf(text, sizeof text, "%.2f", value);
    request->outString = CFStringCreateWithCString(NULL, text, kCFStringEncodingUTF8);
    return noErr;
  }
  if (property == kAudioUnitProperty_ParameterValueFromString) {
    AudioUnitParameterValueFromString *request = data;
    CFStringGetCString(request->inString, text, sizeof text, kCFStringEncodingUTF8);
    request->outValue = HAS("vstr") ? 7 : (Float32)atof(text);
    return noErr;
  }
  if (property == kAudioUnitProperty_ParameterClumpName) {
    ((AudioUnitParameterIDName *)data)->outName = CFStringCreateCopy(NULL, CFSTR("Tone"));
    return noErr;
  }
  const void *names[] = {CFSTR("Plain"), CFSTR("Loud"), CFSTR("Inverted")};
  *(CFArrayRef *)data = CFArrayCreate(NULL, names, HAS("vcnt") ? 2 : 3, &kCFTypeArrayCallBacks);
  return noErr;
}

static OSStatus getGlobal(Unit *unit, AudioUnitPropertyID property, UInt32 element, void *data) {
  if (property == kAudioUnitOfflineProperty_PreflightRequirements) {
    *(UInt32 *)data = kOfflinePreflight_Required;
    return noErr;
  }
  if (property >= kAudioUnitOfflineProperty_InputSize &&
      property <= kAudioUnitOfflineProperty_StartOffset) {
    memcpy(data, &unit->offline[property - kAudioUnitOfflineProperty_InputSize], sizeof(UInt64));
    return noErr;
  }
  static const AUChannelInfo pairs[] = {
    {2, 2}, {1, 1}, {4, 4}, {5, 5}, {6, 6}, {7, 7}, {8, 8}, {3, 3},
  };
  const UInt32 ids[] = {kGain, kMode, kMix, HAS("pinf") ? 77 : kMix};
  switch (property) {
    case kAudioUnitProperty_MaximumFramesPerSlice:
      *(UInt32 *)data = HAS("slic") ? 512 : unit->maximumFrames;
      return noErr;
    case kAudioUnitProperty_BypassEffect: *(UInt32 *)data = unit->isBypassed; return noErr;
    case kAudioUnitProperty_InPlaceProcessing: *(UInt32 *)data = unit->isInPlace; return noErr;
    case kAudioUnitProperty_OfflineRender: *(UInt32 *)data = unit->isOffline; return noErr;
    case kAudioUnitProperty_ClassInfo: *(CFDictionaryRef *)data = copyState(unit); return noErr;
    case kAudioUnitProperty_PresentPreset:
      if (!HAS("pret") && !HAS("pcon")) CFRetain(unit->presetName);
      *(AUPreset *)data = (AUPreset){HAS("ptol") ? -1 : unit->preset, unit->presetName};
      return noErr;
    case kAudioUnitProperty_ContextName:
    case kAudioUnitProperty_NickName: {
      CFStringRef name = unit->names[property == kAudioUnitProperty_NickName];
      *(CFStringRef *)data = name ? CFRetain(name) : NULL;
      return noErr;
    }
    case kAudioUnitProperty_LastRenderError: *(OSStatus *)data = unit->lastError; return noErr;
    case kAudioUnitProperty_Latency: *(Float64 *)data = 0; return noErr;
    case kAudioUnitProperty_TailTime: *(Float64 *)data = 0.002; return noErr;
    case kAudioUnitProperty_SupportedNumChannels:
      if (unit->inputs == 0)
        *(AUChannelInfo *)data = (AUChannelInfo){0, HAS("lmis") ? 4 : 2};
      else
        memcpy(data, pairs, HAS("mono") ? 4 : HAS("chan") ? 32 : 28);
      return noErr;
    case kAudioUnitProperty_FactoryPresets: *(CFArrayRef *)data = copyPresets(unit); return noErr;
    case kAudioUnitProperty_ParameterList:
      memcpy(data, ids, (HAS("dupl") || HAS("pinf") ? 4 : 3) * 4);
      return noErr;
    case kAudioUnitProperty_ParameterInfo: return describeParameter(unit, element, data);
    default: return getTexts(unit, property, data);
  }
}

OSStatus getProperty(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    void *data, UInt32 *size) {
  Unit *unit = self;
  Boolean isWritable;
  const UInt32 bytes = sizeOf(unit, property, scope, element, &isWritable);
  if (bytes == 0) return kAudioUnitErr_InvalidProperty;
  if (data == NULL || *size < bytes) return kAudioUnitErr_InvalidPropertyValue;
  *size = bytes;
  const OSStatus ofDefect = getDefect(unit, property, scope, data);
  if (ofDefect != kNone) return ofDefect;
  if (property == kAudioUnitProperty_ElementCount) {
    *(UInt32 *)data = scope == kAudioUnitScope_Input ? unit->inputs
                      : scope == kAudioUnitScope_Output ? unit->outputs : 1;
    return noErr;
  }
  if (scope == kAudioUnitScope_Global) return getGlobal(unit, property, element, data);
  const AudioStreamBasicDescription *format = &unit->formats[scope == kAudioUnitScope_Output];
  if (property == kAudioUnitProperty_StreamFormat)
    memcpy(data, format, sizeof *format);
  else if (property == kAudioUnitProperty_SampleRate)
    memcpy(data, &format->mSampleRate, sizeof(Float64));
  else
    return kAudioUnitErr_InvalidProperty;
  return noErr;
}
