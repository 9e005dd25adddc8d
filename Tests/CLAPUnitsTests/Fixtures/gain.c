// A gain in CLAP, with tables that are not the host's: parameters, state, latency, tail, notes, a check of threads.
// SPDX-License-Identifier: Apache-2.0
//
// A macro adds one defect: NO_ENTRY, OLD_VERSION, REFUSES_TO_START, NO_FACTORY, NO_PLUGIN, ID_TWICE, PARAMETER_TWICE,
// BAD_RANGES, REFUSES_TO_INITIALISE, REFUSES_TO_ACTIVATE, FAILS, REFUSES_STATES, NOTE_EFFECT. Of numbers: MANY_PLUGINS,
// MANY_INPUTS, MANY_NOTE_PORTS, MANY_PARAMETERS.
#include "plugin.h"

typedef struct {
  Plugin plugin;
  const Host* host;
  double gain, mode, misuse;
  float held;
  int phase;  // 0 made, 1 initialised, 2 active, 3 processing.
  uint32_t least, most, latency;
  bool was_called_back;
} Gain;

static Gain* self(const Plugin* plugin) { return plugin->data; }

// Counts calls on the wrong thread or out of order.
static void expect(Gain* gain, bool is_audio, int phase) {
  const Threads* threads = gain->host->extension(gain->host, "clap.thread-check");
  if (!threads || threads->is_audio(gain->host) != is_audio || threads->is_main(gain->host) == is_audio ||
      gain->phase != phase)
    ++gain->misuse;
}

static bool init(const Plugin* plugin) {
  Gain* gain = self(plugin);
  expect(gain, false, 0);
  gain->phase = 1;
  gain->host->callback(gain->host);
#ifdef REFUSES_TO_INITIALISE
  return false;
#endif
  return true;
}

static void destroy(const Plugin* plugin) { free(plugin->data); }

static bool activate(const Plugin* plugin, double rate, uint32_t least, uint32_t most) {
  Gain* gain = self(plugin);
  (void)rate;
  expect(gain, false, 1);
  gain->phase = 2;
  gain->least = least;
  gain->most = most;
  gain->latency = gain->gain > 3 ? 100 : 32;
#ifdef REFUSES_TO_ACTIVATE
  return false;
#endif
  if (!gain->was_called_back) ++gain->misuse;
  return true;
}

static void deactivate(const Plugin* plugin) {
  expect(self(plugin), false, 2);
  self(plugin)->phase = 1;
}

static bool start(const Plugin* plugin) {
  expect(self(plugin), true, 2);
  self(plugin)->phase = 3;
  return true;
}

static void stop(const Plugin* plugin) {
  expect(self(plugin), true, 3);
  self(plugin)->phase = 2;
}

static void reset(const Plugin* plugin) {
  expect(self(plugin), true, self(plugin)->phase);
  self(plugin)->held = 0;
}

static void on_main(const Plugin* plugin) { self(plugin)->was_called_back = true; }

static void obey(Gain* gain, const Header* header, const Out* out) {
  if (header->space != 0) return;
  if (header->type == 5) {
    const Value* value = (const Value*)header;
    if (value->id == 7) gain->gain = value->value;
    if (value->id == 4000000000u) gain->mode = value->value;
  } else if (header->type == 0 || header->type == 1) {
    // Sends a note back, an octave higher, and keeps its key as sound.
    Note note = *(const Note*)header;
    gain->held = header->type == 0 ? (float)note.key : 0;
    note.key += 12;
    if (out) out->push(out, &note.header);
  } else if (header->type == 10) {
    Midi midi = *(const Midi*)header;
    gain->held = (midi.bytes[0] & 0xF0) == 0x90 ? (float)midi.bytes[1] : 0;
    midi.bytes[1] += 12;
    if (out) out->push(out, &midi.header);
  }
}

static int32_t process(const Plugin* plugin, const Process* data) {
  Gain* gain = self(plugin);
  expect(gain, true, 3);
  if (data->frames < gain->least || data->frames > gain->most) ++gain->misuse;
#ifdef FAILS
  return 0;
#endif
  uint32_t next = 0;
  const uint32_t count = data->in->size(data->in);
  for (uint32_t frame = 0; frame < data->frames; ++frame) {
    while (next < count && data->in->get(data->in, next)->time <= frame)
      obey(gain, data->in->get(data->in, next++), data->out);
    for (uint32_t c = 0; data->output_count > 0 && c < data->outputs[0].channels; ++c)
      data->outputs[0].floats[c][frame] =
        (gain->mode == 2 ? -1 : 1) * data->inputs[0].floats[c][frame] * (float)gain->gain + gain->held;
  }
  const Value misuse = {
    {sizeof(Value), 0, 0, 5, 0}, .id = 9, .note = -1, .port = -1, .channel = -1, .key = -1, .value = gain->misuse};
  data->out->push(data->out, &misuse.header);
  return 1;
}

// Extensions.

#ifdef NOTE_EFFECT
enum { AUDIO_PORTS = 0 };
#else
enum { AUDIO_PORTS = 1 };
#endif

static uint32_t audio_count(const Plugin* plugin, bool is_input) {
  (void)plugin;
#ifdef MANY_INPUTS
  if (is_input) return UINT32_MAX;
#endif
  (void)is_input;
  return AUDIO_PORTS;
}
static bool audio_get(const Plugin* plugin, uint32_t index, bool is_input, AudioPort* port) {
  (void)plugin;
  (void)index;
  *port = (AudioPort){.id = is_input, .flags = 1, .channels = 2, .type = "stereo", .pair = UINT32_MAX};
  strcpy(port->name, is_input ? "Main in" : "Main out");
  return true;
}
static uint32_t note_count(const Plugin* plugin, bool is_input) {
  (void)plugin;
  (void)is_input;
#ifdef MANY_NOTE_PORTS
  return UINT32_MAX;
#endif
  return 1;
}
static bool note_get(const Plugin* plugin, uint32_t index, bool is_input, NotePort* port) {
  (void)plugin;
  (void)index;
#ifdef NOTE_EFFECT
  *port = (NotePort){.id = is_input, .supported = 1, .preferred = 1};
#else
  *port = (NotePort){.id = is_input, .supported = 3, .preferred = 2};
#endif
  strcpy(port->name, is_input ? "Notes in" : "Notes out");
  return true;
}

static const Info infos[] = {
#ifdef BAD_RANGES
  {7, 32, NULL, "Gain", "Level", 4, 0, 1},
#else
  {7, 32, NULL, "Gain", "Level", 0, 4, 1},
#endif
#ifdef PARAMETER_TWICE
  {7, 32, NULL, "Gain", "Level", 0, 4, 1},
#endif
  {4000000000u, 33, NULL, "Mode", "", 0, 2, 0},
  {9, 8, NULL, "Misuse", "", 0, 1000, 0},
};
static uint32_t parameter_count(const Plugin* plugin) {
  (void)plugin;
#ifdef MANY_PARAMETERS
  return UINT32_MAX;
#endif
  return sizeof infos / sizeof *infos;
}
static bool parameter_info(const Plugin* plugin, uint32_t index, Info* info) {
  (void)plugin;
  *info = infos[index];
  return true;
}
static bool parameter_value(const Plugin* plugin, uint32_t id, double* value) {
  *value = id == 7 ? self(plugin)->gain : id == 9 ? self(plugin)->misuse : self(plugin)->mode;
  return true;
}
static bool value_text(const Plugin* plugin, uint32_t id, double value, char* text, uint32_t size) {
  static const char* const modes[] = {"straight", "other", "inverted"};
  (void)plugin;
  if (id == 7) return snprintf(text, size, "%.1f dB", value), true;
  if (id == 9) return false;
  return snprintf(text, size, "%s", modes[(int)value]), true;
}
static bool text_value(const Plugin* plugin, uint32_t id, const char* text, double* value) {
  (void)plugin;
  (void)id;
  *value = atof(text);
  return true;
}
static void flush(const Plugin* plugin, const In* in, const Out* out) {
  for (uint32_t i = 0; i < in->size(in); ++i) obey(self(plugin), in->get(in, i), out);
}

// Writes byte by byte, as a stream allows.
static bool save(const Plugin* plugin, const Writer* writer) {
  double values[] = {self(plugin)->gain, self(plugin)->mode, 0.5};
  for (size_t i = 0; i < sizeof values; ++i)
    if (writer->write(writer, (const char*)values + i, 1) != 1) return false;
  return true;
}
static bool load(const Plugin* plugin, const Reader* reader) {
  double values[3];
  size_t got = 0;
#ifdef REFUSES_STATES
  return false;
#endif
  while (got < sizeof values) {
    const int64_t count = reader->read(reader, (char*)values + got, 5);
    if (count <= 0) return false;
    got += (size_t)count > sizeof values - got ? sizeof values - got : (size_t)count;
  }
  self(plugin)->gain = values[0];
  self(plugin)->mode = values[1];
  return values[2] == 0.5;
}
static uint32_t latency(const Plugin* plugin) {
  return self(plugin)->phase >= 2 ? self(plugin)->latency : 0;
}
static uint32_t tail(const Plugin* plugin) {
  (void)plugin;
  return 0x80000000u;
}

static const void* extension(const Plugin* plugin, const char* id) {
  static const struct { void *a, *b; } audio = {audio_count, audio_get}, notes = {note_count, note_get},
                                       state = {save, load};
  static const struct { void *a, *b, *c, *d, *e, *f; } parameters = {
    parameter_count, parameter_info, parameter_value, value_text, text_value, flush};
  static const struct { void* a; } latencies = {latency}, tails = {tail};
  if (self(plugin)->phase == 0) ++self(plugin)->misuse;
  if (!strcmp(id, "clap.audio-ports")) return &audio;
  if (!strcmp(id, "clap.note-ports")) return &notes;
  if (!strcmp(id, "clap.params")) return &parameters;
  if (!strcmp(id, "clap.state")) return &state;
  if (!strcmp(id, "clap.latency")) return &latencies;
  if (!strcmp(id, "clap.tail")) return &tails;
  return NULL;
}

// The file.

#ifdef NOTE_EFFECT
static const char* const features[] = {"note-effect", NULL};
#else
static const char* const features[] = {"audio-effect", "utility", NULL};
#endif
static const Descriptor descriptor = {
  {1, 2, 0}, "org.auricle.test.gain", "Gain", "Auricle's tests", "", "", "", "2.5.1", "Multiplies.", features};

static uint32_t plugin_count(const void* factory) {
  (void)factory;
#if defined(MANY_PLUGINS)
  return UINT32_MAX;
#elif defined(ID_TWICE)
  return 3;
#elif defined(NO_PLUGIN)
  return 0;
#else
  return 1;
#endif
}
static const Descriptor* plugin_descriptor(const void* factory, uint32_t index) {
  (void)factory;
  (void)index;
  return &descriptor;
}
static const Plugin* plugin_create(const void* factory, const Host* host, const char* id) {
  (void)factory;
  if (strcmp(id, descriptor.id)) return NULL;
  Gain* gain = calloc(1, sizeof *gain);
  gain->plugin = (Plugin){&descriptor, gain,  init,  destroy, activate,  deactivate,
                          start,       stop,  reset, process, extension, on_main};
  gain->host = host;
  gain->gain = 1;
  return &gain->plugin;
}

static const struct { void *count, *descriptor, *create; } factory = {plugin_count, plugin_descriptor, plugin_create};

static bool entry_init(const char* path) {
#ifdef REFUSES_TO_START
  return false;
#endif
  return path && *path == '/';
}
static void entry_deinit(void) {}
static const void* entry_factory(const char* id) {
#ifdef NO_FACTORY
  return NULL;
#endif
  return strcmp(id, "clap.plugin-factory") ? NULL : &factory;
}

#ifndef NO_ENTRY
#ifdef OLD_VERSION
#define MAJOR 0
#else
#define MAJOR 1
#endif
__attribute__((visibility("default"))) const struct {
  Version version;
  bool (*init)(const char*);
  void (*deinit)(void);
  const void* (*factory)(const char*);
} clap_entry = {{MAJOR, 2, 0}, entry_init, entry_deinit, entry_factory};
#endif
