// Whether plug-ins' libraries have kept anything: compares their static memory with that at loading.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "LibraryMemory.h"

#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "Hashing.h"

/// A library, by where it was loaded to; libraries of plug-ins are never unloaded.
typedef struct {
  ElfW(Addr) address;
  bool isOwn;
  uint64_t sum;
} Library;

static Library *libraries;
static size_t count, capacity;
static size_t size;
static bool isOn, isComplete = true;

typedef enum { leaveOut, note, settle, compare } Work;

/// The bytes from one address to another.
typedef struct {
  ElfW(Addr) start, end;
} Range;

/// The part of a segment that stays writable: the loader protects whole pages of it once all is bound.
static Range writable(const struct dl_phdr_info *object, const ElfW(Phdr) *segment) {
  Range range = {object->dlpi_addr + segment->p_vaddr, 0};
  range.end = range.start + segment->p_memsz;
  const ElfW(Addr) page = (ElfW(Addr))sysconf(_SC_PAGESIZE);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) *sealed = &object->dlpi_phdr[i];
    if (sealed->p_type != PT_GNU_RELRO) continue;
    const ElfW(Addr) start = object->dlpi_addr + sealed->p_vaddr;
    const ElfW(Addr) end = (start + sealed->p_memsz) / page * page;
    if (start <= range.start && end > range.start) range.start = end < range.end ? end : range.end;
  }
  return range;
}

/// Goes on with a sum over bytes; over zeros where there are none.
static uint64_t with(uint64_t sum, const unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; ++i) sum = (sum ^ (bytes ? bytes[i] : 0)) * 0x100000001B3;
  return sum;
}

static uint64_t sumOf(const struct dl_phdr_info *object, size_t *bytes) {
  uint64_t sum = 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    if (segment->p_type == PT_LOAD && segment->p_flags & PF_W) {
      const Range range = writable(object, segment);
      *bytes += range.end - range.start;
      sum = sum * 31 + AuricleXXH64((const void *)range.start, range.end - range.start);
    } else if (segment->p_type == PT_TLS) {
      // A thread that has not used its part has it as in the file, followed by zeros.
      const unsigned char *data = object->dlpi_tls_data;
      const unsigned char *start = (const unsigned char *)(object->dlpi_addr + segment->p_vaddr);
      sum = with(sum, data ? data : start, segment->p_filesz);
      sum = with(sum, data ? data + segment->p_filesz : NULL, segment->p_memsz - segment->p_filesz);
    }
  }
  return sum;
}

static Library *find(ElfW(Addr) address) {
  for (size_t i = 0; i < count; ++i)
    if (libraries[i].address == address) return &libraries[i];
  return NULL;
}

static int visit(struct dl_phdr_info *object, size_t infoSize, void *what) {
  (void)infoSize;
  const Work work = *(Work *)what;
  size_t bytes = 0;
  Library *known = find(object->dlpi_addr);
  if (work == compare) return !known || (!known->isOwn && sumOf(object, &bytes) != known->sum);
  if (known && work == settle && !known->isOwn) known->sum = sumOf(object, &bytes);
  if (known) return 0;
  if (count == capacity) {
    Library *more = realloc(libraries, (2 * capacity + 64) * sizeof *more);
    if (!more) return 1;
    libraries = more;
    capacity = 2 * capacity + 64;
  }
  const bool isOwn = work == leaveOut;
  libraries[count++] = (Library){object->dlpi_addr, isOwn, isOwn ? 0 : sumOf(object, &size)};
  return 0;
}

static void add(Work work) {
  if (isOn && dl_iterate_phdr(visit, &work) != 0) isComplete = false;
}

void AuricleLibraryMemoryBegin(void) {
  isOn = true;
  add(leaveOut);
}

void AuricleLibraryMemoryLeaveOut(void) { add(leaveOut); }

void AuricleLibraryMemoryNote(void) { add(note); }

void AuricleLibraryMemorySettle(void) { add(settle); }

static int giveBack(struct dl_phdr_info *object, size_t infoSize, void *what) {
  (void)infoSize, (void)what;
  // The code of plug-ins may have been changed where it lies.
  const Library *known = find(object->dlpi_addr);
  if (isOn && (!known || !known->isOwn)) return 0;
  const ElfW(Addr) page = (ElfW(Addr))sysconf(_SC_PAGESIZE);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
    const ElfW(Addr) start = object->dlpi_addr + segment->p_vaddr;
    const ElfW(Addr) from = (start + page - 1) / page * page;
    const ElfW(Addr) to = (start + segment->p_memsz) / page * page;
    if (to > from) madvise((void *)from, to - from, MADV_DONTNEED);
  }
  return 0;
}

void AuricleLibraryMemoryGiveBack(void) { dl_iterate_phdr(giveBack, NULL); }

size_t AuricleLibraryMemorySize(void) { return size; }

bool AuricleLibraryMemoryIsUntouched(void) {
  Work work = compare;
  return isOn && isComplete && dl_iterate_phdr(visit, &work) == 0;
}
