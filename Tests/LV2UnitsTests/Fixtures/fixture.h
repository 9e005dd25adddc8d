// Shared by the fixture plug-ins: ports, instantiation, features.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <lv2/core/lv2.h>
#include <lv2/urid/urid.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Port 0 is audio in, port 1 audio out; the others are in `control` by their index.
typedef struct {
  const float* in;
  float* out;
  float* control[16];
  float line[64];
  float value;
  float pending;
  uint32_t frame;
  const void* data;
} Fixture;

static inline void fixture_connect(LV2_Handle handle, uint32_t port, void* data) {
  Fixture* self = handle;
  if (port == 0) self->in = data;
  else if (port == 1) self->out = data;
  else if (port < 16) self->control[port] = data;
}

static inline const void* fixture_feature(const LV2_Feature* const* features, const char* uri) {
  for (; *features; ++features)
    if (!strcmp((*features)->URI, uri)) return (*features)->data;
  return NULL;
}

static inline int fixture_has(const LV2_Feature* const* features, const char* uri) {
  for (; *features; ++features)
    if (!strcmp((*features)->URI, uri)) return 1;
  return 0;
}

static inline LV2_Handle fixture_instantiate(
  const LV2_Descriptor* d, double rate, const char* path, const LV2_Feature* const* features) {
  (void)d, (void)rate, (void)path, (void)features;
  return calloc(1, sizeof(Fixture));
}

static inline void fixture_cleanup(LV2_Handle handle) { free(handle); }

#define FIXTURE(uri, instantiate, extension_data) \
  LV2_SYMBOL_EXPORT const LV2_Descriptor* lv2_descriptor(uint32_t index) { \
    static const LV2_Descriptor descriptor = { \
      uri, instantiate, fixture_connect, NULL, run, NULL, fixture_cleanup, extension_data}; \
    return index ? NULL : &descriptor; \
  }
