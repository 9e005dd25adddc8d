// Windows of VST3 plug-ins: IPlugView in a window of X11, with IPlugFrame and IRunLoop of the host.
// SPDX-License-Identifier: Apache-2.0
//
// The plug-in here is an instance beside the one that plays; the window shows and moves its parameters.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "VST3PlugIn.h"
#include "Window.h"

AURICLE_VST3_ID(kVST3ID_Frame, 0x367FAF01, 0xAFA94693, 0x8D4DA2A0, 0xED0882A3);

typedef struct {
  int32_t left, top, right, bottom;
} VST3Rectangle;

AURICLE_VST3_OBJECT(VST3View);
typedef struct VST3ViewTable {
  AURICLE_VST3_UNKNOWN(VST3View);
  AuricleVST3Result (*is_supported)(VST3View*, const char* type);
  AuricleVST3Result (*attach)(VST3View*, void* parent, const char* type);
  AuricleVST3Result (*remove)(VST3View*);
  AuricleVST3Result (*on_wheel)(VST3View*, float distance);
  AuricleVST3Result (*on_key_down)(VST3View*, uint16_t key, int16_t code, int16_t modifiers);
  AuricleVST3Result (*on_key_up)(VST3View*, uint16_t key, int16_t code, int16_t modifiers);
  AuricleVST3Result (*size)(VST3View*, VST3Rectangle* size);
  AuricleVST3Result (*on_size)(VST3View*, VST3Rectangle* size);
  AuricleVST3Result (*on_focus)(VST3View*, uint8_t state);
  AuricleVST3Result (*set_frame)(VST3View*, void* frame);
  AuricleVST3Result (*can_resize)(VST3View*);
  AuricleVST3Result (*check_size)(VST3View*, VST3Rectangle* size);
} VST3ViewTable;

// How the unit's values are made of the controller's: as the unit itself does it.
typedef struct {
  uint32_t id;
  int32_t steps;
  bool is_plain, is_line, is_read_only, is_known;
  double low, high, known;
} Scale;

static const char kType[] = "X11EmbedWindowID";
static Subject subject;
static AuricleVST3PlugIn plugin;
static AuricleVST3Application application;
static VST3View* view;
static Scale* scales;
static int32_t scale_count;
static AuricleVST3Part frame;

static Scale* scale_of(uint32_t id) {
  for (int32_t i = 0; i < scale_count; ++i)
    if (scales[i].id == id) return &scales[i];
  return NULL;
}

static double plain(uint32_t id, double value) {
  return plugin.controller->table->plain(plugin.controller, id, value);
}

// Measures the plain values of a parameter of steps.
static void measure_steps(Scale* scale) {
  bool is_own = true;
  for (int32_t step = 0; step <= scale->steps && step <= 256; ++step)
    is_own &= fabs(plain(scale->id, (double)step / scale->steps) - (scale->low + step)) < 1e-6;
  scale->is_plain = scale->is_line = true;
  if (is_own && scale->high - scale->low == scale->steps) return;
  scale->low = 0;
  scale->high = scale->steps;
}

// Measures the plain values of a parameter: a straight line, a curve, or nothing of use.
static void measure(Scale* scale) {
  scale->low = plain(scale->id, 0);
  scale->high = plain(scale->id, 1);
  if (scale->steps > 0) return measure_steps(scale);
  const double length = scale->high - scale->low;
  bool is_monotone = isfinite(length) && length != 0;
  scale->is_line = true;
  double last = scale->low;
  for (int i = 1; i <= 32 && is_monotone; ++i) {
    const double point = plain(scale->id, i / 32.0);
    is_monotone = isfinite(point) && (length > 0 ? last < point : last > point);
    scale->is_line &= fabs(point - (scale->low + length * i / 32)) <= fabs(length) * 1e-6;
    last = point;
  }
  scale->is_plain = is_monotone;
}

static double unit_value(const Scale* scale, double value) {
  if (!scale->is_plain) return value;
  if (scale->steps > 0) {
    const double index = floor(fmin(fmax(value, 0), 1) * (scale->steps + 1.0));
    return scale->low + fmin(index, scale->steps);
  }
  return scale->is_line ? scale->low + (scale->high - scale->low) * value : plain(scale->id, value);
}

static double controller_value(const Scale* scale, double value) {
  double found = value;
  if (scale->is_plain)
    found = scale->is_line ? (value - scale->low) / (scale->high - scale->low)
                           : plugin.controller->table->normalised(plugin.controller, scale->id, value);
  return isfinite(found) ? fmin(fmax(found, 0), 1) : 0;
}

// The frame.

static AuricleVST3Result frame_query(void* self, const AuricleVST3ID* id, void** object) {
  if (!object) return kVST3_InvalidArgument;
  *object = NULL;
  if (auricle_vst3_found(&kVST3ID_Frame, id, self, object) || auricle_vst3_found(&kVST3ID_Unknown, id, self, object) ||
      auricle_vst3_found(&kVST3ID_RunLoop, id, &application.loop, object))
    return kVST3_OK;
  return kVST3_NoInterface;
}
static AuricleVST3Result frame_resize(void* self, VST3View* of, VST3Rectangle* size) {
  (void)self;
  if (!of || !size) return kVST3_InvalidArgument;
  shell_resize(size->right - size->left, size->bottom - size->top, of->table->can_resize(of) == kVST3_OK);
  return of->table->on_size(of, size);
}

static void make_frame(void) {
  static const struct {
    AuricleVST3Result (*query)(void*, const AuricleVST3ID*, void**);
    uint32_t (*retain)(void*);
    uint32_t (*release)(void*);
    AuricleVST3Result (*resize)(void*, VST3View*, VST3Rectangle*);
  } table = {frame_query, auricle_vst3_keep, auricle_vst3_keep, frame_resize};
  frame = (AuricleVST3Part){&table, &frame};
}

// The plug-in.

static bool read_identifier(const char* text, AuricleVST3ID* id) {
  for (int i = 0; i < 16; ++i) {
    unsigned byte = 0;
    if (sscanf(text + 2 * i, "%2x", &byte) != 1) return false;
    id->bytes[i] = (uint8_t)byte;
  }
  return true;
}

static void measure_parameters(void) {
  scale_count = plugin.controller->table->parameter_count(plugin.controller);
  if (scale_count < 0 || scale_count > 65536) scale_count = 0;
  scales = calloc((size_t)scale_count + 1, sizeof *scales);
  if (!scales) refuse(kExit_Software, "there is no memory for the parameters of %s", subject.title);
  for (int32_t i = 0; i < scale_count; ++i) {
    static AuricleVST3Parameter info;
    memset(&info, 0, sizeof info);
    scales[i].id = 0xFFFFFFFFu;
    if (plugin.controller->table->parameter_info(plugin.controller, i, &info) != kVST3_OK) continue;
    scales[i].id = info.id;
    scales[i].steps = info.step_count;
    scales[i].is_read_only = info.flags & kVST3Parameter_ReadOnly;
    measure(&scales[i]);
  }
}

static void prepare(const Subject* wanted) {
  subject = *wanted;
  void* library = dlopen(subject.path, RTLD_NOW | RTLD_LOCAL);
  if (!library) refuse(kExit_Unavailable, "the file of %s cannot be loaded: %s", subject.title, dlerror());
  const AuricleVST3Module module = auricle_vst3_module(library);
  AuricleVST3ID id;
  if (!module.get_factory || !read_identifier(subject.identifier, &id) || (module.enter && !module.enter(library)))
    refuse(kExit_Unavailable, "the file of %s cannot be started: %s", subject.title, subject.path);
  AuricleVST3Factory* factory = module.get_factory();
  const int bell = auricle_bell_make();
  auricle_vst3_prepare_application(&application, bell);
  plugin.application = &application;
  plugin.handler = auricle_vst3_make_handler(bell);
  if (factory) auricle_vst3_set_factory_context(factory, &application);
  if (!factory || auricle_vst3_open(&plugin, factory, &id) || !plugin.controller)
    refuse(kExit_Unavailable, "%s cannot be made a second time, for its window", subject.title);
  view = plugin.controller->table->make_view(plugin.controller, "editor");
  if (!view) refuse(kExit_Unavailable, "%s has no window of its own", subject.title);
  if (view->table->is_supported(view, kType) != kVST3_OK)
    refuse(kExit_Unavailable, "%s has no window for X11", subject.title);
  measure_parameters();
}

static void set_value(uint32_t id, double value) {
  Scale* scale = scale_of(id);
  if (!scale) return;
  scale->known = value;
  scale->is_known = true;
  plugin.controller->table->set_value(plugin.controller, id, controller_value(scale, value));
}

static void load_state(const uint8_t* first, size_t count, const uint8_t* second, size_t second_count) {
  if (count > 0) auricle_vst3_restore(&plugin, first, (int64_t)count, second, (int64_t)second_count, "Project");
}

static void open_window(void) {
  VST3Rectangle size = {0, 0, 400, 300};
  make_frame();
  shell_make(subject.title);
  view->table->set_frame(view, &frame);
  view->table->size(view, &size);
  shell_resize(size.right - size.left, size.bottom - size.top, view->table->can_resize(view) == kVST3_OK);
  shell_map();
  if (view->table->attach(view, (void*)(uintptr_t)shell_window(), kType) != kVST3_OK)
    refuse(kExit_Software, "%s could not put its window into another", subject.title);
  // Some know their size only now.
  if (view->table->size(view, &size) == kVST3_OK)
    shell_resize(size.right - size.left, size.bottom - size.top, view->table->can_resize(view) == kVST3_OK);
  say("opened %d %d", size.right - size.left, size.bottom - size.top);
}

static void send_value(Scale* scale, double value) {
  const double found = (float)unit_value(scale, value);
  if (scale->is_read_only || (scale->is_known && scale->known == found)) return;
  scale->known = found;
  scale->is_known = true;
  say("set %u %.9g", scale->id, found);
}

static int descriptors(struct pollfd* entries, int capacity) {
  int count = 0;
  entries[count++] = (struct pollfd){application.bell, POLLIN, 0};
  for (uint32_t i = 0; i < application.file_count && count < capacity; ++i)
    entries[count++] = (struct pollfd){application.files[i].descriptor, POLLIN, 0};
  return count;
}

static void turn(void) {
  AuricleVST3Edit edit;
  auricle_bell_stop(application.bell);
  auricle_vst3_turn(&application);
  auricle_vst3_deliver(plugin.handler);
  while (auricle_vst3_next_edit(plugin.handler, &edit)) {
    Scale* scale = scale_of(edit.parameter);
    if (scale) send_value(scale, edit.value);
  }
  if (!(auricle_vst3_fetch_restarts(plugin.handler, kVST3Restart_Values | kVST3Restart_Reload))) return;
  for (int32_t i = 0; i < scale_count; ++i)
    send_value(&scales[i], plugin.controller->table->value(plugin.controller, scales[i].id));
}

static void resized(int width, int height) {
  VST3Rectangle size = {0, 0, width, height};
  if (view->table->can_resize(view) != kVST3_OK) return;
  view->table->check_size(view, &size);
  view->table->on_size(view, &size);
}

static void close_window(void) {
  view->table->set_frame(view, NULL);
  view->table->remove(view);
  view->table->release(view);
  auricle_vst3_close(&plugin);
  shell_end();
}

const Format kVST3Format = {prepare, set_value,   NULL,    load_state,  open_window,
                            turn,    descriptors, resized, close_window};
