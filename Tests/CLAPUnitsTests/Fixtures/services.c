// A gain in CLAP that asks its host for everything: timers, descriptors, callbacks, tasks, restarts, presets.
// SPDX-License-Identifier: Apache-2.0
//
// Its value "Misuse" counts calls of the host on the wrong thread. A macro adds one defect:
// CALLS_FROM_AUDIO, CHANGES_LATENCY, COMPLAINS, IGNORES_FLUSH, FOREIGN_EVENTS, NEEDS_COOKIE, LOADS_NOTHING, ONE_PIECE,
// OTHER_STATE, WRONG_IN_PLACE, NO_PAIR, WRONG_TEXT, EXTRA_ID, EXTRA_FACTORY, BAD_STATUS, NO_CATEGORY, NO_PRESET,
// MANY_VOICES, EMPTY_RANGE, TWO_PORTS, TWO_MAINS, OTHER_DEFAULT, NESTED_TASKS.
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "plugin.h"

typedef struct { void (*log)(const Host*, int32_t, const char*); } Log;
typedef struct { void (*rescan)(const Host*, uint32_t); void (*clear)(const Host*, uint32_t, uint32_t); void (*request_flush)(const Host*); } HostParameters;
typedef struct { void (*changed)(const Host*); } Change;
typedef struct { bool (*exec)(const Host*, uint32_t); } Pool;
typedef struct { bool (*add)(const Host*, uint32_t, uint32_t*); bool (*remove)(const Host*, uint32_t); } Timers;
typedef struct { bool (*add)(const Host*, int, uint32_t); bool (*modify)(const Host*, int, uint32_t); bool (*remove)(const Host*, int); } Descriptors;

enum { GAIN = 1, COMMAND = 2, MISUSE = 10, TICKS, READS, TASKS, STARTS, CONTEXT, CALLS };

typedef struct {
  Plugin plugin;
  const Host* host;
  pthread_t main;
  double gain, command, misuse, ticks, reads, tasks, starts, context, calls;
  bool is_active, is_initialised, wants_value, is_changed;
  uint32_t timer, channels, done;
  int pipe[2];
} Services;

static char folder[1024];

static Services* self(const Plugin* plugin) { return plugin->data; }
static const void* ask(Services* it, const char* id) { return it->host->extension(it->host, id); }

static void expect_main(Services* it) {
  const Threads* threads = ask(it, "clap.thread-check");
  if (!pthread_equal(pthread_self(), it->main) || !threads->is_main(it->host) || threads->is_audio(it->host)) ++it->misuse;
}
static void expect_audio(Services* it) {
  const Threads* threads = ask(it, "clap.thread-check");
  if (pthread_equal(pthread_self(), it->main) || threads->is_main(it->host) || !threads->is_audio(it->host)) ++it->misuse;
}

static bool init(const Plugin* plugin) {
  Services* it = self(plugin);
  expect_main(it);
  it->is_initialised = true;
  const Timers* timers = ask(it, "clap.timer-support");
  const Descriptors* descriptors = ask(it, "clap.posix-fd-support");
  if (!timers->add(it->host, 20, &it->timer) || pipe(it->pipe) || !descriptors->add(it->host, it->pipe[0], 1)) return false;
  it->host->callback(it->host);
  return true;
}
static void destroy(const Plugin* plugin) {
  Services* it = self(plugin);
  expect_main(it);
  if (it->is_initialised) {
    ((const Timers*)ask(it, "clap.timer-support"))->remove(it->host, it->timer);
    ((const Descriptors*)ask(it, "clap.posix-fd-support"))->remove(it->host, it->pipe[0]);
    close(it->pipe[0]);
    close(it->pipe[1]);
  }
  free(it);
}
static bool activate(const Plugin* plugin, double rate, uint32_t least, uint32_t most) {
  (void)rate, (void)least, (void)most;
  Services* it = self(plugin);
  expect_main(it);
  if (it->is_active) ++it->misuse;
  it->is_active = true;
  ++it->starts;
  ((const Change*)ask(it, "clap.latency"))->changed(it->host);
  return true;
}
static void deactivate(const Plugin* plugin) {
  expect_main(self(plugin));
  if (!self(plugin)->is_active) ++self(plugin)->misuse;
  self(plugin)->is_active = false;
}
static bool start(const Plugin* plugin) {
  expect_audio(self(plugin));
  return true;
}
static void stop(const Plugin* plugin) { expect_audio(self(plugin)); }
static void reset(const Plugin* plugin) { expect_audio(self(plugin)); }

static void on_main(const Plugin* plugin) {
  Services* it = self(plugin);
  expect_main(it);
  ++it->calls;
  if (it->wants_value) {
    it->wants_value = false;
    it->gain = 2.5;
    ((const HostParameters*)ask(it, "clap.params"))->rescan(it->host, 1);
  }
  if (it->is_changed) ((const Change*)ask(it, "clap.state"))->changed(it->host);
  it->is_changed = false;
#ifdef CHANGES_LATENCY
  if (it->is_active) ((const Change*)ask(it, "clap.latency"))->changed(it->host);
#endif
}
static void on_timer(const Plugin* plugin, uint32_t id) {
  expect_main(self(plugin));
  if (id == self(plugin)->timer) ++self(plugin)->ticks;
}
static void on_descriptor(const Plugin* plugin, int descriptor, uint32_t flags) {
  char byte;
  expect_main(self(plugin));
  if (flags & 1 && read(descriptor, &byte, 1) == 1) ++self(plugin)->reads;
}
static void task(const Plugin* plugin, uint32_t number) {
  Services* it = self(plugin);
  if (pthread_equal(pthread_self(), it->main)) ++it->misuse;
  __atomic_fetch_or(&it->done, 1u << number, __ATOMIC_RELAXED);
#ifdef NESTED_TASKS
  if (((const Pool*)ask(it, "clap.thread-pool"))->exec(it->host, 8)) ++it->misuse;
#endif
}

static void obey(Services* it, const Header* header) {
#ifndef FOREIGN_EVENTS
  if (header->space != 0) return;
#endif
  const Value* value = (const Value*)header;
  if (header->type != 5) return;
#ifdef NEEDS_COOKIE
  if (!value->cookie) return;
#endif
  if (value->cookie && value->cookie != it + (value->id == COMMAND)) ++it->misuse;
  if (value->id == GAIN) it->gain = value->value;
  if (value->id != COMMAND || value->value == it->command) return;
  it->command = value->value;
  if (it->command == 1) it->host->restart(it->host);
  if (it->command == 2) {
    it->wants_value = true;
    it->host->callback(it->host);
  }
  if (it->command == 4) {
    it->is_changed = true;
    it->host->callback(it->host);
  }
  if (it->command == 3) ((const Log*)ask(it, "clap.log"))->log(it->host, 2, "from the audio thread");
}

static int32_t process(const Plugin* plugin, const Process* data) {
  Services* it = self(plugin);
  expect_audio(it);
#ifdef CALLS_FROM_AUDIO
  ((const HostParameters*)ask(it, "clap.params"))->rescan(it->host, 1);
#endif
#ifdef COMPLAINS
  ((const Log*)ask(it, "clap.log"))->log(it->host, 5, "the host is wrong");
#endif
#ifdef CHANGES_LATENCY
  it->host->callback(it->host);
#endif
  if (write(it->pipe[1], "x", 1) != 1) ++it->misuse;
  it->done = 0;
  if (((const Pool*)ask(it, "clap.thread-pool"))->exec(it->host, 8)) it->tasks = __builtin_popcount(it->done);
  uint32_t next = 0;
  const uint32_t count = data->in->size(data->in);
  const uint32_t ports = data->input_count < data->output_count ? data->input_count : data->output_count;
  for (uint32_t frame = 0; frame < data->frames; ++frame) {
    while (next < count && data->in->get(data->in, next)->time <= frame) obey(it, data->in->get(data->in, next++));
    for (uint32_t p = 0; p < ports; ++p)
      for (uint32_t c = 0; c < data->outputs[p].channels; ++c) {
#ifdef WRONG_IN_PLACE
        data->outputs[p].floats[c][frame] = 0;
#endif
        data->outputs[p].floats[c][frame] = data->inputs[p].floats[c][frame] * (float)it->gain;
      }
  }
  for (uint32_t id = MISUSE; id <= CALLS; ++id) {
    const double* values = &it->misuse;
    const Value value = {{sizeof(Value), 0, 0, 5, 0}, .id = id, .note = -1, .port = -1, .channel = -1, .key = -1,
                         .value = values[id - MISUSE]};
    data->out->push(data->out, &value.header);
  }
#ifdef BAD_STATUS
  return 77;
#endif
  return 1;
}

// Ports: one layout of one channel, one of two.

static uint32_t audio_count(const Plugin* plugin, bool is_input) {
  (void)plugin, (void)is_input;
#if defined(TWO_PORTS) || defined(TWO_MAINS)
  return 2;
#endif
  return 1;
}
static bool audio_get(const Plugin* plugin, uint32_t index, bool is_input, AudioPort* port) {
  (void)index;
  *port = (AudioPort){.id = is_input ? 5 : 6, .flags = 1, .channels = self(plugin)->channels, .pair = is_input ? 6 : 5};
#ifdef TWO_MAINS
  port->id += 10 * index;
#endif
#ifdef SURROUND
  port->channels = 6;
  port->type = "surround";
#endif
#ifdef NO_PAIR
  port->pair = is_input ? 99 : 5;
#endif
  strcpy(port->name, is_input ? "In" : "Out");
  return true;
}
typedef struct {
  uint32_t id;
  char name[256];
  uint32_t inputs, outputs;
  bool has_input;
  uint32_t input_channels;
  const char* input_type;
  bool has_output;
  uint32_t output_channels;
  const char* output_type;
} Configuration;
static uint32_t layout_count(const Plugin* plugin) { return (void)plugin, 2; }
static bool layout_get(const Plugin* plugin, uint32_t index, Configuration* layout) {
  (void)plugin;
  *layout = (Configuration){.id = 100 + index, .inputs = 1, .outputs = 1, .has_input = true, .has_output = true,
                            .input_channels = index + 1, .output_channels = index + 1};
  strcpy(layout->name, index ? "Stereo" : "Mono");
  return true;
}
static bool layout_select(const Plugin* plugin, uint32_t id) {
  expect_main(self(plugin));
  if (self(plugin)->is_active || id < 100 || id > 101) return false;
  self(plugin)->channels = id - 99;
  return true;
}
static uint32_t surround_map(const Plugin* plugin, bool is_input, uint32_t port, uint8_t* map, uint32_t capacity) {
  (void)plugin, (void)is_input, (void)port, (void)capacity;
  memcpy(map, (uint8_t[]){0, 1, 2, 3, 9, 10}, 6);
  return 6;
}
static bool surround_mask(const Plugin* plugin, uint64_t mask) { return (void)plugin, mask != 0; }

// Parameters, state, names.

static const char* const names[] = {"Misuse", "Ticks", "Reads", "Tasks", "Starts", "Context", "Calls"};
static uint32_t parameter_count(const Plugin* plugin) { return (void)plugin, 9; }
static bool parameter_info(const Plugin* plugin, uint32_t index, Info* info) {
  memset(info, 0, sizeof *info);
  info->id = index < 2 ? GAIN + index : MISUSE + index - 2;
  info->flags = index == 0 ? 32 : index == 1 ? 33 : 8;
  info->cookie = index < 2 ? self(plugin) + index : NULL;
  info->most = index == 0 ? 4 : index == 1 ? 9 : 1e6;
  info->start = index == 0;
#ifdef EMPTY_RANGE
  if (index == 0) info->least = info->most;
#endif
  strcpy(info->name, index == 0 ? "Gain" : index == 1 ? "Command" : names[index - 2]);
  return true;
}
static bool parameter_value(const Plugin* plugin, uint32_t id, double* value) {
  const Services* it = self(plugin);
  expect_main(self(plugin));
  *value = id == GAIN ? it->gain : id == COMMAND ? it->command : (&it->misuse)[id - MISUSE];
  return true;
}
static bool value_text(const Plugin* plugin, uint32_t id, double value, char* text, uint32_t size) {
  (void)plugin, (void)id;
  return snprintf(text, size, "%.3f x", value), true;
}
static bool text_value(const Plugin* plugin, uint32_t id, const char* text, double* value) {
  (void)plugin, (void)id;
  *value = atof(text);
#ifdef WRONG_TEXT
  *value += 0.5;
#endif
  return true;
}
static void flush(const Plugin* plugin, const In* in, const Out* out) {
  (void)out;
  if (self(plugin)->is_active) expect_audio(self(plugin));
#ifndef IGNORES_FLUSH
  for (uint32_t i = 0; i < in->size(in); ++i) obey(self(plugin), in->get(in, i));
#endif
}

static bool write_all(const Writer* writer, const void* bytes, uint64_t count) {
#ifdef ONE_PIECE
  return writer->write(writer, bytes, count) == (int64_t)count;
#endif
  for (uint64_t done = 0; done < count;) {
    const int64_t moved = writer->write(writer, (const char*)bytes + done, count - done);
    if (moved <= 0) return false;
    done += (uint64_t)moved;
  }
  return true;
}
static bool save_for(const Plugin* plugin, const Writer* writer, uint32_t context) {
  static int saved;
  Services* it = self(plugin);
  expect_main(it);
  it->context = context;
  double state[] = {it->gain, 0.5};
#ifdef OTHER_STATE
  state[1] = ++saved;
#endif
  return write_all(writer, state, sizeof state);
}
static bool load_for(const Plugin* plugin, const Reader* reader, uint32_t context) {
  Services* it = self(plugin);
  double state[2];
  uint64_t done = 0;
  expect_main(it);
  it->context = 10 + context;
  while (done < sizeof state) {
    const int64_t moved = reader->read(reader, (char*)state + done, sizeof state - done);
    if (moved <= 0) {
#ifdef LOADS_NOTHING
      return true;
#endif
      return false;
    }
    done += (uint64_t)moved;
  }
  it->gain = state[0];
  return true;
}
static bool save(const Plugin* plugin, const Writer* writer) { return save_for(plugin, writer, 0); }
static bool load(const Plugin* plugin, const Reader* reader) { return load_for(plugin, reader, 0); }

static uint32_t latency(const Plugin* plugin) {
  expect_main(self(plugin));
  return self(plugin)->starts > 1 ? 64 : 0;
}

typedef struct { char name[256]; int16_t port, key, channel; } KeyName;
static uint32_t key_count(const Plugin* plugin) { return (void)plugin, 1; }
static bool key_get(const Plugin* plugin, uint32_t index, KeyName* name) {
  (void)plugin, (void)index;
  *name = (KeyName){"Kick", -1, 36, 9};
  return true;
}
typedef struct { uint32_t count, capacity; uint64_t flags; } Voices;
static bool voices(const Plugin* plugin, Voices* voices) {
  expect_main(self(plugin));
#ifdef MANY_VOICES
  *voices = (Voices){9, 8, 0};
#else
  *voices = (Voices){3, 8, 0};
#endif
  return self(plugin)->is_active;
}

// Presets: two in the file, others in a folder beside it, each of whose files holds a gain.

static bool load_preset(const Plugin* plugin, uint32_t kind, const char* location, const char* key) {
  Services* it = self(plugin);
  expect_main(it);
#ifdef NO_PRESET
  typedef struct { void (*on_error)(const Host*, uint32_t, const char*, const char*, int32_t, const char*); } Presets;
  ((const Presets*)ask(it, "clap.preset-load/2"))->on_error(it->host, kind, location, key, 0, "it is gone");
  return false;
#endif
  if (kind == 1) return it->gain = !strcmp(key, "loud") ? 3 : 0.5, true;
  FILE* file = fopen(location, "r");
  const bool is_read = file && fscanf(file, "%lf", &it->gain) == 1;
  if (file) fclose(file);
  return is_read;
}

static const void* extension(const Plugin* plugin, const char* id) {
  static const struct { void *a, *b; } audio = {audio_count, audio_get}, state = {save, load}, purpose = {save_for, load_for},
                                       keys = {key_count, key_get}, surround = {surround_mask, surround_map};
  static const struct { void *a, *b, *c; } layouts = {layout_count, layout_get, layout_select};
  static const struct { void *a, *b, *c, *d, *e, *f; } parameters = {
    parameter_count, parameter_info, parameter_value, value_text, text_value, flush};
  static const struct { void* a; } latencies = {latency}, timers = {on_timer}, descriptors = {on_descriptor}, pool = {task},
                                   capacity = {voices}, presets = {load_preset};
  if (!self(plugin)->is_initialised) ++self(plugin)->misuse;
  if (!strcmp(id, "clap.audio-ports")) return &audio;
#ifdef LAYOUTS
  if (!strcmp(id, "clap.audio-ports-config")) return &layouts;
#endif
#ifdef SURROUND
  if (!strcmp(id, "clap.surround/4")) return &surround;
#endif
  if (!strcmp(id, "clap.params")) return &parameters;
  if (!strcmp(id, "clap.state")) return &state;
  if (!strcmp(id, "clap.state-context/2")) return &purpose;
  if (!strcmp(id, "clap.latency")) return &latencies;
  if (!strcmp(id, "clap.timer-support")) return &timers;
  if (!strcmp(id, "clap.posix-fd-support")) return &descriptors;
  if (!strcmp(id, "clap.thread-pool")) return &pool;
  if (!strcmp(id, "clap.note-name")) return &keys;
  if (!strcmp(id, "clap.voice-info")) return &capacity;
  if (!strcmp(id, "clap.preset-load/2")) return &presets;
  return NULL;
}

// The file.

#ifdef NO_CATEGORY
static const char* const features[] = {"utility", "utility", NULL};
#else
static const char* const features[] = {"audio-effect", NULL};
#endif
static const Descriptor descriptor = {
  {1, 2, 0}, "org.auricle.test.services", "Services", "Auricle's tests", "", "", "", "1.0", "", features};
static uint32_t plugin_count(const void* factory) { return (void)factory, 1; }
static const Descriptor* plugin_descriptor(const void* factory, uint32_t index) { return (void)factory, (void)index, &descriptor; }
static const Plugin* plugin_create(const void* factory, const Host* host, const char* id) {
  (void)factory;
#ifdef EXTRA_ID
  if (strncmp(id, descriptor.id, strlen(descriptor.id))) return NULL;
#else
  if (strcmp(id, descriptor.id)) return NULL;
#endif
  Services* it = calloc(1, sizeof *it);
  it->plugin = (Plugin){&descriptor, it, init, destroy, activate, deactivate, start, stop, reset, process, extension, on_main};
  it->host = host;
  it->main = pthread_self();
  it->gain = 1;
#ifdef OTHER_DEFAULT
  it->gain = 2;
#endif
  it->channels = 2;
  return &it->plugin;
}
static const struct { void *count, *descriptor, *create; } factory = {plugin_count, plugin_descriptor, plugin_create};

typedef struct { const char *abi, *id; } Name;
typedef struct Receiver {
  void* context;
  void (*on_error)(const struct Receiver*, int32_t, const char*);
  bool (*begin)(const struct Receiver*, const char*, const char*);
  void (*add_id)(const struct Receiver*, const Name*);
} Receiver;
typedef struct { const char *name, *text, *ending; } FileType;
typedef struct { uint32_t flags; const char* name; uint32_t kind; const char* path; } Location;
typedef struct Indexer {
  Version version;
  const char *name, *vendor, *url, *release;
  void* context;
  bool (*file_type)(const struct Indexer*, const FileType*);
  bool (*location)(const struct Indexer*, const Location*);
} Indexer;
typedef struct { Version version; const char *id, *name, *vendor; } ProviderDescriptor;
typedef struct Provider {
  const ProviderDescriptor* descriptor;
  void* data;
  bool (*init)(const struct Provider*);
  void (*destroy)(const struct Provider*);
  bool (*metadata)(const struct Provider*, uint32_t, const char*, const Receiver*);
  const void* (*extension)(const struct Provider*, const char*);
} Provider;
static const ProviderDescriptor provider_descriptor = {{1, 2, 0}, "org.auricle.test.presets", "Presets", ""};
static Provider provider;
static char preset_folder[1100];

static bool provider_init(const Provider* it) {
  const Indexer* indexer = it->data;
  snprintf(preset_folder, sizeof preset_folder, "%s/presets", folder);
  return indexer->file_type(indexer, &(FileType){"Gain", "", "gain"}) &&
         indexer->location(indexer, &(Location){1, "Own", 1, NULL}) &&
         indexer->location(indexer, &(Location){1, "Folder", 0, preset_folder});
}
static void provider_destroy(const Provider* it) { (void)it; }
static bool provider_metadata(const Provider* it, uint32_t kind, const char* path, const Receiver* receiver) {
  (void)it;
  const Name name = {"clap", "org.auricle.test.services"};
  if (kind == 0) {
    const char* slash = strrchr(path, '/');
    if (receiver->begin(receiver, slash + 1, NULL)) receiver->add_id(receiver, &name);
    return true;
  }
  if (path) return false;
  if (receiver->begin(receiver, "Soft", "soft")) receiver->add_id(receiver, &name);
  if (receiver->begin(receiver, "Loud", "loud")) receiver->add_id(receiver, &name);
  return true;
}
static uint32_t provider_count(const void* factory) { return (void)factory, 1; }
static const ProviderDescriptor* provider_get(const void* factory, uint32_t index) { return (void)factory, (void)index, &provider_descriptor; }
static const Provider* provider_create(const void* factory, const Indexer* indexer, const char* id) {
  (void)factory, (void)id;
  provider = (Provider){&provider_descriptor, (void*)indexer, provider_init, provider_destroy, provider_metadata, NULL};
  return &provider;
}
static const struct { void *count, *descriptor, *create; } providers = {provider_count, provider_get, provider_create};

// The file depends on the texts of a folder beside it.
typedef struct { const char *folder, *pattern; bool is_deep; } Source;
static char watched[1100];
static uint32_t source_count(const void* factory) { return (void)factory, 1; }
static const Source* source_get(const void* factory, uint32_t index) {
  static Source source;
  (void)factory, (void)index;
  snprintf(watched, sizeof watched, "%s/watched", folder);
  source = (Source){watched, "*.txt", true};
  return &source;
}
static bool source_refresh(const void* factory) { return (void)factory, true; }
static const struct { void *count, *get, *refresh; } sources = {source_count, source_get, source_refresh};

static bool entry_init(const char* path) {
  snprintf(folder, sizeof folder, "%s", path);
  *strrchr(folder, '/') = 0;
  return true;
}
static void entry_deinit(void) {}
static const void* entry_factory(const char* id) {
  if (!strcmp(id, "clap.preset-discovery-factory/2")) return &providers;
  if (!strcmp(id, "clap.plugin-invalidation-factory/1")) return &sources;
#ifdef EXTRA_FACTORY
  return &factory;
#endif
  return strcmp(id, "clap.plugin-factory") ? NULL : &factory;
}
__attribute__((visibility("default"))) const struct {
  Version version;
  bool (*init)(const char*);
  void (*deinit)(void);
  const void* (*factory)(const char*);
} clap_entry = {{1, 2, 0}, entry_init, entry_deinit, entry_factory};
