// The device of a UID.
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

#endif
