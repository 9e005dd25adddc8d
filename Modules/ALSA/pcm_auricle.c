// A plug-in of ALSA: the sound of any program through a chain, on its way to another PCM.
// SPDX-License-Identifier: Apache-2.0
//
//   pcm.NAME { type auricle; preset PRESET; slave.pcm PCM; [channels N]; [program FILE]; }
//
// The chain runs in a process apart, `auricle serve-chain`. Where that is lost or late by two seconds, the sound goes on
// without it, and a line says so.
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "DescriptorPassing.h"
#include "UnitLink.h"

extern char **environ;

enum { frameCapacity = 4096, mostText = 4096 };
static const uint64_t patience = 2000000000;

typedef struct {
  snd_pcm_extplug_t ext;
  char *preset, *program;
  pid_t process;
  int socket;
  void *memory;
  size_t memorySize;
  AuricleLink *link;
  bool isLost;
} Plug;

// Messages: count of bytes, number, kind, count of files, bytes.

static bool sendAll(int socket, const uint8_t *bytes, size_t count, const int *file) {
  for (size_t done = 0; done < count;) {
    const ssize_t sent = AuricleSend(socket, bytes + done, count - done, file, file && done == 0 ? 1 : 0);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    done += (size_t)sent;
  }
  return true;
}

static bool receiveAll(int socket, uint8_t *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    struct pollfd entry = {.fd = socket, .events = POLLIN};
    if (poll(&entry, 1, 60000) <= 0) return false;
    const ssize_t got = recv(socket, bytes + done, count - done, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += (size_t)got;
  }
  return true;
}

/// Sends the setup, and waits for the answer; 0, or an error that was printed.
static int greet(Plug *plug, AuricleLinkForm form, int file) {
  uint8_t message[12 + 8 + sizeof form + 4 + mostText];
  const double rate = plug->ext.rate;
  const uint32_t length = (uint32_t)strlen(plug->preset), number = 1;
  if (length > mostText) return -ENAMETOOLONG;
  const uint32_t count = (uint32_t)(8 + sizeof form + 4 + length);
  const uint16_t kind = 1, files = 1;
  uint8_t *place = message;
#define ADD(value) (memcpy(place, &(value), sizeof(value)), place += sizeof(value))
  ADD(count), ADD(number), ADD(kind), ADD(files), ADD(rate), ADD(form), ADD(length);
#undef ADD
  memcpy(place, plug->preset, length);
  uint8_t header[12], body[8 + 65536 + 4];
  uint32_t size;
  if (!sendAll(plug->socket, message, 12 + count, &file) || !receiveAll(plug->socket, header, sizeof header)) {
    SNDERR("auricle: the process of the chain ended: run %s doctor", plug->program);
    return -EPIPE;
  }
  memcpy(&size, header, 4);
  int32_t status;
  uint32_t text;
  if (size < 12 || size > sizeof body || !receiveAll(plug->socket, body, size)) return -EPROTO;
  memcpy(&status, body, 4);
  memcpy(&text, body + 4, 4);
  if (status == 0) return 0;
  if (text > size - 12) text = size - 12;
  while (text && body[8 + text - 1] == '\n') text--;
  SNDERR("%.*s", (int)text, (const char *)body + 8);
  return -EINVAL;
}

/// Starts the process of the chain, which ends when the socket does.
static int start(Plug *plug, int end) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, standard;
  sigemptyset(&none);
  sigfillset(&standard);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &standard);
  // Signals of the terminal are for the program that plays.
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  char *const words[] = {plug->program, (char *)"serve-chain", NULL};
  const int error = posix_spawnp(&plug->process, plug->program, &actions, &attributes, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error) SNDERR("auricle: cannot start %s: %s", plug->program, strerror(error));
  return -error;
}

static void stop(Plug *plug) {
  if (plug->socket >= 0) close(plug->socket);
  plug->socket = -1;
  if (plug->process > 0) {
    int status;
    while (waitpid(plug->process, &status, 0) < 0 && errno == EINTR) {}
  }
  plug->process = 0;
  if (plug->link) AuricleLinkFree(plug->link);
  plug->link = NULL;
  if (plug->memory) munmap(plug->memory, plug->memorySize);
  plug->memory = NULL;
}

/// Makes the chain for the rate and the channels that the program chose.
static int initialize(snd_pcm_extplug_t *ext) {
  Plug *plug = ext->private_data;
  stop(plug);
  plug->isLost = false;
  const AuricleLinkForm form = {frameCapacity, ext->channels, ext->channels, 64};
  plug->memorySize = AuricleLinkSize(form);
  const int file = AuricleMakeSharedMemory(plug->memorySize);
  if (file < 0) return -errno;
  int ends[2] = {-1, -1}, error = 0;
  void *memory = mmap(NULL, plug->memorySize, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) error = -errno;
  plug->memory = memory == MAP_FAILED ? NULL : memory;
  if (!error && !(plug->link = AuricleLinkMake(memory, form))) error = -ENOMEM;
  plug->socket = ends[0];
  if (!error) error = start(plug, ends[1]);
  if (ends[1] >= 0) close(ends[1]);
  if (!error) error = greet(plug, form, file);
  close(file);
  if (error) stop(plug);
  return error;
}

static float *sample(const snd_pcm_channel_area_t *area, snd_pcm_uframes_t frame) {
  return (float *)((char *)area->addr + (area->first + area->step * frame) / 8);
}

static void copy(const snd_pcm_channel_area_t *to, snd_pcm_uframes_t toFrame, const snd_pcm_channel_area_t *from,
                 snd_pcm_uframes_t fromFrame, unsigned channels, snd_pcm_uframes_t count) {
  for (unsigned channel = 0; channel < channels; channel++)
    for (snd_pcm_uframes_t frame = 0; frame < count; frame++)
      *sample(&to[channel], toFrame + frame) = *sample(&from[channel], fromFrame + frame);
}

/// Whether the process of the chain is there.
static bool isThere(Plug *plug) {
  struct pollfd entry = {.fd = plug->socket, .events = POLLIN};
  return poll(&entry, 1, 0) == 0;
}

/// Waits for the chain; false where it is lost.
static bool await(Plug *plug) {
  const uint64_t end = AuricleLinkNow() + patience;
  for (;;) {
    AuricleLinkAnswer answer;
    const uint64_t now = AuricleLinkNow(), step = now + 50000000;
    const AuricleLinkOutcome outcome = AuricleLinkAwait(plug->link, step < end ? step : end, &answer);
    if (outcome == AuricleLinkOutcomeAnswered) return answer.status == 0;
    if (now >= end || !isThere(plug)) return false;
  }
}

/// The chain's sound for frames of the program, or these as they are.
static snd_pcm_sframes_t transfer(snd_pcm_extplug_t *ext, const snd_pcm_channel_area_t *to, snd_pcm_uframes_t toFrame,
                                  const snd_pcm_channel_area_t *from, snd_pcm_uframes_t fromFrame,
                                  snd_pcm_uframes_t size) {
  Plug *plug = ext->private_data;
  for (snd_pcm_uframes_t done = 0; done < size;) {
    const snd_pcm_uframes_t count = size - done < frameCapacity ? size - done : frameCapacity;
    if (plug->link && !plug->isLost) {
      for (unsigned channel = 0; channel < ext->channels; channel++) {
        float *row = AuricleLinkInput(plug->link, channel);
        for (snd_pcm_uframes_t frame = 0; frame < count; frame++)
          row[frame] = *sample(&from[channel], fromFrame + done + frame);
      }
      const AuricleLinkTurn turn = {.kind = kAuricleLinkTurn_Render, .frameCount = (uint32_t)count};
      if (!AuricleLinkPost(plug->link, &turn, true) || !await(plug)) {
        plug->isLost = true;
        SNDERR("auricle: the chain of %s was lost: the sound goes on without it", plug->preset);
      }
    }
    if (!plug->link || plug->isLost) {
      copy(to, toFrame + done, from, fromFrame + done, ext->channels, count);
    } else {
      for (unsigned channel = 0; channel < ext->channels; channel++) {
        const float *row = AuricleLinkOutput(plug->link, channel);
        for (snd_pcm_uframes_t frame = 0; frame < count; frame++)
          *sample(&to[channel], toFrame + done + frame) = row[frame];
      }
    }
    done += count;
  }
  return (snd_pcm_sframes_t)size;
}

static int release(snd_pcm_extplug_t *ext) {
  Plug *plug = ext->private_data;
  stop(plug);
  free(plug->preset);
  free(plug->program);
  free(plug);
  return 0;
}

static const snd_pcm_extplug_callback_t callbacks = {.transfer = transfer, .close = release, .init = initialize};

/// The program: the one that is named, the one of the installation, the one of the path.
static char *programPath(const char *named) {
  if (named) return strdup(named);
  const char *variable = getenv("AURICLE_PROGRAM");
  return strdup(variable && *variable ? variable : "auricle");
}

SND_PCM_PLUGIN_DEFINE_FUNC(auricle) {
  (void)root;
  const char *preset = NULL, *program = NULL;
  snd_config_t *slave = NULL;
  long channels = 0;
  snd_config_iterator_t place, next;
  snd_config_for_each(place, next, conf) {
    snd_config_t *entry = snd_config_iterator_entry(place);
    const char *key;
    if (snd_config_get_id(entry, &key) < 0) continue;
    if (strcmp(key, "comment") == 0 || strcmp(key, "type") == 0 || strcmp(key, "hint") == 0) continue;
    if (strcmp(key, "slave") == 0) {
      slave = entry;
    } else if (strcmp(key, "preset") == 0) {
      if (snd_config_get_string(entry, &preset) < 0) preset = NULL;
    } else if (strcmp(key, "program") == 0) {
      if (snd_config_get_string(entry, &program) < 0) program = NULL;
    } else if (strcmp(key, "channels") == 0) {
      if (snd_config_get_integer(entry, &channels) < 0 || channels < 1 || channels > 1024) {
        SNDERR("auricle: channels is a number from 1 to 1024");
        return -EINVAL;
      }
    } else {
      SNDERR("auricle: there is no setting %s: use preset, slave, channels, program", key);
      return -EINVAL;
    }
  }
  if (!preset || !*preset || !slave) {
    SNDERR("auricle: %s: give one", slave ? "there is no preset" : "there is no slave");
    return -EINVAL;
  }
  if (stream != SND_PCM_STREAM_PLAYBACK) {
    SNDERR("auricle: a chain of ALSA plays: record with auricle live or auricle record");
    return -EINVAL;
  }
  Plug *plug = calloc(1, sizeof *plug);
  if (!plug) return -ENOMEM;
  plug->socket = -1;
  plug->preset = strdup(preset);
  plug->program = programPath(program && *program ? program : NULL);
  plug->ext.version = SND_PCM_EXTPLUG_VERSION;
  plug->ext.name = "Auricle chain";
  plug->ext.callback = &callbacks;
  plug->ext.private_data = plug;
  int error = plug->preset && plug->program ? 0 : -ENOMEM;
  if (!error) error = snd_pcm_extplug_create(&plug->ext, name, root, slave, stream, mode);
  if (error < 0) {
    free(plug->preset);
    free(plug->program);
    free(plug);
    return error;
  }
  snd_pcm_extplug_set_param(&plug->ext, SND_PCM_EXTPLUG_HW_FORMAT, SND_PCM_FORMAT_FLOAT);
  snd_pcm_extplug_set_slave_param(&plug->ext, SND_PCM_EXTPLUG_HW_FORMAT, SND_PCM_FORMAT_FLOAT);
  if (channels > 0) {
    snd_pcm_extplug_set_param(&plug->ext, SND_PCM_EXTPLUG_HW_CHANNELS, (unsigned)channels);
    snd_pcm_extplug_set_slave_param(&plug->ext, SND_PCM_EXTPLUG_HW_CHANNELS, (unsigned)channels);
  } else {
    snd_pcm_extplug_set_param_link(&plug->ext, SND_PCM_EXTPLUG_HW_CHANNELS, 1);
  }
  *pcmp = plug->ext.pcm;
  return 0;
}

SND_PCM_PLUGIN_SYMBOL(auricle);
