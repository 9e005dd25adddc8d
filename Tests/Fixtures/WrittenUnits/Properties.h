// The numbers of properties, and the facts of each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Unit.h"

enum {
  kClassInfo = 0, kMakeConnection = 1, kSampleRate = 2, kParameterList = 3, kParameterInfo = 4,
  kStreamFormat = 8, kElementCount = 11, kLatency = 12, kSupportedChannels = 13,
  kMaximumFrames = 14, kTailTime = 20, kBypass = 21, kLastError = 22, kRenderCallback = 23,
  kContextName = 25, kElementName = 30, kPresentPreset = 36, kOfflineRender = 37,
  kMIDIOutput = 48, kSupportsMPE = 58, kUnitProtocol = 64, kHostProtocol = 65,
  kMIDIBufferSize = 66, kInstruments = 1000, kTakesNotes = 1014, kSoundBank = 1100,
  kIsRunning = 2001, kLoadFiles = 4101, kLoadInstrument = 4102,
};
enum { kReadable = 1, kWritable = 2 };

// The facts of a property; its scopes as bits, its units as bits too.
typedef struct { uint32_t id, size, scopes, access, units; } Fact;

// The code for a property that is not there, or its facts.
Status findProperty(
    const Unit *, uint32_t id, uint32_t scope, uint32_t element, const Fact **found);
