// One slice of one CLAP plug-in: its events in and out, and its process call.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <dlfcn.h>

#include "CLAPHost.h"

static inline const AuricleCLAPEntry* auricle_clap_entry(void* library) {
  return (const AuricleCLAPEntry*)dlsym(library, "clap_entry");
}

// Fixed memory: events beyond it are dropped.
enum { kCLAPEventBytes = 64, kCLAPOutputEvents = 1024, kCLAPExclusiveBytes = 16384 };
typedef union {
  AuricleCLAPEvent header;
  AuricleCLAPNote note;
  AuricleCLAPExpression expression;
  AuricleCLAPValue value;
  AuricleCLAPMIDI midi;
  AuricleCLAPSystemExclusive exclusive;
  uint8_t bytes[kCLAPEventBytes];
} AuricleCLAPAnyEvent;

// The steps of a restart.
enum { kCLAPPause_None, kCLAPPause_Wanted, kCLAPPause_Stopped };

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
  uint8_t* exclusive;  // The bytes of long messages that were sent.
  uint32_t exclusive_count;
  int is_active, is_processing, is_offline;
  int32_t status;  // The result of the last process call.
  double rate;
  uint32_t pause;
  AuricleCLAPTransport transport;
  // Whether notes are sent as notes of CLAP, and whether messages of MIDI are sent at all.
  int sends_notes, sends_midi;
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
  if (!event || event->size < sizeof *event || event->size > kCLAPEventBytes || run->sent_count >= run->sent_capacity)
    return false;
  AuricleCLAPAnyEvent* const kept = &run->sent[run->sent_count];
  memset(kept, 0, sizeof *kept);
  memcpy(kept, event, event->size);
  if (event->space == 0 && event->type == kCLAPEvent_SystemExclusive) {
    // Its bytes are the plug-in's, and valid during this call only.
    const uint32_t count = kept->exclusive.byte_count;
    if (!kept->exclusive.bytes || count > kCLAPExclusiveBytes - run->exclusive_count) return false;
    memcpy(run->exclusive + run->exclusive_count, kept->exclusive.bytes, count);
    kept->exclusive.bytes = run->exclusive + run->exclusive_count;
    run->exclusive_count += count;
  }
  ++run->sent_count;
  return true;
}

static inline void auricle_clap_prepare_run(AuricleCLAPRun* run) {
  run->input = (AuricleCLAPInput){run, auricle_clap_input_size, auricle_clap_input_get};
  run->output = (AuricleCLAPOutput){run, auricle_clap_try_push};
  run->process.events_in = &run->input;
  run->process.events_out = &run->output;
}

// Events in.

AURICLE_TRUSTED static inline AuricleCLAPAnyEvent* auricle_clap_add(
  AuricleCLAPRun* run, uint32_t time, uint16_t type, uint32_t size) {
  if (run->event_count >= run->event_capacity) return NULL;
  AuricleCLAPAnyEvent* event = &run->events[run->event_count++];
  memset(event, 0, sizeof *event);
  event->header = (AuricleCLAPEvent){.size = size, .time = time, .type = type};
  return event;
}

AURICLE_TRUSTED static inline void auricle_clap_add_value(
  AuricleCLAPRun* run, uint32_t time, uint32_t parameter, void* cookie, double value, bool is_live) {
  AuricleCLAPAnyEvent* event =
    auricle_clap_add(run, time, kCLAPEvent_ParameterValue, sizeof(AuricleCLAPValue));
  if (!event) return;
  event->value.header.flags = is_live ? kCLAPEvent_IsLive : 0;
  event->value.parameter = parameter;
  event->value.cookie = cookie;
  event->value.note_id = -1;
  event->value.port = event->value.channel = event->value.key = -1;
  event->value.value = value;
}

AURICLE_TRUSTED static inline void auricle_clap_add_note(
  AuricleCLAPRun* run, uint32_t time, uint16_t type, int32_t id, int16_t channel, int16_t key, double velocity) {
  AuricleCLAPAnyEvent* event = auricle_clap_add(run, time, type, sizeof(AuricleCLAPNote));
  if (!event) return;
  event->note.note_id = id;
  event->note.channel = channel;
  event->note.key = key;
  event->note.velocity = velocity;
}

AURICLE_TRUSTED static inline void auricle_clap_add_expression(
  AuricleCLAPRun* run, uint32_t time, int32_t expression, int32_t id, int16_t channel, int16_t key, double value) {
  AuricleCLAPAnyEvent* event =
    auricle_clap_add(run, time, kCLAPEvent_NoteExpression, sizeof(AuricleCLAPExpression));
  if (!event) return;
  event->expression.expression = expression;
  event->expression.note_id = id;
  event->expression.channel = channel;
  event->expression.key = key;
  event->expression.value = value;
}

// A note that a host starts by a number: the record of the SDK. [0xF4, is on, channel, 0, number, key, velocity]
AURICLE_TRUSTED static inline void auricle_clap_add_numbered(
  AuricleCLAPRun* run, uint32_t time, const uint8_t* bytes) {
  int32_t number;
  float key, velocity;
  memcpy(&number, bytes + 4, sizeof number);
  memcpy(&key, bytes + 8, sizeof key);
  memcpy(&velocity, bytes + 12, sizeof velocity);
  const int16_t channel = bytes[2] & 0x0F;
  if (!bytes[1]) {
    auricle_clap_add_note(run, time, kCLAPEvent_NoteOff, number, channel, -1, velocity);
    return;
  }
  const int16_t whole = (int16_t)(key + 0.5f);
  auricle_clap_add_note(run, time, kCLAPEvent_NoteOn, number, channel, whole, velocity);
  if (key != whole)
    auricle_clap_add_expression(run, time, kCLAPExpression_Tuning, number, channel, whole, key - whole);
}

// Adds a message that is no note, for a port without MIDI, as far as expressions of notes can represent it.
AURICLE_TRUSTED static inline void auricle_clap_add_controller(
  AuricleCLAPRun* run, uint32_t time, const uint8_t* bytes, uint32_t count) {
  const int16_t channel = bytes[0] & 0x0F;
  const uint8_t kind = bytes[0] & 0xF0;
  if (kind == 0xD0 && count >= 2)
    auricle_clap_add_expression(run, time, kCLAPExpression_Pressure, -1, channel, -1, bytes[1] / 127.0);
  if (count < 3) return;
  const double value = bytes[2] / 127.0;
  if (kind == 0xE0) {
    const int bend = (bytes[2] << 7 | bytes[1]) - 8192;
    auricle_clap_add_expression(run, time, kCLAPExpression_Tuning, -1, channel, -1, bend / 8192.0 * 2);
  }
  if (kind != 0xB0) return;
  switch (bytes[1]) {
    case 1: auricle_clap_add_expression(run, time, kCLAPExpression_Vibrato, -1, channel, -1, value); break;
    case 7: auricle_clap_add_expression(run, time, kCLAPExpression_Volume, -1, channel, -1, value); break;
    case 10: auricle_clap_add_expression(run, time, kCLAPExpression_Pan, -1, channel, -1, value); break;
    case 11: auricle_clap_add_expression(run, time, kCLAPExpression_Expression, -1, channel, -1, value); break;
    case 74: auricle_clap_add_expression(run, time, kCLAPExpression_Brightness, -1, channel, -1, value); break;
    default: break;
  }
}

// Adds a message of MIDI: notes in the dialect that the port prefers, all else as MIDI where the port knows it.
AURICLE_TRUSTED static inline void auricle_clap_add_message(
  AuricleCLAPRun* run, uint32_t time, const uint8_t* bytes, uint32_t count) {
  const uint8_t kind = bytes[0] & 0xF0;
  const int16_t channel = bytes[0] & 0x0F;
  if (bytes[0] == 0xF4 && count == 16) {
    auricle_clap_add_numbered(run, time, bytes);
    return;
  }
  if (kind == 0xF0 || count > 3) {
    if (!run->sends_midi || bytes[0] != 0xF0) return;
    AuricleCLAPAnyEvent* event =
      auricle_clap_add(run, time, kCLAPEvent_SystemExclusive, sizeof(AuricleCLAPSystemExclusive));
    if (!event) return;
    event->exclusive.bytes = bytes;
    event->exclusive.byte_count = count;
    return;
  }
  if (run->sends_notes && kind <= 0xA0 && count == 3) {
    if (kind == 0xA0) {
      auricle_clap_add_expression(
        run, time, kCLAPExpression_Pressure, -1, channel, bytes[1], bytes[2] / 127.0);
    } else {
      // In MIDI a note on of velocity 0 is a note off.
      const bool is_on = kind == 0x90 && bytes[2] > 0;
      auricle_clap_add_note(
        run, time, is_on ? kCLAPEvent_NoteOn : kCLAPEvent_NoteOff, -1, channel, bytes[1], bytes[2] / 127.0);
    }
    return;
  }
  // All sound off, all notes off.
  if (run->sends_notes && kind == 0xB0 && count == 3 && (bytes[1] == 120 || bytes[1] == 123))
    auricle_clap_add_note(
      run, time, bytes[1] == 120 ? kCLAPEvent_NoteChoke : kCLAPEvent_NoteOff, -1, channel, -1, 0);
  if (run->sends_midi) {
    AuricleCLAPAnyEvent* event = auricle_clap_add(run, time, kCLAPEvent_MIDI, sizeof(AuricleCLAPMIDI));
    if (event) memcpy(event->midi.bytes, bytes, count);
  } else {
    auricle_clap_add_controller(run, time, bytes, count);
  }
}

// The song of the host at the start of a slice.

AURICLE_TRUSTED static inline void auricle_clap_note_song(AuricleCLAPRun* run, double beat, double tempo) {
  AuricleCLAPTransport* transport = &run->transport;
  memset(transport, 0, sizeof *transport);
  transport->header = (AuricleCLAPEvent){.size = sizeof *transport, .type = kCLAPEvent_Transport};
  transport->flags = kCLAPTransport_HasTempo | kCLAPTransport_HasBeats | kCLAPTransport_IsPlaying;
  transport->beats = (int64_t)(beat * kCLAPTimeFactor);
  transport->tempo = tempo;
  run->process.transport = transport;
}
AURICLE_TRUSTED static inline void auricle_clap_note_bar(
  AuricleCLAPRun* run, double start, uint16_t numerator, uint16_t denominator) {
  AuricleCLAPTransport* transport = &run->transport;
  transport->flags |= kCLAPTransport_HasSignature;
  transport->numerator = numerator;
  transport->denominator = denominator;
  transport->bar_start = (int64_t)(start * kCLAPTimeFactor);
  // Bars are counted as if the signature had always been this one.
  if (numerator && denominator) transport->bar_number = (int32_t)(start * denominator / 4 / numerator);
}
AURICLE_TRUSTED static inline void auricle_clap_note_transport(
  AuricleCLAPRun* run, double seconds, bool is_playing, bool is_recording) {
  AuricleCLAPTransport* transport = &run->transport;
  transport->flags |= kCLAPTransport_HasSeconds | (is_recording ? kCLAPTransport_IsRecording : 0);
  if (!is_playing) transport->flags &= ~(uint32_t)kCLAPTransport_IsPlaying;
  transport->seconds = (int64_t)(seconds * kCLAPTimeFactor);
}
AURICLE_TRUSTED static inline void auricle_clap_note_loop(AuricleCLAPRun* run, double start, double end) {
  run->transport.flags |= kCLAPTransport_IsLooping;
  run->transport.loop_start_beats = (int64_t)(start * kCLAPTimeFactor);
  run->transport.loop_end_beats = (int64_t)(end * kCLAPTimeFactor);
}

// Processing.

// Stops a plug-in that was started, on this thread as its audio thread; nothing renders meanwhile.
AURICLE_TRUSTED static inline void auricle_clap_stop(AuricleCLAPRun* run) {
  if (!run->is_processing) return;
  run->is_processing = 0;
  auricle_clap_enter_audio(run->host);
  if (run->plugin->stop_processing) run->plugin->stop_processing(run->plugin);
  auricle_clap_leave_audio(run->host);
}

AURICLE_TRUSTED static inline uint32_t auricle_clap_pause(const AuricleCLAPRun* run) {
  return __atomic_load_n(&run->pause, __ATOMIC_ACQUIRE);
}
AURICLE_TRUSTED static inline void auricle_clap_set_pause(AuricleCLAPRun* run, uint32_t pause) {
  __atomic_store_n(&run->pause, pause, __ATOMIC_RELEASE);
}

// Serves requests of the process call while the sound waits: so it is the same every time.
AURICLE_TRUSTED static inline void auricle_clap_settle(AuricleCLAPRun* run) {
  AuricleCLAPHostState* host = run->host;
  const uint32_t requests = __atomic_load_n(&host->requests, __ATOMIC_ACQUIRE) & ~(uint32_t)kCLAPRequest_Flush;
  if (!host->settle || (!requests && (uint64_t)run->process.steady_time < host->timer_frame)) return;
  const uint64_t time = (uint64_t)((double)run->process.steady_time / run->rate * 1e9);
  host->settle(host->context, time);
  if (auricle_clap_pause(run) == kCLAPPause_Wanted) {
    auricle_clap_stop(run);
    auricle_clap_set_pause(run, kCLAPPause_Stopped);
    host->settle(host->context, time);
  }
}

// Processes a slice; the plug-in is started where it was not. False for an error of the plug-in.
AURICLE_TRUSTED static inline bool auricle_clap_process(AuricleCLAPRun* run, uint32_t frames) {
  const unsigned short mode = auricle_x87_mode();
  if (auricle_clap_pause(run) == kCLAPPause_Wanted) {
    auricle_clap_stop(run);
    auricle_clap_set_pause(run, kCLAPPause_Stopped);
    if (run->is_offline)
      auricle_clap_settle(run);
    else
      auricle_bell_ring(run->host->bell);
  }
  const bool runs = auricle_clap_pause(run) == kCLAPPause_None && run->is_active;
  bool is_sound = false;
  if (runs) {
    auricle_clap_enter_audio(run->host);
    if (!run->is_processing)
      run->is_processing = !run->plugin->start_processing || run->plugin->start_processing(run->plugin);
    if (run->is_processing) {
      run->process.frame_count = frames;
      for (uint32_t i = 0; i < run->process.output_count; ++i) run->process.outputs[i].constant_mask = 0;
      auricle_clear_stack();
      run->status = run->plugin->process(run->plugin, &run->process);
      is_sound = run->status != 0;
      run->process.steady_time += frames;
    }
    auricle_clap_leave_audio(run->host);
  }
  run->event_count = 0;
  if (run->is_offline) auricle_clap_settle(run);
  auricle_end_run(mode);
  return is_sound;
}

// Passes the events to a plug-in that does not process: to an active one on this thread as its audio thread, to another on
// the main thread.
static inline void auricle_clap_flush(AuricleCLAPRun* run, const AuricleCLAPParameters* parameters) {
  if (parameters && parameters->flush) {
    if (run->is_active) auricle_clap_enter_audio(run->host);
    parameters->flush(run->plugin, &run->input, &run->output);
    if (run->is_active) auricle_clap_leave_audio(run->host);
  }
  run->event_count = 0;
}

// Forgets the events that the plug-in sent.
AURICLE_TRUSTED static inline void auricle_clap_forget_sent(AuricleCLAPRun* run) {
  run->sent_count = 0;
  run->exclusive_count = 0;
}

// An event that the plug-in sent, as a message of MIDI whose size is noted in the run; null for others.
AURICLE_TRUSTED static inline const uint8_t* auricle_clap_message(
  AuricleCLAPRun* run, const AuricleCLAPAnyEvent* event, uint32_t* port) {
  uint8_t* bytes = run->message;
  run->message_size = 3;
  *port = 0;
  if (event->header.space != 0) return NULL;
  if (event->header.type == kCLAPEvent_SystemExclusive) {
    *port = event->exclusive.port;
    run->message_size = event->exclusive.byte_count;
    return event->exclusive.byte_count ? event->exclusive.bytes : NULL;
  }
  if (event->header.type == kCLAPEvent_MIDI) {
    *port = event->midi.port;
    memcpy(bytes, event->midi.bytes, 3);
    const uint8_t kind = bytes[0] & 0xF0;
    if (kind == 0xC0 || kind == 0xD0) run->message_size = 2;
    return bytes;
  }
  if (event->header.type > kCLAPEvent_NoteChoke || event->note.key < 0 || event->note.channel < 0)
    return NULL;
  if (event->note.port > 0) *port = (uint32_t)event->note.port;
  const bool is_on = event->header.type == kCLAPEvent_NoteOn;
  const double velocity = event->note.velocity * 127 + 0.5;
  const uint8_t value = velocity < 0 ? 0 : velocity > 127 ? 127 : (uint8_t)velocity;
  bytes[0] = (uint8_t)((is_on ? 0x90 : 0x80) | (event->note.channel & 0x0F));
  bytes[1] = (uint8_t)(event->note.key & 0x7F);
  bytes[2] = is_on && value == 0 ? 1 : value;
  return bytes;
}
