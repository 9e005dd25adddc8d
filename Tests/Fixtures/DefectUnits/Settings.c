// Settings of the unit by hosts: properties, state and presets; and the defects in these.
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <string.h>

#include "DefectUnit.h"

CFArrayRef copyPresets(Unit *unit) {
  static AUPreset list[2];
  list[0] = (AUPreset){0, HAS("pnon") ? CFSTR("") : CFSTR("Plain")};
  list[1] = (AUPreset){HAS("pnum") ? 0 : 1, CFSTR("Half")};
  const void *places[] = {&list[0], &list[1]};
  return CFArrayCreate(NULL, places, 2, NULL);
}

OSStatus choosePreset(Unit *unit, const AUPreset *preset) {
  if (HAS("psel")) return kAudioUnitErr_InvalidPropertyValue;
  if (preset->presetNumber > 1) return kAudioUnitErr_InvalidPropertyValue;
  CFStringRef name = preset->presetName;
  if (name != NULL) CFRetain(name);
  if (unit->presetName != NULL) CFRelease(unit->presetName);
  unit->presetName = name;
  unit->preset = preset->presetNumber;
  if (preset->presetNumber >= 0) {
    setValue(unit, kGain, preset->presetNumber == 0 ? 1 : HAS("pran") ? 5 : 0.5f);
    setValue(unit, kMix, 100);
  }
  return noErr;
}

static void put(CFMutableDictionaryRef state, CFStringRef key, OSType value) {
  const SInt32 number = (SInt32)value;
  CFNumberRef object = CFNumberCreate(NULL, kCFNumberSInt32Type, &number);
  CFDictionarySetValue(state, key, object);
  CFRelease(object);
}

CFDictionaryRef copyState(Unit *unit) {
  CFMutableDictionaryRef state = CFDictionaryCreateMutable(
      NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
  put(state, CFSTR("version"), 0);
  put(state, CFSTR("type"), unit->description.componentType);
  put(state, CFSTR("subtype"), unit->description.componentSubType);
  put(state, CFSTR("manufacturer"), HAS("ciot") ? 1 : unit->description.componentManufacturer);
  static UInt32 saves;
  if (HAS("ssam")) put(state, CFSTR("saves"), ++saves);
  if (HAS("psav")) put(state, CFSTR("preset"), (OSType)unit->preset);
  // A state that is asked for by another thread than the one that renders.
  if (HAS("thrs") && unit->thread != NULL && unit->thread != (void *)pthread_self())
    unit->isPoisoned = true;
  CFDataRef data = CFDataCreate(NULL, (const UInt8 *)unit->values, sizeof unit->values);
  CFDictionarySetValue(state, CFSTR("data"), data);
  CFRelease(data);
  return state;
}

OSStatus restoreState(Unit *unit, CFDictionaryRef state) {
  if (HAS("cird")) return kAudioUnitErr_PropertyNotWritable;
  if (HAS("rest")) return noErr;
  CFDataRef data = CFDictionaryGetValue(state, CFSTR("data"));
  if (data == NULL || CFDataGetLength(data) != (CFIndex)sizeof unit->values)
    return kAudioUnitErr_InvalidPropertyValue;
  CFDataGetBytes(data, CFRangeMake(0, sizeof unit->values), (UInt8 *)unit->values);
  SInt32 preset = -1;
  CFNumberRef number = HAS("psav") ? CFDictionaryGetValue(state, CFSTR("preset")) : NULL;
  if (number != NULL) CFNumberGetValue(number, kCFNumberSInt32Type, &preset);
  if (preset == 1) setValue(unit, kGain, 1);
  return noErr;
}

OSStatus describeParameter(Unit *unit, UInt32 id, AudioUnitParameterInfo *info) {
  static const char *const names[] = {"gain", "mode", "mix"};
  memset(info, 0, sizeof *info);
  strcpy(info->name, names[id]);
  info->maxValue = id == kMix ? 100 : 2;
  info->defaultValue = id == kMix ? 100 : id == kGain ? 1 : 0;
  info->unit = id == kMix ? kAudioUnitParameterUnit_Percent
               : id == kMode ? kAudioUnitParameterUnit_Indexed : kAudioUnitParameterUnit_LinearGain;
  info->flags = kAudioUnitParameterFlag_IsReadable | kAudioUnitParameterFlag_IsWritable;
  if (id == kGain) info->flags |= kAudioUnitParameterFlag_CanRamp;
  if (id == kMode) info->flags |= kAudioUnitParameterFlag_ValuesHaveStrings;
  if (id == kMix) {
    info->flags |= kAudioUnitParameterFlag_HasClump;
    info->clumpID = 1;
    if (HAS("pdef")) info->defaultValue = 200;
    if (HAS("prng")) info->minValue = info->maxValue;
    if (HAS("pnam")) info->name[0] = 0;
  }
  return noErr;
}

static void keepName(Unit *unit, int place, const void *data, UInt32 size) {
  CFStringRef name = size < sizeof(CFStringRef) || data == NULL ? NULL : *(const CFStringRef *)data;
  if (name != NULL) CFRetain(name);
  if (unit->names[place] != NULL) CFRelease(unit->names[place]);
  unit->names[place] = name;
}

static OSStatus setHost(Unit *unit, const void *data, UInt32 size) {
  if (HAS("hcbk")) return kAudioUnitErr_PropertyNotWritable;
  const HostCallbackInfo *given = data;
  if (HAS("hkep") && (given == NULL || given->beatAndTempoProc == NULL)) return noErr;
  memset(&unit->host, 0, sizeof unit->host);
  if (data != NULL) memcpy(&unit->host, data, size < sizeof unit->host ? size : sizeof unit->host);
  return noErr;
}

static OSStatus setGlobal(Unit *unit, AudioUnitPropertyID property, const void *data, UInt32 size) {
  const UInt32 number = data != NULL && size >= 4 ? *(const UInt32 *)data : 0;
  switch (property) {
    case kAudioUnitOfflineProperty_InputSize:
    case kAudioUnitOfflineProperty_StartOffset:
      if (size < sizeof(UInt64)) return kAudioUnitErr_InvalidPropertyValue;
      memcpy(&unit->offline[property - kAudioUnitOfflineProperty_InputSize], data, sizeof(UInt64));
      unit->offline[1] = unit->offline[0];
      unit->isPreflighted = false;
      unit->preflighted = 0;
      return noErr;
    case kAudioUnitProperty_MIDIOutputCallback:
      memcpy(&unit->midiOutput, data, sizeof unit->midiOutput);
      return noErr;
    case kAudioUnitProperty_MaximumFramesPerSlice:
      if (unit->isInitialized) return kAudioUnitErr_Initialized;
      unit->maximumFrames = number;
      return noErr;
    case kAudioUnitProperty_BypassEffect:
      if (!HAS("byps")) unit->isBypassed = number;
      return noErr;
    case kAudioUnitProperty_InPlaceProcessing: unit->isInPlace = number; return noErr;
    case kAudioUnitProperty_OfflineRender: unit->isOffline = number; return noErr;
    case kAudioUnitProperty_HostCallbacks: return setHost(unit, data, size);
    case kAudioUnitProperty_ContextName: keepName(unit, 0, data, size); return noErr;
    case kAudioUnitProperty_NickName: keepName(unit, 1, data, size); return noErr;
    case kAudioUnitProperty_ClassInfo: return restoreState(unit, *(const CFDictionaryRef *)data);
    case kAudioUnitProperty_PresentPreset: return choosePreset(unit, data);
    case kAudioUnitProperty_AddParameterMIDIMapping: return noErr;
    default: return kAudioUnitErr_PropertyNotWritable;
  }
}

static OSStatus setFormat(Unit *unit, AudioUnitScope scope, AudioStreamBasicDescription format) {
  if (HAS("finz") && unit->isInitialized) unit->isPoisoned = true;
  else if (unit->isInitialized) return kAudioUnitErr_Initialized;
  if (format.mChannelsPerFrame == 0 || format.mChannelsPerFrame > kChannels)
    return kAudioUnitErr_FormatNotSupported;
  unit->formats[scope == kAudioUnitScope_Output] = format;
  return noErr;
}

OSStatus setProperty(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    const void *data, UInt32 size) {
  Unit *unit = self;
  UInt32 bytes = 0;
  Boolean isWritable = 0;
  const OSStatus status = getInfo(self, property, scope, element, &bytes, &isWritable);
  if (status != noErr) return status;
  if (!isWritable) return kAudioUnitErr_PropertyNotWritable;
  if (scope == kAudioUnitScope_Global) return setGlobal(unit, property, data, size);
  if (data == NULL || size < bytes) return kAudioUnitErr_InvalidPropertyValue;
  AudioStreamBasicDescription format = unit->formats[scope == kAudioUnitScope_Output];
  switch (property) {
    case kAudioUnitProperty_StreamFormat:
      memcpy(&format, data, sizeof format);
      return setFormat(unit, scope, format);
    case kAudioUnitProperty_SampleRate:
      memcpy(&format.mSampleRate, data, sizeof(Float64));
      return setFormat(unit, scope, format);
    case kAudioUnitProperty_SetRenderCallback:
      memcpy(&unit->callback, data, sizeof unit->callback);
      if (unit->callback.inputProc != NULL && !HAS("disc")) unit->connection.sourceAudioUnit = NULL;
      return noErr;
    case kAudioUnitProperty_MakeConnection: {
      const bool isMade = ((const AudioUnitConnection *)data)->sourceAudioUnit != NULL;
      if (HAS(isMade ? "conn" : "disc")) return noErr;
      memcpy(&unit->connection, data, sizeof unit->connection);
      if (isMade) unit->callback.inputProc = NULL;
      return noErr;
    }
    default: return kAudioUnitErr_PropertyNotWritable;
  }
}
