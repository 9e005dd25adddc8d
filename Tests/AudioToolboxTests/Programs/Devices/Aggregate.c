// Makes an aggregate of the default device by the function and by the plug-in; reads its properties, plays, and destroys it.
// SPDX-License-Identifier: Apache-2.0
//
// usage: Aggregate FRAMES
#include <CoreAudio/CoreAudio.h>
#include <CoreFoundation/CoreFoundation.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../Await.h"
#include "Check.h"

static _Atomic long played;

static AudioObjectPropertyAddress address(UInt32 selector) {
  return (AudioObjectPropertyAddress){selector, kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyElementMaster};
}

static void get(AudioObjectID object, UInt32 selector, void *value, UInt32 size) {
  AudioObjectPropertyAddress place = address(selector);
  CHECK(AudioObjectGetPropertyData(object, &place, 0, NULL, &size, value));
}

static UInt32 word(AudioObjectID object, UInt32 selector) {
  UInt32 value = 0;
  get(object, selector, &value, sizeof value);
  return value;
}

static OSStatus count(AudioObjectID device, const AudioTimeStamp *now, const AudioBufferList *input,
    const AudioTimeStamp *inputTime, AudioBufferList *output, const AudioTimeStamp *outputTime, void *data) {
  (void)device, (void)now, (void)input, (void)inputTime, (void)outputTime, (void)data;
  AudioBuffer *buffer = &output->mBuffers[0];
  float *samples = buffer->mData;
  UInt32 frames = buffer->mDataByteSize / 4 / buffer->mNumberChannels;
  for (UInt32 frame = 0; frame < frames; frame++) {
    long number = atomic_fetch_add(&played, 1) + 1;
    for (UInt32 channel = 0; channel < buffer->mNumberChannels; channel++) *samples++ = (float)number / (1 << 20);
  }
  post();
  return noErr;
}

static CFDictionaryRef describe(CFStringRef device, Boolean withDevice) {
  CFMutableDictionaryRef made = CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
  CFDictionarySetValue(made, CFSTR(kAudioAggregateDeviceUIDKey), CFSTR("two in one"));
  CFDictionarySetValue(made, CFSTR(kAudioAggregateDeviceNameKey), CFSTR("Two in One"));
  CFDictionarySetValue(made, CFSTR(kAudioAggregateDeviceIsPrivateKey), kCFBooleanTrue);
  if (withDevice) {
    CFMutableDictionaryRef part = CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    CFDictionarySetValue(part, CFSTR(kAudioSubDeviceUIDKey), device);
    CFDictionarySetValue(part, CFSTR(kAudioSubDeviceDriftCompensationKey), kCFBooleanTrue);
    CFArrayRef list = CFArrayCreate(NULL, (const void **)&part, 1, &kCFTypeArrayCallBacks);
    CFDictionarySetValue(made, CFSTR(kAudioAggregateDeviceSubDeviceListKey), list);
    CFDictionarySetValue(made, CFSTR(kAudioAggregateDeviceMainSubDeviceKey), device);
    CFRelease(list);
    CFRelease(part);
  }
  return made;
}

static void ask(AudioObjectID made, AudioObjectID device, CFStringRef uid) {
  CFArrayRef list = NULL;
  CFStringRef main = NULL;
  CFDictionaryRef composition = NULL;
  get(made, kAudioAggregateDevicePropertyFullSubDeviceList, &list, sizeof list);
  get(made, kAudioAggregateDevicePropertyMainSubDevice, &main, sizeof main);
  get(made, kAudioAggregateDevicePropertyComposition, &composition, sizeof composition);
  CFArrayRef parts = CFDictionaryGetValue(composition, CFSTR(kAudioAggregateDeviceSubDeviceListKey));
  printf("class %d, transport %d, list %d, main %d, active %d, composition %d\n",
      word(made, kAudioObjectPropertyClass) == kAudioAggregateDeviceClassID,
      word(made, kAudioDevicePropertyTransportType) == kAudioDeviceTransportTypeAggregate,
      CFArrayGetCount(list) == 1 && CFEqual(CFArrayGetValueAtIndex(list, 0), uid), CFEqual(main, uid),
      word(made, kAudioAggregateDevicePropertyActiveSubDeviceList) == device, parts != NULL && CFArrayGetCount(parts) == 1);
  CFRelease(list);
  CFRelease(main);
  CFRelease(composition);
  // The parts, as programs find them to switch the drift compensation.
  AudioObjectPropertyAddress owned = address(kAudioObjectPropertyOwnedObjects);
  AudioClassID wanted = kAudioSubDeviceClassID;
  AudioObjectID part = 0;
  UInt32 size = sizeof part, off = 0;
  CHECK(AudioObjectGetPropertyData(made, &owned, sizeof wanted, &wanted, &size, &part));
  UInt32 before = word(part, kAudioSubDevicePropertyDriftCompensation);
  AudioObjectPropertyAddress drift = address(kAudioSubDevicePropertyDriftCompensation);
  CHECK(AudioObjectSetPropertyData(part, &drift, 0, NULL, sizeof off, &off));
  printf("part %d, drift %u %u, quality %u\n", word(part, kAudioObjectPropertyClass) == kAudioSubDeviceClassID, before,
      word(part, kAudioSubDevicePropertyDriftCompensation), word(part, kAudioSubDevicePropertyDriftCompensationQuality));
}

int main(int argc, char **argv) {
  if (argc < 2) return 64;
  AudioObjectID device = word(kAudioObjectSystemObject, kAudioHardwarePropertyDefaultOutputDevice), made = 0;
  CFStringRef uid = NULL;
  get(device, kAudioDevicePropertyDeviceUID, &uid, sizeof uid);
  CFDictionaryRef description = describe(uid, true);
  CHECK(AudioHardwareCreateAggregateDevice(description, &made));
  AudioObjectID again = 0;
  printf("twice %d\n", AudioHardwareCreateAggregateDevice(description, &again) == kAudioHardwareIllegalOperationError);
  ask(made, device, uid);
  AudioDeviceIOProcID token;
  CHECK(AudioDeviceCreateIOProcID(made, count, NULL, &token));
  // In two parts: the second goes behind the first.
  for (long part = 1; part <= 2; part++) {
    CHECK(AudioDeviceStart(made, token));
    AWAIT(atomic_load(&played) >= part * atol(argv[1]) / 2);
    CHECK(AudioDeviceStop(made, token));
  }
  CHECK(AudioDeviceDestroyIOProcID(made, token));
  CHECK(AudioHardwareDestroyAggregateDevice(made));
  printf("gone %d, none %d\n", AudioHardwareDestroyAggregateDevice(made) == kAudioHardwareBadDeviceError,
      AudioHardwareDestroyAggregateDevice(device) == kAudioHardwareBadDeviceError);
  // The plug-in: an empty device that gets its list afterwards.
  CFStringRef name = CFSTR("com.apple.audio.CoreAudio");
  AudioObjectID plugIn = 0;
  AudioValueTranslation translation = {&name, sizeof name, &plugIn, sizeof plugIn};
  get(kAudioObjectSystemObject, kAudioHardwarePropertyPlugInForBundleID, &translation, sizeof translation);
  CFDictionaryRef empty = describe(uid, false);
  AudioObjectPropertyAddress create = address(kAudioPlugInCreateAggregateDevice);
  UInt32 size = 0;
  CHECK(AudioObjectGetPropertyDataSize(plugIn, &create, sizeof empty, &empty, &size));
  CHECK(AudioObjectGetPropertyData(plugIn, &create, sizeof empty, &empty, &size, &made));
  CFArrayRef list = CFArrayCreate(NULL, (const void **)&uid, 1, &kCFTypeArrayCallBacks);
  AudioObjectPropertyAddress full = address(kAudioAggregateDevicePropertyFullSubDeviceList);
  CHECK(AudioObjectSetPropertyData(made, &full, 0, NULL, sizeof list, &list));
  AudioObjectPropertyAddress clock = address(kAudioAggregateDevicePropertyMainSubDevice);
  CHECK(AudioObjectSetPropertyData(made, &clock, 0, NULL, sizeof uid, &uid));
  ask(made, device, uid);
  AudioObjectPropertyAddress destroy = address(kAudioPlugInDestroyAggregateDevice);
  size = sizeof made;
  CHECK(AudioObjectGetPropertyData(plugIn, &destroy, 0, NULL, &size, &made));
  printf("gone %d\n", AudioHardwareDestroyAggregateDevice(made) == kAudioHardwareBadDeviceError);
  CFRelease(list);
  CFRelease(description);
  CFRelease(empty);
  CFRelease(uid);
  return 0;
}
