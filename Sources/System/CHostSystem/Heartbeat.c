// Signs of life of a worker process: its present phase and unit, in memory that its parent reads.
// SPDX-License-Identifier: Apache-2.0
#include "Heartbeat.h"

#include <stdatomic.h>
#include <string.h>

enum { slotCount = 100, nameCapacity = 160, pathCapacity = 512, mostRefusals = 30, mostOfUnit = 5 };

/// A path that a unit may not read.
typedef struct {
  int unit;
  char path[pathCapacity];
} Refusal;

typedef struct {
  atomic_ullong progress;
  atomic_ullong job;
  atomic_int phase;
  atomic_int unit;
  atomic_int blamed;
  atomic_int blamedPhase;
  atomic_int nameCount;
  atomic_ullong frames;
  atomic_ullong totalFrames;
  _Atomic double sampleRate;
  atomic_bool isInternal[slotCount];
  char names[slotCount][nameCapacity];
  atomic_int refusalCount;
  Refusal refusals[mostRefusals];
  atomic_bool isCrashing;
  atomic_int crashSignal;
  /// The unit of the thread that crashed, from 1 on; 0 for none.
  atomic_int crashUnit;
  uint64_t crashOffset;
  char crashPath[pathCapacity];
} HeartbeatPage;

// The limit to the size of files applies to this memory, too: a small limit must not prevent workers.
_Static_assert(sizeof(HeartbeatPage) <= 1 << 15, "the memory of a worker has at most 32 KiB");

static HeartbeatPage nowhere;
static HeartbeatPage *page = &nowhere;

/// The phase and the unit that this thread reported last, which another thread's do not change.
static _Thread_local __attribute__((tls_model("initial-exec"))) struct {
  int32_t phase, unit;
} told = {0, -1};

size_t AuricleHeartbeatSize(void) { return sizeof(HeartbeatPage); }

void AuricleHeartbeatUse(void *memory) {
  page = memory;
  atomic_store(&page->unit, -1);
  atomic_store(&page->blamed, -1);
}

int32_t AuricleHeartbeatRegister(const char *name, bool isInternal) {
  char copy[nameCapacity];
  size_t length = strlen(name);
  if (length >= nameCapacity) {
    length = nameCapacity - 1;
    // Not within a character.
    while (length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80) length--;
  }
  memcpy(copy, name, length);
  copy[length] = 0;
  int count = atomic_load(&page->nameCount);
  if (count < 0 || count > slotCount) return -1;
  for (int slot = 0; slot < count; slot++)
    if (strcmp(page->names[slot], copy) == 0) {
      // A unit of that name beside the host's own is a unit.
      if (!isInternal) atomic_store(&page->isInternal[slot], false);
      return slot;
    }
  if (count == slotCount) return -1;
  memcpy(page->names[count], copy, length + 1);
  atomic_store(&page->isInternal[count], isInternal);
  atomic_store(&page->nameCount, count + 1);
  return count;
}

static void tick(void) {
  atomic_fetch_add_explicit(&page->progress, 1, memory_order_relaxed);
}

void AuricleHeartbeatEnter(int32_t phase, int32_t unit) {
  told.phase = phase;
  told.unit = unit;
  atomic_store_explicit(&page->phase, phase, memory_order_relaxed);
  atomic_store_explicit(&page->unit, unit, memory_order_relaxed);
  tick();
}

int32_t AuricleHeartbeatPhase(void) { return told.phase; }

int32_t AuricleHeartbeatUnit(void) { return told.unit; }

void AuricleHeartbeatBlame(int32_t unit) {
  // The first is the cause of later ones.
  int none = -1;
  if (atomic_compare_exchange_strong(&page->blamed, &none, unit))
    atomic_store(&page->blamedPhase, AuricleHeartbeatPhase());
}

void AuricleHeartbeatForgive(int32_t unit) {
  atomic_compare_exchange_strong(&page->blamed, &unit, -1);
}

void AuricleHeartbeatSetJob(uint64_t job) {
  atomic_store(&page->blamed, -1);
  atomic_store(&page->frames, 0);
  atomic_store(&page->totalFrames, 0);
  atomic_store(&page->job, job);
  tick();
}

void AuricleHeartbeatSetFrames(uint64_t frames, uint64_t totalFrames, double sampleRate) {
  atomic_store_explicit(&page->frames, frames, memory_order_relaxed);
  atomic_store_explicit(&page->totalFrames, totalFrames, memory_order_relaxed);
  atomic_store_explicit(&page->sampleRate, sampleRate, memory_order_relaxed);
  tick();
}

void AuricleHeartbeatRead(const void *memory, AuricleHeartbeatReading *reading) {
  // Loads only, but the functions for them accept no const.
  HeartbeatPage *from = memory ? (HeartbeatPage *)(uintptr_t)memory : page;
  reading->progress = atomic_load(&from->progress);
  reading->job = atomic_load(&from->job);
  reading->phase = atomic_load(&from->phase);
  reading->unit = atomic_load(&from->unit);
  reading->blamed = atomic_load(&from->blamed);
  reading->blamedPhase = atomic_load(&from->blamedPhase);
  reading->frames = atomic_load(&from->frames);
  reading->totalFrames = atomic_load(&from->totalFrames);
  reading->sampleRate = atomic_load(&from->sampleRate);
}

bool AuricleHeartbeatName(const void *memory, int32_t unit, char *name, size_t capacity) {
  const HeartbeatPage *from = memory ? memory : page;
  if (unit < 0 || unit >= slotCount || capacity == 0) return false;
  size_t count = capacity - 1 < nameCapacity - 1 ? capacity - 1 : nameCapacity - 1;
  memcpy(name, from->names[unit], count);
  name[count] = 0;
  return name[0] != 0;
}

bool AuricleHeartbeatIsInternal(int32_t unit) {
  return unit >= 0 && unit < slotCount && atomic_load(&page->isInternal[unit]);
}

/// The number of bytes of a path that are its folder.
static size_t folderLength(const char *path) {
  size_t length = strnlen(path, pathCapacity - 1);
  while (length > 0 && path[length] != '/') length--;
  return length;
}

/// Whether a path of a unit is to be noted beside those there are.
static bool isNew(int count, int unit, const char *path) {
  const size_t folder = folderLength(path);
  int ofUnit = 0;
  for (int index = 0; index < count; index++) {
    const Refusal *refusal = &page->refusals[index];
    if (refusal->unit != unit) continue;
    if (folderLength(refusal->path) == folder && memcmp(refusal->path, path, folder) == 0) return false;
    ofUnit++;
  }
  return ofUnit < mostOfUnit;
}

void AuricleHeartbeatNoteRefusal(const char *path) {
  static atomic_flag isBusy = ATOMIC_FLAG_INIT;
  const int unit = AuricleHeartbeatUnit();
  const size_t length = strlen(path);
  if (unit < 0 || AuricleHeartbeatIsInternal(unit) || length >= pathCapacity) return;
  // Calls that are refused on two threads at once are noted once.
  if (atomic_flag_test_and_set(&isBusy)) return;
  const int count = atomic_load(&page->refusalCount);
  if (count >= 0 && count < mostRefusals && isNew(count, unit, path)) {
    page->refusals[count].unit = unit;
    memcpy(page->refusals[count].path, path, length + 1);
    atomic_store(&page->refusalCount, count + 1);
  }
  atomic_flag_clear(&isBusy);
}

bool AuricleHeartbeatRefusal(const void *memory, int32_t index, int32_t *unit, char *path,
                             size_t capacity) {
  HeartbeatPage *from = memory ? (HeartbeatPage *)(uintptr_t)memory : page;
  if (capacity == 0) return false;
  if (index < 0 || index >= mostRefusals || index >= atomic_load(&from->refusalCount)) return false;
  const Refusal *refusal = &from->refusals[index];
  *unit = refusal->unit;
  size_t count = capacity < pathCapacity ? capacity - 1 : pathCapacity - 1;
  memcpy(path, refusal->path, count);
  path[count] = 0;
  return true;
}

void AuricleHeartbeatNoteCrash(int32_t signal, uint64_t offset, const char *path) {
  // The first of two threads is noted.
  if (atomic_exchange(&page->isCrashing, true)) return;
  const size_t length = strnlen(path, pathCapacity - 1);
  memcpy(page->crashPath, path, length);
  page->crashPath[length] = 0;
  page->crashOffset = offset;
  atomic_store(&page->crashUnit, told.unit + 1);
  atomic_store(&page->crashSignal, signal);
}

int32_t AuricleHeartbeatCrashUnit(const void *memory) {
  HeartbeatPage *from = memory ? (HeartbeatPage *)(uintptr_t)memory : page;
  return atomic_load(&from->crashSignal) ? atomic_load(&from->crashUnit) - 1 : -1;
}

int32_t AuricleHeartbeatCrash(const void *memory, uint64_t *offset, char *path, size_t capacity) {
  HeartbeatPage *from = memory ? (HeartbeatPage *)(uintptr_t)memory : page;
  const int32_t signal = atomic_load(&from->crashSignal);
  if (signal == 0 || capacity == 0) return 0;
  *offset = from->crashOffset;
  const size_t count = capacity < pathCapacity ? capacity - 1 : pathCapacity - 1;
  memcpy(path, from->crashPath, count);
  path[count] = 0;
  return signal;
}
