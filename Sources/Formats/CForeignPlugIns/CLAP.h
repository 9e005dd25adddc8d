// The binary interface of CLAP 1.2, in our own words, and the host's side of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "Guard.h"

typedef struct {
  uint32_t major, minor, revision;
} AuricleCLAPVersion;

typedef struct {
  AuricleCLAPVersion version;
  const char *id, *name, *vendor, *url, *manual_url, *support_url, *plugin_version, *description;
  const char* const* features;
} AuricleCLAPDescriptor;

// The host, as a plug-in has it. [thread-safe]
typedef struct AuricleCLAPHost {
  AuricleCLAPVersion version;
  void* data;
  const char *name, *vendor, *url, *host_version;
  const void* (*get_extension)(const struct AuricleCLAPHost* host, const char* id);
  void (*request_restart)(const struct AuricleCLAPHost* host);
  void (*request_process)(const struct AuricleCLAPHost* host);
  void (*request_callback)(const struct AuricleCLAPHost* host);
} AuricleCLAPHost;

typedef struct {
  float** data32;
  double** data64;
  uint32_t channel_count;
  uint32_t latency;
  uint64_t constant_mask;
} AuricleCLAPBuffer;

typedef struct {
  uint32_t size;
  uint32_t time;
  uint16_t space;
  uint16_t type;
  uint32_t flags;
} AuricleCLAPEvent;

enum {
  kCLAPEvent_NoteOn = 0,
  kCLAPEvent_NoteOff = 1,
  kCLAPEvent_NoteChoke = 2,
  kCLAPEvent_ParameterValue = 5,
  kCLAPEvent_MIDI = 10,
  kCLAPEvent_SystemExclusive = 11,
};

typedef struct {
  AuricleCLAPEvent header;
  int32_t note_id;
  int16_t port, channel, key;
  double velocity;
} AuricleCLAPNote;

typedef struct {
  AuricleCLAPEvent header;
  uint32_t parameter;
  void* cookie;
  int32_t note_id;
  int16_t port, channel, key;
  double value;
} AuricleCLAPValue;

typedef struct {
  AuricleCLAPEvent header;
  uint16_t port;
  uint8_t bytes[3];
} AuricleCLAPMIDI;

typedef struct {
  AuricleCLAPEvent header;
  uint16_t port;
  const uint8_t* bytes;
  uint32_t byte_count;
} AuricleCLAPSystemExclusive;

typedef struct AuricleCLAPInput {
  void* context;
  uint32_t (*size)(const struct AuricleCLAPInput* list);
  const AuricleCLAPEvent* (*get)(const struct AuricleCLAPInput* list, uint32_t index);
} AuricleCLAPInput;

typedef struct AuricleCLAPOutput {
  void* context;
  bool (*try_push)(const struct AuricleCLAPOutput* list, const AuricleCLAPEvent* event);
} AuricleCLAPOutput;

typedef struct {
  int64_t steady_time;
  uint32_t frame_count;
  const void* transport;
  const AuricleCLAPBuffer* inputs;
  AuricleCLAPBuffer* outputs;
  uint32_t input_count, output_count;
  const AuricleCLAPInput* events_in;
  const AuricleCLAPOutput* events_out;
} AuricleCLAPProcess;

typedef struct AuricleCLAPPlugin {
  const AuricleCLAPDescriptor* descriptor;
  void* data;
  bool (*initialise)(const struct AuricleCLAPPlugin*);                                      // [main-thread]
  void (*destroy)(const struct AuricleCLAPPlugin*);                                         // [main-thread & !active]
  bool (*activate)(const struct AuricleCLAPPlugin*, double rate, uint32_t least, uint32_t most);  // [main-thread & !active]
  void (*deactivate)(const struct AuricleCLAPPlugin*);                                      // [main-thread & active]
  bool (*start_processing)(const struct AuricleCLAPPlugin*);                                // [audio-thread & active]
  void (*stop_processing)(const struct AuricleCLAPPlugin*);                                 // [audio-thread & processing]
  void (*reset)(const struct AuricleCLAPPlugin*);                                           // [audio-thread & active]
  int32_t (*process)(const struct AuricleCLAPPlugin*, const AuricleCLAPProcess*);           // [audio-thread & processing]
  const void* (*get_extension)(const struct AuricleCLAPPlugin*, const char* id);            // [thread-safe]
  void (*on_main_thread)(const struct AuricleCLAPPlugin*);                                  // [main-thread]
} AuricleCLAPPlugin;

typedef struct AuricleCLAPFactory {
  uint32_t (*count)(const struct AuricleCLAPFactory*);
  const AuricleCLAPDescriptor* (*descriptor)(const struct AuricleCLAPFactory*, uint32_t index);
  const AuricleCLAPPlugin* (*create)(const struct AuricleCLAPFactory*, const AuricleCLAPHost*, const char* id);
} AuricleCLAPFactory;

// The symbol `clap_entry` of a file.
typedef struct {
  AuricleCLAPVersion version;
  bool (*start)(const char* path);
  void (*end)(void);
  const void* (*get_factory)(const char* id);
} AuricleCLAPEntry;

typedef struct {
  uint32_t id;
  char name[256];
  uint32_t flags;
  uint32_t channel_count;
  const char* port_type;
  uint32_t in_place_pair;
} AuricleCLAPAudioPort;

typedef struct {
  uint32_t (*count)(const AuricleCLAPPlugin*, bool is_input);
  bool (*get)(const AuricleCLAPPlugin*, uint32_t index, bool is_input, AuricleCLAPAudioPort* port);
} AuricleCLAPAudioPorts;

enum { kCLAPDialect_CLAP = 1, kCLAPDialect_MIDI = 2 };

typedef struct {
  uint32_t id;
  uint32_t supported;
  uint32_t preferred;
  char name[256];
} AuricleCLAPNotePort;

typedef struct {
  uint32_t (*count)(const AuricleCLAPPlugin*, bool is_input);
  bool (*get)(const AuricleCLAPPlugin*, uint32_t index, bool is_input, AuricleCLAPNotePort* port);
} AuricleCLAPNotePorts;

enum {
  kCLAPParameter_Stepped = 1,
  kCLAPParameter_Hidden = 4,
  kCLAPParameter_ReadOnly = 8,
  kCLAPParameter_Bypass = 16,
  kCLAPParameter_Automatable = 32,
};

typedef struct {
  uint32_t id;
  uint32_t flags;
  void* cookie;
  char name[256];
  char module[1024];
  double minimum, maximum, default_value;
} AuricleCLAPParameter;

typedef struct {
  uint32_t (*count)(const AuricleCLAPPlugin*);
  bool (*get_info)(const AuricleCLAPPlugin*, uint32_t index, AuricleCLAPParameter* info);
  bool (*get_value)(const AuricleCLAPPlugin*, uint32_t id, double* value);
  bool (*value_to_text)(const AuricleCLAPPlugin*, uint32_t id, double value, char* text, uint32_t size);
  bool (*text_to_value)(const AuricleCLAPPlugin*, uint32_t id, const char* text, double* value);
  void (*flush)(const AuricleCLAPPlugin*, const AuricleCLAPInput*, const AuricleCLAPOutput*);
} AuricleCLAPParameters;

typedef struct AuricleCLAPReadStream {
  void* context;
  int64_t (*read)(const struct AuricleCLAPReadStream*, void* bytes, uint64_t count);
} AuricleCLAPReadStream;

typedef struct AuricleCLAPWriteStream {
  void* context;
  int64_t (*write)(const struct AuricleCLAPWriteStream*, const void* bytes, uint64_t count);
} AuricleCLAPWriteStream;

typedef struct {
  bool (*save)(const AuricleCLAPPlugin*, const AuricleCLAPWriteStream*);
  bool (*load)(const AuricleCLAPPlugin*, const AuricleCLAPReadStream*);
} AuricleCLAPState;

typedef struct {
  uint32_t (*get)(const AuricleCLAPPlugin*);
} AuricleCLAPFrames;

typedef struct {
  bool (*has_hard_realtime_requirement)(const AuricleCLAPPlugin*);
  bool (*set)(const AuricleCLAPPlugin*, int32_t mode);
} AuricleCLAPRender;

// The host's side.

// The state of the host of one plug-in; written by any thread, with atomic operations.
typedef struct {
  AuricleCLAPHost host;
  uint64_t audio_thread;  // That which processes now, else 0.
  int wants_callback, wants_restart;
  void* context;
  void (*log)(void* context, int severity, const char* message);
} AuricleCLAPHostState;

static inline AuricleCLAPHostState* auricle_clap_state(const AuricleCLAPHost* host) {
  return (AuricleCLAPHostState*)host->data;
}

static inline void auricle_clap_ignore(const AuricleCLAPHost* host) { (void)host; }
static inline void auricle_clap_ignore_flags(const AuricleCLAPHost* host, uint32_t flags) {
  (void)host;
  (void)flags;
}
static inline void auricle_clap_ignore_clear(const AuricleCLAPHost* host, uint32_t id, uint32_t flags) {
  (void)host;
  (void)id;
  (void)flags;
}
static inline bool auricle_clap_supports_rescan(const AuricleCLAPHost* host, uint32_t flag) {
  (void)host;
  (void)flag;
  return false;
}
static inline uint32_t auricle_clap_dialects(const AuricleCLAPHost* host) {
  (void)host;
  return kCLAPDialect_CLAP | kCLAPDialect_MIDI;
}
static inline bool auricle_clap_is_audio_thread(const AuricleCLAPHost* host) {
  return __atomic_load_n(&auricle_clap_state(host)->audio_thread, __ATOMIC_ACQUIRE) == (uint64_t)pthread_self();
}
static inline bool auricle_clap_is_main_thread(const AuricleCLAPHost* host) {
  return !auricle_clap_is_audio_thread(host);
}
static inline void auricle_clap_log(const AuricleCLAPHost* host, int32_t severity, const char* message) {
  AuricleCLAPHostState* state = auricle_clap_state(host);
  // A message of the render thread is dropped: printing may wait.
  if (state->log && message && !auricle_clap_is_audio_thread(host))
    state->log(state->context, severity, message);
}
static inline bool auricle_clap_refuse_tasks(const AuricleCLAPHost* host, uint32_t count) {
  (void)host;
  (void)count;
  return false;
}

static inline const void* auricle_clap_host_extension(const AuricleCLAPHost* host, const char* id) {
  static const struct {
    bool (*is_main_thread)(const AuricleCLAPHost*);
    bool (*is_audio_thread)(const AuricleCLAPHost*);
  } threads = {auricle_clap_is_main_thread, auricle_clap_is_audio_thread};
  static const struct {
    void (*log)(const AuricleCLAPHost*, int32_t, const char*);
  } log = {auricle_clap_log};
  static const struct {
    void (*rescan)(const AuricleCLAPHost*, uint32_t);
    void (*clear)(const AuricleCLAPHost*, uint32_t, uint32_t);
    void (*request_flush)(const AuricleCLAPHost*);
  } parameters = {auricle_clap_ignore_flags, auricle_clap_ignore_clear, auricle_clap_ignore};
  // One function that has the host as its only argument: the mark of a change.
  static const struct {
    void (*changed)(const AuricleCLAPHost*);
  } change = {auricle_clap_ignore};
  static const struct {
    bool (*is_rescan_flag_supported)(const AuricleCLAPHost*, uint32_t);
    void (*rescan)(const AuricleCLAPHost*, uint32_t);
  } audio_ports = {auricle_clap_supports_rescan, auricle_clap_ignore_flags};
  static const struct {
    uint32_t (*supported_dialects)(const AuricleCLAPHost*);
    void (*rescan)(const AuricleCLAPHost*, uint32_t);
  } note_ports = {auricle_clap_dialects, auricle_clap_ignore_flags};
  static const struct {
    bool (*request_exec)(const AuricleCLAPHost*, uint32_t);
  } pool = {auricle_clap_refuse_tasks};
  (void)host;
  if (!id) return NULL;
  if (!strcmp(id, "clap.thread-check")) return &threads;
  if (!strcmp(id, "clap.log")) return &log;
  if (!strcmp(id, "clap.params")) return &parameters;
  if (!strcmp(id, "clap.audio-ports")) return &audio_ports;
  if (!strcmp(id, "clap.note-ports")) return &note_ports;
  if (!strcmp(id, "clap.thread-pool")) return &pool;
  if (!strcmp(id, "clap.state") || !strcmp(id, "clap.latency") || !strcmp(id, "clap.tail") ||
      !strcmp(id, "clap.note-name") || !strcmp(id, "clap.voice-info"))
    return &change;
  return NULL;
}

static inline void auricle_clap_request_restart(const AuricleCLAPHost* host) {
  __atomic_store_n(&auricle_clap_state(host)->wants_restart, 1, __ATOMIC_RELEASE);
}
static inline void auricle_clap_request_callback(const AuricleCLAPHost* host) {
  __atomic_store_n(&auricle_clap_state(host)->wants_callback, 1, __ATOMIC_RELEASE);
}

// Prepares the host of one plug-in; the state must outlive the plug-in.
static inline void auricle_clap_prepare_host(AuricleCLAPHostState* state) {
  memset(state, 0, sizeof *state);
  state->host = (AuricleCLAPHost){
    .version = {1, 2, 0},
    .data = state,
    .name = "Auricle",
    .vendor = "Auricle",
    .url = "",
    .host_version = "1",
    .get_extension = auricle_clap_host_extension,
    .request_restart = auricle_clap_request_restart,
    .request_process = auricle_clap_ignore,
    .request_callback = auricle_clap_request_callback,
  };
}

// Calls the plug-in's main-thread function as often as it asks for it, up to a limit. [main-thread]
static inline void auricle_clap_pump(AuricleCLAPHostState* state, const AuricleCLAPPlugin* plugin) {
  for (int round = 0; round < 64; ++round) {
    if (!__atomic_exchange_n(&state->wants_callback, 0, __ATOMIC_ACQ_REL)) return;
    if (plugin->on_main_thread) plugin->on_main_thread(plugin);
  }
}

static inline const AuricleCLAPEntry* auricle_clap_entry(void* library) {
  return (const AuricleCLAPEntry*)dlsym(library, "clap_entry");
}

// One slice of one instance. Fixed memory: events beyond it are dropped.
enum { kCLAPEventBytes = 64, kCLAPOutputEvents = 1024 };
typedef union {
  AuricleCLAPEvent header;
  AuricleCLAPNote note;
  AuricleCLAPValue value;
  AuricleCLAPMIDI midi;
  AuricleCLAPSystemExclusive exclusive;
  uint8_t bytes[kCLAPEventBytes];
} AuricleCLAPAnyEvent;

typedef struct {
  const AuricleCLAPPlugin* plugin;
  AuricleCLAPHostState* host;
  AuricleCLAPProcess process;
  AuricleCLAPInput input;
  AuricleCLAPOutput output;
  AuricleCLAPAnyEvent* events;
  uint32_t event_count, event_capacity;
  AuricleCLAPAnyEvent* sent;
  uint32_t sent_count, sent_capacity;
  int is_active, is_processing;
  uint8_t message[4];
  uint32_t message_size;
} AuricleCLAPRun;

static inline uint32_t auricle_clap_input_size(const AuricleCLAPInput* list) {
  return ((const AuricleCLAPRun*)list->context)->event_count;
}
static inline const AuricleCLAPEvent* auricle_clap_input_get(const AuricleCLAPInput* list, uint32_t index) {
  const AuricleCLAPRun* run = (const AuricleCLAPRun*)list->context;
  return index < run->event_count ? &run->events[index].header : NULL;
}
static inline bool auricle_clap_try_push(const AuricleCLAPOutput* list, const AuricleCLAPEvent* event) {
  AuricleCLAPRun* run = (AuricleCLAPRun*)list->context;
  // A message of any length has bytes that are the plug-in's: it is refused.
  if (!event || event->size > kCLAPEventBytes || run->sent_count >= run->sent_capacity ||
      event->type == kCLAPEvent_SystemExclusive)
    return false;
  memcpy(&run->sent[run->sent_count++], event, event->size);
  return true;
}

static inline void auricle_clap_prepare_run(AuricleCLAPRun* run) {
  run->input = (AuricleCLAPInput){run, auricle_clap_input_size, auricle_clap_input_get};
  run->output = (AuricleCLAPOutput){run, auricle_clap_try_push};
  run->process.events_in = &run->input;
  run->process.events_out = &run->output;
}

AURICLE_TRUSTED static inline AuricleCLAPAnyEvent* auricle_clap_add(
  AuricleCLAPRun* run, uint32_t time, uint16_t type, uint32_t size) {
  if (run->event_count >= run->event_capacity) return NULL;
  AuricleCLAPAnyEvent* event = &run->events[run->event_count++];
  memset(event, 0, sizeof *event);
  event->header = (AuricleCLAPEvent){.size = size, .time = time, .type = type};
  return event;
}

AURICLE_TRUSTED static inline void auricle_clap_add_value(
  AuricleCLAPRun* run, uint32_t parameter, double value) {
  AuricleCLAPAnyEvent* event =
    auricle_clap_add(run, 0, kCLAPEvent_ParameterValue, sizeof(AuricleCLAPValue));
  if (!event) return;
  event->value.parameter = parameter;
  event->value.note_id = -1;
  event->value.port = event->value.channel = event->value.key = -1;
  event->value.value = value;
}

// Adds a message of MIDI: notes as such where the port has no MIDI, all else as it is.
AURICLE_TRUSTED static inline void auricle_clap_add_message(
  AuricleCLAPRun* run, uint32_t time, const uint8_t* bytes, uint32_t count, uint32_t dialects) {
  const uint8_t kind = bytes[0] & 0xF0;
  if (kind == 0xF0 || count > 3) {
    if (!(dialects & kCLAPDialect_MIDI) || bytes[0] != 0xF0) return;
    AuricleCLAPAnyEvent* event =
      auricle_clap_add(run, time, kCLAPEvent_SystemExclusive, sizeof(AuricleCLAPSystemExclusive));
    if (!event) return;
    event->exclusive.bytes = bytes;
    event->exclusive.byte_count = count;
  } else if (dialects & kCLAPDialect_MIDI) {
    AuricleCLAPAnyEvent* event = auricle_clap_add(run, time, kCLAPEvent_MIDI, sizeof(AuricleCLAPMIDI));
    if (event) memcpy(event->midi.bytes, bytes, count);
  } else if ((kind == 0x80 || kind == 0x90) && count == 3) {
    const bool is_on = kind == 0x90 && bytes[2] > 0;
    AuricleCLAPAnyEvent* event = auricle_clap_add(
      run, time, is_on ? kCLAPEvent_NoteOn : kCLAPEvent_NoteOff, sizeof(AuricleCLAPNote));
    if (!event) return;
    event->note.note_id = -1;
    event->note.channel = bytes[0] & 0x0F;
    event->note.key = bytes[1];
    event->note.velocity = bytes[2] / 127.0;
  }
}

// Processes a slice; the plug-in is started where it was not. False for an error of the plug-in.
AURICLE_TRUSTED static inline bool auricle_clap_process(AuricleCLAPRun* run, uint32_t frames) {
  const unsigned short mode = auricle_x87_mode();
  __atomic_store_n(&run->host->audio_thread, (uint64_t)pthread_self(), __ATOMIC_RELEASE);
  if (run->is_active && !run->is_processing)
    run->is_processing = !run->plugin->start_processing || run->plugin->start_processing(run->plugin);
  bool is_sound = false;
  if (run->is_processing) {
    run->process.frame_count = frames;
    auricle_clear_stack();
    is_sound = run->plugin->process(run->plugin, &run->process) != 0;
    run->process.steady_time += frames;
  }
  __atomic_store_n(&run->host->audio_thread, 0, __ATOMIC_RELEASE);
  auricle_end_run(mode);
  run->event_count = 0;
  return is_sound;
}

// This thread is the audio thread until it leaves; nothing renders meanwhile.
static inline void auricle_clap_enter_audio(AuricleCLAPRun* run) {
  __atomic_store_n(&run->host->audio_thread, (uint64_t)pthread_self(), __ATOMIC_RELEASE);
}
static inline void auricle_clap_leave_audio(AuricleCLAPRun* run) {
  __atomic_store_n(&run->host->audio_thread, 0, __ATOMIC_RELEASE);
}

// Stops a plug-in that was started; nothing renders meanwhile, and this thread is its audio thread.
static inline void auricle_clap_stop(AuricleCLAPRun* run) {
  if (!run->is_processing) return;
  run->is_processing = 0;
  auricle_clap_enter_audio(run);
  if (run->plugin->stop_processing) run->plugin->stop_processing(run->plugin);
  auricle_clap_leave_audio(run);
}

// An event that the plug-in sent, as a message of MIDI whose size is noted in the run; null for others.
AURICLE_TRUSTED static inline const uint8_t* auricle_clap_message(
  AuricleCLAPRun* run, const AuricleCLAPAnyEvent* event) {
  uint8_t* bytes = run->message;
  run->message_size = 3;
  if (event->header.space != 0) return NULL;
  if (event->header.type == kCLAPEvent_MIDI) {
    memcpy(bytes, event->midi.bytes, 3);
    const uint8_t kind = bytes[0] & 0xF0;
    if (kind == 0xC0 || kind == 0xD0) run->message_size = 2;
    return bytes;
  }
  if (event->header.type > kCLAPEvent_NoteChoke || event->note.key < 0 || event->note.channel < 0)
    return NULL;
  const bool is_on = event->header.type == kCLAPEvent_NoteOn;
  const double velocity = event->note.velocity * 127 + 0.5;
  const uint8_t value = velocity < 0 ? 0 : velocity > 127 ? 127 : (uint8_t)velocity;
  bytes[0] = (uint8_t)((is_on ? 0x90 : 0x80) | (event->note.channel & 0x0F));
  bytes[1] = (uint8_t)(event->note.key & 0x7F);
  // In MIDI a note on of velocity 0 is a note off.
  bytes[2] = is_on && value == 0 ? 1 : value;
  return bytes;
}
