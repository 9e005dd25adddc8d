// One slice of one VST3 plug-in: its buffers, lists of points and events, and the MIDI that becomes them.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "VST3Host.h"

// Lists of points, a queue for each parameter of a slice. Fixed memory: a queue that is full keeps its end.

typedef struct {
  int32_t offset;
  double value;
} AuricleVST3Point;

typedef struct {
  const void* table;
  uint32_t parameter;
  int32_t count, capacity;
  bool is_message;  // Whether its points are those of MIDI messages.
  AuricleVST3Point* points;
} AuricleVST3OwnQueue;

typedef struct {
  const void* table;
  int32_t count, capacity;
  AuricleVST3OwnQueue* queues;
} AuricleVST3OwnChanges;

static inline AuricleVST3Result auricle_vst3_queue_query(void* self, const AuricleVST3ID* id, void** object) {
  if (!object) return kVST3_InvalidArgument;
  *object = NULL;
  return auricle_vst3_found(&kVST3ID_ValueQueue, id, self, object) ||
             auricle_vst3_found(&kVST3ID_Unknown, id, self, object)
           ? kVST3_OK
           : kVST3_NoInterface;
}
static inline uint32_t auricle_vst3_queue_parameter(void* self) { return ((AuricleVST3OwnQueue*)self)->parameter; }
static inline int32_t auricle_vst3_queue_count(void* self) { return ((AuricleVST3OwnQueue*)self)->count; }
static inline AuricleVST3Result auricle_vst3_queue_get(void* self, int32_t index, int32_t* offset, double* value) {
  const AuricleVST3OwnQueue* queue = (const AuricleVST3OwnQueue*)self;
  if (index < 0 || index >= queue->count) return kVST3_False;
  if (offset) *offset = queue->points[index].offset;
  if (value) *value = queue->points[index].value;
  return kVST3_OK;
}
// Adds a point in the order of offsets, in place of one of the same offset.
static inline AuricleVST3Result auricle_vst3_queue_add(void* self, int32_t offset, double value, int32_t* index) {
  AuricleVST3OwnQueue* queue = (AuricleVST3OwnQueue*)self;
  int32_t place = queue->count;
  while (place > 0 && queue->points[place - 1].offset > offset) --place;
  if (place > 0 && queue->points[place - 1].offset == offset) {
    --place;
  } else if (queue->count == queue->capacity) {
    if (place == queue->count) place = queue->count - 1;
  } else {
    memmove(
      queue->points + place + 1, queue->points + place,
      (size_t)(queue->count - place) * sizeof *queue->points);
    ++queue->count;
  }
  queue->points[place] = (AuricleVST3Point){offset, value};
  if (index) *index = place;
  return kVST3_OK;
}

static inline AuricleVST3Result auricle_vst3_changes_query(void* self, const AuricleVST3ID* id, void** object) {
  if (!object) return kVST3_InvalidArgument;
  *object = NULL;
  return auricle_vst3_found(&kVST3ID_ParameterChanges, id, self, object) ||
             auricle_vst3_found(&kVST3ID_Unknown, id, self, object)
           ? kVST3_OK
           : kVST3_NoInterface;
}
static inline int32_t auricle_vst3_changes_count(void* self) { return ((AuricleVST3OwnChanges*)self)->count; }
static inline void* auricle_vst3_changes_get(void* self, int32_t index) {
  AuricleVST3OwnChanges* changes = (AuricleVST3OwnChanges*)self;
  return index >= 0 && index < changes->count ? &changes->queues[index] : NULL;
}
static inline void* auricle_vst3_changes_add(void* self, const uint32_t* parameter, int32_t* index) {
  AuricleVST3OwnChanges* changes = (AuricleVST3OwnChanges*)self;
  if (!parameter) return NULL;
  int32_t place = 0;
  while (place < changes->count && changes->queues[place].parameter != *parameter) ++place;
  if (place == changes->capacity) return NULL;
  AuricleVST3OwnQueue* queue = &changes->queues[place];
  if (place == changes->count) {
    queue->parameter = *parameter;
    queue->count = 0;
    queue->is_message = false;
    ++changes->count;
  }
  if (index) *index = place;
  return queue;
}

static inline bool auricle_vst3_prepare_changes(AuricleVST3OwnChanges* changes, int32_t queues, int32_t points) {
  static const struct {
    AuricleVST3Result (*query)(void*, const AuricleVST3ID*, void**);
    uint32_t (*retain)(void*);
    uint32_t (*release)(void*);
    uint32_t (*parameter)(void*);
    int32_t (*count)(void*);
    AuricleVST3Result (*get)(void*, int32_t, int32_t*, double*);
    AuricleVST3Result (*add)(void*, int32_t, double, int32_t*);
  } queue = {
    auricle_vst3_queue_query, auricle_vst3_keep,      auricle_vst3_keep,     auricle_vst3_queue_parameter,
    auricle_vst3_queue_count, auricle_vst3_queue_get, auricle_vst3_queue_add,
  };
  static const struct {
    AuricleVST3Result (*query)(void*, const AuricleVST3ID*, void**);
    uint32_t (*retain)(void*);
    uint32_t (*release)(void*);
    int32_t (*count)(void*);
    void* (*get)(void*, int32_t);
    void* (*add)(void*, const uint32_t*, int32_t*);
  } list = {
    auricle_vst3_changes_query, auricle_vst3_keep,        auricle_vst3_keep,
    auricle_vst3_changes_count, auricle_vst3_changes_get, auricle_vst3_changes_add,
  };
  changes->table = &list;
  changes->count = 0;
  changes->capacity = queues;
  changes->queues = (AuricleVST3OwnQueue*)calloc((size_t)queues, sizeof *changes->queues);
  AuricleVST3Point* memory = (AuricleVST3Point*)calloc((size_t)queues * (size_t)points, sizeof *memory);
  if (!changes->queues || !memory) {
    free(changes->queues);
    free(memory);
    changes->queues = NULL;
    return false;
  }
  for (int32_t i = 0; i < queues; ++i) {
    changes->queues[i].table = &queue;
    changes->queues[i].capacity = points;
    changes->queues[i].points = memory + (size_t)i * (size_t)points;
  }
  return true;
}
static inline void auricle_vst3_free_changes(AuricleVST3OwnChanges* changes) {
  if (!changes->queues) return;
  free(changes->queues[0].points);
  free(changes->queues);
}

// Lists of events.

enum { kVST3EventCapacity = 4096 };
typedef struct {
  const void* table;
  int32_t count;
  AuricleVST3Event events[kVST3EventCapacity];
} AuricleVST3OwnEvents;

static inline AuricleVST3Result auricle_vst3_events_query(void* self, const AuricleVST3ID* id, void** object) {
  if (!object) return kVST3_InvalidArgument;
  *object = NULL;
  return auricle_vst3_found(&kVST3ID_EventList, id, self, object) ||
             auricle_vst3_found(&kVST3ID_Unknown, id, self, object)
           ? kVST3_OK
           : kVST3_NoInterface;
}
static inline int32_t auricle_vst3_events_count(void* self) { return ((AuricleVST3OwnEvents*)self)->count; }
static inline AuricleVST3Result auricle_vst3_events_get(void* self, int32_t index, AuricleVST3Event* event) {
  const AuricleVST3OwnEvents* list = (const AuricleVST3OwnEvents*)self;
  if (index < 0 || index >= list->count || !event) return kVST3_False;
  *event = list->events[index];
  return kVST3_OK;
}
static inline AuricleVST3Result auricle_vst3_events_add(void* self, AuricleVST3Event* event) {
  AuricleVST3OwnEvents* list = (AuricleVST3OwnEvents*)self;
  if (!event || list->count >= kVST3EventCapacity) return kVST3_False;
  list->events[list->count++] = *event;
  return kVST3_OK;
}
static inline void auricle_vst3_prepare_events(AuricleVST3OwnEvents* list) {
  static const struct {
    AuricleVST3Result (*query)(void*, const AuricleVST3ID*, void**);
    uint32_t (*retain)(void*);
    uint32_t (*release)(void*);
    int32_t (*count)(void*);
    AuricleVST3Result (*get)(void*, int32_t, AuricleVST3Event*);
    AuricleVST3Result (*add)(void*, AuricleVST3Event*);
  } table = {
    auricle_vst3_events_query, auricle_vst3_keep,       auricle_vst3_keep,
    auricle_vst3_events_count, auricle_vst3_events_get, auricle_vst3_events_add,
  };
  list->table = &table;
  list->count = 0;
}

// Parameters as the render thread knows them.

enum { kVST3CurvePoints = 1025 };
typedef struct {
  uint32_t id;
  int32_t steps;
  double low, high;     // The plain values of 0 and 1.
  const double* curve;  // The plain values of kVST3CurvePoints even steps from 0 to 1; null for a straight line.
  float published;      // A plain value in single precision whose normalised value is known exactly.
  double exact;
  float known;  // The plain value that the processor has.
  bool is_meter;
  bool is_reported;  // Whether the controller receives the values that the processor sends.
} AuricleVST3Slot;

static inline double auricle_vst3_clamped(double value) { return value > 0 ? value < 1 ? value : 1 : 0; }

// The normalised value of a plain one.
AURICLE_TRUSTED static inline double auricle_vst3_normalise(const AuricleVST3Slot* slot, float plain) {
  if (plain == slot->published) return slot->exact;
  const double span = slot->high - slot->low;
  if (span == 0) return 0;
  if (slot->steps > 0) {
    const double step = (plain - slot->low) / span * slot->steps;
    return auricle_vst3_clamped((double)(int64_t)(step + 0.5) / slot->steps);
  }
  if (!slot->curve) return auricle_vst3_clamped((plain - slot->low) / span);
  const bool rises = span > 0;
  int32_t low = 0, high = kVST3CurvePoints - 1;
  while (high - low > 1) {
    const int32_t middle = (low + high) / 2;
    if ((slot->curve[middle] <= plain) == rises) low = middle;
    else high = middle;
  }
  const double width = slot->curve[high] - slot->curve[low];
  const double part = width == 0 ? 0 : (plain - slot->curve[low]) / width;
  return auricle_vst3_clamped((low + auricle_vst3_clamped(part)) / (kVST3CurvePoints - 1));
}

// The plain value of a normalised one.
AURICLE_TRUSTED static inline float auricle_vst3_plain(const AuricleVST3Slot* slot, double value) {
  const double norm = auricle_vst3_clamped(value);
  if (norm == slot->exact) return slot->published;
  if (slot->steps > 0) {
    const int64_t step = (int64_t)(norm * (slot->steps + 1.0));
    const double index = step > slot->steps ? slot->steps : step;
    return (float)(slot->low + (slot->high - slot->low) * (index / slot->steps));
  }
  if (!slot->curve) return (float)(slot->low + (slot->high - slot->low) * norm);
  const double place = norm * (kVST3CurvePoints - 1);
  int32_t first = (int32_t)place;
  if (first > kVST3CurvePoints - 2) first = kVST3CurvePoints - 2;
  return (float)(slot->curve[first] + (slot->curve[first + 1] - slot->curve[first]) * (place - first));
}

// A run.

enum { kVST3Channels = 16, kVST3Keys = 128 };
enum { kVST3NoParameter = 0xFFFFFFFFu };
typedef struct {
  uint32_t tuning, pressure, vertical;  // Types of expression, kVST3NoParameter for none.
  int32_t lower, upper;                 // Channels of single notes above channel 0, and below channel 15.
  float bend_range[kVST3Channels];      // Semitones.
  uint8_t registered[kVST3Channels][2];
} AuricleVST3Zones;

typedef struct {
  AuricleVST3Processor* processor;
  AuricleVST3Handler* handler;
  AuricleVST3Process process;
  AuricleVST3Context context;
  AuricleVST3OwnChanges changes_in, changes_out;
  AuricleVST3OwnEvents events_in, events_out;
  AuricleVST3Buffers* buffers;  // The buffers of the input buses, then the ones of the output buses.
  void** channels;
  float** floats;   // The memory of the slice, a pointer for each channel.
  double* doubles;  // The memory of a processor of double precision; null for others.
  int32_t input_channels, channel_count, maximum_frames;
  AuricleVST3Slot* slots;
  int32_t slot_count;
  int32_t* by_id;         // Places of slots in the order of their identifiers.
  uint32_t* assignments;  // A parameter for each channel and controller; null without any.
  double* positions;      // The last values of these, as long a list.
  uint32_t program_parameter;
  int32_t program_steps;
  bool sends_events;
  bool is_live;
  bool is_active;
  bool is_in_place;  // Whether outputs have the memory of inputs.
  int32_t next_note;
  int32_t notes[kVST3Channels][kVST3Keys];  // The identifiers of held notes, 0 for none.
  AuricleVST3Zones zones;
  uint8_t message[4];
  uint32_t message_size;
} AuricleVST3Run;

// A run without buses and parameters, all zero; null without memory.
static inline AuricleVST3Run* auricle_vst3_make_run(
  int32_t channel_count, int32_t bus_count, int32_t slot_count, int32_t queue_count, int32_t maximum_frames,
  bool is_double) {
  AuricleVST3Run* run = (AuricleVST3Run*)calloc(1, sizeof *run);
  if (!run) return NULL;
  const size_t channels = (size_t)channel_count + 1;
  run->buffers = (AuricleVST3Buffers*)calloc((size_t)bus_count + 1, sizeof *run->buffers);
  run->channels = (void**)calloc(channels, sizeof *run->channels);
  run->floats = (float**)calloc(channels, sizeof *run->floats);
  run->slots = (AuricleVST3Slot*)calloc((size_t)slot_count + 1, sizeof *run->slots);
  run->by_id = (int32_t*)calloc((size_t)slot_count + 1, sizeof *run->by_id);
  if (is_double) run->doubles = (double*)calloc(channels * (size_t)maximum_frames, sizeof *run->doubles);
  run->channel_count = channel_count;
  run->slot_count = slot_count;
  run->maximum_frames = maximum_frames;
  run->program_parameter = kVST3NoParameter;
  run->next_note = 1;
  run->zones.tuning = run->zones.pressure = run->zones.vertical = kVST3NoParameter;
  for (int i = 0; i < kVST3Channels; ++i) {
    run->zones.bend_range[i] = 48;
    run->zones.registered[i][0] = run->zones.registered[i][1] = 0x7F;
  }
  const int32_t points = queue_count <= 512 ? 256 : 32;
  auricle_vst3_prepare_events(&run->events_in);
  auricle_vst3_prepare_events(&run->events_out);
  const bool has_lists = auricle_vst3_prepare_changes(&run->changes_in, queue_count + 1, points) &&
                         auricle_vst3_prepare_changes(&run->changes_out, queue_count + 1, points);
  if (!has_lists || !run->buffers || !run->channels || !run->floats || !run->slots || !run->by_id ||
      (is_double && !run->doubles)) {
    return NULL;
  }
  run->process.sample_size = is_double ? kVST3_Sample64 : kVST3_Sample32;
  run->process.input_changes = (AuricleVST3Changes*)&run->changes_in;
  run->process.output_changes = (AuricleVST3Changes*)&run->changes_out;
  run->process.input_events = (AuricleVST3EventList*)&run->events_in;
  run->process.output_events = (AuricleVST3EventList*)&run->events_out;
  run->process.context = &run->context;
  return run;
}

static inline void auricle_vst3_free_run(AuricleVST3Run* run) {
  auricle_vst3_free_changes(&run->changes_in);
  auricle_vst3_free_changes(&run->changes_out);
  for (int32_t i = 0; i < run->slot_count; ++i) free((void*)(uintptr_t)run->slots[i].curve);
  free(run->buffers);
  free(run->channels);
  free(run->floats);
  free(run->doubles);
  free(run->slots);
  free(run->by_id);
  free(run->assignments);
  free(run->positions);
  free(run);
}

// The slot of a parameter, -1 for none.
AURICLE_TRUSTED static inline int32_t auricle_vst3_slot(const AuricleVST3Run* run, uint32_t id) {
  int32_t low = 0, high = run->slot_count;
  while (low < high) {
    const int32_t middle = (low + high) / 2;
    if (run->slots[run->by_id[middle]].id < id) low = middle + 1;
    else high = middle;
  }
  return low < run->slot_count && run->slots[run->by_id[low]].id == id ? run->by_id[low] : -1;
}

// Adds a point of a parameter; false where there is no room for a further one.
AURICLE_TRUSTED static inline bool auricle_vst3_add_value(
  AuricleVST3Run* run, uint32_t parameter, int32_t offset, double value) {
  AuricleVST3OwnQueue* queue = (AuricleVST3OwnQueue*)auricle_vst3_changes_add(&run->changes_in, &parameter, NULL);
  if (!queue) return false;
  auricle_vst3_queue_add(queue, offset, auricle_vst3_clamped(value), NULL);
  return true;
}

// Adds a step of a parameter that a message moves, from its last value: processors join points by straight lines.
AURICLE_TRUSTED static inline void auricle_vst3_add_step(
  AuricleVST3Run* run, uint32_t parameter, int32_t offset, double from, double value) {
  AuricleVST3OwnQueue* queue = (AuricleVST3OwnQueue*)auricle_vst3_changes_add(&run->changes_in, &parameter, NULL);
  if (!queue) return;
  queue->is_message = true;
  const int32_t last = queue->count - 1;
  if (offset > 0 && (last < 0 || queue->points[last].offset < offset - 1))
    auricle_vst3_queue_add(queue, offset - 1, last < 0 ? from : queue->points[last].value, NULL);
  auricle_vst3_queue_add(queue, offset, auricle_vst3_clamped(value), NULL);
}

AURICLE_TRUSTED static inline AuricleVST3Event* auricle_vst3_add_event(
  AuricleVST3Run* run, int32_t offset, uint16_t type) {
  AuricleVST3OwnEvents* list = &run->events_in;
  if (!run->sends_events || list->count >= kVST3EventCapacity) return NULL;
  AuricleVST3Event* event = &list->events[list->count++];
  memset(event, 0, sizeof *event);
  event->offset = offset;
  event->type = type;
  event->flags = run->is_live ? kVST3Event_IsLive : 0;
  event->music = run->context.music + offset * run->context.tempo / (60 * run->context.sample_rate);
  return event;
}

AURICLE_TRUSTED static inline void auricle_vst3_start_note(
  AuricleVST3Run* run, int32_t offset, int channel, float key, float velocity, int32_t id) {
  AuricleVST3Event* event = auricle_vst3_add_event(run, offset, kVST3Event_NoteOn);
  const int pitch = (int)(key + 0.5f) & 0x7F;
  if (!event) return;
  event->on.channel = (int16_t)channel;
  event->on.pitch = (int16_t)pitch;
  event->on.tuning = (key - (float)pitch) * 100;
  event->on.velocity = velocity;
  event->on.note_id = id;
}
AURICLE_TRUSTED static inline void auricle_vst3_stop_note(
  AuricleVST3Run* run, int32_t offset, int channel, int key, float velocity, int32_t id) {
  AuricleVST3Event* event = auricle_vst3_add_event(run, offset, kVST3Event_NoteOff);
  if (!event) return;
  event->off.channel = (int16_t)channel;
  event->off.pitch = (int16_t)key;
  event->off.velocity = velocity;
  event->off.note_id = id;
}

// The notes that a host numbered and has not stopped.
AURICLE_TRUSTED static inline void auricle_vst3_add_numbered(
  AuricleVST3Run* run, int32_t offset, const uint8_t* bytes) {
  int32_t number;
  float key, velocity;
  memcpy(&number, bytes + 4, sizeof number);
  memcpy(&key, bytes + 8, sizeof key);
  memcpy(&velocity, bytes + 12, sizeof velocity);
  // A number has the key in its lowest bits; identifiers of messages have the highest bit but one.
  const int channel = bytes[2] & 0x0F;
  if (bytes[1]) auricle_vst3_start_note(run, offset, channel, key, velocity, number & 0x3FFFFFFF);
  else auricle_vst3_stop_note(run, offset, channel, number & 0x7F, 0, number & 0x3FFFFFFF);
}

AURICLE_TRUSTED static inline void auricle_vst3_note_on(
  AuricleVST3Run* run, int32_t offset, int channel, int key, int velocity) {
  const int32_t id = 0x40000000 | run->next_note;
  run->next_note = run->next_note % 0x3FFFFFFE + 1;
  run->notes[channel][key] = id;
  auricle_vst3_start_note(run, offset, channel, (float)key, (float)velocity / 127, id);
}
AURICLE_TRUSTED static inline void auricle_vst3_note_off(
  AuricleVST3Run* run, int32_t offset, int channel, int key, int velocity) {
  const int32_t id = run->notes[channel][key];
  run->notes[channel][key] = 0;
  auricle_vst3_stop_note(run, offset, channel, key, (float)velocity / 127, id ? id : -1);
}

// Whether a channel is that of single notes (MPE).
AURICLE_TRUSTED static inline bool auricle_vst3_is_member(const AuricleVST3Run* run, int channel) {
  return (channel >= 1 && channel <= run->zones.lower) || (channel <= 14 && channel >= 15 - run->zones.upper);
}

// Sends an expression of the held notes of a channel.
AURICLE_TRUSTED static inline void auricle_vst3_express(
  AuricleVST3Run* run, int32_t offset, int channel, uint32_t type, double value) {
  for (int key = 0; key < kVST3Keys; ++key) {
    if (!run->notes[channel][key]) continue;
    AuricleVST3Event* event = auricle_vst3_add_event(run, offset, kVST3Event_NoteExpression);
    if (!event) return;
    event->expression.type = type;
    event->expression.note_id = run->notes[channel][key];
    event->expression.value = auricle_vst3_clamped(value);
  }
}
AURICLE_TRUSTED static inline void auricle_vst3_press(
  AuricleVST3Run* run, int32_t offset, int channel, int key, int value) {
  AuricleVST3Event* event = auricle_vst3_add_event(run, offset, kVST3Event_PolyPressure);
  if (!event) return;
  event->pressure.channel = (int16_t)channel;
  event->pressure.pitch = (int16_t)key;
  event->pressure.pressure = (float)value / 127;
  event->pressure.note_id = run->notes[channel][key] ? run->notes[channel][key] : -1;
}

AURICLE_TRUSTED static inline void auricle_vst3_move(
  AuricleVST3Run* run, int32_t offset, int channel, int controller, double value) {
  const int place = channel * kVST3Controller_Count + controller;
  if (!run->assignments || run->assignments[place] == kVST3NoParameter) return;
  auricle_vst3_add_step(run, run->assignments[place], offset, run->positions[place], value);
  run->positions[place] = value;
}

// The controllers that choose a registered parameter: zones, and the range of the wheel.
AURICLE_TRUSTED static inline void auricle_vst3_register(AuricleVST3Run* run, int channel, int controller, int value) {
  AuricleVST3Zones* zones = &run->zones;
  if (controller == 101) zones->registered[channel][0] = (uint8_t)value;
  if (controller == 100) zones->registered[channel][1] = (uint8_t)value;
  if (controller != 6 || zones->registered[channel][0] != 0) return;
  if (zones->registered[channel][1] == 0) zones->bend_range[channel] = (float)value;
  if (zones->registered[channel][1] != 6 || value > 15) return;
  if (channel == 0) zones->lower = value;
  if (channel == 15) zones->upper = value;
}

AURICLE_TRUSTED static inline void auricle_vst3_control(
  AuricleVST3Run* run, int32_t offset, int channel, int controller, int value) {
  auricle_vst3_register(run, channel, controller, value);
  if (controller == 74 && run->zones.vertical != kVST3NoParameter && auricle_vst3_is_member(run, channel))
    return auricle_vst3_express(run, offset, channel, run->zones.vertical, value / 127.0);
  // All sound off, all notes off.
  if (controller == 120 || controller == 123)
    for (int key = 0; key < kVST3Keys; ++key)
      if (run->notes[channel][key]) auricle_vst3_note_off(run, offset, channel, key, 0);
  auricle_vst3_move(run, offset, channel, controller, value / 127.0);
}

// Adds a message of MIDI: notes, pressure of keys and exclusive messages are events, others move parameters.
AURICLE_TRUSTED static inline void auricle_vst3_add_message(
  AuricleVST3Run* run, int32_t offset, const uint8_t* bytes, uint32_t count) {
  const uint8_t kind = bytes[0] & 0xF0;
  const int channel = bytes[0] & 0x0F;
  if (bytes[0] == 0xF4 && count == 16) return auricle_vst3_add_numbered(run, offset, bytes);
  if (bytes[0] == 0xF0) {
    AuricleVST3Event* event = auricle_vst3_add_event(run, offset, kVST3Event_Data);
    if (!event) return;
    event->data.size = count;
    event->data.bytes = bytes;
    return;
  }
  if (kind == 0xF0 || count < 2) return;
  const int first = bytes[1] & 0x7F, second = count > 2 ? bytes[2] & 0x7F : 0;
  switch (kind) {
  case 0x90:
    if (second > 0) auricle_vst3_note_on(run, offset, channel, first, second);
    else auricle_vst3_note_off(run, offset, channel, first, 0);
    break;
  case 0x80: auricle_vst3_note_off(run, offset, channel, first, second); break;
  case 0xA0: auricle_vst3_press(run, offset, channel, first, second); break;
  case 0xB0: auricle_vst3_control(run, offset, channel, first, second); break;
  case 0xC0:
    if (run->program_parameter != kVST3NoParameter && first <= run->program_steps)
      auricle_vst3_add_value(
        run, run->program_parameter, offset, run->program_steps > 0 ? (double)first / run->program_steps : 0);
    break;
  case 0xD0:
    if (auricle_vst3_is_member(run, channel) && run->zones.pressure != kVST3NoParameter)
      auricle_vst3_express(run, offset, channel, run->zones.pressure, first / 127.0);
    else if (auricle_vst3_is_member(run, channel))
      for (int key = 0; key < kVST3Keys; ++key) {
        if (run->notes[channel][key]) auricle_vst3_press(run, offset, channel, key, first);
      }
    else
      auricle_vst3_move(run, offset, channel, kVST3Controller_Pressure, first / 127.0);
    break;
  case 0xE0: {
    const int bend = first | second << 7;
    if (auricle_vst3_is_member(run, channel) && run->zones.tuning != kVST3NoParameter)
      auricle_vst3_express(
        run, offset, channel, run->zones.tuning,
        0.5 + (bend - 8192) / 8192.0 * (double)run->zones.bend_range[channel] / 240);
    else
      auricle_vst3_move(run, offset, channel, kVST3Controller_Bend, bend / 16383.0);
    break;
  }
  default: break;
  }
}

// Processes a slice, whose memory is in `floats`; returns the plug-in's result. No frames, or no outputs: only the
// points arrive. The caller reads the lists, and then clears them.
AURICLE_TRUSTED static inline int32_t auricle_vst3_process(AuricleVST3Run* run, int32_t frames, bool is_silent) {
  const unsigned short mode = auricle_x87_mode();
  run->process.frame_count = frames;
  run->events_out.count = 0;
  run->changes_out.count = 0;
  for (int32_t c = 0; c < run->channel_count; ++c) {
    if (!run->doubles) {
      run->channels[c] = run->floats[c];
      if (c >= run->input_channels && !run->is_in_place) memset(run->floats[c], 0, (size_t)frames * sizeof(float));
      continue;
    }
    double* memory = run->doubles + (size_t)c * (size_t)run->maximum_frames;
    run->channels[c] = memory;
    if (c >= run->input_channels) memset(memory, 0, (size_t)frames * sizeof *memory);
    else
      for (int32_t i = 0; i < frames; ++i) memory[i] = run->floats[c][i];
  }
  const int32_t buses = run->process.input_count + run->process.output_count;
  for (int32_t b = 0; b < buses; ++b) {
    AuricleVST3Buffers* buffers = &run->buffers[b];
    const bool is_input = b < run->process.input_count;
    buffers->silence = !is_input || !is_silent            ? 0
                       : buffers->channel_count >= 64     ? ~(uint64_t)0
                                                          : ((uint64_t)1 << buffers->channel_count) - 1;
  }
  __atomic_store_n(&run->handler->audio_thread, (uint64_t)pthread_self(), __ATOMIC_RELEASE);
  auricle_clear_stack();
  const int32_t result = run->processor->table->process(run->processor, &run->process);
  __atomic_store_n(&run->handler->audio_thread, 0, __ATOMIC_RELEASE);
  if (run->doubles)
    for (int32_t c = run->input_channels; c < run->channel_count; ++c) {
      const double* memory = run->doubles + (size_t)c * (size_t)run->maximum_frames;
      for (int32_t i = 0; i < frames; ++i) run->floats[c][i] = (float)memory[i];
    }
  auricle_end_run(mode);
  run->context.continuous_samples += frames;
  return result;
}

// Processes no frames and no buses: what the lists hold is all that arrives. While nothing renders.
static inline int32_t auricle_vst3_flush(AuricleVST3Run* run) {
  const AuricleVST3Process process = run->process;
  run->process.input_count = run->process.output_count = 0;
  run->process.inputs = run->process.outputs = NULL;
  const int32_t result = auricle_vst3_process(run, 0, false);
  run->process = process;
  return result;
}

// Empties the lists that a slice was sent with.
AURICLE_TRUSTED static inline void auricle_vst3_clear_lists(AuricleVST3Run* run) {
  run->changes_in.count = 0;
  run->events_in.count = 0;
}

// Latency in frames while the processor is active; on the thread that renders after a restart for it.
AURICLE_TRUSTED static inline uint32_t auricle_vst3_latency(AuricleVST3Run* run) {
  return run->processor->table->latency(run->processor);
}

AURICLE_TRUSTED static inline uint8_t auricle_vst3_byte(float value) {
  const float scaled = value * 127 + 0.5f;
  return scaled > 0 ? scaled < 127 ? (uint8_t)scaled : 127 : 0;
}

// An event that the plug-in sent, as a message of MIDI whose size is noted in the run; null for others.
AURICLE_TRUSTED static inline const uint8_t* auricle_vst3_message(AuricleVST3Run* run, const AuricleVST3Event* event) {
  uint8_t* bytes = run->message;
  run->message_size = 3;
  switch (event->type) {
  case kVST3Event_NoteOn:
    bytes[0] = (uint8_t)(0x90 | (event->on.channel & 0x0F));
    bytes[1] = (uint8_t)(event->on.pitch & 0x7F);
    bytes[2] = auricle_vst3_byte(event->on.velocity);
    // In MIDI a note on of velocity 0 is a note off.
    if (bytes[2] == 0) bytes[2] = 1;
    return bytes;
  case kVST3Event_NoteOff:
    bytes[0] = (uint8_t)(0x80 | (event->off.channel & 0x0F));
    bytes[1] = (uint8_t)(event->off.pitch & 0x7F);
    bytes[2] = auricle_vst3_byte(event->off.velocity);
    return bytes;
  case kVST3Event_PolyPressure:
    bytes[0] = (uint8_t)(0xA0 | (event->pressure.channel & 0x0F));
    bytes[1] = (uint8_t)(event->pressure.pitch & 0x7F);
    bytes[2] = auricle_vst3_byte(event->pressure.pressure);
    return bytes;
  case kVST3Event_Data:
    run->message_size = event->data.size;
    return event->data.type == 0 && event->data.size > 1 && event->data.bytes && event->data.bytes[0] == 0xF0
             ? event->data.bytes
             : NULL;
  case kVST3Event_LegacyCC: {
    const uint8_t controller = event->legacy.controller, channel = (uint8_t)(event->legacy.channel & 0x0F);
    bytes[1] = (uint8_t)(event->legacy.value & 0x7F);
    bytes[2] = (uint8_t)(event->legacy.value2 & 0x7F);
    if (controller < 128) {
      bytes[0] = (uint8_t)(0xB0 | channel);
      bytes[2] = bytes[1];
      bytes[1] = controller;
    } else if (controller == 128 || controller == 130) {
      bytes[0] = (uint8_t)((controller == 128 ? 0xD0 : 0xC0) | channel);
      run->message_size = 2;
    } else if (controller == 129 || controller == 131) {
      bytes[0] = (uint8_t)((controller == 129 ? 0xE0 : 0xA0) | channel);
    } else {
      return NULL;
    }
    return bytes;
  }
  default: return NULL;
  }
}

// Puts the slots in the order of their identifiers.
static inline void auricle_vst3_sort_slots(AuricleVST3Run* run) {
  for (int32_t i = 0; i < run->slot_count; ++i) run->by_id[i] = i;
  // Most lists are in order already.
  for (int32_t i = 1; i < run->slot_count; ++i)
    for (int32_t j = i; j > 0 && run->slots[run->by_id[j - 1]].id > run->slots[run->by_id[j]].id; --j) {
      const int32_t other = run->by_id[j];
      run->by_id[j] = run->by_id[j - 1];
      run->by_id[j - 1] = other;
    }
}

// Memory inside a run, which Swift reaches by these without a copy.
AURICLE_TRUSTED static inline AuricleVST3Event* auricle_vst3_sent_events(AuricleVST3Run* run) {
  return run->events_out.events;
}
AURICLE_TRUSTED static inline AuricleVST3Context* auricle_vst3_context(AuricleVST3Run* run) { return &run->context; }

// Whether messages, values, restarts, timers or descriptors may wait for the main thread.
AURICLE_TRUSTED static inline bool auricle_vst3_has_work(
  AuricleVST3Handler* handler, const AuricleVST3Application* application) {
  return auricle_vst3_has_posts(handler) || __atomic_load_n(&handler->report_count, __ATOMIC_RELAXED) > 0 ||
         __atomic_load_n(&handler->restarts, __ATOMIC_RELAXED) != 0 ||
         auricle_vst3_has_listeners(application);
}

// Clears the records of held notes, and of their sent messages.
static inline void auricle_vst3_forget_notes(AuricleVST3Run* run) {
  memset(run->notes, 0, sizeof run->notes);
  run->context.continuous_samples = 0;
}

// Memory that the run frees; null without any.
static inline double* auricle_vst3_make_curve(void) { return (double*)calloc(kVST3CurvePoints, sizeof(double)); }
static inline bool auricle_vst3_make_assignments(AuricleVST3Run* run) {
  const size_t count = kVST3Channels * kVST3Controller_Count;
  if (!run->assignments) run->assignments = (uint32_t*)calloc(count, sizeof *run->assignments);
  if (!run->positions) run->positions = (double*)calloc(count, sizeof *run->positions);
  return run->assignments && run->positions;
}
