// A fader in CLAP, whose window is served by a timer and by the descriptor of its display.
// SPDX-License-Identifier: Apache-2.0
#include "../../CLAPUnitsTests/Fixtures/plugin.h"
#include "FaderView.h"

typedef struct {
  Plugin plugin;
  const Host* host;
  double level;
  bool is_moved;
  FaderView view;
  uint32_t timer;
} Fader;

typedef struct { const char* api; unsigned long window; } Parent;
typedef struct { bool (*add)(const Host*, uint32_t, uint32_t*); bool (*remove)(const Host*, uint32_t); } TimerHost;
typedef struct { bool (*add)(const Host*, int, uint32_t); void* modify; bool (*remove)(const Host*, int); } FileHost;
typedef struct { void *rescan, *clear; void (*request_flush)(const Host*); } ParameterHost;

static Fader* self(const Plugin* plugin) { return plugin->data; }
static bool yes(const Plugin* plugin) { return plugin != NULL; }
static void nothing(const Plugin* plugin) { (void)plugin; }
static void destroy(const Plugin* plugin) { free(plugin->data); }
static bool activate(const Plugin* plugin, double rate, uint32_t least, uint32_t most) {
  return plugin && rate > 0 && least <= most;
}

static void exchange(Fader* fader, const In* in, const Out* out) {
  for (uint32_t i = 0; i < in->size(in); ++i) {
    const Value* value = (const Value*)in->get(in, i);
    if (value->header.space == 0 && value->header.type == 5 && value->id == 7) fader->level = value->value;
  }
  if (!fader->is_moved) return;
  fader->is_moved = false;
  const Value value = {
    {sizeof(Value), 0, 0, 5, 0}, .id = 7, .note = -1, .port = -1, .channel = -1, .key = -1, .value = fader->level};
  out->push(out, &value.header);
}
static int32_t process(const Plugin* plugin, const Process* data) {
  exchange(self(plugin), data->in, data->out);
  for (uint32_t c = 0; c < data->outputs[0].channels; ++c)
    for (uint32_t i = 0; i < data->frames; ++i)
      data->outputs[0].floats[c][i] = data->inputs[0].floats[c][i] * (float)self(plugin)->level;
  return 1;
}
static void flush(const Plugin* plugin, const In* in, const Out* out) { exchange(self(plugin), in, out); }

static uint32_t one(const Plugin* plugin) { return plugin != NULL; }
static uint32_t port_count(const Plugin* plugin, bool is_input) { return plugin && (is_input || !is_input); }
static bool port(const Plugin* plugin, uint32_t index, bool is_input, AudioPort* port) {
  *port = (AudioPort){.id = is_input, .flags = 1, .channels = 2, .type = "stereo", .pair = UINT32_MAX};
  return plugin && index == 0;
}
static bool info(const Plugin* plugin, uint32_t index, Info* found) {
  *found = (Info){7, 32, NULL, "Level", "", 0, 1, 0.5};
  return plugin && index == 0;
}
static bool value(const Plugin* plugin, uint32_t id, double* found) {
  *found = self(plugin)->level;
  return id == 7;
}
static bool text(const Plugin* plugin, uint32_t id, double number, char* text, uint32_t size) {
  return plugin && id == 7 && snprintf(text, size, "%.2f", number) > 0;
}
static bool number(const Plugin* plugin, uint32_t id, const char* text, double* number) {
  *number = atof(text);
  return plugin && id == 7;
}

// The window.

static void serve(const Plugin* plugin) {
  Fader* fader = self(plugin);
  if (!fader->view.display || !fader_turn(&fader->view, &fader->level)) return;
  fader->is_moved = true;
  const ParameterHost* parameters = fader->host->extension(fader->host, "clap.params");
  parameters->request_flush(fader->host);
}
static void on_timer(const Plugin* plugin, uint32_t id) {
  if (id == self(plugin)->timer) serve(plugin);
}
static void on_file(const Plugin* plugin, int file, uint32_t flags) {
  if (file >= 0 && flags) serve(plugin);
}
static bool is_supported(const Plugin* plugin, const char* api, bool is_floating) {
  return plugin && !strcmp(api, "x11") && !is_floating;
}
static bool preferred(const Plugin* plugin, const char** api, bool* is_floating) {
  *api = "x11";
  *is_floating = false;
  return plugin != NULL;
}
static bool set_scale(const Plugin* plugin, double scale) { return plugin && scale > 0; }
static bool get_size(const Plugin* plugin, uint32_t* width, uint32_t* height) {
  *width = kFaderWidth;
  *height = kFaderHeight;
  return plugin != NULL;
}
static bool no(const Plugin* plugin) { return plugin == NULL; }
static bool set_size(const Plugin* plugin, uint32_t width, uint32_t height) {
  return plugin && width == kFaderWidth && height == kFaderHeight;
}
static bool set_parent(const Plugin* plugin, const Parent* parent) {
  Fader* fader = self(plugin);
  const TimerHost* timers = fader->host->extension(fader->host, "clap.timer-support");
  const FileHost* files = fader->host->extension(fader->host, "clap.posix-fd-support");
  return fader_open(&fader->view, parent->window) && timers->add(fader->host, 50, &fader->timer) &&
         files->add(fader->host, ConnectionNumber(fader->view.display), 1);
}
static void close_window(const Plugin* plugin) {
  Fader* fader = self(plugin);
  if (!fader->view.display) return;
  ((const TimerHost*)fader->host->extension(fader->host, "clap.timer-support"))->remove(fader->host, fader->timer);
  ((const FileHost*)fader->host->extension(fader->host, "clap.posix-fd-support"))
    ->remove(fader->host, ConnectionNumber(fader->view.display));
  fader_close(&fader->view);
}

static const void* extension(const Plugin* plugin, const char* id) {
  static const struct { void *a, *b; } audio = {port_count, port};
  static const struct { void *a, *b, *c, *d, *e, *f; } parameters = {one, info, value, text, number, flush};
  static const struct { void* a; } timers = {on_timer}, files = {on_file};
  static const struct {
    void *is_supported, *preferred, *create, *destroy, *set_scale, *get_size, *can_resize, *hints, *adjust, *set_size,
      *set_parent, *set_transient, *suggest_title, *show, *hide;
  } gui = {is_supported, preferred, yes, close_window, set_scale, get_size, no, no, no, set_size,
           set_parent, no, nothing, yes, yes};
  (void)plugin;
  if (!strcmp(id, "clap.audio-ports")) return &audio;
  if (!strcmp(id, "clap.params")) return &parameters;
  if (!strcmp(id, "clap.timer-support")) return &timers;
  if (!strcmp(id, "clap.posix-fd-support")) return &files;
  if (!strcmp(id, "clap.gui")) return &gui;
  return NULL;
}

static const char* const features[] = {"audio-effect", NULL};
static const Descriptor descriptor = {
  {1, 2, 0}, "org.auricle.test.fader", "Clap Fader", "Auricle's tests", "", "", "", "1", "Moves.", features};
static const Descriptor* describe(const void* factory, uint32_t index) {
  return factory && index == 0 ? &descriptor : NULL;
}
static uint32_t count(const void* factory) { return factory != NULL; }
static const Plugin* create(const void* factory, const Host* host, const char* id) {
  Fader* fader = factory && !strcmp(id, descriptor.id) ? calloc(1, sizeof *fader) : NULL;
  if (!fader) return NULL;
  fader->host = host;
  fader->level = 0.5;
  fader->plugin = (Plugin){
    &descriptor, fader, yes, destroy, activate, nothing, yes, nothing, nothing, process, extension, nothing};
  return &fader->plugin;
}
static const void* factory(const char* id) {
  static const struct { void *count, *describe, *create; } table = {count, describe, create};
  return strcmp(id, "clap.plugin-factory") ? NULL : &table;
}
static bool start(const char* path) { return path != NULL; }
static void end(void) {}
__attribute__((visibility("default"))) const struct { Version version; void *start, *end, *factory; } clap_entry = {
  {1, 2, 0}, start, end, factory};
