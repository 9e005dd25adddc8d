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
  // Global; UInt32, not 0: output that is infinite or no number is silenced, and rendering returns
  // kAuricleErr_NotFinite; read/write
  kAuricleProperty_NaNGuard = 64007,
  // Global; const UInt32 *, NULL to end it: while the number there is not 0, the host keeps denormals
  // off on the thread that renders, and puts right what callbacks and units did to the control word,
  // so that the unit need not look; the number lives as long as the unit has it; write
  kAuricleProperty_DenormalsAreOff = 64040,
  // Global; CFDictionaryRef of CFStringRef by symbol, texts and paths that messages set (read); by
  // symbol or URI, those to set (write); a unit without any has no such property
  kAuricleProperty_LV2TextProperties = 64030,
  // Global; CFArrayRef of CFDictionaryRef with the strings uri, symbol, name, type (string, path or
  // uri) and access (write or read); read
  kAuricleProperty_LV2TextPropertyList = 64031,
  // Global; CFDictionaryRef with the strings folder, file, label and perhaps uri: writes the present
  // state as an LV2 preset into a folder that is there, with the files it needs; write
  kAuricleProperty_LV2SavePreset = 64032,
  // Global; UInt32, 1 if the plug-in has a user interface, which is not shown; read
  kAuricleProperty_LV2HasUserInterface = 64033,
  // Global; CFDictionaryRef of CFStringRef by URI, options the plug-in can be told while it lives
  // (numbers are written as text); read and write
  kAuricleProperty_LV2Options = 64034,
};

AURICLE_ENUM(OSStatus) {
  kAuricleErr_NotFinite = 0x6e616e21,  // 'nan!': the unit made samples that are no finite numbers
};

// A value with a name.
typedef struct AuricleValuePoint {
  Float32 value;
  CFStringRef name;
} AuricleValuePoint;

#endif
