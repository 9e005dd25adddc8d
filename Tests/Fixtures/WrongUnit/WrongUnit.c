// The sample delay with one thing wrong, which the subtype of its description names.
// SPDX-License-Identifier: Apache-2.0
//
// Build: with the sources of Plugins/SampleDelay.
#include <CoreFoundation/CoreFoundation.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "../../../Plugins/SampleDelay/include/SampleDelay.h"
#include "WrongUnit.h"

enum {
  kNoClassInfo = FAULT('n', 'o', 'c', 'i'),
  kClassInfoOfAnother = FAULT('c', 'i', 'o', 't'),
  kClassInfoForGood = FAULT('c', 'i', 'r', 'd'),
  kNoLastError = FAULT('n', 'o', 'l', 'r'),
  kNoPresentPreset = FAULT('n', 'o', 'p', 'p'),
  kNoCallback = FAULT('n', 'o', 'r', 'c'),
  kNoConnection = FAULT('n', 'o', 'm', 'c'),
  kOtherRate = FAULT('f', 's', '4', '8'),
  kUnknownParameter = FAULT('p', 'i', 'n', 'f'),
  kDefaultOutside = FAULT('p', 'd', 'e', 'f'),
  kNoRange = FAULT('p', 'r', 'n', 'g'),
  kNoName = FAULT('p', 'n', 'a', 'm'),
  kForgetsAtInitialize = FAULT('p', 'i', 'n', 'i'),
  kForgetsAtReset = FAULT('p', 'r', 's', 't'),
  kClaimsChannels = FAULT('c', 'h', 'a', 'n'),
  kRefusesRate = FAULT('r', '9', '6', 'k'),
  kSwallowsErrors = FAULT('s', 'w', 'a', 'l'),
  kRendersTooMany = FAULT('m', 'a', 'n', 'y'),
  kPullsTooMany = FAULT('p', 'u', 'l', 'l'),
  kNotANumber = FAULT('n', 'a', 'n', 's'),
  kTakesNotes = FAULT('m', 'i', 'd', 'i'),
  kRendersEarly = FAULT('u', 'n', 'i', 'n'),
  kNamelessPreset = FAULT('p', 'r', 'e', 's'),
  kForgetsPreset = FAULT('p', 's', 'e', 't'),
  kNoSchedule = FAULT('s', 'c', 'h', 'd'),
  kHangs = FAULT('h', 'a', 'n', 'g'),
  kUnauthorized = FAULT('a', 'u', 't', 'h'),
  kHiddenMeta = FAULT('m', 'e', 't', 'a'),
  kClaimsPair = FAULT('p', 'a', 'i', 'r'),
  kNoteIsNaN = FAULT('n', 'n', 'a', 'n'),
  kRefusesNotes = FAULT('n', 'e', 'r', 'r'),
  kClaimsPlace = FAULT('p', 'l', 'a', 'c'),
  kPullsRefused = FAULT('p', 'u', 's', 'h'),
  kHalves = FAULT('k', 'e', 'e', 'p'),
};

// A render quality that no host sets: the mark of a unit that a note came to.
enum { kHasNote = 0xFFFF };

static OSStatus wrongInitialize(void *self) {
  struct Unit *unit = self;
  switch (faultOf(self)) {
    case kForgetsAtInitialize: setParameter(self, 0, 0, 0, 7, 0); break;
    case kRefusesRate:
      if (unit->formats[1].mSampleRate > 90000) return kAudioUnitErr_FormatNotSupported;
      break;
    case kHangs:
      for (;;) pause();
    case kUnauthorized: return kAudioUnitErr_Unauthorized;
    case kClaimsChannels:
      if (unit->formats[0].mChannelsPerFrame == 3) return kAudioUnitErr_FormatNotSupported;
      break;
  }
  return initializeUnit(self);
}

static OSStatus wrongReset(void *self, AudioUnitScope scope, AudioUnitElement element) {
  if (faultOf(self) == kForgetsAtReset) setParameter(self, 0, 0, 0, 7, 0);
  askHost(self, false);
  return resetUnit(self, scope, element);
}

static bool lacks(OSType fault, AudioUnitPropertyID property) {
  return (fault == kNoClassInfo && property == kAudioUnitProperty_ClassInfo) ||
         (fault == kNoLastError && property == kAudioUnitProperty_LastRenderError) ||
         (fault == kNoPresentPreset && property == kAudioUnitProperty_PresentPreset) ||
         (fault == kNoCallback && property == kAudioUnitProperty_SetRenderCallback) ||
         (fault == kNoConnection && property == kAudioUnitProperty_MakeConnection);
}

static bool hasPresets(OSType fault) { return fault == kNamelessPreset || fault == kForgetsPreset; }

static OSStatus wrongInfo(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    UInt32 *size, Boolean *isWritable) {
  if (lacks(faultOf(self), property)) return kAudioUnitErr_InvalidProperty;
  const OSStatus ofHost = hostFaultInfo(self, property, size, isWritable);
  if (ofHost != kNotTouched) return ofHost;
  if (hasPresets(faultOf(self)) && property == kAudioUnitProperty_FactoryPresets && scope == 0) {
    if (size != NULL) *size = sizeof(CFArrayRef);
    if (isWritable != NULL) *isWritable = 0;
    return noErr;
  }
  const OSStatus status = getPropertyInfo(self, property, scope, element, size, isWritable);
  const bool hasTwo = faultOf(self) == kUnknownParameter || faultOf(self) == kHiddenMeta;
  if (property == kAudioUnitProperty_ParameterList && hasTwo && scope == 0 && size != NULL)
    *size = 2 * sizeof(AudioUnitParameterID);
  return status;
}

static OSStatus wrongGet(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    void *data, UInt32 *size) {
  static AUPreset preset;
  const OSType fault = faultOf(self);
  if (lacks(fault, property)) return kAudioUnitErr_InvalidProperty;
  const OSStatus ofHost = hostFaultGet(self, property, element, data, size);
  if (ofHost != kNotTouched) return ofHost;
  if (hasPresets(fault) && property == kAudioUnitProperty_FactoryPresets && scope == 0) {
    const void *list[] = {&preset};
    preset.presetName = fault == kNamelessPreset ? CFSTR("") : CFSTR("One");
    *(CFArrayRef *)data = CFArrayCreate(NULL, list, 1, NULL);
    return noErr;
  }
  const bool hasTwo = fault == kUnknownParameter || fault == kHiddenMeta;
  if (hasTwo && property == kAudioUnitProperty_ParameterList && scope == 0) {
    const AudioUnitParameterID ids[] = {0, fault == kHiddenMeta ? 1 : 77};
    memcpy(data, ids, sizeof ids);
    *size = sizeof ids;
    return noErr;
  }
  // The second parameter is the first by another name.
  if (fault == kHiddenMeta && property == kAudioUnitProperty_ParameterInfo && element == 1)
    element = 0;
  const OSStatus status = getProperty(self, property, scope, element, data, size);
  if (status != noErr || data == NULL) return status;
  if (property == kAudioUnitProperty_ParameterInfo) {
    AudioUnitParameterInfo *info = data;
    if (fault == kDefaultOutside) info->defaultValue = -5;
    if (fault == kNoRange) info->maxValue = info->minValue;
    if (fault == kNoName) info->name[0] = 0;
  }
  if (property == kAudioUnitProperty_ClassInfo && fault == kClassInfoOfAnother) {
    SInt32 number = 1;
    CFMutableDictionaryRef state = *(CFMutableDictionaryRef *)data;
    CFNumberRef other = CFNumberCreate(NULL, kCFNumberSInt32Type, &number);
    CFDictionarySetValue(state, CFSTR("manufacturer"), other);
    CFRelease(other);
  }
  if (property == kAudioUnitProperty_SupportedNumChannels && fault == kClaimsChannels)
    *(AUChannelInfo *)data = (AUChannelInfo){3, 3};
  if (property == kAudioUnitProperty_SupportedNumChannels && fault == kClaimsPair)
    *(AUChannelInfo *)data = (AUChannelInfo){1, 1};
  if (property == kAudioUnitProperty_PresentPreset && fault == kNamelessPreset)
    ((AUPreset *)data)->presetNumber = 0;
  return status;
}

static OSStatus wrongSet(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    const void *data, UInt32 size) {
  const OSType fault = faultOf(self);
  if (lacks(fault, property)) return kAudioUnitErr_InvalidProperty;
  const OSStatus ofHost = hostFaultSet(self, property, data, size);
  if (ofHost != kNotTouched) return ofHost;
  if (fault == kClassInfoForGood && property == kAudioUnitProperty_ClassInfo)
    return kAudioUnitErr_PropertyNotWritable;
  if (hasPresets(fault) && property == kAudioUnitProperty_PresentPreset) return noErr;
  return setProperty(self, property, scope, element, data, size);
}

// Asks the source for a frame more than there is room for.
static OSStatus askForMore(
    void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
  const struct Source *source = refCon;
  return source->callback.inputProc(
      source->callback.inputProcRefCon, flags, time, bus, frames + 1, list);
}

// Gives the output in other memory than it was made in.
static void moveAway(AudioBufferList *list, UInt32 frames) {
  static Float32 elsewhere[4096];
  memcpy(elsewhere, list->mBuffers[0].mData, frames * sizeof(Float32));
  list->mBuffers[0].mData = elsewhere;
}

static OSStatus wrongRender(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 element,
    UInt32 frames, AudioBufferList *list) {
  struct Unit *unit = self;
  const OSType fault = faultOf(self);
  if (fault == kRendersEarly && !unit->isInitialized) return noErr;
  if (fault == kClaimsPair && unit->formats[1].mChannelsPerFrame == 1) return -7531;
  if (fault == kRendersTooMany && frames > unit->maximumFrames) return noErr;
  if (fault == kPullsRefused && frames > unit->maximumFrames && unit->source != NULL)
    unit->source->callback.inputProc(
        unit->source->callback.inputProcRefCon, flags, time, 0, frames, list);
  askHost(self, true);
  if (fault == kPullsTooMany && unit->source != NULL) {
    struct Source before = *unit->source, between = before;
    between.callback = (AURenderCallbackStruct){askForMore, &before};
    struct Source *kept = unit->source;
    unit->source = &between;
    const OSStatus status = renderUnit(self, flags, time, element, frames, list);
    unit->source = kept;
    return status;
  }
  const OSStatus status = renderUnit(self, flags, time, element, frames, list);
  if (fault == kClaimsPlace && status == noErr) moveAway(list, frames);
  if (fault == kSwallowsErrors && status == -7531) return noErr;
  const bool isPlayed = fault == kNoteIsNaN && unit->renderQuality == kHasNote;
  if ((fault == kNotANumber || isPlayed) && status == noErr) ((Float32 *)list->mBuffers[0].mData)[3] = NAN;
  return status;
}

static OSStatus wrongSchedule(void *self, const AudioUnitParameterEvent *events, UInt32 count) {
  return faultOf(self) == kNoSchedule ? kAudioUnitErr_InvalidParameter
                                      : scheduleParameters(self, events, count);
}

static OSStatus wrongMIDI(void *self, UInt32 status, UInt32 one, UInt32 two, UInt32 offset) {
  (void)status, (void)one, (void)two, (void)offset;
  ((struct Unit *)self)->renderQuality = kHasNote;
  return faultOf(self) == kRefusesNotes ? -7531 : noErr;
}

static OSStatus wrongSysEx(void *self, const UInt8 *bytes, UInt32 count) {
  (void)self, (void)bytes, (void)count;
  return noErr;
}

static OSStatus wrongGetParameter(
    void *self, AudioUnitParameterID parameter, AudioUnitScope scope, AudioUnitElement element,
    AudioUnitParameterValue *value) {
  const bool isOther = faultOf(self) == kHiddenMeta && parameter == 1;
  return getParameter(self, isOther ? 0 : parameter, scope, element, value);
}

static OSStatus wrongSetParameter(
    void *self, AudioUnitParameterID parameter, AudioUnitScope scope, AudioUnitElement element,
    AudioUnitParameterValue value, UInt32 offset) {
  const bool isOther = faultOf(self) == kHiddenMeta && parameter == 1;
  const AudioUnitParameterValue kept = faultOf(self) == kHalves ? value / 2 : value;
  return setParameter(self, isOther ? 0 : parameter, scope, element, kept, offset);
}

static AudioComponentMethod lookUpWrong(SInt16 selector) {
  switch (selector) {
    case kAudioUnitInitializeSelect: return (AudioComponentMethod)wrongInitialize;
    case kAudioUnitResetSelect: return (AudioComponentMethod)wrongReset;
    case kAudioUnitGetParameterSelect: return (AudioComponentMethod)wrongGetParameter;
    case kAudioUnitSetParameterSelect: return (AudioComponentMethod)wrongSetParameter;
    case kAudioUnitGetPropertyInfoSelect: return (AudioComponentMethod)wrongInfo;
    case kAudioUnitGetPropertySelect: return (AudioComponentMethod)wrongGet;
    case kAudioUnitSetPropertySelect: return (AudioComponentMethod)wrongSet;
    case kAudioUnitRenderSelect: return (AudioComponentMethod)wrongRender;
    case kAudioUnitScheduleParametersSelect: return (AudioComponentMethod)wrongSchedule;
    default: return lookUpMethod(selector);
  }
}

static AudioComponentMethod lookUpWithNotes(SInt16 selector) {
  switch (selector) {
    case kMusicDeviceMIDIEventSelect: return (AudioComponentMethod)wrongMIDI;
    case kMusicDeviceSysExSelect: return (AudioComponentMethod)wrongSysEx;
    default: return lookUpWrong(selector);
  }
}

__attribute__((visibility("default"))) AudioComponentPlugInInterface *WrongUnitFactory(
    const AudioComponentDescription *description) {
  AudioComponentPlugInInterface *made = AuricleSampleDelayFactory(description);
  if (made == NULL || description == NULL) return made;
  const OSType fault = description->componentSubType;
  const bool takesNotes = fault == kTakesNotes || fault == kNoteIsNaN || fault == kRefusesNotes;
  made->Lookup = takesNotes ? lookUpWithNotes : lookUpWrong;
  if (description->componentSubType == kOtherRate)
    ((struct Unit *)made)->formats[0].mSampleRate = ((struct Unit *)made)->formats[1].mSampleRate =
        48000;
  return made;
}
