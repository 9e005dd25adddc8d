// The binary interface of LADSPA 1.1, in our own words: one table of functions and one description a plug-in.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <dlfcn.h>
#include <stdint.h>

#include "Guard.h"

// The kind of a port: a direction and a type.
enum {
  kLADSPAPort_Input = 1,
  kLADSPAPort_Output = 2,
  kLADSPAPort_Control = 4,
  kLADSPAPort_Audio = 8,
};

// The meaning of the values of a control port; the default is one number in four of the bits.
enum {
  kLADSPAHint_BoundedBelow = 0x1,
  kLADSPAHint_BoundedAbove = 0x2,
  kLADSPAHint_Toggled = 0x4,
  kLADSPAHint_SampleRate = 0x8,
  kLADSPAHint_Logarithmic = 0x10,
  kLADSPAHint_Integer = 0x20,
  kLADSPAHint_DefaultMask = 0x3C0,
  kLADSPAHint_DefaultMinimum = 0x40,
  kLADSPAHint_DefaultLow = 0x80,
  kLADSPAHint_DefaultMiddle = 0xC0,
  kLADSPAHint_DefaultHigh = 0x100,
  kLADSPAHint_DefaultMaximum = 0x140,
  kLADSPAHint_Default0 = 0x200,
  kLADSPAHint_Default1 = 0x240,
  kLADSPAHint_Default100 = 0x280,
  kLADSPAHint_Default440 = 0x2C0,
};

// The promises of a plug-in, and its limits.
enum {
  kLADSPAProperty_Realtime = 1,
  kLADSPAProperty_InPlaceBroken = 2,
  kLADSPAProperty_HardRealtime = 4,
};

// The hint of a control port with its bounds.
typedef struct {
  int hint;
  float lower;
  float upper;
} AuricleLADSPARange;

// One plug-in of a file.
typedef struct AuricleLADSPADescriptor {
  unsigned long unique_id;
  const char* label;
  int properties;
  const char* name;
  const char* maker;
  const char* copyright;
  unsigned long port_count;
  const int* port_descriptors;
  const char* const* port_names;
  const AuricleLADSPARange* port_ranges;
  void* implementation_data;
  void* (*instantiate)(const struct AuricleLADSPADescriptor* descriptor, unsigned long sample_rate);
  void (*connect_port)(void* handle, unsigned long port, float* memory);
  void (*activate)(void* handle);
  void (*run)(void* handle, unsigned long frames);
  void (*run_adding)(void* handle, unsigned long frames);
  void (*set_run_adding_gain)(void* handle, float gain);
  void (*deactivate)(void* handle);
  void (*cleanup)(void* handle);
} AuricleLADSPADescriptor;

// The function that a file exports as `ladspa_descriptor`; null after the last index.
typedef const AuricleLADSPADescriptor* (*AuricleLADSPAFunction)(unsigned long index);

// dlsym returns an untyped pointer; C may make a function of it.
static inline AuricleLADSPAFunction auricle_ladspa_function(void* library) {
  return (AuricleLADSPAFunction)(uintptr_t)dlsym(library, "ladspa_descriptor");
}

AURICLE_TRUSTED static inline void auricle_ladspa_connect(
  const AuricleLADSPADescriptor* descriptor, void* handle, unsigned long port, float* memory) {
  descriptor->connect_port(handle, port, memory);
}

// Runs a plug-in where the caller restores the floating-point mode.
AURICLE_TRUSTED static inline void auricle_ladspa_run(
  const AuricleLADSPADescriptor* descriptor, void* handle, unsigned long frames) {
  const unsigned short mode = auricle_x87_mode();
  descriptor->run(handle, frames);
  auricle_end_run(mode);
}

// Runs a plug-in whose result must not depend on the process's work between its runs.
AURICLE_TRUSTED static inline void auricle_ladspa_run_repeatably(
  const AuricleLADSPADescriptor* descriptor, void* handle, unsigned long frames, void* stack) {
  const unsigned short mode = auricle_x87_mode();
  auricle_put_stack(stack);
  descriptor->run(handle, frames);
  auricle_keep_stack(stack);
  auricle_end_run(mode);
}
