// A unit in C or C++ from a table of parameters and a function that processes: compile AuricleUnit.c with it.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AURICLEUNIT_H
#define AURICLE_AURICLEUNIT_H

#include <stddef.h>

#include "../AudioToolbox/AudioToolbox.h"

// A parameter of the global scope. Fields not named are 0.
typedef struct AuricleParameter {
  AudioUnitParameterID id;
  const char *name;  // UTF-8, at most 51 bytes
  AudioUnitParameterUnit unit;
  AudioUnitParameterValue minimum, maximum, initial;
  // Curves and other kAudioUnitParameterFlag_…; readable and writable are added, for a meter readable alone.
  // With CanRamp a scheduled ramp reaches `process` frame by frame; without it, its end does.
  AudioUnitParameterOptions flags;
  const char *const *valueNames;  // of a choice: one for each value from minimum to maximum, then NULL
  const char *unitName;           // of kAudioUnitParameterUnit_CustomUnit
  Float64 maximumSeconds;         // not 0: the maximum is so many seconds in frames, at the unit's rate
} AuricleParameter;

// A preset that comes with the unit.
typedef struct AuricleFactoryPreset {
  const char *name;
  const AudioUnitParameterValue *values;  // one a parameter, in the order of the table
} AuricleFactoryPreset;

// The format of sound from Initialize to Uninitialize.
typedef struct AuricleRenderFormat {
  Float64 sampleRate;  // Hz
  UInt32 inputCount, outputCount;  // channels
  UInt32 maximumFrames;            // of one call of `process`
} AuricleRenderFormat;

// A message of a MIDI channel, such as 0x90, key, velocity: a note-on, which always has a velocity.
typedef struct AuricleMIDIMessage {
  UInt8 status;  // with the channel in its lower half
  UInt8 data1, data2;
} AuricleMIDIMessage;

// Some frames to process. Parameters are constant within them.
typedef struct AuricleSlice {
  UInt32 frameCount;
  UInt32 inputCount, outputCount;  // channels
  // One pointer a channel. With as many inputs as outputs both are the same memory: read a frame before
  // you write it.
  Float32 *const *inputs;
  Float32 *const *outputs;
  // By place in the table. Meters are written here.
  AudioUnitParameterValue *values;
  Float64 sampleRate;
  // MIDI that is due at the first frame; where the next message is due, another slice begins.
  const AuricleMIDIMessage *messages;
  UInt32 messageCount;
} AuricleSlice;

// The definition of a unit. `state` is the author's: `stateSize` bytes, 0 when the unit is opened, and the same
// from then to the end. Every function but `process` may be NULL.
typedef struct AuricleUnitDefinition {
  const AuricleParameter *parameters;
  UInt32 parameterCount;
  size_t stateSize;
  // Renders: replaces the outputs. Context: render; allocates, locks and waits for nothing.
  void (*process)(void *state, const AuricleSlice *slice);
  // Prepares for rendering, after Initialize; `stop` frees its memory. Context: control.
  OSStatus (*start)(void *state, const AuricleRenderFormat *format);
  // Context: control, also after a `start` that failed.
  void (*stop)(void *state);
  // Forgets the past, as after `start`. Context: control.
  void (*reset)(void *state);
  // The delay of the sound, and its duration after the input ends, in seconds, for values of the
  // parameters. NULL: none. Context: control.
  Float64 (*latencySeconds)(const AudioUnitParameterValue *values, Float64 sampleRate);
  Float64 (*tailSeconds)(const AudioUnitParameterValue *values, Float64 sampleRate);
  // After so many seconds of silent input the output is silent at any values of the parameters, and
  // `process` is not called. 0: it is always called.
  Float64 restSeconds;
  // Numbers of channels. NULL: any number, as many in as out.
  const AUChannelInfo *channels;
  UInt32 channelCount;
  bool isGenerator;   // it has no input
  bool receivesMIDI;  // without an input it is an instrument, with one a music effect
  const AuricleFactoryPreset *presets;
  UInt32 presetCount;
  // State beyond parameters, by keys of the author's own (com.example.…) in ClassInfo. Context: control.
  void (*save)(void *state, CFMutableDictionaryRef info);
  void (*restore)(void *state, CFDictionaryRef info);
} AuricleUnitDefinition;

AURICLE_BEGIN_DECLS

// Makes an instance for a factory function. `definition` lives as long as the program. NULL: no memory.
// Context: control.
AudioComponentPlugInInterface *AuricleMakeUnit(
    const AuricleUnitDefinition *definition, const AudioComponentDescription *description);

AURICLE_END_DECLS

#ifdef __cplusplus
#define AURICLE_FACTORY_LINKAGE extern "C"
#else
#define AURICLE_FACTORY_LINKAGE
#endif

// Defines the factory function that Info.plist names: AURICLE_UNIT_FACTORY(MyUnitFactory, definition)
#define AURICLE_UNIT_FACTORY(name, definition)                                                     \
  AURICLE_FACTORY_LINKAGE __attribute__((visibility("default"))) AudioComponentPlugInInterface *name( \
      const AudioComponentDescription *description);                                               \
  AudioComponentPlugInInterface *name(const AudioComponentDescription *description) {              \
    return AuricleMakeUnit(&(definition), description);                                            \
  }

#ifdef __cplusplus
#include <new>

// The functions of a definition for a C++ class: made with `Kernel(const AuricleRenderFormat &)`, which may
// allocate; `process(const AuricleSlice &)` renders, `reset()` forgets.
template <class Kernel>
struct AuricleKernelFunctions {
  static constexpr size_t stateSize = sizeof(Kernel *);
  static void process(void *state, const AuricleSlice *slice) { (*kernel(state))->process(*slice); }
  static OSStatus start(void *state, const AuricleRenderFormat *format) {
    try {
      *kernel(state) = new Kernel(*format);
      return kAudio_NoError;
    } catch (const std::bad_alloc &) {
      return kAudio_MemFullError;
    } catch (...) {
      return kAudioUnitErr_FailedInitialization;
    }
  }
  static void stop(void *state) {
    delete *kernel(state);
    *kernel(state) = nullptr;
  }
  static void reset(void *state) { (*kernel(state))->reset(); }

 private:
  static Kernel **kernel(void *state) { return static_cast<Kernel **>(state); }
};
#endif

#endif
