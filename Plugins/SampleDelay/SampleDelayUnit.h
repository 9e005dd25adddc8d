// The state of one sample delay, and what its source files share.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_SAMPLE_DELAY_UNIT_H
#define AURICLE_SAMPLE_DELAY_UNIT_H

#include <AudioToolbox/AudioToolbox.h>
#include <Auricle/AuricleInstance.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "Samples.h"

#define HIDDEN __attribute__((visibility("hidden")))

enum { kMaximumChannels = 1024, kMaximumEvents = 4096, kFadeFrames = 256, kMaximumListeners = 32 };

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
  SInt64 start;     // frame of the slice; a ramp may have begun before it
  SInt64 duration;  // 0: a change at once
  Float32 from, to;
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

struct Unit {
  AudioComponentPlugInInterface interface;  // first: the host's `self` points here
  AudioUnit handle;
  AudioComponentDescription description;

  // Of the control thread.
  AudioStreamBasicDescription formats[2];  // input, output
  UInt8 layouts[2][kLayoutSize];           // AudioChannelLayouts of a host
  UInt32 layoutSizes[2];                   // 0: the usual layout
  bool lendsNoMemory[2];
  AudioUnitExternalBuffer external;
  CFStringRef currentName;  // lent to a host that reads CurrentPreset
  UInt32 maximumFrames;
  struct Source *retired;
  struct Notify *retiredNotifies;
  struct SamplesListener *retiredSamples;
  struct Listener listeners[kMaximumListeners];
  char presetName[kNameSize];  // UTF-8; empty: "Untitled"
  char contextName[kNameSize], nickName[kNameSize];  // empty: none
  char elementNames[3][kNameSize];                   // by scope; empty: its own
  UInt32 renderQuality, isOffline;

  // Of both.
  _Atomic(Float32) delayFrames;
  _Atomic(struct Source *) source;
  atomic_bool isInitialized;
  atomic_bool isBypassed;
  atomic_bool guardsNumbers;
  _Atomic(OSStatus) lastError;
  _Atomic(struct Notify *) notifies[kMaximumListeners];  // NULL: a free place
  _Atomic(struct SamplesListener *) samplesListener;
  _Atomic(Float32) load;  // of the time that the sound lasts

  // Of the render thread; allocated by Initialize.
  UInt32 channelCount;
  UInt32 ringSize;  // a power of two
  UInt32 position;
  Float32 *ring;    // channel after channel
  Float32 *buffer;  // for callers that bring none: channel after channel, or the host's
  Float32 *ownBuffer;
  UInt32 bufferStride;           // frames from one channel of `buffer` to the next
  struct SampleLayout sides[2];  // of input and output, since Initialize
  struct BufferList inputs, works;  // too large for the stacks of some render threads
  UInt8 *packed[2];              // samples as they lie outside; NULL for planar floats
  UInt32 slicesUntilMeasured;
  UInt32 currentDelay, nextDelay, fadePosition;
  bool isFresh;
  bool inputIsSilent, outputIsSilent;
  UInt32 silentFrames;  // of input, up to now
  Float32 dryPart;      // of what is heard: 1 while bypassed
  Float32 *dry;         // the input of the slice, channel after channel
  bool isRendering;
  bool hasRendered;
  _Atomic(Float64) lastSampleTime;  // told to control threads
  UInt32 eventCount;
  struct Event events[kMaximumEvents];
};

// Life cycle (SampleDelay.c). Context: control.
HIDDEN OSStatus initializeUnit(void *self);
HIDDEN OSStatus uninitializeUnit(void *self);
HIDDEN OSStatus resetUnit(void *self, AudioUnitScope scope, AudioUnitElement element);
HIDDEN AudioComponentMethod lookUpMethod(SInt16 selector);

// Properties (Properties.c). Context: control.
HIDDEN OSStatus getPropertyInfo(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    UInt32 *dataSize, Boolean *isWritable);
HIDDEN OSStatus getProperty(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    void *data, UInt32 *dataSize);
HIDDEN OSStatus setProperty(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    const void *data, UInt32 dataSize);

// Properties that a host tells or reads for a person (HostProperties.c). Context: control.
HIDDEN struct PropertyFacts hostFacts(AudioUnitPropertyID property, AudioUnitScope scope);
HIDDEN bool isHostProperty(AudioUnitPropertyID property);
HIDDEN OSStatus getHostProperty(
    struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope, void *data,
    UInt32 *dataSize);
HIDDEN OSStatus setHostProperty(
    struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope, const void *data,
    UInt32 dataSize);

// Memory, layouts of channels, load and other properties (UnitProperties.c). Context: control.
HIDDEN struct PropertyFacts unitFacts(
    const struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope,
    AudioUnitElement element);
HIDDEN OSStatus getUnitProperty(
    struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope,
    AudioUnitElement element, void *data, UInt32 *dataSize);
HIDDEN OSStatus setUnitProperty(
    struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope, const void *data,
    UInt32 dataSize);
HIDDEN void freeSamplesListeners(struct Unit *unit);

// Formats and the input's source (Sources.c). Context: control.
HIDDEN OSStatus setFormat(
    struct Unit *unit, AudioUnitScope scope, const AudioStreamBasicDescription *format);
HIDDEN OSStatus setSource(
    struct Unit *unit, const AURenderCallbackStruct *callback, AudioUnit source, UInt32 output);
HIDDEN OSStatus connectInput(struct Unit *unit, const AudioUnitConnection *connection);

// State (ClassInfo.c). Context: control. What is copied belongs to the caller.
HIDDEN CFDictionaryRef copyClassInfo(struct Unit *unit);
HIDDEN OSStatus restoreClassInfo(struct Unit *unit, CFDictionaryRef state);
HIDDEN CFStringRef copyPresetName(struct Unit *unit);
HIDDEN void setPresetName(struct Unit *unit, CFStringRef name);

// Listeners (Listeners.c). Context: control; propertyChanged: any.
HIDDEN void propertyChanged(
    struct Unit *unit, AudioUnitPropertyID property, AudioUnitScope scope);
HIDDEN OSStatus addPropertyListener(
    void *self, AudioUnitPropertyID property, AudioUnitPropertyListenerProc procedure,
    void *refCon);
HIDDEN OSStatus removePropertyListener(
    void *self, AudioUnitPropertyID property, AudioUnitPropertyListenerProc procedure);
HIDDEN OSStatus removePropertyListenerWithUserData(
    void *self, AudioUnitPropertyID property, AudioUnitPropertyListenerProc procedure,
    void *refCon);

// Parameters (Parameters.c). Context: any; schedule: render.
HIDDEN OSStatus getParameter(
    void *self, AudioUnitParameterID parameter, AudioUnitScope scope, AudioUnitElement element,
    AudioUnitParameterValue *value);
HIDDEN OSStatus setParameter(
    void *self, AudioUnitParameterID parameter, AudioUnitScope scope, AudioUnitElement element,
    AudioUnitParameterValue value, UInt32 bufferOffset);
HIDDEN OSStatus scheduleParameters(
    void *self, const AudioUnitParameterEvent *events, UInt32 eventCount);

// Rendering (Render.c). Context: render; the notifies: control, while another thread may render.
HIDDEN OSStatus renderUnit(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 outputElement, UInt32 frameCount, AudioBufferList *buffers);
HIDDEN OSStatus processUnit(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 frameCount, AudioBufferList *buffers);
HIDDEN OSStatus processLists(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 frameCount, UInt32 inputCount, const AudioBufferList **inputs, UInt32 outputCount,
    AudioBufferList **outputs);
HIDDEN OSStatus renderPackets(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 outputElement, UInt32 packetCount, UInt32 *producedPacketCount,
    AudioStreamPacketDescription *packets, AudioBufferList *buffers, void *metadata,
    UInt32 *metadataSize);
// One slice in place, in planar float: schedule, delay, bypass, silence, guard (Slice.c).
HIDDEN OSStatus runSlice(struct Unit *unit, AudioBufferList *buffers, UInt32 frameCount);
// Buffers of callers and sources (Buffers.c): checks, the input of a slice, both conversions.
HIDDEN OSStatus checkBuffers(
    const struct SampleLayout *layout, const AudioBufferList *buffers, UInt32 frameCount,
    bool mayBeNull);
HIDDEN AudioBufferList *workList(struct Unit *unit, UInt32 frameCount);
HIDDEN void ownMemory(struct Unit *unit, AudioBufferList *buffers, UInt32 frameCount);
HIDDEN OSStatus pullInput(
    struct Unit *unit, const AudioTimeStamp *timeStamp, UInt32 frameCount,
    AudioBufferList *buffers);
HIDDEN void takeInput(
    struct Unit *unit, const AudioBufferList *input, UInt32 frameCount, AudioBufferList *buffers);
HIDDEN void giveOutput(
    struct Unit *unit, const AudioBufferList *buffers, UInt32 frameCount, AudioBufferList *output);
HIDDEN OSStatus addRenderNotify(void *self, AURenderCallback procedure, void *refCon);
HIDDEN OSStatus removeRenderNotify(void *self, AURenderCallback procedure, void *refCon);

#endif
