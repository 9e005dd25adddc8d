// Windows of CLAP plug-ins: clap.gui in a window of X11, with the values of the unit by params.flush.
// SPDX-License-Identifier: Apache-2.0
//
// The plug-in here is an instance beside the one that plays; the window shows and moves its parameters.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "CLAPHost.h"
#include "Window.h"

typedef struct {
  const char* api;
  unsigned long window;
} CLAPParent;

typedef struct {
  bool (*is_supported)(const AuricleCLAPPlugin*, const char* api, bool is_floating);
  bool (*preferred)(const AuricleCLAPPlugin*, const char** api, bool* is_floating);
  bool (*create)(const AuricleCLAPPlugin*, const char* api, bool is_floating);
  void (*destroy)(const AuricleCLAPPlugin*);
  bool (*set_scale)(const AuricleCLAPPlugin*, double scale);
  bool (*get_size)(const AuricleCLAPPlugin*, uint32_t* width, uint32_t* height);
  bool (*can_resize)(const AuricleCLAPPlugin*);
  bool (*hints)(const AuricleCLAPPlugin*, void* hints);
  bool (*adjust_size)(const AuricleCLAPPlugin*, uint32_t* width, uint32_t* height);
  bool (*set_size)(const AuricleCLAPPlugin*, uint32_t width, uint32_t height);
  bool (*set_parent)(const AuricleCLAPPlugin*, const CLAPParent* parent);
  bool (*set_transient)(const AuricleCLAPPlugin*, const CLAPParent* parent);
  void (*suggest_title)(const AuricleCLAPPlugin*, const char* title);
  bool (*show)(const AuricleCLAPPlugin*);
  bool (*hide)(const AuricleCLAPPlugin*);
} CLAPWindow;

enum { kMostTimers = 64, kMostDescriptors = 64, kMostValues = 8192 };
typedef struct {
  uint32_t id;
  uint64_t period, due;  // Milliseconds; 0 for a free place.
} Timer;
typedef struct {
  int descriptor;
  uint32_t flags;
} Watched;

static Subject subject;
static AuricleCLAPHostState host;
static const AuricleCLAPPlugin* plugin;
static const CLAPWindow* gui;
static const AuricleCLAPParameters* parameters;
static const AuricleCLAPState* states;
static Timer timers[kMostTimers];
static uint32_t timer_count;
static Watched watched[kMostDescriptors];
static int watched_count;
// Values that wait for the plug-in, and those that both sides know.
static AuricleCLAPValue pending[kMostValues];
static uint32_t pending_count;
static struct {
  uint32_t id;
  double value;
} known[kMostValues];
static uint32_t known_count;
static uint64_t dirty_time;
static bool is_floating;
static uint32_t wanted_size[2];
static bool is_size_wanted;

static uint64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

// Notes a value; false when it was known.
static bool note(uint32_t id, double value) {
  uint32_t place = 0;
  while (place < known_count && known[place].id != id) ++place;
  if (place == kMostValues) return true;
  const bool is_new = place == known_count || known[place].value != value;
  if (place == known_count) ++known_count;
  known[place].id = id;
  known[place].value = value;
  return is_new;
}

// The host's side of the window.

static void hints_changed(const AuricleCLAPHost* from) { (void)from; }
static bool request_resize(const AuricleCLAPHost* from, uint32_t width, uint32_t height) {
  (void)from;
  if (width == 0 || height == 0 || width > 16384 || height > 16384) return false;
  wanted_size[0] = width;
  wanted_size[1] = height;
  __atomic_store_n(&is_size_wanted, true, __ATOMIC_RELEASE);
  return true;
}
static bool request_show(const AuricleCLAPHost* from) {
  (void)from;
  return true;
}
static bool request_hide(const AuricleCLAPHost* from) {
  (void)from;
  __atomic_store_n(&is_closed, true, __ATOMIC_RELEASE);
  return true;
}
static void closed(const AuricleCLAPHost* from, bool was_destroyed) {
  (void)was_destroyed;
  request_hide(from);
}
static void mark_dirty(const AuricleCLAPHost* from) {
  (void)from;
  dirty_time = milliseconds();
}

static const void* host_extension(const AuricleCLAPHost* from, const char* id) {
  static const struct {
    void (*hints_changed)(const AuricleCLAPHost*);
    bool (*request_resize)(const AuricleCLAPHost*, uint32_t, uint32_t);
    bool (*request_show)(const AuricleCLAPHost*);
    bool (*request_hide)(const AuricleCLAPHost*);
    void (*closed)(const AuricleCLAPHost*, bool);
  } window = {hints_changed, request_resize, request_show, request_hide, closed};
  static const struct {
    void (*mark_dirty)(const AuricleCLAPHost*);
  } state = {mark_dirty};
  if (id && !strcmp(id, "clap.gui")) return &window;
  if (id && !strcmp(id, "clap.state")) return &state;
  return auricle_clap_host_extension(from, id);
}

static bool add_timer(void* context, uint32_t period, uint32_t* id) {
  (void)context;
  for (int i = 0; i < kMostTimers; ++i) {
    if (timers[i].period) continue;
    const uint64_t length = period < 10 ? 10 : period;
    timers[i] = (Timer){++timer_count, length, milliseconds() + length};
    *id = timers[i].id;
    return true;
  }
  return false;
}
static bool remove_timer(void* context, uint32_t id) {
  (void)context;
  for (int i = 0; i < kMostTimers; ++i)
    if (timers[i].period && timers[i].id == id) {
      timers[i].period = 0;
      return true;
    }
  return false;
}
static bool change_descriptor(void* context, int change, int descriptor, uint32_t flags) {
  (void)context;
  int place = 0;
  while (place < watched_count && watched[place].descriptor != descriptor) ++place;
  if ((place < watched_count) != (change <= 0) || place == kMostDescriptors) return false;
  if (change < 0) {
    watched[place] = watched[--watched_count];
    return true;
  }
  watched[place] = (Watched){descriptor, flags};
  if (change > 0) ++watched_count;
  return true;
}

// Values.

static uint32_t pending_size(const AuricleCLAPInput* list) {
  (void)list;
  return pending_count;
}
static const AuricleCLAPEvent* pending_event(const AuricleCLAPInput* list, uint32_t index) {
  (void)list;
  return index < pending_count ? &pending[index].header : NULL;
}
static bool receive_event(const AuricleCLAPOutput* list, const AuricleCLAPEvent* event) {
  (void)list;
  if (!event || event->space != 0) return false;
  const AuricleCLAPValue* value = (const AuricleCLAPValue*)event;
  if (event->type == kCLAPEvent_ParameterValue && note(value->parameter, value->value))
    say("set %u %.9g", value->parameter, value->value);
  if (event->type == kCLAPEvent_GestureBegin || event->type == kCLAPEvent_GestureEnd)
    say("touch %u %d", value->parameter, event->type == kCLAPEvent_GestureBegin);
  return true;
}

// Exchanges values with the plug-in, which is not active.
static void flush(void) {
  if (!parameters || !parameters->flush) return;
  const AuricleCLAPInput input = {NULL, pending_size, pending_event};
  const AuricleCLAPOutput output = {NULL, receive_event};
  parameters->flush(plugin, &input, &output);
  pending_count = 0;
}

static void set_value(uint32_t id, double value) {
  note(id, value);
  if (pending_count == kMostValues) flush();
  AuricleCLAPValue* event = &pending[pending_count++];
  memset(event, 0, sizeof *event);
  event->header = (AuricleCLAPEvent){sizeof *event, 0, 0, kCLAPEvent_ParameterValue, 0};
  event->parameter = id;
  event->note_id = event->port = event->channel = event->key = -1;
  event->value = value;
}

// Sends the values that the plug-in changed without an event.
static void read_values(void) {
  const uint32_t count = parameters ? parameters->count(plugin) : 0;
  for (uint32_t i = 0; i < count && i < kMostValues; ++i) {
    static AuricleCLAPParameter info;
    double value = 0;
    if (!parameters->get_info(plugin, i, &info) || info.flags & kCLAPParameter_ReadOnly ||
        !parameters->get_value(plugin, info.id, &value))
      continue;
    if (note(info.id, value)) say("set %u %.9g", info.id, value);
  }
}

// State.

typedef struct {
  uint8_t* bytes;
  size_t count, position;
} Bytes;

static int64_t read_bytes(const AuricleCLAPReadStream* stream, void* into, uint64_t count) {
  Bytes* from = stream->context;
  if (count > from->count - from->position) count = from->count - from->position;
  memcpy(into, from->bytes + from->position, count);
  from->position += count;
  return (int64_t)count;
}
static int64_t write_bytes(const AuricleCLAPWriteStream* stream, const void* bytes, uint64_t count) {
  Bytes* to = stream->context;
  if (count > (64u << 20) - to->count) return -1;
  uint8_t* grown = realloc(to->bytes, to->count + count + 1);
  if (!grown) return -1;
  to->bytes = grown;
  memcpy(grown + to->count, bytes, count);
  to->count += count;
  return (int64_t)count;
}

static void load_state(const uint8_t* first, size_t count, const uint8_t* second, size_t second_count) {
  (void)second;
  (void)second_count;
  if (!states || count == 0) return;
  Bytes bytes = {(uint8_t*)first, count, 0};
  const AuricleCLAPReadStream stream = {&bytes, read_bytes};
  states->load(plugin, &stream);
}

// Sends the state some time after the plug-in marked it, when nothing moves any more.
static void send_state(void) {
  if (!dirty_time || milliseconds() - dirty_time < 400) return;
  dirty_time = 0;
  Bytes bytes = {NULL, 0, 0};
  const AuricleCLAPWriteStream stream = {&bytes, write_bytes};
  if (states && states->save(plugin, &stream) && bytes.count > 0) say_bytes("state", bytes.bytes, bytes.count);
  free(bytes.bytes);
}

// The window.

static void log_message(void* context, int32_t severity, const char* message) {
  (void)context;
  (void)severity;
  fprintf(stderr, "%s\n", message);
}

static void prepare(const Subject* wanted) {
  subject = *wanted;
  void* library = dlopen(subject.path, RTLD_NOW | RTLD_LOCAL);
  if (!library) refuse(kExit_Unavailable, "the file of %s cannot be loaded: %s", subject.title, dlerror());
  const AuricleCLAPEntry* entry = dlsym(library, "clap_entry");
  if (!entry || !entry->start(subject.path))
    refuse(kExit_Unavailable, "the file of %s cannot be started: %s", subject.title, subject.path);
  const AuricleCLAPFactory* factory = entry->get_factory("clap.plugin-factory");
  auricle_clap_prepare_host(&host, auricle_bell_make());
  host.host.get_extension = host_extension;
  host.log = log_message;
  host.add_timer = add_timer;
  host.remove_timer = remove_timer;
  host.change_descriptor = change_descriptor;
  host.is_live = 1;
  plugin = factory ? factory->create(factory, &host.host, subject.identifier) : NULL;
  if (!plugin || !plugin->initialise(plugin))
    refuse(kExit_Unavailable, "%s cannot be made a second time, for its window", subject.title);
  auricle_clap_enter_phase(&host, kCLAPPhase_Inactive);
  gui = plugin->get_extension(plugin, "clap.gui");
  parameters = plugin->get_extension(plugin, "clap.params");
  states = plugin->get_extension(plugin, "clap.state");
  if (!gui) refuse(kExit_Unavailable, "%s has no window of its own", subject.title);
  is_floating = !gui->is_supported(plugin, "x11", false);
  if (is_floating && !gui->is_supported(plugin, "x11", true))
    refuse(kExit_Unavailable, "%s has no window for X11", subject.title);
}

static void open_window(void) {
  flush();
  shell_make(subject.title);
  if (!gui->create(plugin, "x11", is_floating))
    refuse(kExit_Software, "%s could not make its window", subject.title);
  gui->set_scale(plugin, 1);
  if (is_floating) {
    gui->suggest_title(plugin, subject.title);
  } else {
    uint32_t width = 0, height = 0;
    if (gui->get_size(plugin, &width, &height)) shell_resize((int)width, (int)height, gui->can_resize(plugin));
    shell_map();
    const CLAPParent parent = {"x11", shell_window()};
    if (!gui->set_parent(plugin, &parent))
      refuse(kExit_Software, "%s could not put its window into another", subject.title);
  }
  if (!gui->show(plugin) && is_floating) refuse(kExit_Software, "%s could not show its window", subject.title);
  uint32_t width = 0, height = 0;
  gui->get_size(plugin, &width, &height);
  say("opened %u %u", width, height);
}

static int descriptors(struct pollfd* entries, int capacity) {
  int count = 0;
  entries[count++] = (struct pollfd){host.bell, POLLIN, 0};
  for (int i = 0; i < watched_count && count < capacity; ++i) {
    const short events = (short)((watched[i].flags & kCLAPDescriptor_Read ? POLLIN : 0) |
                                 (watched[i].flags & kCLAPDescriptor_Write ? POLLOUT : 0));
    entries[count++] = (struct pollfd){watched[i].descriptor, events, 0};
  }
  return count;
}

static void serve_descriptors(void) {
  const AuricleCLAPDescriptors* listener = plugin->get_extension(plugin, "clap.posix-fd-support");
  struct pollfd entries[kMostDescriptors + 1];
  const int count = descriptors(entries, kMostDescriptors + 1);
  auricle_bell_stop(host.bell);
  if (!listener || count < 2 || poll(entries, (nfds_t)count, 0) <= 0) return;
  for (int i = 1; i < count; ++i) {
    uint32_t flags = 0;
    if (entries[i].revents & POLLIN) flags |= kCLAPDescriptor_Read;
    if (entries[i].revents & POLLOUT) flags |= kCLAPDescriptor_Write;
    if (entries[i].revents & (POLLERR | POLLHUP)) flags |= kCLAPDescriptor_Error;
    if (flags) listener->on_descriptor(plugin, entries[i].fd, flags);
  }
}

static void serve_timers(void) {
  const AuricleCLAPTimers* listener = plugin->get_extension(plugin, "clap.timer-support");
  const uint64_t now = milliseconds();
  for (int i = 0; listener && i < kMostTimers; ++i) {
    if (!timers[i].period || timers[i].due > now) continue;
    timers[i].due = now + timers[i].period;
    listener->on_timer(plugin, timers[i].id);
  }
}

static void turn(void) {
  serve_descriptors();
  serve_timers();
  auricle_clap_print(&host);
  if (auricle_clap_requests(&host, kCLAPRequest_Callback)) plugin->on_main_thread(plugin);
  auricle_clap_requests(&host, kCLAPRequest_Flush | kCLAPRequest_Restart | kCLAPRequest_Latency | kCLAPRequest_Log);
  flush();
  if (auricle_clap_requests(&host, kCLAPRequest_Values | kCLAPRequest_Information)) read_values();
  if (__atomic_exchange_n(&is_size_wanted, false, __ATOMIC_ACQ_REL))
    shell_resize((int)wanted_size[0], (int)wanted_size[1], gui->can_resize(plugin));
  send_state();
}

static void resized(int width, int height) {
  if (is_floating || !gui->can_resize(plugin)) return;
  uint32_t size[2] = {(uint32_t)width, (uint32_t)height};
  if (gui->adjust_size && gui->adjust_size(plugin, &size[0], &size[1])) gui->set_size(plugin, size[0], size[1]);
}

static void close_window(void) {
  gui->hide(plugin);
  gui->destroy(plugin);
  plugin->destroy(plugin);
  shell_end();
}

const Format kCLAPFormat = {prepare, set_value,   NULL,    load_state,  open_window,
                            turn,    descriptors, resized, close_window};
