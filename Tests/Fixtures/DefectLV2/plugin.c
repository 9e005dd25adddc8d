// Amplifiers as LV2 plug-ins, each with one defect, which the end of its URI names: the data has some, the binary others.
// SPDX-License-Identifier: Apache-2.0
//
// Build: cc -shared -fPIC -O1 plugin.c
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lv2/core/lv2.h>
#include <lv2/state/state.h>

#define START "urn:auricle:defect:"

enum { kNames = 39, kInput = 0, kOutput = 1, kGain = 2 };

static const char *const names[kNames] = {
  "good", "name", "license", "symbol", "bounds", "range", "default", "toggled", "points", "map",
  "worker", "missing", "untold", "crash", "nan", "hang", "memory", "exit", "blank",
  "button", "switches", "mixer", "class", "version", "direction", "property", "twice",
  "latency", "integer", "log", "feature", "both", "interface", "options", "window", "kind",
  "old", "maker", "exports",
};

typedef struct {
  const char *name;
  float *ports[3];
  double rate;
} Amplifier;

static bool is(const Amplifier *amplifier, const char *name) {
  return strcmp(amplifier->name, name) == 0;
}

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  (void)bundle, (void)features;
  Amplifier *amplifier = calloc(1, sizeof *amplifier);
  amplifier->name = descriptor->URI + strlen(START);
  amplifier->rate = rate;
  while (is(amplifier, "hang")) pause();
  if (is(amplifier, "exit")) _exit(7);
  return amplifier;
}

static void connectPort(LV2_Handle handle, uint32_t port, void *data) {
  if (port < 3) ((Amplifier *)handle)->ports[port] = data;
}

static void run(LV2_Handle handle, uint32_t frames) {
  Amplifier *amplifier = handle;
  const float gain = amplifier->ports[kGain] != NULL ? *amplifier->ports[kGain] : 1;
  if (is(amplifier, "crash")) raise(SIGSEGV);
  void *volatile block = is(amplifier, "memory") ? malloc(frames + 1) : NULL;
  free(block);
  for (uint32_t frame = 0; frame < frames; frame++)
    amplifier->ports[kOutput][frame] = gain * amplifier->ports[kInput][frame];
  if (is(amplifier, "nan") && frames > 0) amplifier->ports[kOutput][0] = NAN;
}

#ifdef AURICLE_EXPORTS
// Used by this file alone, and visible to all.
LV2_SYMBOL_EXPORT int gainTable[4] = {1, 2, 3, 4};
#endif

static void cleanup(LV2_Handle handle) { free(handle); }

static LV2_State_Status save(
    LV2_Handle handle, LV2_State_Store_Function store, LV2_State_Handle state, uint32_t flags,
    const LV2_Feature *const *features) {
  (void)handle, (void)store, (void)state, (void)flags, (void)features;
  return LV2_STATE_SUCCESS;
}

static LV2_State_Status restore(
    LV2_Handle handle, LV2_State_Retrieve_Function retrieve, LV2_State_Handle state,
    uint32_t flags, const LV2_Feature *const *features) {
  (void)handle, (void)retrieve, (void)state, (void)flags, (void)features;
  return LV2_STATE_SUCCESS;
}

static const void *withState(const char *uri) {
  static const LV2_State_Interface interface = {save, restore};
  return strcmp(uri, LV2_STATE__interface) == 0 ? &interface : NULL;
}

static const void *nothing(const char *uri) {
  (void)uri;
  return NULL;
}

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  static LV2_Descriptor descriptors[kNames];
  static char uris[kNames][64];
  if (index >= kNames) return NULL;
  snprintf(uris[index], sizeof uris[index], START "%s", names[index]);
  const bool hasState =
      strcmp(names[index], "untold") == 0 || strcmp(names[index], "map") == 0;
  descriptors[index] = (LV2_Descriptor){
    uris[index], instantiate, connectPort, NULL, run, NULL, cleanup,
    hasState ? withState : nothing,
  };
  return &descriptors[index];
}
