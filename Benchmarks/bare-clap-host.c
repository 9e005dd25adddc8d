// The least a host can do with a CLAP plug-in: the speed floor, and the reference for its output.
// SPDX-License-Identifier: Apache-2.0
//
//   cc -O2 -o bare-clap-host bare-clap-host.c -lm -ldl -pthread
//   bare-clap-host FILE.clap ID --speed=FRAMES|--raw=FRAMES
//
// --speed prints CPU seconds. --raw writes samples to standard output, as census-unit.c does.
//
// Raw samples are those of the audio outputs frame by frame, beginning where the latency ends. Every audio input has
// noise that differs from the others'. No event is sent. -DBLOCK=... sets the frames of a slice.

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../Sources/Formats/CForeignPlugIns/CLAPRun.h"
#include "census-signal.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#ifndef BLOCK
#define BLOCK 1024
#endif
enum { MAX_PORTS = 64, MAX_CHANNELS = 256 };

typedef struct {
  const AuricleCLAPPlugin* plugin;
  AuricleCLAPHostState* host;
  AuricleCLAPBuffer buffers[2][MAX_PORTS];
  float* channels[2][MAX_CHANNELS];
  uint32_t port_count[2], channel_count[2];
  AuricleCLAPProcess process;
} Host;

static int fail(const char* what) {
  fprintf(stderr, "bare-clap-host: %s\n", what);
  return 1;
}

static uint32_t no_events(const AuricleCLAPInput* list) {
  (void)list;
  return 0;
}
static const AuricleCLAPEvent* no_event(const AuricleCLAPInput* list, uint32_t index) {
  (void)list, (void)index;
  return NULL;
}
static bool drop(const AuricleCLAPOutput* list, const AuricleCLAPEvent* event) {
  (void)list, (void)event;
  return true;
}

// Serves the plug-in's requests to the main thread.
static void pump(Host* self) {
  for (int i = 0; i < 64 && auricle_clap_requests(self->host, kCLAPRequest_Callback); ++i)
    self->plugin->on_main_thread(self->plugin);
}

static bool make_ports(Host* self) {
  const AuricleCLAPAudioPorts* ports = self->plugin->get_extension(self->plugin, "clap.audio-ports");
  for (int side = 0; ports && side < 2; ++side) {
    const bool is_input = side == 0;
    self->port_count[side] = ports->count(self->plugin, is_input);
    if (self->port_count[side] > MAX_PORTS) return false;
    for (uint32_t i = 0; i < self->port_count[side]; ++i) {
      AuricleCLAPAudioPort port;
      if (!ports->get(self->plugin, i, is_input, &port) ||
          self->channel_count[side] + port.channel_count > MAX_CHANNELS)
        return false;
      self->buffers[side][i].data32 = self->channels[side] + self->channel_count[side];
      self->buffers[side][i].channel_count = port.channel_count;
      for (uint32_t c = 0; c < port.channel_count; ++c)
        self->channels[side][self->channel_count[side]++] = calloc(BLOCK, sizeof(float));
    }
  }
  return true;
}

static void run(Host* self) {
  self->process.frame_count = BLOCK;
  self->plugin->process(self->plugin, &self->process);
  self->process.steady_time += BLOCK;
}

static int write_raw(Host* self, uint64_t frames) {
  const AuricleCLAPFrames* latency = self->plugin->get_extension(self->plugin, "clap.latency");
  uint64_t skip = latency ? latency->get(self->plugin) : 0, written = 0;
  for (uint64_t time = 0; written < frames; time += BLOCK) {
    for (uint32_t c = 0; c < self->channel_count[0]; ++c)
      for (uint32_t f = 0; f < BLOCK; ++f) self->channels[0][c][f] = census_noise(c, time + f);
    run(self);
    for (uint32_t f = 0; f < BLOCK && written < frames; ++f) {
      if (skip) {
        --skip;
        continue;
      }
      for (uint32_t c = 0; c < self->channel_count[1]; ++c)
        fwrite(self->channels[1][c] + f, sizeof(float), 1, stdout);
      ++written;
    }
  }
  return 0;
}

static void feed_noise(const float* noise, float* memory, uint64_t time, uint32_t frames) {
  memcpy(memory, noise + time % CENSUS_LOOP, frames * sizeof(float));
}

static int print_speed(Host* self, uint64_t frames) {
  float* noise = calloc((self->channel_count[0] + 1) * CENSUS_LOOP, sizeof *noise);
  for (uint32_t c = 0; c < self->channel_count[0]; ++c)
    for (uint32_t f = 0; f < CENSUS_LOOP; ++f) noise[c * CENSUS_LOOP + f] = census_noise(c, f);
#if defined(__SSE__)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
  // Read anew in every slice: the compiler is not to know them, as it does not in the unit's host.
  void (*volatile source)(const float*, float*, uint64_t, uint32_t) = feed_noise;
  struct timespec start, end;
  for (uint64_t time = 0; time < frames; time += BLOCK) {
    // The first second is not counted.
    if (time <= CENSUS_RATE) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    for (uint32_t c = 0; c < self->channel_count[0]; ++c)
      source(noise + c * CENSUS_LOOP, self->channels[0][c], time, BLOCK);
    run(self);
  }
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  printf("%.6f\n", (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9);
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 4) return fail("usage: bare-clap-host FILE.clap ID --raw=FRAMES|--speed=FRAMES");
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) return fail(dlerror());
  const AuricleCLAPEntry* entry = auricle_clap_entry(library);
  if (!entry || !entry->start(argv[1])) return fail("the file has no clap_entry, or it refused to start");
  const AuricleCLAPFactory* factory = entry->get_factory("clap.plugin-factory");
  static Host self;
  self.host = malloc(sizeof *self.host);
  auricle_clap_prepare_host(self.host, -1);
  self.plugin = factory ? factory->create(factory, &self.host->host, argv[2]) : NULL;
  auricle_clap_enter_phase(self.host, kCLAPPhase_Inactive);
  if (!self.plugin || !self.plugin->initialise(self.plugin)) return fail("the file has no such plug-in");
  pump(&self);
  const AuricleCLAPRender* render = self.plugin->get_extension(self.plugin, "clap.render");
  if (render) render->set(self.plugin, 1);
  if (!make_ports(&self)) return fail("it has more ports or channels than this host");
  auricle_clap_enter_phase(self.host, kCLAPPhase_Activating);
  if (!self.plugin->activate(self.plugin, CENSUS_RATE, 1, BLOCK)) return fail("it refused to be activated");
  auricle_clap_enter_phase(self.host, kCLAPPhase_Active);
  pump(&self);
  const AuricleCLAPInput input = {NULL, no_events, no_event};
  const AuricleCLAPOutput output = {NULL, drop};
  self.process = (AuricleCLAPProcess){
    .inputs = self.buffers[0], .outputs = self.buffers[1], .input_count = self.port_count[0],
    .output_count = self.port_count[1], .events_in = &input, .events_out = &output};
  auricle_clap_enter_audio(self.host);
  if (!self.plugin->start_processing(self.plugin)) return fail("it refused to start");
  if (!strncmp(argv[3], "--raw=", 6)) return write_raw(&self, strtoull(argv[3] + 6, NULL, 0));
  if (strncmp(argv[3], "--speed=", 8)) return fail("the last argument is --raw= or --speed=FRAMES");
  return print_speed(&self, strtoull(argv[3] + 8, NULL, 0));
}
