// Windows of LV2 plug-ins: user interfaces by suil, in a window of X11 or GTK, or with one that they make.
// SPDX-License-Identifier: Apache-2.0
#include <lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <lv2/core/lv2.h>
#include <lv2/data-access/data-access.h>
#include <lv2/instance-access/instance-access.h>
#include <lv2/log/log.h>
#include <lv2/options/options.h>
#include <lv2/parameters/parameters.h>
#include <lv2/ui/ui.h>
#include <lv2/urid/urid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <suil/suil.h>

#include "Window.h"

// What holds a window.
typedef enum { kHolder_None, kHolder_X11, kHolder_Gtk2, kHolder_Gtk3, kHolder_Own, kHolder_External } Holder;

// Windows of the extension external-ui, which plug-ins make themselves.
#define EXTERNAL "http://kxstudio.sf.net/ns/lv2ext/external-ui#"
typedef struct External {
  void (*run)(struct External*);
  void (*show)(struct External*);
  void (*hide)(struct External*);
} External;
typedef struct {
  void (*ended)(void* controller);
  const char* title;
} ExternalHost;

// A user interface that the data describes.
typedef struct {
  const LilvUI* ui;
  Holder holder;
  const char *type, *container;
  char missing[512];  // A required feature that is not there; empty for none.
} Choice;

static Subject subject;
static LilvWorld* world;
static const LilvPlugin* plugin;
static Choice choice;
static SuilHost* host;
static SuilInstance* instance;
static const LV2UI_Idle_Interface* idle;
static const LV2UI_Show_Interface* show;
static External* external;
static const LV2UI_Resize* resizing;
static uint32_t event_transfer;
static float* known;
static bool* is_known;
static uint32_t port_count;

// Numbers of URIs: those of the unit's process, so that messages mean the same on both sides.

typedef struct {
  char* uri;
  uint32_t number;
} Mapping;
static Mapping* mappings;
static size_t mapping_count;

static void keep_mapping(const char* uri, uint32_t number) {
  Mapping* grown = realloc(mappings, (mapping_count + 1) * sizeof *mappings);
  if (!grown || !number) return;
  mappings = grown;
  mappings[mapping_count++] = (Mapping){strdup(uri), number};
}

static LV2_URID map_uri(LV2_URID_Map_Handle handle, const char* uri) {
  (void)handle;
  if (!uri || !*uri || strpbrk(uri, "\r\n") || strlen(uri) > 3000) return 0;
  for (size_t i = 0; i < mapping_count; ++i)
    if (!strcmp(mappings[i].uri, uri)) return mappings[i].number;
  const uint32_t number = (uint32_t)strtoul(ask("mapped", "map %s", uri), NULL, 10);
  keep_mapping(uri, number);
  return number;
}

static const char* unmap_uri(LV2_URID_Unmap_Handle handle, LV2_URID number) {
  (void)handle;
  for (size_t i = 0; i < mapping_count; ++i)
    if (mappings[i].number == number) return mappings[i].uri;
  const char* uri = ask("unmapped", "unmap %u", number);
  if (!*uri) return NULL;
  keep_mapping(uri, number);
  return mappings[mapping_count - 1].uri;
}

static LV2_URID_Map map = {NULL, map_uri};
static LV2_URID_Unmap unmap = {NULL, unmap_uri};

// The functions of the host.

static void write_port(SuilController controller, uint32_t port, uint32_t size, uint32_t protocol, const void* buffer) {
  (void)controller;
  if (port >= port_count || !buffer) return;
  if (protocol == 0) {
    if (size != sizeof(float)) return;
    const float value = *(const float*)buffer;
    if (is_known[port] && known[port] == value) return;
    known[port] = value;
    is_known[port] = true;
    say("set %u %.9g", port, value);
  } else if (protocol == event_transfer && size >= sizeof(LV2_Atom)) {
    const LV2_Atom* atom = buffer;
    if (atom->size > size - sizeof *atom) return;
    char head[64];
    snprintf(head, sizeof head, "message %u %u", port, atom->type);
    say_bytes(head, (const uint8_t*)(atom + 1), atom->size);
  }
}

static uint32_t port_index(SuilController controller, const char* symbol) {
  (void)controller;
  LilvNode* node = lilv_new_string(world, symbol);
  const LilvPort* port = lilv_plugin_get_port_by_symbol(plugin, node);
  lilv_node_free(node);
  return port ? lilv_port_get_index(plugin, port) : LV2UI_INVALID_PORT_INDEX;
}

// Values of controls and messages of all ports are delivered; other protocols are not known.
static uint32_t subscribe(
  SuilController controller, uint32_t port, uint32_t protocol, const LV2_Feature* const* features) {
  (void)controller;
  (void)features;
  return port < port_count && (protocol == 0 || protocol == event_transfer) ? 0 : 1;
}

static void touch(SuilController controller, uint32_t port, bool is_grabbed) {
  (void)controller;
  say("touch %u %d", port, is_grabbed);
}

static int resize(LV2UI_Feature_Handle handle, int width, int height) {
  (void)handle;
  if (choice.holder == kHolder_X11)
    shell_resize(width, height, true);
  else
    toolkit_resize(width, height);
  return 0;
}

// The window is gone with its plug-in's code: nothing of it is called any more.
static void note_end(void* controller) {
  (void)controller;
  external = NULL;
  is_closed = true;
}

static int print_list(LV2_Log_Handle handle, LV2_URID type, const char* format, va_list list) {
  (void)handle;
  (void)type;
  return vfprintf(stderr, format, list);
}
static int print(LV2_Log_Handle handle, LV2_URID type, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int count = print_list(handle, type, format, list);
  va_end(list);
  return count;
}

// Installed user interfaces.

// Whether a feature is there that a window may require.
static bool is_offered(const char* uri) {
  static const char* const offered[] = {
    LV2_URID__map,        LV2_URID__unmap,        LV2_OPTIONS__options, LV2_LOG__log,
    LV2_UI__parent,       LV2_UI__resize,         LV2_UI__portMap,      LV2_UI__portSubscribe,
    LV2_UI__touch,        LV2_UI__idleInterface,  LV2_UI__fixedSize,    LV2_UI__noUserResize,
    LV2_UI__showInterface, LV2_UI_PREFIX "makeResident", EXTERNAL "Widget", EXTERNAL "Host",
  };
  for (size_t i = 0; i < sizeof offered / sizeof *offered; ++i)
    if (!strcmp(uri, offered[i])) return true;
  return false;
}

static void note_missing(Choice* found) {
  const LilvNode* uri = lilv_ui_get_uri(found->ui);
  lilv_world_load_resource(world, uri);
  LilvNode* required = lilv_new_uri(world, LV2_CORE__requiredFeature);
  LilvNodes* nodes = lilv_world_find_nodes(world, uri, required, NULL);
  LILV_FOREACH(nodes, i, nodes) {
    const char* name = lilv_node_as_uri(lilv_nodes_get(nodes, i));
    // The first reason of several: access to the plug-in's instance.
    if (name && !is_offered(name) && strcmp(found->missing, LV2_INSTANCE_ACCESS_URI))
      snprintf(found->missing, sizeof found->missing, "%s", name);
  }
  lilv_nodes_free(nodes);
  lilv_node_free(required);
}

static bool is_of_type(const LilvUI* ui, const char* type) {
  LilvNode* node = lilv_new_uri(world, type);
  const bool is_so = lilv_ui_is_a(ui, node);
  lilv_node_free(node);
  return is_so;
}

static bool shows_itself(const LilvUI* ui) {
  LilvNode* data = lilv_new_uri(world, LV2_CORE__extensionData);
  LilvNode* name = lilv_new_uri(world, LV2_UI__showInterface);
  const bool is_so = lilv_world_ask(world, lilv_ui_get_uri(ui), data, name);
  lilv_node_free(data);
  lilv_node_free(name);
  return is_so;
}

// Chooses the first of the user interfaces by what shows it best.
static void choose(const LilvUIs* uis) {
  static const struct {
    Holder holder;
    const char *type, *container;
  } order[] = {
    {kHolder_X11, LV2_UI__X11UI, LV2_UI__X11UI},    {kHolder_Gtk3, LV2_UI__Gtk3UI, LV2_UI__Gtk3UI},
    {kHolder_Gtk2, LV2_UI__GtkUI, LV2_UI__GtkUI},   {kHolder_Gtk3, LV2_UI__Qt5UI, LV2_UI__Gtk3UI},
    {kHolder_External, EXTERNAL "Widget", NULL},    {kHolder_Own, NULL, NULL},
  };
  Choice refused = {0};
  for (size_t i = 0; i < sizeof order / sizeof *order && !choice.ui; ++i) {
    LILV_FOREACH(uis, place, uis) {
      const LilvUI* ui = lilv_uis_get(uis, place);
      Choice found = {.ui = ui, .holder = order[i].holder, .type = order[i].type, .container = order[i].container};
      if (order[i].type ? !is_of_type(ui, order[i].type) : !shows_itself(ui)) continue;
      if (order[i].container && !suil_ui_supported(order[i].container, order[i].type)) continue;
      note_missing(&found);
      if (!found.missing[0]) {
        choice = found;
        return;
      }
      if (!refused.ui) refused = found;
    }
  }
  if (refused.ui && (!strcmp(refused.missing, LV2_INSTANCE_ACCESS_URI) || !strcmp(refused.missing, LV2_DATA_ACCESS_URI)))
    refuse(
      kExit_Unavailable,
      "the window of %s needs %s, access to the memory of the plug-in, which one in a process of its own cannot have",
      subject.title, strstr(refused.missing, "instance") ? "instance-access" : "data-access");
  if (refused.ui)
    refuse(
      kExit_Unavailable, "the window of %s needs the feature %s, which is not there", subject.title, refused.missing);
  refuse(
    kExit_Unavailable, "%s has no window of a kind that can be shown: X11, GTK 2, GTK 3, Qt 5 or external-ui",
    subject.title);
}

static const LilvUIs* find_uis(void) {
  LilvNode* uri = lilv_new_uri(world, subject.identifier);
  plugin = lilv_plugins_get_by_uri(lilv_world_get_all_plugins(world), uri);
  lilv_node_free(uri);
  const LilvUIs* uis = plugin ? lilv_plugin_get_uis(plugin) : NULL;
  return uis && lilv_uis_size(uis) > 0 ? uis : NULL;
}

static void prepare(const Subject* wanted) {
  subject = *wanted;
  int count = 0;
  char** words = NULL;
  suil_init(&count, &words, SUIL_ARG_NONE);
  world = lilv_world_new();
  char folder[4096];
  const size_t length = strlen(subject.path);
  snprintf(folder, sizeof folder, "%s%s", subject.path, length && subject.path[length - 1] == '/' ? "" : "/");
  LilvNode* bundle = lilv_new_file_uri(world, NULL, folder);
  lilv_world_load_bundle(world, bundle);
  lilv_node_free(bundle);
  const LilvUIs* uis = find_uis();
  // A few have their windows in another bundle.
  if (!uis) {
    lilv_world_load_all(world);
    uis = find_uis();
  }
  if (!uis) refuse(kExit_Unavailable, "%s has no window of its own", subject.title);
  choose(uis);
  port_count = lilv_plugin_get_num_ports(plugin);
  known = calloc(port_count + 1, sizeof *known);
  is_known = calloc(port_count + 1, sizeof *is_known);
  if (!known || !is_known) refuse(kExit_Software, "there is no memory for the ports of %s", subject.title);
}

// Values and messages of the unit.

static void set_value(uint32_t id, double value) {
  if (id >= port_count) return;
  known[id] = (float)value;
  is_known[id] = true;
  if (instance) suil_instance_port_event(instance, id, sizeof known[id], 0, &known[id]);
}

static void message(uint32_t port, uint32_t type, const uint8_t* bytes, size_t count) {
  if (!instance || port >= port_count || count > (64u << 20)) return;
  LV2_Atom* atom = malloc(sizeof *atom + count);
  if (!atom) return;
  *atom = (LV2_Atom){(uint32_t)count, type};
  memcpy(atom + 1, bytes, count);
  suil_instance_port_event(instance, port, (uint32_t)(sizeof *atom + count), event_transfer, atom);
  free(atom);
}

// The window.

// The features, with their options; of as long a life as the program.
static const LV2_Feature* const* make_features(void) {
  static float sample_rate, update_rate = 30, scale = 1;
  static LV2UI_Resize resize_data = {NULL, resize};
  static LV2_Log_Log log = {NULL, print, print_list};
  static ExternalHost external_host = {note_end, NULL};
  static LV2_Options_Option options[5];
  static LV2_Feature list[12];
  static const LV2_Feature* pointers[13];
  sample_rate = (float)subject.sample_rate;
  const LV2_URID number = map_uri(NULL, LV2_ATOM__Float);
  options[0] = (LV2_Options_Option){
    LV2_OPTIONS_INSTANCE, 0, map_uri(NULL, LV2_PARAMETERS__sampleRate), sizeof(float), number, &sample_rate};
  options[1] = (LV2_Options_Option){
    LV2_OPTIONS_INSTANCE, 0, map_uri(NULL, LV2_UI__updateRate), sizeof(float), number, &update_rate};
  options[2] = (LV2_Options_Option){
    LV2_OPTIONS_INSTANCE, 0, map_uri(NULL, LV2_UI__scaleFactor), sizeof(float), number, &scale};
  options[3] = (LV2_Options_Option){
    LV2_OPTIONS_INSTANCE, 0, map_uri(NULL, LV2_UI__windowTitle), (uint32_t)strlen(subject.title) + 1,
    map_uri(NULL, LV2_ATOM__String), subject.title};
  int count = 0;
  list[count++] = (LV2_Feature){LV2_URID__map, &map};
  list[count++] = (LV2_Feature){LV2_URID__unmap, &unmap};
  list[count++] = (LV2_Feature){LV2_OPTIONS__options, options};
  list[count++] = (LV2_Feature){LV2_LOG__log, &log};
  list[count++] = (LV2_Feature){LV2_UI__resize, &resize_data};
  list[count++] = (LV2_Feature){LV2_UI__idleInterface, NULL};
  if (choice.holder == kHolder_X11)
    list[count++] = (LV2_Feature){LV2_UI__parent, (void*)(uintptr_t)shell_window()};
  external_host.title = subject.title;
  if (choice.holder == kHolder_External) list[count++] = (LV2_Feature){EXTERNAL "Host", &external_host};
  for (int i = 0; i < count; ++i) pointers[i] = &list[i];
  return pointers;
}

static void make_instance(void) {
  host = suil_host_new(write_port, port_index, subscribe, subscribe);
  suil_host_set_touch_func(host, touch);
  char* bundle = lilv_node_get_path(lilv_ui_get_bundle_uri(choice.ui), NULL);
  char* binary = lilv_node_get_path(lilv_ui_get_binary_uri(choice.ui), NULL);
  const LilvNode* kind = lilv_nodes_get_first(lilv_ui_get_classes(choice.ui));
  instance = suil_instance_new(
    host, NULL, choice.container, subject.identifier, lilv_node_as_uri(lilv_ui_get_uri(choice.ui)),
    choice.type ? choice.type : lilv_node_as_uri(kind), bundle, binary, make_features());
  if (!instance) refuse(kExit_Software, "the window of %s could not be made", subject.title);
  idle = suil_instance_extension_data(instance, LV2_UI__idleInterface);
  show = suil_instance_extension_data(instance, LV2_UI__showInterface);
  resizing = suil_instance_extension_data(instance, LV2_UI__resize);
}

static void open_window(void) {
  int width = 0, height = 0;
  event_transfer = map_uri(NULL, LV2_ATOM__eventTransfer);
  if (choice.holder == kHolder_X11) shell_make(subject.title);
  if (choice.holder == kHolder_Gtk2) toolkit_make(2, subject.title);
  if (choice.holder == kHolder_Gtk3) toolkit_make(3, subject.title);
  if (choice.type && !strcmp(choice.type, LV2_UI__Qt5UI)) toolkit_start_qt();
  make_instance();
  void* const widget = suil_instance_get_widget(instance);
  if (choice.holder == kHolder_X11) {
    shell_embed((unsigned long)(uintptr_t)widget);
    shell_map();
    shell_size(&width, &height);
  } else if (choice.holder == kHolder_Own) {
    if (!show || show->show(suil_instance_get_handle(instance)))
      refuse(kExit_Software, "the window of %s could not be shown", subject.title);
  } else if (choice.holder == kHolder_External) {
    external = widget;
    if (!external) refuse(kExit_Software, "the window of %s could not be shown", subject.title);
    external->show(external);
  } else {
    toolkit_hold(widget);
    toolkit_size(&width, &height);
  }
  for (uint32_t port = 0; port < port_count; ++port)
    if (is_known[port]) suil_instance_port_event(instance, port, sizeof(float), 0, &known[port]);
  say("opened %d %d", width, height);
}

static int descriptors(struct pollfd* entries, int capacity) {
  (void)entries;
  (void)capacity;
  return 0;
}

static void turn(void) {
  static bool is_inside;
  // Not once more from within, by a dialog that the plug-in opens there.
  if (is_inside || !instance) return;
  is_inside = true;
  if (external) external->run(external);
  if (idle && idle->idle(suil_instance_get_handle(instance))) is_closed = true;
  is_inside = false;
}

static void resized(int width, int height) {
  // The function of a window has no handle of the host but its own.
  if (resizing) resizing->ui_resize(suil_instance_get_handle(instance), width, height);
}

static void close_window(void) {
  if (choice.holder == kHolder_Own && show) show->hide(suil_instance_get_handle(instance));
  if (external) external->hide(external);
  external = NULL;
  if (instance) suil_instance_free(instance);
  instance = NULL;
  toolkit_end();
  shell_end();
}

const Format kLV2Format = {prepare, set_value,   message, NULL,        open_window,
                           turn,    descriptors, resized, close_window};
