// The one door to alsa-lib.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <alsa/asoundlib.h>
#include <dlfcn.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

// Swift cannot define a function with variable arguments: alsa-lib's messages are dropped, its
// codes suffice.
static inline void auricle_alsa_no_message(
  const char* file, int line, const char* function, int code, const char* format, ...) {
  (void)file, (void)line, (void)function, (void)code, (void)format;
}
static inline void auricle_alsa_silence(void) { snd_lib_error_set_handler(auricle_alsa_no_message); }

// JACK's library is linked by the plug-in of its PCMs. It prints messages unless these functions
// are set.
static inline void auricle_jack_no_message(const char* text) { (void)text; }
static inline void auricle_jack_silence(void) {
  void* library = dlopen("libjack.so.0", RTLD_NOW);
  const char* setters[] = {"jack_set_error_function", "jack_set_info_function"};
  for (int index = 0; library && index < 2; index++) {
    void (*set)(void (*)(const char*)) = (void (*)(void (*)(const char*)))dlsym(library, setters[index]);
    if (set) set(auricle_jack_no_message);
  }
}

// Makes the event that ends another thread's wait.
static inline int auricle_event(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

// The calling thread's number in the system.
static inline int auricle_thread(void) { return (int)syscall(SYS_gettid); }

// The driver's monotonic time in nanoseconds of the frames that can be transferred; 0 where it
// reports none, below 0 for a failure.
static inline long long auricle_alsa_stamp(snd_pcm_t *pcm, snd_pcm_uframes_t *frames) {
  snd_htimestamp_t time = {0, 0};
  int status = snd_pcm_htimestamp(pcm, frames, &time);
  return status < 0 ? status : time.tv_sec * 1000000000LL + time.tv_nsec;
}

// Sends a message of MIDI, or a piece of a system exclusive one, from a port of the sequencer: to a port of another client,
// or, with a client below 0, to all that are connected.
static inline int auricle_seq_send(
  snd_seq_t *sequencer, snd_midi_event_t *encoder, const unsigned char *bytes, unsigned count, int port, int client,
  int other) {
  snd_seq_event_t event;
  snd_seq_ev_clear(&event);
  if (bytes[0] < 0x80 || bytes[0] == 0xF0 || bytes[0] == 0xF7) {
    snd_seq_ev_set_sysex(&event, count, (void *)bytes);
  } else {
    snd_midi_event_reset_encode(encoder);
    if (snd_midi_event_encode(encoder, bytes, count, &event) != (long)count || event.type == SND_SEQ_EVENT_NONE) return 0;
  }
  snd_seq_ev_set_source(&event, port);
  if (client < 0)
    snd_seq_ev_set_subs(&event);
  else
    snd_seq_ev_set_dest(&event, client, other);
  snd_seq_ev_set_direct(&event);
  return snd_seq_event_output_direct(sequencer, &event);
}

// The bytes of a system exclusive event; null for any other.
static inline unsigned auricle_seq_exclusive(const snd_seq_event_t *event, const void **bytes) {
  *bytes = event->type == SND_SEQ_EVENT_SYSEX ? event->data.ext.ptr : NULL;
  return event->type == SND_SEQ_EVENT_SYSEX ? event->data.ext.len : 0;
}
