// A gain in VST3, with tables that are not the host's: separate controller, states, messages, layouts, a check of the order.
// SPDX-License-Identifier: Apache-2.0
//
// A macro adds one defect or trait. Of the file: NO_ENTRY, NO_EXIT, NO_FACTORY_SYMBOL, REFUSES_TO_START, NULL_FACTORY, NO_CLASS.
// Of the class: CLASS_TWICE, NOT_MADE, REFUSES_TO_INITIALISE, NO_PROCESSOR, NO_CONTROLLER, OTHER_CLASS, JOINED, WIDE_BUS.
// Of numbers: MANY_CLASSES, MANY_INPUTS, MANY_PARAMETERS, NEGATIVE_EVENTS.
// Of parameters: PARAMETER_TWICE, INVERTED_RANGE, EMPTY_RANGE, BAD_RANGE, PERFORMS.
// Of the life: REFUSES_SETUP, REFUSES_TO_ACTIVATE, REFUSES_STATES, AGREES_TO_ALL, TIMER, LATER_LATENCY, REPORTED_LATENCY.
// Of the sound: FAILS, NOT_FINITE, CRASHES, HANGS, DOUBLE.
// Against rules, of the class: NO_KIND, MAKES_ANY, ANSWERS_ANY, ANY_INDEX, AUXILIARY_FIRST.
// Of parameters: HIGH_ID, NO_TITLE, OTHER_START, LIST_WITHOUT_STEPS, SLOW_BYPASS, NO_UNIT.
// Of the controller: WRONG_INVERSE, WRONG_TEXT, FORGETS, UNBOUNDED, EDITS_WILDLY, ODD_RESTART.
// Of the processor: CALLS_FROM_AUDIO, SENDS_FROM_AUDIO, SECRET_LATENCY, LIVE_ONLY, ONCE_ONLY, SENDS_WILDLY, FALSE_SILENCE,
// WRITES_INPUT, WRONG_IN_PLACE, IGNORES_FLUSH.
// Of states: ANY_STATE, OTHER_STATE, ONE_PIECE, LOSES_VALUES.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

typedef int32_t Result;
enum { NO = -1, OK = 0, FALSE_RESULT = 1, INVALID = 2, NOT_IMPLEMENTED = 3, INTERNAL = 4 };
typedef uint8_t ID[16];
#define W(w) (uint8_t)((w) >> 24), (uint8_t)((w) >> 16), (uint8_t)((w) >> 8), (uint8_t)(w)
#define IS(id, a, b, c, d) (!memcmp(id, (ID){W(a##u), W(b##u), W(c##u), W(d##u)}, 16))

typedef struct { Result (*query)(void*, const ID, void**); uint32_t (*retain)(void*); uint32_t (*release)(void*); } Base;
typedef struct { const Base* table; } Unknown;
typedef struct {
  Base base;
  Result (*read)(void*, void*, int32_t, int32_t*);
  Result (*write)(void*, const void*, int32_t, int32_t*);
  Result (*seek)(void*, int64_t, int32_t, int64_t*);
  Result (*tell)(void*, int64_t*);
} StreamTable;
typedef struct { const StreamTable* table; } Stream;
typedef struct { Base base; Result (*name)(void*, uint16_t*); Result (*make)(void*, const ID, const ID, void**); } HostTable;
typedef struct { const HostTable* table; } Host;
typedef struct {
  Base base;
  Result (*begin)(void*, uint32_t);
  Result (*perform)(void*, uint32_t, double);
  Result (*end)(void*, uint32_t);
  Result (*restart)(void*, int32_t);
} HandlerTable;
typedef struct { const HandlerTable* table; } Handler;
typedef struct {
  Base base;
  Result (*set_int)(void*, const char*, int64_t);
  Result (*get_int)(void*, const char*, int64_t*);
  Result (*set_float)(void*, const char*, double);
  Result (*get_float)(void*, const char*, double*);
  Result (*set_string)(void*, const char*, const uint16_t*);
  Result (*get_string)(void*, const char*, uint16_t*, uint32_t);
  Result (*set_binary)(void*, const char*, const void*, uint32_t);
  Result (*get_binary)(void*, const char*, const void**, uint32_t*);
} AttributesTable;
typedef struct { const AttributesTable* table; } Attributes;
typedef struct { Base base; const char* (*id)(void*); void (*set_id)(void*, const char*); Attributes* (*attributes)(void*); } MessageTable;
typedef struct { const MessageTable* table; } Message;
typedef struct { Base base; Result (*connect)(void*, void*); Result (*disconnect)(void*, void*); Result (*notify)(void*, Message*); } PointTable;
typedef struct { const PointTable* table; } Point;
typedef struct { Base base; uint32_t (*id)(void*); int32_t (*count)(void*); Result (*get)(void*, int32_t, int32_t*, double*); Result (*add)(void*, int32_t, double, int32_t*); } QueueTable;
typedef struct { const QueueTable* table; } Queue;
typedef struct { Base base; int32_t (*count)(void*); Queue* (*get)(void*, int32_t); Queue* (*add)(void*, const uint32_t*, int32_t*); } ChangesTable;
typedef struct { const ChangesTable* table; } Changes;
typedef struct { int32_t mode, size, frames; double rate; } Setup;
typedef struct { int32_t channels; uint64_t silence; void** data; } Bus;
typedef struct {
  int32_t mode, size, frames, input_count, output_count;
  Bus *inputs, *outputs;
  Changes *in, *out;
  void *events_in, *events_out, *context;
} Data;
typedef struct { int32_t media, direction, channels; uint16_t name[128]; int32_t type; uint32_t flags; } BusInfo;
typedef struct { uint32_t id; uint16_t title[128], brief[128], units[128]; int32_t steps; double start; int32_t unit, flags; } Info;
typedef struct { int32_t id, parent; uint16_t name[128]; int32_t list; } Unit;
typedef struct { int32_t id; uint16_t name[128]; int32_t count; } List;
typedef struct { Base base; Result (*a)(void*, void*, int); Result (*b)(void*, void*); Result (*add_timer)(void*, void*, uint64_t); Result (*remove_timer)(void*, void*); } LoopTable;
typedef struct { const LoopTable* table; } Loop;

static const ID PROCESSOR = {W(0x41757269u), W(0x636C6500u), W(0x54657374u), W(0x00000001u)};
static const ID CONTROLLER = {W(0x41757269u), W(0x636C6500u), W(0x54657374u), W(0x00000002u)};

enum { GAIN = 7, MODE = 1000, MISUSE = 9, CUT = 12, BYPASS = 13, PROGRAM = 14, REPORT = 15, WHEEL = 2000000 };
static const char* const modes[] = {"straight", "other", "inverted"};

static void text16(uint16_t* target, const char* text) {
  int i = 0;
  for (; text[i] && i < 127; ++i) target[i] = (uint8_t)text[i];
  target[i] = 0;
}

// The parts of both halves of an instance. A half is a table first, and a pointer back.
typedef struct Plug Plug;
typedef struct { const void* table; Plug* plug; } Face;
typedef struct { double gain, mode, cut, bypass, program, wheel; } Values;
struct Plug {
  Face component, processor, requirements, point;           // The processor's half.
  Face controller, mapping, units, controller_point, timer;  // The controller's half.
  int references;
  bool is_processor, is_controller;
  Values values;   // The processor's values for rendering.
  Values shown;    // The values that the controller shows.
  double misuse;
  int phase;  // 0 made, 1 initialised, 2 set up, 3 active, 4 processing.
  uint64_t input, output;
  Setup setup;
  Point* peer;
  Handler* handler;
  Host* host;
  Loop* loop;
  bool was_informed, was_pinged, is_spent;
  int frames, latency;
};

static Plug* of(void* face) { return ((Face*)face)->plug; }
static void expect(Plug* plug, bool is_right) {
  if (!is_right) ++plug->misuse;
}

static Values defaults(void) { return (Values){.gain = 0.25, .cut = 0.5, .wheel = 0}; }

static uint32_t retain(void* self) { return (uint32_t)++of(self)->references; }
static uint32_t release(void* self) {
  Plug* plug = of(self);
  const int left = --plug->references;
  if (left == 0) free(plug);
  return (uint32_t)left;
}
static Result found(void* face, void** object) {
  retain(face);
  *object = face;
  return OK;
}
static Result query(void* self, const ID id, void** object) {
  Plug* plug = of(self);
  *object = NULL;
#ifdef ANSWERS_ANY
  if (IS(id, 0x41757269, 0x636C6500, 0x4E6F5375, 0x63684944)) *object = self;
#endif
  if (plug->is_processor) {
    if (IS(id, 0x00000000, 0x00000000, 0xC0000000, 0x00000046) || IS(id, 0xE831FF31, 0xF2D54301, 0x928EBBEE, 0x25697802) ||
        IS(id, 0x22888DDB, 0x156E45AE, 0x8358B348, 0x08190625))
      return found(&plug->component, object);
#ifndef NO_PROCESSOR
    if (IS(id, 0x42043F99, 0xB7DA453C, 0xA569E79D, 0x9AAEC33D)) return found(&plug->processor, object);
#endif
    if (IS(id, 0x2A654303, 0xEF764E3D, 0x95B5FE83, 0x730EF6D0)) return found(&plug->requirements, object);
    if (!plug->is_controller && IS(id, 0x70A4156F, 0x6E6E4026, 0x989148BF, 0xAA60D8D1)) return found(&plug->point, object);
  }
  if (plug->is_controller) {
    if (IS(id, 0xDCD7BBE3, 0x7742448D, 0xA874AACC, 0x979C759E) ||
        (!plug->is_processor && IS(id, 0x00000000, 0x00000000, 0xC0000000, 0x00000046)))
      return found(&plug->controller, object);
    if (IS(id, 0xDF0FF9F7, 0x49B74669, 0xB63AB732, 0x7ADBF5E5)) return found(&plug->mapping, object);
    if (IS(id, 0x3D4BD6B5, 0x913A4FD2, 0xA886E768, 0xA5EB92C1)) return found(&plug->units, object);
    if (!plug->is_processor && IS(id, 0x70A4156F, 0x6E6E4026, 0x989148BF, 0xAA60D8D1))
      return found(&plug->controller_point, object);
  }
  return NO;
}
static const Base base = {query, retain, release};

static void attach(Plug* plug, void* context) {
  plug->host = context;
  uint16_t name[128] = {0};
  expect(plug, plug->host && plug->host->table->name(plug->host, name) == OK && name[0] == 'A');
}

// Whether the timer of a controller was called; an instance counts it where there is one.
static bool has_fired;

// The component.

static Result initialise(void* self, void* context) {
  Plug* plug = of(self);
  expect(plug, plug->phase == 0);
  plug->phase = 1;
  attach(plug, context);
#ifdef REFUSES_TO_INITIALISE
  return INTERNAL;
#endif
  return OK;
}
static Result terminate(void* self) {
  Plug* plug = of(self);
  // A wrong order ends the process, which a test sees.
  if (plug->phase > 2 || plug->handler) abort();
  plug->phase = 0;
  return OK;
}
static Result controller_class(void* self, uint8_t* id) {
#ifdef NO_CONTROLLER
  memset(id, 7, 16);
#else
  memcpy(id, CONTROLLER, 16);
#endif
  return OK;
}
static Result set_io_mode(void* self, int32_t mode) { return NOT_IMPLEMENTED; }
static int32_t bus_count(void* self, int32_t media, int32_t direction) {
#ifdef MANY_INPUTS
  if (media == 0 && direction == 0) return INT32_MAX;
#endif
#ifdef NEGATIVE_EVENTS
  if (media == 1) return -1;
#endif
  if (media == 1) return direction == 0 ? 1 : 0;
  return direction == 0 ? 2 : 1;
}
static int channels_of(uint64_t arrangement) { return __builtin_popcountll(arrangement); }
static Result bus_info(void* self, int32_t media, int32_t direction, int32_t index, BusInfo* info) {
  Plug* plug = of(self);
#ifndef ANY_INDEX
  if (index < 0 || index >= bus_count(self, media, direction)) return INVALID;
#endif
  memset(info, 0, sizeof *info);
  info->media = media;
  info->direction = direction;
  info->flags = index == 0;
  info->type = index;
#ifdef AUXILIARY_FIRST
  info->type = 1;
#endif
  info->channels = media == 1 ? 1 : index == 1 ? 1 : channels_of(direction == 0 ? plug->input : plug->output);
#ifdef WIDE_BUS
  if (media == 0) info->channels = 5000;
#endif
  text16(info->name, media == 1 ? "Notes" : index == 1 ? "Side chain" : direction == 0 ? "Main in" : "Main out");
  return OK;
}
static Result routing(void* self, void* in, void* out) { return NOT_IMPLEMENTED; }
static Result activate_bus(void* self, int32_t media, int32_t direction, int32_t index, uint8_t state) {
  expect(of(self), of(self)->phase == 2);
  return OK;
}
static Result set_active(void* self, uint8_t state) {
  Plug* plug = of(self);
  expect(plug, plug->phase == (state ? 2 : 3));
#ifdef REFUSES_TO_ACTIVATE
  if (state) return INTERNAL;
#endif
  plug->phase = state ? 3 : 2;
  plug->frames = 0;
  if (!state) plug->is_spent = true;
#if defined(LATER_LATENCY) || defined(REPORTED_LATENCY)
  plug->latency = plug->values.gain > 0.5 ? 100 : 32;
#else
  plug->latency = 32;
#endif
  return OK;
}

// A stream may move fewer bytes than it is asked for.
static bool write_all(Stream* stream, const void* bytes, int32_t count) {
  int32_t put = 0;
#ifdef ONE_PIECE
  return stream->table->write(stream, bytes, count, NULL) == OK;
#endif
  for (int32_t done = 0; done < count; done += put)
    if (stream->table->write(stream, (const char*)bytes + done, count - done, &put) != OK || put <= 0) return false;
  return true;
}
static bool read_all(Stream* stream, void* bytes, int32_t count) {
  int32_t got = 0;
#ifdef ONE_PIECE
  return stream->table->read(stream, bytes, count, &got) == OK && got == count;
#endif
  for (int32_t done = 0; done < count; done += got)
    if (stream->table->read(stream, (char*)bytes + done, count - done, &got) != OK || got <= 0) return false;
  return true;
}
static Result write_values(Stream* stream, const Values* values, uint32_t mark) {
  Values written = *values;
#ifdef OTHER_STATE
  static int saved;
  written.cut = ++saved;
#endif
#ifdef LOSES_VALUES
  written.gain = 0.25;
#endif
  return write_all(stream, &mark, sizeof mark) && write_all(stream, &written, sizeof written) ? OK : INTERNAL;
}
static Result read_values(Stream* stream, Values* values, uint32_t mark) {
  uint32_t there = 0;
  int64_t place = -1;
  Values read;
  if (stream->table->tell(stream, &place) != OK || place != 0) return INVALID;
  if (!read_all(stream, &there, sizeof there)) return INVALID;
#ifdef ANY_STATE
  if (there != mark) return OK;
#endif
  if (there != mark || !read_all(stream, &read, sizeof read)) return INVALID;
  *values = read;
  return OK;
}
static Result set_state(void* self, Stream* stream) {
#ifdef REFUSES_STATES
  return INTERNAL;
#endif
  return read_values(stream, &of(self)->values, 0x43);
}
static Result get_state(void* self, Stream* stream) { return write_values(stream, &of(self)->values, 0x43); }

static const struct {
  Base base;
  void *initialise, *terminate, *controller_class, *set_io_mode, *bus_count, *bus_info, *routing, *activate_bus, *set_active,
    *set_state, *get_state;
} component = {{query, retain, release}, initialise, terminate, controller_class, set_io_mode, bus_count, bus_info, routing,
               activate_bus, set_active, set_state, get_state};

// The processor.

static Result set_arrangements(void* self, uint64_t* in, int32_t in_count, uint64_t* out, int32_t out_count) {
  Plug* plug = of(self);
  expect(plug, plug->phase < 3 && in_count == 2 && out_count == 1);
#ifdef AGREES_TO_ALL
  return OK;
#endif
  // Stereo, mono, or 7.1 with its sides behind.
  if (in[0] != out[0] || (out[0] != 3 && out[0] != 0x80000 && out[0] != 0x63F)) return FALSE_RESULT;
  plug->input = in[0];
  plug->output = out[0];
  return OK;
}
static Result arrangement(void* self, int32_t direction, int32_t index, uint64_t* bits) {
  *bits = index == 1 ? 0x80000 : direction == 0 ? of(self)->input : of(self)->output;
  return OK;
}
static Result can_process(void* self, int32_t size) {
#ifdef DOUBLE
  return size == 1 ? OK : FALSE_RESULT;
#else
  return size == 0 ? OK : FALSE_RESULT;
#endif
}
static uint32_t latency(void* self) {
  expect(of(self), of(self)->phase >= 3);
  return (uint32_t)of(self)->latency;
}
static Result set_up(void* self, Setup* setup) {
  Plug* plug = of(self);
  expect(plug, plug->phase == 1 || plug->phase == 2);
  plug->setup = *setup;
  plug->phase = 2;
#ifdef REFUSES_SETUP
  return INTERNAL;
#endif
#ifdef LIVE_ONLY
  if (setup->mode == 2 && plug->is_spent) return FALSE_RESULT;
#endif
#ifdef ONCE_ONLY
  if (plug->is_spent && setup->rate != 48000) return FALSE_RESULT;
#endif
  return OK;
}
static Result set_processing(void* self, uint8_t state) {
  Plug* plug = of(self);
  expect(plug, plug->phase == (state ? 3 : 4));
  plug->phase = state ? 4 : 3;
  return NOT_IMPLEMENTED;
}
static uint32_t tail(void* self) { return 0xFFFFFFFFu; }

static double* value_of(Values* values, uint32_t id) {
  switch (id) {
  case GAIN: return &values->gain;
  case MODE: return &values->mode;
  case CUT: return &values->cut;
  case BYPASS: return &values->bypass;
  case PROGRAM: return &values->program;
  case WHEEL: return &values->wheel;
  default: return NULL;
  }
}

// Values by frame: the points of a queue are joined by straight lines, from the last value on.
typedef struct { double gain[8192], wheel[8192]; } Lines;
static void follow(Plug* plug, Data* data, Lines* lines, int32_t frames) {
  for (int32_t i = 0; i < frames; ++i) {
    lines->gain[i] = plug->values.gain;
    lines->wheel[i] = plug->values.wheel;
  }
  const int32_t count = data->in ? data->in->table->count(data->in) : 0;
  for (int32_t q = 0; q < count; ++q) {
    Queue* queue = data->in->table->get(data->in, q);
    double* value = value_of(&plug->values, queue->table->id(queue));
    if (!value) continue;
    double* line = value == &plug->values.gain ? lines->gain : value == &plug->values.wheel ? lines->wheel : NULL;
    int32_t from = -1, points = queue->table->count(queue);
    double last = *value;
    for (int32_t p = 0; p < points; ++p) {
      int32_t offset = 0;
      double next = 0;
      queue->table->get(queue, p, &offset, &next);
      expect(plug, offset > from && (offset < frames || frames == 0) && next >= 0 && next <= 1);
      for (int32_t i = from + 1; line && i <= offset && i < frames; ++i)
        line[i] = last + (next - last) * (i - from) / (offset - from);
      from = offset;
      last = next;
    }
    *value = last;
    for (int32_t i = from + 1; line && i < frames; ++i) line[i] = last;
    if (value == &plug->values.program) {
      plug->values.gain = *value > 0.5 ? 1 : 0.5;
      for (int32_t i = 0; i < frames; ++i) lines->gain[i] = plug->values.gain;
    }
  }
}

static void send_out(Data* data, uint32_t id, double value) {
  int32_t index = 0;
  Queue* queue = data->out->table->add(data->out, &id, &index);
#ifdef SENDS_WILDLY
  if (queue) queue->table->add(queue, data->frames, value, &index);
#endif
  if (queue) queue->table->add(queue, 0, value, &index);
}

// What a plug-in may not do while it renders. The handler is of the other half, which both share here.
static Handler* last_handler;
static void misbehave(Plug* plug, Data* data) {
#if defined(CALLS_FROM_AUDIO)
  if (last_handler) last_handler->table->restart(last_handler, 4);
#elif defined(SENDS_FROM_AUDIO)
  Message* message = NULL;
  const ID id = {W(0x936F033Bu), W(0xC6C047DBu), W(0xBB0882F8u), W(0x13C1E613u)};
  if (plug->peer && plug->host->table->make(plug->host, id, id, (void**)&message) == OK) {
    message->table->set_id(message, "news");
    plug->peer->table->notify(plug->peer, message);
    message->table->base.release(message);
  }
#elif defined(SECRET_LATENCY)
  plug->latency = 64;
#elif defined(WRITES_INPUT)
  if (data->frames > 0) ((float**)data->inputs[0].data)[0][0] = 7;
#elif defined(FALSE_SILENCE)
  if (data->frames > 0) data->outputs[0].silence = 1;
#endif
}

static Result process(void* self, Data* data) {
  Plug* plug = of(self);
  expect(plug, plug->phase == 4 && data->out && data->events_in && data->events_out);
  expect(plug, data->frames <= plug->setup.frames && data->mode == plug->setup.mode && data->size == plug->setup.size);
  expect(plug, data->frames == 0 || (data->input_count == 2 && data->output_count == 1 && data->inputs[1].channels == 1));
#ifdef FAILS
  return INTERNAL;
#endif
#ifdef CRASHES
  *(volatile int*)16 = 1;
#endif
#ifdef HANGS
  for (volatile int on = 1; on;) {
  }
#endif
#ifdef IGNORES_FLUSH
  if (data->frames == 0) return OK;
#endif
  if (data->frames > 0 && data->input_count == 0) return INVALID;
  misbehave(plug, data);
  static Lines lines;
  const double before = plug->values.program;
  const bool was_high = plug->values.gain > 0.5;
  follow(plug, data, &lines, data->frames < 8192 ? data->frames : 8192);
#ifdef WRONG_IN_PLACE
  for (int32_t c = 0; data->frames > 0 && c < data->outputs[0].channels; ++c)
    memset(data->outputs[0].data[c], 0, (size_t)data->frames * sizeof(float));
#endif
  for (int32_t c = 0; data->frames > 0 && c < data->outputs[0].channels; ++c)
    for (int32_t i = 0; i < data->frames; ++i) {
      const double factor = (plug->values.mode == 1 ? -1 : 1) * lines.gain[i] * 4;
#ifdef DOUBLE
      ((double**)data->outputs[0].data)[c][i] = ((double**)data->inputs[0].data)[c][i] * factor;
#elif defined(NOT_FINITE)
      ((float**)data->outputs[0].data)[c][i] = NAN;
#else
      ((float**)data->outputs[0].data)[c][i] = plug->values.bypass > 0.5
        ? ((float**)data->inputs[0].data)[c][i]
        : (float)(((float**)data->inputs[0].data)[c][i] * factor) + ((float**)data->inputs[1].data)[0][i] +
            (float)lines.wheel[i];
#endif
    }
  plug->frames += data->frames;
  if (before != plug->values.program) send_out(data, GAIN, plug->values.gain);
#ifdef REPORTED_LATENCY
  if (was_high != (plug->values.gain > 0.5)) send_out(data, REPORT, 0);
#endif
#ifdef LATER_LATENCY
  if (was_high != (plug->values.gain > 0.5) && plug->peer) {
    Message* message = NULL;
    const ID id = {W(0x936F033Bu), W(0xC6C047DBu), W(0xBB0882F8u), W(0x13C1E613u)};
    if (plug->host->table->make(plug->host, id, id, (void**)&message) == OK) {
      message->table->set_id(message, "latency");
      plug->peer->table->notify(plug->peer, message);
      message->table->base.release(message);
    }
  }
#endif
  if (!plug->was_pinged) ++plug->misuse;
#ifdef TIMER
  if (!has_fired) ++plug->misuse;
#endif
  send_out(data, MISUSE, plug->misuse / 1000);
  (void)was_high;
  return OK;
}
static const struct {
  Base base;
  void *set_arrangements, *arrangement, *can_process, *latency, *set_up, *set_processing, *process, *tail;
} processor = {{query, retain, release}, set_arrangements, arrangement, can_process, latency, set_up, set_processing, process, tail};

static uint32_t needs(void* self) { return 64 | 1024; }
static const struct { Base base; void* get; } requirements = {{query, retain, release}, needs};

// Messages: the controller greets the processor once, when it is connected.

static Result connect(void* self, Point* other) {
  of(self)->peer = other;
  other->table->base.retain(other);
  return OK;
}
static Result disconnect(void* self, Point* other) {
  Plug* plug = of(self);
  expect(plug, plug->peer == other);
  if (plug->peer) plug->peer->table->base.release(plug->peer);
  plug->peer = NULL;
  return OK;
}
static Result connect_controller(void* self, Point* other) {
  Plug* plug = of(self);
  connect(self, other);
  Message* message = NULL;
  const ID id = {W(0x936F033Bu), W(0xC6C047DBu), W(0xBB0882F8u), W(0x13C1E613u)};
  if (plug->host->table->make(plug->host, id, id, (void**)&message) != OK) return INTERNAL;
  Attributes* list = message->table->attributes(message);
  uint16_t text[8] = {'h', 'i', 0};
  const uint8_t blob[5] = {1, 0, 2, 0, 3};
  message->table->set_id(message, "greeting");
  list->table->set_int(list, "number", 1234567890123);
  list->table->set_float(list, "part", 0.125);
  list->table->set_string(list, "text", text);
  list->table->set_binary(list, "blob", blob, sizeof blob);
  other->table->notify(other, message);
  message->table->base.release(message);
  return OK;
}
static Result notify(void* self, Message* message) {
  Plug* plug = of(self);
  Attributes* list = message->table->attributes(message);
  int64_t number = 0;
  double part = 0;
  uint16_t text[3] = {0};
  const void* blob = NULL;
  uint32_t size = 0;
  if (strcmp(message->table->id(message), "greeting")) return FALSE_RESULT;
  plug->was_pinged = list->table->get_int(list, "number", &number) == OK && number == 1234567890123 &&
                     list->table->get_float(list, "part", &part) == OK && part == 0.125 &&
                     list->table->get_string(list, "text", text, sizeof text) == OK && text[1] == 'i' &&
                     list->table->get_binary(list, "blob", &blob, &size) == OK && size == 5 && ((const char*)blob)[4] == 3 &&
                     list->table->get_int(list, "nothing", &number) != OK;
  return OK;
}
static Result notify_controller(void* self, Message* message) {
  Plug* plug = of(self);
  if (!strcmp(message->table->id(message), "latency") && plug->handler) plug->handler->table->restart(plug->handler, 8);
  return OK;
}
static const PointTable point = {{query, retain, release}, (void*)connect, (void*)disconnect, notify};
static const PointTable controller_point = {{query, retain, release}, (void*)connect_controller, (void*)disconnect, notify_controller};

// The controller.

static void fire(void* self) { has_fired = true; }
static const struct { Base base; void* fire; } timer = {{query, retain, release}, fire};

static Result initialise_controller(void* self, void* context) {
  Plug* plug = of(self);
  attach(plug, context);
#ifdef TIMER
  const ID id = {W(0x18C35366u), W(0x97764F1Au), W(0x9C5B8385u), W(0x7A871389u)};
  if (plug->host->table->base.query(plug->host, id, (void**)&plug->loop) == OK)
    plug->loop->table->add_timer(plug->loop, &plug->timer, 10);
#endif
  return OK;
}
static Result terminate_controller(void* self) {
  if (of(self)->handler || of(self)->peer) abort();
  return OK;
}
static Result set_component_state(void* self, Stream* stream) {
  of(self)->was_informed = read_values(stream, &of(self)->shown, 0x43) == OK;
  // Good ones answer so, too.
  return NOT_IMPLEMENTED;
}
static Result set_controller_state(void* self, Stream* stream) {
  Values ignored;
  return read_values(stream, &ignored, 0x45);
}
static Result get_controller_state(void* self, Stream* stream) { return write_values(stream, &of(self)->shown, 0x45); }

enum { HIDDEN = 16, READ_ONLY = 2, AUTOMATE = 1, LIST = 8, IS_PROGRAM = 1 << 15, IS_BYPASS = 1 << 16 };
static const struct { uint32_t id; const char *title, *units; int32_t steps; double start; int32_t unit, flags; } infos[] = {
#if defined(NO_TITLE)
  {GAIN, "", "dB", 0, 0.25, 1, AUTOMATE},
#elif defined(OTHER_START)
  {GAIN, "Gain", "dB", 0, 0.5, 1, AUTOMATE},
#elif defined(LIST_WITHOUT_STEPS)
  {GAIN, "Gain", "dB", 0, 0.25, 1, AUTOMATE | LIST},
#elif defined(NO_UNIT)
  {GAIN, "Gain", "dB", 0, 0.25, 77, AUTOMATE},
#else
  {GAIN, "Gain", "dB", 0, 0.25, 1, AUTOMATE},
#endif
#ifdef HIGH_ID
  {0x80000000u, "High", "", 0, 0, 0, AUTOMATE},
#endif
#ifdef PARAMETER_TWICE
  {GAIN, "Gain", "dB", 0, 0.25, 1, AUTOMATE},
#endif
  {MODE, "Mode", "", 2, 0, 2, AUTOMATE | LIST},
  {MISUSE, "Misuse", "", 0, 0, 0, READ_ONLY},
  {CUT, "Cut", "Hz", 0, 0.5, 0, AUTOMATE},
#ifdef SLOW_BYPASS
  {BYPASS, "Bypass", "", 0, 0, 0, AUTOMATE | IS_BYPASS},
#else
  {BYPASS, "Bypass", "", 1, 0, 0, AUTOMATE | IS_BYPASS},
#endif
  {PROGRAM, "Program", "", 1, 0, 0, IS_PROGRAM | LIST},
  {WHEEL, "Wheel", "", 0, 0, 0, AUTOMATE | HIDDEN},
#ifdef REPORTED_LATENCY
  {REPORT, "Gain", "", 0, 0, 0, READ_ONLY | HIDDEN},
#endif
};
static int32_t parameter_count(void* self) {
#ifdef MANY_PARAMETERS
  return INT32_MAX;
#endif
  return sizeof infos / sizeof *infos;
}
static Result parameter_info(void* self, int32_t index, Info* info) {
#ifdef ANY_INDEX
  if (index < 0 || index >= parameter_count(self)) return OK;
#endif
  if (index < 0 || index >= parameter_count(self)) return INVALID;
  memset(info, 0, sizeof *info);
  info->id = infos[index].id;
  text16(info->title, infos[index].title);
  text16(info->units, infos[index].units);
  info->steps = infos[index].steps;
  info->start = infos[index].start;
  info->unit = infos[index].unit;
  info->flags = infos[index].flags;
  return OK;
}
static double plain(void* self, uint32_t id, double value) {
#if defined(INVERTED_RANGE)
  if (id == GAIN) return 4 - value * 4;
#elif defined(EMPTY_RANGE)
  if (id == GAIN) return 3;
#elif defined(BAD_RANGE)
  if (id == GAIN) return NAN;
#endif
  switch (id) {
  case GAIN: return value * 4;
  case MODE: return value * 2;
  case MISUSE: return value * 1000;
  case CUT: return 20 * pow(1000, value);
  default: return value;
  }
}
static double normalised(void* self, uint32_t id, double value) {
#ifdef WRONG_INVERSE
  if (id == GAIN) return value / 8;
#endif
  return id == GAIN ? value / 4 : id == MODE ? value / 2 : id == MISUSE ? value / 1000 : id == CUT ? log(value / 20) / log(1000) : value;
}
static Result text_of_value(void* self, uint32_t id, double value, uint16_t* text) {
  char line[64] = "";
  if (id == MODE) snprintf(line, sizeof line, "%s", modes[(int)(value * 2 + 0.5)]);
  else if (id == GAIN) snprintf(line, sizeof line, "%.1f of 4", plain(self, id, value));
  else snprintf(line, sizeof line, "%g", plain(self, id, value));
  text16(text, line);
  return OK;
}
static Result value_of_text(void* self, uint32_t id, uint16_t* text, double* value) {
  char line[128];
  int i = 0;
  for (; text[i] && i < 127; ++i) line[i] = (char)text[i];
  line[i] = 0;
  if (id == GAIN && !strcmp(line, "twice")) return *value = 0.5, OK;
  for (int mode = 0; id == MODE && mode < 3; ++mode)
    if (!strcmp(line, modes[mode])) return *value = mode / 2.0, OK;
#ifdef WRONG_TEXT
  if (id == CUT) return *value = 0.3, OK;
#endif
  char* end = NULL;
  const double number = strtod(line, &end);
  if (end == line) return FALSE_RESULT;
  *value = normalised(self, id, number);
  *value = *value < 0 ? 0 : *value > 1 ? 1 : *value;
  return OK;
}
static double value(void* self, uint32_t id) {
  const double* value = value_of(&of(self)->shown, id);
  return value ? *value : 0;
}
static Result set_value(void* self, uint32_t id, double value) {
  double* shown = value_of(&of(self)->shown, id);
  if (id == REPORT && of(self)->handler) of(self)->handler->table->restart(of(self)->handler, 8);
  if (!shown) return INVALID;
#ifdef FORGETS
  if (id == CUT) return OK;
#endif
#ifndef UNBOUNDED
  value = value < 0 ? 0 : value > 1 ? 1 : value;
#endif
  *shown = value;
  if (id == PROGRAM) of(self)->shown.gain = value > 0.5 ? 1 : 0.5;
  return OK;
}
static Result set_handler(void* self, Handler* handler) {
  Plug* plug = of(self);
  plug->handler = handler;
  last_handler = handler;
#ifdef EDITS_WILDLY
  if (handler) {
    handler->table->perform(handler, 4711, 1.5);
    handler->table->end(handler, 4711);
  }
#endif
#ifdef ODD_RESTART
  if (handler) handler->table->restart(handler, 1 << 20);
#endif
#ifdef TIMER
  if (!handler && plug->loop) plug->loop->table->remove_timer(plug->loop, &plug->timer);
#endif
#ifdef PERFORMS
  if (handler) {
    handler->table->begin(handler, GAIN);
    handler->table->perform(handler, GAIN, 0.75);
    handler->table->end(handler, GAIN);
  }
#endif
  return OK;
}
static void* make_view(void* self, const char* name) { return NULL; }
static const struct {
  Base base;
  void *initialise, *terminate, *set_component_state, *set_state, *get_state, *parameter_count, *parameter_info, *text_of_value,
    *value_of_text;
  double (*plain)(void*, uint32_t, double);
  double (*normalised)(void*, uint32_t, double);
  double (*value)(void*, uint32_t);
  void *set_value, *set_handler, *make_view;
} controller = {{query, retain, release}, initialise_controller, terminate_controller, set_component_state, set_controller_state,
                get_controller_state, parameter_count, parameter_info, text_of_value, value_of_text, plain, normalised, value,
                set_value, set_handler, make_view};

// Does nothing; for a joined object, whose component half is initialised and ended for both.
static Result nothing(void* self, void* context) { return OK; }
static const struct {
  Base base;
  void *initialise, *terminate, *set_component_state, *set_state, *get_state, *parameter_count, *parameter_info, *text_of_value,
    *value_of_text;
  double (*plain)(void*, uint32_t, double);
  double (*normalised)(void*, uint32_t, double);
  double (*value)(void*, uint32_t);
  void *set_value, *set_handler, *make_view;
} joined = {{query, retain, release}, nothing, nothing, set_component_state, set_controller_state, get_controller_state,
            parameter_count, parameter_info, text_of_value, value_of_text, plain, normalised, value, set_value, set_handler, make_view};

static Result assignment(void* self, int32_t bus, int16_t channel, int16_t controller, uint32_t* id) {
  if (bus != 0 || controller != 1) return FALSE_RESULT;
  *id = WHEEL;
  return OK;
}
static const struct { Base base; void* get; } mapping = {{query, retain, release}, assignment};

static int32_t unit_count(void* self) { return 3; }
static Result unit(void* self, int32_t index, Unit* unit) {
  static const char* const names[] = {"Root", "Level", "Shape"};
  if (index < 0 || index > 2) return INVALID;
  *unit = (Unit){.id = index, .parent = index - 1, .list = index == 0 ? 5 : -1};
  text16(unit->name, names[index]);
  return OK;
}
static int32_t list_count(void* self) { return 1; }
static Result list(void* self, int32_t index, List* list) {
  *list = (List){.id = 5, .count = 2};
  text16(list->name, "Factory");
  return OK;
}
static Result program_name(void* self, int32_t list, int32_t program, uint16_t* name) {
  if (list != 5 || program < 0 || program > 1) return INVALID;
  text16(name, program == 0 ? "Half" : "Whole");
  return OK;
}
static Result refuse(void* self) { return FALSE_RESULT; }
static int32_t zero(void* self) { return 0; }
static const struct {
  Base base;
  void *unit_count, *unit, *list_count, *list, *program_name, *program_info, *has_names, *pitch_name, *selected, *select, *by_bus,
    *set_data;
} units = {{query, retain, release}, unit_count, unit, list_count, list, program_name, refuse, refuse, refuse, zero, refuse, refuse,
           refuse};

// The factory.

static Plug* make_plug(bool is_processor, bool is_controller) {
  Plug* plug = calloc(1, sizeof *plug);
  plug->references = 1;
  plug->is_processor = is_processor;
  plug->is_controller = is_controller;
  plug->input = plug->output = 3;
  plug->values = plug->shown = defaults();
  plug->was_pinged = is_controller;
  plug->component = (Face){&component, plug};
  plug->processor = (Face){&processor, plug};
  plug->requirements = (Face){&requirements, plug};
  plug->point = (Face){&point, plug};
  plug->controller = (Face){is_processor ? (const void*)&joined : &controller, plug};
  plug->mapping = (Face){&mapping, plug};
  plug->units = (Face){&units, plug};
  plug->controller_point = (Face){&controller_point, plug};
  plug->timer = (Face){&timer, plug};
  return plug;
}

typedef struct { char vendor[64], url[256], email[128]; int32_t flags; } FactoryInfo;
typedef struct { ID id; int32_t cardinality; char category[32], name[64]; } Class;
typedef struct { Class first; uint32_t flags; char kinds[128], vendor[64], version[64], sdk[64]; } Class2;

static Result no_query(void* self, const ID id, void** object) {
  *object = NULL;
  if (!IS(id, 0x7A4D811C, 0x52114A1F, 0xAED9D2EE, 0x0B43BF9F) && !IS(id, 0x0007B650, 0xF24B4C0B, 0xA464EDB9, 0xF00B2ABB)) return NO;
  *object = self;
  return OK;
}
static uint32_t one(void* self) { return 1; }
static Result factory_info(void* self, FactoryInfo* info) {
  memset(info, 0, sizeof *info);
  strcpy(info->vendor, "Auricle's tests");
  return OK;
}
static int32_t class_count(void* self) {
#if defined(NO_CLASS)
  return 0;
#elif defined(MANY_CLASSES)
  return INT32_MAX;
#elif defined(CLASS_TWICE)
  return 3;
#elif defined(JOINED)
  return 1;
#else
  return 2;
#endif
}
static Result class_info(void* self, int32_t index, Class* info) {
  memset(info, 0, sizeof *info);
  if (index < 0 || index >= class_count(self)) return INVALID;
  memcpy(info->id, index == 1 ? CONTROLLER : PROCESSOR, 16);
#ifdef OTHER_CLASS
  info->id[15] += 0x10;
#endif
  info->cardinality = 0x7FFFFFFF;
  strcpy(info->category, index == 1 ? "Component Controller Class" : "Audio Module Class");
  strcpy(info->name, "Gain");
  return OK;
}
static Result class_info2(void* self, int32_t index, Class2* info) {
  memset(info, 0, sizeof *info);
  const Result result = class_info(self, index, &info->first);
#ifdef NO_KIND
  strcpy(info->kinds, "Tools");
#else
  strcpy(info->kinds, "Fx|Tools");
#endif
  strcpy(info->version, "2.5.1");
  return result;
}
static Result make(void* self, const ID class_id, const ID id, void** object) {
  *object = NULL;
#ifdef NOT_MADE
  return NO;
#endif
  ID wanted;
  memcpy(wanted, class_id, 16);
#ifdef MAKES_ANY
  if (memcmp(wanted, CONTROLLER, 16)) memcpy(wanted, PROCESSOR, 16);
#endif
#ifdef OTHER_CLASS
  wanted[15] -= 0x10;
  if (!memcmp(class_id, CONTROLLER, 16)) memcpy(wanted, CONTROLLER, 16);
#endif
  Plug* plug = NULL;
#ifdef JOINED
  if (!memcmp(wanted, PROCESSOR, 16)) plug = make_plug(true, true);
#else
  if (!memcmp(wanted, PROCESSOR, 16)) plug = make_plug(true, false);
  if (!memcmp(wanted, CONTROLLER, 16)) plug = make_plug(false, true);
#endif
  if (!plug) return NO;
  Face* face = plug->is_processor ? &plug->component : &plug->controller;
  const Result result = query(face, id, object);
  release(face);
  return result;
}
static const struct { Base base; void *info, *count, *class_info, *make, *class_info2; } factory_table = {
  {no_query, one, one}, factory_info, class_count, class_info, make, class_info2};
static const struct { const void* table; } factory = {&factory_table};

static bool is_entered;
#define PUBLIC __attribute__((visibility("default")))
#ifndef NO_ENTRY
PUBLIC bool ModuleEntry(void* library) {
#ifdef REFUSES_TO_START
  return false;
#endif
  if (is_entered) abort();
  is_entered = true;
  return library != NULL;
}
#endif
#ifndef NO_EXIT
PUBLIC bool ModuleExit(void) { return true; }
#endif
#ifndef NO_FACTORY_SYMBOL
PUBLIC const void* GetPluginFactory(void) {
#ifdef NULL_FACTORY
  return NULL;
#endif
#ifndef NO_ENTRY
  if (!is_entered) abort();
#endif
  return &factory;
}
#endif
