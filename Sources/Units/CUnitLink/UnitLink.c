// Slices of sound between a host and a unit in another process: turns in shared memory, events in both directions.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "UnitLink.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

_Static_assert(sizeof(AuricleLinkEvent) == 40, "events lie behind each other");

/// A word that one side writes and the other waits for, on a cache line alone.
typedef struct {
  _Alignas(64) atomic_uint value;
  /// Whether somebody waits in the kernel.
  atomic_uint waits;
  /// The last turn that the unit began, and the last one whose sound and answer are written; answers alone use them.
  atomic_uint begun, finished;
} Word;

/// The beginning of the shared memory. Behind it: events to the unit, events from it, input, output.
typedef struct {
  Word turn, answer;
  _Alignas(64) AuricleLinkTurn asked;
  uint32_t askedEvents;
  _Alignas(64) AuricleLinkAnswer said;
  uint32_t saidEvents;
} Shared;

enum {
  lineBytes = 64,
  mostFrames = 1 << 16,
  mostChannels = 1024,
  mostEventBytes = 1 << 24,
  binCount = 256,
};

static const uint64_t second = 1000000000;
/// The time for which a side spins where another processor can do the other's work.
static const uint64_t spinTime = 30000;
/// The number of long waits of which one is begun with a spin.
enum { longWaitsOfSpin = 64 };
/// The longest sleep without a look at whether waiting was ended.
static const uint64_t longestWait = 100000000;

struct AuricleLink {
  Shared *shared;
  AuricleLinkForm form;
  /// The number of the last turn: posted by the host, or taken by the unit.
  uint32_t number;
  /// The number of the last answer that was read.
  uint32_t read;
  uint32_t eventBytes, eventPlace, eventEnd;
  uint64_t posted;
  /// The time of the turn that is not answered; 0 for none.
  atomic_ullong since;
  /// Whether another processor can do the other side's work, and whether the last wait was short enough to spin.
  bool spins, isQuick;
  /// Waits without a spin since the last one with it.
  uint32_t longWaits;
  /// The processor that this side's thread stays on, and the other side's, from 1 on; 0 for any.
  uint32_t processor, otherProcessor;
  /// The processors that it was on before.
  cpu_set_t allowed;
  atomic_bool isAbandoned;
  /// Whether a thread of this side is about to sleep, or sleeps.
  atomic_bool sleeps;
  atomic_ullong answered, missed, longest, waits;
  atomic_uint bins[binCount];
};

static size_t rounded(size_t bytes) { return (bytes + lineBytes - 1) / lineBytes * lineBytes; }

static size_t rowBytes(AuricleLinkForm form) { return rounded((size_t)form.frameCapacity * sizeof(float)); }

static uint8_t *eventsOf(const AuricleLink *link, bool ofAnswer) {
  return (uint8_t *)link->shared + sizeof(Shared) + (ofAnswer ? rounded(link->form.eventCapacity) : 0);
}

static float *row(const AuricleLink *link, size_t index) {
  uint8_t *first = (uint8_t *)link->shared + sizeof(Shared) + 2 * rounded(link->form.eventCapacity);
  return (float *)(first + index * rowBytes(link->form));
}

size_t AuricleLinkSize(AuricleLinkForm form) {
  const size_t rows = (size_t)form.inputChannels + form.outputChannels;
  return sizeof(Shared) + 2 * rounded(form.eventCapacity) + rows * rowBytes(form);
}

bool AuricleLinkFormIsValid(AuricleLinkForm form, size_t size) {
  return form.frameCapacity > 0 && form.frameCapacity <= mostFrames && form.inputChannels <= mostChannels &&
         form.outputChannels <= mostChannels && form.eventCapacity <= mostEventBytes && AuricleLinkSize(form) <= size;
}

bool AuricleLinkMemoryIsSealed(int descriptor, size_t size) {
  struct stat status;
  if (fstat(descriptor, &status) != 0 || status.st_size < 0 || (uint64_t)status.st_size < size) return false;
  const int seals = fcntl(descriptor, F_GET_SEALS);
  return seals >= 0 && (seals & F_SEAL_SHRINK);
}

/// Touches the pages of a connection, so that a render thread does not wait for them. A form of the other side can be
/// large: the rest of its pages is there when it is used.
static void touchPages(const void *shared, size_t size) {
  enum { most = 1 << 24 };
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (size_t place = 0; place < size && place < most; place += page) (void)((const volatile char *)shared)[place];
}

AuricleLink *AuricleLinkMake(void *shared, AuricleLinkForm form) {
  AuricleLink *link = calloc(1, sizeof *link);
  if (!link) return NULL;
  touchPages(shared, AuricleLinkSize(form));
  link->shared = shared;
  link->form = form;
  link->spins = link->isQuick = sysconf(_SC_NPROCESSORS_ONLN) > 1;
  return link;
}

void AuricleLinkFree(AuricleLink *link) { free(link); }

static void wake(Word *word) { syscall(SYS_futex, &word->value, FUTEX_WAKE, INT_MAX, NULL, NULL, 0); }

void AuricleLinkAbandon(AuricleLink *link) {
  atomic_store(&link->isAbandoned, true);
  // One that has not seen it goes to sleep without another look.
  do {
    wake(&link->shared->answer);
    wake(&link->shared->turn);
  } while (atomic_load(&link->sleeps) && !sched_yield());
}

void AuricleLinkResume(AuricleLink *link) {
  // Another thread may be anywhere.
  link->processor = 0;
  atomic_store(&link->isAbandoned, false);
}

bool AuricleLinkIsAbandoned(const AuricleLink *link) {
  return atomic_load_explicit(&((AuricleLink *)(uintptr_t)link)->isAbandoned, memory_order_acquire);
}

float *AuricleLinkInput(AuricleLink *link, uint32_t channel) {
  return row(link, channel < link->form.inputChannels ? channel : 0);
}

float *AuricleLinkOutput(AuricleLink *link, uint32_t channel) {
  return row(link, link->form.inputChannels + (size_t)(channel < link->form.outputChannels ? channel : 0));
}

uint64_t AuricleLinkNow(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * second + (uint64_t)time.tv_nsec;
}

/// In the memory that a thread has from its beginning: other models allocate when a render thread comes by first.
static _Thread_local uint64_t sliceDeadline __attribute__((tls_model("initial-exec")));

void AuricleSliceSetDeadline(uint64_t deadline) { sliceDeadline = deadline; }

uint64_t AuricleSliceDeadline(void) { return sliceDeadline; }

static inline void pauseSpin(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

static inline uint32_t load(Word *word) { return atomic_load_explicit(&word->value, memory_order_acquire); }

// One processor for both threads.

/// The realtime priority of this thread; 0 for none.
static uint32_t priorityOfThread(void) {
  struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
  } found = {.size = sizeof found};
  if (syscall(SYS_sched_getattr, 0, &found, sizeof found, 0)) return 0;
  return found.policy == SCHED_FIFO || found.policy == SCHED_RR ? found.priority : 0;
}

/// Keeps this thread on a processor, from 1 on; false where it may not be there.
static bool stayOn(AuricleLink *link, uint32_t processor) {
  if (!processor || processor > CPU_SETSIZE) return false;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor - 1, &one);
  if (!link->processor && sched_getaffinity(0, sizeof link->allowed, &link->allowed)) return false;
  return !sched_setaffinity(0, sizeof one, &one);
}

void AuricleLinkShareProcessor(AuricleLink *link) {
  if (!link->spins || priorityOfThread() <= AuricleUnitPriority) return;
  const uint32_t processor = (uint32_t)(sched_getcpu() + 1);
  if (stayOn(link, processor)) link->processor = processor;
}

void AuricleLinkReleaseProcessor(AuricleLink *link) {
  if (link->processor) sched_setaffinity(0, sizeof link->allowed, &link->allowed);
  link->processor = 0;
}

/// Has the unit's thread go to the processor of its host's between two turns.
static void followHost(AuricleLink *link) {
  const uint32_t wanted = link->otherProcessor;
  if (wanted == link->processor) return;
  // One without priority waits for other programs there.
  if (wanted && priorityOfThread() && stayOn(link, wanted))
    link->processor = wanted;
  else
    AuricleLinkReleaseProcessor(link);
}

/// Whether spinning is likely to bring the end of a wait.
static bool mayBeQuick(AuricleLink *link) {
  // On one processor the other side works when this one sleeps.
  if (!link->spins || (link->processor && link->processor == link->otherProcessor)) return false;
  return link->isQuick || ++link->longWaits % longWaitsOfSpin == 0;
}

/// Waits while a word has a value, until a deadline.
static void waitWhile(AuricleLink *link, Word *word, uint32_t value, uint64_t deadline) {
  if (mayBeQuick(link)) {
    const uint64_t begun = AuricleLinkNow();
    const uint64_t end = begun + spinTime < deadline ? begun + spinTime : deadline;
    for (uint32_t round = 1; load(word) == value; round++) {
      pauseSpin();
      if (round % 64 == 0 && AuricleLinkNow() >= end) break;
    }
    link->isQuick = load(word) != value;
  }
  while (load(word) == value && !AuricleLinkIsAbandoned(link)) {
    if (AuricleLinkNow() >= deadline) return;
    const struct timespec time = {(time_t)(deadline / second), (long)(deadline % second)};
    atomic_store(&word->waits, 1);
    atomic_store(&link->sleeps, true);
    if (atomic_load(&word->value) == value && !atomic_load(&link->isAbandoned)) {
      atomic_fetch_add_explicit(&link->waits, 1, memory_order_relaxed);
      syscall(SYS_futex, &word->value, FUTEX_WAIT_BITSET, value, &time, NULL, FUTEX_BITSET_MATCH_ANY);
    }
    atomic_store(&link->sleeps, false);
    atomic_store_explicit(&word->waits, 0, memory_order_relaxed);
  }
}

static void publish(Word *word, uint32_t value, bool wakes) {
  atomic_store(&word->value, value);
  if (wakes && atomic_load(&word->waits)) wake(word);
}

// Events.

static bool addEvent(AuricleLink *link, bool toAnswer, const AuricleLinkEvent *event, const void *bytes) {
  const uint32_t behind = bytes ? event->byteCount : 0;
  if (behind > mostEventBytes) return false;
  const uint32_t size = (uint32_t)sizeof *event + (behind + 7) / 8 * 8;
  if (size > link->form.eventCapacity || link->eventBytes > link->form.eventCapacity - size) return false;
  uint8_t *place = eventsOf(link, toAnswer) + link->eventBytes;
  AuricleLinkEvent copy = *event;
  copy.byteCount = behind;
  memcpy(place, &copy, sizeof copy);
  if (behind) memcpy(place + sizeof copy, bytes, behind);
  link->eventBytes += size;
  return true;
}

bool AuricleLinkAddEvent(AuricleLink *link, const AuricleLinkEvent *event, const void *bytes) {
  return addEvent(link, false, event, bytes);
}

bool AuricleLinkAddAnswerEvent(AuricleLink *link, const AuricleLinkEvent *event, const void *bytes) {
  return addEvent(link, true, event, bytes);
}

void AuricleLinkForgetEvents(AuricleLink *link) { link->eventBytes = 0; }

/// Begins to read as many bytes of events as the other side claims, and there can be.
static void beginEvents(AuricleLink *link, uint32_t claimed) {
  link->eventPlace = 0;
  link->eventEnd = claimed < link->form.eventCapacity ? claimed : link->form.eventCapacity;
}

bool AuricleLinkNextEvent(AuricleLink *link, bool ofAnswer, AuricleLinkEvent *event, const uint8_t **bytes) {
  if (link->eventEnd - link->eventPlace < sizeof *event) return false;
  const uint8_t *place = eventsOf(link, ofAnswer) + link->eventPlace;
  memcpy(event, place, sizeof *event);
  link->eventPlace += (uint32_t)sizeof *event;
  const uint32_t left = link->eventEnd - link->eventPlace;
  if (event->byteCount > left) {
    link->eventPlace = link->eventEnd;
    return false;
  }
  const uint32_t padded = (event->byteCount + 7) / 8 * 8;
  *bytes = place + sizeof *event;
  link->eventPlace += padded < left ? padded : left;
  return true;
}

// The host's side.

static void post(AuricleLink *link, const AuricleLinkTurn *turn, bool wakes) {
  Shared *shared = link->shared;
  shared->asked = *turn;
  shared->asked.processor = link->processor;
  shared->askedEvents = link->eventBytes;
  link->eventBytes = 0;
  link->posted = AuricleLinkNow();
  atomic_store_explicit(&link->since, link->posted, memory_order_relaxed);
  publish(&shared->turn, ++link->number, wakes);
}

bool AuricleLinkIsIdle(AuricleLink *link) {
  if (load(&link->shared->answer) != link->number) return false;
  atomic_store_explicit(&link->since, 0, memory_order_relaxed);
  if (link->number == link->read) return true;
  link->read = link->number;
  const uint32_t kind = *(volatile uint32_t *)&link->shared->said.kind;
  if (kind != kAuricleLinkAnswer_Input) return true;
  const uint32_t kept = link->eventBytes;
  link->eventBytes = 0;
  const AuricleLinkTurn refusal = {.kind = kAuricleLinkTurn_NoInput, .status = -1};
  post(link, &refusal, true);
  link->eventBytes = kept;
  return false;
}

bool AuricleLinkPost(AuricleLink *link, const AuricleLinkTurn *turn, bool wakes) {
  if (AuricleLinkIsAbandoned(link) || load(&link->shared->answer) != link->number) return false;
  post(link, turn, wakes);
  return true;
}

/// The bin of a time: eight for each power of two.
static uint32_t bin(uint64_t time) {
  if (time < 8) return (uint32_t)time;
  const uint32_t power = 63 - (uint32_t)__builtin_clzll(time);
  const uint32_t found = (power - 2) * 8 + (uint32_t)((time >> (power - 3)) & 7);
  return found < binCount ? found : binCount - 1;
}

static uint64_t binTime(uint32_t bin) {
  if (bin < 16) return bin;
  return (uint64_t)(8 + bin % 8) << (bin / 8 - 1);
}

static void note(AuricleLink *link, uint64_t time) {
  atomic_fetch_add_explicit(&link->answered, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&link->bins[bin(time)], 1, memory_order_relaxed);
  if (time > atomic_load_explicit(&link->longest, memory_order_relaxed))
    atomic_store_explicit(&link->longest, time, memory_order_relaxed);
}

AuricleLinkOutcome AuricleLinkAwait(AuricleLink *link, uint64_t deadline, AuricleLinkAnswer *answer) {
  // A new connection without a turn has no answer: the turn that is waited for was another connection's.
  if (!link->number) return AuricleLinkOutcomeLate;
  Word *word = &link->shared->answer;
  for (;;) {
    const uint32_t found = load(word);
    if (found == link->number) break;
    if (AuricleLinkIsAbandoned(link)) return AuricleLinkOutcomeGone;
    const uint64_t time = AuricleLinkNow();
    if (deadline && time >= deadline) return AuricleLinkOutcomeLate;
    const uint64_t limit = time + longestWait;
    waitWhile(link, word, found, deadline && deadline < limit ? deadline : limit);
  }
  atomic_store_explicit(&link->since, 0, memory_order_relaxed);
  memcpy(answer, &link->shared->said, sizeof *answer);
  link->read = link->number;
  link->otherProcessor = answer->processor;
  beginEvents(link, *(volatile uint32_t *)&link->shared->saidEvents);
  if (answer->kind == kAuricleLinkAnswer_Done) note(link, AuricleLinkNow() - link->posted);
  return AuricleLinkOutcomeAnswered;
}

bool AuricleLinkReadFinished(AuricleLink *link, AuricleLinkAnswer *answer) {
  Word *word = &link->shared->answer;
  if (atomic_load_explicit(&word->finished, memory_order_acquire) != link->number) return false;
  memcpy(answer, &link->shared->said, sizeof *answer);
  if (answer->kind != kAuricleLinkAnswer_Done) return false;
  beginEvents(link, *(volatile uint32_t *)&link->shared->saidEvents);
  return true;
}

uint64_t AuricleLinkWaiting(const AuricleLink *from) {
  AuricleLink *link = (AuricleLink *)(uintptr_t)from;
  const uint64_t since = atomic_load(&link->since), time = AuricleLinkNow();
  return since && time > since && load(&link->shared->answer) != link->number ? time - since : 0;
}

bool AuricleLinkIsAtWork(const AuricleLink *from) {
  Word *word = &((AuricleLink *)(uintptr_t)from)->shared->answer;
  return (int32_t)(atomic_load(&word->begun) - atomic_load(&word->finished)) > 0;
}

void AuricleLinkCountMiss(AuricleLink *link) { atomic_fetch_add_explicit(&link->missed, 1, memory_order_relaxed); }

AuricleLinkFigures AuricleLinkReadFigures(const AuricleLink *from) {
  AuricleLink *link = (AuricleLink *)(uintptr_t)from;
  AuricleLinkFigures figures = {
      .answered = atomic_load(&link->answered),
      .missed = atomic_load(&link->missed),
      .longest = atomic_load(&link->longest),
      .waits = atomic_load(&link->waits),
  };
  uint64_t total = 0, passed = 0;
  for (uint32_t index = 0; index < binCount; index++) total += atomic_load(&link->bins[index]);
  for (uint32_t index = 0; index < binCount && total; index++) {
    passed += atomic_load(&link->bins[index]);
    if (passed * 2 < total) continue;
    figures.median = binTime(index);
    break;
  }
  return figures;
}

// The unit's side.

/// Copies a turn, and bounds its counts.
static void take(AuricleLink *link, uint32_t number, AuricleLinkTurn *turn) {
  link->number = number;
  atomic_store_explicit(&link->shared->answer.begun, number, memory_order_release);
  memcpy(turn, &link->shared->asked, sizeof *turn);
  link->otherProcessor = turn->processor;
  beginEvents(link, *(volatile uint32_t *)&link->shared->askedEvents);
  link->eventBytes = 0;
  if (turn->frameCount > link->form.frameCapacity) turn->kind = kAuricleLinkTurn_End;
}

bool AuricleLinkTake(AuricleLink *link, uint64_t nanoseconds, AuricleLinkTurn *turn) {
  Word *word = &link->shared->turn;
  const uint64_t deadline = AuricleLinkNow() + nanoseconds;
  while (load(word) == link->number) {
    if (AuricleLinkIsAbandoned(link) || AuricleLinkNow() >= deadline) return false;
    waitWhile(link, word, link->number, deadline);
  }
  take(link, load(word), turn);
  return true;
}

bool AuricleLinkTakePrepared(AuricleLink *link, AuricleLinkTurn *turn) {
  const uint32_t number = load(&link->shared->turn);
  if (number == link->number) return false;
  take(link, number, turn);
  return true;
}

void AuricleLinkFinishTurn(AuricleLink *link, const AuricleLinkAnswer *answer) {
  Shared *shared = link->shared;
  shared->said = *answer;
  shared->said.processor = link->processor;
  shared->saidEvents = link->eventBytes;
  link->eventBytes = 0;
  atomic_store_explicit(&shared->answer.finished, link->number, memory_order_release);
}

void AuricleLinkEndTurn(AuricleLink *link) {
  publish(&link->shared->answer, link->number, true);
  followHost(link);
}

void AuricleLinkAnswerTurn(AuricleLink *link, const AuricleLinkAnswer *answer) {
  AuricleLinkFinishTurn(link, answer);
  AuricleLinkEndTurn(link);
}

bool AuricleLinkAskForInput(AuricleLink *link, uint32_t bus, uint32_t frameCount, double sampleTime,
                            AuricleLinkTurn *turn) {
  if (frameCount > link->form.frameCapacity) return false;
  const AuricleLinkAnswer question = {
      .kind = kAuricleLinkAnswer_Input, .bus = bus, .frameCount = frameCount, .sampleTime = sampleTime};
  // Events for the end of the slice stay.
  const uint32_t kept = link->eventBytes;
  link->eventBytes = 0;
  AuricleLinkAnswerTurn(link, &question);
  bool isThere = false;
  while (!AuricleLinkIsAbandoned(link) && !isThere) isThere = AuricleLinkTake(link, longestWait, turn);
  link->eventBytes = kept;
  return isThere && turn->kind == kAuricleLinkTurn_Input;
}
