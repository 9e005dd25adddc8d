// A bare host of exported plug-ins: loads CLAP files into one process, and names their contents. For tests.
// SPDX-License-Identifier: Apache-2.0
//
// Build: cc -I Adapters ExportHost.c -o export-host -ldl; run: export-host [--load STATE] [--save STATE] FILE…
// A line for each plug-in: its name, the hash of what it makes of noise, and whether its own state restores it. One
// whose meters are not at their defaults once it is deactivated ends the program.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CLAP/Tables.h"

enum { kFrames = 1024, kSlices = 8 };

static const void *noExtension(const struct Host *host, const char *id) {
  (void)host, (void)id;
  return NULL;
}
static void ignore(const struct Host *host) { (void)host; }
static uint32_t noEvents(const struct InputEvents *events) {
  (void)events;
  return 0;
}
static const struct EventHeader *noEvent(const struct InputEvents *events, uint32_t index) {
  (void)events, (void)index;
  return NULL;
}
static bool drop(const struct OutputEvents *events, const struct EventHeader *header) {
  (void)events, (void)header;
  return true;
}

static char *state;
static size_t length, place;

// Streams may be short both ways.
static int64_t keep(const struct WriteStream *stream, const void *bytes, uint64_t count) {
  (void)stream;
  if (count > 17) count = 17;
  state = realloc(state, length + count);
  memcpy(state + length, bytes, count);
  length += count;
  return (int64_t)count;
}
static int64_t provide(const struct ReadStream *stream, void *bytes, uint64_t count) {
  (void)stream;
  if (count > 13) count = 13;
  if (count > length - place) count = length - place;
  memcpy(bytes, state + place, count);
  place += count;
  return (int64_t)count;
}

static uint64_t render(const struct ClapPlugin *plugin) {
  static float sound[2][2][kFrames];
  float *inputs[2] = {sound[0][0], sound[0][1]}, *outputs[2] = {sound[1][0], sound[1][1]};
  const struct AudioPorts *ports = plugin->getExtension(plugin, "clap.audio-ports");
  struct AudioBuffers in = {inputs, NULL, 2, 0, 0}, out = {outputs, NULL, 2, 0, 0};
  const struct InputEvents events = {NULL, noEvents, noEvent};
  const struct OutputEvents sent = {NULL, drop};
  uint32_t seed = 12345;
  uint64_t hash = 1469598103934665603u;
  for (int slice = 0; slice < kSlices; slice++) {
    for (int i = 0; i < 2 * kFrames; i++) {
      seed = seed * 1664525 + 1013904223;
      sound[0][i / kFrames][i % kFrames] = (float)(int32_t)seed / 4294967296.0f;
    }
    const struct Process process = {
        slice * kFrames, kFrames, NULL, &in, &out, ports->count(plugin, true) > 0, ports->count(plugin, false) > 0, &events, &sent};
    if (plugin->process(plugin, &process) == kProcessError) return 0;
    for (int i = 0; i < 2 * kFrames; i++) {
      uint32_t bits;
      memcpy(&bits, &sound[1][i / kFrames][i % kFrames], sizeof bits);
      hash = (hash ^ bits) * 1099511628211u;
    }
  }
  return hash;
}

static bool restores(const struct ClapPlugin *plugin) {
  const struct StateTable *table = plugin->getExtension(plugin, "clap.state");
  const struct WriteStream writing = {NULL, keep};
  const struct ReadStream reading = {NULL, provide};
  length = place = 0;
  const bool isKept = table->save(plugin, &writing) && table->load(plugin, &reading);
  length = place = 0;
  return isKept && !table->load(plugin, &reading);  // an empty state is refused
}

// Reads a file as the state that is loaded next; false without one.
static bool readState(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return false;
  state = realloc(state, 1 << 20);
  length = fread(state, 1, 1 << 20, file);
  place = 0;
  return fclose(file) == 0 && length > 0;
}

static bool exchange(const struct ClapPlugin *plugin, const char *loaded, const char *saved) {
  const struct StateTable *table = plugin->getExtension(plugin, "clap.state");
  const struct WriteStream writing = {NULL, keep};
  const struct ReadStream reading = {NULL, provide};
  if (loaded != NULL && (!readState(loaded) || !table->load(plugin, &reading))) return false;
  length = place = 0;
  if (saved == NULL) return true;
  FILE *file = table->save(plugin, &writing) ? fopen(saved, "wb") : NULL;
  return file != NULL && fwrite(state, 1, length, file) == length && fclose(file) == 0;
}

// Whether each meter has its default, as in a plug-in that renders nothing.
static bool isAtRest(const struct ClapPlugin *plugin) {
  const struct Parameters *table = plugin->getExtension(plugin, "clap.params");
  struct ParameterInfo info;
  double value;
  for (uint32_t i = 0; i < table->count(plugin); i++) {
    if (!table->getInfo(plugin, i, &info) || !table->getValue(plugin, info.id, &value)) return false;
    if (info.flags & kParameterReadOnly && value != info.initial) return false;
  }
  return true;
}

static int play(const char *path, const char *loaded, const char *saved) {
  static const struct Host host = {{1, 2, 0}, NULL, "Test", "Test", "", "1", noExtension, ignore, ignore, ignore};
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const struct ClapEntry *entry = library == NULL ? NULL : dlsym(library, "clap_entry");
  if (entry == NULL || !entry->init(path)) {
    fprintf(stderr, "%s cannot be loaded: %s\n", path, library == NULL ? dlerror() : "it refused");
    return 1;
  }
  const struct Factory *factory = entry->getFactory("clap.plugin-factory");
  for (uint32_t i = 0; i < factory->count(factory); i++) {
    const struct Descriptor *descriptor = factory->descriptor(factory, i);
    const struct ClapPlugin *plugin = factory->create(factory, &host, descriptor->id);
    if (plugin == NULL || !plugin->init(plugin)) return 1;
    if (!exchange(plugin, loaded, saved)) {
      fprintf(stderr, "%s refuses the state\n", descriptor->id);
      return 1;
    }
    if (!plugin->activate(plugin, 48000, 1, kFrames)) return 1;
    plugin->startProcessing(plugin);
    const uint64_t hash = render(plugin);
    plugin->stopProcessing(plugin);
    printf("%s %016llx %s\n", descriptor->id, (unsigned long long)hash, restores(plugin) ? "restored" : "lost");
    plugin->deactivate(plugin);
    if (!isAtRest(plugin)) {
      fprintf(stderr, "%s has meters that move while it renders nothing\n", descriptor->id);
      return 1;
    }
    plugin->destroy(plugin);
  }
  return 0;
}

int main(int count, char **paths) {
  int status = 0;
  const char *loaded = NULL, *saved = NULL;
  for (int i = 1; i < count; i++) {
    if (strcmp(paths[i], "--load") == 0 && i + 1 < count) loaded = paths[++i];
    else if (strcmp(paths[i], "--save") == 0 && i + 1 < count) saved = paths[++i];
    else status |= play(paths[i], loaded, saved);
  }
  return status;
}
