// A plug-in of ALSA: the sound of any program through a chain, on its way to another PCM.
// SPDX-License-Identifier: Apache-2.0
//
//   pcm.NAME { type auricle; preset PRESET; slave.pcm PCM; [channels N]; [program FILE]; }
//
// The chain runs in a process apart, `auricle serve-chain`. Where that is lost or late by two seconds, the sound goes on
// without it, and a line says so. What the chain holds when a program drains its sound is played to its end.
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "chain_process.h"

typedef struct {
  snd_pcm_ioplug_t io;
  char *preset, *program;
  /// The PCM behind the chain, which never keeps a caller waiting but in `drain`.
  snd_pcm_t *slave;
  snd_pcm_uframes_t slaveBuffer, boundary;
  Chain *chain;
  /// Whether the chain is lost, whether it has rendered since it began anew, whether its end is rendered, and is over.
  bool isLost, hasRendered, isEnding, isOver;
  /// Whether the slave has frames since it was prepared.
  bool hasWritten;
  /// Interleaved frames that the slave has not accepted yet.
  float *pending;
  snd_pcm_uframes_t pendingStart, pendingEnd;
} Plug;

static snd_pcm_uframes_t pendingCount(const Plug *plug) { return plug->pendingEnd - plug->pendingStart; }

/// Passes pending frames on; 0 when all are, -EAGAIN where the slave has no room, or its error.
static int flush(Plug *plug) {
  while (pendingCount(plug) > 0) {
    const float *place = plug->pending + plug->pendingStart * plug->io.channels;
    const snd_pcm_sframes_t count = snd_pcm_writei(plug->slave, place, pendingCount(plug));
    if (count < 0) return (int)count;
    if (count == 0) return -EAGAIN;
    plug->hasWritten = true;
    plug->pendingStart += (snd_pcm_uframes_t)count;
  }
  plug->pendingStart = plug->pendingEnd = 0;
  return 0;
}

static void lose(Plug *plug) {
  plug->isLost = true;
  SNDERR("auricle: the chain of %s was lost: the sound goes on without it", plug->preset);
}

static float *sample(const snd_pcm_channel_area_t *area, snd_pcm_uframes_t frame) {
  return (float *)((char *)area->addr + (area->first + area->step * frame) / 8);
}

/// Renders frames of the program into the pending ones, or copies them where the chain is lost.
static void render(Plug *plug, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, unsigned frames) {
  const unsigned channels = plug->io.channels;
  if (!plug->isLost) {
    for (unsigned channel = 0; channel < channels; channel++) {
      float *row = ChainInput(plug->chain, channel);
      for (unsigned frame = 0; frame < frames; frame++) row[frame] = *sample(&areas[channel], offset + frame);
    }
    plug->hasRendered = true;
    if (!ChainRender(plug->chain, frames)) lose(plug);
  }
  for (unsigned channel = 0; channel < channels; channel++) {
    const float *row = plug->isLost ? NULL : ChainOutput(plug->chain, channel);
    for (unsigned frame = 0; frame < frames; frame++)
      plug->pending[frame * channels + channel] = row ? row[frame] : *sample(&areas[channel], offset + frame);
  }
  plug->pendingEnd = frames;
}

/// Passes frames of the program through the chain, as many as the slave has room for.
static snd_pcm_sframes_t transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset,
                                  snd_pcm_uframes_t size) {
  Plug *plug = io->private_data;
  snd_pcm_uframes_t done = 0;
  while (done < size) {
    const int error = flush(plug);
    if (error) return done > 0 ? (snd_pcm_sframes_t)done : error;
    const snd_pcm_sframes_t room = snd_pcm_avail_update(plug->slave);
    if (room <= 0) return done > 0 ? (snd_pcm_sframes_t)done : room < 0 ? room : -EAGAIN;
    snd_pcm_uframes_t count = size - done < kChainFrames ? size - done : kChainFrames;
    if (count > (snd_pcm_uframes_t)room) count = (snd_pcm_uframes_t)room;
    render(plug, areas, offset + done, (unsigned)count);
    done += count;
  }
  const int error = flush(plug);
  return error && error != -EAGAIN && error != -EPIPE ? error : (snd_pcm_sframes_t)done;
}

/// Begins the sound that is written already, where it has not begun.
static int start(snd_pcm_ioplug_t *io) {
  Plug *plug = io->private_data;
  return snd_pcm_state(plug->slave) == SND_PCM_STATE_PREPARED ? snd_pcm_start(plug->slave) : 0;
}

static int stop(snd_pcm_ioplug_t *io) {
  Plug *plug = io->private_data;
  plug->pendingStart = plug->pendingEnd = 0;
  snd_pcm_drop(plug->slave);
  return 0;
}

/// The frame that plays next, as ALSA counts: from 0 to the boundary.
static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *io) {
  Plug *plug = io->private_data;
  const snd_pcm_sframes_t room = snd_pcm_avail_update(plug->slave);
  if (room < 0) return room;
  snd_pcm_uframes_t queued = pendingCount(plug);
  if ((snd_pcm_uframes_t)room < plug->slaveBuffer) queued += plug->slaveBuffer - (snd_pcm_uframes_t)room;
  // A slave with a smaller buffer has no more room than that, and a drained sound is not over before its tail.
  if (io->buffer_size > (snd_pcm_uframes_t)room + queued) queued = io->buffer_size - (snd_pcm_uframes_t)room;
  if (plug->isEnding && queued == 0) queued = 1;
  if (queued > io->buffer_size) queued = io->buffer_size;
  const snd_pcm_uframes_t written = io->appl_ptr;
  if (written >= queued) return (snd_pcm_sframes_t)(written - queued);
  // Near the beginning fewer frames were written than the smaller buffer leaves room for.
  const snd_pcm_uframes_t heard = io->hw_ptr;
  return heard > written ? (snd_pcm_sframes_t)(written + plug->boundary - queued) : (snd_pcm_sframes_t)heard;
}

/// The frames in front of the one that is written next: those of the slave, and those that the chain holds.
static int delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *frames) {
  Plug *plug = io->private_data;
  snd_pcm_sframes_t behind = 0;
  const int error = snd_pcm_delay(plug->slave, &behind);
  if (error < 0) return error;
  *frames = behind + (snd_pcm_sframes_t)pendingCount(plug) + (plug->isLost ? 0 : (snd_pcm_sframes_t)ChainLatency(plug->chain));
  return 0;
}

/// Renders the next slice of the chain's end into the pending frames.
static void renderEnd(Plug *plug) {
  const unsigned channels = plug->io.channels;
  const int frames = ChainRenderEnd(plug->chain, &plug->isOver);
  if (frames < 0) {
    plug->isOver = true;
    lose(plug);
    return;
  }
  for (unsigned channel = 0; channel < channels; channel++) {
    const float *row = ChainOutput(plug->chain, channel);
    for (int frame = 0; frame < frames; frame++) plug->pending[(unsigned)frame * channels + channel] = row[frame];
  }
  plug->pendingEnd = (snd_pcm_uframes_t)frames;
}

/// Plays all that is written and all that the chain holds, to the end; -EAGAIN where that is not over and nobody waits.
static int drain(snd_pcm_ioplug_t *io) {
  Plug *plug = io->private_data;
  if (!plug->isEnding) {
    plug->isEnding = true;
    plug->isOver = plug->isLost || !plug->hasRendered;
  }
  for (;;) {
    const int error = flush(plug);
    if (error == 0) {
      if (plug->isOver) break;
      renderEnd(plug);
      continue;
    }
    int ready = error == -EAGAIN ? start(io) : error;
    if (ready >= 0 && io->nonblock) return -EAGAIN;
    if (ready >= 0) ready = snd_pcm_wait(plug->slave, -1);
    // A chain that was late at its end goes on to it.
    if (ready == -EPIPE) ready = snd_pcm_prepare(plug->slave);
    if (ready < 0) return ready;
  }
  if (!plug->hasWritten) return 0;
  start(io);
  snd_pcm_nonblock(plug->slave, io->nonblock);
  const int error = snd_pcm_drain(plug->slave);
  snd_pcm_nonblock(plug->slave, 1);
  if (error != -EAGAIN) plug->isEnding = false;
  return error;
}

/// Begins anew; after an underrun the chain goes on where it was.
static int prepare(snd_pcm_ioplug_t *io) {
  Plug *plug = io->private_data;
  plug->pendingStart = plug->pendingEnd = 0;
  plug->isEnding = plug->hasWritten = false;
  if (plug->hasRendered && !plug->isLost && io->state != SND_PCM_STATE_XRUN) {
    plug->hasRendered = false;
    if (!ChainReset(plug->chain)) lose(plug);
  }
  return snd_pcm_prepare(plug->slave);
}

/// Sets the slave up as the program chose, and makes the chain for it.
static int setUp(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *params) {
  (void)params;
  Plug *plug = io->private_data;
  snd_pcm_hw_params_t *slave;
  snd_pcm_hw_params_alloca(&slave);
  snd_pcm_uframes_t period = io->period_size, buffer = io->buffer_size;
  int error = snd_pcm_hw_params_any(plug->slave, slave);
  if (error >= 0) error = snd_pcm_hw_params_set_access(plug->slave, slave, SND_PCM_ACCESS_RW_INTERLEAVED);
  if (error >= 0) error = snd_pcm_hw_params_set_format(plug->slave, slave, SND_PCM_FORMAT_FLOAT);
  if (error >= 0) error = snd_pcm_hw_params_set_channels(plug->slave, slave, io->channels);
  if (error >= 0) error = snd_pcm_hw_params_set_rate(plug->slave, slave, io->rate, 0);
  if (error >= 0) error = snd_pcm_hw_params_set_period_size_near(plug->slave, slave, &period, NULL);
  if (error >= 0) error = snd_pcm_hw_params_set_buffer_size_near(plug->slave, slave, &buffer);
  if (error >= 0) error = snd_pcm_hw_params(plug->slave, slave);
  if (error < 0) {
    SNDERR("auricle: the PCM behind the chain cannot play floats at %u Hz in %u channels: put one of type plug between",
           io->rate, io->channels);
    return error;
  }
  snd_pcm_hw_params_get_buffer_size(slave, &plug->slaveBuffer);
  ChainStop(plug->chain);
  free(plug->pending);
  plug->isLost = plug->hasRendered = plug->isEnding = false;
  plug->pendingStart = plug->pendingEnd = 0;
  plug->chain = ChainStart(plug->program, plug->preset, io->rate, io->channels, &error);
  plug->pending = calloc((size_t)kChainFrames * io->channels, sizeof(float));
  if (!plug->chain) return error;
  return plug->pending ? 0 : -ENOMEM;
}

static int tearDown(snd_pcm_ioplug_t *io) {
  Plug *plug = io->private_data;
  ChainStop(plug->chain);
  plug->chain = NULL;
  free(plug->pending);
  plug->pending = NULL;
  return snd_pcm_hw_free(plug->slave);
}

static snd_pcm_uframes_t least(snd_pcm_uframes_t one, snd_pcm_uframes_t other) { return one < other ? one : other; }

/// Has the slave start, stop and wake the program as that wishes, which may be never.
static int setThresholds(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *params) {
  Plug *plug = io->private_data;
  snd_pcm_sw_params_t *slave;
  snd_pcm_sw_params_alloca(&slave);
  snd_pcm_uframes_t room = 1, start = 0, stop = 0, boundary = 0;
  snd_pcm_sw_params_get_avail_min(params, &room);
  snd_pcm_sw_params_get_start_threshold(params, &start);
  snd_pcm_sw_params_get_stop_threshold(params, &stop);
  snd_pcm_sw_params_get_boundary(params, &plug->boundary);
  int error = snd_pcm_sw_params_current(plug->slave, slave);
  if (error < 0) return error;
  snd_pcm_sw_params_get_boundary(slave, &boundary);
  const snd_pcm_uframes_t whole = plug->slaveBuffer;
  snd_pcm_sw_params_set_avail_min(plug->slave, slave, least(room, whole));
  snd_pcm_sw_params_set_start_threshold(plug->slave, slave, start > io->buffer_size ? boundary : least(start, whole));
  snd_pcm_sw_params_set_stop_threshold(plug->slave, slave, stop > io->buffer_size ? boundary : whole);
  return snd_pcm_sw_params(plug->slave, slave);
}

// What the slave does.

static int pauseSlave(snd_pcm_ioplug_t *io, int enable) { return snd_pcm_pause(((Plug *)io->private_data)->slave, enable); }

static int resumeSlave(snd_pcm_ioplug_t *io) { return snd_pcm_resume(((Plug *)io->private_data)->slave); }

static int pollCount(snd_pcm_ioplug_t *io) {
  return snd_pcm_poll_descriptors_count(((Plug *)io->private_data)->slave);
}

static int pollDescriptors(snd_pcm_ioplug_t *io, struct pollfd *entries, unsigned space) {
  return snd_pcm_poll_descriptors(((Plug *)io->private_data)->slave, entries, space);
}

static int pollEvents(snd_pcm_ioplug_t *io, struct pollfd *entries, unsigned count, unsigned short *events) {
  return snd_pcm_poll_descriptors_revents(((Plug *)io->private_data)->slave, entries, count, events);
}

static snd_pcm_chmap_query_t **queryMaps(snd_pcm_ioplug_t *io) {
  return snd_pcm_query_chmaps(((Plug *)io->private_data)->slave);
}

static snd_pcm_chmap_t *getMap(snd_pcm_ioplug_t *io) { return snd_pcm_get_chmap(((Plug *)io->private_data)->slave); }

static int setMap(snd_pcm_ioplug_t *io, const snd_pcm_chmap_t *map) {
  return snd_pcm_set_chmap(((Plug *)io->private_data)->slave, map);
}

static int release(snd_pcm_ioplug_t *io) {
  Plug *plug = io->private_data;
  ChainStop(plug->chain);
  if (plug->slave) snd_pcm_close(plug->slave);
  free(plug->pending);
  free(plug->preset);
  free(plug->program);
  free(plug);
  return 0;
}

#define CALLBACKS \
  .start = start, .stop = stop, .pointer = pointer, .transfer = transfer, .close = release, .hw_params = setUp, \
  .hw_free = tearDown, .sw_params = setThresholds, .prepare = prepare, .drain = drain, .resume = resumeSlave, \
  .poll_descriptors_count = pollCount, .poll_descriptors = pollDescriptors, .poll_revents = pollEvents, .delay = delay, \
  .query_chmaps = queryMaps, .get_chmap = getMap, .set_chmap = setMap

static const snd_pcm_ioplug_callback_t callbacks = {CALLBACKS};
static const snd_pcm_ioplug_callback_t pausingCallbacks = {CALLBACKS, .pause = pauseSlave};

// Opening.

/// Opens the PCM that a setting describes: a name, or a description, which needs a place in settings to have one.
static int openSlave(snd_pcm_t **slave, snd_config_t *root, snd_config_t *conf, snd_pcm_stream_t stream, int mode) {
  const char *name;
  snd_config_t *found = NULL, *named = NULL, *place, *copy, *own;
  int error = 0;
  if (snd_config_get_string(conf, &name) >= 0) {
    error = snd_config_search_definition(root, "pcm_slave", name, &named);
    if (error < 0) {
      SNDERR("auricle: there is no slave %s: name a PCM as slave.pcm", name);
      return error;
    }
    conf = named;
  }
  error = snd_config_search(conf, "pcm", &found);
  if (error < 0) {
    SNDERR("auricle: the slave has no PCM: name one as slave.pcm");
  } else if (snd_config_get_string(found, &name) >= 0) {
    error = snd_pcm_open_lconf(slave, name, stream, mode, root);
  } else if ((error = snd_config_copy(&own, root)) >= 0) {
    error = snd_config_search(own, "pcm", &place);
    if (error >= 0 && (error = snd_config_copy(&copy, found)) >= 0) {
      if ((error = snd_config_set_id(copy, "behind-auricle")) < 0 || (error = snd_config_add(place, copy)) < 0)
        snd_config_delete(copy);
      else
        error = snd_pcm_open_lconf(slave, "behind-auricle", stream, mode, own);
    }
    snd_config_delete(own);
  }
  if (named) snd_config_delete(named);
  return error;
}

/// Restricts the program to what chain and slave can do.
static int restrictProgram(Plug *plug, unsigned channels) {
  static const unsigned accesses[] = {SND_PCM_ACCESS_MMAP_INTERLEAVED, SND_PCM_ACCESS_MMAP_NONINTERLEAVED,
      SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_RW_NONINTERLEAVED};
  static const unsigned formats[] = {SND_PCM_FORMAT_FLOAT};
  snd_pcm_hw_params_t *slave;
  snd_pcm_hw_params_alloca(&slave);
  int error = snd_pcm_hw_params_any(plug->slave, slave);
  if (error < 0) return error;
  unsigned least = 1, most = 1024, slow = 4000, fast = 768000;
  snd_pcm_hw_params_get_channels_min(slave, &least);
  snd_pcm_hw_params_get_channels_max(slave, &most);
  snd_pcm_hw_params_get_rate_min(slave, &slow, NULL);
  snd_pcm_hw_params_get_rate_max(slave, &fast, NULL);
  if (most > 1024) most = 1024;
  if (slow < 4000) slow = 4000;
  if (fast > 768000) fast = 768000;
  if (channels > 0) least = most = channels;
  snd_pcm_ioplug_t *io = &plug->io;
  error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 4, accesses);
  if (error >= 0) error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, 1, formats);
  if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_CHANNELS, least, most);
  if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, slow, fast);
  if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 64, 1 << 22);
  if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 128, 1 << 24);
  return error;
}

/// The program: the one that is named, the one of the environment, the one of the path.
static char *programPath(const char *named) {
  if (named && *named) return strdup(named);
  const char *variable = getenv("AURICLE_PROGRAM");
  return strdup(variable && *variable ? variable : "auricle");
}

/// The settings of a PCM of this type.
typedef struct {
  const char *preset, *program;
  snd_config_t *slave;
  long channels;
} Settings;

static int readSettings(snd_config_t *conf, Settings *settings) {
  snd_config_iterator_t place, next;
  snd_config_for_each(place, next, conf) {
    snd_config_t *entry = snd_config_iterator_entry(place);
    const char *key;
    if (snd_config_get_id(entry, &key) < 0) continue;
    if (strcmp(key, "comment") == 0 || strcmp(key, "type") == 0 || strcmp(key, "hint") == 0) continue;
    if (strcmp(key, "slave") == 0) {
      settings->slave = entry;
    } else if (strcmp(key, "preset") == 0) {
      if (snd_config_get_string(entry, &settings->preset) < 0) settings->preset = NULL;
    } else if (strcmp(key, "program") == 0) {
      if (snd_config_get_string(entry, &settings->program) < 0) settings->program = NULL;
    } else if (strcmp(key, "channels") == 0) {
      if (snd_config_get_integer(entry, &settings->channels) < 0 || settings->channels < 1 || settings->channels > 1024) {
        SNDERR("auricle: channels is a number from 1 to 1024");
        return -EINVAL;
      }
    } else {
      SNDERR("auricle: there is no setting %s: use preset, slave, channels, program", key);
      return -EINVAL;
    }
  }
  if (settings->preset && *settings->preset && settings->slave) return 0;
  SNDERR("auricle: %s: give one", settings->slave ? "there is no preset" : "there is no slave");
  return -EINVAL;
}

SND_PCM_PLUGIN_DEFINE_FUNC(auricle) {
  Settings settings = {0};
  int error = readSettings(conf, &settings);
  if (error < 0) return error;
  if (stream != SND_PCM_STREAM_PLAYBACK) {
    SNDERR("auricle: a chain of ALSA plays: record with auricle live or auricle record");
    return -EINVAL;
  }
  Plug *plug = calloc(1, sizeof *plug);
  if (!plug) return -ENOMEM;
  plug->preset = strdup(settings.preset);
  plug->program = programPath(settings.program);
  error = plug->preset && plug->program ? openSlave(&plug->slave, root, settings.slave, stream, mode) : -ENOMEM;
  if (error >= 0) {
    snd_pcm_nonblock(plug->slave, 1);
    snd_pcm_hw_params_t *params;
    snd_pcm_hw_params_alloca(&params);
    const bool pauses = snd_pcm_hw_params_any(plug->slave, params) >= 0 && snd_pcm_hw_params_can_pause(params);
    plug->io.version = SND_PCM_IOPLUG_VERSION;
    plug->io.name = "Auricle chain";
    plug->io.callback = pauses ? &pausingCallbacks : &callbacks;
    plug->io.private_data = plug;
    plug->io.flags = SND_PCM_IOPLUG_FLAG_MONOTONIC | SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
    error = snd_pcm_ioplug_create(&plug->io, name, stream, mode);
  }
  if (error < 0) {
    release(&(snd_pcm_ioplug_t){.private_data = plug});
    return error;
  }
  error = restrictProgram(plug, (unsigned)settings.channels);
  if (error < 0) {
    snd_pcm_ioplug_delete(&plug->io);
    return error;
  }
  *pcmp = plug->io.pcm;
  return 0;
}

SND_PCM_PLUGIN_SYMBOL(auricle);
