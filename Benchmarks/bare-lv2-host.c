// The least a host can do with an LV2 plug-in: the speed floor, and the reference for its output.
// SPDX-License-Identifier: Apache-2.0
//
//   cc -O2 -o bare-lv2-host bare-lv2-host.c $(pkg-config --cflags --libs lilv-0 sndfile)
//   bare-lv2-host URI in.wav out.wav [symbol=value ...]
//   bare-lv2-host URI --census=FRAMES out.raw [symbol=value ...]
//   bare-lv2-host URI --speed=FRAMES -
//
// Instantiates, connects, runs blocks of 1024 frames (or -DBLOCK=...), writes 32-bit float WAV. Prints nothing but errors.
// Channel n of the file feeds audio input n, side chains after the others. Of a file with fewer channels
// the first ones are used again, and side chains hear silence.
//
// For the census there is no file: every input has noise of its own, CV inputs their default, and notes go to the
// first input for MIDI. The output is raw, frame by frame the audio outputs (those of the main group first)
// and then the CV outputs; what makes neither passes its input on, and without one it is two channels of silence.
// The latency that the plug-in tells is left out. For speed, blocks of noise made beforehand are copied in and run,
// by a function called for each as in the host of the unit (census-unit.c); the CPU seconds of that alone are
// printed.

#include <lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/log/log.h>
#include <lv2/options/options.h>
#include <lv2/parameters/parameters.h>
#include <lv2/resize-port/resize-port.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>
#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bare-lv2-features.h"
#include "census-signal.h"

#ifndef BLOCK
#define BLOCK 1024
#endif

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

static int fail(const char* what) {
  fprintf(stderr, "bare-lv2-host: %s\n", what);
  return 1;
}

// The source of a measurement: called slice by slice, as a unit calls that of its host.
static void feed_noise(
  const float* noise, float* blocks, uint32_t channels, uint64_t time, uint32_t frames) {
  for (uint32_t c = 0; c < channels; ++c)
    memcpy(
      blocks + (size_t)c * BLOCK, noise + (size_t)c * CENSUS_LOOP + time % CENSUS_LOOP,
      frames * sizeof(float));
}

int main(int argc, char** argv) {
  if (argc < 4) return fail("usage: bare-lv2-host URI in.wav out.wav [symbol=value ...]");
  const int is_speed = !strncmp(argv[2], "--speed=", 8);
  const int is_census = is_speed || !strncmp(argv[2], "--census=", 9);
  SF_INFO info = {.samplerate = CENSUS_RATE, .channels = 1};
  SNDFILE* in = NULL;
  if (!is_census) {
    info = (SF_INFO){0};
    in = sf_open(argv[2], SFM_READ, &info);
    if (!in) return fail(sf_strerror(NULL));
  }

  LilvWorld* world = lilv_world_new();
  lilv_world_load_all(world);
  LilvNode* uri = lilv_new_uri(world, argv[1]);
  const LilvPlugin* plugin =
    lilv_plugins_get_by_uri(lilv_world_get_all_plugins(world), uri);
  if (!plugin) return fail("no such plug-in");

  LV2_URID_Map map = {NULL, map_uri};
  LV2_URID_Unmap unmap = {NULL, unmap_uri};
  LV2_Log_Log log = {NULL, log_printf, log_vprintf};
  LV2_Worker_Schedule worker_schedule = {NULL, schedule};
  LV2_State_Make_Path state_make = {NULL, make_path};
  LV2_State_Map_Path state_map = {NULL, copy_path, copy_path};
  LV2_State_Free_Path state_free = {NULL, free_path};
  const LV2_URID atom_int = map_uri(NULL, LV2_ATOM__Int), atom_float = map_uri(NULL, LV2_ATOM__Float);
  const LV2_URID sequence = map_uri(NULL, LV2_ATOM__Sequence), chunk = map_uri(NULL, LV2_ATOM__Chunk);
  const float rate = (float)info.samplerate;
  const int32_t one = 1, block = BLOCK, sequence_size = 8192;
  const LV2_Options_Option options[] = {
    {LV2_OPTIONS_INSTANCE, 0, map_uri(NULL, LV2_PARAMETERS__sampleRate), 4, atom_float, &rate},
    {LV2_OPTIONS_INSTANCE, 0, map_uri(NULL, LV2_BUF_SIZE__minBlockLength), 4, atom_int, &one},
    {LV2_OPTIONS_INSTANCE, 0, map_uri(NULL, LV2_BUF_SIZE__maxBlockLength), 4, atom_int, &block},
    {LV2_OPTIONS_INSTANCE, 0, map_uri(NULL, LV2_BUF_SIZE__nominalBlockLength), 4, atom_int, &block},
    {LV2_OPTIONS_INSTANCE, 0, map_uri(NULL, LV2_BUF_SIZE__sequenceSize), 4, atom_int, &sequence_size},
    {LV2_OPTIONS_INSTANCE, 0, 0, 0, 0, NULL},
  };
  LV2_Feature list[] = {
    {LV2_URID__map, &map}, {LV2_URID__unmap, &unmap}, {LV2_OPTIONS__options, (void*)options},
    {LV2_BUF_SIZE__boundedBlockLength, NULL}, {LV2_WORKER__schedule, &worker_schedule},
    {LV2_LOG__log, &log}, {LV2_STATE__makePath, &state_make}, {LV2_STATE__mapPath, &state_map},
    {LV2_STATE__freePath, &state_free}, {LV2_STATE__loadDefaultState, NULL},
    {LV2_STATE__threadSafeRestore, NULL}, {LV2_CORE__isLive, NULL},
    {LV2_CORE__hardRTCapable, NULL}, {LV2_CORE__inPlaceBroken, NULL},
  };
  enum { FEATURES = sizeof list / sizeof *list };
  const LV2_Feature* features[FEATURES + 1] = {0};
  for (int i = 0; i < FEATURES; ++i) features[i] = &list[i];

  LilvInstance* instance = lilv_plugin_instantiate(plugin, info.samplerate, features);
  if (!instance) return fail("the plug-in cannot be instantiated");
  const LV2_Descriptor* descriptor = lilv_instance_get_descriptor(instance);
  const LV2_Handle handle = lilv_instance_get_handle(instance);
  worker = lilv_instance_get_extension_data(instance, LV2_WORKER__interface);
  worker_handle = handle;

  const uint32_t ports = lilv_plugin_get_num_ports(plugin);
  float* controls = calloc(ports, sizeof *controls);
  float* minima = calloc(ports, sizeof *minima);
  float* maxima = calloc(ports, sizeof *maxima);
  float* defaults = calloc(ports, sizeof *defaults);
  uint32_t* audio_in = calloc(ports, sizeof *audio_in);
  uint32_t* audio_out = calloc(ports, sizeof *audio_out);
  LV2_Atom_Sequence** atoms = calloc(ports, sizeof *atoms);
  uint32_t* atom_sizes = calloc(ports, sizeof *atom_sizes);
  uint32_t* side = calloc(ports, sizeof *side);
  uint32_t* apart = calloc(ports, sizeof *apart);
  uint32_t* voltages = calloc(ports, sizeof *voltages);
  const char** side_groups = calloc(ports, sizeof *side_groups);
  const char** apart_groups = calloc(ports, sizeof *apart_groups);
  uint32_t in_count = 0, out_count = 0, side_count = 0, apart_count = 0, voltage_count = 0;
  uint32_t midi_port = UINT32_MAX, latency_port = UINT32_MAX;
  lilv_plugin_get_port_ranges_float(plugin, minima, maxima, defaults);
#define NODE(text) lilv_new_uri(world, text)
  LilvNode* is_audio = NODE(LILV_URI_AUDIO_PORT);
  LilvNode* is_control = NODE(LILV_URI_CONTROL_PORT);
  LilvNode* is_cv = NODE(LILV_URI_CV_PORT);
  LilvNode* is_atom = NODE(LILV_URI_ATOM_PORT);
  LilvNode* is_input = NODE(LILV_URI_INPUT_PORT);
  LilvNode* scaled = NODE(LV2_CORE__sampleRate);
  LilvNode* designation = NODE(LV2_CORE__designation);
  LilvNode* minimum_size = NODE(LV2_RESIZE_PORT__minimumSize);
  LilvNode* group = NODE("http://lv2plug.in/ns/ext/port-groups#group");
  LilvNode* side_chain_of = NODE("http://lv2plug.in/ns/ext/port-groups#sideChainOf");
  LilvNode* side_chain = NODE(LV2_CORE_PREFIX "isSideChain");
  LilvNode* supports = NODE("http://lv2plug.in/ns/ext/atom#supports");
  LilvNode* midi_event = NODE("http://lv2plug.in/ns/ext/midi#MidiEvent");
  LilvNode* main_in = lilv_world_get(world, uri, NODE("http://lv2plug.in/ns/ext/port-groups#mainInput"), NULL);
  LilvNode* main_out = lilv_world_get(world, uri, NODE("http://lv2plug.in/ns/ext/port-groups#mainOutput"), NULL);
  if (lilv_plugin_has_latency(plugin)) latency_port = lilv_plugin_get_latency_port_index(plugin);
  // A main group counts when a port is in it.
  int has_main_in = 0, has_main_out = 0;
  for (uint32_t i = 0; i < ports; ++i) {
    const LilvPort* port = lilv_plugin_get_port_by_index(plugin, i);
    LilvNode* in_group = lilv_port_get(plugin, port, group);
    if (!in_group || !lilv_port_is_a(plugin, port, is_audio)) continue;
    if (lilv_port_is_a(plugin, port, is_input)) has_main_in |= main_in && lilv_node_equals(in_group, main_in);
    else has_main_out |= main_out && lilv_node_equals(in_group, main_out);
  }
  for (uint32_t i = 0; i < ports; ++i) {
    const LilvPort* port = lilv_plugin_get_port_by_index(plugin, i);
    const int is_in = lilv_port_is_a(plugin, port, is_input);
    if (lilv_port_is_a(plugin, port, is_audio)) {
      LilvNode* in_group = lilv_port_get(plugin, port, group);
      LilvNode* of = in_group ? lilv_world_get(world, in_group, side_chain_of, NULL) : NULL;
      const char* name = in_group ? lilv_node_as_string(in_group) : "";
      if (is_in && (of || lilv_port_has_property(plugin, port, side_chain) ||
                    (has_main_in && in_group && !lilv_node_equals(in_group, main_in)))) {
        side_groups[side_count] = name;
        side[side_count++] = i;
      } else if (is_in) {
        audio_in[in_count++] = i;
      } else if (has_main_out && in_group && !lilv_node_equals(in_group, main_out)) {
        apart_groups[apart_count] = name;
        apart[apart_count++] = i;
      } else {
        audio_out[out_count++] = i;
      }
    } else if (lilv_port_is_a(plugin, port, is_cv)) {
      // An input nobody drives has its default.
      float* block = calloc(BLOCK, sizeof(float));
      for (int f = 0; is_in && isfinite(defaults[i]) && f < BLOCK; ++f) block[f] = defaults[i];
      lilv_instance_connect_port(instance, i, block);
      if (!is_in) voltages[voltage_count++] = i;
    } else if (lilv_port_is_a(plugin, port, is_control)) {
      if (is_in) {
        // A missing default is 0, brought into the range.
        float value = defaults[i];
        if (!isfinite(value)) {
          value = 0;
          if (isfinite(minima[i]) && value < minima[i]) value = minima[i];
          if (isfinite(maxima[i]) && value > maxima[i]) value = maxima[i];
        }
        if (lilv_port_has_property(plugin, port, scaled)) value *= rate;
        LilvNode* role = lilv_port_get(plugin, port, designation);
        if (role && !strcmp(lilv_node_as_uri(role), LV2_CORE__enabled)) value = 1;
        if (role && !strcmp(lilv_node_as_uri(role), LV2_CORE__freeWheeling)) value = 1;
        lilv_node_free(role);
        controls[i] = value;
        const char* symbol = lilv_node_as_string(lilv_port_get_symbol(plugin, port));
        for (int a = 4; a < argc; ++a) {
          const char* equals = strchr(argv[a], '=');
          if (equals && (size_t)(equals - argv[a]) == strlen(symbol) &&
              !strncmp(argv[a], symbol, strlen(symbol)))
            controls[i] = strtof(equals + 1, NULL);
        }
      }
      lilv_instance_connect_port(instance, i, &controls[i]);
    } else if (lilv_port_is_a(plugin, port, is_atom)) {
      LilvNode* size = lilv_port_get(plugin, port, minimum_size);
      atom_sizes[i] = 8192 + (size ? (uint32_t)lilv_node_as_float(size) : 0);
      atoms[i] = calloc(1, atom_sizes[i] + 64);
      if (is_in) atom_sizes[i] = 0;
      if (is_in && midi_port == UINT32_MAX &&
          lilv_nodes_contains(lilv_port_get_value(plugin, port, supports), midi_event))
        midi_port = i;
      lilv_instance_connect_port(instance, i, atoms[i]);
    } else {
      lilv_instance_connect_port(instance, i, NULL);
    }
  }
  const uint32_t main_count = in_count;
  // Groups one after the other, in the order of their first ports.
  for (uint32_t c = 0; c < side_count; ++c)
    for (uint32_t d = c; side_groups[c] && d < side_count; ++d)
      if (side_groups[d] && (d == c || !strcmp(side_groups[c], side_groups[d]))) {
        audio_in[in_count++] = side[d];
        if (d != c) side_groups[d] = NULL;
      }
  for (uint32_t c = 0; c < apart_count; ++c)
    for (uint32_t d = c; apart_groups[c] && d < apart_count; ++d)
      if (apart_groups[d] && (d == c || !strcmp(apart_groups[c], apart_groups[d]))) {
        audio_out[out_count++] = apart[d];
        if (d != c) apart_groups[d] = NULL;
      }
  const uint32_t through = is_census && !out_count ? main_count : 0;
  for (uint32_t c = 0; is_census && c < voltage_count; ++c) audio_out[out_count++] = voltages[c];
  float* in_blocks = calloc((in_count + 1) * BLOCK, sizeof(float));
  float* out_blocks = calloc((out_count + 1) * BLOCK, sizeof(float));
  for (uint32_t c = 0; c < in_count; ++c)
    lilv_instance_connect_port(instance, audio_in[c], in_blocks + c * BLOCK);
  for (uint32_t c = 0; c < out_count; ++c)
    lilv_instance_connect_port(instance, audio_out[c], out_blocks + c * BLOCK);
  work();
  LilvNode* default_state = NODE(LV2_STATE__loadDefaultState);
  if (lilv_plugin_has_feature(plugin, default_state)) {
    LilvState* state = lilv_state_new_from_world(world, &map, uri);
    if (state) lilv_state_restore(state, instance, NULL, NULL, 0, features);
    lilv_state_free(state);
    work();
  }
  lilv_instance_activate(instance);
  work();

#if defined(__SSE__)
  if (is_census) _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
  if (is_speed) {
    const uint64_t frames = strtoull(argv[2] + 8, NULL, 0);
    float* noise = calloc((size_t)(in_count + 1) * CENSUS_LOOP, sizeof *noise);
    for (uint32_t c = 0; c < in_count; ++c)
      for (uint32_t f = 0; f < CENSUS_LOOP; ++f)
        noise[(size_t)c * CENSUS_LOOP + f] = census_noise(c, f);
    struct timespec start, end;
    // Read anew in every slice: the compiler is not to know them, as it does not in the unit's host.
    void (*volatile source)(const float*, float*, uint32_t, uint64_t, uint32_t) = feed_noise;
    volatile uint32_t slice = BLOCK;
    for (uint64_t time = 0; time < frames; time += BLOCK) {
      // The first second is not counted.
      if (time <= CENSUS_RATE) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
      source(noise, in_blocks, in_count, time, slice);
      for (uint32_t i = 0; i < ports; ++i) {
        if (!atoms[i]) continue;
        atoms[i]->atom.size = atom_sizes[i] ? atom_sizes[i] : sizeof(LV2_Atom_Sequence_Body);
        atoms[i]->atom.type = atom_sizes[i] ? chunk : sequence;
        atoms[i]->body.unit = atoms[i]->body.pad = 0;
      }
      descriptor->run(handle, slice);
      if (request_count || response_count) work();
      if (worker && worker->end_run) worker->end_run(handle);
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    printf("%.6f\n", (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9);
    return 0;
  }
  if (is_census) {
    const uint64_t frames = strtoull(argv[2] + 9, NULL, 0);
    FILE* raw = fopen(argv[3], "wb");
    if (!raw) return fail("cannot write");
    const uint32_t width = out_count + through ? out_count + through : 2;
    float* wide = calloc((size_t)width * BLOCK, sizeof *wide);
    uint64_t skipped = 0, written = 0;
    for (uint64_t time = 0; written < frames; time += BLOCK) {
      for (uint32_t c = 0; c < in_count; ++c)
        for (uint32_t f = 0; f < BLOCK; ++f) in_blocks[c * BLOCK + f] = census_noise(c, time + f);
      for (uint32_t i = 0; i < ports; ++i) {
        if (!atoms[i]) continue;
        atoms[i]->atom.size = atom_sizes[i] ? atom_sizes[i] : sizeof(LV2_Atom_Sequence_Body);
        atoms[i]->atom.type = atom_sizes[i] ? chunk : sequence;
        atoms[i]->body.unit = atoms[i]->body.pad = 0;
        for (int n = 0; i == midi_port && n < CENSUS_NOTES; ++n) {
          if (census_notes[n].frame < time || census_notes[n].frame >= time + BLOCK) continue;
          LV2_Atom_Event* event = (LV2_Atom_Event*)((uint8_t*)atoms[i] + 8 + atoms[i]->atom.size);
          event->time.frames = (int64_t)(census_notes[n].frame - time);
          event->body.size = 3;
          event->body.type = map_uri(NULL, "http://lv2plug.in/ns/ext/midi#MidiEvent");
          memset(event + 1, 0, 8);
          memcpy(event + 1, census_notes[n].bytes, 3);
          atoms[i]->atom.size += 24;
        }
      }
      descriptor->run(handle, BLOCK);
      if (request_count || response_count) work();
      if (worker && worker->end_run) worker->end_run(handle);
      for (uint32_t c = 0; c < out_count + through; ++c)
        for (uint32_t f = 0; f < BLOCK; ++f)
          wide[(size_t)f * width + c] =
            c < through ? in_blocks[c * BLOCK + f] : out_blocks[(c - through) * BLOCK + f];
      uint64_t due = 0;
      // What passes by is not late, whatever is said of the analysis.
      if (latency_port != UINT32_MAX && !through && controls[latency_port] > 0)
        due = (uint64_t)(controls[latency_port] + 0.5f);
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
  SF_INFO out_info = {.samplerate = info.samplerate, .channels = out_count ? (int)out_count : 1,
                      .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT};
  SNDFILE* out = sf_open(argv[3], SFM_WRITE, &out_info);
  if (!out) return fail(sf_strerror(NULL));
  sf_command(out, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
  float* in_frames = calloc((size_t)info.channels * BLOCK, sizeof(float));
  float* out_frames = calloc((size_t)out_info.channels * BLOCK, sizeof(float));
#if defined(__SSE__)
  _mm_setcsr(_mm_getcsr() | 0x8040);  // flush denormals to zero
#endif
  sf_count_t count;
  while ((count = sf_readf_float(in, in_frames, BLOCK)) > 0) {
    for (uint32_t c = 0; c < in_count; ++c) {
      if (c >= main_count && c >= (uint32_t)info.channels) continue;
      for (sf_count_t f = 0; f < count; ++f)
        in_blocks[c * BLOCK + f] = in_frames[f * info.channels + c % info.channels];
    }
    for (uint32_t i = 0; i < ports; ++i) {
      if (!atoms[i]) continue;
      atoms[i]->atom.size = atom_sizes[i] ? atom_sizes[i] : sizeof(LV2_Atom_Sequence_Body);
      atoms[i]->atom.type = atom_sizes[i] ? chunk : sequence;
      atoms[i]->body.unit = atoms[i]->body.pad = 0;
    }
    descriptor->run(handle, (uint32_t)count);
    if (request_count || response_count) work();
    if (worker && worker->end_run) worker->end_run(handle);
    for (uint32_t c = 0; c < out_count; ++c)
      for (sf_count_t f = 0; f < count; ++f)
        out_frames[f * out_info.channels + c] = out_blocks[c * BLOCK + f];
    if (sf_writef_float(out, out_frames, count) != count) return fail(sf_strerror(out));
  }
  sf_close(out);
  sf_close(in);
  lilv_instance_deactivate(instance);
  return 0;
}
