// Shared by the fixtures: the interface of LADSPA, and one plug-in that passes its input on.
// SPDX-License-Identifier: Apache-2.0
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT = 1, OUTPUT = 2, CONTROL = 4, AUDIO = 8 };
enum {
  BELOW = 1, ABOVE = 2, TOGGLED = 4, SAMPLE_RATE = 8, LOGARITHMIC = 16, INTEGER = 32,
  AT_MINIMUM = 0x40, LOW = 0x80, MIDDLE = 0xC0, HIGH = 0x100, AT_MAXIMUM = 0x140,
  ZERO = 0x200, ONE = 0x240, HUNDRED = 0x280, CONCERT_A = 0x2C0,
};

typedef struct {
  int hint;
  float lower, upper;
} Range;

typedef struct Descriptor {
  unsigned long id;
  const char* label;
  int properties;
  const char *name, *maker, *copyright;
  unsigned long port_count;
  const int* ports;
  const char* const* names;
  const Range* ranges;
  void* data;
  void* (*instantiate)(const struct Descriptor*, unsigned long);
  void (*connect_port)(void*, unsigned long, float*);
  void (*activate)(void*);
  void (*run)(void*, unsigned long);
  void (*run_adding)(void*, unsigned long);
  void (*set_run_adding_gain)(void*, float);
  void (*deactivate)(void*);
  void (*cleanup)(void*);
} Descriptor;

// An instance: the memory of its ports, and two numbers.
typedef struct {
  float* ports[64];
  unsigned long rate, runs;
} Instance;

static inline void* make(const Descriptor* descriptor, unsigned long rate) {
  Instance* instance = calloc(1, sizeof *instance);
  (void)descriptor;
  instance->rate = rate;
  return instance;
}

static inline void connect_port(void* handle, unsigned long port, float* memory) {
  ((Instance*)handle)->ports[port] = memory;
}

static inline void pass(void* handle, unsigned long frames) {
  const Instance* self = handle;
  memmove(self->ports[1], self->ports[0], frames * sizeof(float));
}

static const int pass_ports[] = {INPUT | AUDIO, OUTPUT | AUDIO};
static const char* const pass_names[] = {"Input", "Output"};
static const Range pass_ranges[2];

#define PASS(LABEL) \
  {.id = 1, .label = LABEL, .name = "Passes " LABEL, .maker = "Auricle's tests <nobody@example.org>", \
   .copyright = "None", .port_count = 2, .ports = pass_ports, .names = pass_names, .ranges = pass_ranges, \
   .instantiate = make, .connect_port = connect_port, .run = pass, .cleanup = free}
