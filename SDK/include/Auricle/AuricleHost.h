// Auricle as a library for C, C++ and cffi: installed units, and chains of presets. libauricle.so has these functions.
// SPDX-License-Identifier: Apache-2.0
//
// Functions return 0, a status of Core Audio, or if there is none an exit code of the program (64 usage, 65 bad preset
// or data, 66 no input, 69 no such unit, 70 a unit failed, 74 input/output). AuricleHostCopyErrorText then returns the
// failure, its place and the remedy. Texts are UTF-8; AuricleHostFreeText frees the ones that a function makes.
//
// Units run in the calling process: one that crashes ends it. The program `auricle` is searched beside the library,
// in ../bin and in ../../bin, as it is installed; environment variable AURICLE_PROGRAM names another.
//
// Context: control, never a render thread. A chain is used by one thread at a time, different chains by different ones.
#ifndef AURICLE_HOST_H
#define AURICLE_HOST_H

#include "../CoreAudioTypes/CoreAudioBaseTypes.h"

AURICLE_BEGIN_DECLS

// The sentence about the last failure on this thread; an empty text before the first.
extern char *AuricleHostCopyErrorText(void);

// Frees a text that one of these functions made; does nothing for NULL.
extern void AuricleHostFreeText(char *text);

// The version, such as "1.2.0"; not to be freed.
extern const char *AuricleHostGetVersion(void);

// Installed units as JSON, as `auricle list --format json` prints them. A pattern is TYPE[:SUBTYPE[:MANUFACTURER]]; a search
// is a part of a name, tag or URI; NULL matches all.
extern OSStatus AuricleHostCopyUnits(const char *pattern, const char *search, char **outJSON);

// Everything about a unit as JSON, as `auricle info --format json` prints it. Named by TYPE:SUBTYPE:MANUFACTURER, URI, or a
// name that only one unit has.
extern OSStatus AuricleHostCopyUnitDescription(const char *unit, char **outJSON);

// The names of presets as a JSON array of texts.
extern OSStatus AuricleHostCopyPresetNames(char **outJSON);

// Runs a file through a preset into a new file, whose ending chooses its kind, in the sandboxed processes of a batch.
extern OSStatus AuricleHostProcessFile(const char *preset, const char *input, const char *output);

// A chain of units that keeps its state between renders.
typedef struct OpaqueAuricleChain *AuricleChain;

// Makes the chain of a preset: by its name, by the path of its file, or of its text when that begins with "auricle:" or "{".
// Rates are 8000 to 768000 Hz, channels 1 to 64, and a render has at most so many frames, up to 65536. Where the preset expects a
// loudness, a leveller in front follows it, which is no stage.
extern OSStatus AuricleChainNew(
    const char *preset, Float64 sampleRate, UInt32 channels, UInt32 maximumFrames, AuricleChain *outChain);

// Frees a chain. kAudio_ParamError (-50) for one that is no chain, or no longer.
extern OSStatus AuricleChainDispose(AuricleChain chain);

// Renders frames: a row of samples for each channel in, and as many out, which may be the same memory. The output is late by the
// chain's latency.
extern OSStatus AuricleChainRender(
    AuricleChain chain, const float *const *input, float *const *output, UInt32 frames);

// Clears the effect of past input on the chain.
extern OSStatus AuricleChainReset(AuricleChain chain);

// Sets a parameter of a stage, counted from 0: by its name, symbol or number, to a value as in a preset ("-20 dB").
extern OSStatus AuricleChainSetParameter(
    AuricleChain chain, UInt32 stage, const char *parameter, const char *value);

// The value of a parameter of a stage.
extern OSStatus AuricleChainGetParameter(
    AuricleChain chain, UInt32 stage, const char *parameter, Float32 *outValue);

// The names of the stages as a JSON array of texts.
extern OSStatus AuricleChainCopyStages(AuricleChain chain, char **outJSON);

// Frames by which the chain is late now.
extern OSStatus AuricleChainGetLatency(AuricleChain chain, UInt32 *outFrames);

// Seconds of the chain's tail; -1 if a unit does not know it.
extern OSStatus AuricleChainGetTail(AuricleChain chain, Float64 *outSeconds);

AURICLE_END_DECLS

#endif
