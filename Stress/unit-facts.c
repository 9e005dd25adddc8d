// Prints what a host sees of an audio unit, and renders changes of its parameters: for the comparison of formats.
// SPDX-License-Identifier: Apache-2.0
//
//   unit-facts TYPE SUBTYPE MANUFACTURER out.raw [MOTIONS]    (codes as numbers)
//
// Standard output has lines of key and values, separated by tabs: "latency", "tail", and "parameter" for each parameter with
// title, least, greatest and first value, unit of measure, and its texts at five places; a text that is no value again says so.
// The file has the samples of both channels after each other, slice by slice: eight slices for each parameter that is no meter.
// A parameter goes three quarters of the way from its first value to its least, in a line where it can, else in a jump. It jumps
// back, goes there as a knob that is turned, and jumps back. The line "motions" has a letter for each of these parameters: l for
// a line, j for a jump. A unit of another format moves its own by the letters of the native one, and leaves further ones alone.

#include <AudioToolbox/AudioToolbox.h>
#include <CoreFoundation/CoreFoundation.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../Benchmarks/census-signal.h"

enum { kSlice = 1024, kSlices = 8, kMostChannels = 64, kTexts = 5 };
static uint32_t firstChannel[8];

static int fail(const char* what, OSStatus status) {
  fprintf(stderr, "unit-facts: %s: %d\n", what, (int)status);
  return 1;
}

static OSStatus feed(
  void* context, AudioUnitRenderActionFlags* flags, const AudioTimeStamp* time, UInt32 bus, UInt32 frames, AudioBufferList* list) {
  (void)context, (void)flags;
  for (UInt32 channel = 0; channel < list->mNumberBuffers; ++channel) {
    float* samples = list->mBuffers[channel].mData;
    for (UInt32 i = 0; i < frames; ++i)
      samples[i] = census_noise(firstChannel[bus & 7] + channel, (uint64_t)time->mSampleTime + i);
  }
  return 0;
}

static void printText(CFStringRef text) {
  char bytes[512] = "";
  if (text) CFStringGetCString(text, bytes, sizeof bytes, kCFStringEncodingUTF8);
  printf("\t%s", bytes);
}

static double readSeconds(AudioUnit unit, AudioUnitPropertyID id) {
  Float64 seconds = -1;
  UInt32 size = sizeof seconds;
  return AudioUnitGetProperty(unit, id, kAudioUnitScope_Global, 0, &seconds, &size) ? -1 : seconds;
}

static bool isMoved(const AudioUnitParameterInfo* info) {
  return (info->flags & kAudioUnitParameterFlag_IsWritable) && isfinite(info->minValue) && isfinite(info->maxValue) &&
         info->maxValue > info->minValue;
}

static bool isChoice(const AudioUnitParameterInfo* info) {
  return info->unit == kAudioUnitParameterUnit_Indexed || info->unit == kAudioUnitParameterUnit_Boolean;
}

// Where a parameter goes. The greatest value may follow the sample rate, which data of a plug-in cannot say.
static Float32 goalOf(const AudioUnitParameterInfo* info) {
  const Float32 begin = info->defaultValue;
  if (isChoice(info)) return begin > info->minValue ? info->minValue : begin + 1;
  const Float32 goal = begin > info->minValue ? begin + (info->minValue - begin) * 0.75f : begin + fminf(info->maxValue - begin, 20000) * 0.75f;
  return info->unit == kAudioUnitParameterUnit_SampleFrames ? roundf(goal) : goal;
}

// The texts of values between the ends, and whether each is a value near its own.
static void printTexts(AudioUnit unit, AudioUnitParameterID id, const AudioUnitParameterInfo* info) {
  const Float32 range = info->maxValue - info->minValue;
  for (int i = 0; i < kTexts; ++i) {
    Float32 value = info->minValue + range * (Float32)i / (kTexts - 1);
    if (info->unit == kAudioUnitParameterUnit_Indexed || info->unit == kAudioUnitParameterUnit_Boolean) value = roundf(value);
    AudioUnitParameterStringFromValue words = {id, &value, NULL};
    UInt32 size = sizeof words;
    const OSStatus status =
      AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterStringFromValue, kAudioUnitScope_Global, id, &words, &size);
    if (status || !words.outString) {
      printf("\t-");
      continue;
    }
    printText(words.outString);
    AudioUnitParameterValueFromString number = {id, words.outString, 0};
    size = sizeof number;
    if (!AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterValueFromString, kAudioUnitScope_Global, id, &number, &size))
      printf("=%.3g", fabs((double)(number.outValue - value)) <= range * 0.005 ? (double)value : (double)number.outValue);
  }
}

static UInt32 listParameters(AudioUnit unit, AudioUnitParameterID** ids) {
  UInt32 size = 0;
  AudioUnitGetPropertyInfo(unit, kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0, &size, NULL);
  *ids = calloc(1, size + sizeof **ids);
  AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0, *ids, &size);
  return size / sizeof **ids;
}

static bool describe(AudioUnit unit, AudioUnitParameterID id, AudioUnitParameterInfo* info) {
  UInt32 size = sizeof *info;
  memset(info, 0, sizeof *info);
  return AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterInfo, kAudioUnitScope_Global, id, info, &size) == 0;
}

static void printParameter(AudioUnit unit, AudioUnitParameterID id) {
  AudioUnitParameterInfo info;
  if (!describe(unit, id, &info)) return;
  printf("parameter\t%s", info.cfNameString ? "" : info.name);
  if (info.cfNameString) {
    char bytes[256] = "";
    CFStringGetCString(info.cfNameString, bytes, sizeof bytes, kCFStringEncodingUTF8);
    printf("%s", bytes);
  }
  printf("\t%.7g\t%.7g\t%.7g\t%s", (double)info.minValue, (double)info.maxValue, (double)info.defaultValue,
         info.flags & kAudioUnitParameterFlag_IsWritable ? "set" : "read");
  printTexts(unit, id, &info);
  printf("\n");
}

// Changes a parameter before a slice.
static OSStatus change(AudioUnit unit, AudioUnitParameterID id, const AudioUnitParameterInfo* info, int slice, char motion) {
  AudioUnitParameterEvent event = {.scope = kAudioUnitScope_Global, .element = 0, .parameter = id};
  if (slice == 1 && motion == 'l') {
    event.eventType = kParameterEvent_Ramped;
    event.eventValues.ramp.startBufferOffset = 300;
    event.eventValues.ramp.durationInFrames = 600;
    event.eventValues.ramp.startValue = info->defaultValue;
    event.eventValues.ramp.endValue = goalOf(info);
  } else if (slice == 1 || slice == 3 || slice == 6) {
    event.eventType = kParameterEvent_Immediate;
    event.eventValues.immediate.bufferOffset = slice == 1 ? 300 : 517;
    event.eventValues.immediate.value = slice == 1 ? goalOf(info) : info->defaultValue;
  } else {
    return slice == 5 ? AudioUnitSetParameter(unit, id, kAudioUnitScope_Global, 0, goalOf(info), 0) : 0;
  }
  return AudioUnitScheduleParameters(unit, &event, 1);
}

static OSStatus render(AudioUnit unit, UInt32 channels, double* time, float* samples, FILE* out) {
  AudioBufferList* list = calloc(1, sizeof *list + kMostChannels * sizeof(AudioBuffer));
  AudioUnitRenderActionFlags flags = 0;
  const AudioTimeStamp stamp = {.mSampleTime = *time, .mFlags = kAudioTimeStampSampleTimeValid};
  list->mNumberBuffers = channels;
  for (UInt32 c = 0; c < channels; ++c) list->mBuffers[c] = (AudioBuffer){1, kSlice * sizeof(float), samples + c * kSlice};
  const OSStatus status = AudioUnitRender(unit, &flags, &stamp, 0, kSlice, list);
  for (UInt32 c = 0; c < channels && !status; ++c) fwrite(list->mBuffers[c].mData, sizeof(float), kSlice, out);
  *time += kSlice;
  free(list);
  return status;
}

static UInt32 prepare(AudioUnit unit, AudioUnitScope scope, UInt32* first) {
  UInt32 count = 0, size = sizeof count, sum = 0;
  AudioUnitGetProperty(unit, kAudioUnitProperty_ElementCount, scope, 0, &count, &size);
  for (UInt32 bus = 0; bus < count && bus < 8; ++bus) {
    AudioStreamBasicDescription format;
    size = sizeof format;
    AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, scope, bus, &format, &size);
    format.mSampleRate = CENSUS_RATE;
    AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, scope, bus, &format, size);
    if (scope == kAudioUnitScope_Output) return *first = format.mChannelsPerFrame, 1;
    const AURenderCallbackStruct callback = {feed, NULL};
    AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, scope, bus, &callback, sizeof callback);
    firstChannel[bus] = sum;
    sum += format.mChannelsPerFrame;
  }
  return count;
}

// The letters of the parameters that are moved.
static void writeMotions(AudioUnit unit, const AudioUnitParameterID* ids, UInt32 count, char* motions) {
  for (UInt32 i = 0; i < count; ++i) {
    AudioUnitParameterInfo info;
    if (!describe(unit, ids[i], &info) || !isMoved(&info)) continue;
    *motions++ = !isChoice(&info) && (info.flags & kAudioUnitParameterFlag_CanRamp) ? 'l' : 'j';
  }
}

static int run(AudioUnit unit, const char* path, const char* given) {
  const UInt32 slice = kSlice, one = 1;
  UInt32 channels = 0;
  double time = 0;
  float* samples = calloc(kMostChannels * kSlice, sizeof *samples);
  AudioUnitSetProperty(unit, kAudioUnitProperty_OfflineRender, 0, 0, &one, sizeof one);
  AudioUnitSetProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, &slice, sizeof slice);
  prepare(unit, kAudioUnitScope_Input, NULL);
  prepare(unit, kAudioUnitScope_Output, &channels);
  OSStatus status = AudioUnitInitialize(unit);
  FILE* out = fopen(path, "wb");
  if (status || !out) return fail("cannot be initialised", status);
  AudioUnitParameterID* ids = NULL;
  const UInt32 count = listParameters(unit, &ids);
  for (UInt32 i = 0; i < count; ++i) printParameter(unit, ids[i]);
  char* own = calloc(1, count + 1);
  writeMotions(unit, ids, count, own);
  printf("motions\t%s\n", own);
  const char* motion = given ? given : own;
  if (strlen(motion) > strlen(own)) return fail("it has fewer parameters", 0);
  for (UInt32 i = 0; i < count && *motion; ++i) {
    AudioUnitParameterInfo info;
    if (!describe(unit, ids[i], &info) || !isMoved(&info)) continue;
    AudioUnitReset(unit, kAudioUnitScope_Global, 0);
    AudioUnitSetParameter(unit, ids[i], kAudioUnitScope_Global, 0, info.defaultValue, 0);
    for (int n = 0; n < kSlices; ++n) {
      if ((status = change(unit, ids[i], &info, n, *motion))) return fail("cannot be changed", status);
      if ((status = render(unit, channels, &time, samples, out))) return fail("cannot be rendered", status);
    }
    ++motion;
  }
  fclose(out);
  printf("latency\t%.9g\ntail\t%.9g\n", readSeconds(unit, kAudioUnitProperty_Latency), readSeconds(unit, kAudioUnitProperty_TailTime));
  AudioUnitUninitialize(unit);
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 5 && argc != 6) return fail("usage: TYPE SUBTYPE MANUFACTURER out.raw [MOTIONS]", 0);
  const AudioComponentDescription wanted = {
    (OSType)strtoul(argv[1], NULL, 0), (OSType)strtoul(argv[2], NULL, 0), (OSType)strtoul(argv[3], NULL, 0), 0, 0};
  AudioComponent component = AudioComponentFindNext(NULL, &wanted);
  AudioUnit unit = NULL;
  if (!component) return fail("no such component", 0);
  const OSStatus status = AudioComponentInstanceNew(component, &unit);
  if (status) return fail("cannot be opened", status);
  const int code = run(unit, argv[4], argc == 6 ? argv[5] : NULL);
  AudioComponentInstanceDispose(unit);
  return code;
}
