// A plug-in in the bare host: instantiated, its ports connected, its default state restored, and run.
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/options/options.h>
#include <lv2/parameters/parameters.h>
#include <lv2/resize-port/resize-port.h>
#include <math.h>
#include <stdbool.h>

#include "bare-lv2-features.h"
#include "bare-lv2-repeat.h"

#ifndef BLOCK
#define BLOCK 1024
#endif

enum { MAX_PORTS = 8192, ATOM_CAPACITY = 8192 };

// Indices of ports.
typedef struct {
  uint32_t count;
  uint32_t ports[MAX_PORTS];
  // The group of each, while they are put in order; "" for none.
  const char* groups[MAX_PORTS];
} Ports;

typedef struct {
  LilvWorld* world;
  LilvNode* uri;
  const LilvPlugin* plugin;
  LilvInstance* instance;
  uint32_t port_count;
  float controls[MAX_PORTS];
  LV2_Atom_Sequence* atoms[MAX_PORTS];
  // Room in an output's buffer; 0 for inputs.
  uint32_t atom_sizes[MAX_PORTS];
  uint32_t midi_port;
  uint32_t latency_port;
  // Audio ports: those of the main group first; side chains, further groups, and inputs beside a main
  // group after them.
  Ports in;
  Ports out;
  uint32_t main_count;
  Ports voltages;
  float* in_blocks;
  float* out_blocks;
} Plugin;

static LilvNode* node(const Plugin* self, const char* uri) { return lilv_new_uri(self->world, uri); }

// Offers all features; the array stays alive.
static const LV2_Feature* const* make_features(float sample_rate) {
  static LV2_URID_Map map = {NULL, map_uri};
  static LV2_URID_Unmap unmap = {NULL, unmap_uri};
  static LV2_Log_Log log = {NULL, log_printf, log_vprintf};
  static LV2_Worker_Schedule worker_schedule = {NULL, schedule};
  static LV2_State_Make_Path state_make = {NULL, make_path};
  static LV2_State_Map_Path state_map = {NULL, copy_path, copy_path};
  static LV2_State_Free_Path state_free = {NULL, free_path};
  static const int32_t one = 1, block = BLOCK, sequence_size = ATOM_CAPACITY;
  static float rate;
  rate = sample_rate;
  const LV2_URID atom_int = map_uri(NULL, LV2_ATOM__Int), atom_float = map_uri(NULL, LV2_ATOM__Float);
  static LV2_Options_Option options[6];
  const LV2_Options_Option all[] = {
    {LV2_OPTIONS_INSTANCE, 0, map_uri(NULL, LV2_PARAMETERS__sampleRate), 4, atom_float, &rate},
    {LV2_OPTIONS_INSTANCE, 0, map_uri(NULL, LV2_BUF_SIZE__minBlockLength), 4, atom_int, &one},
    {LV2_OPTIONS_INSTANCE, 0, map_uri(NULL, LV2_BUF_SIZE__maxBlockLength), 4, atom_int, &block},
    {LV2_OPTIONS_INSTANCE, 0, map_uri(NULL, LV2_BUF_SIZE__nominalBlockLength), 4, atom_int, &block},
    {LV2_OPTIONS_INSTANCE, 0, map_uri(NULL, LV2_BUF_SIZE__sequenceSize), 4, atom_int, &sequence_size},
    {LV2_OPTIONS_INSTANCE, 0, 0, 0, 0, NULL},
  };
  memcpy(options, all, sizeof all);
  static LV2_Feature list[] = {
    {LV2_URID__map, &map}, {LV2_URID__unmap, &unmap}, {LV2_OPTIONS__options, options},
    {LV2_BUF_SIZE__boundedBlockLength, NULL}, {LV2_WORKER__schedule, &worker_schedule},
    {LV2_LOG__log, &log}, {LV2_STATE__makePath, &state_make}, {LV2_STATE__mapPath, &state_map},
    {LV2_STATE__freePath, &state_free}, {LV2_STATE__loadDefaultState, NULL},
    {LV2_STATE__threadSafeRestore, NULL}, {LV2_CORE__isLive, NULL},
    {LV2_CORE__hardRTCapable, NULL}, {LV2_CORE__inPlaceBroken, NULL},
  };
  enum { FEATURES = sizeof list / sizeof *list };
  static const LV2_Feature* features[FEATURES + 1];
  for (int i = 0; i < FEATURES; ++i) features[i] = &list[i];
  return features;
}

// Returns the first value of a control input: the requested one, else its default.
static float first_value(
  const Plugin* self, const LilvPort* port, float minimum, float maximum, float value, float rate,
  int setting_count, char** settings) {
  // A missing default is 0, brought into the range.
  if (!isfinite(value)) {
    value = 0;
    if (isfinite(minimum) && value < minimum) value = minimum;
    if (isfinite(maximum) && value > maximum) value = maximum;
  }
  // Bounds are multiples of the rate, and so is a default between them; another one is in Hz.
  if (lilv_port_has_property(self->plugin, port, node(self, LV2_CORE__sampleRate))) {
    const bool is_plain = value < minimum || value > maximum;
    value = is_plain ? fminf(fmaxf(value, minimum * rate), maximum * rate) : value * rate;
  }
  LilvNode* role = lilv_port_get(self->plugin, port, node(self, LV2_CORE__designation));
  if (role && !strcmp(lilv_node_as_uri(role), LV2_CORE__enabled)) value = 1;
  if (role && !strcmp(lilv_node_as_uri(role), LV2_CORE__freeWheeling)) value = 1;
  lilv_node_free(role);
  const char* symbol = lilv_node_as_string(lilv_port_get_symbol(self->plugin, port));
  for (int i = 0; i < setting_count; ++i) {
    const char* equals = strchr(settings[i], '=');
    if (equals && (size_t)(equals - settings[i]) == strlen(symbol) &&
        !strncmp(settings[i], symbol, strlen(symbol)))
      value = strtof(equals + 1, NULL);
  }
  return value;
}

static void connect_controls_and_voltages(
  Plugin* self, float rate, int setting_count, char** settings) {
  static float minima[MAX_PORTS], maxima[MAX_PORTS], defaults[MAX_PORTS];
  lilv_plugin_get_port_ranges_float(self->plugin, minima, maxima, defaults);
  LilvNode* is_control = node(self, LILV_URI_CONTROL_PORT);
  LilvNode* is_cv = node(self, LILV_URI_CV_PORT);
  LilvNode* is_input = node(self, LILV_URI_INPUT_PORT);
  for (uint32_t i = 0; i < self->port_count; ++i) {
    const LilvPort* port = lilv_plugin_get_port_by_index(self->plugin, i);
    const bool is_in = lilv_port_is_a(self->plugin, port, is_input);
    if (lilv_port_is_a(self->plugin, port, is_cv)) {
      // An input nobody drives has its default.
      float* block = calloc(BLOCK, sizeof(float));
      for (int f = 0; is_in && isfinite(defaults[i]) && f < BLOCK; ++f) block[f] = defaults[i];
      lilv_instance_connect_port(self->instance, i, block);
      if (!is_in) self->voltages.ports[self->voltages.count++] = i;
    } else if (lilv_port_is_a(self->plugin, port, is_control)) {
      if (is_in)
        self->controls[i] = first_value(
          self, port, minima[i], maxima[i], defaults[i], rate, setting_count, settings);
      lilv_instance_connect_port(self->instance, i, &self->controls[i]);
    }
  }
}

static void connect_atoms(Plugin* self) {
  LilvNode* is_atom = node(self, LILV_URI_ATOM_PORT);
  LilvNode* is_input = node(self, LILV_URI_INPUT_PORT);
  LilvNode* minimum_size = node(self, LV2_RESIZE_PORT__minimumSize);
  LilvNode* supports = node(self, LV2_ATOM__supports);
  LilvNode* midi_event = node(self, "http://lv2plug.in/ns/ext/midi#MidiEvent");
  self->midi_port = UINT32_MAX;
  for (uint32_t i = 0; i < self->port_count; ++i) {
    const LilvPort* port = lilv_plugin_get_port_by_index(self->plugin, i);
    if (!lilv_port_is_a(self->plugin, port, is_atom)) continue;
    LilvNode* size = lilv_port_get(self->plugin, port, minimum_size);
    const uint32_t capacity = ATOM_CAPACITY + (size ? (uint32_t)lilv_node_as_float(size) : 0);
    self->atoms[i] = calloc(1, capacity + 64);
    const bool is_in = lilv_port_is_a(self->plugin, port, is_input);
    self->atom_sizes[i] = is_in ? 0 : capacity;
    if (is_in && self->midi_port == UINT32_MAX &&
        lilv_nodes_contains(lilv_port_get_value(self->plugin, port, supports), midi_event))
      self->midi_port = i;
    lilv_instance_connect_port(self->instance, i, self->atoms[i]);
  }
}

// Puts ports behind others, group by group in the order of their first ports.
static void append_groups(Ports* all, Ports* further) {
  for (uint32_t c = 0; c < further->count; ++c)
    for (uint32_t d = c; further->groups[c] && d < further->count; ++d)
      if (further->groups[d] && (d == c || !strcmp(further->groups[c], further->groups[d]))) {
        all->ports[all->count++] = further->ports[d];
        if (d != c) further->groups[d] = NULL;
      }
}

// The group of a port if it is an audio port, NULL for none.
static LilvNode* audio_group(const Plugin* self, const LilvPort* port) {
  return lilv_port_is_a(self->plugin, port, node(self, LILV_URI_AUDIO_PORT))
    ? lilv_port_get(self->plugin, port, node(self, "http://lv2plug.in/ns/ext/port-groups#group"))
    : NULL;
}

static void sort_audio_ports(Plugin* self) {
  static Ports side, apart;
#define GROUPS "http://lv2plug.in/ns/ext/port-groups#"
  LilvNode* main_in = lilv_world_get(self->world, self->uri, node(self, GROUPS "mainInput"), NULL);
  LilvNode* main_out = lilv_world_get(self->world, self->uri, node(self, GROUPS "mainOutput"), NULL);
  LilvNode* side_chain_of = node(self, GROUPS "sideChainOf");
#undef GROUPS
  LilvNode* side_chain = node(self, LV2_CORE_PREFIX "isSideChain");
  LilvNode* is_audio = node(self, LILV_URI_AUDIO_PORT);
  LilvNode* is_input = node(self, LILV_URI_INPUT_PORT);
  // A main group counts when a port is in it.
  bool has_main_in = false, has_main_out = false;
  for (uint32_t i = 0; i < self->port_count; ++i) {
    const LilvPort* port = lilv_plugin_get_port_by_index(self->plugin, i);
    const LilvNode* group = audio_group(self, port);
    if (!group) continue;
    if (lilv_port_is_a(self->plugin, port, is_input))
      has_main_in |= main_in && lilv_node_equals(group, main_in);
    else
      has_main_out |= main_out && lilv_node_equals(group, main_out);
  }
  for (uint32_t i = 0; i < self->port_count; ++i) {
    const LilvPort* port = lilv_plugin_get_port_by_index(self->plugin, i);
    if (!lilv_port_is_a(self->plugin, port, is_audio)) continue;
    const LilvNode* group = audio_group(self, port);
    const bool is_in = lilv_port_is_a(self->plugin, port, is_input);
    Ports* kind = is_in ? &self->in : &self->out;
    if (is_in) {
      const bool is_apart = has_main_in && !(group && lilv_node_equals(group, main_in));
      if (is_apart || lilv_port_has_property(self->plugin, port, side_chain) ||
          (group && lilv_world_get(self->world, group, side_chain_of, NULL)))
        kind = &side;
    } else if (has_main_out && group && !lilv_node_equals(group, main_out)) {
      kind = &apart;
    }
    kind->groups[kind->count] = group ? lilv_node_as_string(group) : "";
    kind->ports[kind->count++] = i;
  }
  self->main_count = self->in.count;
  append_groups(&self->in, &side);
  append_groups(&self->out, &apart);
}

static void connect_audio(Plugin* self) {
  self->in_blocks = calloc((self->in.count + 1) * BLOCK, sizeof(float));
  self->out_blocks = calloc((self->out.count + 1) * BLOCK, sizeof(float));
  for (uint32_t c = 0; c < self->in.count; ++c)
    lilv_instance_connect_port(self->instance, self->in.ports[c], self->in_blocks + c * BLOCK);
  for (uint32_t c = 0; c < self->out.count; ++c)
    lilv_instance_connect_port(self->instance, self->out.ports[c], self->out_blocks + c * BLOCK);
}

static void restore_default_state(Plugin* self, const LV2_Feature* const* features) {
  if (!lilv_plugin_has_feature(self->plugin, node(self, LV2_STATE__loadDefaultState))) return;
  LV2_URID_Map map = {NULL, map_uri};
  LilvState* state = lilv_state_new_from_world(self->world, &map, self->uri);
  if (state) lilv_state_restore(state, self->instance, NULL, NULL, 0, features);
  lilv_state_free(state);
  work();
}

// Makes a plug-in ready to run, its voltages behind its audio outputs when `shows_voltages`. Returns
// the fault, or NULL.
static const char* open_plugin(
  Plugin* self, const char* uri, float rate, bool shows_voltages, int setting_count,
  char** settings) {
  self->world = lilv_world_new();
  lilv_world_load_all(self->world);
  self->uri = node(self, uri);
  self->plugin = lilv_plugins_get_by_uri(lilv_world_get_all_plugins(self->world), self->uri);
  if (!self->plugin) return "no such plug-in";
  self->port_count = lilv_plugin_get_num_ports(self->plugin);
  if (self->port_count > MAX_PORTS) return "the plug-in has too many ports";
  estimate_plans();
  const LV2_Feature* const* features = make_features(rate);
  self->instance = lilv_plugin_instantiate(self->plugin, rate, features);
  if (!self->instance) return "the plug-in cannot be instantiated";
  worker = lilv_instance_get_extension_data(self->instance, LV2_WORKER__interface);
  worker_handle = lilv_instance_get_handle(self->instance);
  connect_controls_and_voltages(self, rate, setting_count, settings);
  connect_atoms(self);
  sort_audio_ports(self);
  for (uint32_t c = 0; shows_voltages && c < self->voltages.count; ++c)
    self->out.ports[self->out.count++] = self->voltages.ports[c];
  connect_audio(self);
  self->latency_port = lilv_plugin_has_latency(self->plugin)
    ? lilv_plugin_get_latency_port_index(self->plugin) : UINT32_MAX;
  work();
  restore_default_state(self, features);
  lilv_instance_activate(self->instance);
  work();
  return NULL;
}

// Empties the buffers of events before a run.
static inline void clear_atoms(Plugin* self, LV2_URID sequence, LV2_URID chunk) {
  for (uint32_t i = 0; i < self->port_count; ++i) {
    LV2_Atom_Sequence* atom = self->atoms[i];
    if (!atom) continue;
    atom->atom.size = self->atom_sizes[i] ? self->atom_sizes[i] : sizeof(LV2_Atom_Sequence_Body);
    atom->atom.type = self->atom_sizes[i] ? chunk : sequence;
    atom->body.unit = atom->body.pad = 0;
  }
}

// Runs a block, and the work that the plug-in queued for its worker. In place, so that the stack its caller
// cleared is the plug-in's.
static inline __attribute__((always_inline)) void run_plugin(const LV2_Descriptor* descriptor, LV2_Handle handle, uint32_t frames) {
  descriptor->run(handle, frames);
  if (request_count || response_count) work();
  if (worker && worker->end_run) worker->end_run(handle);
}
