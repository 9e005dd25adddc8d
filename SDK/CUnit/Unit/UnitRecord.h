// The state of one unit, and the declarations that the parts of the helper share; all of it is one translation unit.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_UNIT_RECORD_H
#define AURICLE_UNIT_RECORD_H

#include <Auricle/AuricleInstance.h>
#include <Auricle/AuricleUnit.h>
#include <CoreFoundation/CoreFoundation.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  kMaximumChannels = 1024,
  kMaximumEvents = 4096,
  kMaximumHooks = 32,
  kMaximumMessages = 1024  // a power of two
};

// A function that a unit calls: a source, an observer of renders, a listener of a property. Immutable once
// others see it.
struct Hook {
  struct Hook *retired;     // next of those waiting to be freed
  void (*procedure)(void);  // of the kind that its place says
  void *refCon;
  AudioUnit unit;  // of a source that is a unit
  UInt32 number;   // the output of that unit, or the property
};

// A parameter change within the next slice.
struct Event {
  UInt32 index;     // of the parameter, in the table
  SInt64 start;     // frame of the slice; a ramp may have begun before it
  SInt64 duration;  // 0: a change at once
  Float32 from, to;
};

// A place of the ring of messages: its turn is its place when it is free, and one more when it is full.
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
  // Waiting messages, by frame: the ones of this cycle come first.
  UInt32 frames[kMaximumMessages];
  AuricleMIDIMessage messages[kMaximumMessages];
  UInt32 waitingCount, playedCount;
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

  // State of the control thread.
  AudioStreamBasicDescription formats[2];  // input, output
  UInt32 maximumFrames;
  bool isStarted;  // `start` was called since `stop`
  struct Hook *retired;
  SInt32 presetNumber;            // -1: none of the unit's own
  AUPreset *presets;              // lent to a host that reads FactoryPresets
  CFStringRef contextName, presetName;  // NULL: none

  // State of both threads.
  _Atomic(Float32) *values;  // by place in the table
  _Atomic(struct Hook *) source, observers[kMaximumHooks], listeners[kMaximumHooks];
  atomic_bool isInitialized, isBypassed;
  _Atomic(OSStatus) lastError;

  // State of the render thread; allocated by Initialize.
  Float32 *memory;  // for callers that bring none; behind it that of the input, unless it is processed in place
  Float32 *dry;     // the input of the slice, channel after channel
  UInt32 stride;    // frames from one channel of these to the next
  struct {
    UInt32 mNumberBuffers;
    AudioBuffer mBuffers[kMaximumChannels];
  } inputList;  // too large for the stacks of some render threads
  struct Channels input, output, sliceInput, sliceOutput;
  Float32 *sliceValues;        // of parameters, as `process` sees them
  const struct Event **ramps;  // by place in the table; NULL: constant
  bool inputIsSilent, outputIsSilent, isRendering, hasRendered;
  UInt32 silentFrames;  // of input, up to now
  UInt32 restFrames;    // of silent input, after which the output is silent; UINT32_MAX: never
  Float32 dryPart;      // the part in the audible output: 1 while bypassed
  Float64 lastSampleTime;
  struct Notes *notes;  // NULL where it receives none
  const AuricleMIDIMessage *sliceMessages;
  UInt32 sliceMessageCount, eventCount;
  struct Event events[kMaximumEvents];
};

static inline bool hasInput(const struct Unit *unit) { return !unit->definition->isGenerator; }

static inline bool isInPlace(const struct Unit *unit) { return unit->input.count == unit->output.count; }

static CFStringRef makeText(const char *bytes) {
  return CFStringCreateWithCString(NULL, bytes, kCFStringEncodingUTF8);
}

#endif
