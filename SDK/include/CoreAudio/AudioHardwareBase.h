// Names of audio objects (devices, streams) and of their properties.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOHARDWAREBASE_H
#define AURICLE_AUDIOHARDWAREBASE_H

#include "../CoreFoundation/CFRunLoop.h"
#include "CoreAudioTypes.h"

typedef UInt32 AudioObjectID;
typedef UInt32 AudioClassID;
typedef UInt32 AudioObjectPropertySelector;
typedef UInt32 AudioObjectPropertyScope;
typedef UInt32 AudioObjectPropertyElement;
typedef AudioObjectID AudioDeviceID;

// Which property of an object: what, on which side, of which channel.
typedef struct AudioObjectPropertyAddress {
  AudioObjectPropertySelector mSelector;
  AudioObjectPropertyScope mScope;
  AudioObjectPropertyElement mElement;
} AudioObjectPropertyAddress;

AURICLE_ENUM(AudioObjectID) {
  kAudioObjectUnknown = 0,
  kAudioObjectSystemObject = 1,
};

AURICLE_ENUM(AudioObjectPropertyScope) {
  kAudioObjectPropertyScopeGlobal = 0x676c6f62,  // 'glob'
};

AURICLE_ENUM(AudioObjectPropertyElement) {
  kAudioObjectPropertyElementMain = 0,
  kAudioObjectPropertyElementMaster = 0,  // older name
};

#endif
