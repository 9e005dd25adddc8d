// A unit as an adapter of another format uses it: its identity, values, sound and state.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <AudioToolbox/AudioToolbox.h>
#include <Auricle/AuricleInstance.h>
#include <Auricle/AuricleProperties.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { kMaximumBuses = 64, kMaximumChannels = 64, kSliceEvents = 4096, kTextSize = 256, kPieceFrames = 4096 };

// ---- The bundle.

// A unit that a bundle holds, as its list of contents declares it.
struct Entry {
  AudioComponentDescription description;
  UInt32 version;
  char identity[16];  // aufx:wtrm:Demo
  char name[kTextSize], maker[kTextSize], title[kTextSize], summary[1024], tags[1024];
  char binary[1024], factory[kTextSize];  // the binary relative to the bundle
  UInt32 stageCount;                      // of a chain; 0 for a unit
  struct Stage *stages;
};

struct Stage;
struct Chain;

struct Bundle {
  char folder[4096], base[1024];  // the base library, relative to the folder
  UInt32 count;
  struct Entry *entries;
  char problem[kTextSize];  // empty for a sound one
};

// The bundle that this library lies in; read once. Context: control.
const struct Bundle *adapterBundle(void);

// Core Foundation as the binary of a unit sees it.
struct Foundation {
#define CF_FUNCTION(result, name, ...) result (*name)(__VA_ARGS__)
  CF_FUNCTION(CFTypeRef, CFRetain, CFTypeRef);
  CF_FUNCTION(void, CFRelease, CFTypeRef);
  CF_FUNCTION(CFTypeID, CFGetTypeID, CFTypeRef);
  CF_FUNCTION(CFTypeID, CFStringGetTypeID, void);
  CF_FUNCTION(CFTypeID, CFNumberGetTypeID, void);
  CF_FUNCTION(CFTypeID, CFBooleanGetTypeID, void);
  CF_FUNCTION(CFTypeID, CFDataGetTypeID, void);
  CF_FUNCTION(CFTypeID, CFArrayGetTypeID, void);
  CF_FUNCTION(CFTypeID, CFDictionaryGetTypeID, void);
  CF_FUNCTION(CFStringRef, CFStringCreateWithBytes, CFAllocatorRef, const UInt8 *, CFIndex, CFStringEncoding, Boolean);
  CF_FUNCTION(CFIndex, CFStringGetLength, CFStringRef);
  CF_FUNCTION(CFIndex, CFStringGetBytes, CFStringRef, CFRange, CFStringEncoding, UInt8, Boolean, UInt8 *, CFIndex, CFIndex *);
  CF_FUNCTION(CFNumberRef, CFNumberCreate, CFAllocatorRef, CFNumberType, const void *);
  CF_FUNCTION(Boolean, CFNumberIsFloatType, CFNumberRef);
  CF_FUNCTION(Boolean, CFNumberGetValue, CFNumberRef, CFNumberType, void *);
  CF_FUNCTION(Boolean, CFBooleanGetValue, CFBooleanRef);
  CF_FUNCTION(CFDataRef, CFDataCreate, CFAllocatorRef, const UInt8 *, CFIndex);
  CF_FUNCTION(CFIndex, CFDataGetLength, CFDataRef);
  CF_FUNCTION(const UInt8 *, CFDataGetBytePtr, CFDataRef);
  CF_FUNCTION(CFMutableArrayRef, CFArrayCreateMutable, CFAllocatorRef, CFIndex, const CFArrayCallBacks *);
  CF_FUNCTION(void, CFArrayAppendValue, CFMutableArrayRef, const void *);
  CF_FUNCTION(CFIndex, CFArrayGetCount, CFArrayRef);
  CF_FUNCTION(const void *, CFArrayGetValueAtIndex, CFArrayRef, CFIndex);
  CF_FUNCTION(
      CFMutableDictionaryRef, CFDictionaryCreateMutable, CFAllocatorRef, CFIndex, const CFDictionaryKeyCallBacks *,
      const CFDictionaryValueCallBacks *);
  CF_FUNCTION(void, CFDictionarySetValue, CFMutableDictionaryRef, const void *, const void *);
  CF_FUNCTION(CFIndex, CFDictionaryGetCount, CFDictionaryRef);
  CF_FUNCTION(void, CFDictionaryGetKeysAndValues, CFDictionaryRef, const void **, const void **);
#undef CF_FUNCTION
  const CFArrayCallBacks *kCFTypeArrayCallBacks;
  const CFDictionaryKeyCallBacks *kCFTypeDictionaryKeyCallBacks;
  const CFDictionaryValueCallBacks *kCFTypeDictionaryValueCallBacks;
  const CFBooleanRef *kCFBooleanTrue, *kCFBooleanFalse;
};

// Opens the binary of an entry, which stays open, and finds Core Foundation. False with the reason. Context: control.
bool openBinary(
    const struct Bundle *bundle, const struct Entry *entry, AudioComponentFactoryFunction *factory,
    const struct Foundation **foundation, char *reason, size_t size);

// ---- The identity of a unit.

struct Point {
  Float32 value;
  char *name;
};

struct Parameter {
  AudioUnitScope scope;
  AudioUnitElement element;
  AudioUnitParameterID id;
  UInt32 key;  // below 2^31, the same for ever: its number in formats that have numbers
  char name[kTextSize], symbol[64], group[kTextSize], unitName[64];
  AudioUnitParameterUnit unit;
  UInt32 flags;
  Float32 minimum, maximum, initial;
  UInt32 pointCount;
  struct Point *points;  // by value
  bool isMeter, isStepped, isSwitch, isLogarithmic, isHidden, isAutomatable, isMeta;
};

struct Bus {
  char name[kTextSize];
  UInt32 channels;
  bool isSideChain;
};

struct Preset {
  SInt32 number;
  char *name;
};

// The host's position in a song. Context: render.
struct Transport {
  bool isValid, isPlaying, isRecording, isCycling, hasChanged;
  double sample, beat, tempo, barBeat, cycleStart, cycleEnd;
  double numerator;
  UInt32 denominator;
};

// A message of MIDI that a unit sent; of longer ones the bytes are the unit's until the next slice.
struct SentMessage {
  UInt32 frame, count, output;
  UInt8 bytes[3];
  const UInt8 *exclusive;  // null for short ones
};

struct Unit {
  const struct Entry *entry;
  struct Chain *chain;  // null for a unit of one binary
  const struct Foundation *cf;
  struct OpaqueAudioComponent component;
  struct ComponentInstanceRecord record;
  AudioComponentPlugInInterface *plugIn;

  UInt32 parameterCount, presetCount, busCounts[2];  // inputs, outputs
  struct Parameter *parameters;
  struct Preset *presets;
  struct Bus buses[2][kMaximumBuses];
  bool takesMIDI, sendsMIDI, canBypass, schedules, isInstrument;

  // State of a started unit.
  bool isStarted;
  double sampleRate;
  UInt32 maximumFrames;
  _Atomic(UInt32) latencyFrames;
  atomic_bool hasNewLatency;  // whether the unit reported one since it was read last

  // State of the render thread.
  double sampleTime;
  UInt32 sliceFrames;
  Float32 *scratch;  // the input of a slice, channel after channel; then silence, and room for outputs that nobody reads
  bool isFed[kMaximumBuses];  // whether the unit pulls an input; a side chain once it was not silent
  const Float32 *const *inputs[kMaximumBuses];
  const Float32 *inputChannels[kMaximumBuses][kMaximumChannels];
  UInt32 inputOffset;  // of the piece that is rendered
  UInt32 eventCount, dueCount;
  AudioUnitParameterEvent events[kSliceEvents];
  struct Transport transport;
  UInt32 sentCount;
  struct SentMessage sent[kSliceEvents];
  OSStatus lastStatus;
  struct {
    UInt32 mNumberBuffers;
    AudioBuffer mBuffers[kMaximumChannels];
  } list;
};

// Makes a unit; null with the reason. Context: control.
struct Unit *makeUnit(const struct Bundle *bundle, const struct Entry *entry, char *reason, size_t size);
void freeUnit(struct Unit *unit);

// Sets the channels of all buses; false where the unit has not that arrangement. Context: control, not started.
bool arrangeUnit(struct Unit *unit, const UInt32 *inputs, const UInt32 *outputs);
// Whether the unit has an arrangement of its first buses.
bool supportsChannels(struct Unit *unit, UInt32 inputs, UInt32 outputs);

bool startUnit(struct Unit *unit, double sampleRate, UInt32 maximumFrames, bool isOffline);
void stopUnit(struct Unit *unit);
void resetUnit(struct Unit *unit);

UInt32 readLatency(struct Unit *unit);              // frames; also kept in `latencyFrames`
bool hasNewLatency(struct Unit *unit);              // whether it is to be read anew. Context: any
double readTail(struct Unit *unit, bool *isKnown);  // seconds; infinite for one without an end

bool isBypassed(struct Unit *unit);
void bypassUnit(struct Unit *unit, bool isOn);

// ---- Values. Context: any.

Float32 readValue(struct Unit *unit, UInt32 index);
void setValue(struct Unit *unit, UInt32 index, Float32 value);
Float32 boundedValue(const struct Parameter *parameter, double value);
// The place of a parameter by its key; -1 for none.
SInt32 placeOfKey(const struct Unit *unit, UInt32 key);

// Texts as the unit writes them. Context: control.
void textOfValue(struct Unit *unit, UInt32 index, Float32 value, char *text, size_t size);
bool valueOfText(struct Unit *unit, UInt32 index, const char *text, Float32 *value);

bool choosePreset(struct Unit *unit, SInt32 number);

// The state as a property list in XML, the bytes of an .aupreset; to be freed. Context: control.
char *saveState(struct Unit *unit, size_t *length);
// Restores a property list, in XML or binary; false with nothing changed where the unit refuses it.
bool restoreState(struct Unit *unit, const char *bytes, size_t length);
// Whether its state has more than the values of parameters.
bool hasOwnState(struct Unit *unit);

// ---- Rendering. Context: render.

// A change within the slice that is rendered next, which the unit follows at once (values that are set glide), and a line
// from one value to another.
void changeValue(struct Unit *unit, UInt32 index, UInt32 frame, Float32 value);
void rampValue(struct Unit *unit, UInt32 index, UInt32 frame, UInt32 duration, Float32 from, Float32 to);
void sendMessage(struct Unit *unit, UInt32 frame, const UInt8 *bytes, UInt32 count);

// Renders a slice of any length: planar channels by bus, null for a bus that is not connected. False for an error of
// the unit; then the output is silence.
bool renderUnit(struct Unit *unit, UInt32 frames, const Float32 *const *const *inputs, Float32 *const *const *outputs);

// ---- Descriptions for hosts that read files.

// Receives a file of a description.
typedef void (*EmitFile)(void *context, const char *name, const char *bytes, size_t length);
