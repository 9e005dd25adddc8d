// The least a host can do with an LV2 plug-in: the speed floor, and the reference for its output.
// SPDX-License-Identifier: Apache-2.0
//
//   cc -O2 -o bare-lv2-host bare-lv2-host.c $(pkg-config --cflags --libs lilv-0 sndfile) -lm -ldl
//   bare-lv2-host URI in.wav out.wav [symbol=value ...]
//   bare-lv2-host URI --census=FRAMES out.raw [symbol=value ...]
//   bare-lv2-host URI --speed=FRAMES -
//
// Instantiates, connects, runs blocks of 1024 frames (or -DBLOCK=...), writes 32-bit float WAV. Prints nothing but errors.
// Channel n of the file feeds audio input n, side chains after the others. If a file has fewer channels, its first ones
// are used again, and side chains get silence.
//
// For the census there is no file: every input has its own noise, CV inputs their default, and notes go to the
// first input for MIDI. The output is raw, frame by frame the audio outputs (those of the main group first) and
// then the CV outputs. A plug-in without outputs passes its input on; without inputs too, the output is two
// channels of silence. The reported latency is left out. For speed, blocks of noise made beforehand are copied in
// and run, by a function called for each as in census-unit.c. The CPU seconds of that alone
// are printed.

#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bare-lv2-plugin.h"
#include "census-signal.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

static int fail(const char* what) {
  fprintf(stderr, "bare-lv2-host: %s\n", what);
  return 1;
}

static void flush_denormals(void) {
#if defined(__SSE__)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}

// The source of a measurement: called slice by slice, as a unit calls that of its host.
static void feed_noise(
  const float* noise, float* blocks, uint32_t channels, uint64_t time, uint32_t frames) {
  for (uint32_t c = 0; c < channels; ++c)
    memcpy(
      blocks + (size_t)c * BLOCK, noise + (size_t)c * CENSUS_LOOP + time % CENSUS_LOOP,
      frames * sizeof(float));
}

static int measure_speed(Plugin* self, uint64_t frames) {
  const LV2_Descriptor* descriptor = lilv_instance_get_descriptor(self->instance);
  const LV2_Handle handle = lilv_instance_get_handle(self->instance);
  const LV2_URID sequence = map_uri(NULL, LV2_ATOM__Sequence), chunk = map_uri(NULL, LV2_ATOM__Chunk);
  const uint32_t width = self->in.count;
  float* noise = calloc((size_t)(width + 1) * CENSUS_LOOP, sizeof *noise);
  for (uint32_t c = 0; c < width; ++c)
    for (uint32_t f = 0; f < CENSUS_LOOP; ++f)
      noise[(size_t)c * CENSUS_LOOP + f] = census_noise(c, f);
  struct timespec start, end;
  // Read anew in every slice: the compiler is not to know them, as it does not in the unit's host.
  void (*volatile source)(const float*, float*, uint32_t, uint64_t, uint32_t) = feed_noise;
  volatile uint32_t slice = BLOCK;
  for (uint64_t time = 0; time < frames; time += BLOCK) {
    // The first second is not counted.
    if (time <= CENSUS_RATE) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    source(noise, self->in_blocks, width, time, slice);
    clear_atoms(self, sequence, chunk);
    run_plugin(descriptor, handle, slice);
  }
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  printf("%.6f\n", (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9);
  return 0;
}

// Puts the notes that fall into a block into the plug-in's MIDI input, if it has one.
static void play_notes(Plugin* self, uint64_t time) {
  if (self->midi_port == UINT32_MAX) return;
  LV2_Atom_Sequence* atom = self->atoms[self->midi_port];
  for (int n = 0; n < CENSUS_NOTES; ++n) {
    if (census_notes[n].frame < time || census_notes[n].frame >= time + BLOCK) continue;
    LV2_Atom_Event* event = (LV2_Atom_Event*)((uint8_t*)atom + 8 + atom->atom.size);
    event->time.frames = (int64_t)(census_notes[n].frame - time);
    event->body.size = 3;
    event->body.type = map_uri(NULL, "http://lv2plug.in/ns/ext/midi#MidiEvent");
    memset(event + 1, 0, 8);
    memcpy(event + 1, census_notes[n].bytes, 3);
    atom->atom.size += 24;
  }
}

static int take_census(Plugin* self, uint64_t frames, const char* path) {
  const LV2_Descriptor* descriptor = lilv_instance_get_descriptor(self->instance);
  const LV2_Handle handle = lilv_instance_get_handle(self->instance);
  const LV2_URID sequence = map_uri(NULL, LV2_ATOM__Sequence), chunk = map_uri(NULL, LV2_ATOM__Chunk);
  FILE* raw = fopen(path, "wb");
  if (!raw) return fail("cannot write");
  const uint32_t out_count = self->out.count;
  const uint32_t through = out_count == self->voltages.count ? self->main_count : 0;
  const uint32_t width = out_count + through ? out_count + through : 2;
  float* wide = calloc((size_t)width * BLOCK, sizeof *wide);
  uint64_t skipped = 0, written = 0;
  for (uint64_t time = 0; written < frames; time += BLOCK) {
    for (uint32_t c = 0; c < self->in.count; ++c)
      for (uint32_t f = 0; f < BLOCK; ++f) self->in_blocks[c * BLOCK + f] = census_noise(c, time + f);
    clear_atoms(self, sequence, chunk);
    play_notes(self, time);
    clear_stack();
    run_plugin(descriptor, handle, BLOCK);
    for (uint32_t c = 0; c < out_count + through; ++c)
      for (uint32_t f = 0; f < BLOCK; ++f)
        wide[(size_t)f * width + c] =
          c < through ? self->in_blocks[c * BLOCK + f] : self->out_blocks[(c - through) * BLOCK + f];
    uint64_t due = 0;
    // Sound that passes by is not late, even if the analysis reports a latency.
    if (self->latency_port != UINT32_MAX && !through && self->controls[self->latency_port] > 0)
      due = (uint64_t)(self->controls[self->latency_port] + 0.5f);
    uint64_t skip = due > skipped ? due - skipped : 0;
    if (skip > BLOCK) skip = BLOCK;
    skipped += skip;
    uint64_t count = BLOCK - skip;
    if (count > frames - written) count = frames - written;
    fwrite(wide + skip * width, sizeof(float) * width, count, raw);
    written += count;
  }
  fclose(raw);
  printf("%u %llu\n", width, (unsigned long long)skipped);
  return 0;
}

static int process_file(Plugin* self, SNDFILE* in, const SF_INFO* info, const char* path) {
  const LV2_Descriptor* descriptor = lilv_instance_get_descriptor(self->instance);
  const LV2_Handle handle = lilv_instance_get_handle(self->instance);
  const LV2_URID sequence = map_uri(NULL, LV2_ATOM__Sequence), chunk = map_uri(NULL, LV2_ATOM__Chunk);
  SF_INFO out_info = {.samplerate = info->samplerate, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT,
                      .channels = self->out.count ? (int)self->out.count : 1};
  SNDFILE* out = sf_open(path, SFM_WRITE, &out_info);
  if (!out) return fail(sf_strerror(NULL));
  sf_command(out, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
  float* in_frames = calloc((size_t)info->channels * BLOCK, sizeof(float));
  float* out_frames = calloc((size_t)out_info.channels * BLOCK, sizeof(float));
  sf_count_t count;
  while ((count = sf_readf_float(in, in_frames, BLOCK)) > 0) {
    for (uint32_t c = 0; c < self->in.count; ++c) {
      if (c >= self->main_count && c >= (uint32_t)info->channels) continue;
      for (sf_count_t f = 0; f < count; ++f)
        self->in_blocks[c * BLOCK + f] = in_frames[f * info->channels + c % info->channels];
    }
    clear_atoms(self, sequence, chunk);
    clear_stack();
    run_plugin(descriptor, handle, (uint32_t)count);
    for (uint32_t c = 0; c < self->out.count; ++c)
      for (sf_count_t f = 0; f < count; ++f)
        out_frames[f * out_info.channels + c] = self->out_blocks[c * BLOCK + f];
    if (sf_writef_float(out, out_frames, count) != count) return fail(sf_strerror(out));
  }
  sf_close(out);
  sf_close(in);
  lilv_instance_deactivate(self->instance);
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 4) return fail("usage: bare-lv2-host URI in.wav out.wav [symbol=value ...]");
  const bool is_speed = !strncmp(argv[2], "--speed=", 8);
  const bool is_census = !strncmp(argv[2], "--census=", 9);
  SF_INFO info = {.samplerate = CENSUS_RATE, .channels = 1};
  SNDFILE* in = NULL;
  if (!is_census && !is_speed) {
    info = (SF_INFO){0};
    in = sf_open(argv[2], SFM_READ, &info);
    if (!in) return fail(sf_strerror(NULL));
  }
  static Plugin plugin;
  const char* problem = open_plugin(
    &plugin, argv[1], (float)info.samplerate, is_census || is_speed, argc - 4, argv + 4);
  if (problem) return fail(problem);
  flush_denormals();
  if (is_speed) return measure_speed(&plugin, strtoull(argv[2] + 8, NULL, 0));
  if (is_census) return take_census(&plugin, strtoull(argv[2] + 9, NULL, 0), argv[3]);
  return process_file(&plugin, in, &info, argv[3]);
}
