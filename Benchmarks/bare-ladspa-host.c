// The least a host can do with a LADSPA plug-in: the speed floor, and the reference for its output.
// SPDX-License-Identifier: Apache-2.0
//
//   cc -O2 -o bare-ladspa-host bare-ladspa-host.c -lm -ldl
//   bare-ladspa-host FILE.so LABEL --hash|--speed=FRAMES|--raw=FRAMES
//
// --hash prints the latency, and a hash of eight slices of 1024 frames. --speed prints CPU seconds. --raw writes samples to
// standard output, as census-unit.c does.
//
// Raw samples are those of the audio outputs frame by frame, beginning where the latency ends. Every audio input has
// noise that differs from the others', side chains after the main inputs.
// LABEL may be a number: the index of the plug-in in its file. -DBLOCK=... sets the frames of a slice for the speed.

#include <ctype.h>
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../Sources/Formats/CForeignPlugIns/LADSPA.h"
#include "census-signal.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#ifndef BLOCK
#define BLOCK 1024
#endif
enum { HASH_BLOCK = 1024, HASH_SLICES = 8 };

typedef struct {
  const AuricleLADSPADescriptor* descriptor;
  void* handle;
  float** ports;
} Plugin;

static int fail(const char* what) {
  fprintf(stderr, "bare-ladspa-host: %s\n", what);
  return 1;
}

static bool is_port(const Plugin* self, unsigned long port, int bits) {
  return (self->descriptor->port_descriptors[port] & bits) == bits;
}

// The value that a control input begins with.
static float default_value(const AuricleLADSPARange* range, float rate) {
  const float scale = range->hint & kLADSPAHint_SampleRate ? rate : 1;
  const float lower = range->lower * scale, upper = range->upper * scale;
  float weight;
  switch (range->hint & kLADSPAHint_DefaultMask) {
    case kLADSPAHint_DefaultMinimum: return lower;
    case kLADSPAHint_DefaultLow: weight = 0.25f; break;
    case kLADSPAHint_DefaultMiddle: weight = 0.5f; break;
    case kLADSPAHint_DefaultHigh: weight = 0.75f; break;
    case kLADSPAHint_DefaultMaximum: return upper;
    case kLADSPAHint_Default1: return 1;
    case kLADSPAHint_Default100: return 100;
    case kLADSPAHint_Default440: return 440;
    case kLADSPAHint_Default0: return 0;
    default: return range->hint & kLADSPAHint_BoundedBelow && lower > 0 ? lower : 0;
  }
  if (range->hint & kLADSPAHint_Logarithmic)
    return expf(logf(lower) * (1 - weight) + logf(upper) * weight);
  return lower * (1 - weight) + upper * weight;
}

static const AuricleLADSPADescriptor* find(AuricleLADSPAFunction get, const char* label) {
  char* end;
  const unsigned long index = strtoul(label, &end, 10);
  if (*label && !*end) return get(index);
  for (unsigned long i = 0; i < 65536; ++i) {
    const AuricleLADSPADescriptor* descriptor = get(i);
    if (!descriptor || !strcmp(descriptor->label, label)) return descriptor;
  }
  return NULL;
}

static void fill_noise(float* memory, uint32_t* state, int frames) {
  for (int f = 0; f < frames; ++f) {
    *state = *state * 1664525u + 1013904223u;
    memory[f] = (float)((int)(*state >> 8) - 8388608) / 8388608.0f * 0.25f;
  }
}

// Whether the name of a port says that it is of a side chain.
static bool is_side_chain(const char* name) {
  char letters[256];
  size_t count = 0;
  for (; *name && count < sizeof letters - 1; ++name)
    if (isalpha((unsigned char)*name)) letters[count++] = (char)tolower((unsigned char)*name);
  letters[count] = 0;
  return strstr(letters, "sidechain");
}

static float latency(const Plugin* self) {
  float frames = 0;
  for (unsigned long p = 0; p < self->descriptor->port_count; ++p)
    if (is_port(self, p, kLADSPAPort_Output | kLADSPAPort_Control) &&
        strstr(self->descriptor->port_names[p], "atency"))
      frames = *self->ports[p];
  return frames;
}

static int print_hash(Plugin* self) {
  const AuricleLADSPADescriptor* descriptor = self->descriptor;
  uint64_t hash = 0x14650FB0739D0383u;
  uint32_t state = 1;
  for (int slice = 0; slice < HASH_SLICES; ++slice) {
    for (unsigned long p = 0; p < descriptor->port_count; ++p)
      if (is_port(self, p, kLADSPAPort_Input | kLADSPAPort_Audio))
        fill_noise(self->ports[p], &state, HASH_BLOCK);
    descriptor->run(self->handle, HASH_BLOCK);
    for (unsigned long p = 0; p < descriptor->port_count; ++p) {
      if (!is_port(self, p, kLADSPAPort_Output | kLADSPAPort_Audio)) continue;
      for (int f = 0; f < HASH_BLOCK; ++f) {
        uint32_t word;
        memcpy(&word, self->ports[p] + f, sizeof word);
        hash = (hash ^ word) * 0x100000001B3u;
      }
    }
  }
  printf("%g %016llx\n", (double)latency(self), (unsigned long long)hash);
  return 0;
}

static int write_raw(Plugin* self, uint64_t frames) {
  const AuricleLADSPADescriptor* descriptor = self->descriptor;
  static uint8_t stack[kAuricleStackSize];
  uint64_t skipped = 0, written = 0;
  for (uint64_t time = 0; written < frames; time += BLOCK) {
    uint32_t channel = 0;
    for (int is_side = 0; is_side < 2; ++is_side)
      for (unsigned long p = 0; p < descriptor->port_count; ++p) {
        if (!is_port(self, p, kLADSPAPort_Input | kLADSPAPort_Audio) ||
            is_side_chain(descriptor->port_names[p]) != is_side)
          continue;
        for (uint32_t f = 0; f < BLOCK; ++f) self->ports[p][f] = census_noise(channel, time + f);
        ++channel;
      }
    // As the unit does: some plug-ins read stack memory left by their last run.
    auricle_put_stack(stack);
    descriptor->run(self->handle, BLOCK);
    auricle_keep_stack(stack);
    const float reported = latency(self);
    const uint64_t due = reported > 0 ? (uint64_t)(reported + 0.5f) : 0;
    uint64_t skip = due > skipped ? due - skipped : 0;
    if (skip > BLOCK) skip = BLOCK;
    skipped += skip;
    for (uint64_t f = skip; f < BLOCK && written < frames; ++f, ++written)
      for (unsigned long p = 0; p < descriptor->port_count; ++p)
        if (is_port(self, p, kLADSPAPort_Output | kLADSPAPort_Audio))
          fwrite(self->ports[p] + f, sizeof(float), 1, stdout);
  }
  return 0;
}

static void feed_noise(const float* noise, float* memory, uint64_t time, uint32_t frames) {
  memcpy(memory, noise + time % CENSUS_LOOP, frames * sizeof(float));
}

static int print_speed(Plugin* self, uint64_t frames) {
  const AuricleLADSPADescriptor* descriptor = self->descriptor;
  unsigned long inputs[256], count = 0;
  for (unsigned long p = 0; p < descriptor->port_count && count < 256; ++p)
    if (is_port(self, p, kLADSPAPort_Input | kLADSPAPort_Audio)) inputs[count++] = p;
  float* noise = calloc((count + 1) * CENSUS_LOOP, sizeof *noise);
  for (unsigned long c = 0; c < count; ++c)
    for (uint32_t f = 0; f < CENSUS_LOOP; ++f)
      noise[c * CENSUS_LOOP + f] = census_noise((uint32_t)c, f);
#if defined(__SSE__)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
  // Read anew in every slice: the compiler is not to know them, as it does not in the unit's host.
  void (*volatile source)(const float*, float*, uint64_t, uint32_t) = feed_noise;
  volatile uint32_t slice = BLOCK;
  struct timespec start, end;
  for (uint64_t time = 0; time < frames; time += BLOCK) {
    // The first second is not counted.
    if (time <= CENSUS_RATE) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    for (unsigned long c = 0; c < count; ++c)
      source(noise + c * CENSUS_LOOP, self->ports[inputs[c]], time, slice);
    descriptor->run(self->handle, slice);
  }
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  printf("%.6f\n", (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9);
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 4) return fail("usage: bare-ladspa-host FILE.so LABEL --hash|--raw=FRAMES|--speed=FRAMES");
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) return fail(dlerror());
  AuricleLADSPAFunction get = (AuricleLADSPAFunction)(uintptr_t)dlsym(library, "ladspa_descriptor");
  if (!get) return fail("the file has no symbol ladspa_descriptor");
  Plugin self = {.descriptor = find(get, argv[2])};
  if (!self.descriptor) return fail("the file has no such plug-in");
  self.handle = self.descriptor->instantiate(self.descriptor, CENSUS_RATE);
  if (!self.handle) return fail("the plug-in refused to be instantiated");
  self.ports = calloc(self.descriptor->port_count + 1, sizeof *self.ports);
  for (unsigned long p = 0; p < self.descriptor->port_count; ++p) {
    const bool is_control = is_port(&self, p, kLADSPAPort_Control);
    self.ports[p] = calloc(is_control ? 1 : BLOCK > HASH_BLOCK ? BLOCK : HASH_BLOCK, sizeof(float));
    if (is_port(&self, p, kLADSPAPort_Control | kLADSPAPort_Input))
      *self.ports[p] = default_value(&self.descriptor->port_ranges[p], CENSUS_RATE);
    self.descriptor->connect_port(self.handle, p, self.ports[p]);
  }
  if (self.descriptor->activate) self.descriptor->activate(self.handle);
  if (!strcmp(argv[3], "--hash")) return print_hash(&self);
  if (!strncmp(argv[3], "--raw=", 6)) return write_raw(&self, strtoull(argv[3] + 6, NULL, 0));
  if (strncmp(argv[3], "--speed=", 8)) return fail("the last argument is --hash, --raw= or --speed=FRAMES");
  return print_speed(&self, strtoull(argv[3] + 8, NULL, 0));
}
