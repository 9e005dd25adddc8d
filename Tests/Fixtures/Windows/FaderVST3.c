// A fader in VST3, 0 to 200 %, whose window is served by the run loop of its frame.
// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "FaderView.h"

typedef int32_t Result;
enum { NO = -1, OK = 0, FALSE_RESULT = 1, INVALID = 2, NOT_IMPLEMENTED = 3 };
typedef uint8_t ID[16];
#define W(w) (uint8_t)((w) >> 24), (uint8_t)((w) >> 16), (uint8_t)((w) >> 8), (uint8_t)(w)
#define IS(id, a, b, c, d) (!memcmp(id, (ID){W(a##u), W(b##u), W(c##u), W(d##u)}, 16))

typedef struct {
  Result (*query)(void*, const ID, void**);
  uint32_t (*retain)(void*);
  uint32_t (*release)(void*);
} Base;
typedef struct { int32_t channels; uint64_t silence; float** data; } Bus;
typedef struct { int32_t mode, size, frames, input_count, output_count; Bus *inputs, *outputs; void *in, *out, *a, *b, *c; } Data;
typedef struct { int32_t media, direction, channels; uint16_t name[128]; int32_t type; uint32_t flags; } BusInfo;
typedef struct { uint32_t id; uint16_t title[128], brief[128], units[128]; int32_t steps; double start; int32_t unit, flags; } Parameter;
typedef struct { int32_t left, top, right, bottom; } Rectangle;
typedef struct { Base base; Result (*begin)(void*, uint32_t); Result (*perform)(void*, uint32_t, double); Result (*end)(void*, uint32_t); } HandlerTable;
typedef struct { Base base; int32_t (*count)(void*); void* (*get)(void*, int32_t); } ChangesTable;
typedef struct { Base base; uint32_t (*id)(void*); int32_t (*count)(void*); Result (*get)(void*, int32_t, int32_t*, double*); } QueueTable;
typedef struct { Base base; Result (*add_file)(void*, void*, int); Result (*remove_file)(void*, void*); Result (*add_timer)(void*, void*, uint64_t); Result (*remove_timer)(void*, void*); } LoopTable;
#define TABLE(type, object) ((const type*)*(void**)(object))

typedef struct Plug Plug;
typedef struct { const void* table; Plug* plug; } Face;
struct Plug {
  Face component, processor, controller, view, timer, file;
  int references;
  double level;
  void *handler, *frame, *loop;
  FaderView window;
};
static Plug* of(void* face) { return ((Face*)face)->plug; }
static uint32_t retain(void* self) { return (uint32_t)++of(self)->references; }
static uint32_t release(void* self) {
  Plug* plug = of(self);
  const int left = --plug->references;
  if (left == 0) free(plug);
  return (uint32_t)left;
}
static Result query(void* self, const ID id, void** object) {
  Plug* plug = of(self);
  Face* face = NULL;
  if (IS(id, 0x00000000, 0x00000000, 0xC0000000, 0x00000046)) face = self;
  if (IS(id, 0xE831FF31, 0xF2D54301, 0x928EBBEE, 0x25697802)) face = &plug->component;
  if (IS(id, 0x42043F99, 0xB7DA453C, 0xA569E79D, 0x9AAEC33D)) face = &plug->processor;
  if (IS(id, 0xDCD7BBE3, 0x7742448D, 0xA874AACC, 0x979C759E)) face = &plug->controller;
  *object = face;
  if (face) retain(face);
  return face ? OK : NO;
}
static Result fine(void* self) { return self ? OK : INVALID; }
static Result no(void* self) { return self ? NOT_IMPLEMENTED : INVALID; }
static uint32_t zero(void* self) { return self ? 0 : 1; }

static int32_t bus_count(void* self, int32_t media, int32_t direction) { return self && media == 0 && direction < 2; }
static Result bus_info(void* self, int32_t media, int32_t direction, int32_t index, BusInfo* info) {
  memset(info, 0, sizeof *info);
  *info = (BusInfo){.direction = direction, .channels = 2, .name = {'B'}, .flags = 1};
  return self && media == 0 && index == 0 ? OK : INVALID;
}
static const struct {
  Base base;
  void *initialise, *terminate, *controller_class, *set_io_mode, *bus_count, *bus_info, *routing, *activate_bus, *set_active,
    *set_state, *get_state;
} component = {{query, retain, release}, fine, fine, no, no, bus_count, bus_info, no, fine, fine, fine, fine};

static Result set_arrangements(void* self, uint64_t* in, int32_t in_count, uint64_t* out, int32_t out_count) {
  return self && in_count == 1 && out_count == 1 && in[0] == 3 && out[0] == 3 ? OK : FALSE_RESULT;
}
static Result arrangement(void* self, int32_t direction, int32_t index, uint64_t* bits) {
  *bits = 3;
  return self && direction < 2 && index == 0 ? OK : INVALID;
}
static Result can_process(void* self, int32_t size) { return self && size == 0 ? OK : FALSE_RESULT; }
static Result process(void* self, Data* data) {
  Plug* plug = of(self);
  for (int32_t i = 0; data->in && i < TABLE(ChangesTable, data->in)->count(data->in); ++i) {
    void* queue = TABLE(ChangesTable, data->in)->get(data->in, i);
    const int32_t count = TABLE(QueueTable, queue)->count(queue);
    int32_t offset;
    double value;
    if (count > 0 && TABLE(QueueTable, queue)->get(queue, count - 1, &offset, &value) == OK) plug->level = value;
  }
  for (int c = 0; c < 2; ++c)
    for (int32_t i = 0; i < data->frames; ++i)
      data->outputs[0].data[c][i] = data->inputs[0].data[c][i] * (float)plug->level * 2;
  return OK;
}
static const struct {
  Base base;
  void *set_arrangements, *arrangement, *can_process, *latency, *set_up, *set_processing, *process, *tail;
} processor = {{query, retain, release}, set_arrangements, arrangement, can_process, zero, fine, fine, process, zero};

// The controller.

static int32_t parameter_count(void* self) { return self != NULL; }
static Result parameter_info(void* self, int32_t index, Parameter* info) {
  memset(info, 0, sizeof *info);
  *info = (Parameter){.id = 7, .title = {'L', 'e', 'v', 'e', 'l'}, .units = {'%'}, .start = 0.25, .flags = 1};
  return self && index == 0 ? OK : INVALID;
}
static double plain(void* self, uint32_t id, double value) { return self && id == 7 ? value * 200 : 0; }
static double normalised(void* self, uint32_t id, double value) { return self && id == 7 ? value / 200 : 0; }
static double get_value(void* self, uint32_t id) { return id == 7 ? of(self)->level : 0; }
static Result set_value(void* self, uint32_t id, double value) {
  if (id == 7) of(self)->level = value;
  return id == 7 ? OK : INVALID;
}
static Result set_handler(void* self, void* handler) {
  of(self)->handler = handler;
  return OK;
}
static void* make_view(void* self, const char* name) {
  if (strcmp(name, "editor")) return NULL;
  retain(self);
  return &of(self)->view;
}
static const struct {
  Base base;
  void *initialise, *terminate, *set_component_state, *set_state, *get_state, *parameter_count, *parameter_info, *text, *value_of_text;
  double (*plain)(void*, uint32_t, double);
  double (*normalised)(void*, uint32_t, double);
  double (*value)(void*, uint32_t);
  void *set_value, *set_handler, *make_view;
} controller = {{query, retain, release}, fine, fine, fine, fine, no, parameter_count, parameter_info, no, no, plain, normalised,
                get_value, set_value, set_handler, make_view};

// The window.

static void serve(void* self) {
  Plug* plug = of(self);
  if (!plug->window.display || !fader_turn(&plug->window, &plug->level)) return;
  TABLE(HandlerTable, plug->handler)->begin(plug->handler, 7);
  TABLE(HandlerTable, plug->handler)->perform(plug->handler, 7, plug->level);
  TABLE(HandlerTable, plug->handler)->end(plug->handler, 7);
}
static void on_file(void* self, int file) {
  if (file >= 0) serve(self);
}
static const struct { Base base; void* serve; } timer = {{query, retain, release}, serve}, file = {{query, retain, release}, on_file};

static Result is_supported(void* self, const char* type) { return self && !strcmp(type, "X11EmbedWindowID") ? OK : FALSE_RESULT; }
static Result set_frame(void* self, void* frame) {
  of(self)->frame = frame;
  return OK;
}
static Result attach(void* self, void* parent, const char* type) {
  static const ID loop = {W(0x18C35366u), W(0x97764F1Au), W(0x9C5B8385u), W(0x7A871389u)};
  Plug* plug = of(self);
  if (is_supported(self, type) != OK || !plug->frame) return FALSE_RESULT;
  if (TABLE(Base, plug->frame)->query(plug->frame, loop, &plug->loop) != OK) return FALSE_RESULT;
  if (!fader_open(&plug->window, (unsigned long)(uintptr_t)parent)) return FALSE_RESULT;
  TABLE(LoopTable, plug->loop)->add_file(plug->loop, &plug->file, ConnectionNumber(plug->window.display));
  TABLE(LoopTable, plug->loop)->add_timer(plug->loop, &plug->timer, 50);
  return OK;
}
static Result removed(void* self) {
  Plug* plug = of(self);
  TABLE(LoopTable, plug->loop)->remove_timer(plug->loop, &plug->timer);
  TABLE(LoopTable, plug->loop)->remove_file(plug->loop, &plug->file);
  fader_close(&plug->window);
  return OK;
}
static Result get_size(void* self, Rectangle* size) {
  *size = (Rectangle){0, 0, kFaderWidth, kFaderHeight};
  return self ? OK : INVALID;
}
static Result never(void* self) { return self ? FALSE_RESULT : INVALID; }
static const struct {
  Base base;
  void *is_supported, *attach, *removed, *wheel, *down, *up, *size, *on_size, *focus, *set_frame, *can_resize, *check;
} view = {{query, retain, release}, is_supported, attach, removed, never, never, never, get_size, fine, fine, set_frame, never, fine};

// The file.

static const ID CLASS = {W(0x41757269u), W(0x636C6500u), W(0x54657374u), W(0x00000009u)};
typedef struct { char vendor[64], url[256], email[128]; int32_t flags; } FactoryInfo;
typedef struct { ID id; int32_t cardinality; char category[32], name[64]; } Class;
static Result factory_query(void* self, const ID id, void** object) {
  *object = IS(id, 0x7A4D811C, 0x52114A1F, 0xAED9D2EE, 0x0B43BF9F) ? self : NULL;
  return *object ? OK : NO;
}
static uint32_t one(void* self) { return self != NULL; }
static Result factory_info(void* self, FactoryInfo* info) {
  memset(info, 0, sizeof *info);
  strcpy(info->vendor, "Auricle's tests");
  return self ? OK : INVALID;
}
static int32_t class_count(void* self) { return self != NULL; }
static Result class_info(void* self, int32_t index, Class* info) {
  memset(info, 0, sizeof *info);
  memcpy(info->id, CLASS, 16);
  strcpy(info->category, "Audio Module Class");
  strcpy(info->name, "Vst Fader");
  return self && index == 0 ? OK : INVALID;
}
static Result make(void* self, const ID class_id, const ID id, void** object) {
  *object = NULL;
  if (!self || memcmp(class_id, CLASS, 16)) return NO;
  Plug* plug = calloc(1, sizeof *plug);
  plug->references = 1;
  plug->level = 0.25;
  plug->component = (Face){&component, plug};
  plug->processor = (Face){&processor, plug};
  plug->controller = (Face){&controller, plug};
  plug->view = (Face){&view, plug};
  plug->timer = (Face){&timer, plug};
  plug->file = (Face){&file, plug};
  const Result result = query(&plug->component, id, object);
  release(&plug->component);
  return result;
}
static const struct { Base base; void *info, *count, *class_info, *make; } table = {
  {factory_query, one, one}, factory_info, class_count, class_info, make};
static const struct { const void* table; } factory = {&table};
#define PUBLIC __attribute__((visibility("default")))
PUBLIC bool ModuleEntry(void* library) { return library != NULL; }
PUBLIC bool ModuleExit(void) { return true; }
PUBLIC const void* GetPluginFactory(void) { return &factory; }
