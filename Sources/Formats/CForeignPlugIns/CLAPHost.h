// The host that a CLAP plug-in sees: its tables of functions, requests, and violations of the standard.
// SPDX-License-Identifier: Apache-2.0
//
// No function waits, locks or allocates, but for those of the main thread.
#pragma once
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "Bell.h"
#include "CLAP.h"
#include "CLAPPool.h"

// Requests of a plug-in, in bits; served later, on the main thread.
enum {
  kCLAPRequest_Callback = 1,
  kCLAPRequest_Restart = 2,
  kCLAPRequest_Flush = 4,
  kCLAPRequest_Values = 8,
  kCLAPRequest_Information = 16,
  kCLAPRequest_Latency = 32,
  kCLAPRequest_Log = 64,
};

// The functions of the host, as the name says them; bits of `wrong_thread` and `wrong_time`.
enum {
  kCLAPFunction_RescanParameters,
  kCLAPFunction_ClearParameter,
  kCLAPFunction_RequestFlush,
  kCLAPFunction_RescanAudioPorts,
  kCLAPFunction_RescanNotePorts,
  kCLAPFunction_RescanConfigurations,
  kCLAPFunction_MarkDirty,
  kCLAPFunction_LatencyChanged,
  kCLAPFunction_TailChanged,
  kCLAPFunction_NoteNamesChanged,
  kCLAPFunction_VoicesChanged,
  kCLAPFunction_SurroundChanged,
  kCLAPFunction_AmbisonicChanged,
  kCLAPFunction_RequestTasks,
  kCLAPFunction_RegisterTimer,
  kCLAPFunction_UnregisterTimer,
  kCLAPFunction_RegisterDescriptor,
  kCLAPFunction_ModifyDescriptor,
  kCLAPFunction_UnregisterDescriptor,
  kCLAPFunction_PresetError,
  kCLAPFunction_PresetLoaded,
  kCLAPFunction_RemoteControls,
  kCLAPFunction_TrackInfo,
  kCLAPFunctionCount,
};

static inline const char* auricle_clap_function_name(unsigned function) {
  static const char* const names[] = {
    "clap_host_params.rescan", "clap_host_params.clear", "clap_host_params.request_flush",
    "clap_host_audio_ports.rescan", "clap_host_note_ports.rescan", "clap_host_audio_ports_config.rescan",
    "clap_host_state.mark_dirty", "clap_host_latency.changed", "clap_host_tail.changed",
    "clap_host_note_name.changed", "clap_host_voice_info.changed", "clap_host_surround.changed",
    "clap_host_ambisonic.changed", "clap_host_thread_pool.request_exec", "clap_host_timer_support.register_timer",
    "clap_host_timer_support.unregister_timer", "clap_host_posix_fd_support.register_fd",
    "clap_host_posix_fd_support.modify_fd", "clap_host_posix_fd_support.unregister_fd",
    "clap_host_preset_load.on_error", "clap_host_preset_load.loaded", "clap_host_remote_controls",
    "clap_host_track_info.get",
  };
  return function < kCLAPFunctionCount ? names[function] : "";
}

// The state of a plug-in.
enum { kCLAPPhase_Making, kCLAPPhase_Inactive, kCLAPPhase_Activating, kCLAPPhase_Active };

// Messages of other threads than the main thread wait here; those beyond it are dropped.
enum { kCLAPMessageCount = 16, kCLAPMessageBytes = 240 };
typedef struct {
  uint32_t is_whole;
  int32_t severity;
  char text[kCLAPMessageBytes];
} AuricleCLAPMessage;

// The state of the host of one plug-in; written by any thread, with atomic operations.
typedef struct {
  AuricleCLAPHost host;
  uint64_t main_thread;
  uint64_t audio_thread;  // the thread that processes now, else 0
  uint32_t phase;
  uint32_t requests;
  uint32_t is_dirty;  // Whether the plug-in changed its state since the last look.
  uint64_t wrong_thread, wrong_time;
  uint32_t first_message, message_count;
  AuricleCLAPMessage messages[kCLAPMessageCount];
  AuricleCLAPPool* pool;  // Null for one without.
  int bell;
  // Whether the main thread serves requests by itself.
  int is_live;
  // The frame at which a timer is due where nothing is live; the greatest number for none.
  uint64_t timer_frame;
  void* context;
  void (*log)(void* context, int32_t severity, const char* message);
  bool (*add_timer)(void* context, uint32_t milliseconds, uint32_t* id);
  bool (*remove_timer)(void* context, uint32_t id);
  // Adds (change 1), changes (0) or removes (-1) a descriptor.
  bool (*change_descriptor)(void* context, int change, int descriptor, uint32_t flags);
  void (*preset_failed)(void* context, const char* message);
  // Serves everything due at a time of the sound, in nanoseconds, and returns when it is done.
  void (*settle)(void* context, uint64_t time);
} AuricleCLAPHostState;

static inline AuricleCLAPHostState* auricle_clap_state(const AuricleCLAPHost* host) {
  return (AuricleCLAPHostState*)host->data;
}

// Threads.

static inline bool auricle_clap_is_audio_thread(const AuricleCLAPHost* host) {
  const AuricleCLAPHostState* state = auricle_clap_state(host);
  const uint64_t thread = (uint64_t)pthread_self();
  return __atomic_load_n(&state->audio_thread, __ATOMIC_ACQUIRE) == thread ||
         (state->pool && auricle_clap_pool_has(state->pool, thread));
}
static inline bool auricle_clap_is_main_thread(const AuricleCLAPHost* host) {
  return auricle_clap_state(host)->main_thread == (uint64_t)pthread_self() && !auricle_clap_is_audio_thread(host);
}

enum { kCLAPAllowed_Main = 1, kCLAPAllowed_Audio = 2, kCLAPAllowed_Other = 4 };

// Whether a function is called on a thread that the standard allows; else it is noted.
static inline bool auricle_clap_allow(const AuricleCLAPHost* host, unsigned function, int allowed) {
  const int thread = auricle_clap_is_audio_thread(host)  ? kCLAPAllowed_Audio
                     : auricle_clap_is_main_thread(host) ? kCLAPAllowed_Main
                                                         : kCLAPAllowed_Other;
  if (thread & allowed) return true;
  __atomic_fetch_or(&auricle_clap_state(host)->wrong_thread, 1ULL << function, __ATOMIC_RELAXED);
  return false;
}
// Notes a call at a time at which the standard forbids it.
static inline void auricle_clap_note_time(const AuricleCLAPHost* host, unsigned function) {
  __atomic_fetch_or(&auricle_clap_state(host)->wrong_time, 1ULL << function, __ATOMIC_RELAXED);
}
static inline bool auricle_clap_is_in(const AuricleCLAPHost* host, uint32_t phase) {
  return __atomic_load_n(&auricle_clap_state(host)->phase, __ATOMIC_ACQUIRE) == phase;
}

static inline void auricle_clap_request(const AuricleCLAPHost* host, uint32_t bits) {
  AuricleCLAPHostState* state = auricle_clap_state(host);
  __atomic_fetch_or(&state->requests, bits, __ATOMIC_ACQ_REL);
  if (__atomic_load_n(&state->is_live, __ATOMIC_ACQUIRE)) auricle_bell_ring(state->bell);
}
static inline void auricle_clap_request_restart(const AuricleCLAPHost* host) {
  auricle_clap_request(host, kCLAPRequest_Restart);
}
static inline void auricle_clap_request_callback(const AuricleCLAPHost* host) {
  auricle_clap_request(host, kCLAPRequest_Callback);
}
static inline void auricle_clap_request_process(const AuricleCLAPHost* host) { (void)host; }

// Parameters and state.

enum { kCLAPRescan_Values = 1, kCLAPRescan_Text = 2, kCLAPRescan_Information = 4, kCLAPRescan_All = 8 };

static inline void auricle_clap_rescan_parameters(const AuricleCLAPHost* host, uint32_t flags) {
  if (!auricle_clap_allow(host, kCLAPFunction_RescanParameters, kCLAPAllowed_Main)) return;
  uint32_t bits = kCLAPRequest_Values;
  if (flags & (kCLAPRescan_Values | kCLAPRescan_All))
    __atomic_store_n(&auricle_clap_state(host)->is_dirty, 1, __ATOMIC_RELEASE);
  if (flags & (kCLAPRescan_Information | kCLAPRescan_All)) bits |= kCLAPRequest_Information;
  if (flags & kCLAPRescan_All && auricle_clap_is_in(host, kCLAPPhase_Active)) {
    // Many do it all the same: it is a wish to be restarted.
    auricle_clap_note_time(host, kCLAPFunction_RescanParameters);
    bits |= kCLAPRequest_Restart;
  }
  auricle_clap_request(host, bits);
}
static inline void auricle_clap_clear_parameter(const AuricleCLAPHost* host, uint32_t id, uint32_t flags) {
  (void)id;
  (void)flags;
  auricle_clap_allow(host, kCLAPFunction_ClearParameter, kCLAPAllowed_Main);
}
static inline void auricle_clap_request_flush(const AuricleCLAPHost* host) {
  if (auricle_clap_allow(host, kCLAPFunction_RequestFlush, kCLAPAllowed_Main | kCLAPAllowed_Other))
    auricle_clap_request(host, kCLAPRequest_Flush);
}
static inline void auricle_clap_mark_dirty(const AuricleCLAPHost* host) {
  if (!auricle_clap_allow(host, kCLAPFunction_MarkDirty, kCLAPAllowed_Main)) return;
  __atomic_store_n(&auricle_clap_state(host)->is_dirty, 1, __ATOMIC_RELEASE);
}

// Ports.

static inline bool auricle_clap_supports_rescan(const AuricleCLAPHost* host, uint32_t flag) {
  (void)flag;
  auricle_clap_allow(host, kCLAPFunction_RescanAudioPorts, kCLAPAllowed_Main);
  return false;
}
static inline void auricle_clap_rescan_audio_ports(const AuricleCLAPHost* host, uint32_t flags) {
  if (!auricle_clap_allow(host, kCLAPFunction_RescanAudioPorts, kCLAPAllowed_Main)) return;
  // All but names stay as they are while it is active.
  if (flags & ~1U && auricle_clap_is_in(host, kCLAPPhase_Active))
    auricle_clap_note_time(host, kCLAPFunction_RescanAudioPorts);
}
static inline uint32_t auricle_clap_dialects(const AuricleCLAPHost* host) {
  auricle_clap_allow(host, kCLAPFunction_RescanNotePorts, kCLAPAllowed_Main);
  return kCLAPDialect_CLAP | kCLAPDialect_MIDI;
}
static inline void auricle_clap_rescan_note_ports(const AuricleCLAPHost* host, uint32_t flags) {
  if (!auricle_clap_allow(host, kCLAPFunction_RescanNotePorts, kCLAPAllowed_Main)) return;
  if (flags & 1 && auricle_clap_is_in(host, kCLAPPhase_Active))
    auricle_clap_note_time(host, kCLAPFunction_RescanNotePorts);
}
static inline void auricle_clap_rescan_configurations(const AuricleCLAPHost* host) {
  auricle_clap_allow(host, kCLAPFunction_RescanConfigurations, kCLAPAllowed_Main);
}

// Marks of changes.

static inline void auricle_clap_latency_changed(const AuricleCLAPHost* host) {
  if (!auricle_clap_allow(host, kCLAPFunction_LatencyChanged, kCLAPAllowed_Main)) return;
  if (auricle_clap_is_in(host, kCLAPPhase_Active)) {
    // Only a restart may change it.
    auricle_clap_note_time(host, kCLAPFunction_LatencyChanged);
    auricle_clap_request(host, kCLAPRequest_Restart);
  }
  auricle_clap_request(host, kCLAPRequest_Latency);
}
static inline void auricle_clap_tail_changed(const AuricleCLAPHost* host) {
  auricle_clap_allow(host, kCLAPFunction_TailChanged, kCLAPAllowed_Audio);
}
static inline void auricle_clap_note_names_changed(const AuricleCLAPHost* host) {
  auricle_clap_allow(host, kCLAPFunction_NoteNamesChanged, kCLAPAllowed_Main);
}
static inline void auricle_clap_voices_changed(const AuricleCLAPHost* host) {
  auricle_clap_allow(host, kCLAPFunction_VoicesChanged, kCLAPAllowed_Main);
}
static inline void auricle_clap_surround_changed(const AuricleCLAPHost* host) {
  auricle_clap_allow(host, kCLAPFunction_SurroundChanged, kCLAPAllowed_Main);
}
static inline void auricle_clap_ambisonic_changed(const AuricleCLAPHost* host) {
  auricle_clap_allow(host, kCLAPFunction_AmbisonicChanged, kCLAPAllowed_Main);
}
static inline void auricle_clap_controls_changed(const AuricleCLAPHost* host) {
  auricle_clap_allow(host, kCLAPFunction_RemoteControls, kCLAPAllowed_Main);
}
static inline void auricle_clap_suggest_controls(const AuricleCLAPHost* host, uint32_t page) {
  (void)page;
  auricle_clap_allow(host, kCLAPFunction_RemoteControls, kCLAPAllowed_Main);
}
static inline bool auricle_clap_track(const AuricleCLAPHost* host, void* info) {
  (void)info;
  auricle_clap_allow(host, kCLAPFunction_TrackInfo, kCLAPAllowed_Main);
  return false;
}

// Messages.

static inline void auricle_clap_log(const AuricleCLAPHost* host, int32_t severity, const char* message) {
  AuricleCLAPHostState* state = auricle_clap_state(host);
  if (!message || !state->log) return;
  if (auricle_clap_is_main_thread(host)) {
    state->log(state->context, severity, message);
    return;
  }
  // Printing may wait: the main thread does it.
  uint32_t place = __atomic_load_n(&state->message_count, __ATOMIC_ACQUIRE);
  do {
    if (place - __atomic_load_n(&state->first_message, __ATOMIC_ACQUIRE) >= kCLAPMessageCount) return;
  } while (!__atomic_compare_exchange_n(
    &state->message_count, &place, place + 1, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  AuricleCLAPMessage* const kept = &state->messages[place % kCLAPMessageCount];
  kept->severity = severity;
  size_t count = 0;
  for (; count < kCLAPMessageBytes - 1 && message[count]; ++count) kept->text[count] = message[count];
  kept->text[count] = 0;
  __atomic_store_n(&kept->is_whole, 1, __ATOMIC_RELEASE);
  auricle_clap_request(host, kCLAPRequest_Log);
}

// Prints the messages of other threads. [main-thread]
static inline void auricle_clap_print(AuricleCLAPHostState* state) {
  for (;;) {
    const uint32_t first = state->first_message;
    if (first == __atomic_load_n(&state->message_count, __ATOMIC_ACQUIRE)) return;
    AuricleCLAPMessage* const kept = &state->messages[first % kCLAPMessageCount];
    if (!__atomic_exchange_n(&kept->is_whole, 0, __ATOMIC_ACQ_REL)) return;
    state->log(state->context, kept->severity, kept->text);
    __atomic_store_n(&state->first_message, first + 1, __ATOMIC_RELEASE);
  }
}

// Timers, descriptors, tasks, presets.

static inline bool auricle_clap_register_timer(const AuricleCLAPHost* host, uint32_t milliseconds, uint32_t* id) {
  AuricleCLAPHostState* state = auricle_clap_state(host);
  return id && auricle_clap_allow(host, kCLAPFunction_RegisterTimer, kCLAPAllowed_Main) && state->add_timer &&
         state->add_timer(state->context, milliseconds, id);
}
static inline bool auricle_clap_unregister_timer(const AuricleCLAPHost* host, uint32_t id) {
  AuricleCLAPHostState* state = auricle_clap_state(host);
  return auricle_clap_allow(host, kCLAPFunction_UnregisterTimer, kCLAPAllowed_Main) && state->remove_timer &&
         state->remove_timer(state->context, id);
}
static inline bool auricle_clap_change_descriptor(
  const AuricleCLAPHost* host, unsigned function, int change, int descriptor, uint32_t flags) {
  AuricleCLAPHostState* state = auricle_clap_state(host);
  return auricle_clap_allow(host, function, kCLAPAllowed_Main) && state->change_descriptor &&
         state->change_descriptor(state->context, change, descriptor, flags);
}
static inline bool auricle_clap_register_descriptor(const AuricleCLAPHost* host, int descriptor, uint32_t flags) {
  return auricle_clap_change_descriptor(host, kCLAPFunction_RegisterDescriptor, 1, descriptor, flags);
}
static inline bool auricle_clap_modify_descriptor(const AuricleCLAPHost* host, int descriptor, uint32_t flags) {
  return auricle_clap_change_descriptor(host, kCLAPFunction_ModifyDescriptor, 0, descriptor, flags);
}
static inline bool auricle_clap_unregister_descriptor(const AuricleCLAPHost* host, int descriptor) {
  return auricle_clap_change_descriptor(host, kCLAPFunction_UnregisterDescriptor, -1, descriptor, 0);
}
static inline bool auricle_clap_request_tasks(const AuricleCLAPHost* host, uint32_t count) {
  AuricleCLAPHostState* state = auricle_clap_state(host);
  if (!auricle_clap_allow(host, kCLAPFunction_RequestTasks, kCLAPAllowed_Audio)) return false;
  if (!state->pool) return false;
  // A task that requests tasks does them itself.
  if (auricle_clap_pool_is_busy(state->pool)) auricle_clap_note_time(host, kCLAPFunction_RequestTasks);
  return auricle_clap_pool_do(state->pool, count);
}
static inline void auricle_clap_preset_error(
  const AuricleCLAPHost* host, uint32_t kind, const char* location, const char* key, int32_t code,
  const char* message) {
  (void)kind;
  (void)location;
  (void)key;
  (void)code;
  AuricleCLAPHostState* state = auricle_clap_state(host);
  if (auricle_clap_allow(host, kCLAPFunction_PresetError, kCLAPAllowed_Main) && state->preset_failed)
    state->preset_failed(state->context, message ? message : "");
}
static inline void auricle_clap_preset_loaded(
  const AuricleCLAPHost* host, uint32_t kind, const char* location, const char* key) {
  (void)kind;
  (void)location;
  (void)key;
  if (auricle_clap_allow(host, kCLAPFunction_PresetLoaded, kCLAPAllowed_Main))
    auricle_clap_request(host, kCLAPRequest_Values);
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
  } parameters = {auricle_clap_rescan_parameters, auricle_clap_clear_parameter, auricle_clap_request_flush};
  // Tables of one function that has the host as its only argument: the marks of changes.
  typedef struct {
    void (*changed)(const AuricleCLAPHost*);
  } Mark;
  static const Mark dirty = {auricle_clap_mark_dirty}, latency = {auricle_clap_latency_changed},
                    tail = {auricle_clap_tail_changed}, names = {auricle_clap_note_names_changed},
                    voices = {auricle_clap_voices_changed}, surround = {auricle_clap_surround_changed},
                    ambisonic = {auricle_clap_ambisonic_changed},
                    configurations = {auricle_clap_rescan_configurations};
  static const struct {
    bool (*is_rescan_flag_supported)(const AuricleCLAPHost*, uint32_t);
    void (*rescan)(const AuricleCLAPHost*, uint32_t);
  } audio_ports = {auricle_clap_supports_rescan, auricle_clap_rescan_audio_ports};
  static const struct {
    uint32_t (*supported_dialects)(const AuricleCLAPHost*);
    void (*rescan)(const AuricleCLAPHost*, uint32_t);
  } note_ports = {auricle_clap_dialects, auricle_clap_rescan_note_ports};
  static const struct {
    bool (*request_exec)(const AuricleCLAPHost*, uint32_t);
  } pool = {auricle_clap_request_tasks};
  static const struct {
    bool (*add)(const AuricleCLAPHost*, uint32_t, uint32_t*);
    bool (*remove)(const AuricleCLAPHost*, uint32_t);
  } timers = {auricle_clap_register_timer, auricle_clap_unregister_timer};
  static const struct {
    bool (*add)(const AuricleCLAPHost*, int, uint32_t);
    bool (*modify)(const AuricleCLAPHost*, int, uint32_t);
    bool (*remove)(const AuricleCLAPHost*, int);
  } descriptors = {
    auricle_clap_register_descriptor, auricle_clap_modify_descriptor, auricle_clap_unregister_descriptor};
  static const struct {
    void (*on_error)(const AuricleCLAPHost*, uint32_t, const char*, const char*, int32_t, const char*);
    void (*loaded)(const AuricleCLAPHost*, uint32_t, const char*, const char*);
  } presets = {auricle_clap_preset_error, auricle_clap_preset_loaded};
  static const struct {
    void (*changed)(const AuricleCLAPHost*);
    void (*suggest)(const AuricleCLAPHost*, uint32_t);
  } controls = {auricle_clap_controls_changed, auricle_clap_suggest_controls};
  static const struct {
    bool (*get)(const AuricleCLAPHost*, void*);
  } track = {auricle_clap_track};
  // Each under its names: that of the standard, and the one it had as a draft.
  static const struct {
    const char* id;
    const void* table;
  } known[] = {
    {"clap.thread-check", &threads},
    {"clap.log", &log},
    {"clap.params", &parameters},
    {"clap.audio-ports", &audio_ports},
    {"clap.audio-ports-config", &configurations},
    {"clap.note-ports", &note_ports},
    {"clap.state", &dirty},
    {"clap.latency", &latency},
    {"clap.tail", &tail},
    {"clap.note-name", &names},
    {"clap.voice-info", &voices},
    {"clap.thread-pool", &pool},
    {"clap.timer-support", &timers},
    {"clap.posix-fd-support", &descriptors},
    {"clap.preset-load/2", &presets},
    {"clap.preset-load.draft/2", &presets},
    {"clap.surround/4", &surround},
    {"clap.surround.draft/4", &surround},
    {"clap.ambisonic/3", &ambisonic},
    {"clap.ambisonic.draft/3", &ambisonic},
    {"clap.remote-controls/2", &controls},
    {"clap.remote-controls.draft/2", &controls},
    {"clap.track-info/1", &track},
    {"clap.track-info.draft/1", &track},
  };
  (void)host;
  if (!id) return NULL;
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (!strcmp(id, known[i].id)) return known[i].table;
  return NULL;
}

// Prepares the host of one plug-in; the state must outlive the plug-in. [main-thread]
static inline void auricle_clap_prepare_host(AuricleCLAPHostState* state, int bell) {
  memset(state, 0, sizeof *state);
  state->main_thread = (uint64_t)pthread_self();
  state->bell = bell;
  state->timer_frame = UINT64_MAX;
  state->host = (AuricleCLAPHost){
    .version = {1, 2, 2},
    .data = state,
    .name = "Auricle",
    .vendor = "Auricle",
    .url = "",
    .host_version = "1",
    .get_extension = auricle_clap_host_extension,
    .request_restart = auricle_clap_request_restart,
    .request_process = auricle_clap_request_process,
    .request_callback = auricle_clap_request_callback,
  };
}

static inline void auricle_clap_enter_phase(AuricleCLAPHostState* state, uint32_t phase) {
  __atomic_store_n(&state->phase, phase, __ATOMIC_RELEASE);
}

// Removes and returns the requests that are meant; others stay.
static inline uint32_t auricle_clap_requests(AuricleCLAPHostState* state, uint32_t meant) {
  return __atomic_fetch_and(&state->requests, ~meant, __ATOMIC_ACQ_REL) & meant;
}

// Whether the plug-in changed its state since the last call. [any thread]
AURICLE_TRUSTED static inline bool auricle_clap_fetch_dirty(AuricleCLAPHostState* state) {
  return __atomic_load_n(&state->is_dirty, __ATOMIC_RELAXED) && __atomic_exchange_n(&state->is_dirty, 0, __ATOMIC_ACQ_REL);
}

// Postpones requests; the bell is not rung for them.
static inline void auricle_clap_wait(AuricleCLAPHostState* state, uint32_t requests) {
  __atomic_fetch_or(&state->requests, requests, __ATOMIC_ACQ_REL);
}

// This thread is the audio thread until it leaves; nothing renders meanwhile.
AURICLE_TRUSTED static inline void auricle_clap_enter_audio(AuricleCLAPHostState* state) {
  __atomic_store_n(&state->audio_thread, (uint64_t)pthread_self(), __ATOMIC_RELEASE);
}
AURICLE_TRUSTED static inline void auricle_clap_leave_audio(AuricleCLAPHostState* state) {
  __atomic_store_n(&state->audio_thread, 0, __ATOMIC_RELEASE);
}
