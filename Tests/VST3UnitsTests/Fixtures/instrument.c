// An instrument in VST3, one object of all interfaces: its output is the sum of the keys of held notes, with their expression.
// SPDX-License-Identifier: Apache-2.0
//
// Wrong identifiers of notes off add 1000 to the output for ever. Each note is sent back an octave higher.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t Result;
enum { NO = -1, OK = 0, FALSE_RESULT = 1, INVALID = 2, NOT_IMPLEMENTED = 3 };
typedef uint8_t ID[16];
#define W(w) (uint8_t)((w) >> 24), (uint8_t)((w) >> 16), (uint8_t)((w) >> 8), (uint8_t)(w)
#define IS(id, a, b, c, d) (!memcmp(id, (ID){W(a##u), W(b##u), W(c##u), W(d##u)}, 16))

typedef struct { Result (*query)(void*, const ID, void**); uint32_t (*retain)(void*); uint32_t (*release)(void*); } Base;
typedef struct { int32_t mode, size, frames; double rate; } Setup;
typedef struct { int32_t channels; uint64_t silence; void** data; } Bus;
typedef struct {
  int32_t bus, offset;
  double music;
  uint16_t flags, type;
  union {
    struct { int16_t channel, pitch; float tuning, velocity; int32_t length, id; } on;
    struct { int16_t channel, pitch; float velocity; int32_t id; float tuning; } off;
    struct { uint32_t size, type; const uint8_t* bytes; } data;
    struct { int16_t channel, pitch; float pressure; int32_t id; } pressure;
    struct { uint32_t type; int32_t id; double value; } expression;
    uint64_t words[3];
  };
} Event;
typedef struct { Base base; int32_t (*count)(void*); Result (*get)(void*, int32_t, Event*); Result (*add)(void*, Event*); } EventTable;
typedef struct { const EventTable* table; } Events;
typedef struct {
  int32_t mode, size, frames, input_count, output_count;
  Bus *inputs, *outputs;
  void *in, *out;
  Events *events_in, *events_out;
  void* context;
} Data;
typedef struct { int32_t media, direction, channels; uint16_t name[128]; int32_t type; uint32_t flags; } BusInfo;
typedef struct { uint32_t type; uint16_t title[128], brief[128], units[128]; int32_t unit; double start, least, most; int32_t steps; uint32_t parameter; int32_t flags; } Expression;
typedef struct { uint32_t control, type; } Physical;
typedef struct { uint32_t count; Physical* maps; } PhysicalList;

enum { VOICES = 64 };
typedef struct { bool is_held; int32_t id; int channel, pitch; double level; } Voice;
typedef struct Plug Plug;
typedef struct { const void* table; Plug* plug; } Face;
struct Plug {
  Face component, processor, controller, expression, physical;
  int references;
  Voice voices[VOICES];
  double fault, exclusive;
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
  if (IS(id, 0x00000000, 0x00000000, 0xC0000000, 0x00000046) || IS(id, 0xE831FF31, 0xF2D54301, 0x928EBBEE, 0x25697802)) face = &plug->component;
  if (IS(id, 0x42043F99, 0xB7DA453C, 0xA569E79D, 0x9AAEC33D)) face = &plug->processor;
  if (IS(id, 0xDCD7BBE3, 0x7742448D, 0xA874AACC, 0x979C759E)) face = &plug->controller;
  if (IS(id, 0xB7F8F859, 0x41234872, 0x91169581, 0x4F3721A3)) face = &plug->expression;
  if (IS(id, 0xB03078FF, 0x94D24AC8, 0x90CCD303, 0xD4133324)) face = &plug->physical;
  *object = face;
  if (face) retain(face);
  return face ? OK : NO;
}

static Result fine(void* self) { return OK; }
static Result no(void* self) { return NOT_IMPLEMENTED; }
static int32_t bus_count(void* self, int32_t media, int32_t direction) {
  return media == 1 ? 1 : direction == 1 ? 1 : 0;
}
static Result bus_info(void* self, int32_t media, int32_t direction, int32_t index, BusInfo* info) {
  if (index != 0 || bus_count(self, media, direction) == 0) return INVALID;
  memset(info, 0, sizeof *info);
  info->media = media;
  info->direction = direction;
  info->channels = media == 1 ? 16 : 2;
  info->flags = 1;
  info->name[0] = media == 1 ? 'N' : 'O';
  return OK;
}
static Result get_state(void* self, void* stream) { return OK; }
static const struct {
  Base base;
  void *initialise, *terminate, *controller_class, *set_io_mode, *bus_count, *bus_info, *routing, *activate_bus, *set_active, *set_state,
    *get_state;
} component = {{query, retain, release}, fine, fine, no, no, bus_count, bus_info, no, fine, fine, get_state, get_state};

static Result set_arrangements(void* self, uint64_t* in, int32_t in_count, uint64_t* out, int32_t out_count) {
  return in_count == 0 && out_count == 1 && out[0] == 3 ? OK : FALSE_RESULT;
}
static Result arrangement(void* self, int32_t direction, int32_t index, uint64_t* bits) {
  *bits = 3;
  return direction == 1 ? OK : INVALID;
}
static Result can_process(void* self, int32_t size) { return size == 0 ? OK : FALSE_RESULT; }
static uint32_t zero(void* self) { return 0; }

static Voice* voice(Plug* plug, int32_t id) {
  for (int i = 0; i < VOICES; ++i)
    if (plug->voices[i].is_held && plug->voices[i].id == id) return &plug->voices[i];
  return NULL;
}

static void obey(Plug* plug, const Event* event, Events* out) {
  switch (event->type) {
  case 0:
    if (event->on.id == -1 || voice(plug, event->on.id)) plug->fault = 1000;
    for (int i = 0; i < VOICES; ++i)
      if (!plug->voices[i].is_held) {
        plug->voices[i] = (Voice){true, event->on.id, event->on.channel, event->on.pitch, event->on.pitch + event->on.tuning / 100.0};
        break;
      }
    break;
  case 1: {
    Voice* held = voice(plug, event->off.id);
    if (!held || held->pitch != event->off.pitch || held->channel != event->off.channel) plug->fault = 1000;
    if (held) held->is_held = false;
    break;
  }
  case 2: plug->exclusive = event->data.size > 1 && event->data.bytes[0] == 0xF0 ? event->data.bytes[1] : -1; break;
  case 3: {
    Voice* held = voice(plug, event->pressure.id);
    if (held) held->level = held->pitch + event->pressure.pressure;
    break;
  }
  case 4: {
    Voice* held = voice(plug, event->expression.id);
    if (!held) plug->fault = 1000;
    else if (event->expression.type == 2) held->level = held->pitch + (event->expression.value - 0.5) * 240;
    else held->level = held->pitch + event->expression.value * 100;
    break;
  }
  default: break;
  }
  if (event->type < 2) {
    Event higher = *event;
    higher.on.pitch += 12;
    out->table->add(out, &higher);
  }
}

static Result process(void* self, Data* data) {
  Plug* plug = of(self);
  const int32_t count = data->events_in->table->count(data->events_in);
  int32_t next = 0;
  Event event;
  for (int32_t frame = 0; frame < data->frames; ++frame) {
    while (next < count && data->events_in->table->get(data->events_in, next, &event) == OK && event.offset <= frame) {
      obey(plug, &event, data->events_out);
      ++next;
    }
    double sum = plug->fault + plug->exclusive;
    for (int i = 0; i < VOICES; ++i)
      if (plug->voices[i].is_held) sum += plug->voices[i].level;
    for (int c = 0; c < 2; ++c) ((float**)data->outputs[0].data)[c][frame] = (float)sum;
  }
  return OK;
}
static const struct {
  Base base;
  void *set_arrangements, *arrangement, *can_process, *latency, *set_up, *set_processing, *process, *tail;
} processor = {{query, retain, release}, set_arrangements, arrangement, can_process, zero, fine, fine, process, zero};

static double same(void* self, uint32_t id, double value) { return value; }
static double none(void* self, uint32_t id) { return 0; }
static const struct {
  Base base;
  void *initialise, *terminate, *set_component_state, *set_state, *get_state, *parameter_count, *parameter_info, *text, *value_of_text;
  double (*plain)(void*, uint32_t, double);
  double (*normalised)(void*, uint32_t, double);
  double (*value)(void*, uint32_t);
  void *set_value, *set_handler, *make_view;
} controller = {{query, retain, release}, fine, fine, no, no, no, zero, no, no, no, same, same, none, no, fine, zero};

static int32_t expression_count(void* self, int32_t bus, int16_t channel) { return bus == 0 ? 1 : 0; }
static Result expression_info(void* self, int32_t bus, int16_t channel, int32_t index, Expression* info) {
  memset(info, 0, sizeof *info);
  info->type = 2;
  info->most = 1;
  info->start = 0.5;
  return index == 0 ? OK : INVALID;
}
static const struct { Base base; void *count, *info, *text, *value; } expression = {
  {query, retain, release}, expression_count, expression_info, no, no};

static Result physical_mapping(void* self, int32_t bus, int16_t channel, PhysicalList* list) {
  for (uint32_t i = 0; i < list->count; ++i) list->maps[i].type = list->maps[i].control == 2 ? 100001 : 0xFFFFFFFFu;
  return OK;
}
static const struct { Base base; void* get; } physical = {{query, retain, release}, physical_mapping};

static const ID CLASS = {W(0x41757269u), W(0x636C6500u), W(0x54657374u), W(0x00000003u)};
typedef struct { char vendor[64], url[256], email[128]; int32_t flags; } FactoryInfo;
typedef struct { ID id; int32_t cardinality; char category[32], name[64]; } Class;
typedef struct { Class first; uint32_t flags; char kinds[128], vendor[64], version[64], sdk[64]; } Class2;
typedef struct {
  ID id;
  int32_t cardinality;
  char category[32];
  uint16_t name[64];
  uint32_t flags;
  char kinds[128];
  uint16_t vendor[64], version[64], sdk[64];
} ClassW;

static Result factory_query(void* self, const ID id, void** object) {
  *object = NULL;
  if (!IS(id, 0x7A4D811C, 0x52114A1F, 0xAED9D2EE, 0x0B43BF9F) && !IS(id, 0x0007B650, 0xF24B4C0B, 0xA464EDB9, 0xF00B2ABB) &&
      !IS(id, 0x4555A2AB, 0xC1234E57, 0x9B122910, 0x36878931))
    return NO;
  *object = self;
  return OK;
}
static uint32_t one(void* self) { return 1; }
static bool has_context;
static Result factory_info(void* self, FactoryInfo* info) {
  memset(info, 0, sizeof *info);
  return OK;
}
static int32_t class_count(void* self) { return 1; }
static Result class_info(void* self, int32_t index, Class* info) {
  memset(info, 0, sizeof *info);
  memcpy(info->id, CLASS, 16);
  strcpy(info->category, "Audio Module Class");
  strcpy(info->name, "Keys");
  return index == 0 ? OK : INVALID;
}
static Result class_info2(void* self, int32_t index, Class2* info) {
  memset(info, 0, sizeof *info);
  strcpy(info->kinds, "Instrument|Synth");
  return class_info(self, index, &info->first);
}
static Result class_info_unicode(void* self, int32_t index, ClassW* info) {
  static const uint16_t name[] = {'K', 'l', 0xE4, 'n', 'g', 'e', 0}, vendor[] = {'M', 'a', 'k', 'e', 'r', 0}, version[] = {'3', 0};
  memset(info, 0, sizeof *info);
  memcpy(info->id, CLASS, 16);
  strcpy(info->category, "Audio Module Class");
  memcpy(info->name, name, sizeof name);
  memcpy(info->vendor, vendor, sizeof vendor);
  memcpy(info->version, version, sizeof version);
  return index == 0 ? OK : INVALID;
}
static Result make(void* self, const ID class_id, const ID id, void** object) {
  *object = NULL;
  if (memcmp(class_id, CLASS, 16) || !has_context) return NO;
  Plug* plug = calloc(1, sizeof *plug);
  plug->references = 1;
  plug->component = (Face){&component, plug};
  plug->processor = (Face){&processor, plug};
  plug->controller = (Face){&controller, plug};
  plug->expression = (Face){&expression, plug};
  plug->physical = (Face){&physical, plug};
  const Result result = query(&plug->component, id, object);
  release(&plug->component);
  return result;
}
static Result set_context(void* self, void* context) {
  has_context = context != NULL;
  return OK;
}
static const struct { Base base; void *info, *count, *class_info, *make, *class_info2, *class_info_unicode, *set_context; } table = {
  {factory_query, one, one}, factory_info, class_count, class_info, make, class_info2, class_info_unicode, set_context};
static const struct { const void* table; } factory = {&table};

#define PUBLIC __attribute__((visibility("default")))
PUBLIC bool ModuleEntry(void* library) { return library != NULL; }
PUBLIC bool ModuleExit(void) { return true; }
PUBLIC const void* GetPluginFactory(void) { return &factory; }
