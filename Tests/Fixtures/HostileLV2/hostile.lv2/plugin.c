// An LV2 plug-in that misbehaves, at the moment and in the way that the environment names.
// SPDX-License-Identifier: Apache-2.0
//
// Compile with -I Tests/Fixtures/BrokenUnits. While it runs it is hostile to samples above 0.9 only.
#include "Deeds.h"

#include <lv2/core/lv2.h>

typedef struct {
  const float *in;
  float *out, *latency;
} Hostile;

__attribute__((constructor)) static void load(void) { hostile("load"); }
__attribute__((destructor)) static void unload(void) { hostile("unload"); }

static LV2_Handle instantiate(const LV2_Descriptor *d, double rate, const char *path,
                              const LV2_Feature *const *features) {
  (void)d, (void)rate, (void)path, (void)features;
  hostile("instantiate");
  const char *name = deedOf("instantiate");
  if (name && !strcmp(name, "refusal")) return NULL;
  static int made;
  if (name && !strcmp(name, "scarcity") && ++made > 2) return NULL;
  return calloc(1, sizeof(Hostile));
}

static void connectPort(LV2_Handle handle, uint32_t port, void *data) {
  Hostile *self = handle;
  hostile("open");
  if (port == 0) self->in = data;
  if (port == 1) self->out = data;
  if (port == 2) self->latency = data;
}

static void activate(LV2_Handle handle) { (void)handle, hostile("initialize"); }

static void run(LV2_Handle handle, uint32_t count) {
  Hostile *self = handle;
  const char *output = deedOf("output");
  if (output && !strcmp(output, "none")) return;
  for (uint32_t i = 0; i < count; i++) {
    const float sample = self->in[i];
    self->out[i] = sample > 0.9f ? hostileSample(sample) : sample;
    const char *name = sample > 0.9f ? deedOf("render") : NULL;
    if (!name) continue;
    if (!strcmp(name, "smashtop")) memset(kept = malloc(100000), 0x41, 100000 + 64);
    if (!strcmp(name, "beyond")) memset(self->out + count, 0x3F, 64);
    if (!strcmp(name, "latency") && self->latency) *self->latency = 1e9f;
    if (!strcmp(name, "nanlatency") && self->latency) *self->latency = NAN;
    if (!strcmp(name, "wobble") && self->latency) *self->latency = (float)(i % 7);
  }
}

static void deactivate(LV2_Handle handle) { (void)handle, hostile("reset"); }
static void cleanup(LV2_Handle handle) { hostile("close"), free(handle); }

static const LV2_Descriptor descriptor = {
  "urn:auricle:test:hostile", instantiate, connectPort, activate, run, deactivate, cleanup, NULL,
};

const LV2_Descriptor *lv2_descriptor(uint32_t index) { return index == 0 ? &descriptor : NULL; }
