// The device of a UID, and the one that plays where none is chosen.
// SPDX-License-Identifier: Apache-2.0
#ifndef NAMED_DEVICE_H
#define NAMED_DEVICE_H

#include <CoreAudio/CoreAudio.h>
#include <stdio.h>
#include <stdlib.h>

#include "Check.h"

static inline AudioObjectID deviceNamed(const char *name) {
  CFStringRef uid = CFStringCreateWithCString(NULL, name, kCFStringEncodingUTF8);
  AudioObjectPropertyAddress address = {
      kAudioHardwarePropertyTranslateUIDToDevice, kAudioObjectPropertyScopeGlobal, 0};
  AudioObjectID device = 0;
  UInt32 size = sizeof device;
  CHECK(AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, sizeof uid, &uid, &size, &device));
  CFRelease(uid);
  return device;
}

static inline AudioObjectID defaultOutput(void) {
  AudioObjectPropertyAddress address = {
      kAudioHardwarePropertyDefaultOutputDevice, kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyElementMain};
  AudioObjectID device = kAudioObjectUnknown;
  UInt32 size = sizeof device;
  CHECK(AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, &size, &device));
  return device;
}

#endif
