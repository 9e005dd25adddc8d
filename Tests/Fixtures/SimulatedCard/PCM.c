// The simulated card while it runs: a clock, a wire from its output to its input, and faults.
// SPDX-License-Identifier: Apache-2.0
//
// Its clock is the machine's, off by `ppm`. Playback goes into a ring in the card's memory. Its input reads there the output at
// the time of a frame, in any process.
#include "PCM.h"

#include <sys/timerfd.h>

static int isPlayback(const PCM* pcm) { return pcm->io.stream == SND_PCM_STREAM_PLAYBACK; }

// Frames the hardware has done, as a driver would report: in bursts, without advance in a stall.
static int64_t hardware(PCM* pcm) {
  if (!pcm->side->running) return pcm->total;
  int64_t time = nanoseconds();
  if (time < pcm->stalledUntil) return pcm->total;
  if (pcm->stalledUntil) {
    pcm->stalledUntil = 0;
    pcm->side->start = cardFrame(pcm, time) - pcm->total;
    pcm->side->end = INT64_MAX;
  }
  int64_t frames = cardFrame(pcm, time) - pcm->side->start;
  if (pcm->burst > 1) frames -= frames % pcm->burst;
  return frames > pcm->total ? frames : pcm->total;
}

static snd_pcm_uframes_t room(const PCM* pcm, snd_pcm_uframes_t application) {
  snd_pcm_uframes_t ahead = pcm->total + (isPlayback(pcm) ? pcm->io.buffer_size : 0) + pcm->boundary;
  return (ahead - application % pcm->boundary) % pcm->boundary;
}

// The descriptor becomes ready at the end of the period in which there is room for avail_min frames.
static void arm(PCM* pcm, snd_pcm_uframes_t application) {
  struct itimerspec when = {.it_value = {0, 1}};
  snd_pcm_uframes_t free = room(pcm, application);
  snd_pcm_state_t state = pcm->io.state;
  int goesOn = state == SND_PCM_STATE_RUNNING || state == SND_PCM_STATE_DRAINING || state == SND_PCM_STATE_PREPARED;
  if (goesOn && free < pcm->availMin) {
    int64_t target = pcm->total + (pcm->availMin - free), step = pcm->io.period_size;
    target += (step - target % step) % step;
    if (pcm->burst > 1) target += (pcm->burst - target % pcm->burst) % pcm->burst;
    int64_t time = (int64_t)((pcm->side->start + target) / pace(pcm)) + 1000;
    if (pcm->stalledUntil > time) time = pcm->stalledUntil;
    when.it_value = (struct timespec){time / 1000000000, time % 1000000000};
    // Before the start, and in a stall without end: never.
    if (!pcm->side->running || pcm->stalledUntil == INT64_MAX) when.it_value = (struct timespec){0, 0};
  }
  timerfd_settime(pcm->io.poll_fd, TFD_TIMER_ABSTIME, &when, NULL);
}

// Moves the position, and keeps the frames that have left the connector meanwhile.
static void advance(PCM* pcm, int64_t frames) {
  int64_t last = frames < pcm->moved ? frames : pcm->moved;
  int bytes = pcm->side->frameBytes;
  if (isPlayback(pcm) && pcm->heard >= 0)
    for (int64_t frame = pcm->total; frame < last;) {
      int64_t place = frame % RING_FRAMES, count = last - frame;
      if (count > RING_FRAMES - place) count = RING_FRAMES - place;
      if (write(pcm->heard, pcm->card->ring + place * bytes, count * bytes) < 0) break;
      frame += count;
    }
  pcm->total = frames;
}

static void halt(PCM* pcm) {
  if (atomic_exchange(&pcm->side->running, 0)) pcm->side->end = pcm->total < pcm->moved ? pcm->total : pcm->moved;
}

// Carries out a fault; true where the hardware has run out of sound.
static int fail(PCM* pcm, int kind, double argument) {
  switch (kind) {
  case XRUN: return 1;
  case STALL:
  case HANG:
    pcm->stalledUntil = kind == HANG ? INT64_MAX : nanoseconds() + (int64_t)(argument * 1e6);
    pcm->side->end = pcm->total;
    break;
  case DISCONNECT: pcm->side->refusal = ENODEV;  // falls through
  case SUSPEND:
    halt(pcm);
    snd_pcm_ioplug_set_state(&pcm->io, kind == SUSPEND ? SND_PCM_STATE_SUSPENDED : SND_PCM_STATE_DISCONNECTED);
  }
  return 0;
}

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t* io) {
  PCM* pcm = io->private_data;
  int isDry = 0;
  int64_t frames = hardware(pcm);
  while (pcm->side->running && pcm->nextFault < pcm->faultCount &&
         pcm->before + frames >= pcm->faults[pcm->nextFault].frame) {
    Fault fault = pcm->faults[pcm->nextFault++];
    advance(pcm, fault.frame - pcm->before > pcm->total ? fault.frame - pcm->before : pcm->total);
    isDry |= fail(pcm, fault.kind, fault.argument);
    frames = isDry ? pcm->total : hardware(pcm);
  }
  if (pcm->side->running) {
    advance(pcm, frames);
    isDry |= fail(pcm, atomic_exchange(&pcm->side->request, NO_FAULT), pcm->side->argument);
    isDry |= io->state == SND_PCM_STATE_RUNNING && room(pcm, io->appl_ptr) >= pcm->stopThreshold;
    if (isDry) halt(pcm);
  }
  arm(pcm, io->appl_ptr);
  return isDry ? -EPIPE : (snd_pcm_sframes_t)(pcm->total % pcm->boundary);
}

// Returns the frame on the wire for a frame of the input; NULL for silence.
static const char* onWire(PCM* pcm, int64_t frame) {
  const Side* output = &pcm->card->side[0];
  if (output->frameBytes != pcm->side->frameBytes) return NULL;
  int64_t place = pcm->side->start + frame - pcm->latency - output->latency - output->start;
  return place < 0 || place >= output->end ? NULL
                                           : pcm->card->ring + place % RING_FRAMES * output->frameBytes;
}

static snd_pcm_sframes_t transfer(snd_pcm_ioplug_t* io, const snd_pcm_channel_area_t* areas,
                                  snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
  PCM* pcm = io->private_data;
  if (pcm->most && size > (snd_pcm_uframes_t)pcm->most) size = pcm->most;
  int bytes = pcm->side->frameBytes, width = bytes / io->channels;
  for (snd_pcm_uframes_t index = 0; index < size; index++) {
    int64_t frame = pcm->moved + index;
    char* own = pcm->card->ring + frame % RING_FRAMES * bytes;
    const char* heard = isPlayback(pcm) ? NULL : onWire(pcm, frame);
    for (unsigned channel = 0; channel < io->channels; channel++) {
      const snd_pcm_channel_area_t* area = areas + channel;
      char* sample = (char*)area->addr + (area->first + area->step * (offset + index)) / 8;
      if (isPlayback(pcm)) memcpy(own + channel * width, sample, width);
      else if (heard) memcpy(sample, heard + channel * width, width);
      else memset(sample, 0, width);
    }
  }
  pcm->moved += size;
  arm(pcm, io->appl_ptr + size);
  return size;
}

static int start(snd_pcm_ioplug_t* io) {
  PCM* pcm = io->private_data;
  if (pcm->side->refusal) return -pcm->side->refusal;
  pcm->side->start = cardFrame(pcm, nanoseconds()) - pcm->total;
  pcm->side->end = INT64_MAX;
  pcm->side->running = 1;
  arm(pcm, io->appl_ptr);
  return 0;
}

static int stop(snd_pcm_ioplug_t* io) {
  PCM* pcm = io->private_data;
  advance(pcm, hardware(pcm));
  halt(pcm);
  return 0;
}

static int prepare(snd_pcm_ioplug_t* io) {
  PCM* pcm = io->private_data;
  if (pcm->side->refusal) return -pcm->side->refusal;
  halt(pcm);
  pcm->before += pcm->total;
  pcm->total = pcm->moved = pcm->stalledUntil = 0;
  pcm->side->frameBytes = io->channels * snd_pcm_format_physical_width(io->format) / 8;
  pcm->side->latency = pcm->latency;
  struct itimerspec when = {.it_value = {0, isPlayback(pcm)}};
  timerfd_settime(io->poll_fd, TFD_TIMER_ABSTIME, &when, NULL);
  return 0;
}

static int setSoftware(snd_pcm_ioplug_t* io, snd_pcm_sw_params_t* wanted) {
  PCM* pcm = io->private_data;
  snd_pcm_sw_params_get_avail_min(wanted, &pcm->availMin);
  snd_pcm_sw_params_get_stop_threshold(wanted, &pcm->stopThreshold);
  snd_pcm_sw_params_get_boundary(wanted, &pcm->boundary);
  return 0;
}

static int events(snd_pcm_ioplug_t* io, struct pollfd* descriptor, unsigned count, unsigned short* found) {
  PCM* pcm = io->private_data;
  *found = 0;
  if (count != 1 || !(descriptor->revents & POLLIN)) return 0;
  snd_pcm_avail_update(io->pcm);  // reads the clock, and arms the timer anew
  short ready = isPlayback(pcm) ? POLLOUT : POLLIN;
  int isOver = io->state == SND_PCM_STATE_XRUN || io->state == SND_PCM_STATE_SUSPENDED ||
               io->state == SND_PCM_STATE_DISCONNECTED;
  if (isOver) *found = ready | POLLERR;
  else if (room(pcm, io->appl_ptr) >= pcm->availMin) *found = ready;
  return 0;
}

static int delay(snd_pcm_ioplug_t* io, snd_pcm_sframes_t* frames) {
  PCM* pcm = io->private_data;
  if (pointer(io) < 0) return -EPIPE;
  snd_pcm_sframes_t free = room(pcm, io->appl_ptr);
  *frames = pcm->latency + (isPlayback(pcm) ? (snd_pcm_sframes_t)io->buffer_size - free : free);
  return 0;
}

// Goes on where it was. An error would never reach the caller: alsa-lib answers 0 for any result.
static int resume(snd_pcm_ioplug_t* io) {
  int status = start(io);
  if (status >= 0) snd_pcm_ioplug_set_state(io, SND_PCM_STATE_RUNNING);
  return status;
}

static int closePCM(snd_pcm_ioplug_t* io) {
  PCM* pcm = io->private_data;
  halt(pcm);
  pcm->side->opened = 0;
  munmap(pcm->card, sizeof(Card));
  close(io->poll_fd);
  if (pcm->heard >= 0) close(pcm->heard);
  free(pcm);
  return 0;
}

const snd_pcm_ioplug_callback_t pcmCallbacks = {.start = start,
                                                .stop = stop,
                                                .pointer = pointer,
                                                .transfer = transfer,
                                                .close = closePCM,
                                                .prepare = prepare,
                                                .sw_params = setSoftware,
                                                .poll_revents = events,
                                                .delay = delay,
                                                .resume = resume};
