// Live sound between the thread of a device and processes that render it: slices in shared memory.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "SoundLink.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/// The beginning of the shared memory. Behind it: events, input, output.
typedef struct {
  atomic_uint request;
  atomic_uint answer;
  uint32_t frameCount;
  uint32_t eventBytes;
} Shared;

enum { headerBytes = 64 };

static const uint64_t second = 1000000000;
/// A process that was abandoned just before a wait is noticed after this time.
static const uint64_t longestWait = 100000000;

struct AuricleSoundLink {
  Shared *shared;
  AuricleSliceForm form;
  uint32_t posted;
  /// When the slice that is not answered was sent; 0 for none.
  atomic_ullong since;
  atomic_bool isGone;
  uint32_t eventBytes;
  unsigned char events[AuricleMostEventBytes];
};

struct AuricleSoundMixer {
  AuricleSliceForm form;
  uint32_t fadeFrames, faded;
  uint64_t patience;
  AuricleSoundLink *present, *fading;
  _Atomic(AuricleSoundLink *) offered, retired;
  atomic_ullong missed;
};

static size_t inputBytes(AuricleSliceForm form) {
  return (size_t)form.frameCapacity * form.inputWidth * sizeof(float);
}

size_t AuricleSharedSoundSize(AuricleSliceForm form) {
  const size_t output = (size_t)form.frameCapacity * form.outputWidth * sizeof(float);
  return headerBytes + AuricleMostEventBytes + inputBytes(form) + output;
}

static unsigned char *eventsOf(Shared *shared) { return (unsigned char *)shared + headerBytes; }

const float *AuricleSharedSoundInput(void *shared, AuricleSliceForm form) {
  (void)form;
  return (const float *)(eventsOf(shared) + AuricleMostEventBytes);
}

float *AuricleSharedSoundOutput(void *shared, AuricleSliceForm form) {
  return (float *)(eventsOf(shared) + AuricleMostEventBytes + inputBytes(form));
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * second + (uint64_t)time.tv_nsec;
}

__attribute__((weak)) extern void __rtsan_disable(void);
__attribute__((weak)) extern void __rtsan_enable(void);

/// One system call that a sanitizer does not report: the wake never waits, and a wait is meant to.
static void callFutex(atomic_uint *word, int operation, uint32_t value, const struct timespec *time) {
  if (__rtsan_disable) __rtsan_disable();
  syscall(SYS_futex, word, operation, value, time, NULL, 0);
  if (__rtsan_enable) __rtsan_enable();
}

/// Waits while a word has a value, at most so long; 0: for ever.
static void waitFor(atomic_uint *word, uint32_t value, uint64_t nanoseconds) {
  struct timespec time = {(time_t)(nanoseconds / second), (long)(nanoseconds % second)};
  callFutex(word, FUTEX_WAIT, value, nanoseconds ? &time : NULL);
}

static void wake(atomic_uint *word) { callFutex(word, FUTEX_WAKE, INT_MAX, NULL); }

// The device's side.

AuricleSoundLink *AuricleSoundLinkMake(void *shared, AuricleSliceForm form) {
  AuricleSoundLink *link = calloc(1, sizeof *link);
  if (!link) return NULL;
  link->shared = shared;
  link->form = form;
  return link;
}

void AuricleSoundLinkFree(AuricleSoundLink *link) { free(link); }

void AuricleSoundLinkAbandon(AuricleSoundLink *link) {
  atomic_store(&link->isGone, true);
  wake(&link->shared->answer);
}

uint64_t AuricleSoundLinkWaiting(const AuricleSoundLink *link) {
  AuricleSoundLink *from = (AuricleSoundLink *)(uintptr_t)link;
  const uint64_t since = atomic_load(&from->since), time = now();
  return since && time > since ? time - since : 0;
}

bool AuricleSoundLinkAddEvent(AuricleSoundLink *link, const void *bytes, uint32_t count) {
  if (count > AuricleMostEventBytes - 4 || link->eventBytes > AuricleMostEventBytes - 4 - count) return false;
  memcpy(link->events + link->eventBytes, &count, 4);
  memcpy(link->events + link->eventBytes + 4, bytes, count);
  link->eventBytes += 4 + count;
  return true;
}

static void request(AuricleSoundLink *link, uint32_t frameCount) {
  link->shared->frameCount = frameCount;
  atomic_store(&link->since, now());
  atomic_store_explicit(&link->shared->request, ++link->posted, memory_order_release);
  wake(&link->shared->request);
}

void AuricleSoundLinkEnd(AuricleSoundLink *link) {
  request(link, 0);
  atomic_store(&link->since, 0);
}

static bool hasAnswered(AuricleSoundLink *link) {
  if (atomic_load_explicit(&link->shared->answer, memory_order_acquire) != link->posted) return false;
  atomic_store_explicit(&link->since, 0, memory_order_relaxed);
  return true;
}

/// Sends a slice; false while the one before is not answered.
static bool post(AuricleSoundLink *link, const float *input, uint32_t inputFrames, uint32_t frameCount) {
  if (atomic_load(&link->isGone) || !hasAnswered(link)) return false;
  Shared *shared = link->shared;
  memcpy(eventsOf(shared), link->events, link->eventBytes);
  shared->eventBytes = link->eventBytes;
  link->eventBytes = 0;
  float *samples = (float *)AuricleSharedSoundInput(shared, link->form);
  const size_t width = link->form.inputWidth;
  const size_t there = inputFrames < frameCount ? inputFrames : frameCount;
  if (input) memcpy(samples, input, there * width * sizeof(float));
  const size_t first = input ? there * width : 0;
  memset(samples + first, 0, (frameCount * width - first) * sizeof(float));
  request(link, frameCount);
  return true;
}

static bool await(AuricleSoundLink *link, uint64_t patience) {
  const uint64_t start = now();
  while (!hasAnswered(link)) {
    const uint64_t spent = now() - start;
    if (atomic_load(&link->isGone) || (patience && spent >= patience)) return false;
    const uint64_t left = patience ? patience - spent : longestWait;
    const uint32_t answer = atomic_load_explicit(&link->shared->answer, memory_order_acquire);
    if (answer != link->posted) waitFor(&link->shared->answer, answer, left < longestWait ? left : longestWait);
  }
  return true;
}

AuricleSoundMixer *AuricleSoundMixerMake(AuricleSliceForm form, uint32_t fadeFrames, uint64_t patience) {
  AuricleSoundMixer *mixer = calloc(1, sizeof *mixer);
  if (!mixer) return NULL;
  mixer->form = form;
  mixer->fadeFrames = fadeFrames ? fadeFrames : 1;
  mixer->patience = patience;
  return mixer;
}

void AuricleSoundMixerFree(AuricleSoundMixer *mixer) { free(mixer); }

bool AuricleSoundMixerOffer(AuricleSoundMixer *mixer, AuricleSoundLink *link) {
  AuricleSoundLink *none = NULL;
  return atomic_compare_exchange_strong(&mixer->offered, &none, link);
}

AuricleSoundLink *AuricleSoundMixerTakeRetired(AuricleSoundMixer *mixer) {
  return atomic_exchange(&mixer->retired, NULL);
}

uint64_t AuricleSoundMixerMissed(const AuricleSoundMixer *mixer) {
  return atomic_load(&((AuricleSoundMixer *)(uintptr_t)mixer)->missed);
}

void AuricleSoundMixerBegin(AuricleSoundMixer *mixer) {
  if (mixer->fading || atomic_load(&mixer->retired)) return;
  AuricleSoundLink *next = atomic_exchange(&mixer->offered, NULL);
  // The first has nothing to fade from.
  if (!mixer->present) {
    mixer->present = next;
  } else {
    mixer->fading = next;
  }
  mixer->faded = 0;
}

bool AuricleSoundMixerAddEvent(AuricleSoundMixer *mixer, const void *bytes, uint32_t count) {
  const bool isTaken = !mixer->present || AuricleSoundLinkAddEvent(mixer->present, bytes, count);
  return (!mixer->fading || AuricleSoundLinkAddEvent(mixer->fading, bytes, count)) && isTaken;
}

/// The samples of a slice that was sent; NULL for none in time.
static const float *receive(AuricleSoundMixer *mixer, AuricleSoundLink *link, bool isPosted) {
  if (!link) return NULL;
  if (isPosted && await(link, mixer->patience)) return AuricleSharedSoundOutput(link->shared, link->form);
  atomic_fetch_add_explicit(&mixer->missed, 1, memory_order_relaxed);
  return NULL;
}

static inline float sampleAt(const float *samples, size_t index) {
  if (!samples) return 0;
  const float sample = samples[index];
  // Nothing that is no number reaches a device.
  return sample - sample == 0 ? sample : 0;
}

void AuricleSoundMixerRun(AuricleSoundMixer *mixer, const float *input, uint32_t inputFrames, float *output,
                          uint32_t frameCount) {
  const uint32_t width = mixer->form.outputWidth;
  if (frameCount > mixer->form.frameCapacity) frameCount = mixer->form.frameCapacity;
  AuricleSoundLink *present = mixer->present, *fading = mixer->fading;
  // Both render at once.
  const bool isPosted = present && post(present, input, inputFrames, frameCount);
  const bool isFadingPosted = fading && post(fading, input, inputFrames, frameCount);
  const float *from = receive(mixer, present, isPosted), *to = receive(mixer, fading, isFadingPosted);
  const float step = 1 / (float)mixer->fadeFrames;
  for (uint32_t frame = 0; frame < frameCount; frame++) {
    float part = (float)(mixer->faded + frame + 1) * step;
    if (part > 1) part = 1;
    for (uint32_t channel = 0; channel < width; channel++) {
      const size_t index = (size_t)frame * width + channel;
      float sample = sampleAt(from, index);
      if (fading) sample += (sampleAt(to, index) - sample) * part;
      output[index] = sample;
    }
  }
  if (!fading) return;
  mixer->faded += frameCount;
  if (mixer->faded < mixer->fadeFrames) return;
  atomic_store(&mixer->retired, present);
  mixer->present = fading;
  mixer->fading = NULL;
}

// The process that renders.

uint32_t AuricleSharedSoundTake(void *memory, AuricleSliceForm form, uint32_t *number) {
  Shared *shared = memory;
  uint32_t found;
  while ((found = atomic_load_explicit(&shared->request, memory_order_acquire)) == *number)
    waitFor(&shared->request, found, 0);
  *number = found;
  return shared->frameCount < form.frameCapacity ? shared->frameCount : form.frameCapacity;
}

const void *AuricleSharedSoundEvent(void *memory, AuricleSliceForm form, uint32_t *place, uint32_t *count) {
  (void)form;
  Shared *shared = memory;
  const uint32_t end = shared->eventBytes < AuricleMostEventBytes ? shared->eventBytes : AuricleMostEventBytes;
  if (*place > end || end - *place < 4) return NULL;
  memcpy(count, eventsOf(shared) + *place, 4);
  if (*count > end - *place - 4) return NULL;
  const void *bytes = eventsOf(shared) + *place + 4;
  *place += 4 + *count;
  return bytes;
}

void AuricleSharedSoundAnswer(void *memory, uint32_t number) {
  Shared *shared = memory;
  atomic_store_explicit(&shared->answer, number, memory_order_release);
  wake(&shared->answer);
}
