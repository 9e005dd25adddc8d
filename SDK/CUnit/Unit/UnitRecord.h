// The state of one unit, and what the parts of the helper share; all of it is one translation unit.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_UNIT_RECORD_H
#define AURICLE_UNIT_RECORD_H

#include <Auricle/AuricleInstance.h>
#include <Auricle/AuricleProperties.h>
#include <Auricle/AuricleUnit.h>
#include <CoreFoundation/CoreFoundation.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "FloatControl.h"
#include "Samples.h"

enum {
  kMaximumChannels = 1024,
  kMaximumEvents = 4096,
  kMaximumListeners = 32,
  kMaximumMessages = 1024  // a power of two
};

// Where the input comes from; immutable once the render thread may see it.
struct Source {
  struct Source *retired;  // next of the sources waiting to be freed
  struct AURenderCallbackStruct callback;
  AudioUnit unit;
  UInt32 unitOutput;
};

// Changed by control threads, read by all: the procedure is set last and taken away first.
struct Listener {
  _Atomic(AudioUnitPropertyID) property;
  _Atomic(AudioUnitPropertyListenerProc) procedure;  // NULL: a free place
  _Atomic(void *) refCon;
};

// An observer of renders; immutable once the render thread may see it.
struct Notify {
  struct Notify *retired;  // next of the observers waiting to be freed
  AURenderCallback procedure;
  void *refCon;
};

// Who is told which input the output was made of; immutable like an observer.
struct SamplesListener {
  struct SamplesListener *retired;
  AUInputSamplesInOutputCallbackStruct callback;
};

// A parameter change within the next slice.
struct Event {
  UInt32 index;     // of the parameter, in the table
  SInt64 start;     // frame of the slice; a ramp may have begun before it
  SInt64 duration;  // 0: a change at once
  Float32 from, to;
};

// A place of the ring of messages.
struct Letter {
  _Atomic(UInt32) turn;
  UInt32 frame;
  AuricleMIDIMessage message;
};

// The MIDI of a unit that receives it. Any thread writes to the ring; the rest is the render thread's.
struct Notes {
  struct Letter ring[kMaximumMessages];
  _Atomic(UInt32) written;
  UInt32 read;
  _Atomic(UInt32) serial;  // of notes that are started by a call
  // What waits, by frame: those of this cycle come first.
  UInt32 frames[kMaximumMessages];
  AuricleMIDIMessage messages[kMaximumMessages];
  UInt32 waitingCount, playedCount;
};

// What is known of a property on a scope; size 0: there is no such property there.
struct PropertyFacts {
  UInt32 size;
  bool isReadable, isWritable;
};

enum { kNameSize = 256, kLayoutSize = 12 + 20 * kMaximumChannels };

// A list of as many buffers as there are channels.
struct BufferList {
  UInt32 mNumberBuffers;
  AudioBuffer mBuffers[kMaximumChannels];
};

// The channels of a side as planar floats.
struct Channels {
  UInt32 count;
  Float32 *samples[kMaximumChannels];
};

struct Unit {
  AudioComponentPlugInInterface interface;  // first: the host's `self` points here
  AudioUnit handle;
  AudioComponentDescription description;
  const AuricleUnitDefinition *definition;
  void *state;  // the author's

  // Of the control thread.
  AudioStreamBasicDescription formats[2];  // input, output
  UInt8 layouts[2][kLayoutSize];           // AudioChannelLayouts of a host
  UInt32 layoutSizes[2];                   // 0: the usual layout
  bool lendsNoMemory[2];
  AudioUnitExternalBuffer external;
  CFStringRef currentName;  // lent to a host that reads CurrentPreset
  AUPreset *factoryPresets; // lent to a host that reads FactoryPresets
  UInt32 maximumFrames;
  bool isStarted;  // `start` was called since `stop`
  struct Source *retired;
  struct Notify *retiredNotifies;
  struct SamplesListener *retiredSamples;
  struct Listener listeners[kMaximumListeners];
  SInt32 presetNumber;         // -1: none of the unit's own
  char presetName[kNameSize];  // UTF-8; empty: "Untitled"
  char contextName[kNameSize], nickName[kNameSize];  // empty: none
  char elementNames[3][kNameSize];                   // by scope; empty: its own
  UInt32 renderQuality, isOffline;

  // Of both.
  _Atomic(Float32) *values;  // by place in the table
  _Atomic(struct Source *) source;
  atomic_bool isInitialized;
  atomic_bool isBypassed;
  atomic_bool guardsNumbers;
  _Atomic(OSStatus) lastError;
  _Atomic(struct Notify *) notifies[kMaximumListeners];  // NULL: a free place
  _Atomic(struct SamplesListener *) samplesListener;
  _Atomic(Float32) load;  // of the time that the sound lasts

  // Of the render thread; allocated by Initialize.
  Float32 *inputMemory;  // NULL where the input is processed in place
  Float32 *buffer;       // for callers that bring none: channel after channel, or the host's
  Float32 *ownBuffer;
  UInt32 bufferStride;           // frames from one channel of `buffer` to the next
  struct SampleLayout sides[2];  // of input and output, since Initialize
  struct BufferList inputList;   // too large for the stacks of some render threads
  struct Channels input, output, sliceInput, sliceOutput;
  UInt8 *packed[2];           // samples as they lie outside; NULL for planar floats
  Float32 *sliceValues;       // of parameters, as `process` sees them
  const struct Event **ramps; // by place in the table; NULL: it stands still
  UInt32 slicesUntilMeasured;
  bool inputIsSilent, outputIsSilent;
  UInt32 silentFrames;  // of input, up to now
  UInt32 restFrames;    // of silent input, after which the output is silent; UINT32_MAX: never
  Float32 dryPart;      // of what is heard: 1 while bypassed
  Float32 *dry;         // the input of the slice, channel after channel
  bool isRendering;
  bool hasRendered;
  _Atomic(Float64) lastSampleTime;  // told to control threads
  struct Notes *notes;  // NULL where it receives none
  const AuricleMIDIMessage *sliceMessages;
  UInt32 sliceMessageCount;
  UInt32 eventCount;
  struct Event events[kMaximumEvents];
};

static inline bool hasInput(const struct Unit *unit) { return !unit->definition->isGenerator; }

static inline bool isInPlace(const struct Unit *unit) { return unit->inputMemory == NULL; }

static inline bool isInstrument(const struct Unit *unit) {
  return unit->definition->receivesMIDI && !hasInput(unit);
}

static CFStringRef makeText(const char *bytes) {
  return CFStringCreateWithCString(NULL, bytes, kCFStringEncodingUTF8);
}

// What parts use before they stand in the source. Context: control, unless told otherwise.
static AudioComponentMethod lookUpMethod(SInt16 selector);
static OSStatus uninitializeUnit(void *self);
static void freeSamplesListeners(struct Unit *unit);
static void propertyChanged(
    struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope);  // any
static OSStatus setParameter(  // any
    void *self, AudioUnitParameterID parameter, AudioUnitScope scope, AudioUnitElement element,
    AudioUnitParameterValue value, UInt32 bufferOffset);

#endif
