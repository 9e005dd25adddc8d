// The sample delay with one thing wrong in what its host gives it, or in what is shown of it.
// SPDX-License-Identifier: Apache-2.0

#include <CoreFoundation/CoreFoundation.h>
#include <string.h>

#include "WrongUnit.h"

enum {
  kIgnoresConnection = FAULT('c', 'o', 'n', 'n'),
  kStaysConnected = FAULT('d', 'i', 's', 'c'),
  kRefusesHost = FAULT('h', 'c', 'b', 'k'),
  kAsksAtReset = FAULT('h', 'o', 'u', 't'),
  kAsksForEver = FAULT('h', 'k', 'e', 'p'),
  kViewNowhere = FAULT('v', 'i', 'e', 'w'),
  kViewOfNoClass = FAULT('v', 'c', 'l', 's'),
  kIconNowhere = FAULT('i', 'c', 'o', 'n'),
  kReadsOther = FAULT('v', 's', 't', 'r'),
  kWritesNothing = FAULT('v', 'n', 'o', 'n'),
  kNamelessClump = FAULT('c', 'l', 'm', 'p'),
  kNeverOffline = FAULT('o', 'f', 'f', 'l'),
  kOtherName = FAULT('n', 'i', 'c', 'k'),
  kNamelessOutput = FAULT('m', 'i', 'd', 'o'),
  kCutMappings = FAULT('m', 'a', 'p', 's'),
  kNoTail = FAULT('t', 'a', 'i', 'l'),
  kDeniesMono = FAULT('m', 'o', 'n', 'o'),
  kOtherLayout = FAULT('l', 'a', 'y', 't'),
};

// What the host gave, for the fault at hand; each fault has one unit at a time.
static HostCallbackInfo given[2];

static HostCallbackInfo *givenTo(const void *self) { return &given[faultOf(self) == kAsksForEver]; }

void askHost(const void *self, bool isRendering) {
  if (faultOf(self) != (isRendering ? kAsksForEver : kAsksAtReset)) return;
  const HostCallbackInfo *host = givenTo(self);
  Float64 beat, tempo;
  if (host->beatAndTempoProc != NULL) host->beatAndTempoProc(host->hostUserData, &beat, &tempo);
}

OSStatus hostFaultInfo(
    void *self, AudioUnitPropertyID property, UInt32 *size, Boolean *isWritable) {
  UInt32 bytes = 0;
  switch (faultOf(self)) {
    case kViewNowhere:
      if (property == kAudioUnitProperty_CocoaUI) bytes = sizeof(AudioUnitCocoaViewInfo);
      break;
    case kViewOfNoClass:
      if (property == kAudioUnitProperty_CocoaUI) bytes = sizeof(CFURLRef);
      break;
    case kIconNowhere:
      if (property == kAudioUnitProperty_IconLocation) bytes = sizeof(CFURLRef);
      break;
    case kNamelessOutput:
      if (property == kAudioUnitProperty_MIDIOutputCallbackInfo) bytes = sizeof(CFArrayRef);
      break;
    case kCutMappings:
      if (property == kAudioUnitProperty_AllParameterMIDIMappings) bytes = 31;
      break;
    case kNoTail:
      if (property == kAudioUnitProperty_TailTime) return kAudioUnitErr_InvalidProperty;
      break;
  }
  if (bytes == 0) return kNotTouched;
  if (size != NULL) *size = bytes;
  if (isWritable != NULL) *isWritable = 0;
  return noErr;
}

// What is given instead of the unit's own answer, or of none.
static OSStatus replace(OSType fault, AudioUnitPropertyID property, void *data) {
  switch (fault) {
    case kViewNowhere:
      if (property != kAudioUnitProperty_CocoaUI) break;
      *(AudioUnitCocoaViewInfo *)data = (AudioUnitCocoaViewInfo){NULL, {CFSTR("View")}};
      return noErr;
    case kViewOfNoClass:
      if (property != kAudioUnitProperty_CocoaUI) break;
      *(CFURLRef *)data = CFURLCreateWithFileSystemPath(
          NULL, CFSTR("/"), kCFURLPOSIXPathStyle, true);
      return noErr;
    case kIconNowhere:
      if (property != kAudioUnitProperty_IconLocation) break;
      *(CFStringRef *)data = CFSTR("/icon.png");
      return noErr;
    case kNamelessOutput: {
      if (property != kAudioUnitProperty_MIDIOutputCallbackInfo) break;
      const void *names[] = {CFSTR("")};
      *(CFArrayRef *)data = CFArrayCreate(NULL, names, 1, &kCFTypeArrayCallBacks);
      return noErr;
    }
    case kOtherName:
      if (property != kAudioUnitProperty_NickName) break;
      *(CFStringRef *)data = CFSTR("another");
      return noErr;
    case kReadsOther:
      if (property != kAudioUnitProperty_ParameterValueFromString) break;
      ((AudioUnitParameterValueFromString *)data)->outValue = 7;
      return noErr;
    case kWritesNothing:
      if (property != kAudioUnitProperty_ParameterStringFromValue) break;
      ((AudioUnitParameterStringFromValue *)data)->outString = CFSTR("");
      return noErr;
    case kNoTail:
      if (property == kAudioUnitProperty_TailTime) return kAudioUnitErr_InvalidProperty;
      break;
  }
  return kNotTouched;
}

OSStatus hostFaultGet(
    void *self, AudioUnitPropertyID property, AudioUnitElement element, void *data, UInt32 *size) {
  const OSType fault = faultOf(self);
  if (data == NULL) return kNotTouched;
  const OSStatus replaced = replace(fault, property, data);
  if (replaced != kNotTouched) return replaced;
  OSStatus status = noErr;
  switch (property) {
    case kAudioUnitProperty_ParameterInfo:
      if (fault != kNamelessClump) return kNotTouched;
      status = getProperty(self, property, 0, element, data, size);
      ((AudioUnitParameterInfo *)data)->flags |= kAudioUnitParameterFlag_HasClump;
      ((AudioUnitParameterInfo *)data)->clumpID = 5;
      return status;
    case kAudioUnitProperty_OfflineRender:
      if (fault != kNeverOffline) return kNotTouched;
      *(UInt32 *)data = 0;
      return noErr;
    case kAudioUnitProperty_SupportedNumChannels:
      if (fault != kDeniesMono) return kNotTouched;
      *(AUChannelInfo *)data = (AUChannelInfo){2, 2};
      return noErr;
    case kAudioUnitProperty_AudioChannelLayout:
      if (fault != kOtherLayout) return kNotTouched;
      memset(data, 0, *size);
      *(AudioChannelLayoutTag *)data = kAudioChannelLayoutTag_Mono;
      return noErr;
    default: return kNotTouched;
  }
}

OSStatus hostFaultSet(
    void *self, AudioUnitPropertyID property, const void *data, UInt32 size) {
  const OSType fault = faultOf(self);
  if (property == kAudioUnitProperty_MakeConnection) {
    const bool isMade = ((const AudioUnitConnection *)data)->sourceAudioUnit != NULL;
    return fault == (isMade ? kIgnoresConnection : kStaysConnected) ? noErr : kNotTouched;
  }
  if (property != kAudioUnitProperty_HostCallbacks) return kNotTouched;
  if (fault == kRefusesHost) return kAudioUnitErr_PropertyNotWritable;
  const bool isKept = data == NULL && fault == kAsksForEver;
  if (!isKept) memset(givenTo(self), 0, sizeof(HostCallbackInfo));
  if (data != NULL) memcpy(givenTo(self), data, size);
  return kNotTouched;
}
