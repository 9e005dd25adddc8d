// Passes sound on, and crashes where its load is above a half: what pages show of that.
// SPDX-License-Identifier: Apache-2.0

#include <lv2/core/lv2.h>
#include <stdlib.h>

typedef struct {
  const float *in, *load;
  float *out;
} Fuse;

static LV2_Handle instantiate(const LV2_Descriptor *descriptor, double rate, const char *path, const LV2_Feature *const *features) {
  (void)descriptor, (void)rate, (void)path, (void)features;
  return calloc(1, sizeof(Fuse));
}

static void connect_port(LV2_Handle handle, uint32_t port, void *data) {
  Fuse *fuse = handle;
  if (port == 0) fuse->in = data;
  if (port == 1) fuse->out = data;
  if (port == 2) fuse->load = data;
}

static void run(LV2_Handle handle, uint32_t count) {
  Fuse *fuse = handle;
  if (*fuse->load > 0.5f) *(volatile int *)8 = 1;
  for (uint32_t frame = 0; frame < count; frame++) fuse->out[frame] = fuse->in[frame] * (1 - *fuse->load);
}

static const LV2_Descriptor descriptor = {"urn:auricle:test:fuse", instantiate, connect_port, NULL, run, NULL, free, NULL};

const LV2_Descriptor *lv2_descriptor(uint32_t index) { return index == 0 ? &descriptor : NULL; }
