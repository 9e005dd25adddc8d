// The least a host can do with a LADSPA plug-in: the speed floor, and the reference for its output.
// SPDX-License-Identifier: Apache-2.0
//
//   cc -O2 -o bare-ladspa-host bare-ladspa-host.c -lm -ldl
//   bare-ladspa-host FILE.so LABEL --hash|--speed=FRAMES|--raw=FRAMES|--meters=FRAMES|--order
//
// --hash prints the latency, and a hash of eight slices of 1024 frames. --speed prints CPU seconds. --raw writes samples to
// standard output, as census-unit.c does. --meters renders the same, and prints index and value of each control output
// that is no latency. --order prints the audio inputs in the order of the unit's channels, each by its place among them.
//
// Raw samples are those of the audio outputs frame by frame, beginning where the latency ends; those of the inputs where
// there are no outputs. Every audio input has noise that differs from the others', side chains after the main inputs.
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

// Whether the name of a port says that it is of a side chain.
static bool is_side_chain(const char* name) {
  char letters[256];
  size_t count = 0;
  for (; *name && count < sizeof letters - 1; ++name)
    if (isalpha((unsigned char)*name)) letters[count++] = (char)tolower((unsigned char)*name);
  letters[count] = 0;
  return strstr(letters, "sidechain");
}

// The last control output of the name; -1 without one.
static long latency_port(const Plugin* self) {
  long port = -1;
  for (unsigned long p = 0; p < self->descriptor->port_count; ++p)
    if (is_port(self, p, kLADSPAPort_Output | kLADSPAPort_Control) &&
        strstr(self->descriptor->port_names[p], "atency"))
      port = (long)p;
  return port;
}

static float latency(const Plugin* self) {
  const long port = latency_port(self);
  return port < 0 ? 0 : *self->ports[port];
}

static int print_meters(const Plugin* self) {
  for (unsigned long p = 0; p < self->descriptor->port_count; ++p)
    if (is_port(self, p, kLADSPAPort_Output | kLADSPAPort_Control) && (long)p != latency_port(self))
      printf("%lu %.9g\n", p, (double)*self->ports[p]);
  return 0;
}

static int print_order(const Plugin* self) {
  for (int is_side = 0; is_side < 2; ++is_side)
    for (unsigned long p = 0, place = 0; p < self->descriptor->port_count; ++p) {
      if (!is_port(self, p, kLADSPAPort_Input | kLADSPAPort_Audio)) continue;
      if (is_side_chain(self->descriptor->port_names[p]) == is_side) printf("%lu\n", place);
      ++place;
    }
  return 0;
}

static int print_hash(Plugin* self) {
  const AuricleLADSPADescriptor* descriptor = self->descriptor;
  uint64_t hash = CENSUS_HASH;
  uint32_t state = 1;
  for (int slice = 0; slice < HASH_SLICES; ++slice) {
    for (unsigned long p = 0; p < descriptor->port_count; ++p)
      if (is_port(self, p, kLADSPAPort_Input | kLADSPAPort_Audio))
        census_table_noise(self->ports[p], &state, HASH_BLOCK);
    descriptor->run(self->handle, HASH_BLOCK);
    for (unsigned long p = 0; p < descriptor->port_count; ++p)
      if (is_port(self, p, kLADSPAPort_Output | kLADSPAPort_Audio))
        hash = census_hash(hash, self->ports[p], HASH_BLOCK);
  }
  printf("%g %016llx\n", (double)latency(self), (unsigned long long)hash);
  return 0;
}

// Whether a port's samples are in the raw output.
static bool is_written(const Plugin* self, unsigned long port) {
  for (unsigned long p = 0; p < self->descriptor->port_count; ++p)
    if (is_port(self, p, kLADSPAPort_Output | kLADSPAPort_Audio))
      return is_port(self, port, kLADSPAPort_Output | kLADSPAPort_Audio);
  return is_port(self, port, kLADSPAPort_Input | kLADSPAPort_Audio) &&
         !is_side_chain(self->descriptor->port_names[port]);
}

static int render(Plugin* self, uint64_t frames, bool writes) {
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
    // Without an output, the input passes by.
    bool has_output = false;
    for (unsigned long p = 0; p < descriptor->port_count; ++p)
      has_output = has_output || is_port(self, p, kLADSPAPort_Output | kLADSPAPort_Audio);
    const float reported = has_output ? latency(self) : 0;
    const uint64_t due = reported > 0 ? (uint64_t)(reported + 0.5f) : 0;
    uint64_t skip = due > skipped ? due - skipped : 0;
    if (skip > BLOCK) skip = BLOCK;
    skipped += skip;
    for (uint64_t f = skip; f < BLOCK && written < frames; ++f, ++written)
      for (unsigned long p = 0; p < descriptor->port_count; ++p)
        if (writes && is_written(self, p)) fwrite(self->ports[p] + f, sizeof(float), 1, stdout);
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

// Allocates the memory of all ports: the values of control ports, then the audio ports. Two plug-ins read beyond theirs,
// and find what a host has there that allocates one after the other: see LADSPAPortArena.swift.
static void allocate_ports(Plugin* self, unsigned long frames) {
  const unsigned long count = self->descriptor->port_count;
  const unsigned long head = (count * sizeof(float) + 8 + 15) / 16 * 4, stride = frames + 4;
  float* memory = calloc(head + (count + 2) * stride, sizeof *memory);
  self->ports = calloc(count + 1, sizeof *self->ports);
  for (unsigned long p = 0, place = 0; p < count; ++p)
    self->ports[p] = is_port(self, p, kLADSPAPort_Control) ? memory + p : memory + head + stride * place++;
}

int main(int argc, char** argv) {
  if (argc != 4)
    return fail("usage: bare-ladspa-host FILE.so LABEL --hash|--raw=FRAMES|--speed=FRAMES|--meters=FRAMES|--order");
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) return fail(dlerror());
  AuricleLADSPAFunction get = (AuricleLADSPAFunction)(uintptr_t)dlsym(library, "ladspa_descriptor");
  if (!get) return fail("the file has no symbol ladspa_descriptor");
  Plugin self = {.descriptor = find(get, argv[2])};
  if (!self.descriptor) return fail("the file has no such plug-in");
  self.handle = self.descriptor->instantiate(self.descriptor, CENSUS_RATE);
  if (!self.handle) return fail("the plug-in refused to be instantiated");
  if (!strcmp(argv[3], "--order")) return print_order(&self);
  const bool is_hash = !strcmp(argv[3], "--hash");
  allocate_ports(&self, is_hash ? HASH_BLOCK : BLOCK);
  for (unsigned long p = 0; p < self.descriptor->port_count; ++p) {
    if (is_port(&self, p, kLADSPAPort_Control | kLADSPAPort_Input))
      *self.ports[p] = default_value(&self.descriptor->port_ranges[p], CENSUS_RATE);
    self.descriptor->connect_port(self.handle, p, self.ports[p]);
  }
  if (self.descriptor->activate) self.descriptor->activate(self.handle);
  if (is_hash) return print_hash(&self);
  if (!strncmp(argv[3], "--raw=", 6)) return render(&self, strtoull(argv[3] + 6, NULL, 0), true);
  if (!strncmp(argv[3], "--meters=", 9))
    return render(&self, strtoull(argv[3] + 9, NULL, 0), false) || print_meters(&self);
  if (strncmp(argv[3], "--speed=", 8))
    return fail("the last argument is --hash, --raw=, --meters= or --speed=FRAMES, or --order");
  return print_speed(&self, strtoull(argv[3] + 8, NULL, 0));
}
