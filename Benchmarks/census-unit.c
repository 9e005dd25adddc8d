// Renders an LV2 plug-in as an audio unit, all its buses, and writes the samples: for the census.
// SPDX-License-Identifier: Apache-2.0
//
//   census-unit TYPE SUBTYPE MANUFACTURER SLICE FRAMES out.raw [--meters|--hash=PLACE,…]    (codes as numbers)
//
// Every input channel gets its own noise, notes go to every MIDI input. The file holds, frame by frame,
// the channels of all output buses as 32-bit floats, beginning where the unit's latency ends. Standard
// output has "channels latency". Exit code 3: the unit cannot be initialised.
//
// With --meters, lines "id value" of the read-only parameters follow. With --hash, slices of 1024 frames have the noise of
// the published census, and its hash follows: the places are those of the unit's channels among the plug-in's inputs.
//
// With - for the file, noise made beforehand is rendered and the CPU seconds of that alone are printed.

#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "census-signal.h"

enum { MAX_CHANNELS = 256 };

static uint32_t first_channel[MAX_CHANNELS];

static float* noise;

static OSStatus feed_noise(
  void* context, AudioUnitRenderActionFlags* flags, const AudioTimeStamp* time, UInt32 bus,
  UInt32 frames, AudioBufferList* list) {
  (void)context, (void)flags;
  const size_t at = (uint64_t)time->mSampleTime % CENSUS_LOOP;
  for (UInt32 channel = 0; channel < list->mNumberBuffers; ++channel)
    memcpy(
      list->mBuffers[channel].mData,
      noise + (size_t)(first_channel[bus] + channel) * CENSUS_LOOP + at, frames * sizeof(float));
  return 0;
}

// The noise of the current slice for each input, and the place of each channel among the inputs.
static float* table_noise;
static uint32_t places[MAX_CHANNELS];

static OSStatus feed_table(
  void* context, AudioUnitRenderActionFlags* flags, const AudioTimeStamp* time, UInt32 bus,
  UInt32 frames, AudioBufferList* list) {
  (void)context, (void)flags, (void)time;
  for (UInt32 channel = 0; channel < list->mNumberBuffers; ++channel)
    memcpy(
      list->mBuffers[channel].mData, table_noise + (size_t)places[first_channel[bus] + channel] * frames,
      frames * sizeof(float));
  return 0;
}

static OSStatus feed(
  void* context, AudioUnitRenderActionFlags* flags, const AudioTimeStamp* time, UInt32 bus,
  UInt32 frames, AudioBufferList* list) {
  (void)context, (void)flags;
  for (UInt32 channel = 0; channel < list->mNumberBuffers; ++channel) {
    float* samples = list->mBuffers[channel].mData;
    for (UInt32 i = 0; i < frames; ++i)
      samples[i] =
        census_noise(first_channel[bus] + channel, (uint64_t)time->mSampleTime + i);
  }
  return 0;
}

static int fail(const char* what, OSStatus status) {
  fprintf(stderr, "census-unit: %s: %d\n", what, (int)status);
  return 1;
}

// Sets the rate of all buses of a scope and answers how many channels they have together.
static uint32_t prepare(AudioUnit unit, AudioUnitScope scope, uint32_t* channels, UInt32* count) {
  UInt32 size = sizeof *count;
  uint32_t sum = 0;
  *count = 0;
  AudioUnitGetProperty(unit, kAudioUnitProperty_ElementCount, scope, 0, count, &size);
  for (UInt32 bus = 0; bus < *count && bus < MAX_CHANNELS; ++bus) {
    AudioStreamBasicDescription format;
    size = sizeof format;
    AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, scope, bus, &format, &size);
    format.mSampleRate = CENSUS_RATE;
    AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, scope, bus, &format, size);
    channels[bus] = format.mChannelsPerFrame;
    if (scope == kAudioUnitScope_Input) first_channel[bus] = sum;
    sum += format.mChannelsPerFrame;
  }
  return sum;
}

static void print_meters(AudioUnit unit) {
  UInt32 size = 0;
  AudioUnitGetPropertyInfo(unit, kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0, &size, NULL);
  AudioUnitParameterID* ids = calloc(1, size + sizeof *ids);
  AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0, ids, &size);
  for (UInt32 i = 0; i < size / sizeof *ids; ++i) {
    AudioUnitParameterInfo info;
    AudioUnitParameterValue value = 0;
    UInt32 length = sizeof info;
    AudioUnitGetProperty(
      unit, kAudioUnitProperty_ParameterInfo, kAudioUnitScope_Global, ids[i], &info, &length);
    if (info.flags & kAudioUnitParameterFlag_IsWritable) continue;
    AudioUnitGetParameter(unit, ids[i], kAudioUnitScope_Global, 0, &value);
    printf("%u %.9g\n", ids[i], (double)value);
  }
}

int main(int argc, char** argv) {
  if (argc != 7 && argc != 8)
    return fail("usage: TYPE SUBTYPE MANUFACTURER SLICE FRAMES out.raw [--meters|--hash=PLACE,...]", 0);
  const char* table = argc == 8 && !strncmp(argv[7], "--hash=", 7) ? argv[7] + 7 : NULL;
  AudioComponentDescription wanted = {
    (OSType)strtoul(argv[1], NULL, 0), (OSType)strtoul(argv[2], NULL, 0),
    (OSType)strtoul(argv[3], NULL, 0), 0, 0};
  const UInt32 slice = (UInt32)strtoul(argv[4], NULL, 0);
  const uint64_t frames = strtoull(argv[5], NULL, 0);
  AudioComponent component = AudioComponentFindNext(NULL, &wanted);
  if (!component) return fail("no such component", 0);
  AudioUnit unit = NULL;
  OSStatus status = AudioComponentInstanceNew(component, &unit);
  if (status) return fail("cannot be opened", status);
  const UInt32 one = 1;
  AudioUnitSetProperty(unit, kAudioUnitProperty_OfflineRender, 0, 0, &one, sizeof one);
  AudioUnitSetProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, &slice, sizeof slice);
  static uint32_t in_channels[MAX_CHANNELS], out_channels[MAX_CHANNELS];
  UInt32 in_count = 0, out_count = 0;
  const uint32_t in_width = prepare(unit, kAudioUnitScope_Input, in_channels, &in_count);
  const uint32_t width = prepare(unit, kAudioUnitScope_Output, out_channels, &out_count);
  const int is_speed = !strcmp(argv[6], "-");
  const AURenderCallbackStruct callback = {is_speed ? feed_noise : table ? feed_table : feed, NULL};
  table_noise = calloc((size_t)(in_width + 1) * slice, sizeof *table_noise);
  for (uint32_t c = 0; table && *table && c < in_width; ++c)
    places[c] = (uint32_t)strtoul(table, (char**)&table, 10), table += *table == ',';
  uint32_t generator = 1;
  uint64_t hash = CENSUS_HASH;
  for (UInt32 bus = 0; bus < in_count; ++bus) {
    // A control voltage is one channel that is not sound: it keeps its default.
    UInt32 tag = 0, size = sizeof tag;
    AudioUnitGetProperty(
      unit, kAudioUnitProperty_SupportedChannelLayoutTags, kAudioUnitScope_Input, bus, &tag, &size);
    if (tag == (kAudioChannelLayoutTag_DiscreteInOrder | 1)) continue;
    AudioUnitSetProperty(
      unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, bus, &callback,
      sizeof callback);
  }
  status = AudioUnitInitialize(unit);
  if (status) return fail("cannot be initialised", status), 3;

  if (is_speed) {
    noise = calloc((size_t)(in_width + 1) * CENSUS_LOOP, sizeof *noise);
    for (uint32_t c = 0; c < in_width; ++c)
      for (uint32_t f = 0; f < CENSUS_LOOP; ++f)
        noise[(size_t)c * CENSUS_LOOP + f] = census_noise(c, f);
  }
  FILE* out = fopen(is_speed ? "/dev/null" : argv[6], "wb");
  if (!out) return fail("cannot be written", 0);
  float* samples = calloc((size_t)width * slice, sizeof *samples);
  float* interleaved = calloc((size_t)width * slice, sizeof *interleaved);
  AudioBufferList* list =
    calloc(1, sizeof(AudioBufferList) + MAX_CHANNELS * sizeof(AudioBuffer));
  uint64_t skipped = 0, written = 0;
  Float64 latency = 0;
  struct timespec start, end;
  for (uint64_t time = 0; is_speed && time < frames; time += slice) {
    // The first second is not counted.
    if (time <= CENSUS_RATE) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    AudioUnitRenderActionFlags flags = 0;
    AudioTimeStamp stamp = {.mSampleTime = (Float64)time, .mFlags = kAudioTimeStampSampleTimeValid};
    list->mNumberBuffers = out_channels[0];
    for (uint32_t c = 0; c < out_channels[0]; ++c)
      list->mBuffers[c] =
        (AudioBuffer){1, slice * (UInt32)sizeof(float), samples + (size_t)c * slice};
    status = AudioUnitRender(unit, &flags, &stamp, 0, slice, list);
    if (status) return fail("cannot be rendered", status);
  }
  if (is_speed) {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    printf("%.6f\n", (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9);
    return 0;
  }
  for (uint64_t time = 0; written < frames; time += slice) {
    for (int note = 0; note < CENSUS_NOTES; ++note) {
      const uint64_t at = census_notes[note].frame;
      if (at < time || at >= time + slice) continue;
      const uint8_t* bytes = census_notes[note].bytes;
      MusicDeviceMIDIEvent(unit, bytes[0], bytes[1], bytes[2], (UInt32)(at - time));
    }
    census_table_noise(table_noise, &generator, in_width * slice);
    uint32_t channel = 0;
    for (UInt32 bus = 0; bus < out_count; ++bus) {
      AudioUnitRenderActionFlags flags = 0;
      AudioTimeStamp stamp;
      memset(&stamp, 0, sizeof stamp);
      stamp.mSampleTime = (Float64)time;
      stamp.mFlags = kAudioTimeStampSampleTimeValid;
      list->mNumberBuffers = out_channels[bus];
      for (uint32_t c = 0; c < out_channels[bus]; ++c, ++channel)
        list->mBuffers[c] =
          (AudioBuffer){1, slice * (UInt32)sizeof(float), samples + (size_t)channel * slice};
      status = AudioUnitRender(unit, &flags, &stamp, bus, slice, list);
      if (status) return fail("cannot be rendered", status);
    }
    // As many slices as the census has, with the latency.
    if (time < frames) hash = census_hash(hash, samples, width * slice);
    UInt32 size = sizeof latency;
    AudioUnitGetProperty(unit, kAudioUnitProperty_Latency, 0, 0, &latency, &size);
    for (uint32_t i = 0; i < slice; ++i)
      for (uint32_t c = 0; c < width; ++c)
        interleaved[(size_t)i * width + c] = samples[(size_t)c * slice + i];
    // The latency is left out, as far as it is known by now.
    const uint64_t due = (uint64_t)(latency * CENSUS_RATE + 0.5);
    uint64_t skip = due > skipped ? due - skipped : 0;
    if (skip > slice) skip = slice;
    skipped += skip;
    uint64_t count = slice - skip;
    if (count > frames - written) count = frames - written;
    fwrite(interleaved + skip * width, sizeof(float) * width, count, out);
    written += count;
  }
  fclose(out);
  printf("%u %llu\n", width, (unsigned long long)skipped);
  if (argc == 8 && table) printf("%016llx\n", (unsigned long long)hash);
  if (argc == 8 && !table) print_meters(unit);
  AudioUnitUninitialize(unit);
  AudioComponentInstanceDispose(unit);
  return 0;
}
