// Properties of this project's own: what LV2 units and their hosts tell beyond the interface.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AURICLEPROPERTIES_H
#define AURICLE_AURICLEPROPERTIES_H

#include "../AudioToolbox/AudioUnitProperties.h"

// Scope; value; access. A unit without one of them answers kAudioUnitErr_InvalidProperty. Strings
// and arrays come with a reference to release.
AURICLE_ENUM(AudioUnitPropertyID) {
  // any (element = parameter ID); CFStringRef, the parameter's stable short name; read
  kAuricleProperty_ParameterSymbol = 64000,
  // any (element = parameter ID); array of AuricleValuePoint; read
  kAuricleProperty_ParameterValuePoints = 64001,
  // Global; CFStringRef, one sentence: why the last Initialize failed; read
  kAuricleProperty_FailureReason = 64002,
  // Global; CFStringRef; read
  kAuricleProperty_LV2URI = 64003,
  // Global; CFStringRef, the URI of an LV2 preset to load; write
  kAuricleProperty_LV2PresetURI = 64004,
  // Global; CFArrayRef of CFStringRef, the URIs of the factory presets in their order; read
  kAuricleProperty_PresetURIs = 64005,
  // Global; UInt32, 0 while the latency cannot be known because nothing was rendered yet; read
  kAuricleProperty_LatencyIsKnown = 64006,
};

// A value with a name.
typedef struct AuricleValuePoint {
  Float32 value;
  CFStringRef name;
} AuricleValuePoint;

#endif
