// The least a host can do with a VST3 plug-in: the speed floor, and the reference for its output.
// SPDX-License-Identifier: Apache-2.0
//
//   cc -O2 -o bare-vst3-host bare-vst3-host.c -ldl
//   bare-vst3-host NAME.vst3/Contents/x86_64-linux/NAME.so NAME --speed=FRAMES|--raw=FRAMES
//
// --speed prints CPU seconds. --raw writes samples to standard output, as census-unit.c does: those of all audio outputs
// frame by frame, beginning where the latency ends. Every audio input has noise that differs from the others'. The first bus of
// events receives a few notes.
// NAME is that of a class, or its number among the components. -DBLOCK=... sets the frames of a slice for the speed.

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../Sources/Formats/CForeignPlugIns/VST3PlugIn.h"
#include "../Sources/Formats/CForeignPlugIns/VST3Run.h"
#include "census-signal.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#ifndef BLOCK
#define BLOCK 1024
#endif

static int fail(const char* what) {
  fprintf(stderr, "bare-vst3-host: %s\n", what);
  return 1;
}

static bool find(AuricleVST3Factory* factory, const char* name, AuricleVST3ID* id) {
  char* end;
  long number = strtol(name, &end, 10);
  const bool is_number = *name && !*end;
  const int32_t count = factory->table->count(factory);
  for (int32_t i = 0; i < count; ++i) {
    AuricleVST3Class2 info;
    if (!auricle_vst3_class(factory, i, &info) || strcmp(info.category, "Audio Module Class")) continue;
    if (is_number ? number-- > 0 : strcmp(info.name, name) != 0) continue;
    *id = info.id;
    return true;
  }
  return false;
}

static int32_t bus_count(const AuricleVST3PlugIn* plugin, int32_t direction) {
  const int32_t count = plugin->component->table->bus_count(plugin->component, kVST3_Audio, direction);
  return count < 0 ? 0 : count > 64 ? 64 : count;
}

static int32_t channel_count(const AuricleVST3PlugIn* plugin, int32_t direction, int32_t bus) {
  AuricleVST3Bus info;
  memset(&info, 0, sizeof info);
  plugin->component->table->bus_info(plugin->component, kVST3_Audio, direction, bus, &info);
  return info.channel_count;
}

// Sets the plug-in up at its own arrangements, and makes its run.
static AuricleVST3Run* set_up(AuricleVST3PlugIn* plugin) {
  const int32_t inputs = bus_count(plugin, kVST3_Input), outputs = bus_count(plugin, kVST3_Output);
  int32_t counts[128], all = 0, in = 0;
  for (int32_t b = 0; b < inputs + outputs; ++b) {
    counts[b] = channel_count(plugin, b < inputs ? kVST3_Input : kVST3_Output, b < inputs ? b : b - inputs);
    all += counts[b];
    if (b < inputs) in += counts[b];
  }
  const bool is_double = plugin->processor->table->can_process(plugin->processor, kVST3_Sample32) != kVST3_OK;
  AuricleVST3Setup setup = {kVST3_Offline, is_double ? kVST3_Sample64 : kVST3_Sample32, BLOCK, CENSUS_RATE};
  if (plugin->processor->table->set_up(plugin->processor, &setup) != kVST3_OK) return NULL;
  auricle_vst3_activate_buses(plugin);
  if (!auricle_vst3_activate(plugin)) return NULL;
  const int32_t parameters =
    plugin->controller ? plugin->controller->table->parameter_count(plugin->controller) : 0;
  AuricleVST3Run* run = auricle_vst3_make_run(all, inputs + outputs, 0, parameters, BLOCK, is_double);
  if (!run) return NULL;
  run->processor = plugin->processor;
  run->handler = plugin->handler;
  run->input_channels = in;
  run->sends_events = plugin->component->table->bus_count(plugin->component, kVST3_Event, kVST3_Input) > 0;
  run->process.mode = kVST3_Offline;
  run->process.input_count = inputs;
  run->process.output_count = outputs;
  run->process.inputs = run->buffers;
  run->process.outputs = run->buffers + inputs;
  run->context.sample_rate = CENSUS_RATE;
  run->context.tempo = 120;
  run->context.state = kVST3Context_Playing | kVST3Context_Continuous;
  for (int32_t b = 0, first = 0; b < inputs + outputs; first += counts[b++])
    run->buffers[b] = (AuricleVST3Buffers){counts[b], 0, run->channels + first};
  float* memory = calloc((size_t)(all + 1) * BLOCK, sizeof *memory);
  for (int32_t c = 0; c < all; ++c) run->floats[c] = memory + (size_t)c * BLOCK;
  return run;
}

static void process(AuricleVST3Run* run, uint64_t time, int32_t frames) {
  for (int n = 0; n < CENSUS_NOTES; ++n)
    if (census_notes[n].frame >= time && census_notes[n].frame < time + (uint64_t)frames)
      auricle_vst3_add_message(run, (int32_t)(census_notes[n].frame - time), census_notes[n].bytes, 3);
  run->context.project_samples = (int64_t)time;
  auricle_vst3_process(run, frames, false);
  auricle_vst3_clear_lists(run);
}

static int write_raw(AuricleVST3Run* run, uint64_t frames) {
  uint64_t skipped = auricle_vst3_latency(run), written = 0;
  for (uint64_t time = 0; written < frames; time += BLOCK) {
    for (int32_t c = 0; c < run->input_channels; ++c)
      for (uint32_t f = 0; f < BLOCK; ++f) run->floats[c][f] = census_noise((uint32_t)c, time + f);
    process(run, time, BLOCK);
    for (uint64_t f = 0; f < BLOCK && written < frames; ++f) {
      if (skipped > 0) {
        --skipped;
        continue;
      }
      for (int32_t c = run->input_channels; c < run->channel_count; ++c)
        fwrite(run->floats[c] + f, sizeof(float), 1, stdout);
      ++written;
    }
  }
  return 0;
}

static void feed_noise(const float* noise, float* memory, uint64_t time, uint32_t frames) {
  memcpy(memory, noise + time % CENSUS_LOOP, frames * sizeof(float));
}

static int print_speed(AuricleVST3Run* run, uint64_t frames) {
  const int32_t count = run->input_channels;
  float* noise = calloc((size_t)(count + 1) * CENSUS_LOOP, sizeof *noise);
  for (int32_t c = 0; c < count; ++c)
    for (uint32_t f = 0; f < CENSUS_LOOP; ++f) noise[(size_t)c * CENSUS_LOOP + f] = census_noise((uint32_t)c, f);
#if defined(__SSE__)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
  // Read anew in every slice: the compiler is not to know them, as it does not in the unit's host.
  void (*volatile source)(const float*, float*, uint64_t, uint32_t) = feed_noise;
  volatile int32_t slice = BLOCK;
  struct timespec start = {0, 0}, end;
  for (uint64_t time = 0; time < frames; time += BLOCK) {
    // The first second is not counted.
    if (time <= CENSUS_RATE) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    for (int32_t c = 0; c < count; ++c)
      source(noise + (size_t)c * CENSUS_LOOP, run->floats[c], time, (uint32_t)slice);
    process(run, time, slice);
  }
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  printf("%.6f\n", (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9);
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 4) return fail("usage: bare-vst3-host FILE.so NAME --raw=FRAMES|--speed=FRAMES");
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) return fail(dlerror());
  const AuricleVST3Module module = auricle_vst3_module(library);
  if (!module.enter || !module.get_factory) return fail("the file is no module of VST3");
  if (!module.enter(library)) return fail("the module refused to start");
  AuricleVST3Factory* factory = module.get_factory();
  AuricleVST3ID id;
  if (!factory || !find(factory, argv[2], &id)) return fail("the module has no such class");
  AuricleVST3Application* application = calloc(1, sizeof *application);
  auricle_vst3_prepare_application(application, auricle_bell_make());
  auricle_vst3_set_factory_context(factory, application);
  AuricleVST3PlugIn plugin = {.application = application, .handler = auricle_vst3_make_handler(application->bell)};
  if (auricle_vst3_open(&plugin, factory, &id)) return fail("the plug-in could not be made");
  AuricleVST3Run* run = set_up(&plugin);
  if (!run) return fail("the plug-in could not be set up");
  const char* task = argv[3];
  int code = 64;
  if (!strncmp(task, "--raw=", 6)) code = write_raw(run, strtoull(task + 6, NULL, 10));
  if (!strncmp(task, "--speed=", 8)) code = print_speed(run, strtoull(task + 8, NULL, 10));
  fflush(stdout);
  _exit(code);
}
