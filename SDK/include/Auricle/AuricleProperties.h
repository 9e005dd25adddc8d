// Properties of this project's own: messages between units and hosts beyond the interface.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AURICLEPROPERTIES_H
#define AURICLE_AURICLEPROPERTIES_H

#include "../AudioToolbox/AudioUnitProperties.h"
#include "AuricleSpeech.h"

// Scope; value; access. A unit without one of them answers kAudioUnitErr_InvalidProperty. Strings
// and arrays come with a reference to release.
AURICLE_ENUM(AudioUnitPropertyID) {
  // any (element = parameter ID); CFStringRef, the parameter's stable short name; read
  kAuricleProperty_ParameterSymbol = 64000,
  // any (element = parameter ID); array of AuricleValuePoint; read
  kAuricleProperty_ParameterValuePoints = 64001,
  // Global; CFStringRef, one sentence: why the last Initialize failed; read
  kAuricleProperty_FailureReason = 64002,
  // Global; CFStringRef, its name in the plug-in's own format (the URI of an LV2 plug-in); read
  kAuricleProperty_ComponentIdentifier = 64003,
  // Global; CFStringRef, the URI of a preset to load, one of the unit's or of a user's; write
  kAuricleProperty_PresetURI = 64004,
  // Global; CFArrayRef of CFStringRef, the URIs of the factory presets in their order; read
  kAuricleProperty_PresetURIs = 64005,
  // Global; UInt32, 0 while the latency cannot be known because nothing was rendered yet; read
  kAuricleProperty_LatencyIsKnown = 64006,
  // Global; UInt32, not 0: output that is infinite or no number is silenced, and rendering returns
  // kAuricleErr_NotFinite; read/write
  kAuricleProperty_NaNGuard = 64007,
  // any (element = parameter ID); UInt32, bits of kAuricleOpenEnd_: values beyond the range are accepted, which is
  // then a range to show; a parameter whose range is a limit has no such property; read
  kAuricleProperty_ParameterOpenEnds = 64008,
  // Global; CFStringRef, a line for each part that the unit left out when loading, such as regions of an
  // instrument; a unit that leaves nothing out has no such property, or an empty one; read
  kAuricleProperty_LoadNotes = 64009,
  // Global; const UInt32 *, NULL to end it. While the number there is not 0, the host keeps denormals
  // off on the render thread, and restores the control word after callbacks and units. The unit
  // need not check it then; the number lives as long as the unit has it; write
  kAuricleProperty_DenormalsAreOff = 64040,
  // Global; AuricleDirectRender; read
  kAuricleProperty_DirectRender = 64041,
  // Global; UInt32, 1: the unit should be rendered in slices of one length, since it is harmed by others;
  // a unit that does not mind has no such property; read
  kAuricleProperty_WantsWholeSlices = 64042,
  // Global; UInt32, 1: least and greatest values of parameters go with the sample rate; a unit whose
  // ranges are fixed has no such property; read
  kAuricleProperty_RangesFollowSampleRate = 64043,
  // Global; CFDictionaryRef, the unit's entry of AudioComponents in an Info.plist as its source declares
  // it, but for factoryFunction; and CFBundleShortVersionString, which belongs above that list; read
  kAuricleProperty_ComponentEntry = 64050,
  // Global; UInt32, the kAuricleContractVersion that the unit was built with; a unit that needs nothing
  // but Core Audio's interface has no such property; read
  kAuricleProperty_ContractVersion = 64051,
  // Global; CFDictionaryRef of CFStringRef by symbol, settings that are no parameters (read); by symbol or
  // URI, those to set (write); a unit without any has no such property
  kAuricleProperty_TextProperties = 64030,
  // Global; CFArrayRef of CFDictionaryRef with the strings uri, symbol, name, type and access (write or
  // read). Types: string, path, uri; number and integer, with minimum, maximum and unit (the number of an
  // AudioUnitParameterUnit); choice, with the names of 0, 1 and so on as lines of values; switch (0 or 1).
  // The last four have a default too, and values that are decimal numbers; read
  kAuricleProperty_TextPropertyList = 64031,
  // Global; CFDictionaryRef with the strings folder, file, label and perhaps uri and bank. Writes the present
  // state, with the files it needs, into an existing folder. The preset is of the plug-in's own format, which
  // other hosts read; write
  kAuricleProperty_SavePreset = 64032,
  // Global; UInt32, 1 if the plug-in has a user interface, which is not shown; read
  kAuricleProperty_HasUserInterface = 64033,
  // Global; CFDictionaryRef of CFStringRef by URI, options that the plug-in accepts while it lives
  // (numbers are written as text); read and write
  kAuricleProperty_Options = 64034,
  // Global; UInt32, how the unit's filters are made of analogue ones, 0: by the bilinear transform, as in the
  // Audio EQ Cookbook, 1: matched to the analogue response; a unit whose filters have one design only has no
  // such property; read/write
  kAuricleProperty_FilterDesign = 64060,
  // Global; UInt32, 1: a limiter keeps true peaks below full scale, 0: samples; read/write
  kAuricleProperty_TruePeak = 64061,
  // Global; Float64, seconds that a dynamics processor looks ahead, which are its latency; read/write
  kAuricleProperty_LookAhead = 64062,
  // Global; array of Float32, a meter's spectrum: decibels of full scale from 0 Hz to half the sample
  // rate; read
  kAuricleProperty_Spectrum = 64063,
  // Global; CFArrayRef of CFDictionaryRef with the strings identifier, name, language, languages (all, with spaces
  // between), gender (male, female or none), creator and number (of its VoiceSpec, decimal): the voices of a unit
  // that speaks; read
  kAuricleProperty_SpeechVoices = 64070,
  // Global; Float64, seconds of a speaking unit's speech, with its text and parameters as they are; read
  kAuricleProperty_SpeechDuration = 64071,
  // Global; AuricleSpeechPassage with their texts, one behind the other: the next speech of a speaking unit, in
  // place of the present one; write
  kAuricleProperty_SpeechPassages = 64072,
  // Global; array of AuricleSpeechMark in the order of time, of the speech; read
  kAuricleProperty_SpeechMarks = 64073,
  // Global; AuricleSpeechClock, of the speech; read
  kAuricleProperty_SpeechClock = 64074,
  // Global; AuricleSpeechLimits, of the speech; read/write
  kAuricleProperty_SpeechLimits = 64075,
  // Global; CFStringRef, the speech as phonemes of Apple's alphabet, with spaces between words; read
  kAuricleProperty_SpeechPhonemes = 64076,
  // Global; CFStringRef, the program that speaks, and its version; read
  kAuricleProperty_SpeechSynthesizer = 64077,
};

// The version of this folder's additions to Core Audio's interface, 0xMMMMmmmm. A host opens units of the same
// major version and of older ones; the minor version counts additions, which harm nobody.
AURICLE_ENUM(UInt32) {
  kAuricleContractVersion = 0x00010000,
};

AURICLE_ENUM(UInt32) {
  kAuricleOpenEnd_Below = 1,  // values below the minimum are accepted
  kAuricleOpenEnd_Above = 2,  // values above the maximum are accepted
};

AURICLE_ENUM(OSStatus) {
  kAuricleErr_NotFinite = 0x6e616e21,  // 'nan!': the unit made samples that are no finite numbers
  kAuricleErr_NotDirect = 0x64697221,  // 'dir!': this slice has to be rendered through Render
  // 'bin!', from Initialize: the plug-in's binary is missing, cannot be loaded, or does not hold it
  kAuricleErr_BinaryCannotLoad = 0x62696e21,
};

// Direct rendering, for a host that is itself the source of input bus 0. It has a slice of output bus
// 0 made of samples that it has already, without lists and without a call for them. A unit does so
// only while it is the same as Render: the buses are planar float, nobody watches, nothing is
// scheduled, and the host keeps denormals off (kAuricleProperty_DenormalsAreOff). `inputs` and
// `outputs` point at an array of Float32 *, one a channel; for a unit that works in place both are one
// array.
typedef struct AuricleDirectRender {
  void *unit;          // the argument of the functions that render
  const void *memory;  // further memory that they use, for callers that fetch it early
  void *owner;         // the argument of `stand`
  // Makes the caller act for the present source of input bus 0, until the bus has another. Not from
  // a render thread.
  void (*stand)(void *owner);
  // Renders, or answers kAuricleErr_NotDirect and has done nothing.
  OSStatus (*render)(
      void *unit, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 frameCount,
      void *inputs, void *outputs);
  // Does the same in two parts for a caller that fetches the samples in between: 0 begins, and `end`
  // must follow, with the status of the fetching and with flags for silence.
  OSStatus (*begin)(void *unit, const AudioTimeStamp *stamp, UInt32 frameCount);
  OSStatus (*end)(
      void *unit, OSStatus inputStatus, AudioUnitRenderActionFlags *flags,
      const AudioTimeStamp *stamp, UInt32 frameCount, void *inputs, void *outputs);
} AuricleDirectRender;

// A value with a name.
typedef struct AuricleValuePoint {
  Float32 value;
  CFStringRef name;
} AuricleValuePoint;

#endif
